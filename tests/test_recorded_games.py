"""Every recorded game gets what `games/expected.json` says, the word of a referee written apart."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from karuba_adapters import Report, validate
from karuba_cli.verbs import app
from tests.naive_judge import judge

GAMES = Path(__file__).parent / "games"
EXPECTED: dict[str, dict[str, Any]] = json.loads((GAMES / "expected.json").read_text(encoding="utf-8"))
SOUND = {name: says for name, says in EXPECTED.items() if name.startswith("sound/")}
COMMANDS = {name: says for name, says in EXPECTED.items() if name.startswith("commands/")}
UNFINISHED = [name for name in EXPECTED if name.startswith("unfinished/")]

# A game of each pick-up rule, as events and as commands.
CUT = (
    *("sound/01-2p-stop-expert.jsonl", "sound/08-2p-landing-casual.jsonl", "sound/14-2p-step-casual.jsonl"),
    *("commands/04-3p-stop-casual.jsonl", "commands/10-3p-landing-casual.jsonl"),
    "commands/16-3p-step-casual.jsonl",
)


def said_of(log: bytes) -> Report:
    (report,) = validate(io.BytesIO(log))
    return report


def karuba(*arguments: object) -> bytes:
    """Run a verb that has nothing to complain about; return what it writes."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout_bytes


def test_every_file_has_its_verdict() -> None:
    files = {path.relative_to(GAMES).as_posix() for path in GAMES.rglob("*.jsonl")}

    assert files == set(EXPECTED)
    assert {says["verdict"] for says in EXPECTED.values()} == {"valid", "incomplete", "invalid"}


@pytest.mark.parametrize(("name", "says"), EXPECTED.items(), ids=EXPECTED)
def test_a_recorded_game_gets_its_verdict(name: str, says: dict[str, Any]) -> None:
    log = (GAMES / name).read_bytes()
    report = said_of(log)

    line = report.findings[0].line if report.findings else None
    assert (report.verdict, line) == (says["verdict"], says.get("line"))
    assert report.records == says.get("records", line - 1 if line else log.count(b"\n"))
    assert report.last_line == (line or report.records)
    assert "family" not in says or report.findings[0].code.startswith(f"{says['family']}/")


@pytest.mark.parametrize(("name", "says"), SOUND.items(), ids=SOUND)
def test_a_sound_game_ends_as_it_should(name: str, says: dict[str, Any]) -> None:
    state = json.loads(karuba("replay", GAMES / name, "--format", "json"))

    assert {key: state[key] for key in ("scores", "winners", "reason")} == {
        key: says[key] for key in ("scores", "winners", "reason")
    }
    assert (state["phase"], state["due"]) == ("over", None)


@pytest.mark.parametrize(("commands", "says"), COMMANDS.items(), ids=COMMANDS)
def test_a_log_of_commands_and_its_log_of_events_become_each_other(
    commands: str, says: dict[str, Any]
) -> None:
    events = says["event_log"]

    assert karuba("convert", GAMES / commands, "--to", "events") == (GAMES / events).read_bytes()
    assert karuba("convert", GAMES / events, "--to", "commands") == (GAMES / commands).read_bytes()


@pytest.mark.parametrize("name", [*SOUND, *UNFINISHED])
def test_a_log_of_events_is_written_as_it_was_read(name: str) -> None:
    assert karuba("convert", GAMES / name, "--to", "events") == (GAMES / name).read_bytes()


@pytest.mark.parametrize("name", CUT)
def test_a_game_cut_off_after_any_record_is_incomplete(name: str) -> None:
    lines = (GAMES / name).read_bytes().splitlines(keepends=True)
    due_types = ("round-ended", "game-ended")

    for count in range(1, len(lines)):
        prefix = b"".join(lines[:count])
        report, following = said_of(prefix), json.loads(lines[count])["type"]
        assert (report.verdict, report.findings, report.records) == ("incomplete", (), count)
        assert report.due == (following if following in due_types else None)
        assert judge(prefix) == ("incomplete", 0)


@pytest.mark.parametrize("name", [name for name, says in EXPECTED.items() if says["verdict"] == "invalid"])
def test_a_broken_game_is_right_up_to_its_fault(name: str) -> None:
    log, line = (GAMES / name).read_bytes(), EXPECTED[name]["line"]
    before = b"".join(log.splitlines(keepends=True)[: line - 1])

    assert judge(log) == ("invalid", line)
    if before:
        assert (said_of(before).verdict, 0) == judge(before)
        assert said_of(before).verdict != "invalid"
