"""Lines and records of a log file, read as streams."""

import errno
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from attrs import define, frozen

from karuba_adapters.codec import Message, Seal, decode, decode_at_once
from karuba_adapters.known_lines import SHORT, KnownLines
from karuba_adapters.limits import LIMITS, Limits
from karuba_adapters.packed import is_packed, unpacked
from karuba_adapters.records import Fault, Meta
from karuba_adapters.strict_json import loads
from karuba_core import Command, Event, Violation

_LINE_COST: Final = 100  # the bytes that a line counts for at least: many short ones take their time, too
_READ_AT_ONCE: Final = 1 << 16
_DECODED_AT_ONCE: Final = 1 << 13
_ENDLESS: Final = 1 << 30
"""Bytes of one line after which nobody waits for its end any more."""

_KNOWN: Final = KnownLines()  # of all readers; a thread among several can only forget


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


class _Watched(io.FileIO):
    """A file that says so at its end if it has become shorter while it was read."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path)
        self._size = os.fstat(self.fileno()).st_size

    def readinto(self, buffer: Any, /) -> int | None:  # noqa: ANN401 - whatever has room for bytes
        count = super().readinto(buffer)
        if count == 0 and os.fstat(self.fileno()).st_size < self._size:
            raise OSError(errno.EIO, "the file has become shorter while it was read")
        return count


def open_file(path: Path | str) -> BinaryIO:
    """Open a file to be read line by line.

    Raises:
        OSError: The system says why not.
        ValueError: No file can have this name.
    """
    return io.BufferedReader(_Watched(path), _READ_AT_ONCE)


@define
class Skim:
    """What a judge wants of a reader while it only looks for the end of a log.

    Attributes:
        tells: Whether a line that says so may matter; None where all lines do.
        stop: The number of a line that matters in any case.
        left: How many bytes the rest of a log at fault may still have; None for any number.
    """

    tells: Callable[[bytes], bool] | None = None
    stop: int = 0
    left: int | None = None

    def pass_by(self, number: int, text: bytes) -> None:
        """Take a line off what is left: a stream may go on for ever (F-LOG-9).

        Raises:
            Unreadable: Nothing is left.
        """
        if self.left is not None:
            self.left -= max(len(text), _LINE_COST)
            if self.left < 0:
                raise Unreadable(number, "the log goes on and on after its fault")


def numbered_lines(
    stream: BinaryIO, longest: int = LIMITS.line, unpack: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a stream with their numbers from 1, line ends kept.

    Memory is bounded: of a line that is longer than a reader has to take, only a beginning is
    yielded, which `strict_json.loads` refuses as `text/line-too-long`.

    Args:
        stream: The lines, as bytes.
        longest: How many bytes of a line a reader has to take, its line feed not counted.
        unpack: How many bytes a packed stream may unpack to; None where it is read as it stands.

    Raises:
        Unreadable: The stream cannot be read, or no further; or a line seems to have no end.
    """
    number = 1
    at_once = longest + 2  # one byte more than a line may have, and its LF
    try:
        line = stream.readline(at_once)
        if unpack is not None and is_packed(line):
            stream = unpacked(line, stream, unpack)
            line = stream.readline(at_once)
        while line:
            yield number, line
            if len(line) == at_once:
                _skip_line(line, stream, at_once)
            number += 1
            line = stream.readline(at_once)
    except OSError as error:
        raise Unreadable(number, str(error.strerror)) from error


def _skip_line(line: bytes, stream: BinaryIO, at_once: int) -> None:
    """Read on to the end of a line that is too long."""
    skipped = 0
    while len(line) == at_once and not line.endswith(b"\n"):
        if (skipped := skipped + at_once) > _ENDLESS:
            raise OSError(errno.EFBIG, f"the line has more than {_ENDLESS} bytes, and no end in sight")
        line = stream.readline(at_once)


def read_line(line: bytes, limits: Limits = LIMITS) -> tuple[Message, Meta]:
    """Return what a line says, and its `meta`.

    Raises:
        TextFault: The line is not the text of one JSON value (`text/…`).
        ShapeFault: It is no record of the format (`shape/…`, `log/unknown-format`).
    """
    if len(line) <= SHORT and (said := decode_at_once(line)) is not None:
        return said, None
    return decode(loads(line, limits))


def read_records(stream: BinaryIO, limits: Limits = LIMITS) -> Iterator[Record]:
    """Yield the records of a log, packed or not, lazily and without judging them by the rules.

    Raises:
        TextFault: At the first line that is not JSON (`text/…`).
        ShapeFault: At the first line that is no record (`shape/…`, `log/unknown-format`).
        Unreadable: Where the stream cannot be read further.
    """
    for number, line in numbered_lines(stream, limits.line, limits.unpacked):
        yield Record(number, *read_line(line, limits))


def read_events(stream: BinaryIO, limits: Limits = LIMITS) -> Iterator[Event]:
    """Yield the events of an event log, for `fold`, `trace` or `rederive`; a seal is none of them.

    Raises:
        Fault: What `read_records` raises, or a record is a command (`log/mixed-kinds`).
    """
    for record in read_records(stream, limits):
        if isinstance(record.message, Command):
            message = f"expected an event, got {record.message.name}"
            raise Fault(Violation("log/mixed-kinds", "F-LOG-5", "$.type", message))
        if not isinstance(record.message, Seal):
            yield record.message


def read_ahead(
    stream: BinaryIO, limits: Limits = LIMITS, skim: Skim | None = None, *, is_inside: bool = False
) -> Iterator[Line]:
    """Yield the lines of a stream, packed or not, some kilobytes decoded at a time.

    To decode many lines in a row, and then to judge many, takes clearly less time than to do both
    with each in turn.

    Args:
        stream: The lines, as bytes.
        limits: How much is read.
        skim: Tells at any time which lines may be left out.
        is_inside: Whether the stream is the inside of another one, which is never packed.

    Raises:
        Unreadable: Where the stream cannot be read further, after the lines before.
    """
    skim = skim or Skim()
    lines = numbered_lines(stream, limits.line, None if is_inside else limits.unpacked)
    known, kinds, add = _KNOWN.said.get, _KNOWN.kinds, _KNOWN.add
    block: list[Line] = []
    size = 0
    try:
        for number, text in lines:
            said = known(text)
            if said is None and len(text) <= SHORT:
                said = decode_at_once(text)
                if said is not None and type(said) in kinds:
                    add(text, said)
            block.append(_decoded(number, text, limits) if said is None else (number, text, said, None))
            size += len(text)
            if size > _DECODED_AT_ONCE:
                yield from block
                block.clear()
                size = 0
                yield from _skimmed(lines, limits, skim)
    except Unreadable:
        yield from block
        raise
    yield from block


def _skimmed(lines: Iterator[tuple[int, bytes]], limits: Limits, skim: Skim) -> Iterator[Line]:
    """Yield the lines that matter, until all of them do again; whoever takes one passes it by."""
    tells, stop = skim.tells, skim.stop
    if tells is None:
        return
    for number, text in lines:
        if tells(text) or number == stop:
            yield _decoded(number, text, limits)
            tells, stop = skim.tells, skim.stop
            if tells is None:
                return
        else:
            skim.pass_by(number, text)


def _decoded(number: int, text: bytes, limits: Limits) -> Line:
    try:
        message, meta = decode(loads(text, limits))
    except Fault as fault:
        return number, text, fault.faults, None
    return number, text, message, meta
