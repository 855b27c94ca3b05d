"""Files that are replaced whole or not at all, and the lock that all writers of one log share."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from filelock import FileLock


def lock_of(path: Path, patience: float) -> FileLock:
    """Return the lock of a log: a file beside it, which is never removed.

    The log itself cannot be the lock: it may be replaced while another waits for it, and on
    Windows nobody could read what is locked.

    Args:
        path: The log, which need not be there.
        patience: How many seconds to wait for others; after them there is a `TimeoutError`.

    Raises:
        OSError: There is no such folder.
    """
    path = _resolved(path)
    if not path.parent.is_dir():  # which the lock would make
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    return FileLock(f"{path}.lock", timeout=patience)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a stream whose bytes take the place of a file when the block ends, all at once and on disk.

    Where the block raises, or the process ends in it, the file stays as it was; a process that is
    killed leaves a `.karuba-….tmp` beside it. A link goes on pointing at the file; mode and owner stay.

    Args:
        path: The file, which need not be there; on Windows nobody may have it open at the end.

    Raises:
        OSError: The system does not let it be done, or it is no regular file, such as a device.
    """
    path = _resolved(path)
    check_regular(path)
    beside = path.with_name(f".karuba-{token_hex(8)}.tmp")
    try:
        with open(beside, "x+b", opener=_private if path.exists() else None) as stream:
            if path.exists():
                _take_over(path, beside)
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def check_regular(path: Path) -> None:
    """Refuse what exists and is no regular file.

    Raises:
        OSError: It is a folder, a device, a pipe; none of them can be written or replaced as a log.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no regular file", str(path))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # links that lead to each other; an OSError from Python 3.13 on
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)  # what it will hold may be nobody else's business


def _take_over(path: Path, beside: Path) -> None:
    """Give a new file the mode and the owner of the one that it will replace."""
    old, new = path.stat(), beside.stat()
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        os.chown(beside, old.st_uid, old.st_gid)
    shutil.copymode(path, beside)


def sync_folder(folder: Path) -> None:
    """Bring to disk which files a folder has, where the system can; Windows cannot."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems sync files alone
            raise
    finally:
        os.close(opened)
