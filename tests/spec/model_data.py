"""The tables of tiles and board as a Quint module, made from the kernel's own tables."""

from collections.abc import Iterable, Mapping

from karuba_core import CELLS, COLOURS, TILES
from karuba_core.board import (
    BEACH_PLACE,
    CELL_NAME,
    CELL_PLACE,
    EAST,
    JUNGLE_PLACE,
    NORTH,
    NUMBERS,
    SIDES_BETWEEN,
    SOUTH,
    WEST,
)

_SIDE = {NORTH: "N", EAST: "E", SOUTH: "S", WEST: "W"}


def model_data() -> str:
    """Return the text of `spec/model/data.qnt`."""
    tiles = {0: _tile("", "")} | {tile.number: _tile(tile.exits, tile.treasure or "") for tile in TILES}
    return f"""\
/// Tiles and board, generated from the tables of karuba_core: `python -m tests.spec.generate`.
module data {{
  import types.* from "./types"

  /// R-BOARD-4
  pure val COLOUR_ORDER: List[Colour] = [{_texts(COLOURS)}]
  pure val COLOURS: Set[Colour] = Set({_texts(COLOURS)})
  /// R-BOARD-1
  pure val CELL_ORDER: List[Cell] = [{_texts(CELLS)}]
  pure val CELLS: Set[Cell] = Set({_texts(CELLS)})
  pure val NUMBERS: Set[int] = Set({", ".join(map(str, NUMBERS))})

  /// R-TILE-1
  pure val TILE_NUMBERS: Set[int] = 1.to({len(TILES)})
  /// R-TILE-1 R-TILE-2 (0 stands for no tile)
  pure val TILES: int -> Tile = {_map(tiles)}

  /// R-BOARD-2
  pure val BEACH: int -> Edge = {_map({number: _edge(place) for number, place in BEACH_PLACE.items()})}
  /// R-BOARD-3
  pure val JUNGLE: int -> Edge = {_map({number: _edge(place) for number, place in JUNGLE_PLACE.items()})}

  /// The neighbours of each cell.
  pure val WAYS: Cell -> Set[Way] = {_map({f'"{cell}"': _ways(cell) for cell in CELLS})}
}}
"""


def _texts(texts: Iterable[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def _map(entries: Mapping[int, str] | Mapping[str, str]) -> str:
    rows = ",\n".join(f"    {key} -> {value}" for key, value in entries.items())
    return f"Map(\n{rows})"


def _tile(exits: str, treasure: str) -> str:
    return f'{{ exits: Set({_texts(exits)}), treasure: "{treasure}" }}'


def _edge(border: int) -> str:
    """Return the cell beside a place of the border, and the side of the cell that faces it."""
    for distance, (_, into) in SIDES_BETWEEN.items():
        if border + distance in CELL_NAME:
            return f'{{ cell: "{CELL_NAME[border + distance]}", side: "{_SIDE[into]}" }}'
    raise ValueError(border)


def _ways(cell: str) -> str:
    here = CELL_PLACE[cell]
    ways = (
        f'{{ out: "{_SIDE[out]}", cell: "{CELL_NAME[here + distance]}", into: "{_SIDE[into]}" }}'
        for distance, (out, into) in SIDES_BETWEEN.items()
        if here + distance in CELL_NAME
    )
    return f"Set({', '.join(ways)})"
