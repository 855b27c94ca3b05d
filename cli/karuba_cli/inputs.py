"""Where logs come from: files, folders, standard input."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karuba_adapters import Report
    from karuba_adapters.judging import Observer

STANDARD_INPUT = Path("-")


def judged(paths: Iterable[Path], observe: "Observer | None" = None) -> Iterator["Report"]:
    """Yield the reports of all logs in files, folders (every `*.jsonl` below) and `-`, in order.

    Args:
        paths: What the user named.
        observe: Is called with every record found right.
    """
    from karuba_adapters import validate, validate_file

    for path in paths:
        if path == STANDARD_INPUT:
            yield from validate(sys.stdin.buffer, "-", observe)
        elif path.is_dir():
            for file in _logs_below(path):
                yield from validate_file(file, observe)
        else:
            yield from validate_file(path, observe)


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
