"""The 36 jungle tiles, as printed (R-TILE-1, R-TILE-2)."""

from typing import Final

from attrs import frozen

from karuba_core.board import BEACH_PLACE, EAST, JUNGLE_PLACE, NORTH, PLACES, SOUTH, WEST

TILE_NUMBERS: Final = range(1, 37)

_SIDES: Final = {"N": NORTH, "E": EAST, "S": SOUTH, "W": WEST}
# fmt: off
_PRINTED: Final = (
    "EW",         "EW",         "ES crystal", "SW crystal",   # 1 to 4
    "ESW",        "ESW",        "NESW",       "NESW",         # 5 to 8
    "NE crystal", "NW crystal", "NEW crystal", "NEW",         # 9 to 12
    "EW crystal", "EW gold",    "EW crystal", "EW gold",      # 13 to 16
    "NS",         "NS",         "EW",         "EW",           # 17 to 20
    "ES",         "SW",         "NES",        "NSW",          # 21 to 24
    "NESW",       "NESW",       "NE crystal", "NW",           # 25 to 28
    "NES",        "NSW",        "NS crystal", "NS gold",      # 29 to 32
    "NS crystal", "NS gold",    "NS",         "NS",           # 33 to 36
)
# fmt: on


@frozen
class Tile:
    """One tile as it is printed and laid: its number upright, never turned (R-TILE-1).

    Attributes:
        number: 1 to 36.
        exits: The sides at which a path ends, in the order N, E, S, W: `"EW"`, `"NESW"`.
        treasure: `"crystal"`, `"gold"` or None.
    """

    number: int
    exits: str
    treasure: str | None


def _tile(number: int, printed: str) -> Tile:
    exits, _, treasure = printed.partition(" ")
    return Tile(number, exits, treasure or None)


TILES: Final = tuple(_tile(number, printed) for number, printed in enumerate(_PRINTED, 1))
"""All tiles, with their exits and treasures (R-TILE-1, R-TILE-2); tile n is `TILES[n - 1]`."""

# What a place of an island holds is one byte: 0 for nothing, a tile's number, or, on the border,
# one of four gates, numbered after the tiles: the one opening, inward, of a beach or a temple.
_GATES: Final = {37: NORTH, 38: EAST, 39: SOUTH, 40: WEST}

EXITS: Final = bytes([0, *(sum(_SIDES[side] for side in tile.exits) for tile in TILES), *_GATES.values()])
"""The open sides of what a place holds, as bits."""

STEPS: Final = bytes([0, *(len(tile.exits) for tile in TILES)])
"""The steps that discarding a tile gives: its exits (R-DISCARD-1)."""

TREASURES: Final = (None, *(tile.treasure for tile in TILES), *(None for _ in _GATES))
"""The treasure printed on what a place holds."""


def _bare_island() -> bytes:
    held = bytearray(PLACES)
    for number, place in BEACH_PLACE.items():
        held[place] = 38 if number <= 50 else 37  # noqa: PLR2004 - left of the rows, or below the columns
    for number, place in JUNGLE_PLACE.items():
        held[place] = 39 if number <= 60 else 40  # noqa: PLR2004 - above the columns, or right of the rows
    return bytes(held)


BARE_ISLAND: Final = _bare_island()
"""What the places of an island hold before the first tile is laid."""


def named(tile: int) -> str:
    """Return what messages call a tile, its exits with it.

    >>> named(17)
    'tile 17 (NS)'
    """
    return f"tile {tile} ({TILES[tile - 1].exits})"
