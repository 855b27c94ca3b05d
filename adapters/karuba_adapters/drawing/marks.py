"""What is marked in a picture: cells, and the ways that adventurers went."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from attrs import field, frozen

from karuba_core import AdventurerMoved, Event, Game, Step, TileDrawn, TilePlaced
from karuba_core.board import CELL_PLACE, COLOUR_INDEX, PLACES
from karuba_core.moving import TEMPLE, temple_place


@frozen
class Way:
    """The way of one adventurer.

    Attributes:
        player: Whose it is.
        adventurer: Its colour.
        places: Where it began and all that it entered, as `karuba_core.board` numbers places.

    Raises:
        ValueError: There is no such adventurer or place.
    """

    player: str
    adventurer: str
    places: tuple[int, ...]

    def __attrs_post_init__(self) -> None:
        if self.adventurer not in COLOUR_INDEX:
            raise ValueError(f"no adventurer {self.adventurer!r}: expected {', '.join(COLOUR_INDEX)}")
        for place in self.places:
            if place not in range(PLACES):
                raise ValueError(f"no place {place!r}: expected 0 to {PLACES - 1}")


def _by_player(cells: Mapping[str, Iterable[str]]) -> Mapping[str, tuple[str, ...]]:
    return {player: tuple(marked) for player, marked in cells.items()}


@frozen
class Marks:
    """What is marked.

    Attributes:
        cells: For each player, the cells that get a frame.
        ways: The ways that get an arrow.

    Raises:
        ValueError: There is no such cell.
    """

    cells: Mapping[str, tuple[str, ...]] = field(factory=dict, converter=_by_player)
    ways: tuple[Way, ...] = ()

    def __attrs_post_init__(self) -> None:
        for cell in chain.from_iterable(self.cells.values()):
            if cell not in CELL_PLACE:
                raise ValueError(f"no cell {cell!r}: expected a1 to f5")

    def check_players(self, players: Sequence[str]) -> None:
        """Refuse marks of anybody else than some players.

        Args:
            players: Who plays.

        Raises:
            ValueError: Something is marked of a player who is none of them.
        """
        for player in [*self.cells, *(way.player for way in self.ways)]:
            if player not in players:
                raise ValueError(f"no player {player!r} to mark: expected {', '.join(map(repr, players))}")


NO_MARKS: Final = Marks()


def way(before: Game, moved: AdventurerMoved) -> Way:
    """Return the way that an adventurer went.

    Args:
        before: The game before it moved.
        moved: The move, which is legal in it.
    """
    start = before.island(moved.player).adventurers[COLOUR_INDEX[moved.adventurer]]
    temple = temple_place(before, moved.adventurer)
    entered = (temple if entry == TEMPLE else CELL_PLACE[entry] for entry in moved.path)
    return Way(moved.player, moved.adventurer, (start, *entered))


def last_round(steps: Iterable[Step[Game, Event]]) -> Marks:
    """Return what happened since the last draw: the tiles that were placed and the ways that were gone.

    Args:
        steps: The steps of a game from its opening on, as `rederive` yields them.
    """
    cells: dict[str, list[str]] = {}
    ways: list[Way] = []
    before: Game | None = None
    for step in steps:
        for event in step.events:
            if isinstance(event, TileDrawn):
                cells, ways = {}, []
            elif isinstance(event, TilePlaced):
                cells[event.player] = [event.cell]
            elif isinstance(event, AdventurerMoved) and before is not None:
                ways.append(way(before, event))
        before = step.game
    return Marks(cells, tuple(ways))
