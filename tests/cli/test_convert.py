"""`karuba convert`: one kind of log from the other, with every `meta` kept or told, and seals made anew."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import validate
from karuba_cli.main import app

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
EVENTS = SOUND.read_bytes()
COMMANDS = (GAMES / "commands" / "04-3p-stop-casual.jsonl").read_bytes()
HAPPENED, ASKED = (log.splitlines(keepends=True) for log in (EVENTS, COMMANDS))
FOLLOWING = ("round-ended", "game-ended")


def karuba(to: str, log: bytes, *options: object) -> Result:
    texts = ["convert", "-", "--to", to, *map(str, options)]
    return CliRunner().invoke(app, texts, input=log, catch_exceptions=False)


def converted(to: str, log: bytes, *options: object) -> bytes:
    """Return what is written where there is nothing to complain about."""
    result = karuba(to, log, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout_bytes


def type_of(line: bytes) -> str:
    name: str = json.loads(line)["type"]
    return name


def with_meta(lines: list[bytes], *, following: bool = True) -> bytes:
    """Return a log in which each record has a meta, or each but those that follow by themselves."""
    return b"".join(
        line.replace(b"}\n", b',"meta":{"n":%d}}\n' % number)
        if following or type_of(line) not in FOLLOWING
        else line
        for number, line in enumerate(lines, start=1)
    )


def metas(log: bytes) -> list[Any]:
    return [json.loads(line).get("meta") for line in log.splitlines()]


def sealed(log: bytes, meta: bytes = b"") -> bytes:
    digest = hashlib.sha256(log).hexdigest().encode()
    return log + b'{"type":"seal","records":%d,"digest":"sha256:%s"%s}\n' % (log.count(b"\n"), digest, meta)


def asked(count: int) -> bytes:
    """Return the commands for the first events."""
    commands = sum(type_of(line) not in FOLLOWING for line in HAPPENED[:count])
    return b"".join(ASKED[:commands])


# What is written


@pytest.mark.parametrize("seal", [False, True], ids=["bare", "sealed"])
@pytest.mark.parametrize("log", [EVENTS, COMMANDS], ids=["events", "commands"])
def test_either_kind_is_made_of_either(log: bytes, seal: bool) -> None:
    for to, expected in (("events", EVENTS), ("commands", COMMANDS)):
        given = sealed(log) if seal else log
        assert converted(to, given) == (sealed(expected) if seal else expected)


@pytest.mark.parametrize("count", [1, 2, 9, 40, len(HAPPENED) - 2, len(HAPPENED) - 1])
def test_the_beginning_of_a_game_is_converted_as_far_as_it_goes(count: int) -> None:
    beginning = b"".join(HAPPENED[:count])

    assert converted("commands", beginning) == asked(count)
    assert converted("events", beginning) == beginning
    again = converted("events", asked(count))
    settled = next(
        n
        for n in range(count, len(HAPPENED) + 1)
        if n == len(HAPPENED) or type_of(HAPPENED[n]) not in FOLLOWING
    )
    assert again == b"".join(HAPPENED[:settled])


def test_what_is_written_is_compact_whatever_was_read() -> None:
    spaced = b"".join(
        b" " + json.dumps(dict(reversed(json.loads(line).items()))).encode() + b"\r\n" for line in HAPPENED
    )

    assert converted("events", spaced) == EVENTS
    assert converted("commands", spaced) == COMMANDS
    assert converted("events", sealed(spaced)) == sealed(EVENTS)


def test_several_logs_are_converted_one_after_another() -> None:
    unfinished = sealed(b"".join(HAPPENED[:9]))
    logs = sealed(EVENTS) + unfinished + COMMANDS + EVENTS

    assert converted("events", logs) == sealed(EVENTS) + unfinished + EVENTS * 2
    assert converted("commands", logs) == sealed(COMMANDS) + sealed(asked(9)) + COMMANDS * 2


# Metas


def test_every_meta_of_a_command_goes_to_its_event_and_back() -> None:
    log = with_meta(ASKED)
    events = converted("events", log)

    numbers = iter(range(1, len(ASKED) + 1))
    assert metas(events) == [
        None if type_of(line) in FOLLOWING else {"n": next(numbers)} for line in HAPPENED
    ]
    assert converted("commands", events) == log


def test_every_meta_is_kept_where_the_kind_stays() -> None:
    for to, lines in (("events", HAPPENED), ("commands", ASKED)):
        log = sealed(with_meta(lines), b',"meta":{}')
        assert converted(to, log) == log


def test_an_empty_meta_is_kept() -> None:
    log = COMMANDS.replace(b"}\n", b',"meta":{}}\n', 3)

    assert metas(converted("events", log))[:4] == [{}, {}, {}, None]
    assert converted("commands", converted("events", log)) == log


def test_a_seal_keeps_its_meta() -> None:
    meta = b',"meta":{"by":"ana"}'

    assert converted("commands", sealed(EVENTS, meta)) == sealed(COMMANDS, meta)


def test_a_meta_without_a_place_is_told_and_the_rest_is_written() -> None:
    log = with_meta(HAPPENED)
    result = karuba("commands", log)

    lost = [(n, type_of(line)) for n, line in enumerate(HAPPENED, start=1) if type_of(line) in FOLLOWING]
    assert len(lost) > 2
    assert result.stderr.splitlines() == [
        f"-:{number}: log/meta-without-place: {name} has no command that could keep its meta;"
        " --drop-meta drops it [$.meta] (F-META-2)"
        for number, name in lost
    ]
    assert result.exit_code == 1
    assert result.stdout_bytes == converted("commands", with_meta(HAPPENED, following=False))
    assert result.stdout_bytes == converted("commands", log, "--drop-meta")
    assert [number["n"] for number in metas(result.stdout_bytes)] == [
        number
        for number, _ in enumerate(HAPPENED, start=1)
        if (number, type_of(HAPPENED[number - 1])) not in lost
    ]


def test_an_empty_meta_without_a_place_is_told_too() -> None:
    log = EVENTS.replace(b'"awards":[]}\n', b'"awards":[],"meta":{}}\n', 1)
    result = karuba("commands", log)

    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert converted("commands", log, "--drop-meta") == COMMANDS


def test_only_metas_without_a_place_are_dropped() -> None:
    log = with_meta(ASKED)

    assert converted("commands", log, "--drop-meta") == log
    assert converted("events", with_meta(HAPPENED), "--drop-meta") == with_meta(HAPPENED)


# Faults


@pytest.mark.parametrize("to", ["events", "commands"])
@pytest.mark.parametrize("lines", [HAPPENED, ASKED], ids=["events", "commands"])
def test_a_log_is_converted_up_to_its_fault(lines: list[bytes], to: str) -> None:
    right, rest = b"".join(lines[:30]), b"".join(lines[30:])
    result = karuba(to, right + b'{"type":"draw"}\n' + rest + EVENTS)

    # Without a seal the log that was cut would swallow the next one.
    assert result.stdout_bytes == sealed(converted(to, right)) + (EVENTS if to == "events" else COMMANDS)
    assert [report.verdict for report in validate(io.BytesIO(result.stdout_bytes))] == ["incomplete", "valid"]
    assert result.stderr == "-:31: shape/missing-field: this field is missing [$.tile] (F-SHAPE-2)\n"
    assert result.exit_code == 1


def test_a_meta_without_a_place_and_a_fault_are_told_both() -> None:
    result = karuba("commands", with_meta(HAPPENED[:30]) + b"nope\n", "--drop-meta")
    both = karuba("commands", with_meta(HAPPENED[:30]) + b"nope\n")

    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["text/not-json"]
    assert {line.split(": ")[1] for line in both.stderr.splitlines()} == {
        "log/meta-without-place",
        "text/not-json",
    }
    assert (result.exit_code, both.exit_code) == (1, 1)


def test_a_wrong_seal_is_not_made_right() -> None:
    wrong = sealed(EVENTS).replace(b'"records":', b'"records":1')
    result = karuba("commands", wrong)

    assert (result.exit_code, result.stdout_bytes) == (1, COMMANDS)
    assert "log/wrong-seal" in result.stderr


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["convert", str(tmp_path / "missing.jsonl"), "--to", "events"])

    assert (result.exit_code, result.stdout) == (3, "")
    assert "missing.jsonl:1: log/unreadable: cannot be read: " in result.stderr


def test_a_file_is_named_in_what_is_told_of_it(tmp_path: Path) -> None:
    path = tmp_path / "\u202e\x1b.jsonl"
    path.write_bytes(EVENTS.replace(b'"awards":[]}\n', b'"awards":[],"meta":{}}\n', 1) + b"nope\n")
    result = CliRunner().invoke(app, ["convert", str(path), "--to", "commands"])

    lost, fault = result.stderr.splitlines()
    assert result.exit_code == 1
    for line in (lost, fault):
        assert "\\u202e\\x1b.jsonl:" in line
        assert line.isprintable()


@pytest.mark.parametrize(
    "arguments", [[], [str(SOUND)], ["--to", "events"], [str(SOUND), "--to", "states"], [str(SOUND), "--to"]]
)
def test_wrong_usage_is_told_on_standard_error(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["convert", *arguments])

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error" in result.stderr


def test_what_is_written_is_right() -> None:
    for to in ("events", "commands"):
        for log in (sealed(with_meta(HAPPENED, following=False)), sealed(with_meta(ASKED))):
            (report,) = validate(io.BytesIO(converted(to, log)))
            assert (report.verdict, report.findings) == ("valid", ())


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["convert", str(tmp_path), "--to", "events"])

    assert (result.exit_code, result.stdout) == (2, "")
