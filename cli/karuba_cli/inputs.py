"""Where logs come from: files, folders, patterns that no shell has expanded, standard input."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

import typer

if TYPE_CHECKING:
    from karuba_adapters import Report
    from karuba_adapters.judging import Observer, Reader, Reading
    from karuba_adapters.parallel.sources import Source

STANDARD_INPUT: Final = "-"
LOGS: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""How the names of logs end, where a folder stands for all logs below it."""

_Source = tuple[str, str | None]
"""A file, and what keeps it from being opened; usually nothing."""


def one_file(name: str) -> str:
    """Return the name of an argument that stands for one file; anything else is wrong usage."""
    if _is_pattern(name):
        matches = [*_matching(name)]
        if len(matches) > 1:
            raise typer.BadParameter(f"expected one file, got a pattern that matches {len(matches)}")
        name = str(matches[0]) if matches else name
    if name != STANDARD_INPUT and os.path.isdir(name):  # noqa: PTH112 - takes any name
        raise typer.BadParameter("expected a file, got a folder")
    return name


def judged(
    names: Iterable[str],
    observe: "Observer | None" = None,
    read: "Reader | None" = None,
    **reading: Unpack["Reading"],
) -> Iterator["Report"]:
    """Yield the reports of all logs in files, folders, patterns and `-`, in order.

    Args:
        names: What the user named; text, since a path would make `-` of `./-`.
        observe: Is called with every record found right.
        read: Makes lines of a file, where they are not to be judged as they stand.
        reading: How they are read, as `validate` takes it.
    """
    from karuba_adapters import unread, validate, validate_file

    for file, hindrance in _sources(names):
        if hindrance is not None:
            yield unread(file, hindrance)
        elif file != STANDARD_INPUT:
            yield from validate_file(file, observe, read, **reading)
        else:
            yield from validate(sys.stdin.buffer, STANDARD_INPUT, observe, read, **reading)


def sources(names: Iterable[str]) -> Iterator["Source"]:
    """Yield what names, patterns and folders stand for, as `parallel.validate_sources` takes it."""
    from karuba_adapters.parallel.sources import Source

    for file, hindrance in _sources(names):
        is_stream = file == STANDARD_INPUT and hindrance is None
        yield Source(file, sys.stdin.buffer if is_stream else None, hindrance)


def count_files(names: Iterable[str]) -> int:
    """Return how many files there are to judge."""
    return sum(1 for _ in _sources(names))


def usable_cores() -> int:
    """Return how many cores this process may use, one at least."""
    if hasattr(os, "process_cpu_count"):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def are_long(names: Iterable[str], size: int) -> bool:
    """Return whether files have more bytes to judge: what is packed counts eightfold, a pipe nothing."""
    left = size
    for file, hindrance in _sources(names):
        if hindrance is not None:
            continue
        with suppress(OSError, ValueError):
            found = os.fstat(sys.stdin.fileno()) if file == STANDARD_INPUT else os.stat(file)  # noqa: PTH116 - takes any name
            left -= found.st_size * (8 if file.endswith(LOGS[1:]) else 1)
        if left < 0:
            return True
    return False


def is_among(file: str, names: Iterable[str]) -> bool:
    """Return whether a file is one of those to judge, by whatever name."""
    if not os.path.exists(file):  # noqa: PTH110 - takes any name
        return False
    return any(_is_same(file, source) for source, hindrance in _sources(names) if hindrance is None)


def _is_same(file: str, source: str) -> bool:
    """Return whether a file that exists is a source, or what standard input is read from."""
    if source != STANDARD_INPUT:
        return os.path.exists(source) and os.path.samefile(file, source)  # noqa: PTH110, PTH121 - takes any name
    with suppress(OSError, ValueError):  # what stands in for standard input may be no file
        return os.path.samestat(os.stat(file), os.fstat(sys.stdin.fileno()))  # noqa: PTH116 - takes any name
    return False


