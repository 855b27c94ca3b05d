"""A stream judged in pieces gets the reports that it gets as a whole, however broken it is."""

import gzip
import io
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Unpack, cast

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from karuba_adapters import Report, validate
from karuba_adapters.judging import Reading
from karuba_adapters.limits import Limits
from karuba_adapters.parallel.pieces import judge_piece
from karuba_adapters.parallel.sources import in_order
from karuba_adapters.parallel.splitting import PIECE, Splitter, Submit
from tests.parallel_kit import at_once

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAMES = Path(__file__).parents[1] / "games"
EVENTS = (GAMES / "sound" / "02-2p-stop-casual.jsonl").read_bytes()
COMMANDS = (GAMES / "commands" / "07-2p-landing-expert.jsonl").read_bytes()
LINES = EVENTS.splitlines(keepends=True)
OPENING, END = LINES[0], LINES[-1]
START = b"".join(LINES[:12])
SEAL = b'{"type":"seal","records":1,"digest":"sha256:0"}\n'
BAD = b"nope\n"

PARTS = [
    EVENTS,
    COMMANDS,
    START,
    b"".join(COMMANDS.splitlines(keepends=True)[:9]),
    OPENING,
    OPENING * 3,
    OPENING.replace(b":", b": "),  # looks otherwise, is an opening
    OPENING.replace(b"t", b"\\u0074", 1),
    OPENING.replace(b"\n", b"\r\n"),
    OPENING[:60] + b"\n",  # looks like an opening, is none
    b'{"type":"game-started"}\n',
    b'{"type":"game-started","x":"' + b"y" * 3000 + b'"}\n',
    b'{"type":"game-started","meta":{"type":"seal"},"type":"seal"}\n',
    b' {"type":"game-started"}\n',
    b'\xef\xbb\xbf{"type":"game-started"}\n',
    b'x\r{"type":"game-started"}\n',
    EVENTS.replace(b"\n", b"\r\n"),
    START + BAD + END,
    START + BAD,
    START + SEAL,
    SEAL,
    END,
    LINES[1],
    COMMANDS.splitlines(keepends=True)[1],
    BAD,
    b"\n",
    b"\n" * 1100,
    b"\xff\n",
    b'{"type":"pass"}\n',
    b'{"type":"x","y":"' + b"z" * 5000 + b'"}\n',
    b'{"\\u0074ype":"game-ended"\n',
    EVENTS[:-1],  # the next opening stands in its last line
    START[:-3],
    gzip.compress(START),
]
READINGS: list[Reading] = [
    {},
    {"split": True},
    {"keep_going": True},
    {"split": True, "keep_going": True},
    {"limits": Limits(records=1000)},
    {"limits": Limits(records=1000, unpacked=None), "keep_going": True},
    {"limits": Limits(unpacked=1 << 20)},
]


class Raw(io.RawIOBase):
    """A stream of bytes that, if it fails, cannot be read beyond them."""

    def __init__(self, data: bytes, *, fails: bool = False) -> None:
        super().__init__()
        self._data = io.BytesIO(data)
        self._fails = fails
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever has room for bytes
        count = self._data.readinto(buffer)
        if not count and self._fails:
            raise OSError(5, "the disk is broken")
        self.given += count
        return count


def buffered(data: bytes, at_once: int = 8192, *, fails: bool = False) -> io.BufferedReader:
    return io.BufferedReader(Raw(data, fails=fails), at_once)


