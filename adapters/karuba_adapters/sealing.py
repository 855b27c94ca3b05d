"""Sealing logs as they stand, byte for byte."""

from collections.abc import Callable

from karuba_adapters.codec import Seal, encode
from karuba_adapters.findings import Report
from karuba_adapters.judging import Right
from karuba_adapters.log_writing import SealMaker
from karuba_core import GameStarted


class Sealer:
    """Copies judged logs, one after another, with a seal at the end of each that has none.

    Only a line feed that the last record lacks is added to what stands there; the seal counts it.

    Args:
        write: Takes the bytes.

    Attributes:
        sealed: How many seals were made.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.sealed = 0
        self._write = write
        self._seal = SealMaker()

    def take(self, right: Right) -> None:
        """Copy a right record."""
        if isinstance(right.message, GameStarted):
            self._seal = SealMaker()
        text = right.text
        if not isinstance(right.message, Seal) and not text.endswith(b"\n"):
            text += b"\n"
        self._seal.add(text)
        self._write(text)

    def end(self, report: Report) -> None:
        """Seal the log whose records were taken, if it is right and has no seal."""
        if not report.findings and not report.is_sealed:
            self._write(encode(self._seal.seal()))
            self.sealed += 1