def _sources(names: Iterable[str]) -> Iterator[_Source]:
    for name in names:
        if name == STANDARD_INPUT:
            yield name, "it is closed" if sys.stdin is None else None
        elif _is_pattern(name):
            matches = sorted(_matching(name))
            for match in matches:
                yield from _logs_below(match) if match.is_dir() else [(_named(match), _hindrance(match))]
            if not matches:
                yield name, "there is no such file, and nothing matches the pattern"
        elif os.path.isdir(name):  # noqa: PTH112 - takes any name
            yield from _logs_below(Path(name))
        else:  # whatever it is, a pipe say, it was asked for
            yield name, None


def _named(path: Path) -> str:
    """Return a path so that it is not taken for standard input."""
    return f".{os.sep}-" if str(path) == STANDARD_INPUT else str(path)


def _hindrance(path: Path) -> str | None:
    """Return what keeps a file from being opened that was found and not named; the system knows more."""
    if path.is_file() or not path.exists() or path.is_dir():
        return None
    return "it is no regular file"  # a pipe, say, that nobody may ever write to


# Folders


def _logs_below(folder: Path) -> Iterator[_Source]:
    """Yield the logs of a folder by name; a folder below that cannot be listed stands for itself."""
    is_empty = True
    for here, files, reason in _walk(folder):
        if reason is not None:
            yield str(here), reason
            is_empty = False
        for path in (here / file for file in files if file.endswith(LOGS)):
            yield _named(path), _hindrance(path)
            is_empty = False
    if is_empty:
        yield str(folder), f"no {', '.join(f'*{end}' for end in LOGS[:-1])} or *{LOGS[-1]} lies below"


def _walk(folder: Path) -> Iterator[tuple[Path, list[str], str | None]]:
    """Yield a folder and all below, none of them linked, each with its files, by name.

    A folder that cannot be listed has none, and the reason beside them. However deep the folders are:
    the standard library's own walk calls itself in some versions of Python.
    """
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            yield here, [], str(error.strerror)
            continue
        folders = [entry.name for entry in entries if _is_folder(entry)]
        yield here, [entry.name for entry in entries if not _is_folder(entry)], None
        waiting += [here / name for name in reversed(folders) if not _is_link(here / name)]


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_link(path: Path) -> bool:
    return path.is_symlink() or getattr(os.path, "isjunction", lambda _: False)(path)


# Patterns


def _is_pattern(name: str) -> bool:
    """Return whether a name is a pattern; one that exists is taken as it is, whatever it looks like."""
    return name != STANDARD_INPUT and has_magic(name) and not os.path.lexists(name)


def _matching(pattern: str) -> Iterator[Path]:
    """Yield all files and folders that a pattern stands for, each once.

    As in a shell, `*` and `?` stand for no leading dot, and `**` for any folders, none of them linked.
    A folder that cannot be listed stands for itself, so that nothing is passed by in silence.
    """
    path = Path(pattern)
    start, parts = (Path(path.anchor), path.parts[1:]) if path.anchor else (Path(), path.parts)
    return iter(dict.fromkeys(_matches(start, parts)))


def _matches(folder: Path, parts: Sequence[str]) -> Iterator[Path]:
    if not parts or parts == ("**",):
        yield folder
        return
    first, rest = parts[0], parts[1:]
    if first == "**":
        for below, _, _ in _walk(folder):
            if not any(map(_is_hidden, below.parts[len(folder.parts) :])):
                yield from _matches(below, rest)
    elif not has_magic(first):
        if os.path.lexists(folder / first):
            yield from _matches(folder / first, rest)
    elif (names := _names_in(folder)) is None:
        yield folder
    else:
        for name in names:
            if fnmatch(name, first) and _is_hidden(name) <= _is_hidden(first):
                yield from _matches(folder / name, rest)


def _names_in(folder: Path) -> list[str] | None:
    """Return what lies in a folder, or None where it cannot be listed; in what is no folder lies nothing."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names are wanted
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        return None


def _is_hidden(name: str) -> bool:
    return name.startswith(".")
