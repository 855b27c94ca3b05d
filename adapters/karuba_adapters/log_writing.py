"""Records and seals of a log, written as a stream."""

import hashlib
from collections.abc import Callable, Iterable
from typing import BinaryIO, Final

from karuba_adapters.codec import Message, Seal, encode
from karuba_adapters.records import Meta
from karuba_core import GameStarted

_DIGEST: Final = "sha256:"
_HASHED_AT_ONCE: Final = 1 << 16


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
        return Seal(self.records, f"{_DIGEST}{self._digest.hexdigest()}")


def digest_of(data: bytes) -> str:
    """Return the digest of bytes, as a seal has it (F-SEAL-1)."""
    return f"{_DIGEST}{hashlib.sha256(data).hexdigest()}"


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

    def flush(self) -> None:
        """Write what waits: nothing does here."""


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
