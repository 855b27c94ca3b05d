"""Streams of logs are judged one log at a time: where each begins and ends, what is found, and how lazily."""

import hashlib
import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import attrs
import pytest

from karuba_adapters import (
    Finding,
    Report,
    Right,
    Seal,
    encode,
    finding_line,
    judging,
    report_json,
    require,
    unread,
    validate,
    validate_file,
)
from karuba_adapters.decks import layout
from karuba_core import (
    KARUBA,
    AdventurerMoved,
    Command,
    Event,
    GameStarted,
    RoundEnded,
    apply,
    fold,
    preset,
    start,
    trace,
)
from tests.games_kit import read_messages, setup

GAMES = Path(__file__).parents[1] / "games"
EVENTS = (GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes()
COMMANDS = (GAMES / "commands" / "04-3p-stop-casual.jsonl").read_bytes()
BAD = b"nope\n"
OPENING = EVENTS.splitlines(keepends=True)[0]
OTHER_FORMAT = OPENING.replace(b"karuba-log/1", b"karuba-log/9")
OTHER_LEADER = json.dumps({**json.loads(OPENING), "leader": "nobody"}).encode() + b"\n"
NO_PLAYERS = b'{"type":"game-started","format":"karuba-log/1","meta":{}}\n'


def cut(log: bytes, count: int) -> bytes:
    """Return the first lines of a log."""
    return b"".join(log.splitlines(keepends=True)[:count])


def tail(log: bytes, first: int) -> bytes:
    """Return the lines of a log from one on."""
    return b"".join(log.splitlines(keepends=True)[first - 1 :])


def line(log: bytes, number: int) -> bytes:
    return tail(cut(log, number), number)


def with_line(log: bytes, number: int, new: bytes) -> bytes:
    """Return a log with something else in the place of a line."""
    return cut(log, number - 1) + new + tail(log, number + 1)


def seal(log: bytes, **other: object) -> bytes:
    digest = f"sha256:{hashlib.sha256(log).hexdigest()}"
    return (
        json.dumps({"type": "seal", "records": log.count(b"\n"), "digest": digest, **other}).encode() + b"\n"
    )


def sealed(log: bytes) -> bytes:
    return log + seal(log)


def with_meta(log: bytes) -> bytes:
    return log.replace(b"}\n", b',"meta":{"at":1}}\n')


def reports(*logs: bytes) -> list[Report]:
    return [*validate(io.BytesIO(b"".join(logs)))]


def told(*pieces: bytes) -> list[str]:
    """Return what is said of a stream made of pieces; `1.5` is the fifth line of the second piece."""
    places = [
        f"{piece}.{number}"
        for piece, lines in enumerate(pieces)
        for number, _ in enumerate(lines.splitlines() or [b""], start=1)
    ]
    found = reports(*pieces)
    assert [report.log for report in found] == [*range(1, len(found) + 1)]
    return [
        " ".join(
            [
                places[report.first_line - 1],
                report.verdict,
                *(f"{places[finding.line - 1]} {finding.code}" for finding in report.findings),
            ]
        )
        for report in found
    ]


EVENTS_END, COMMANDS_END = EVENTS.count(b"\n"), COMMANDS.count(b"\n")
DUE = cut(EVENTS, next(n for n in range(EVENTS_END) if b"round-ended" in line(EVENTS, n + 1)))
SOME_EVENTS, SOME_COMMANDS = cut(EVENTS, 9), cut(COMMANDS, 9)


STREAMS: list[tuple[list[bytes], list[str]]] = [
    # Right logs, and where the next one begins.
    ([EVENTS, COMMANDS, EVENTS], ["0.1 valid", "1.1 valid", "2.1 valid"]),
    ([EVENTS, SOME_EVENTS], ["0.1 valid", "1.1 incomplete"]),
    ([sealed(SOME_EVENTS), sealed(SOME_COMMANDS), OPENING], [f"{n}.1 incomplete" for n in range(3)]),
    ([sealed(EVENTS), sealed(COMMANDS), EVENTS], [f"{n}.1 valid" for n in range(3)]),
    ([sealed(OPENING), sealed(OPENING)], ["0.1 incomplete", "1.1 incomplete"]),
    ([with_meta(EVENTS), sealed(with_meta(COMMANDS))], ["0.1 valid", "1.1 valid"]),
    # An opening before the end.
    ([SOME_EVENTS, SOME_EVENTS], ["0.1 invalid 1.1 log/second-opening"]),
    ([SOME_EVENTS, EVENTS, EVENTS], ["0.1 invalid 1.1 log/second-opening", "2.1 valid"]),
    ([SOME_EVENTS, sealed(SOME_EVENTS), EVENTS], ["0.1 invalid 1.1 log/second-opening", "2.1 valid"]),
    ([SOME_EVENTS, SOME_EVENTS, SOME_EVENTS], ["0.1 invalid 1.1 log/second-opening"]),
    (
        [SOME_COMMANDS, COMMANDS, COMMANDS],
        ["0.1 invalid 1.1 log/second-opening", "2.1 valid"],
    ),
    ([OPENING, OPENING], ["0.1 invalid 1.1 log/second-opening"]),
    ([DUE, OPENING], ["0.1 invalid 1.1 log/second-opening"]),
    ([SOME_EVENTS, OTHER_LEADER], ["0.1 invalid 1.1 log/second-opening"]),
    ([SOME_EVENTS, NO_PLAYERS], ["0.1 invalid" + " 1.1 shape/missing-field" * 4]),
    # After a fault, an event log lasts to its end or seal.
    ([with_line(EVENTS, 5, BAD), EVENTS], ["0.1 invalid 0.5 text/not-json", "1.1 valid"]),
    ([with_line(EVENTS, 5, b""), EVENTS], ["0.1 invalid 0.5 mismatch/not-due", "1.1 valid"]),
    ([with_line(EVENTS, 2, b""), EVENTS], ["0.1 invalid 0.2 rule/no-round", "1.1 valid"]),
    (
        [sealed(with_line(SOME_EVENTS, 5, BAD)), SOME_EVENTS],
        ["0.1 invalid 0.5 text/not-json", "1.1 incomplete"],
    ),
    (
        [with_line(EVENTS, EVENTS_END, b'{"type":"game-ended"}\n'), EVENTS],
        [f"0.1 invalid{f' 0.{EVENTS_END} shape/missing-field' * 3}", "1.1 valid"],
    ),
    (
        [with_line(SOME_EVENTS, 5, BAD), EVENTS, EVENTS],
        ["0.1 invalid 0.5 text/not-json 1.1 log/second-opening", "2.1 valid"],
    ),
    (
        [with_line(SOME_EVENTS, 5, BAD), SOME_EVENTS, EVENTS, SOME_EVENTS],
        ["0.1 invalid 0.5 text/not-json 1.1 log/second-opening", "3.1 incomplete"],
    ),
    # After a fault, a command log lasts to the next opening.
    ([with_line(COMMANDS, 5, BAD), COMMANDS], ["0.1 invalid 0.5 text/not-json", "1.1 valid"]),
    ([with_line(SOME_COMMANDS, 5, BAD), EVENTS], ["0.1 invalid 0.5 text/not-json", "1.1 valid"]),
    (
        [with_line(SOME_COMMANDS, 2, b'{"type":"draw","tile":37}\n'), COMMANDS],
        ["0.1 invalid 0.2 rule/unknown-tile", "1.1 valid"],
    ),
    (
        [with_line(SOME_COMMANDS, 2, b'{"type":"draw","tile":"7"}\n'), COMMANDS],
        ["0.1 invalid 0.2 shape/wrong-type", "1.1 valid"],
    ),
    ([OPENING, b'{"type":"draw"}\n', COMMANDS], ["0.1 invalid 1.1 shape/missing-field", "2.1 valid"]),
    ([with_line(SOME_COMMANDS, 2, BAD), COMMANDS], ["0.1 invalid 0.2 text/not-json", "1.1 valid"]),
    ([with_line(COMMANDS, 1, OTHER_LEADER), COMMANDS], ["0.1 invalid 0.1 setup/leader", "1.1 valid"]),
    # A blank line, or worse, between logs belongs to the log before it.
    ([EVENTS, b"\n", EVENTS], ["0.1 invalid 1.1 text/blank-line", "2.1 valid"]),
    ([sealed(SOME_EVENTS), b"\r\n", EVENTS], ["0.1 invalid 1.1 text/blank-line", "2.1 valid"]),
    ([COMMANDS, BAD + BAD, COMMANDS], ["0.1 invalid 1.1 text/not-json", "2.1 valid"]),
    ([EVENTS, b'{"type":"draw"}\n', EVENTS], ["0.1 invalid 1.1 shape/missing-field", "2.1 valid"]),
    ([EVENTS, b"\n"], ["0.1 invalid 1.1 text/blank-line"]),
    # A faulty opening opens a log none the less.
    (
        [EVENTS, with_line(EVENTS, 1, OTHER_LEADER), EVENTS],
        ["0.1 valid", "1.1 invalid 1.1 setup/leader", "2.1 valid"],
    ),
    ([sealed(SOME_EVENTS), OTHER_LEADER], ["0.1 incomplete", "1.1 invalid 1.1 setup/leader"]),
    ([EVENTS, NO_PLAYERS], ["0.1 valid", "1.1 invalid" + " 1.1 shape/missing-field" * 4]),
    ([EVENTS, OTHER_FORMAT], ["0.1 valid", "1.1 invalid 1.1 log/unknown-format"]),
    (
        [COMMANDS, with_line(COMMANDS, 1, OTHER_LEADER), COMMANDS],
        ["0.1 valid", "1.1 invalid 1.1 setup/leader", "2.1 valid"],
    ),
    *(
        (
            [EVENTS, with_line(EVENTS, 1, spoilt), EVENTS],
            ["0.1 valid", f"1.1 invalid 1.1 {code}", "2.1 valid"],
        )
        for spoilt, code in (
            (b"\xef\xbb\xbf" + OPENING, "text/byte-order-mark"),
            (OPENING.replace(b'"leader"', b'"leader" : "\xff","leader"'), "text/not-utf8"),
            (OPENING.rstrip()[:-1] + b',"meta":{"a":"\\ud800"}}\n', "text/lone-surrogate"),
            (OPENING.rstrip()[:-1] + b',"type":"seal"}\n', "text/doubled-key"),
            (OPENING.rstrip()[:-1] + b',"meta":[' + b"[" * 200 + b"\n", "text/too-deep"),
            (b'{"type" :\t"game-started", "meta":{"type":"seal"\n', "text/not-json"),
            (OPENING.rstrip() + b" " * (1 << 20) + b"\n", "text/line-too-long"),
        )
    ),
    # Of a line that is no JSON, the first type that stands there counts.
    *(
        ([EVENTS, spoilt, EVENTS], ["0.1 invalid 1.1 text/" + code, "2.1 valid"])
        for spoilt, code in (
            (b'{"meta":{"type":"draw"},' + OPENING[1:-2] + b"\n", "not-json"),
            (b'{"type":"","type":"game-started"}\n', "doubled-key"),
            (b'{"type":"\xff","type":"game-started"}\n', "not-utf8"),
            (b'{"\\u0074ype":"game-started","a":NaN}\n', "not-json"),
            (b'{"a":"' + b"." * (1 << 20) + b'","type":"game-started"}\n', "line-too-long"),
        )
    ),
    (
        [with_line(SOME_EVENTS, 5, b'{"type":"game-ended"\n'), EVENTS],
        ["0.1 invalid 0.5 text/not-json", "1.1 valid"],
    ),
    # No opening.
    ([b"\n"], ["0.1 invalid 0.1 text/blank-line"]),
    ([BAD, EVENTS], ["0.1 invalid 0.1 text/not-json 1.1 log/second-opening"]),
    ([tail(EVENTS, 2), EVENTS], ["0.1 invalid 0.1 log/no-opening", "1.1 valid"]),
    ([tail(COMMANDS, 2), EVENTS], ["0.1 invalid 0.1 log/no-opening", "1.1 valid"]),
    ([seal(b""), EVENTS], ["0.1 invalid 0.1 log/no-opening", "1.1 valid"]),
    ([with_line(EVENTS, 1, OTHER_FORMAT), EVENTS], ["0.1 invalid 0.1 log/unknown-format", "1.1 valid"]),
    # Two kinds.
    ([SOME_EVENTS, b'{"type":"draw","tile":1}\n'], ["0.1 invalid 1.1 log/mixed-kinds"]),
    (
        [SOME_EVENTS, line(COMMANDS, 2), EVENTS],
        ["0.1 invalid 1.1 log/mixed-kinds 2.1 log/second-opening"],
    ),
    ([SOME_COMMANDS, line(EVENTS, 9)], ["0.1 invalid 1.1 log/mixed-kinds"]),
    ([cut(COMMANDS, 2), tail(EVENTS, 3), EVENTS], ["0.1 invalid 1.1 log/mixed-kinds", "2.1 valid"]),
    ([DUE, line(COMMANDS, 2)], ["0.1 invalid 1.1 log/mixed-kinds"]),
    # After the end, after a seal.
    ([EVENTS, line(EVENTS, EVENTS_END)], ["0.1 invalid 1.1 log/after-end"]),
    ([EVENTS, line(EVENTS, 2), EVENTS], ["0.1 invalid 1.1 log/after-end", "2.1 valid"]),
    ([COMMANDS, line(COMMANDS, 2) * 2, COMMANDS], ["0.1 invalid 1.1 log/after-end", "2.1 valid"]),
    ([COMMANDS, line(EVENTS, EVENTS_END)], ["0.1 invalid 1.1 log/after-end"]),
    ([sealed(SOME_EVENTS), line(EVENTS, 10)], ["0.1 invalid 1.1 log/after-seal"]),
    (
        [sealed(SOME_COMMANDS), line(COMMANDS, 10), EVENTS],
        ["0.1 invalid 1.1 log/after-seal", "2.1 valid"],
    ),
    ([sealed(EVENTS), seal(sealed(EVENTS)), EVENTS], ["0.1 invalid 1.1 log/after-seal", "2.1 valid"]),
    ([sealed(OPENING), line(EVENTS, 2)], ["0.1 invalid 1.1 log/after-seal"]),
    # Wrong seals end a log as right ones do.
    ([EVENTS, seal(EVENTS, records=7), EVENTS], ["0.1 invalid 1.1 log/wrong-seal", "2.1 valid"]),
    ([SOME_EVENTS, seal(EVENTS), EVENTS], ["0.1 invalid 1.1 log/wrong-seal", "2.1 valid"]),
    (
        [SOME_EVENTS, seal(SOME_EVENTS, at=1), EVENTS],
        ["0.1 invalid 1.1 shape/unknown-field", "2.1 valid"],
    ),
    ([EVENTS, sealed(EVENTS)], ["0.1 valid", "1.1 valid"]),
]


@pytest.mark.parametrize(("pieces", "says"), STREAMS, ids=[", ".join(says) for _, says in STREAMS])
def test_a_stream_is_taken_apart_into_logs(pieces: list[bytes], says: list[str]) -> None:
    """F-LOG-6, and of all that begins or ends a log: F-LOG-1 to F-LOG-5, F-SEAL-2."""
    assert told(*pieces) == says


def test_an_empty_stream_is_a_log_without_an_opening() -> None:
    (report,) = reports()

    assert (report.verdict, report.first_line, report.last_line, report.records) == ("invalid", 1, 1, 0)
    found = [(finding.line, finding.path, finding.code, finding.rule) for finding in report.findings]
    assert found == [(1, "$", "log/no-opening", "F-LOG-1")]


@pytest.mark.parametrize(
    ("log", "path", "rule"),
    [
        (b'{"type":"draw","tile":1}\n', "$.type", "F-LOG-1"),
        (OTHER_FORMAT, "$.format", "F-LOG-2"),
        (OPENING * 2, "$.type", "F-LOG-3"),
        (EVENTS + line(EVENTS, 2), "$.type", "F-LOG-4"),
        (SOME_EVENTS + line(COMMANDS, 2), "$.type", "F-LOG-5"),
        (SOME_EVENTS + seal(SOME_EVENTS, records=8), "$.records", "F-SEAL-1"),
        (SOME_EVENTS + seal(SOME_EVENTS, digest="sha256:"), "$.digest", "F-SEAL-1"),
        (SOME_EVENTS + seal(SOME_EVENTS).replace(b"sha256:", b"SHA256:"), "$.digest", "F-SEAL-1"),
        (sealed(SOME_EVENTS) + line(EVENTS, 9), "$.type", "F-SEAL-2"),
    ],
)
def test_a_record_out_of_place_has_its_clause(log: bytes, path: str, rule: str) -> None:
    (report,) = reports(log)

    assert [(finding.path, finding.rule) for finding in report.findings] == [(path, rule)]
    assert report.records == report.last_line - 1 == report.findings[0].line - 1


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (SOME_EVENTS + seal(SOME_EVENTS, records=8), "expected 9, got 8"),
        (
            OPENING + seal(OPENING, digest="x"),
            f"expected {json.loads(seal(OPENING))['digest']}, got " + '"x"',
        ),
        (SOME_EVENTS + line(COMMANDS, 2), "expected another event, got draw"),
        (SOME_COMMANDS + line(EVENTS, 2), "expected another command, got tile-drawn"),
        (b'{"type":"draw","tile":1}', "expected game-started first, got draw"),
    ],
)
def test_a_finding_says_what_would_be_right(log: bytes, message: str) -> None:
    (report,) = reports(log)

    assert report.findings[0].message == message


