"""The printed parts of the game, held against tables typed out here."""

from collections import Counter
from typing import Final

import attrs
import pytest

from karuba_core import (
    CELLS,
    COLOURS,
    TILES,
    Discard,
    Draw,
    Move,
    Place,
    Tile,
    setup_violations,
)
from karuba_core.board import NUMBERS, edge_distance
from tests.games_kit import Table, code, near, setup

PRINTED: Final = """
 1 EW   -   2 EW   -   3 ES   c   4 SW   c   5 ESW  -   6 ESW  -
 7 NESW -   8 NESW -   9 NE   c  10 NW   c  11 NEW  c  12 NEW  -
13 EW   c  14 EW   g  15 EW   c  16 EW   g  17 NS   -  18 NS   -
19 EW   -  20 EW   -  21 ES   -  22 SW   -  23 NES  -  24 NSW  -
25 NESW -  26 NESW -  27 NE   c  28 NW   -  29 NES  -  30 NSW  -
31 NS   c  32 NS   g  33 NS   c  34 NS   g  35 NS   -  36 NS   -
"""
"""Number, exits and treasure of the tiles."""

BEACHES: Final = {
    10: "a1 W",
    20: "a2 W",
    30: "a3 W",
    40: "a4 W",
    50: "a5 W",
    60: "a5 S",
    70: "b5 S",
    80: "c5 S",
    90: "d5 S",
    100: "e5 S",
    110: "f5 S",
}
JUNGLES: Final = {
    10: "a1 N",
    20: "b1 N",
    30: "c1 N",
    40: "d1 N",
    50: "e1 N",
    60: "f1 N",
    70: "f1 E",
    80: "f2 E",
    90: "f3 E",
    100: "f4 E",
    110: "f5 E",
}
"""The cell beside each number of the edge, and the side of the cell on which it stands."""

ACROSS: Final = (1, 2, 19, 20, 13, 14)
DOWN: Final = (17, 18, 35, 36, 31)
"""Straight tiles: enough for a row, and for a column."""


def printed_tiles() -> tuple[Tile, ...]:
    fields = iter(PRINTED.split())
    kinds = {"c": "crystal", "g": "gold", "-": None}
    rows = zip(fields, fields, fields, strict=True)
    return tuple(Tile(int(number), exits, kinds[kind]) for number, exits, kind in rows)


def test_the_tiles_are_those_printed() -> None:
    """R-TILE-1, R-TILE-2."""
    assert printed_tiles() == TILES


def test_the_tiles_add_up() -> None:
    """R-TILE-1, R-TILE-2."""
    straights, curves = {"EW", "NS"}, {"ES", "SW", "NE", "NW"}
    shapes = Counter(
        "straight" if tile.exits in straights else "curve" if tile.exits in curves else len(tile.exits)
        for tile in TILES
    )
    assert shapes == {"straight": 16, "curve": 8, 3: 8, 4: 4}
    assert sum(len(tile.exits) for tile in TILES) == 88
    assert Counter(tile.treasure for tile in TILES) == {"crystal": 10, "gold": 4, None: 22}


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: str(tile.number))
def test_a_tile_gives_its_steps_and_holds_its_treasure(tile: Tile) -> None:
    """R-DISCARD-1, R-PLACE-3."""
    game = Table(setup()).do(Draw(tile.number), Discard("ana"), Place("ben", "c3")).game
    assert game.turn("ana").steps == len(tile.exits)
    assert game.island("ben").tile("c3") == tile.number
    assert game.island("ben").treasure("c3") == tile.treasure


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: str(tile.number))
def test_a_tile_is_entered_by_its_exits_alone(tile: Tile) -> None:
    """Four adventurers stand around a5: blue above it, yellow right of it, two on the beach."""
    crosses = [number for number in (7, 8, 25, 26) if number != tile.number]
    around = near(blue=(40, 90), brown=(50, 100), purple=(60, 60), yellow=(70, 70))
    tees = (number for number in (5, 6, 11) if number != tile.number)
    table = Table(setup(layout=around)).lay({"a4": crosses[0], "b5": crosses[1], "a5": tile.number})
    table.walk(next(tees), "blue", "a4").walk(next(tees), "yellow", "b5").do(Draw(crosses[2]), Discard("ana"))
    sides = {"N": "blue", "E": "yellow", "S": "purple", "W": "brown"}
    entering = {side for side, colour in sides.items() if not code(table.game, Move("ana", colour, ("a5",)))}
    assert entering == set(tile.exits)


