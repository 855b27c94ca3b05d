"""Games in the notation, read as logs of commands."""

import re
from collections.abc import Generator, Iterator
from typing import BinaryIO, Final

from attrs import Factory, define

from karuba_adapters.codec import Message, encode
from karuba_adapters.limits import LIMITS
from karuba_adapters.log_files import Line, numbered_lines
from karuba_adapters.log_writing import SealMaker
from karuba_adapters.notation.header import FIRST, Header, key_of
from karuba_adapters.notation.rounds import read_round
from karuba_adapters.notation.words import Words, unexpected
from karuba_adapters.records import Fault, Meta
from karuba_core import Game, GameStarted, InvalidSetup, Violation, start

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_ROUND: Final = re.compile(r"[ \t]*[0-9]")


def read_notation(stream: BinaryIO) -> Iterator[Line]:
    """Yield the lines of the logs of commands that games in the notation stand for.

    Each has the number of the line where it is written. A game is read up to its first fault (N-TEXT-4).

    Args:
        stream: The games, one after another, as bytes, packed by gzip or Zstandard or not.

    Raises:
        Unreadable: Where the stream cannot be read further.

    >>> import io
    >>> [(number, fault.code) for number, _, (fault,), _ in read_notation(io.BytesIO(b"1. e4 e5"))]
    [(1, 'notation/header')]
    """
    game: _Reading | None = None
    for number, line in numbered_lines(stream, LIMITS.line, LIMITS.unpacked):
        text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line  # N-TEXT-1
        if not text.strip():
            continue
        if game is None or key_of(text.decode(errors="replace")) == FIRST:
            if game is not None:
                yield from game.end(is_followed=True)
            game = _Reading(Header(number))
        yield from game.take(number, text)
    if game is not None:
        yield from game.end()


@define
class _Reading:
    """One game while it is read: its header, and the game so far, which begins with its first round."""

    header: Header
    game: Game | None = None
    last_line: int = 0
    is_stopped: bool = False
    seal: SealMaker = Factory(SealMaker)

    def take(self, number: int, line: bytes) -> Iterator[Line]:
        """Yield what the next line stands for; nothing after a fault."""
        self.last_line = number
        if not self.is_stopped:
            yield from self._up_to_fault(self._read(number, line))

    def end(self, *, is_followed: bool = False) -> Iterator[Line]:
        """Yield what is left of the game; a seal where another follows one that is not over (N-TEXT-3)."""
        if self.game is None and not self.is_stopped:
            yield from self._up_to_fault(self._opening())
        if is_followed and (self.game is None or self.game.phase != "over"):
            yield self.last_line, b"", self.seal.seal(), None

    def _up_to_fault(self, lines: Iterator[Line]) -> Iterator[Line]:
        try:
            yield from lines
        except Fault as fault:
            number, reasons = self.last_line, fault.faults
        except InvalidSetup as invalid:
            number, reasons = self.header.line_of(invalid.violations[0]), invalid.violations
        else:
            return
        self.is_stopped = True
        yield number, b"", reasons, None

    def _read(self, number: int, line: bytes) -> Iterator[Line]:
        text = _text(line)
        if _ROUND.match(text):
            game = self.game or (yield from self._opening())
            for given in read_round(game, text):
                self.game = given.game
                yield self._line(number, given.command, given.meta)
        elif self.game is None:
            self.header.take(number, text)
        else:
            what = "a round such as 12. 25 | b3, or the players of another game"
            raise unexpected("N-ROUND-1", Words(text).next(), what)

    def _opening(self) -> Generator[Line, None, Game]:
        setup = self.header.setup()
        self.game = game = start(setup).game
        yield self._line(self.header.first_line, GameStarted(setup), self.header.meta)
        return game

    def _line(self, number: int, message: Message, meta: Meta) -> Line:
        """Return a record as the line of a log that it would be."""
        text = encode(message, meta)
        self.seal.add(text)
        return number, text, message, meta


def _text(line: bytes) -> str:
    """Return a line as text, without its end (N-TEXT-1)."""
    if len(line.rstrip(b"\r\n")) > LIMITS.line:
        message = f"the line is longer than {LIMITS.line} bytes, the most that are read"
        raise Fault(Violation("text/line-too-long", "F-TEXT-6", "$", message))
    try:
        return line.decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} of the line, 0x{line[error.start]:02x}, is not UTF-8"
        raise Fault(Violation("text/not-utf8", "F-TEXT-2", "$", message)) from None
