"""The island's geometry: cells, edges, beach and jungle numbers.

The 6 x 5 cells lie inside a border, on a grid of 8 x 7 *places* numbered row by row from the
top left. The border's left and lower sides are the beach, its upper and right sides the jungle;
each border place has one opening, inward. So wherever an adventurer stands, and wherever a
temple is, is one whole number, and leaving the beach or entering a temple is a step like any other.
"""

from typing import Final

COLOURS: Final = ("blue", "brown", "purple", "yellow")
"""The adventurers and their temples; wherever an order of colours matters it is this one (R-BOARD-4)."""

COLOUR_INDEX: Final = {colour: index for index, colour in enumerate(COLOURS)}

COLUMNS: Final = "abcdef"
ROWS: Final = range(1, 6)
WIDTH: Final = 8
PLACES: Final = WIDTH * 7

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""The sides of a tile, as bits of its exits."""

SIDES_BETWEEN: Final = {
    -WIDTH: (NORTH, SOUTH),
    1: (EAST, WEST),
    WIDTH: (SOUTH, NORTH),
    -1: (WEST, EAST),
}
"""How far a neighbouring place is away: the side that leads there, and the side that lets in."""

CELL_PLACE: Final = {
    f"{letter}{row}": row * WIDTH + column for row in ROWS for column, letter in enumerate(COLUMNS, 1)
}
"""The place of each cell, `a1` to `f5`, row by row (R-BOARD-1)."""

CELLS: Final = tuple(CELL_PLACE)

# R-BOARD-2: beach 10..50 stand left of rows 1..5, 60..110 below columns a..f.
BEACH_PLACE: Final = {
    **{10 * row: row * WIDTH for row in ROWS},
    **{50 + 10 * column: 6 * WIDTH + column for column in range(1, 7)},
}
# R-BOARD-3: jungle 10..60 stand above columns a..f, 70..110 right of rows 1..5.
JUNGLE_PLACE: Final = {
    **{10 * column: column for column in range(1, 7)},
    **{60 + 10 * row: row * WIDTH + 7 for row in ROWS},
}
NUMBERS: Final = tuple(BEACH_PLACE)
"""The numbers printed along the beach, and along the jungle: 10, 20, … 110."""

CELL_NAME: Final = {place: cell for cell, place in CELL_PLACE.items()}
BEACHES: Final = frozenset(BEACH_PLACE.values())
TEMPLES: Final = frozenset(JUNGLE_PLACE.values())


def edge_distance(beach: int, jungle: int) -> int:
    """Return how many steps along the printed edge lie between two numbers.

    Args:
        beach: A beach number, 10 to 110.
        jungle: A jungle number, 10 to 110.

    Returns:
        The shorter of the two ways round, by the upper left or the lower right corner, 1 to 11.

    >>> edge_distance(10, 30), edge_distance(110, 110), edge_distance(60, 60)
    (3, 1, 11)
    """
    b, j = beach // 10, jungle // 10
    return min(b + j - 1, 23 - b - j)