def later(what: str, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:  # noqa: ANN401 - any function
    """Call a function when it is asked, as late as a worker may."""
    del what
    return lambda: function(*arguments)


def in_pieces(
    stream: io.BufferedReader, size: int, submit: Submit = at_once, most: int = 3, **reading: Unpack[Reading]
) -> list[Report]:
    return [*in_order(Splitter(stream, "x", submit, size, **reading).tasks(), most)]


@frozen
class Case:
    """A stream, how it is read, and how it is cut and judged."""

    parts: list[bytes]
    pack: Callable[[bytes], bytes]
    kept: float
    fails: bool
    buffer: int
    reading: Reading
    size: int
    submit: Submit
    most: int

    def stream(self) -> io.BufferedReader:
        data = self.pack(b"".join(self.parts))
        return buffered(data[: int(self.kept * len(data))], self.buffer, fails=self.fails)


cases = st.builds(
    Case,
    parts=st.lists(st.sampled_from(PARTS), min_size=1, max_size=9),
    pack=st.sampled_from([bytes, bytes, bytes, gzip.compress, zstd.compress]),
    kept=st.just(1) | st.floats(0, 1),
    fails=st.booleans(),
    buffer=st.integers(8, 5000),
    reading=st.sampled_from(READINGS),
    size=st.integers(1, 400) | st.integers(400, 20_000),
    submit=st.sampled_from([at_once, later]),
    most=st.integers(1, 5),
)


@settings(max_examples=250, deadline=None)
@given(cases)
def test_pieces_have_the_reports_of_the_whole(case: Case) -> None:
    whole = [*validate(case.stream(), "x", **case.reading)]

    assert in_pieces(case.stream(), case.size, case.submit, case.most, **case.reading) == whole


@pytest.mark.parametrize("kept", [60, len(OPENING) - 1])
def test_an_opening_that_cannot_be_read_to_its_end_begins_no_log(kept: int) -> None:
    data = EVENTS + OPENING[:kept]
    (report,) = in_pieces(buffered(data, 50, fails=True), len(EVENTS) + 40)

    assert (report.verdict, report.findings[-1].line) == ("unread", len(LINES) + 1)


@pytest.mark.parametrize("size", [len(EVENTS) + 500, 2 * len(EVENTS), 3 * len(EVENTS), 5 * len(EVENTS)])
def test_logs_left_open_between_others_belong_to_them(size: int) -> None:
    data = (EVENTS + START + EVENTS * 3 + START * 2) * 6

    assert in_pieces(buffered(data), size) == [*validate(buffered(data), "x")]


@pytest.mark.parametrize("most", [1, 3, 99])
@pytest.mark.parametrize("end", [EVENTS + START + BAD, OPENING + BAD])
def test_what_is_under_way_when_it_is_left_whole_is_not_lost(end: bytes, most: int) -> None:
    data = START + BAD + OPENING * 60 + END + end

    found = in_pieces(buffered(data, 100), 2 * len(OPENING), later, most, keep_going=True)
    assert found == [*validate(buffered(data), "x", keep_going=True)]


def test_a_log_left_open_may_hold_what_looks_like_several() -> None:
    """An event log ends at `game-ended`, which a command log has not (F-LOG-6)."""
    data = (EVENTS + START + COMMANDS + EVENTS * 2) * 2

    assert in_pieces(buffered(data), len(EVENTS + START) + 99) == [*validate(buffered(data), "x")]


@pytest.mark.parametrize("logs", range(1, 5))
@pytest.mark.parametrize("line", [b"x" * 300 + b"\n", b"\n"])
def test_a_log_that_goes_on_and_on_is_given_up_at_the_same_line(logs: int, line: bytes) -> None:
    """It is the log that is given up, whatever was read before it (F-LOG-9)."""
    reading: Reading = {"limits": Limits(unpacked=1 << 20)}
    rest = line * (4000 if len(line) > 100 else 11_000)
    data = EVENTS * logs + BAD + rest

    whole = [*validate(buffered(data), "x", **reading)]
    assert (whole[-1].verdict, len(whole)) == ("unread", logs)
    fault, given_up = whole[-1].findings
    assert given_up.line - fault.line == (1 << 20) // max(len(line), 100) + 1
    assert in_pieces(buffered(data), len(EVENTS) * 2, **reading) == whole


@pytest.mark.parametrize("magic", [b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"P*M\x18"])
def test_what_is_cut_off_is_never_taken_for_packed(magic: bytes) -> None:
    """F-FILE-2: a stream is packed by its own first bytes, and not where a faulty line begins a log."""
    odd = magic + b'{"type":"game-started"}\n'
    packed = gzip.compress(EVENTS)
    name = b'"type":"game-started"\n{"type":"game-started"}\n\0'
    hidden = packed[:3] + b"\x08" + packed[4:10] + name + packed[10:]
    for data in (EVENTS * 3 + odd + EVENTS * 3, EVENTS * 3 + hidden + b"\n" + EVENTS):
        for size in (len(EVENTS), len(EVENTS) * 2, 999):
            assert in_pieces(buffered(data), size) == [*validate(buffered(data), "x")]


def test_a_stream_whose_first_bytes_come_one_by_one_is_cut_only_where_it_is_known_to_be_plain() -> None:
    class Slow(Raw):
        def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever has room for bytes
            return super().readinto(memoryview(buffer)[:2])

    archive = gzip.compress(EVENTS * 3, compresslevel=0)
    slow = cast("io.BufferedReader", io.BufferedReader(Slow(archive), 8192))
    assert in_pieces(slow, len(EVENTS)) == [*validate(buffered(archive), "x")]


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_a_damaged_archive_is_read_as_far_as_without_pieces(pack: Callable[[bytes], bytes]) -> None:
    archive = bytearray(pack(EVENTS + START + EVENTS * 3 + START[:-5]))
    for place in range(20, len(archive), len(archive) // 40):
        archive[place] ^= 0x55
        assert in_pieces(buffered(bytes(archive)), 9000) == [*validate(buffered(bytes(archive)), "x")]
        archive[place] ^= 0x55


def test_an_archive_in_an_archive_is_no_log() -> None:
    inner = gzip.compress(EVENTS * 3)
    archive = gzip.compress(inner)
    (report,) = in_pieces(buffered(archive), 100)

    assert (report.verdict, report.findings[0].code) == ("invalid", "text/not-utf8")


# What is done by whom


class Counted:
    """Counts the bytes of the pieces that are judged, and how much was read before each."""

    def __init__(self, data: bytes) -> None:
        self.raw = Raw(data)
        self.stream: io.BufferedReader = io.BufferedReader(self.raw, 64)
        self.pieces: list[bytes] = []

    def submit(self, what: str, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:  # noqa: ANN401 - any function
        assert function is judge_piece
        self.pieces.append(arguments[0])
        return later(what, function, *arguments)


def test_pieces_are_cut_where_games_begin_and_are_the_whole_stream() -> None:
    data = EVENTS * 9
    counted = Counted(data)
    reports = in_pieces(counted.stream, 3 * len(EVENTS), counted.submit)

    assert [report.verdict for report in reports] == ["valid"] * 9
    assert b"".join(counted.pieces) == data
    assert len(counted.pieces) >= 4
    assert all(piece.startswith(OPENING) for piece in counted.pieces)


def test_a_log_left_open_makes_no_more_than_itself_be_judged_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = (EVENTS * 5 + START) * 8
    again = 0

    def counting(stream: io.BytesIO, **reading: Unpack[Reading]) -> Iterator[Report]:
        nonlocal again
        for report in validate(stream, **reading):
            again += 1
            yield report

    expected = [*validate(io.BytesIO(data), "x")]
    monkeypatch.setattr("karuba_adapters.parallel.pieces.validate", counting)
    counted = Counted(data)
    pieces = in_pieces(counted.stream, 5 * len(EVENTS), counted.submit)

    assert pieces == expected
    assert again < 1.7 * len(expected)


def test_no_more_is_read_ahead_than_there_is_work_for() -> None:
    counted = Counted(EVENTS * 50)
    tasks = Splitter(counted.stream, "x", counted.submit, len(EVENTS)).tasks()
    next(in_order(tasks, 4))

    assert len(counted.pieces) == 4
    assert counted.raw.given < 7 * len(EVENTS)


class Endless(io.RawIOBase):
    """24 MB of a log that does not end."""

    def __init__(self, start: bytes, more: bytes, times: int) -> None:
        super().__init__()
        self._parts = iter([start, *[more] * times])

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever has room for bytes
        part = next(self._parts, b"")
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize(
    "more",
    [b"y" * 60_000, (OPENING + b"z" * 20_000 + b"\n") * 3, (b"z" * 20_000 + b"\n") * 3],
    ids=["a line", "openings that belong to a log", "no openings"],
)
def test_what_cannot_be_cut_takes_no_memory(more: bytes) -> None:
    parts = START + BAD, more, 400

    def stream() -> io.BufferedReader:
        return io.BufferedReader(Endless(*parts), 64_000)

    tracemalloc.start()
    try:
        pieces = in_pieces(stream(), 50_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert pieces == [*validate(stream(), "x")]
    assert peak < 8_000_000


@pytest.mark.parametrize("enough", [len(EVENTS) * 3, len(EVENTS) * 3 + 1])
def test_what_is_not_worth_pieces_gets_none(enough: int) -> None:
    counted = Counted(EVENTS * 3)
    splitter = Splitter(counted.stream, "x", counted.submit, len(EVENTS) + 99, enough)

    assert [report.log for report in in_order(splitter.tasks(), 4)] == [1, 2, 3]
    assert bool(counted.pieces) == (enough == len(EVENTS) * 3)


def test_a_piece_is_small_beside_what_makes_a_reader_give_up() -> None:
    """Else a piece is given up where the whole is not: a line counts as 100 bytes at least (F-LOG-9)."""
    unpacked = Limits().unpacked
    assert unpacked is not None
    assert unpacked > PIECE * 100