def test_what_is_said_of_a_wrong_seal_is_short() -> None:
    (report,) = reports(OPENING + seal(OPENING, digest="d" * 100_000))

    assert len(report.findings[0].message) < 400


@pytest.mark.parametrize(
    ("log", "verdict", "due"),
    [
        (EVENTS, "valid", None),
        (COMMANDS, "valid", None),
        (SOME_EVENTS, "incomplete", None),
        (SOME_COMMANDS, "incomplete", None),
        (OPENING, "incomplete", None),
        (DUE, "incomplete", "round-ended"),
        (cut(EVENTS, EVENTS_END - 2), "incomplete", "round-ended"),
        (cut(EVENTS, EVENTS_END - 1), "incomplete", "game-ended"),
        (cut(COMMANDS, COMMANDS_END - 1), "incomplete", None),
    ],
)
def test_any_log_may_be_sealed(log: bytes, verdict: str, due: str | None) -> None:
    for written, records in ((log, log.count(b"\n")), (sealed(log), log.count(b"\n") + 1)):
        (report,) = reports(written)
        assert (report.verdict, report.records, report.due) == (verdict, records, due)
        assert (report.findings, report.last_line) == ((), records)


def test_a_seal_counts_its_own_log_only() -> None:
    assert told(EVENTS, sealed(SOME_EVENTS)) == ["0.1 valid", "1.1 incomplete"]
    assert told(EVENTS, SOME_EVENTS, seal(EVENTS + SOME_EVENTS)) == [
        "0.1 valid",
        "1.1 invalid 2.1 log/wrong-seal",
    ]


