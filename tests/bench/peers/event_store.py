"""eventsourcing: an aggregate with as many events as a game is brought back, from a store or from events."""

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from karuba_core import CELLS
from tests.bench.measuring import Work

EVENTS = 220
"""About as many as a game of Karuba has."""


class Table(Aggregate):  # type: ignore[misc]  # the library need not be installed
    """A table on which tiles are placed: events as small as those of a game, and no rules."""

    @event("Started")  # type: ignore[untyped-decorator]
    def __init__(self, players: list[str]) -> None:
        self.players = players
        self.tiles: dict[str, int] = {}

    @event("TilePlaced")  # type: ignore[untyped-decorator]
    def place(self, player: str, tile: int, cell: str) -> None:
        """Place a tile."""
        self.tiles[player + cell] = tile


def filled() -> Table:
    """Return a table with as many events as a game has, not saved yet."""
    players = ["ana", "ben", "cleo", "dan"]
    table: Table = Table(players=players)
    for number in range(EVENTS - 1):
        table.place(player=players[number % 4], tile=1 + number % 36, cell=CELLS[number % len(CELLS)])
    return table


def from_store(games: int) -> Work:
    """Return the work of getting aggregates from the store in memory, which holds their events as JSON."""
    application = Application()
    tables = [filled() for _ in range(games)]
    application.save(*tables)

    def work() -> int:
        return sum(application.repository.get(table.id).version for table in tables)

    assert work() == EVENTS * games
    return work


def from_events(games: int) -> Work:
    """Return the work of evolving an aggregate by events that are at hand as objects."""
    events = filled().collect_events()

    def work() -> int:
        for _ in range(games):
            table = None
            for recorded in events:
                table = recorded.mutate(table)
        return len(events) * games

    return work
