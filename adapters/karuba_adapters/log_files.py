"""Lines, records and seals of a log file, read and written as streams."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

from attrs import frozen

from karuba_adapters.codec import Message, Seal, decode, encode
from karuba_adapters.records import Fault, Meta
from karuba_adapters.strict_json import MAX_LINE, loads
from karuba_core import Command, Event, GameStarted, Violation

_HASHED_AT_ONCE: Final = 1 << 16
_DECODED_AT_ONCE: Final = 1 << 13


Line = tuple[int, bytes, Message | tuple[Violation, ...], Meta]
"""A line of a stream: its number, its bytes, what it says or why it says nothing, its `meta`."""


@frozen
class Record:
    """One record as it stands in a log: its line, what it says, and its `meta`."""

    line: int
    message: Message
    meta: Meta


class Unreadable(Exception):
    """The system does not let a log be read any further.

    Attributes:
        line: The line that could not be read.
        reason: Why, in the words of the system.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason


def numbered_lines(stream: BinaryIO, longest: int = MAX_LINE) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a stream with their numbers from 1, line ends kept.

    Memory is bounded: of a line that is longer than a reader has to take, only a beginning is
    yielded, which `strict_json.loads` refuses as `text/line-too-long`.

    Args:
        stream: The lines, as bytes.
        longest: How many bytes of a line a reader has to take, its line feed not counted.

    Raises:
        Unreadable: The stream cannot be read, or no further.
    """
    number = 1
    at_once = longest + 2  # one byte more than a line may have, and its LF
    try:
        while line := stream.readline(at_once):
            yield number, line
            while len(line) == at_once and not line.endswith(b"\n"):
                line = stream.readline(at_once)
            number += 1
    except OSError as error:
        raise Unreadable(number, str(error.strerror)) from error


def read_line(line: bytes) -> tuple[Message, Meta]:
    """Return what a line says, and its `meta`.

    Raises:
        TextFault: The line is not the text of one JSON value (`text/…`).
        ShapeFault: It is no record of the format (`shape/…`, `log/unknown-format`).
    """
    return decode(loads(line))


def read_records(stream: BinaryIO) -> Iterator[Record]:
    """Yield the records of a log, lazily and without judging them by the rules.

    Raises:
        TextFault: At the first line that is not JSON (`text/…`).
        ShapeFault: At the first line that is no record (`shape/…`, `log/unknown-format`).
        Unreadable: Where the stream cannot be read further.
    """
    for number, line in numbered_lines(stream):
        yield Record(number, *read_line(line))


def read_events(stream: BinaryIO) -> Iterator[Event]:
    """Yield the events of an event log, for `fold`, `trace` or `rederive`; a seal is none of them.

    Raises:
        Fault: What `read_records` raises, or a record is a command (`log/mixed-kinds`).
    """
    for record in read_records(stream):
        if isinstance(record.message, Command):
            message = f"expected an event, got {record.message.name}"
            raise Fault(Violation("log/mixed-kinds", "F-LOG-5", "$.type", message))
        if not isinstance(record.message, Seal):
            yield record.message


def read_ahead(stream: BinaryIO) -> Iterator[Line]:
    """Yield the lines of a stream, some kilobytes decoded at a time.

    To decode many lines in a row, and then to judge many, takes clearly less time than to do both
    with each in turn.

    Raises:
        Unreadable: Where the stream cannot be read further, after the lines before.
    """
    block: list[Line] = []
    size = 0
    try:
        for number, text in numbered_lines(stream):
            block.append(_decoded(number, text))
            size += len(text)
            if size > _DECODED_AT_ONCE:
                yield from block
                block.clear()
                size = 0
    except Unreadable:
        yield from block
        raise
    yield from block


def _decoded(number: int, text: bytes) -> Line:
    try:
        message, meta = decode(loads(text))
    except Fault as fault:
        return number, text, fault.faults, None
    return number, text, message, meta


class SealMaker:
    """The seal of a log while its lines go by: their number and the digest of their bytes."""

    def __init__(self) -> None:
        self.records = 0
        self._digest = hashlib.sha256()
        self._waiting = bytearray()

    def add(self, line: bytes) -> None:
        """Take a line of the log, its line end kept."""
        self.records += 1
        self._waiting += line
        if len(self._waiting) > _HASHED_AT_ONCE:  # a few large updates cost less than many small ones
            self._digest_waiting()

    def _digest_waiting(self) -> None:
        self._digest.update(self._waiting)
        self._waiting.clear()

    def seal(self) -> Seal:
        """Return the seal of the lines so far (F-SEAL-1)."""
        self._digest_waiting()
        return Seal(self.records, f"sha256:{self._digest.hexdigest()}")


class LogWriter:
    """Writes logs record by record, one log after another, and can seal each.

    Args:
        write: Takes the bytes of each line, such as the `write` of a binary stream.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._seal = SealMaker()

    def write(self, message: Message, meta: Meta = None) -> None:
        """Write one record; an opening begins another log."""
        if isinstance(message, GameStarted):
            self._seal = SealMaker()
        line = encode(message, meta)
        self._seal.add(line)
        self._write(line)

    def seal(self, meta: Meta = None) -> None:
        """Write the seal of the log so far, its last record."""
        self.write(self._seal.seal(), meta)


def write_log(messages: Iterable[Message], stream: BinaryIO, *, sealed: bool = False) -> None:
    """Write a log of events or of commands, its opening first.

    Args:
        messages: What its records say, in order.
        stream: Where it goes, in bytes.
        sealed: Whether a seal ends it.
    """
    writer = LogWriter(stream.write)
    for message in messages:
        writer.write(message)
    if sealed:
        writer.seal()