def test_lines_and_logs_are_counted_in_the_file() -> None:
    first, second, third = reports(SOME_EVENTS, seal(SOME_EVENTS), EVENTS, cut(EVENTS, 20), BAD)

    assert (first.log, first.first_line, first.last_line, first.records) == (1, 1, 10, 10)
    assert (second.log, second.first_line, second.last_line) == (2, 11, 10 + EVENTS_END)
    assert (third.log, third.first_line, third.records) == (3, 11 + EVENTS_END, 20)
    assert third.last_line == third.findings[0].line == 31 + EVENTS_END


def opened(players: int, **rules: object) -> bytes:
    """Return an opening that says some of its rules otherwise; its layout is right by any separation."""
    fields = json.loads(encode(GameStarted(setup(players, layout=layout(7)))))
    fields["rules"] |= rules
    return json.dumps(fields).encode() + b"\n"


@pytest.mark.parametrize(
    ("players", "rules", "name"),
    [
        (3, {}, "official"),
        (3, {"pickup": "step", "temple_treasures": [5, 4, 3, 2]}, "seed-000"),
        (3, {"pickup": "landing", "temple_treasures": [5, 3, 2, 1], "separation": "edge-4"}, "seed-001"),
        (3, {"pickup": "landing"}, "custom"),
        (3, {"temple_treasures": [5, 4, 3, 2]}, "custom"),
        (2, {"temple_treasures": [5, 3, 2]}, "custom"),
        (4, {"separation": "edge-4"}, "custom"),
    ],
)
def test_a_report_names_the_rules(players: int, rules: dict[str, Any], name: str) -> None:
    (report,) = reports(opened(players, **rules))

    assert (report.verdict, report.rules) == ("incomplete", name)


