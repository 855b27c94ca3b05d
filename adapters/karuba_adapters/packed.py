"""Packed logs, gzip and Zstandard: known by their first bytes, and unpacked while they are read.

No log begins with such bytes, so nothing that could be one is taken for packed. A file may hold several
archives one after another; what else follows makes the rest unreadable. What is unpacked is no further
looked into: an archive in an archive is no log.
"""

import errno
import io
import sys
import zlib
from gzip import BadGzipFile, GzipFile
from typing import Any, BinaryIO, Final

_GZIP: Final = b"\x1f\x8b\x08"
_ZSTD: Final = (
    b"\x28\xb5\x2f\xfd",
    *(bytes([0x50 + kind]) + b"\x2a\x4d\x18" for kind in range(16)),  # frames to skip, which may come first
)


def is_packed(first: bytes) -> bool:
    """Return whether a file that begins so is packed."""
    return first.startswith((_GZIP, *_ZSTD))


def unpacked(first: bytes, stream: BinaryIO, most: int) -> BinaryIO:
    """Return a stream of what a packed one holds; its reading raises OSError where that ends or is damaged.

    Memory is bounded, whatever the archive claims: some hundred kilobytes for gzip, and for Zstandard its
    window, of which no more than 128 MiB is granted.

    Args:
        first: The beginning of the packed stream, which has been read already.
        stream: The rest of it.
        most: How many bytes may be unpacked before it is taken for a trap.
    """
    source: Any = _Joined(first, stream)
    if first.startswith(_GZIP):
        return io.BufferedReader(_Unpacking(GzipFile(fileobj=source, mode="rb"), (zlib.error,), most))
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdError, ZstdFile  # noqa: PLC0415 - few logs need it
    else:
        from backports.zstd import ZstdError, ZstdFile  # noqa: PLC0415 - few logs need it
    return io.BufferedReader(_Unpacking(ZstdFile(source), (ZstdError,), most))


class _Joined:
    """A stream of which the beginning was read already, with as much of a file as an archive asks for."""

    def __init__(self, first: bytes, stream: BinaryIO) -> None:
        self._first = io.BytesIO(first)
        self._read = getattr(stream, "read1", stream.read)  # of a pipe, what is there

    def read(self, size: int) -> bytes:
        return self._first.read(size) or self._read(size) or b""


class _Unpacking(io.RawIOBase):
    """What an archive holds, up to a limit; its faults are put in words."""

    def __init__(self, archive: Any, damage: tuple[type[Exception], ...], most: int) -> None:  # noqa: ANN401 - a gzip or a Zstandard file
        super().__init__()
        self._archive = archive
        self._damage: tuple[type[Exception], ...] = (BadGzipFile, *damage)
        self._most = most
        self._left = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever has room for bytes
        try:
            piece: bytes = self._archive.read1(min(len(buffer), self._left or 1))
        except EOFError:
            raise OSError(errno.EIO, "the archive is cut off") from None
        except self._damage as error:
            raise OSError(errno.EIO, f"the archive is damaged: {error}") from None
        if len(piece) > self._left:
            raise OSError(errno.EFBIG, f"it unpacks to more than {self._most} bytes, the most that are read")
        self._left -= len(piece)
        buffer[: len(piece)] = piece
        return len(piece)
