"""What it takes to keep every state of a game."""

import gc
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

from karuba_core import Event, trace
from tests.bench.figures import Row, at_most
from tests.bench.kernels import games_of


def history_row(logs: Sequence[bytes]) -> Row:
    """Measure what every state of a game takes that is kept, game by game."""
    sizes = tuple(bytes_a_state(events) for log in logs for events in games_of(log))
    return Row("history, bytes a state", sizes, f"in {len(sizes)} games", at_most(350))


def bytes_a_state(events: Sequence[Event]) -> float:
    """Return how many bytes a state of a game takes on average, beyond what the events hold anyway."""
    states = [step.game for step in trace(events)]
    seen: set[int] = set()
    for _ in objects(events, seen):
        pass
    return sum(sys.getsizeof(item) for item in objects(states, seen)) / len(states)


def objects(root: object, seen: set[int]) -> Iterator[object]:
    """Yield each object that a root leads to, but for types, modules and those seen before."""
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if id(item) not in seen and not isinstance(item, type | ModuleType):
            seen.add(id(item))
            waiting += gc.get_referents(item)
            yield item
