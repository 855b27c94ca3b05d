"""Logs are read line by line in little memory, and what is written and sealed is found right."""

import hashlib
import io
import tracemalloc
from collections.abc import Iterator

import pytest

from karuba_adapters import Fault, LogWriter, Seal, encode, read_events, read_records, validate, write_log
from karuba_adapters.decks import opening
from karuba_adapters.limits import LIMITS
from karuba_adapters.log_files import numbered_lines, read_line
from karuba_adapters.log_writing import SealMaker
from karuba_adapters.players import planner, play
from karuba_adapters.strict_json import TextFault
from karuba_core import Command, Discard, Draw, Event, GameStarted, Pass, preset
from tests.games_kit import Table, read_messages, setup

MAX_LINE = LIMITS.line
GAME = (*play(opening(("ana", "ben"), 7, preset("official", 2)), 7, planner),)
COMMANDS: tuple[Event | Command, ...] = (
    GAME[0],
    *(Draw(1), Discard("ana"), Discard("ben"), Pass("ben"), Pass("ana"), Draw(2)),
)


class Watched(io.BytesIO):
    """A stream that remembers how many lines were asked for, and the most bytes at once."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.sizes: list[int] = []

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        self.sizes.append(size)
        return super().readline(size)


class Endless(io.BytesIO):
    """A stream with a line that takes many readings to end, and a short line after it."""

    def __init__(self, readings: int) -> None:
        super().__init__()
        self.readings = readings

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0, "an endless line was asked for whole"
        self.readings -= 1
        return b"x" * size if self.readings > 1 else (b"", b"{}", b"\n")[self.readings + 1]


def lines_of(data: bytes) -> list[tuple[int, bytes]]:
    return [*numbered_lines(io.BytesIO(data))]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [b"\n"]),
        (b"{}", [b"{}"]),
        (b"{}\n", [b"{}\n"]),
        (b"a\r\n\r\n\nb", [b"a\r\n", b"\r\n", b"\n", b"b"]),
        (
            "a\rb\x0bc\x0cd\x1ee\x85f\u2028g\u2029h\n".encode(),
            ["a\rb\x0bc\x0cd\x1ee\x85f\u2028g\u2029h\n".encode()],
        ),
        (b"\x00\n\xff\n", [b"\x00\n", b"\xff\n"]),
    ],
)
def test_a_line_ends_at_a_line_feed_only(data: bytes, lines: list[bytes]) -> None:
    assert lines_of(data) == [*enumerate(lines, start=1)]


@pytest.mark.parametrize(
    "length", [*range(MAX_LINE - 2, MAX_LINE + 5), *range(2 * MAX_LINE, 2 * MAX_LINE + 7)]
)
@pytest.mark.parametrize("rest", [b"", b"\n", b"\n{}", b"\n\n{}\n"], ids=repr)
def test_a_long_line_is_one_line(length: int, rest: bytes) -> None:
    data = b"x" * length + rest
    (number, first), *others = lines_of(data)

    assert number == 1
    assert data.startswith(first)
    assert others == [*enumerate(rest.splitlines(keepends=True)[1:], start=2)]
    assert len(first.removesuffix(b"\n")) == length or len(first) > MAX_LINE + 1  # whole, or seen to be cut


def test_an_endless_line_takes_little_memory() -> None:
    stream = Endless(1000)
    lines = numbered_lines(stream)

    tracemalloc.start()
    try:
        first = next(lines)
        second = next(lines)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert second == (2, b"{}")
    assert peak < 5 * MAX_LINE
    with pytest.raises(TextFault, match="longer than 1048576 bytes"):
        read_line(first[1])


def test_a_line_that_is_just_too_long_is_refused() -> None:
    padded = b'{"type":"draw","tile":7}'.ljust(MAX_LINE)

    assert read_line(lines_of(padded + b"\n")[0][1])[0] == Draw(7)
    assert read_line(lines_of(padded)[0][1])[0] == Draw(7)
    for too_long in (padded + b" ", padded + b" \n", padded + b"\r\n", padded + b"  "):
        with pytest.raises(TextFault, match="text/line-too-long"):
            read_line(lines_of(too_long)[0][1])


def test_messages_are_read_one_by_one_up_to_the_first_fault() -> None:
    stream = Watched(b"".join(map(encode, COMMANDS[:3])) + b'{"type":"draw","tile":"7"}\n' + encode(Draw(8)))
    messages = read_messages(stream)

    assert next(messages) == COMMANDS[0]
    assert len(stream.sizes) == 1
    assert [next(messages), next(messages)] == [*COMMANDS[1:3]]
    with pytest.raises(Fault, match="shape/wrong-type"):
        next(messages)
    assert len(stream.sizes) == 4
    assert 0 < min(stream.sizes) <= max(stream.sizes) <= MAX_LINE + 2


def test_messages_are_not_judged() -> None:
    nonsense: list[Event | Command] = [Pass("nobody"), *COMMANDS[:2], GAME[-1], Draw(99)]
    stream = io.BytesIO(b"".join(map(encode, nonsense)))

    assert [*read_messages(stream)] == nonsense


# Seals


def seal_of(lines: list[bytes]) -> Seal:
    return Seal(len(lines), f"sha256:{hashlib.sha256(b''.join(lines)).hexdigest()}")


@pytest.mark.parametrize("count", [0, 1, 2, 255, 256, 257, 511, 512, 513, 1000])
def test_a_seal_tells_the_number_and_the_digest_of_lines(count: int) -> None:
    lines = [b"%d\r\n" % number for number in range(count)]
    maker = SealMaker()
    for line in lines:
        maker.add(line)

    assert maker.records == count
    assert maker.seal() == maker.seal() == seal_of(lines)


@pytest.mark.parametrize(
    "lengths",
    [[65_535, 1, 1], [65_536, 1], [65_537], [1, 65_536, 65_536], [40_000] * 5, [1 << 20, 3]],
    ids=str,
)
def test_a_seal_tells_the_digest_of_lines_of_any_length(lengths: list[int]) -> None:
    lines = [bytes([65 + place]) * length for place, length in enumerate(lengths)]
    maker = SealMaker()
    for line in lines:
        maker.add(line)

    assert maker.seal() == seal_of(lines)


def test_a_seal_may_be_asked_for_at_any_time() -> None:
    lines: list[bytes] = []
    maker = SealMaker()
    for number in range(600):
        assert number % 97 or maker.seal() == seal_of(lines)
        lines.append(b"%d" % number)
        maker.add(lines[-1])

    assert maker.seal() == seal_of(lines)


def log_of(messages: tuple[Event | Command, ...], *, sealed: bool) -> bytes:
    stream = io.BytesIO()
    write_log(messages, stream, sealed=sealed)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("messages", "verdict"), [(GAME, "valid"), (GAME[:99], "incomplete"), (COMMANDS, "incomplete")]
)
def test_a_log_is_written_and_sealed_right(messages: tuple[Event | Command, ...], verdict: str) -> None:
    bare, sealed = (log_of(messages, sealed=sealed) for sealed in (False, True))
    lines = bare.splitlines(keepends=True)

    assert lines == [*map(encode, messages)]
    assert sealed == bare + encode(seal_of(lines))
    for log, records in ((bare, len(lines)), (sealed, len(lines) + 1)):
        (report,) = validate(io.BytesIO(log))
        assert (report.verdict, report.records, report.findings) == (verdict, records, ())


def harms(log: bytes) -> Iterator[bytes]:
    """Yield a sealed log with one harm done: a line lost, a byte changed, a line end changed, a tail cut."""
    *lines, seal = log.splitlines(keepends=True)
    yield b"".join([*lines[:-1], seal])
    yield log.replace(b'"leader":"ana"', b'"leader":"ben"')
    yield log.replace(b"}\n", b"}\r\n", 1)
    yield log.replace(b",", b", ", 1)


@pytest.mark.parametrize("harm", range(4))
def test_a_seal_shows_what_happened_to_its_log(harm: int) -> None:
    log = log_of(GAME[:50], sealed=True)
    harmed = [*harms(log)][harm]

    (report,) = validate(io.BytesIO(harmed))
    assert harmed != log
    assert [finding.code for finding in report.findings] == ["log/wrong-seal"]


def test_a_writer_seals_each_log_for_itself() -> None:
    written: list[bytes] = []
    writer = LogWriter(written.append)
    for messages in (GAME, COMMANDS, Table(setup(3)).events, GAME[:4]):
        for message in messages:
            writer.write(message)
        writer.seal({"by": "the test"})

    reports = [*validate(io.BytesIO(b"".join(written)))]
    assert [(report.verdict, report.records, report.findings) for report in reports] == [
        ("valid", len(GAME) + 1, ()),
        ("incomplete", len(COMMANDS) + 1, ()),
        ("incomplete", 2, ()),
        ("incomplete", 5, ()),
    ]
    assert [line.endswith(b',"meta":{"by":"the test"}}\n') for line in written[-2:]] == [False, True]
    assert all(line.count(b"\n") == 1 for line in written)


def test_a_writer_writes_each_record_at_once_and_its_meta_with_it() -> None:
    written: list[bytes] = []
    writer = LogWriter(written.append)

    writer.write(GAME[0], {})
    assert written == [encode(GAME[0], {})]
    writer.write(Draw(3), {"at": 5})
    writer.write(Discard("ana"))
    writer.seal()
    assert written[1:] == [encode(Draw(3), {"at": 5}), encode(Discard("ana")), encode(seal_of(written[:3]))]


def test_an_opening_begins_another_log() -> None:
    written: list[bytes] = []
    writer = LogWriter(written.append)
    for message in (GAME[0], Draw(1), GAME[0]):
        writer.write(message)
    writer.seal()

    assert isinstance(GAME[0], GameStarted)
    assert written[-1] == encode(seal_of(written[2:3]))


def test_the_events_of_a_log_are_its_records_without_the_seal() -> None:
    stream = io.BytesIO()
    write_log(GAME, stream, sealed=True)
    records = [*read_records(io.BytesIO(stream.getvalue()))]

    assert [*read_events(io.BytesIO(stream.getvalue()))] == [*GAME]
    assert [record.line for record in records] == [*range(1, len(GAME) + 2)]
    assert isinstance(records[-1].message, Seal)


def test_a_command_is_no_event() -> None:
    with pytest.raises(Fault) as raised:
        [*read_events(io.BytesIO(encode(GAME[0]) + encode(Draw(7), {"at": 1})))]
    assert [fault.code for fault in raised.value.faults] == ["log/mixed-kinds"]


def test_a_record_keeps_its_meta() -> None:
    (record,) = read_records(io.BytesIO(encode(Draw(7), {"at": 1})))

    assert (record.line, record.message, record.meta) == (1, Draw(7), {"at": 1})
