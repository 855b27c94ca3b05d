"""Where a corpus lies: the files that names, folders and patterns stand for, on any file system of fsspec."""

import errno
import io
import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from glob import has_magic
from typing import Any, BinaryIO, Final, cast

from attrs import frozen

from karuba_adapters.judging import told_name
from karuba_adapters.log_files import open_file

ENDS: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
"""How the names end that a folder stands for."""

_READ_AT_ONCE: Final = 1 << 20


@frozen
class Piece:
    """A file, or row groups of one: what one worker judges without a break.

    Attributes:
        name: What the reports call the file.
        files: The file system of it.
        path: Where the file lies there.
        size: How many bytes it has, as far as known.
        groups: The row groups to judge; None for all that there is.
        hindrance: What keeps it from being opened; usually nothing.
    """

    name: str
    files: Any = None
    path: str = ""
    size: int = 0
    groups: range | None = None
    hindrance: str | None = None


def reason_of(error: Exception) -> str:
    """Return why something cannot be read, in the words of whoever knows, on one line."""
    return " ".join((getattr(error, "strerror", None) or str(error) or type(error).__name__).split())


def pieces_of(url: str) -> Iterator[Piece]:
    """Yield the files that a name stands for; one that exists is taken as it is, whatever it looks like."""
    from fsspec.core import url_to_fs  # noqa: PLC0415 - optional

    try:
        files, path = url_to_fs(url, use_listings_cache=False)
    except Exception as error:  # noqa: BLE001 - a file system may raise anything
        yield Piece(told_name(url), hindrance=reason_of(error))
        return
    try:
        entry = files.info(path)
    except Exception:  # noqa: BLE001 - the worker that finds the same tells of it
        entry = None
    head, mark, chain = url.partition("::")
    if entry is not None and entry["type"] == "directory":
        yield from _below(files, path, _naming(head, path, mark + chain))
    elif entry is None and has_magic(url):
        yield from _matching(files, path, url)
    else:
        yield Piece(told_name(url), files, path, (entry or {}).get("size") or 0)


def _matching(files: Any, pattern: str, url: str) -> Iterator[Piece]:  # noqa: ANN401 - any file system
    """Yield the files that a pattern stands for, and of matching folders those below, by name.

    As in a shell, `*` and `?` stand for no leading dot, and `**` for any folders, none of them linked.
    """
    from fsspec.core import url_to_fs  # noqa: PLC0415 - optional

    head, mark, chain = url.partition("::")
    folder = re.sub(r"[^/\\]*[*?[].*", "", head, count=1, flags=re.DOTALL)
    root = url_to_fs(folder + mark + chain)[1]
    name = _naming(folder, root, mark + chain)
    wanted = pattern[len(root) :].strip("/").split("/")
    found = {entry["name"]: entry for entry in _matches(files, root, wanted)}  # two `**` match twice
    if not found:
        reason = "there is no such file, and nothing matches the pattern"
        yield Piece(told_name(url), hindrance=reason)
    for path in sorted(found, key=lambda path: path.split("/")):
        if "hindrance" not in found[path] and _kind(files, found[path]) == "directory":
            yield from _below(files, path, name)
        else:
            yield _entry_piece(files, found[path], name)


def _matches(files: Any, here: str, wanted: Sequence[str]) -> Iterator[Any]:  # noqa: ANN401 - any file system
    """Yield what matches the parts of a pattern below a folder; if that cannot be listed, what hinders it."""
    first, rest = wanted[0], wanted[1:]
    if first == "**":
        if not rest:
            yield {"name": here, "type": "directory"}
            return
        yield from _matches(files, here, rest)
    for entry in _entries(files, here):
        base = entry["name"].rpartition("/")[2]
        if "hindrance" in entry:
            yield entry
        elif base.startswith(".") and not first.startswith("."):
            continue
        elif first == "**":
            if entry["type"] == "directory":
                yield from _matches(files, entry["name"], wanted)
        elif fnmatchcase(base, first):
            yield from _leading_on(files, entry, rest)


