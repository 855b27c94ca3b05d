"""Every game that can be reached from a position, by the kernel alone."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from karuba_adapters import read_events
from karuba_core import KARUBA, Event, Game, due, fold, legal_commands, rederive
from karuba_core.decider import Violation

POSITIONS: Final = Path(__file__).parents[2] / "spec" / "model" / "positions"


@frozen
class Graph:
    """Games and what leads from one to another.

    Attributes:
        games: The games, in the order of their discovery; the first is the position.
        edges: For each of them, the events that may follow, each with the number of the game after it.
    """

    games: tuple[Game, ...]
    edges: tuple[tuple[tuple[Event, int], ...], ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many games, events between them, and games after which nothing follows there are."""
        final = sum(not edges for edges in self.edges)
        return {"states": len(self.games), "edges": sum(map(len, self.edges)), "final": final}


class TooMany(ValueError):
    """More games can be reached than somebody wanted to see."""


def read_position(path: Path) -> tuple[Event, ...]:
    """Return the events of a position, the opening first, every one judged."""
    with path.open("rb") as log:
        return tuple(event for step in rederive(read_events(log)) for event in step.events)


def explore(opening: Sequence[Event], limit: int | None = None) -> Graph:
    """Return all that can be reached from the end of some events, breadth first.

    Args:
        opening: The events that lead to the position, `game-started` first.
        limit: How many games at most.

    Raises:
        TooMany: There are more.
    """
    games = [fold(opening)]
    numbers = {games[0]: 0}
    edges = []
    for game in games:  # grows while it is gone through
        following = []
        for event in following_events(game):
            after = fold([event], game)
            number = numbers.setdefault(after, len(games))
            if number == len(games):
                games.append(after)
            following.append((event, number))
        edges.append(tuple(following))
        if limit is not None and len(games) > limit:
            raise TooMany(f"more than {limit} games")
    return Graph(tuple(games), tuple(edges))


def following_events(game: Game) -> Iterator[Event]:
    """Yield the events that may come next: what is due, else what each legal command yields."""
    event = due(game)
    if event is not None:
        yield event
    for command in legal_commands(game):
        decided = KARUBA.decide[type(command)](game, command)
        assert not isinstance(decided, Violation), decided
        yield decided