def test_the_cells_are_listed_row_by_row() -> None:
    """R-BOARD-1, R-BOARD-4."""
    rows = [" ".join(f"{column}{row}" for column in "abcdef") for row in "12345"]
    assert " ".join(CELLS) == " ".join(rows)
    assert COLOURS == ("blue", "brown", "purple", "yellow")
    assert tuple(BEACHES) == NUMBERS == tuple(JUNGLES)


def lines() -> list[tuple[int, int, tuple[str, ...], tuple[int, ...]]]:
    """Return the ways straight across the island: beach and jungle number, cells, tiles for them."""
    rows = [(10 * row, 60 + 10 * row, tuple(f"{column}{row}" for column in "abcdef")) for row in range(1, 6)]
    columns = [
        (60 + 10 * index, 10 + 10 * index, tuple(f"{column}{row}" for row in (5, 4, 3, 2, 1)))
        for index, column in enumerate("abcdef")
    ]
    return [(*row, ACROSS) for row in rows] + [(*column, DOWN) for column in columns]


@pytest.mark.parametrize(("beach", "jungle", "cells", "tiles"), lines())
def test_a_number_of_the_edge_opens_on_its_cell(
    beach: int, jungle: int, cells: tuple[str, ...], tiles: tuple[int, ...]
) -> None:
    """Between two opposite numbers a road of straight tiles leads home; one laid across does not.

    R-BOARD-1, R-BOARD-2, R-BOARD-3.
    """
    assert (BEACHES[beach], JUNGLES[jungle]) == (
        f"{cells[0]} {'W' if tiles == ACROSS else 'S'}",
        f"{cells[-1]} {'E' if tiles == ACROSS else 'N'}",
    )
    others = [number for number in range(10, 120, 10) if number not in (beach, jungle)]
    pairs = dict(zip(COLOURS[1:], zip(others[:3], others[:-4:-1], strict=True), strict=True))
    table = Table(setup(layout=near(blue=(beach, jungle), **pairs)))
    table.lay(dict(zip(cells, tiles, strict=True)), "ana")
    across = (DOWN if tiles == ACROSS else ACROSS)[0]
    table.lay({cells[0]: across}, "ben")
    table.walk(7, "blue", " ".join(cells[:4]), "ana").do(Draw(5), Discard("ana"), Discard("ben"))
    assert code(table.game, Move("ben", "blue", cells[:1])) == "rule/no-way"
    table.do(Move("ana", "blue", (*cells[4:], "temple")))
    assert table.game.island("ana").where("blue") == "temple"


def ring_distance(beach: int, jungle: int) -> int:
    """Count the steps between two numbers along the printed edge, the shorter way round."""
    ring = [*(("beach", number) for number in reversed(BEACHES)), *(("jungle", number) for number in JUNGLES)]
    apart = abs(ring.index(("beach", beach)) - ring.index(("jungle", jungle)))
    return min(apart, len(ring) - apart)


def test_the_distance_along_the_edge() -> None:
    for beach in BEACHES:
        for jungle in JUNGLES:
            assert edge_distance(beach, jungle) == ring_distance(beach, jungle)
    assert [edge_distance(10, 10), edge_distance(10, 110), edge_distance(60, 60)] == [1, 11, 11]


CORNERS: Final = {
    "edge-3": {(1, 1), (1, 2), (2, 1)},
    "edge-4": {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)},
}
"""Tenths of the beach and jungle numbers that lie too close in the upper left corner."""

VALUES: Final = {(beach, jungle) for beach in range(1, 12) for jungle in range(beach - 2, beach + 3)}


@pytest.mark.parametrize(
    ("separation", "legal", "forbidden"),
    [
        ("edge-3", 115, CORNERS["edge-3"] | {(12 - b, 12 - j) for b, j in CORNERS["edge-3"]}),
        ("edge-4", 109, CORNERS["edge-4"] | {(12 - b, 12 - j) for b, j in CORNERS["edge-4"]}),
        ("value-30", 72, {(b, j) for b, j in VALUES if 1 <= j <= 11}),
    ],
)
def test_the_pairs_too_close_for_each_separation(
    separation: str, legal: int, forbidden: set[tuple[int, int]]
) -> None:
    rules = attrs.evolve(setup().rules, separation=separation)
    close = set()
    for beach in range(1, 12):
        for jungle in range(1, 12):
            opening = attrs.evolve(setup(layout=near(blue=(10 * beach, 10 * jungle))), rules=rules)
            faults = [(fault.code, fault.path) for fault in setup_violations(opening)]
            if ("setup/separation", "$.layout.blue") in faults:
                close.add((beach, jungle))
    assert close == forbidden
    assert 121 - len(close) == legal