def _leading_on(files: Any, entry: Any, rest: Sequence[str]) -> Iterator[Any]:  # noqa: ANN401 - any file system
    """Yield what matches the rest of a pattern in an entry; itself, where nothing is left of it."""
    if not rest:
        yield entry
    elif _kind(files, entry) == "directory":
        yield from _matches(files, entry["name"], rest)


def _entries(files: Any, folder: str) -> list[Any]:  # noqa: ANN401 - any file system
    """Return what lies in a folder, by name; of one that cannot be listed, only what hinders it."""
    try:
        entries = files.ls(folder, detail=True)
    except Exception as error:  # noqa: BLE001 - a file system may raise anything
        return [{"name": folder, "hindrance": reason_of(error)}]
    return sorted(
        (
            entry | {"name": entry["name"].rstrip("/")}
            for entry in entries
            if entry["name"].rstrip("/") != folder.rstrip("/")  # some systems list a folder in itself
        ),
        key=lambda entry: entry["name"],
    )


def _below(files: Any, folder: str, name: Callable[[str], str]) -> Iterator[Piece]:  # noqa: ANN401 - any file system
    """Yield the files below a folder by name, none of linked folders.

    A folder that cannot be listed stands for itself, so that nothing is passed by in silence.
    """
    waiting, is_empty = [folder], True
    while waiting:
        entries = _entries(files, waiting.pop())
        for entry in entries:
            if "hindrance" in entry or (entry["name"].endswith(ENDS) and _kind(files, entry) != "directory"):
                yield _entry_piece(files, entry, name)
                is_empty = False
        waiting += [entry["name"] for entry in reversed(entries) if entry.get("type") == "directory"]
    if is_empty:
        ends = ", ".join(f"*{end}" for end in ENDS[:-1])
        yield Piece(name(folder), hindrance=f"no {ends} or *{ENDS[-1]} lies below")


def _entry_piece(files: Any, entry: Any, name: Callable[[str], str]) -> Piece:  # noqa: ANN401 - any file system
    hindrance = entry.get("hindrance")
    if hindrance is None and _kind(files, entry) == "other":
        hindrance = "it is no regular file"  # a pipe, say, that nobody may ever write to
    return Piece(name(entry["name"]), files, entry["name"], entry.get("size") or 0, hindrance=hindrance)


def _kind(files: Any, entry: Any) -> str:  # noqa: ANN401 - any file system
    """Return what an entry of a list is; of a link, what it leads to."""
    if entry["type"] != "other":
        return str(entry["type"])
    try:
        return str(files.info(entry["name"])["type"])
    except OSError:  # it leads nowhere, which is told when it is opened
        return "file"


def _naming(folder: str, root: str, chain: str) -> Callable[[str], str]:
    """Return what calls the files below a folder, whose path is its root, after it, as its user would."""
    join = "" if not folder or folder.endswith(("/", "\\")) else "/"

    def name(path: str) -> str:
        rest = path[len(root) :].lstrip("/")
        return told_name((folder + join + rest if rest else folder) + chain)

    return name


def open_piece(piece: Piece) -> BinaryIO:
    """Open a file on whatever file system; that may raise anything, its reading an OSError."""
    from fsspec.implementations.local import LocalFileSystem  # noqa: PLC0415 - optional

    if isinstance(piece.files, LocalFileSystem):
        return open_file(piece.path)
    return io.BufferedReader(_Foreign(piece.files.open(piece.path, "rb")), _READ_AT_ONCE)


class _Foreign(io.RawIOBase):
    """A file of any file system; whatever hinders its reading is an OSError with a reason."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - whatever a file system opens
        super().__init__()
        self._stream = stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return cast("int", self._stream.seek(offset, whence))

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - whatever has room for bytes
        try:
            piece = self._stream.read(len(buffer))
        except Exception as error:
            raise OSError(errno.EIO, reason_of(error)) from error
        if not piece and self._stream.tell() < (getattr(self._stream, "size", None) or 0):
            raise OSError(errno.EIO, "the file has become shorter while it was read")
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._stream.close()
        super().close()
