"""A game as a player would want to see it in a terminal: islands, scores, and what comes next.

An island is drawn on a canvas of characters. Each place of the bordered grid, cell or printed
number, has one centre on it; roads, numbers and marks are put around those centres. All that is
drawn is one column wide; only the characters of names may be wider or have no width at all, so lines
are padded by the columns that they fill, not by their length.
"""

import textwrap
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Final

from attrs import frozen
from rich.cells import cell_len, set_cell_size

from karuba_adapters.game_words import heading, outcome, shown_name
from karuba_adapters.text_tables import table_text
from karuba_core import CELLS, COLOURS, TILES, Game, Island, scores
from karuba_core.board import BEACH_PLACE, CELL_PLACE, JUNGLE_PLACE, ROWS, WIDTH

_HEIGHT: Final = 23
_BREADTH: Final = 39  # two islands and the gap between them fit in 80 columns
_GAP: Final = "  "
_NARROWEST_TABLE: Final = 60

# Where on the canvas the eight columns and seven rows of the bordered grid have their centres: a cell
# is 5 x 3 characters, and the frame runs between the cells and the printed numbers.
_CENTRE_COLUMNS: Final = (1, 6, 11, 16, 21, 26, 31, 37)
_CENTRE_ROWS: Final = (3, 6, 9, 12, 15, 18, 21)
_FRAME_LEFT: Final = 3
_FRAME_RIGHT: Final = 34
_FRAME_TOP: Final = 4
_FRAME_BOTTOM: Final = 20

# How many rows from a printed number its mark stands, and the word for who is home there:
# above the island outwards, beside it around the number, below it outwards.
_MARK_ROWS: Final = (-1, -1, -1, -1, -1, -1, 1)
_HOME_ROWS: Final = (-2, 1, 1, 1, 1, 1, 2)

_ADVENTURER_MARKS: Final = {"blue": "Bl", "brown": "Br", "purple": "Pu", "yellow": "Ye"}
_TREASURE_MARKS: Final = {None: "", "crystal": "*", "gold": "$"}
_LEGEND: Final = "Bl blue, Br brown, Pu purple, Ye yellow; temples above, right; * crystal, $ gold"

# From the centre of a cell to its side: first row, first column, which road, how many characters.
_ARMS: Final = {"N": (-1, 0, "NS", 1), "E": (0, 1, "EW", 2), "S": (1, 0, "NS", 1), "W": (0, -2, "EW", 2)}
_EXITS: Final = ("EW", "NS", "ES", "SW", "NE", "NW", "NES", "NSW", "ESW", "NEW", "NESW")

_SCORE_COLUMNS: Final = ("temples", "crystals", "gold", "total", "tiles")


@frozen
class _Pen:
    """What roads and the frame are drawn with; the centre of a tile is found by its exits."""

    roads: Mapping[str, str]
    top: str
    side: str
    bottom: str


_DOUBLE: Final = _Pen(
    roads=dict(zip(_EXITS, "═║╔╗╚╝╠╣╦╩╬", strict=True)),
    top="┌──a────b────c────d────e────f──┐",
    side="│",
    bottom="└──────────────────────────────┘",
)
_ASCII: Final = _Pen(
    roads=dict(zip(_EXITS, "-|+++++++++", strict=True)),
    top=".--a----b----c----d----e----f--.",
    side="|",
    bottom="'------------------------------'",
)


DRAWN_WITH: Final = "".join((*_DOUBLE.roads.values(), _DOUBLE.top, _DOUBLE.side, _DOUBLE.bottom))
"""The characters that a terminal needs to show islands without `ascii_only`."""


