"""`karuba replay`: which state of which log is shown, and how, up to the end or to the first fault."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import state_json
from karuba_adapters.board_text import game_text
from karuba_cli.verbs import app
from karuba_core import Event, Game, fold
from tests.games_kit import read_messages

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
COMMANDS = GAMES / "commands" / "04-3p-stop-casual.jsonl"
LINES = SOUND.read_bytes().splitlines(keepends=True)
ASKED = COMMANDS.read_bytes().splitlines(keepends=True)
BAD = b'{"type":"turn-passed","player":"\\u202e\\u001b[2J"}\n'
RECORDS = len(LINES)


def karuba(*arguments: object, stdin: bytes = b"") -> Result:
    texts = ["replay", *map(str, arguments)]
    runner = CliRunner(env={"COLUMNS": "100"})
    return runner.invoke(app, texts, input=stdin, catch_exceptions=False)


def states(*arguments: object, stdin: bytes = b"") -> list[dict[str, Any]]:
    """Return the states that are shown as JSON, where there is nothing to complain about."""
    result = karuba(*arguments, "--format", "json", stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout_bytes.splitlines()]


def game_after(count: int) -> Game:
    """Return the game after the first records of the sound log."""
    messages = read_messages(io.BytesIO(b"".join(LINES[:count])))
    return fold(message for message in messages if isinstance(message, Event))


def as_json(game: Game) -> Any:  # noqa: ANN401 - any JSON value
    return json.loads(json.dumps(state_json(game)))


def sealed(lines: list[bytes]) -> bytes:
    log = b"".join(lines)
    digest = hashlib.sha256(log).hexdigest()
    return log + b'{"type":"seal","records":%d,"digest":"sha256:%s"}\n' % (len(lines), digest.encode())


# Which state


@pytest.mark.parametrize("options", [(), ("--ascii",)], ids=["unicode", "ascii"])
@pytest.mark.parametrize("log", [SOUND, COMMANDS], ids=["events", "commands"])
def test_the_end_of_a_game_is_shown(log: Path, options: tuple[str, ...]) -> None:
    result = karuba(log, *options)

    assert result.stdout == game_text(game_after(RECORDS), ascii_only=bool(options)) + "\n\n"
    assert result.stdout.isascii() == bool(options)
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_end_is_that_of_the_log() -> None:
    """What the record says of it, told apart from how the game is drawn."""
    last = json.loads(LINES[-1])
    text = karuba(SOUND).stdout

    for player, points in last["scores"].items():
        numbers = (points[column] for column in ("temples", "crystals", "gold", "total", "tiles"))
        assert [player, *map(str, numbers)] in [line.split() for line in text.splitlines()]
    assert f"\n{last['winners'][0]} wins: " in text


@pytest.mark.parametrize("at", [1, 2, 3, 50, 51, RECORDS - 1, RECORDS])
def test_the_state_after_a_record_of_events_is_shown(at: int) -> None:
    assert states(SOUND, "--at", at) == [as_json(game_after(at))]
    assert karuba(SOUND, "--at", at).stdout == game_text(game_after(at)) + "\n\n"


@pytest.mark.parametrize("at", [1, 2, 5, 60, len(ASKED) - 1, len(ASKED)])
def test_the_state_after_a_record_of_commands_is_shown(at: int) -> None:
    """What follows a command by itself has happened then, too."""
    seen = states(COMMANDS, "--at", at)

    cut = states("-", stdin=b"".join(ASKED[:at]))
    assert seen == cut
    assert seen[0]["due"] is None
    assert len(seen[0]["drawn"]) == sum(b'"draw"' in line for line in ASKED[:at])


@pytest.mark.parametrize("lines", [LINES, ASKED], ids=["events", "commands"])
def test_each_round_is_shown_once_and_then_the_end(lines: list[bytes]) -> None:
    shown = states("-", "--each", stdin=b"".join(lines))

    assert [state["round"] for state in shown] == [*range(1, shown[-1]["round"] + 1)]
    assert [state["phase"] for state in shown] == ["draw"] * (len(shown) - 1) + ["over"]
    ends = [place for place, line in enumerate(LINES, start=1) if b"round-ended" in line]
    assert shown[:-1] == [as_json(game_after(place)) for place in ends[:-1]]


@pytest.mark.parametrize("count", [1, 2, 30, 99])
def test_of_an_unfinished_game_the_last_state_comes_after_its_rounds(count: int) -> None:
    shown = states("-", "--each", stdin=b"".join(LINES[:count]))

    ends = [place for place, line in enumerate(LINES[:count], start=1) if b"round-ended" in line]
    assert shown == [as_json(game_after(place)) for place in sorted({*ends, count})]


@pytest.mark.parametrize("lines", [LINES, ASKED, LINES[:99], ASKED[:60]])
def test_a_seal_changes_nothing_that_is_shown(lines: list[bytes]) -> None:
    for options in ((), ("--each",), ("--at", 7)):
        assert states("-", *options, stdin=sealed(lines)) == states("-", *options, stdin=b"".join(lines))


def test_each_state_is_text_of_its_own() -> None:
    ends = [place for place, line in enumerate(LINES[:60], start=1) if b"round-ended" in line]
    result = karuba("-", "--each", stdin=b"".join(LINES[: ends[1]]))

    assert result.stdout == "".join(game_text(game_after(place)) + "\n\n" for place in ends[:2])


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (1, "round 1: a tile has to be drawn"),
        (2, "has still to play tile"),
        (next(place for place, line in enumerate(LINES) if b"round-ended" in line), "round-ended is due"),
        (RECORDS - 1, "game-ended is due"),
    ],
)
def test_of_an_unfinished_game_it_is_said_how_far_it_got(count: int, says: str) -> None:
    result = karuba("-", stdin=b"".join(LINES[:count]))

    assert says in result.stdout.splitlines()[-2]
    assert (result.exit_code, result.stderr) == (0, "")


# Several logs


def test_one_log_of_several_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(sealed(LINES[:40]) + b"".join(LINES) + b"".join(LINES[:60]))

    for options, number, count in (((), 1, 40), (("--log", 2), 2, RECORDS), (("--log", 3), 3, 60)):
        result = karuba(path, *options, "--format", "json")
        assert json.loads(result.stdout) == as_json(game_after(count))
        told = f"karuba: {path} holds 3 logs: this is log {number}, --log shows another\n"
        assert result.stderr == ("" if number == 3 else told)
        assert result.exit_code == 0


def test_options_are_about_the_log_that_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(LINES) + b"".join(LINES[:60]))
    ends = [place for place, line in enumerate(LINES[:60], start=1) if b"round-ended" in line]

    assert states(path, "--log", 2, "--at", 7) == [as_json(game_after(7))]
    assert states(path, "--log", 2, "--each") == [as_json(game_after(place)) for place in sorted({*ends, 60})]
    assert karuba(path, "--log", 2, "--at", 61).exit_code == 2


def test_only_findings_of_the_log_that_is_shown_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(sealed(LINES[:40]) + b"".join(LINES[:9]) + b"nope\n")

    assert karuba(path).exit_code == 0
    result = karuba(path, "--log", 2)
    assert result.stderr.startswith(f"{path}:51: text/not-json: ")
    assert result.exit_code == 1


@pytest.mark.parametrize("log", [SOUND, "-"])
def test_a_log_that_is_not_there_is_wrong_usage(log: object) -> None:
    result = karuba(log, "--log", 2, stdin=b"".join(LINES))

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--log" in result.stderr


# Faults


@pytest.mark.parametrize("kind", ["events", "commands"])
def test_a_log_is_shown_up_to_its_fault(kind: str) -> None:
    lines = LINES if kind == "events" else ASKED
    result = karuba("-", "--format", "json", stdin=b"".join([*lines[:50], b"{}\n", *lines[50:]]))

    assert [json.loads(result.stdout)] == states("-", stdin=b"".join(lines[:50]))
    assert result.stderr == "-:51: shape/missing-field: this field is missing [$.type] (F-SHAPE-2)\n"
    assert result.exit_code == 1


@pytest.mark.parametrize("options", [("--at", 50), ("--at", 51), ("--at", 5000), ()])
def test_what_comes_after_a_fault_is_the_last_right_state(options: tuple[object, ...]) -> None:
    result = karuba("-", *options, stdin=b"".join([*LINES[:50], BAD]))

    assert result.stdout == game_text(game_after(50)) + "\n\n"
    assert result.exit_code == 1
    assert result.stderr.startswith("-:51: ")


def test_a_state_before_a_fault_is_shown_with_the_fault() -> None:
    result = karuba("-", "--at", 7, "--format", "json", stdin=b"".join([*LINES[:50], BAD]))

    assert json.loads(result.stdout) == as_json(game_after(7))
    assert result.stderr.count("\n") == 1
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "log", [b"", b"nope\n", LINES[1], LINES[0].replace(b"karuba-log/1", b"karuba-log/2")]
)
@pytest.mark.parametrize("options", [(), ("--at", 1), ("--each",), ("--format", "json")])
def test_nothing_is_shown_of_a_log_without_a_right_opening(log: bytes, options: tuple[object, ...]) -> None:
    result = karuba("-", *options, stdin=log)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("-:1: ")


@pytest.mark.parametrize("options", [(), ("--log", 2), ("--at", 3), ("--each",)], ids=str)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, options: tuple[object, ...]) -> None:
    result = karuba(tmp_path / "missing.jsonl", *options)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "log/unreadable: cannot be read: " in result.stderr


def test_a_file_that_cannot_be_read_further_is_told_beside_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = b"".join([*LINES, *LINES[:9]])
    monkeypatch.setattr("karuba_adapters.judging.open_file", lambda *_: Failing(stream))
    for number, count in ((1, RECORDS), (2, 9)):
        result = karuba("a.jsonl", "--format", "json", "--log", number)
        assert [json.loads(line) for line in result.stdout.splitlines()] == [as_json(game_after(count))]
        assert f"a.jsonl:{RECORDS + 10}: log/unreadable: cannot be read: Input/output" in result.stderr
        assert result.exit_code == 3


class Failing(io.BytesIO):
    """A stream that fails after its bytes."""

    def readline(self, size: int | None = -1, /) -> bytes:
        if read := super().readline(size):
            return read
        raise OSError(5, "Input/output error")


# Wrong usage


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    result = karuba(tmp_path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "expected a file, got a folder" in result.stderr


@pytest.mark.parametrize(
    "options",
    [
        ("--at", 0),
        ("--at", -1),
        ("--at", "x"),
        ("--at", RECORDS + 1),
        ("--log", 0),
        ("--at", 3, "--each"),
        ("--format", "yaml"),
        (SOUND,),
    ],
    ids=str,
)
def test_wrong_usage_is_told_on_standard_error(options: tuple[object, ...]) -> None:
    result = karuba(SOUND, *options)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error" in result.stderr


def test_how_many_records_there_are_is_told() -> None:
    assert f"the log has {RECORDS} records only" in " ".join(
        karuba(SOUND, "--at", RECORDS + 1).stderr.split()
    )


# Names


def test_names_cannot_deceive(tmp_path: Path) -> None:
    """A name of a player or of a file may hold marks that turn or move what stands round it."""
    path = tmp_path / "\u202e\x1b[2J.jsonl"
    names = {"players": ["an\u202ea", "\u2066ben\u00ad"], "leader": "an\u202ea"}
    opening = json.loads(LINES[0]) | names
    opening["rules"]["temple_treasures"] = [5, 3]
    path.write_bytes((sealed([json.dumps(opening).encode() + b"\n"])) * 2)

    results = [karuba(path), karuba(path, "--log", 9), karuba("-", stdin=LINES[0] + BAD)]
    for result in results:
        assert [line for line in (result.stdout + result.stderr).split("\n") if not line.isprintable()] == []
    assert "an\\u202ea" in results[0].stdout
    assert "\\u2066ben\\xad" in results[0].stdout
    assert [result.exit_code for result in results] == [0, 2, 1]
