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
    """Return the lock of a log: a file beside it, which stays there.

    The log itself cannot be the lock: it may be replaced while another waits for it, and on
    Windows nobody could read what is locked.

    Args:
        path: The log, which need not be there.
        patience: How many seconds to wait for others; after them there is a `TimeoutError`.
    """
    return FileLock(f"{path.resolve()}.lock", timeout=patience)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a stream whose bytes take the place of a file when the block ends, all at once and on disk.

    Where the block raises, or the process ends in it, the file stays as it was; a process that is
    killed leaves a `.karuba-….tmp` beside it. A link goes on pointing at the file.

    Args:
        path: The file, which need not be there; on Windows nobody may have it open at the end.
    """
    path = path.resolve()
    beside = path.with_name(f".karuba-{token_hex(8)}.tmp")
    try:
        with beside.open("x+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


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
