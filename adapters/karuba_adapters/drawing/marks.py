"""What is marked in a picture: cells, and the ways that adventurers went."""

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import field, frozen

from karuba_core import AdventurerMoved, Event, Game, Step, TileDrawn, TilePlaced
from karuba_core.board import CELL_PLACE, COLOUR_INDEX
from karuba_core.moving import TEMPLE, temple_place


@frozen
class Way:
    """The way of one adventurer.

    Attributes:
        player: Whose it is.
        adventurer: Its colour.
        places: Where it began and all that it entered, as `karuba_core.board` numbers places.
    """

    player: str
    adventurer: str
    places: tuple[int, ...]


@frozen
class Marks:
    """What is marked.

    Attributes:
        cells: For each player, the cells that get a frame.
        ways: The ways that get an arrow.
    """

    cells: Mapping[str, Iterable[str]] = field(factory=dict)
    ways: tuple[Way, ...] = ()


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
