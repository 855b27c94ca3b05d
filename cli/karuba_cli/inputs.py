"""Where logs come from: files, folders, standard input."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from karuba_adapters import Report
    from karuba_adapters.judging import Observer

STANDARD_INPUT = "-"


def one_file(name: str) -> str:
    """Return the name of an argument that stands for one file; a folder is wrong usage."""
    if os.path.isdir(name):  # noqa: PTH112 - takes any name
        raise typer.BadParameter("expected a file, got a folder")
    return name


def judged(names: Iterable[str], observe: "Observer | None" = None) -> Iterator["Report"]:
    """Yield the reports of all logs in files, folders (every `*.jsonl` below) and `-`, in order.

    Args:
        names: What the user named; text, since a path would make `-` of `./-`.
        observe: Is called with every record found right.
    """
    from karuba_adapters import unread, validate, validate_file

    for name in names:
        if os.path.isdir(name):  # noqa: PTH112 - takes any name
            yield from _judged_below(Path(name), observe)
        elif name != STANDARD_INPUT:
            yield from validate_file(Path(name), observe)
        elif sys.stdin is None:
            yield unread(STANDARD_INPUT, "it is closed")
        else:
            yield from validate(sys.stdin.buffer, STANDARD_INPUT, observe)


def _judged_below(folder: Path, observe: "Observer | None") -> Iterator["Report"]:
    from karuba_adapters import unread, validate_file

    is_empty = True
    for file in _logs_below(folder):
        is_empty = False
        if file.is_file() or not file.exists() or file.is_dir():
            yield from validate_file(file, observe)
        else:  # a pipe, say, that nobody may ever write to
            yield unread(str(file), "it is no regular file")
    if is_empty:
        yield unread(str(folder), "no *.jsonl lies below")


def _logs_below(folder: Path) -> Iterator[Path]:
    """Yield the logs of a folder by name; a folder below that cannot be listed stands for itself."""
    unlisted: list[Path] = []

    def remember(error: OSError) -> None:
        unlisted.append(Path(error.filename))

    for parent, folders, files in os.walk(folder, onerror=remember):
        yield from unlisted
        unlisted.clear()
        folders.sort()
        yield from (Path(parent, file) for file in sorted(files) if file.endswith(".jsonl"))
    yield from unlisted