class _Canvas:
    """Lines of characters, all blank at first."""

    def __init__(self) -> None:
        self.rows = [[" "] * _BREADTH for _ in range(_HEIGHT)]

    def put(self, row: int, column: int, text: str) -> None:
        """Write a text over what stands there, from a column on."""
        self.rows[row][column : column + len(text)] = text

    def put_around(self, row: int, column: int, text: str) -> None:
        """Write a text with its middle, or what is right of its middle, on a column."""
        self.put(row, column - len(text) // 2, text)


def island_text(game: Game, player: str, *, ascii_only: bool = False) -> str:
    """Return one player's island as lines of text, without trailing spaces and a last newline.

    Args:
        game: The game.
        player: Whose island is drawn, under the player's name.
        ascii_only: Whether to keep to ASCII, in the name too.

    Raises:
        KeyError: There is no such player.
    """
    island, canvas = game.island(player), _Canvas()
    pen = _ASCII if ascii_only else _DOUBLE
    _draw_frame(canvas, pen)
    for cell in CELLS:
        _draw_cell(canvas, pen, island, cell)
    _draw_border(canvas, game, island)
    # The canvas leaves its first line to the name, whose characters may be wider than one column.
    name = _cut(shown_name(player, ascii_only=ascii_only), _BREADTH - _FRAME_LEFT)
    lines = [" " * _FRAME_LEFT + name, *("".join(row) for row in canvas.rows[1:])]
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


def game_text(game: Game, *, ascii_only: bool = False, width: int = 100) -> str:
    """Return the whole game as lines of text, without trailing spaces and a last newline.

    A heading, the islands side by side as they fit in the width, a legend, the score table, and who
    has won and why, or what is due, or whose turns are open.

    Args:
        game: The game.
        ascii_only: Whether to keep to ASCII, in names too.
        width: The columns of the terminal.
    """
    names = {player: shown_name(player, ascii_only=ascii_only) for player in game.setup.players}
    islands = [island_text(game, player, ascii_only=ascii_only) for player in game.setup.players]
    blocks = [
        heading(game),
        *_side_by_side(islands, width),
        textwrap.fill(_LEGEND, max(width, _BREADTH)),
        _score_table(game, names, ascii_only=ascii_only, width=max(width, _NARROWEST_TABLE)),
        outcome(game, names),
    ]
    return "\n\n".join(blocks)


def _draw_frame(canvas: _Canvas, pen: _Pen) -> None:
    """Draw the frame with the letters of the columns and the numbers of the rows in it."""
    canvas.put(_FRAME_TOP, _FRAME_LEFT, pen.top)
    canvas.put(_FRAME_BOTTOM, _FRAME_LEFT, pen.bottom)
    for row in range(_FRAME_TOP + 1, _FRAME_BOTTOM):
        canvas.put(row, _FRAME_LEFT, pen.side)
        canvas.put(row, _FRAME_RIGHT, pen.side)
    for number in ROWS:
        canvas.put(_CENTRE_ROWS[number], _FRAME_LEFT, str(number))


def _draw_cell(canvas: _Canvas, pen: _Pen, island: Island, cell: str) -> None:
    """Draw a tile's roads to its exits; at its centre who stands and what lies there, if any."""
    row, column = _centre(CELL_PLACE[cell])
    number = island.tile(cell)
    if number is None:
        canvas.put(row, column, ".")
        return
    exits = TILES[number - 1].exits
    for side in exits:
        down, right, road, length = _ARMS[side]
        canvas.put(row + down, column + right, pen.roads[road] * length)
    canvas.put(row, column, pen.roads[exits])
    standing = "".join(_ADVENTURER_MARKS[colour] for colour in COLOURS if island.where(colour) == cell)
    canvas.put_around(row, column, standing + _TREASURE_MARKS[island.treasure(cell)])


def _draw_border(canvas: _Canvas, game: Game, island: Island) -> None:
    """Draw the printed numbers, at them the adventurers still there, the temples and who is home."""
    for numbers in (BEACH_PLACE, JUNGLE_PLACE):
        for number, place in numbers.items():
            canvas.put_around(*_centre(place), str(number))
    for colour, pair in zip(COLOURS, game.setup.layout.pairs, strict=True):
        mark, where = _ADVENTURER_MARKS[colour], island.where(colour)
        if where == "beach":
            _put_beside(canvas, BEACH_PLACE[pair.beach], _MARK_ROWS, mark)
        _put_beside(canvas, JUNGLE_PLACE[pair.jungle], _MARK_ROWS, mark)
        if where == "temple":
            _put_beside(canvas, JUNGLE_PLACE[pair.jungle], _HOME_ROWS, "home")


def _put_beside(canvas: _Canvas, place: int, offsets: tuple[int, ...], text: str) -> None:
    row, column = _centre(place)
    canvas.put_around(row + offsets[place // WIDTH], column, text)


def _centre(place: int) -> tuple[int, int]:
    """Return the row and the column of the canvas at which a place has its centre."""
    row, column = divmod(place, WIDTH)
    return _CENTRE_ROWS[row], _CENTRE_COLUMNS[column]


def _side_by_side(islands: list[str], width: int) -> Iterator[str]:
    """Yield rows of as many islands as fit in a width, at least one."""
    fitting = max(1, (width + len(_GAP)) // (_BREADTH + len(_GAP)))
    for first in range(0, len(islands), fitting):
        drawings = [island.split("\n") for island in islands[first : first + fitting]]
        rows = zip_longest(*drawings, fillvalue="")
        yield "\n".join(_GAP.join(set_cell_size(line, _BREADTH) for line in row).rstrip() for row in rows)


def _score_table(game: Game, names: Mapping[str, str], *, ascii_only: bool, width: int) -> str:
    # Imported here: these are slow to load, and a single island needs none of them.
    from rich import box, table, text  # noqa: PLC0415

    points = table.Table(box=box.ASCII if ascii_only else box.SIMPLE)
    points.add_column("player", overflow="fold")
    for column in _SCORE_COLUMNS:
        points.add_column(column, justify="right", no_wrap=True)
    for score in scores(game):
        name = text.Text(names[score.player])  # a bare string would be read as markup
        points.add_row(name, *(str(getattr(score, column)) for column in _SCORE_COLUMNS))
    return table_text(points, width)


def _cut(text: str, size: int) -> str:
    """Return a text that fills at most so many columns, with three dots for what is left out."""
    return text if cell_len(text) <= size else set_cell_size(text, size - 3).rstrip() + "..."
