"""`karuba convert`: one kind of log from the other, with every `meta` kept or told, and seals made anew."""

import hashlib
import io
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import encode, upcasting, validate
from karuba_cli.verbs import app
from tests.strategies import played

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


@pytest.mark.parametrize("options", [(), ("--normalise",)])
@pytest.mark.parametrize("index", [1, 2])  # a draw, and what somebody does, which may wait for its round
def test_a_record_that_grows_too_long_is_told_and_the_next_log_written(
    index: int, options: tuple[str, ...]
) -> None:
    grown = b',"meta":{"x":[%s]}}\n' % b",".join([b"1e9"] * 100_000)  # written, 1000000000.0
    lines = [*HAPPENED]
    lines[index] = lines[index].replace(b"}\n", grown)
    assert len(lines[index]) < 1 << 20
    result = karuba("events", b"".join(lines) + EVENTS, *options)
    assert result.exit_code == 1
    assert re.search(
        r"^-:\d+: text/line-too-long: cannot be written: .* left out \(F-TEXT-6\)$", result.stderr
    )
    first, second = validate(io.BytesIO(result.stdout_bytes))
    assert (first.verdict, second.verdict) == ("incomplete", "valid")
    assert second.records == len(HAPPENED)


def test_what_cannot_be_written_of_the_last_round_leaves_the_next_log_alone() -> None:
    """In normal form the last round waits; it is written with its own log, and its own line is told."""
    grown = b',"meta":{"x":[%s]}}\n' % b",".join([b"1e9"] * 100_000)
    lines = [*ASKED]
    lines[-1] = lines[-1].replace(b"}\n", grown)
    result = karuba("commands", b"".join(lines) + COMMANDS, "--normalise")
    assert (result.exit_code, result.stderr.count("cannot be written")) == (1, 1)
    assert result.stderr.startswith(f"-:{len(lines)}: ")
    first, second = validate(io.BytesIO(result.stdout_bytes))
    assert (first.verdict, second.verdict, second.records) == ("incomplete", "valid", len(ASKED))


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["convert", str(tmp_path), "--to", "events"])

    assert (result.exit_code, result.stdout) == (2, "")


# Older formats