@pytest.mark.parametrize("opening", [OTHER_FORMAT, OTHER_LEADER, NO_PLAYERS, BAD])
def test_of_a_faulty_opening_no_rules_are_named(opening: bytes) -> None:
    assert [(report.rules, report.records, report.due) for report in reports(opening)] == [(None, 0, None)]


# What a caller requires


def test_unfinished_games_are_findings_where_they_must_not_be() -> None:
    for log, message in (
        (SOME_EVENTS, "the game is not finished"),
        (DUE, "the game is not finished: round-ended is due"),
        (sealed(cut(EVENTS, EVENTS_END - 1)), "the game is not finished: game-ended is due"),
    ):
        (report,) = reports(log)
        (finding,) = require(report, finished=True).findings
        assert finding == Finding(log.count(b"\n"), "$", "log/unfinished", "F-LOG-7", message)
        assert require(report, finished=True).verdict == "incomplete"
        assert require(report) == report


@pytest.mark.parametrize("log", [EVENTS, sealed(COMMANDS), SOME_EVENTS + BAD])
def test_only_incomplete_games_are_unfinished(log: bytes) -> None:
    (report,) = reports(log)

    assert require(report, finished=True) == report


@pytest.mark.parametrize("declared", ["official", "seed-000", "seed-001", "custom"])
@pytest.mark.parametrize("required", ["official", "seed-000", "seed-001", "seed-002"])
def test_other_rules_are_a_finding_where_a_preset_is_required(declared: str, required: str) -> None:
    rules = {"separation": "edge-4"} if declared == "custom" else attrs.asdict(preset(declared, 2))
    (report,) = reports(sealed(SOME_EVENTS), opened(2, **rules))[1:]
    found = require(report, rules=required)

    message = f"expected the rules {required}, the log declares {declared}"
    other = Finding(11, "$.rules", "log/other-rules", "F-LOG-8", message)
    is_same = required == declared or {required, declared} == {"official", "seed-002"}
    assert found.findings == (() if is_same else (other,))
    assert (found.verdict, found.rules) == ("incomplete", declared)


