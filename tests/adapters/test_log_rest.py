"""What is said of a log beyond its first fault, and what is not even read there."""

import io
import json
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from karuba_adapters import Finding, Report, log_files, log_order, require, validate, validate_file
from karuba_adapters.codec import Message, decode_at_once
from karuba_adapters.known_lines import KnownLines
from karuba_adapters.limits import Limits
from karuba_adapters.log_files import numbered_lines, read_ahead
from karuba_adapters.log_rest import name_of

GAMES = Path(__file__).parents[1] / "games"
EVENTS = (GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes().splitlines(keepends=True)
COMMANDS = (GAMES / "commands" / "04-3p-stop-casual.jsonl").read_bytes().splitlines(keepends=True)
OPENING = EVENTS[0]
BAD = b"nope\n"
UNSHAPELY = b'{"type":"pass"}\n'
SEAL = b'{"type":"seal","records":1,"digest":""}\n'
FEW = Limits(records=1000)


def judged(*lines: bytes, split: bool = False, going: bool = False, limits: Limits = FEW) -> list[Report]:
    stream = io.BytesIO(b"".join(lines))
    return [*validate(stream, split=split, keep_going=going, limits=limits)]


def told(*lines: bytes, split: bool = False, going: bool = False) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return the verdict and the findings of each log."""
    return [
        (report.verdict, [(finding.line, finding.code) for finding in report.findings])
        for report in judged(*lines, split=split, going=going)
    ]


# Split


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([*EVENTS[:9], *EVENTS], ["incomplete", "valid"]),
        ([OPENING, OPENING, OPENING], ["incomplete"] * 3),
        ([*EVENTS[:9], BAD, *EVENTS[9:20], *EVENTS], ["invalid", "valid"]),
        ([*EVENTS, BAD, *COMMANDS[:5], OPENING], ["invalid", "incomplete", "incomplete"]),
        ([BAD, *EVENTS], ["invalid", "valid"]),
        (
            [*EVENTS[:5], b'{"type":"game-started"\n', *EVENTS[1:5], *EVENTS],
            ["incomplete", "invalid", "valid"],
        ),
        ([*EVENTS[:5], b'{"type":"game-started"}\n', *EVENTS], ["incomplete", "invalid", "valid"]),
        ([*EVENTS[:5], b'{"\\u0074ype":"game-started"}\n', *EVENTS], ["incomplete", "invalid", "valid"]),
        ([OPENING, BAD, b'{"\\u0074ype":"game-started"}\n', *EVENTS], ["invalid", "invalid", "valid"]),
    ],
)
def test_each_opening_begins_a_log_where_a_stream_is_split(lines: list[bytes], says: list[str]) -> None:
    assert [verdict for verdict, _ in told(*lines, split=True)] == says


lines_of_any_log = st.sampled_from(
    [
        *EVENTS[:6],
        *COMMANDS[:4],
        EVENTS[-1],
        BAD,
        b"\n",
        UNSHAPELY,
        SEAL,
        OPENING,
        b'{"type" : "game-started"}\n',
        b'{"type":"game-started",\n',
        b'{"type":"game\\u002dstarted","meta":{}}\n',
        b'{"meta":{"type":"game-started"},"type":"draw","tile":1}\n',
        b'{"type":"game-started","type":"draw"}\n',
        b'{"type":"game-ended"\n',
        b'{"\\u0074ype":"draw","tile":1}\n',
        b'{"type":"\\u0067ame-ended","winners":[]}\n',
    ]
)
starts = st.sampled_from([EVENTS, EVENTS[:9], COMMANDS, COMMANDS[:7], []])
streams = st.lists(
    st.tuples(starts, st.lists(lines_of_any_log, max_size=8)).map(lambda parts: [*parts[0], *parts[1]]),
    min_size=1,
    max_size=4,
).map(lambda parts: [line for part in parts for line in part])


def names(lines: list[bytes]) -> list[str]:
    return [name_of(line) for line in read_ahead(io.BytesIO(b"".join(lines)))]


@settings(max_examples=150, deadline=None)
@given(lines=streams, going=st.booleans())
def test_to_split_is_to_judge_the_pieces_alone(lines: list[bytes], going: bool) -> None:
    openings = [place for place, name in enumerate(names(lines)) if name == "game-started"]
    cuts = [*dict.fromkeys([0, *openings, len(lines)])]
    pieces = [judged(*lines[start:end], going=going) for start, end in pairwise(cuts)] or [judged()]

    expected = [
        evolve(
            report,
            log=place + 1,
            first_line=start + report.first_line,
            last_line=start + report.last_line,
            findings=tuple(evolve(finding, line=finding.line + start) for finding in report.findings),
        )
        for place, (start, piece) in enumerate(zip(cuts, pieces, strict=False))
        for report in piece
    ]
    assert [len(piece) for piece in pieces] == [1] * len(pieces)
    assert judged(*lines, split=True, going=going) == expected


# What is skipped


@settings(max_examples=300, deadline=None)
@given(lines=streams, size=st.integers(0, 200))
def test_what_is_skipped_would_tell_nothing(lines: list[bytes], size: int) -> None:
    """A reader that decodes every line, as all did at first, has the same reports."""
    expected = [*validate(io.BytesIO(b"".join(lines)), read=read_ahead, limits=FEW)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_files, "_DECODED_AT_ONCE", size)
        assert judged(*lines) == expected


def test_after_a_fault_lines_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    decode = decode_at_once

    def watched(text: bytes) -> Message | None:
        seen.append(text)
        return decode(text)

    monkeypatch.setattr(log_files, "_KNOWN", KnownLines())
    monkeypatch.setattr(log_files, "decode_at_once", watched)
    first, second = judged(OPENING, BAD, *EVENTS[1:-1] * 4, EVENTS[-1], *EVENTS)

    assert (first.verdict, second.verdict) == ("invalid", "valid")
    assert len(seen) < 2 * len(EVENTS)
    assert seen[-1] == EVENTS[-1]


# Keep going


def test_text_and_shape_are_told_beyond_the_first_fault() -> None:
    lines = [*EVENTS[:4], EVENTS[3], *EVENTS[4:8], BAD, UNSHAPELY, *EVENTS[1:3], b"\n", *EVENTS[8:]]
    ((verdict, before),) = told(*lines)
    ((_, found),) = told(*lines, going=True)

    assert verdict == "invalid"
    assert found == [
        *before,
        (6, "log/rules-not-judged"),
        (10, "text/not-json"),
        (11, "shape/missing-field"),
        (14, "text/blank-line"),
    ]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([*EVENTS[:4], BAD], [[(5, "text/not-json")]]),  # nothing follows that would not be judged
        ([*EVENTS[:4], BAD, EVENTS[4]], [[(5, "text/not-json"), (6, "log/rules-not-judged")]]),
        ([*EVENTS, BAD, *EVENTS], [[(len(EVENTS) + 1, "text/not-json")], []]),
        ([*EVENTS], [[]]),
        (
            [OPENING, BAD, OPENING, OPENING, BAD],
            [
                [
                    (2, "text/not-json"),
                    (3, "log/rules-not-judged"),
                    (3, "log/second-opening"),
                    (5, "text/not-json"),
                ]
            ],
        ),
        (
            [OPENING, OPENING, BAD, OPENING],
            [[(2, "log/second-opening"), (3, "log/rules-not-judged"), (3, "text/not-json")]],
        ),
        (
            [OPENING, BAD, b'{"type":"game-started"\n'],
            [
                [
                    (2, "text/not-json"),
                    (3, "log/rules-not-judged"),
                    (3, "text/not-json"),
                    (3, "log/second-opening"),
                ]
            ],
        ),
    ],
)
def test_what_is_told_of_the_rest(lines: list[bytes], found: list[list[tuple[int, str]]]) -> None:
    assert [findings for _, findings in told(*lines, going=True)] == found


@settings(max_examples=200, deadline=None)
@given(lines=streams, split=st.booleans())
def test_to_keep_going_adds_findings_and_changes_nothing_else(lines: list[bytes], split: bool) -> None:
    for report, more in zip(
        judged(*lines, split=split), judged(*lines, split=split, going=True), strict=True
    ):
        assert evolve(report, findings=()) == evolve(more, findings=())
        assert report.findings[:1] == more.findings[:1]
        assert set(report.findings) <= set(more.findings)
        places = [finding.line for finding in more.findings]
        assert places == sorted(places)
        assert require(more).findings == more.findings
        unjudged = [place for place, finding in enumerate(more.findings) if finding.code.endswith("-judged")]
        first = more.findings[0].line if more.findings else 0
        for finding in more.findings:
            if finding.line > first:
                assert finding.code.startswith(("text/", "shape/", "log/"))
        assert len(unjudged) <= 1
        for place in unjudged:
            assert [finding.line for finding in more.findings[:place]] == [first] * place
            assert more.findings[place].line == first + 1


def test_a_thousand_findings_are_listed_and_the_others_counted() -> None:
    (report,) = judged(OPENING, *[BAD] * 5000, going=True, limits=Limits())

    assert len(report.findings) == 1001
    assert [finding.line for finding in report.findings[:4]] == [2, 3, 3, 4]  # with the note
    last = report.findings[-1]
    assert (last.line, last.code, last.rule) == (1001, "log/more-findings", "F-LOG-10")
    assert last.message == "4001 more findings of this log are not listed"
    assert require(report).findings == report.findings
    (exact,) = judged(OPENING, *[BAD] * 999, going=True)
    assert [len(exact.findings), exact.findings[-1].code] == [1000, "text/not-json"]


class Lines(io.BytesIO):
    """A stream made of lines while it is read."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        super().__init__()
        self.lines = lines

    def readline(self, _size: int | None = -1, /) -> bytes:
        return next(self.lines, b"")


def peak(count: int, *, going: bool) -> int:
    stream = Lines(line for lines in ([OPENING], [BAD] * count) for line in lines)
    tracemalloc.start()
    try:
        for _ in validate(stream, keep_going=going):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("going", [False, True])
def test_memory_does_not_grow_with_faulty_lines(*, going: bool) -> None:
    peak(2000, going=going)

    assert peak(20_000, going=going) < 2 * peak(2000, going=going)


# Too many records


@pytest.mark.parametrize("going", [False, True])
@pytest.mark.parametrize("filler", [EVENTS[3], BAD, b'{"a":"\\n"}\n'])
def test_the_first_record_too_many_is_told_and_nothing_after_it(
    monkeypatch: pytest.MonkeyPatch, filler: bytes, *, going: bool
) -> None:
    monkeypatch.setattr(log_order, "MOST_FINDINGS", 10_000)
    lines = [OPENING, BAD, *[filler] * 998]
    (exact,), (more,) = judged(*lines, going=going), judged(*lines, BAD, OPENING, BAD, going=going)

    assert more.verdict == "invalid"
    assert more.findings[:-1] == exact.findings
    message = "the log has more than 1000 records, the most that are read: the rest of it is skipped"
    assert more.findings[-1] == Finding(1001, "$", "log/too-many-records", "F-LOG-9", message)


def test_the_log_after_one_of_too_many_records_is_judged() -> None:
    lines = [OPENING, BAD, *EVENTS[1:-1] * 6, EVENTS[-1]]
    found = judged(*lines, *EVENTS, limits=FEW)

    assert len(lines) > 1000
    assert [report.verdict for report in found] == ["invalid", "valid"]
    assert [finding.line for finding in found[0].findings] == [2, 1001]
    assert [len(report.findings) for report in judged(*lines, *EVENTS, limits=Limits())] == [1, 0]


def test_records_are_counted_for_each_log() -> None:
    lines = [OPENING, BAD, EVENTS[-1]] * 400

    assert [len(report.findings) for report in judged(*lines)] == [1] * 400
    assert [len(report.findings) for report in judged(*[OPENING] * 1500, split=True)] == [0] * 1500


# Limits of lines reach the reader


def test_limits_are_those_of_the_caller(tmp_path: Path) -> None:
    deep = json.dumps({**json.loads(COMMANDS[1]), "meta": {"a": json.loads("[" * 150 + "]" * 150)}}).encode()
    long = COMMANDS[1].rstrip() + b" " * (1 << 20) + b"\n"
    path = tmp_path / "a.jsonl"
    for line, limits, code in (
        (deep + b"\n", Limits(depth=152), "text/too-deep"),
        (long, Limits(line=2 << 20), "text/line-too-long"),
    ):
        path.write_bytes(OPENING + line)
        assert [finding.code for report in validate_file(path) for finding in report.findings] == [code]
        assert [report.findings for report in validate_file(path, limits=limits)] == [()]


# A line without an end


def test_a_line_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_files, "_ENDLESS", 10 << 20)

    class Zeros(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            return bytes(size or 0)

    (report,) = validate(Zeros())
    assert report.verdict == "unread"
    assert [(finding.line, finding.code) for finding in report.findings] == [
        (1, "text/line-too-long"),
        (1, "log/unreadable"),
    ]
    assert report.findings[1].message.endswith("bytes, and no end in sight")
    long = b"x" * (9 << 20) + b"\n"
    assert [number for number, _ in numbered_lines(io.BytesIO(long + b"{}"))] == [1, 2]


def test_a_file_that_becomes_shorter_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(EVENTS[:-1]) * 40)

    def cut(_: object) -> None:
        with path.open("r+b") as stream:
            stream.truncate(len(OPENING))

    (report,) = validate_file(path, cut, limits=FEW)
    assert report.verdict == "unread"
    assert report.findings[-1].message == "cannot be read: the file has become shorter while it was read"


def test_a_file_that_grows_is_read_to_the_end_that_it_has_then(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(EVENTS[:9]))
    grown: list[int] = []

    def grow(_: object) -> None:
        if not grown:
            grown.append(1)
            with path.open("ab") as stream:
                stream.write(b"".join(EVENTS[9:20]))

    reports = [*validate_file(path, grow)]
    assert [report.verdict for report in reports] == ["incomplete"]
    assert reports[0].records in (9, 20)


def test_random_noise_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(Random(7).randbytes(300_000))

    assert {report.verdict for report in validate_file(path, keep_going=True)} == {"invalid"}


def test_a_rest_that_never_ends_is_given_up() -> None:
    """A pipe that goes on for ever is told as unread, with the line, and what was found before."""
    limits = Limits(records=1000, unpacked=1 << 20)
    for line in (UNSHAPELY, b"\n", b"{}\n", b'{"type":"pass","player":"ana"}\n'):
        for going in (False, True):
            (report,) = judged(*EVENTS[:5], BAD, *[line] * 25_000, going=going, limits=limits)
            assert report.verdict == "unread"
            assert report.findings[0].code == "text/not-json"
            assert report.findings[-1].message == "cannot be read: the log goes on and on after its fault"
            assert report.findings[-1].line < 20_000