def test_a_log_of_an_older_format_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a made-up format, in which a cell was a square."""

    def renamed(fields: dict[str, Any]) -> dict[str, Any]:
        return {"cell" if name == "square" else name: value for name, value in fields.items()}

    older = upcasting.chained({"karuba-log/made-up": ("karuba-log/1", renamed)})
    monkeypatch.setattr(upcasting, "upcast", partial(upcasting.upcast, older=older))
    monkeypatch.setattr(
        "karuba_adapters.judging.name_converter", partial(upcasting.name_converter, older=older)
    )
    old = EVENTS.replace(b"karuba-log/1", b"karuba-log/made-up").replace(b'"cell"', b'"square"')

    assert converted("events", sealed(old)) == sealed(EVENTS)
    assert converted("commands", old) == COMMANDS
    told = CliRunner().invoke(app, ["validate", "-"], input=old)
    assert told.exit_code == 1
    assert told.stdout.startswith("-:1: log/unknown-format: ")
    assert "karuba convert" in told.stdout


def test_a_format_that_nobody_knows_stays_a_finding() -> None:
    result = karuba("events", EVENTS.replace(b"karuba-log/1", b"karuba-log/0"))

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("-:1: log/unknown-format: ")
    assert "karuba convert" not in result.stderr


# The normal form


def by_seat(lines: list[bytes]) -> bytes:
    """Return a log with the turns of each round ordered by seat."""
    players = json.loads(lines[0])["players"]
    log: list[bytes] = []
    turns: list[bytes] = []
    for line in [*lines, b"{}"]:
        if b'"player":' in line.partition(b"[")[0]:
            turns.append(line)
        else:
            log += sorted(turns, key=lambda turn: players.index(json.loads(turn)["player"]))
            log.append(line)
            turns = []
    return b"".join(log[:-1])


@pytest.mark.parametrize("to", ["events", "commands"])
@pytest.mark.parametrize("lines", [HAPPENED, ASKED], ids=["events", "commands"])
def test_the_normal_form_has_the_players_of_a_round_by_seat(lines: list[bytes], to: str) -> None:
    expected = by_seat(HAPPENED if to == "events" else ASKED)
    given = b"".join(lines)
    assert expected not in (EVENTS, COMMANDS)

    assert converted(to, given, "--normalise") == expected
    assert converted(to, sealed(given), "--normalise") == sealed(expected)
    assert converted(to, sealed(given) + given, "--normalise") == sealed(expected) + expected
    assert converted(to, expected, "--normalise") == expected


def test_the_normal_form_keeps_every_meta_with_its_event() -> None:
    log = with_meta(HAPPENED)
    normal = converted("events", log, "--normalise")

    assert sorted(normal.splitlines()) == sorted(log.splitlines())
    assert normal == by_seat(log.splitlines(keepends=True))


def test_a_log_that_is_cut_is_in_normal_form_up_to_its_fault() -> None:
    right = HAPPENED[:30]
    result = karuba("events", b"".join(right) + b"{}\n" + b"".join(HAPPENED[30:]) + EVENTS, "--normalise")

    assert result.stdout_bytes == sealed(by_seat(right)) + by_seat(HAPPENED)
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    cut = karuba("events", b"".join(right) + b"{}\n", "--normalise")
    assert cut.stdout_bytes == by_seat(right)


# What is implied

WHOLE = [encode(event) for event in played(("landing", 3, "wanderer", 0)).events]
LANDING = [
    line
    for line in converted("commands", b"".join(WHOLE)).splitlines(keepends=True)
    if type_of(line) not in ("pass", "collect")
]
BOTH = ("--implicit-pass", "--implicit-collect")


def test_what_is_implied_is_put_in_and_told() -> None:
    result = karuba("events", sealed(b"".join(LANDING)), *BOTH, "--normalise")

    assert (result.exit_code, result.stdout_bytes) == (0, sealed(by_seat(WHOLE)))
    collects, passes = (
        sum(type_of(line) == name for line in WHOLE) for name in ("treasure-collected", "turn-passed")
    )
    assert min(collects, passes) > 1
    assert result.stderr == f"-: implied commands put in: {collects} collect, {passes} pass\n"


def test_nothing_is_implied_unless_it_is_asked_for() -> None:
    for options in ([], ["--implicit-pass"], ["--implicit-collect"]):
        result = karuba("events", b"".join(LANDING), *options)
        assert result.exit_code == 1
        assert "rule/round-open" in result.stderr
    assert converted("events", COMMANDS, *BOTH) == EVENTS


def test_what_is_implied_is_marked_if_asked() -> None:
    for to in ("events", "commands"):
        plain = karuba(to, b"".join(LANDING), *BOTH).stdout_bytes
        marked = karuba(to, b"".join(LANDING), *BOTH, "--mark-implied").stdout_bytes

        assert marked.replace(b',"meta":{"implied":true}', b"") == plain
        assert {type_of(line) for line in marked.splitlines() if b"implied" in line} == (
            {"pass", "collect"} if to == "commands" else {"turn-passed", "treasure-collected"}
        )


def test_a_mark_goes_with_what_is_marked() -> None:
    result = karuba("events", COMMANDS, "--mark-implied")

    assert (result.exit_code, result.stdout) == (2, "")


# Logs of other programs

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FOREIGN, MAPPING = EXAMPLES / "foreign.ndjson", EXAMPLES / "foreign.toml"


def test_a_log_of_another_program_becomes_a_right_log_with_the_scores_that_it_tells() -> None:
    foreign = FOREIGN.read_bytes()
    result = karuba("events", foreign, "--from", MAPPING, *BOTH, "--normalise")
    (report,) = validate(io.BytesIO(result.stdout_bytes))

    assert (result.exit_code, report.verdict, report.rules) == (0, "valid", "seed-001")
    points = {entry["wer"]: entry["summe"] for entry in json.loads(foreign.splitlines()[-1])["punkte"]}
    scores = json.loads(result.stdout_bytes.splitlines()[-1])["scores"]
    assert [scores[name]["total"] for name in ("Jana", "Émile")] == [points[1], points[2]]
    commands = karuba("commands", foreign, "--from", MAPPING, *BOTH).stdout_bytes
    assert converted("events", commands, "--normalise") == result.stdout_bytes


def test_what_does_not_fit_is_told_with_its_line_and_the_rest_is_written() -> None:
    lines = FOREIGN.read_bytes().splitlines(keepends=True)
    result = karuba("commands", b"".join(lines[:4]) + b'{"art":"\\u202e"}\n' + lines[4], "--from", MAPPING)

    assert result.exit_code == 1
    assert result.stdout_bytes.count(b"\n") == 4
    assert result.stderr.startswith("-:5: log/unmapped: no rule of the mapping is for ")
    assert result.stderr.endswith(" (F-LOG-11)\n")
    assert result.stderr.count("\n") == 1
    assert result.stderr.removesuffix("\n").isprintable()


def test_a_wrong_mapping_is_wrong_usage_and_no_log_is_opened(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    for text, what in (
        (b"[opening", "no TOML"),
        (b"", "opening is missing"),
        (b"\xff", "no UTF-8"),
        (MAPPING.read_bytes().replace(b"art == 'karte'", b"[/red]["), "rule 1, when"),
    ):
        wrong.write_bytes(text)
        result = CliRunner().invoke(app, ["convert", "no such log", "--to", "events", "--from", str(wrong)])
        assert (result.exit_code, result.stdout) == (2, "")
        assert what in " ".join(re.sub("[│─╭╮╰╯]", " ", result.stderr).split())


@pytest.mark.parametrize("name", ["", "missing.toml"])
def test_a_mapping_that_cannot_be_read_is_wrong_usage(tmp_path: Path, name: str) -> None:
    result = CliRunner().invoke(
        app,
        ["convert", str(FOREIGN), "--to", "events", "--from", str(tmp_path / name)],
        env={"COLUMNS": "500"},
    )

    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot be read" in result.stderr


def test_a_foreign_log_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    arguments = ["convert", str(tmp_path / "missing"), "--to", "events", "--from", str(MAPPING)]
    result = CliRunner().invoke(app, arguments)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "log/unreadable" in result.stderr