def test_all_findings_stand_in_the_order_of_their_lines() -> None:
    (broken,) = reports(SOME_EVENTS + BAD)
    (unfinished,) = reports(SOME_EVENTS)
    (unopened,) = reports(OTHER_LEADER)

    def codes(report: Report) -> list[str]:
        return [finding.code for finding in require(report, finished=True, rules="seed-000").findings]

    assert codes(broken) == ["log/other-rules", "text/not-json"]
    assert codes(unfinished) == ["log/other-rules", "log/unfinished"]
    assert codes(unopened) == ["setup/leader"]


# Files


def test_a_file_is_judged_like_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(EVENTS + SOME_EVENTS + BAD)

    assert [*validate_file(path)] == [*validate(io.BytesIO(path.read_bytes()), str(path))]
    assert [report.file for report in reports(EVENTS)] == ["-"]


@pytest.mark.parametrize("name", ["missing.jsonl", "folder", "file/below.jsonl"])
def test_what_cannot_be_read_is_unread(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (report,) = validate_file(tmp_path / name)

    assert (report.file, report.log, report.first_line) == (str(tmp_path / name), 1, 1)
    assert (report.verdict, report.rules, report.records, report.due) == ("unread", None, 0, None)
    (finding,) = report.findings
    assert (finding.line, finding.path, finding.code) == (1, "$", "log/unreadable")
    assert finding.message.startswith("cannot be read: ")
    assert require(report, finished=True, rules="official") == report


class Broken(io.BytesIO):
    """A stream that fails after its bytes."""

    def readline(self, size: int | None = -1, /) -> bytes:
        if read := super().readline(size):
            return read
        raise OSError(5, "Input/output error")


def test_what_can_be_read_of_a_file_is_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(judging, "open_file", lambda *_: Broken(EVENTS + sealed(SOME_EVENTS) + SOME_EVENTS))
    found = [*validate_file(tmp_path / "a.jsonl")]

    assert [(report.log, report.verdict) for report in found] == [
        (1, "valid"),
        (2, "incomplete"),
        (3, "unread"),
    ]
    assert found[2].findings[0].message == "cannot be read: Input/output error"
    assert (found[2].records, found[2].first_line) == (9, EVENTS_END + 11)
    assert found[2].findings[0].line == EVENTS_END + 20


def test_a_game_that_has_ended_is_unread_where_its_seal_might_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-FILE-1: what could not be read may be of this log, and an archive vouches for it only at its end."""
    monkeypatch.setattr(judging, "open_file", lambda *_: Broken(EVENTS))
    (report,) = validate_file(Path("a.jsonl"))

    assert (report.verdict, report.records, report.findings[0].line) == ("unread", EVENTS_END, EVENTS_END + 1)


def test_what_is_unread_is_told_in_unicode() -> None:
    assert unread("\udcff.jsonl", "it is no regular file").file == "\\udcff.jsonl"


def test_a_name_with_a_zero_byte_cannot_be_read() -> None:
    (report,) = validate_file(Path("a\0b"))

    assert report.verdict == "unread"


def test_a_fault_of_the_observer_is_not_one_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(SOME_EVENTS)

    def fail(_right: Right) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        list(validate_file(path, fail))


# What the observer sees


def seen(log: bytes) -> list[Right]:
    rights: list[Right] = []
    for report in validate(io.BytesIO(log), observe=rights.append):
        assert len(rights) >= report.records
    return rights


def test_every_right_record_is_shown_with_its_game() -> None:
    rights = seen(with_meta(EVENTS))

    assert [(right.line, right.meta) for right in rights] == [
        (number, {"at": 1}) for number in range(1, EVENTS_END + 1)
    ]
    messages = [right.message for right in rights]
    assert messages == [*read_messages(io.BytesIO(EVENTS))]
    assert [right.step.events for right in rights] == [(message,) for message in messages]
    assert [right.step.game for right in rights] == [
        step.game for step in trace(message for message in messages if isinstance(message, Event))
    ]


def test_every_right_command_is_shown_with_its_events_and_its_game() -> None:
    rights = seen(COMMANDS)
    messages = [*read_messages(io.BytesIO(COMMANDS))]
    assert isinstance(messages[0], GameStarted)

    steps = [start(messages[0].setup)]
    for message in messages[1:]:
        assert isinstance(message, Command)
        steps.append(apply(steps[-1].game, message))
    assert [(right.message, right.step) for right in rights] == [*zip(messages, steps, strict=True)]
    events = [event for right in rights for event in right.step.events]
    assert events == [*read_messages(io.BytesIO(EVENTS))]
    assert KARUBA.is_over(rights[-1].step.game)


def test_a_seal_is_shown_as_it_stands_for_no_event() -> None:
    *before, last = seen(sealed(SOME_EVENTS))

    assert isinstance(last.message, Seal)
    assert (last.message.records, last.line) == (9, 10)
    assert last.step.events == ()
    assert (
        last.step.game
        == before[-1].step.game
        == fold(event for right in before for event in right.step.events)
    )


@pytest.mark.parametrize(
    "fault", [BAD, line(EVENTS, 9), line(COMMANDS, 2), seal(EVENTS), b'{"type":"tile-drawn"}\n', OPENING]
)
def test_nothing_is_shown_from_the_first_fault_on(fault: bytes) -> None:
    rights = seen(SOME_EVENTS + fault + tail(EVENTS, 10))

    assert [right.line for right in rights] == [*range(1, 10)]


def test_a_fault_never_changes_the_game() -> None:
    """A move beyond a treasure, of an adventurer that is held, and so on: the last right state stays."""
    shown: list[Right] = []
    first_move = next(right for right in seen(EVENTS) if isinstance(right.message, AdventurerMoved))
    before = cut(EVENTS, first_move.line - 1)
    bad_move = line(EVENTS, first_move.line).replace(b'"path":[', b'"path":["f1",')
    (report,) = validate(io.BytesIO(before + bad_move), observe=shown.append)

    assert report.verdict == "invalid"
    assert shown[-1].step.game == seen(before)[-1].step.game
    assert not isinstance(shown[-1].message, RoundEnded)


def test_records_are_shown_before_the_report_of_their_log() -> None:
    shown: list[Right] = []
    judging = validate(io.BytesIO(sealed(SOME_EVENTS) + EVENTS), observe=shown.append)

    assert (next(judging).log, len(shown)) == (1, 10)
    assert (next(judging).log, len(shown)) == (2, 10 + EVENTS_END)


# How much is read, and how much is kept


class Lines(io.BytesIO):
    """A stream made of lines while it is read."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        super().__init__()
        self.lines = lines
        self.read_so_far = 0

    def readline(self, _size: int | None = -1, /) -> bytes:
        self.read_so_far += 1
        return next(self.lines, b"")


def repeated(log: bytes, times: int | None) -> Lines:
    """Return a stream of one log over and over."""
    lines = log.splitlines(keepends=True)
    rounds = iter(lambda: lines, None) if times is None else iter([lines] * times)
    return Lines(line for lines in rounds for line in lines)


@pytest.mark.parametrize("log", [EVENTS, COMMANDS, sealed(SOME_EVENTS)])
def test_an_endless_stream_is_reported_log_by_log(log: bytes) -> None:
    """Some lines are read ahead, for speed; how many depends on no more than their length."""
    stream = repeated(log, None)
    judging = validate(stream)
    length, ahead = log.count(b"\n"), 20_000 // (len(log) // log.count(b"\n"))

    assert stream.read_so_far == 0
    for number in range(1, 60):
        report = next(judging)
        assert (report.log, report.records) == (number, length)
        assert report.first_line == 1 + length * (number - 1)
        assert stream.read_so_far <= number * length + ahead


def peak(stream: BinaryIO) -> int:
    """Return the most memory in use while a stream is judged."""
    tracemalloc.start()
    try:
        for _ in validate(stream):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "log", [sealed(SOME_EVENTS), with_line(sealed(SOME_COMMANDS), 4, BAD)], ids=["right", "bad"]
)
def test_memory_does_not_grow_with_the_number_of_logs(log: bytes) -> None:
    peak(repeated(log, 50))  # what is kept for ever is there by now

    assert peak(repeated(log, 500)) < 1.1 * peak(repeated(log, 50)) + 4096


