"""One stream judged in pieces, with the reports that it would have as a whole.

It is cut, without being decoded, before lines that look like openings. What cannot be cut is judged as it is
read, without pieces.
"""

import io
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, Final, Protocol, Unpack, cast

from attrs import frozen

from karuba_adapters.findings import Report
from karuba_adapters.judging import Reading, validate
from karuba_adapters.limits import LIMITS
from karuba_adapters.packed import is_packed, unpacked
from karuba_adapters.parallel.pieces import Outcome, joined, judge_piece, moved

PIECE: Final = 1 << 20
"""Bytes of a piece, about."""

_CUT: Final = b'\n{"type":"game-started"'
_PIECES_OF_A_LOG: Final = 4
"""A log, or what holds no opening, that is longer than so many pieces is judged without pieces."""

_ENOUGH_TO_KNOW: Final = 4  # bytes that tell whether a stream is packed
_READ_AT_ONCE: Final = 1 << 16


class Submit(Protocol):
    """Has a function called somewhere and returns what waits for its answer."""

    def __call__(self, what: str, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:  # noqa: ANN401 - any function
        """Take a function, its arguments, and for people what it judges."""


@frozen
class Task:
    """Work under way.

    Attributes:
        reports: Yields what came of it, once all tasks before have been asked.
        is_urgent: Whether it has to be asked before another task is begun.
    """

    reports: Callable[[], Iterator[Report]]
    is_urgent: bool = False


class Splitter:
    """Judges a stream in pieces.

    Args:
        stream: The logs, packed or not.
        file: What the reports call the stream.
        submit: Has pieces judged.
        size: How many bytes a piece has, about.
        enough: Where the stream has no more bytes, it is not worth pieces.
        reading: How the logs are read.
    """

    def __init__(
        self,
        stream: io.BufferedReader,
        file: str,
        submit: Submit,
        size: int = PIECE,
        enough: int = 0,
        **reading: Unpack[Reading],
    ) -> None:
        self._stream = stream
        self._file = file
        self._submit = submit
        self._size = size
        self._enough = enough
        self._reading = reading
        # What is cut off has been unpacked; nothing in it must be taken for packed.
        self._inside: Reading = {**reading, "is_inside": True}
        self._held = b""  # what was read and belongs to no piece yet
        self._error: OSError | None = None
        self._is_at_end = False
        self._offset = 0
        # Of what was reported:
        self._lines = 0
        self._logs = 0
        self._open = b""  # a log that may go on in the next piece
        self._is_whole = False  # whether the rest is judged without pieces

    def tasks(self) -> Generator[Task]:
        """Yield the work, piece by piece; the stream has to stay open until the next one is asked for."""
        if not self._is_fit():
            whole = partial(validate, self._stream, self._file, **self._reading)
            yield Task(whole, is_urgent=True)
            return
        self._fill(self._enough)
        self._is_whole = self._is_at_end
        while not self._is_whole and (piece := self._piece()) is not None:
            what = f"{self._file} from byte {self._offset} on"
            self._offset += len(piece)
            is_last = self._is_at_end
            answer = self._submit(what, judge_piece, piece, is_last, self._inside)
            yield Task(partial(self._reports, piece, is_last, answer))
            if is_last:
                return
        yield Task(self._rest, is_urgent=True)

    # Cutting

    def _is_fit(self) -> bool:
        """Return whether the stream can be cut, and open it where it is packed."""
        limits = self._reading.get("limits", LIMITS)
        most = limits.unpacked
        try:
            head = self._stream.peek()
        except OSError:
            return False
        if len(head) < _ENOUGH_TO_KNOW:
            return False
        if most is not None and is_packed(head):
            try:
                first = self._stream.readline(limits.line + 2)  # as a reader of lines does
            except OSError as error:
                self._error = error
            else:
                self._stream = cast("io.BufferedReader", unpacked(first, self._stream, most))
        return True

    def _piece(self) -> bytes | None:
        """Return the next piece; nothing where no place to cut is near or the stream cannot be read."""
        start = 0
        for wanted in range(self._size, self._size * _PIECES_OF_A_LOG + 1, self._size):
            self._fill(wanted)
            if self._is_at_end:
                piece, self._held = self._held, b""
                return piece
            # An opening that is not there to its end may never come to be read.
            end = max(min(wanted, self._held.rfind(b"\n")), 0)
            place = self._held.rfind(_CUT, start, end) + 1
            if place:
                piece, self._held = self._held[:place], self._held[place:]
                return piece
            start = max(end - len(_CUT), 0)
        return None

    def _fill(self, wanted: int) -> None:
        pieces, size = [self._held], len(self._held)
        while size < wanted and (more := self._more()):
            pieces.append(more)
            size += len(more)
        self._held = b"".join(pieces)

    def _more(self) -> bytes:
        """Return more of the stream, in the portions in which a reader of lines would get it."""
        if self._error is None and not self._is_at_end:
            try:
                data = self._stream.read1()
            except OSError as error:
                self._error = error
            else:
                self._is_at_end = not data
                return data
        return b""

    # Reporting

    def _reports(self, piece: bytes, is_last: bool, answer: Callable[[], Outcome | None]) -> Iterator[Report]:
        outcome = None if self._is_whole else answer()
        if outcome is None:
            self._is_whole = True
            self._open += piece
            if is_last:
                yield from self._rest()
            return
        if self._open:
            outcome = joined(self._open, piece, is_last, outcome, self._inside)
            piece = self._open + piece
        for report in outcome.reports:
            yield moved(report, self._file, self._lines, self._logs)
        self._logs += len(outcome.reports)
        if outcome.open_line is None:
            self._lines += outcome.lines
            self._open = b""
        else:
            self._lines += outcome.open_line - 1
            self._open = piece.split(b"\n", outcome.open_line - 1)[-1]
            self._is_whole = len(self._open) > self._size * _PIECES_OF_A_LOG

    def _rest(self) -> Iterator[Report]:
        """Judge what is left without pieces."""
        held, self._open, self._held = self._open + self._held, b"", b""
        stream = io.BufferedReader(_Rest(held, self._read), _READ_AT_ONCE)
        for report in validate(stream, **self._inside):
            yield moved(report, self._file, self._lines, self._logs)

    def _read(self) -> bytes:
        data = self._more()
        if self._error is not None:
            raise self._error
        return data


class _Rest(io.RawIOBase):
    """What was read of a stream already, and then the rest of it."""

    def __init__(self, held: bytes, read: Callable[[], bytes]) -> None:
        super().__init__()
        self._held = memoryview(held)
        self._read = read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever has room for bytes
        self._held = self._held or memoryview(self._read())
        count = min(len(buffer), len(self._held))
        buffer[:count] = self._held[:count]
        self._held = self._held[count:]
        return count
