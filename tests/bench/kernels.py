"""The work that is measured, from the text of a line to the verdict on a log; only public names are used.

`run.py` times it, `counts.py` counts its instructions, `compare.py` sets two revisions of it side by side.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from types import MappingProxyType
from typing import Any, Final

import orjson
from attrs import frozen

from karuba_adapters import read_events, read_records, validate
from karuba_core import Event, GameStarted, check, fold
from tests.bench.measuring import Work

Games = Sequence[Sequence[Event]]


@frozen
class Kernel:
    """A kind of work on a stream of logs.

    Attributes:
        prepare: Makes of the stream what the work begins with; its time does not count.
        work: Does it, and returns how many lines or events there were.
    """

    prepare: Callable[[bytes], Any]
    work: Callable[[Any], int]


def lines_of(stream: bytes) -> list[bytes]:
    """Return the lines of a stream."""
    return stream.splitlines(keepends=True)


def games_of(stream: bytes) -> list[list[Event]]:
    """Return the events of each game of a stream."""
    games: list[list[Event]] = []
    for event in read_events(io.BytesIO(stream)):
        if isinstance(event, GameStarted):
            games.append([])
        games[-1].append(event)
    return games


def parse(lines: Sequence[bytes]) -> int:
    """Do what all else is measured by."""
    for line in lines:
        orjson.loads(line)
    return len(lines)


def decode(stream: bytes) -> int:
    """Read each line strictly, to its record."""
    return sum(1 for _ in read_records(io.BytesIO(stream)))


def judge(stream: bytes) -> int:
    """Validate logs, all of which are right."""
    lines = 0
    for report in validate(io.BytesIO(stream)):
        assert report.verdict == "valid", report
        lines += report.records
    return lines


def fold_all(games: Games) -> int:
    """Fold games, trusting their events."""
    for events in games:
        fold(events)
    return sum(map(len, games))


def check_all(games: Games) -> int:
    """Fold games, deciding every event again."""
    for first, *others in games:
        game = fold([first])
        for event in others:
            game = check(game, event)
    return sum(map(len, games))


KERNELS: Final[Mapping[str, Kernel]] = MappingProxyType(
    {
        "orjson.loads": Kernel(lines_of, parse),
        "decode": Kernel(bytes, decode),
        "validate": Kernel(bytes, judge),
        "fold": Kernel(games_of, fold_all),
        "check": Kernel(games_of, check_all),
    }
)


def in_turn(kernel: Kernel, streams: Sequence[bytes]) -> Work:
    """Return the work of a kernel on one stream after the other, so that none comes again soon.

    A reader may remember lines that it has read; no figure should live on the same games read over and over.
    """
    prepared = cycle([kernel.prepare(stream) for stream in streams])
    return lambda: kernel.work(next(prepared))
