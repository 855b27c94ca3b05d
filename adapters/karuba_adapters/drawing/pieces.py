"""What lies and stands on an island: tiles, treasures and adventurers, and what is marked on it."""

from collections.abc import Iterable, Iterator
from typing import Final

from karuba_adapters.drawing import tile_shapes
from karuba_adapters.drawing.elements import Element, element, group
from karuba_adapters.drawing.island_shapes import base, cell_centre, corner
from karuba_adapters.drawing.marks import Marks, Way
from karuba_adapters.drawing.tile_shapes import SIDE
from karuba_core import CELLS, COLOURS, Game, Island
from karuba_core.board import CELL_PLACE
from karuba_core.tiles import named

_BEFORE_END: Final = 36  # an arrow ends beside the adventurer, not under it
_HEAD: Final = (24, 14)  # how long the head of an arrow is, and how wide on either side


def island_shapes(game: Game, player: str, marks: Marks, *, coordinates: bool) -> Iterator[Element]:
    """Yield a player's island as it stands."""
    island = game.island(player)
    yield from base(game.setup.layout, coordinates=coordinates)
    yield group(_tiles(island), class_="k-tiles")
    yield group(_frames(marks.cells.get(player, ())), class_="k-marks")
    yield group(_arrows(marks.ways, player), class_="k-ways")
    yield group(_treasures(island), class_="k-treasures")
    yield group(_adventurers(island), class_="k-adventurers")


def _tiles(island: Island) -> Iterator[Element]:
    for cell, number in ((cell, island.tile(cell)) for cell in CELLS):
        if number is not None:
            x, y = corner(CELL_PLACE[cell])
            told = element("title", text=f"{named(number)} on {cell}")
            yield group([told, tile_shapes.tile(number)], x=x, y=y, data_cell=cell)


def _treasures(island: Island) -> Iterator[Element]:
    for cell, kind in ((cell, island.treasure(cell)) for cell in CELLS):
        if kind is not None:
            x, y = corner(CELL_PLACE[cell])
            yield group([tile_shapes.treasure(kind)], x=x, y=y, data_cell=cell)


def _adventurers(island: Island) -> Iterator[Element]:
    for colour, place in zip(COLOURS, island.adventurers, strict=True):
        x, y = corner(place)
        yield group([tile_shapes.adventurer(colour)], x=x, y=y, data_where=island.where(colour))


def _frames(cells: Iterable[str]) -> Iterator[Element]:
    for cell in cells:
        x, y = corner(CELL_PLACE[cell])
        for name in ("k-mark-edge", "k-mark"):
            yield element(
                "rect", class_=name, data_cell=cell, x=x + 3, y=y + 3, width=SIDE - 6, height=SIDE - 6, rx=9
            )


def _arrows(ways: Iterable[Way], player: str) -> Iterator[Element]:
    for way in ways:
        if way.player == player and len(way.places) > 1:
            arrow = _arrow(way.places)
            shapes = [element("path", class_=name, d=arrow) for name in ("k-way-edge", "k-way")]
            yield group(shapes, class_="k-arrow", data_adventurer=way.adventurer)


def _arrow(places: tuple[int, ...]) -> str:
    """Return a line through the middles of places that ends in a head before the last of them."""
    *points, before, (end_x, end_y) = map(cell_centre, places)
    right, down = (end_x - before[0]) // SIDE, (end_y - before[1]) // SIDE  # one step of the board
    long, wide = _HEAD
    tip_x, tip_y = end_x - _BEFORE_END * right, end_y - _BEFORE_END * down
    back_x, back_y = tip_x - long * right, tip_y - long * down
    line = "L".join(f"{x} {y}" for x, y in (*points, before, (tip_x, tip_y)))
    barbs = [(back_x + side * wide * down, back_y + side * wide * right) for side in (1, -1)]
    return f"M{line}M" + "L".join(f"{x} {y}" for x, y in (barbs[0], (tip_x, tip_y), barbs[1]))
