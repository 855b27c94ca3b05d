"""The empty island: sea, beach, jungle, printed numbers, temples and the cells."""

from collections.abc import Iterator
from typing import Final

from karuba_adapters.drawing import tile_shapes
from karuba_adapters.drawing.elements import Element, element, group
from karuba_adapters.drawing.tile_shapes import SIDE
from karuba_core import COLOURS, Layout
from karuba_core.board import BEACH_PLACE, CELL_PLACE, COLUMNS, JUNGLE_PLACE, PLACES, ROWS, WIDTH

_BREADTH: Final = SIDE * WIDTH
_HEIGHT: Final = SIDE * PLACES // WIDTH

BOX: Final = (-28, -14, _BREADTH + 42, _HEIGHT + 44)
"""Left, top, width and height of an island: its places, and round them a little jungle and sea."""

# Left and below, with waves where it meets the sea; and above and right.
_BEACH: Final = (
    f"M100 100L40 34Q4 20 0 70{'q-14 26 0 52t0 52' * 5}L0 668Q4 718 60 714"
    f"{'q26 12 52 0t52 0' * 6}Q748 720 760 664L700 600V100Z"
)
_JUNGLE: Final = "M100 100L40 34Q24 -14 64 -14H784Q814 -14 814 16V650Q812 692 760 664L700 600V100Z"


def corner(place: int) -> tuple[int, int]:
    """Return the upper left corner of the square of a place: a cell, a beach or a temple."""
    row, column = divmod(place, WIDTH)
    return column * SIDE, row * SIDE


def cell_centre(place: int) -> tuple[int, int]:
    """Return the middle of the square of a place, in the units of the picture.

    Args:
        place: A place of the bordered grid, 0 to 55, as `karuba_core.board` numbers them.

    Returns:
        Its x, `column * 100 + 50`, and its y, `row * 100 + 50`.

    >>> cell_centre(CELL_PLACE["a1"]), cell_centre(JUNGLE_PLACE[110])
    ((150, 150), (750, 550))
    """
    x, y = corner(place)
    return x + SIDE // 2, y + SIDE // 2


def base(layout: Layout, *, coordinates: bool) -> Iterator[Element]:
    """Yield what an island looks like before the first tile is laid."""
    yield group(_land(), class_="k-land")
    yield group(map(_cell, CELL_PLACE), class_="k-cells")
    yield group(_numbers(), class_="k-numbers")
    if coordinates:
        yield group(_coordinates(), class_="k-coordinates")
    yield group(_temples(layout), class_="k-temples")


def _land() -> Iterator[Element]:
    left, top, width, height = BOX
    yield element("rect", class_="k-sea", x=left, y=top, width=width, height=height, rx=30)
    yield element("path", class_="k-beach", d=_BEACH)
    yield element("path", class_="k-jungle", d=_JUNGLE)
    for x, y, radius in _canopy():
        yield element("circle", class_="k-canopy", cx=x, cy=y, r=radius)


def _canopy() -> Iterator[tuple[int, int, int]]:
    """Yield the tree tops along the jungle: x, y, radius."""
    for column in range(1, WIDTH):  # between the numbers
        yield column * SIDE - 16, -2, 12
        yield column * SIDE + 14, 2, 10
    for step in range(15):
        yield 803 - 4 * (step % 2), 22 + 43 * step, 11


def _cell(cell: str) -> Element:
    x, y = corner(CELL_PLACE[cell])
    return element("rect", class_="k-cell", data_cell=cell, x=x, y=y, width=SIDE, height=SIDE)


def _numbers() -> Iterator[Element]:
    for kind, places in (("beach", BEACH_PLACE), ("jungle", JUNGLE_PLACE)):
        for number, place in places.items():
            x, y = cell_centre(place)
            line = y + 54 if place >= PLACES - WIDTH else y - 38  # clear of who stands there
            classes = f"k-text k-number k-{kind}-number"
            yield element("text", text=str(number), class_=classes, x=x, y=line, font_size=22)


def _coordinates() -> Iterator[Element]:
    """Yield letters and numbers on the beach, beside the cells."""
    below = PLACES // WIDTH * SIDE - SIDE
    at = [
        *((letter, column * SIDE + 13, below + 20) for column, letter in enumerate(COLUMNS, 1)),
        *((str(row), SIDE - 11, row * SIDE + 20) for row in ROWS),
    ]
    for text, x, y in at:
        yield element("text", text=text, class_="k-text k-coordinate", x=x, y=y, font_size=17)


def _temples(layout: Layout) -> Iterator[Element]:
    for colour, pair in zip(COLOURS, layout.pairs, strict=True):
        x, y = corner(JUNGLE_PLACE[pair.jungle])
        yield group([tile_shapes.temple(colour)], x=x, y=y, data_jungle=pair.jungle)
