"""Files that are judged once: looked up in a cache by their bytes, and kept there as they were judged."""

import hashlib
import io
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Any, Final, Unpack, cast

from karuba_adapters.findings import Report
from karuba_adapters.judged_cache import Cache
from karuba_adapters.judging import Reading, told_name, validate, validate_file
from karuba_adapters.log_files import open_file

_MOST: Final = 100_000
"""Logs and findings of a file that are kept; one with more of them is judged again each time."""
_READ_AT_ONCE: Final = 1 << 16


def digest_of(file: str) -> bytes | None:
    """Return the digest of a regular file; nothing where it is none, or cannot be read."""
    try:
        if not stat.S_ISREG(os.stat(file).st_mode):  # noqa: PTH116 - takes any name
            return None
        with open_file(file) as stream:
            return hashlib.file_digest(stream, "sha256").digest()  # type: ignore[arg-type]  # a BufferedReader
    except (OSError, ValueError):
        return None


class Keeper:
    """Reads a file and keeps what is said of it, under the digest of the very bytes that were read.

    Args:
        known: Where it is kept.
        file: The file.

    Attributes:
        stream: The file, to be judged.

    Raises:
        OSError: The system does not let it be opened.
    """

    def __init__(self, known: Cache, file: str) -> None:
        self._known = known
        self._hashed = _Hashed(file)
        self.stream: io.BufferedReader = io.BufferedReader(self._hashed, _READ_AT_ONCE)
        self._reports: list[Report] = []
        self._room = _MOST

    def over(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Yield reports of the file, and note them."""
        for report in reports:
            self._room -= 1 + len(report.findings)
            if self._room >= 0 and report.verdict != "unread":
                self._reports.append(report)
            else:
                self._room = -1
            yield report

    def keep(self) -> None:
        """Keep all that was said; nothing of a file that was not read to its end, or is too much."""
        if self._room >= 0 and self._hashed.is_whole:
            self._known.keep(self._hashed.digest.digest(), self._reports)


class _Hashed(io.RawIOBase):
    """A file that hashes what is read of it."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self._raw: io.RawIOBase = cast("io.BufferedReader", open_file(file)).detach()
        self.digest = hashlib.sha256()
        self.is_whole = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever has room for bytes
        count = self._raw.readinto(buffer) or 0
        self.digest.update(memoryview(buffer)[:count])
        self.is_whole = count == 0
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


def validate_cached(file: str, known: Cache, **reading: Unpack[Reading]) -> Iterator[Report]:
    """Yield the reports of a file as `validate_file` does, from a cache where that knows its bytes.

    Args:
        file: The file; only a regular one is looked up.
        known: The cache.
        reading: How the file is read, as the cache was told.
    """
    digest = digest_of(file)
    if digest is not None and (reports := known.find(digest, told_name(file))) is not None:
        yield from reports
        return
    try:
        keeper = None if digest is None else Keeper(known, file)
    except OSError:
        keeper = None
    if keeper is None:
        yield from validate_file(file, **reading)
        return
    with keeper.stream as stream:
        yield from keeper.over(validate(stream, told_name(file), **reading))
    keeper.keep()