def test_memory_does_not_grow_with_what_follows_a_fault() -> None:
    short, long = (OPENING + BAD + b'{"type":"pass","player":"ana"}\n' * count for count in (1000, 4000))
    streams = [Lines(iter(log.splitlines(keepends=True))) for log in (short, short, long)]

    _, less, more = map(peak, streams)
    assert more < 1.1 * less + 4096


def test_long_lines_do_not_pile_up() -> None:
    lines = EVENTS.splitlines()[:100]

    assert peak(Lines(line.ljust(500_000) + b"\n" for line in lines)) < 20_000_000


# Forms of a report


def test_a_report_has_a_json_form() -> None:
    log = SOME_EVENTS + b'{"type":"tile-drawn","round":"1","tile":true}\n'
    (report,) = validate(io.BytesIO(log), "a.jsonl")

    assert json.dumps(report_json(report)) == json.dumps(
        {
            "file": "a.jsonl",
            "log": 1,
            "first_line": 1,
            "verdict": "invalid",
            "rules": "official",
            "records": 9,
            "due": None,
            "findings": [
                {
                    "line": 10,
                    "path": path,
                    "code": "shape/wrong-type",
                    "rule": "F-SHAPE-3",
                    "message": f"expected an integer, got {got}",
                }
                for path, got in (("$.round", 'a string: "1"'), ("$.tile", "a boolean: true"))
            ],
        }
    )


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("$", "g.jsonl:3: a/b: wrong (R-1)"),
        ("$.path[0]", "g.jsonl:3: a/b: wrong [$.path[0]] (R-1)"),
    ],
)
def test_a_finding_has_a_line_of_text(path: str, shown: str) -> None:
    assert finding_line("g.jsonl", Finding(3, path, "a/b", "R-1", "wrong")) == shown
