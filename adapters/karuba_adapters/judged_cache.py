"""Logs that were judged before: what was said of a file, by its bytes, its judge and how it was read.

A cache is an SQLite file. Whatever is wrong with it makes files be judged again, and never a verdict: a row
is taken only where its own digest is right. It only grows; who wants it smaller deletes it.
"""

import hashlib
import json
import os
import platform
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from attrs import astuple

from karuba_adapters.findings import Finding, Report
from karuba_adapters.judging import Reading
from karuba_adapters.limits import LIMITS

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_OURS: Final = 0x4B617275  # "Karu", where SQLite keeps whose file it is
_OTHER: Final = "it is no cache, but some other file"
_LEAST: Final = 512  # bytes of a database
_PATIENCE: Final = 2.0  # seconds to wait for another process that writes
_WRITTEN_AT_ONCE: Final = 100
_DIGEST: Final = 32


class NoCache(ValueError):
    """There is a file, but it is no cache; it stays as it is."""


class Cache:
    """What was said of files before.

    Args:
        path: The SQLite file, which is made where there is none.
        reading: How the logs are read.

    Attributes:
        trouble: Why it is not used, or not written any more; judging goes on without it.

    Raises:
        NoCache: The file is something else.
    """

    def __init__(self, path: Path | str, **reading: Unpack[Reading]) -> None:
        self.trouble: str | None = None
        self._path = os.path.abspath(path)  # noqa: PTH100 - a name alone may mean no file to SQLite
        self._reading = reading
        limits = astuple(reading.get("limits", LIMITS))
        options = reading.get("split", False), reading.get("keep_going", False)
        self._judge = _judge_digest() + repr((limits, options)).encode()
        self._new: dict[bytes, bytes] = {}
        self._base: sqlite3.Connection | None = None
        self._is_unreadable = False
        # Not in mode WAL, which needs memory that all users share: on a network share there is none.
        if not _may_be_database(self._path):
            raise NoCache(_OTHER)
        with self._bearing_trouble():
            self._base = sqlite3.connect(self._path, _PATIENCE, isolation_level=None)
            try:
                _claim(self._base)
            except (sqlite3.Error, NoCache) as error:
                self._base.close()
                self._base = None
                if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
                    raise NoCache(_OTHER) from None
                raise

    def find(self, digest: bytes, file: str) -> list[Report] | None:
        """Return what was said of a file with these bytes; nothing where that is not known for sure."""
        if self._base is None or self._is_unreadable:
            return None
        key = self._key(digest)
        self._is_unreadable = True  # to wait for a lock once is enough
        with self._bearing_trouble():
            rows = self._base.execute(
                "SELECT CAST(reports AS BLOB) FROM judged WHERE key = ? AND reports NOTNULL", (key,)
            ).fetchall()
            self._is_unreadable = False
            return _unpacked(key, rows[0][0], file) if rows else None
        return None

    def keep(self, digest: bytes, reports: Iterable[Report]) -> None:
        """Keep what was said of a file with these bytes."""
        key = self._key(digest)
        self._new[key] = _packed(key, reports)
        if len(self._new) >= _WRITTEN_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what is to be kept."""
        new, self._new = self._new, {}
        if new and self._base is not None and self.trouble is None:
            with self._bearing_trouble(), self._base as base:
                base.execute("BEGIN IMMEDIATE")
                base.executemany("INSERT OR REPLACE INTO judged VALUES (?, ?)", new.items())

    def close(self) -> None:
        """Write what is to be kept, and let the file go."""
        self.flush()
        if self._base is not None:
            self._base.close()
            self._base = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process that gets this cache open it by itself, once."""
        return _reopened, (self._path, tuple(sorted(self._reading.items())))

    def _key(self, digest: bytes) -> bytes:
        return hashlib.sha256(digest + self._judge).digest()

    @contextmanager
    def _bearing_trouble(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self.trouble = self.trouble or str(error)


@cache
def _reopened(path: str, reading: tuple[tuple[str, Any], ...]) -> Cache:
    return Cache(path, **dict(reading))


def _may_be_database(path: str) -> bool:
    """Return whether SQLite may have a file: one of very few bytes it takes for empty, and writes over it.

    The file is not opened for that: to close it again would end the locks that this process has on it.
    """
    try:
        size = os.stat(path).st_size  # noqa: PTH116 - takes any name
    except OSError:
        size = 0
    if size == 0:  # SQLite would take a file beside it for what is left of an earlier one, and remove it
        return not any(os.path.lexists(path + end) for end in ("-journal", "-wal", "-shm"))
    return size >= _LEAST


def _claim(base: sqlite3.Connection) -> None:
    """Make sure that a file is a cache; an empty one becomes one."""
    if _is_ours(base):
        return
    with base:
        base.execute("BEGIN IMMEDIATE")
        if not _is_ours(base):  # another process may have been quicker
            base.execute("CREATE TABLE judged (key BLOB PRIMARY KEY, reports BLOB NOT NULL) WITHOUT ROWID")
            base.execute(f"PRAGMA application_id = {_OURS}")


def _is_ours(base: sqlite3.Connection) -> bool:
    if base.execute("PRAGMA application_id").fetchone() == (_OURS,):
        return True
    others = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if others != (0,) or base.execute("PRAGMA application_id").fetchone() != (0,):
        raise NoCache("it is a database of another program")
    return False


# Rows


def _packed(key: bytes, reports: Iterable[Report]) -> bytes:
    """Return reports as a row, without the name of their file."""
    text = json.dumps([astuple(report)[1:] for report in reports], separators=(",", ":")).encode()
    return hashlib.sha256(key + text).digest() + text


def _unpacked(key: bytes, row: bytes, file: str) -> list[Report] | None:
    if hashlib.sha256(key + row[_DIGEST:]).digest() != row[:_DIGEST]:
        return None
    # The digest is right, so this is what some `_packed` wrote, and the key tells that it was this one.
    written: Callable[..., Report] = Report
    rows = json.loads(row[_DIGEST:])
    return [written(file, *facts, tuple(Finding(*each) for each in findings)) for *facts, findings in rows]


# Keys


@cache
def _judge_digest() -> bytes:
    """Return a digest of all that a verdict follows from, beside the log: the code as it is installed."""
    from importlib.resources import files  # noqa: PLC0415 - only who has a cache needs it

    beside = [platform.python_version(), *map(_version, ("attrs", "backports.zstd", "cattrs", "orjson"))]
    digest = hashlib.sha256(repr(beside).encode())
    for package in ("karuba_core", "karuba_adapters"):
        for name, content in _contents(package, files(package)):
            digest.update(repr((name, len(content))).encode() + content)
    return digest.digest()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:  # the standard library has what it would bring
        return None


def _contents(name: str, place: "Traversable") -> Iterator[tuple[str, bytes]]:
    if place.is_file():
        yield name, place.read_bytes()
    elif place.name != "__pycache__":
        for below in sorted(place.iterdir(), key=lambda each: each.name):
            yield from _contents(f"{name}/{below.name}", below)
