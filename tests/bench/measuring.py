"""How work is measured: by CPU time, interleaved in short slices, as ratios of two sides in each round."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from attrs import frozen

SLICE: Final = 0.05
"""For how many seconds one side works at least before it is the next one's turn."""

Work = Callable[[], int]
"""Does a piece of work and returns how many items it has done: lines, events, plies."""


@frozen
class Scale:
    """How much is measured.

    Attributes:
        games: In a short stream of logs.
        rounds: Of which the median is taken.
        seconds: Of work a side in each round.
        peer_games: That a peer replays or plays in one piece of work.
        starts: Of each command whose start-up is measured.
    """

    games: int = 300
    rounds: int = 7
    seconds: float = 2.0
    peer_games: int = 9
    starts: int = 15


QUICK: Final = Scale(games=9, rounds=1, seconds=0.01, peer_games=1, starts=1)


def measured(sides: Mapping[str, Work], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Return the CPU seconds that an item of each side takes, in every round, after a pass to warm up.

    A round lasts until each side has worked for so many seconds.
    """
    for work in sides.values():
        work()
    gc.collect()
    gc.freeze()  # the corpus is no part of the work: the collector need not look through it
    found = [_measured_once(sides, seconds) for _ in range(rounds)]
    return {name: [costs[name] for costs in found] for name in sides}


def _measured_once(sides: Mapping[str, Work], seconds: float) -> dict[str, float]:
    """Return what an item of each side takes; they take turns until each has worked long enough."""
    spent, done = dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0)
    while min(spent.values()) < seconds:
        for name, work in sides.items():
            begin = time.process_time()
            while (used := time.process_time() - begin) < min(SLICE, seconds):
                done[name] += work()
            spent[name] += used
    return {name: spent[name] / done[name] for name in sides}


def ratios(above: Sequence[float], below: Sequence[float]) -> tuple[float, ...]:
    """Return the ratio of two sides in each round."""
    return tuple(over / under for over, under in zip(above, below, strict=True))


def rate(seconds: Sequence[float], unit: str) -> str:
    """Return how many units are done in a second that take so many seconds each."""
    return f"{1 / statistics.median(seconds):,.0f} {unit}/s"
