"""What tiles, treasures, adventurers and temples look like, each in a square of 100 x 100.

Nothing is told by colour alone: the four colours have a shape and two letters each, a crystal has
corners and gold has none. On one square a tile, its treasure and an adventurer are seen together.
"""

from collections.abc import Iterator
from typing import Final

from karuba_adapters.drawing.elements import Element, as_text, element, group
from karuba_core import COLOURS, TILES

SIDE: Final = 100
"""How wide and high the square of a place is."""

_MIDDLE: Final = SIDE // 2

LETTERS: Final = {"blue": "Bl", "brown": "Br", "purple": "Pu", "yellow": "Ye"}

# Round (50, 50), within a circle of 32: circle, square, diamond, triangle.
_OUTLINES: Final = {
    "blue": "M50 24A26 26 0 1 1 50 76A26 26 0 1 1 50 24Z",
    "brown": "M27 27H73V73H27Z",
    "purple": "M50 19L81 50L50 81L19 50Z",
    "yellow": "M50 18L83 75H17Z",
}
_LETTERS_AT: Final = {"blue": 58, "brown": 58, "purple": 58, "yellow": 68}  # the lines they stand on
_PYRAMID: Final = "M36 29H64V43H75V62H87V89H13V62H25V43H36Z"


def tile(number: int) -> Element:
    """Return a tile, without its treasure.

    Args:
        number: 1 to 36.
    """
    exits = TILES[number - 1].exits
    # The road reaches a little beyond its square, so that no seam is seen where two meet.
    road = [*_road(exits, "k-path-edge", 18, 0), *_road(exits, "k-path", 14, 1)]
    ground = element("rect", class_="k-tile-ground", x=2, y=2, width=96, height=96, rx=9)
    named = element("text", text=str(number), class_="k-text k-tile-number", x=8, y=23, font_size=18)
    return group([ground, *_leaves(number), *road, named], class_="k-tile", data_tile=number)


def treasure(kind: str) -> Element:
    """Return a treasure, in the lower right of its square.

    Args:
        kind: `"crystal"` or `"gold"`.
    """
    if kind == "crystal":
        outline = "M75 54L92 64V84L75 95L58 84V64Z"
        inside = [
            element("path", class_="k-body", d=outline),
            element("path", class_="k-facet", d="M75 54L92 64L75 73L58 64ZM75 73L92 64V84L75 95Z"),
        ]
    else:
        outline = "M58 78C58 66 64 58 75 58C86 57 94 66 94 77C94 88 86 94 75 93C64 95 57 88 58 78Z"
        inside = [
            element("path", class_="k-body", d=outline),
            element("ellipse", class_="k-shine", cx=71, cy=69, rx=6, ry=4),
        ]
    return group([element("path", class_="k-edge", d=outline), *inside], class_=f"k-treasure k-{kind}")


def adventurer(colour: str) -> Element:
    """Return an adventurer: a circle, a square, a diamond or a triangle with two letters."""
    outline = _OUTLINES[colour]
    shapes = [element("path", class_=name, d=outline) for name in ("k-edge", "k-body")]
    return group([*shapes, _letters(colour)], class_=f"k-adventurer k-{colour}")


def temple(colour: str) -> Element:
    """Return a temple: a pyramid that bears the shape and the letters of its adventurer."""
    emblem = group([element("path", class_="k-emblem", d=_OUTLINES[colour]), _letters(colour)])
    emblem.set("transform", "translate(15 26) scale(0.7)")
    return group([*_pyramid(), emblem], class_=f"k-temple k-{colour}")


def plain_temple() -> Element:
    """Return a temple of no colour."""
    return group(_pyramid(), class_="k-temple k-plain")


def _pyramid() -> list[Element]:
    return [element("path", class_=name, d=_PYRAMID) for name in ("k-edge", "k-body")]


def symbols() -> str:
    """Return all shapes as `<symbol>` elements for `<use href="#k-tile-7" width="100" height="100"/>`.

    They are called `k-tile-1` to `k-tile-36`, `k-crystal`, `k-gold`, and `k-adventurer-blue`,
    `k-temple-blue` and so on for each colour.

    >>> symbols().count("<symbol ")
    46
    """
    return "\n".join(as_text(symbol) for symbol in _symbols())


def _symbols() -> Iterator[Element]:
    named = {
        **{f"tile-{each.number}": tile(each.number) for each in TILES},
        **{kind: treasure(kind) for kind in ("crystal", "gold")},
        **{f"adventurer-{colour}": adventurer(colour) for colour in COLOURS},
        **{f"temple-{colour}": temple(colour) for colour in COLOURS},
    }
    for name, shape in named.items():
        yield element("symbol", [shape], id=f"k-{name}", viewBox=f"0 0 {SIDE} {SIDE}", overflow="visible")


def _road(exits: str, name: str, radius: int, beyond: int) -> Iterator[Element]:
    """Yield the ways from the middle to the exits, and what rounds them off where they meet."""
    ends = {"N": f"V{-beyond}", "E": f"H{SIDE + beyond}", "S": f"V{SIDE + beyond}", "W": f"H{-beyond}"}
    ways = "".join(f"M{_MIDDLE} {_MIDDLE}{ends[side]}" for side in exits)
    yield element("path", class_=name, d=ways)
    yield element("circle", class_=f"{name} k-centre", cx=_MIDDLE, cy=_MIDDLE, r=radius)


def _letters(colour: str) -> Element:
    line = _LETTERS_AT[colour]
    return element("text", text=LETTERS[colour], class_="k-text k-letters", x=_MIDDLE, y=line, font_size=23)


def _leaves(number: int) -> Iterator[Element]:
    """Yield the bushes of a tile, beside its roads; where they stand differs from tile to tile."""
    for corner, (x, y) in enumerate(((82, 17), (17, 83), (80, 82), (20, 21))):
        shift = (number * 7 + corner * 5) % 7 - 3
        yield element("circle", class_="k-leaf", cx=x + shift, cy=y - shift, r=11 + (number + corner) % 3)
