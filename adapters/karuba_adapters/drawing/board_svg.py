"""Islands, games and single tiles as SVG pictures: pure functions, the same text for the same game.

A picture is one `<svg>` element that needs nothing from elsewhere, alone or in a page.
"""

import re
from collections.abc import Iterable
from typing import Final, TypedDict, Unpack

from karuba_adapters.drawing.elements import Element, as_text, element, group
from karuba_adapters.drawing.headings import GAME_HEIGHT, PLAYER_HEIGHT, game_heading, player_heading
from karuba_adapters.drawing.in_words import game_in_words, island_in_words
from karuba_adapters.drawing.island_shapes import BOX, base
from karuba_adapters.drawing.marks import NO_MARKS, Marks
from karuba_adapters.drawing.palette import Theme, style
from karuba_adapters.drawing.pieces import island_shapes
from karuba_adapters.drawing.tile_shapes import SIDE, tile, treasure
from karuba_adapters.game_words import heading, shown_name
from karuba_core import TILES, Game, Layout
from karuba_core.tiles import named

_LEFT, _TOP, _WIDTH, _ISLAND_HEIGHT = BOX
_HEIGHT: Final = PLAYER_HEIGHT + _ISLAND_HEIGHT
_GAP: Final = 40
_MARGIN: Final = 30
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class Frame(TypedDict, total=False):
    """How any picture is drawn, as keywords.

    Attributes:
        cell: How wide a cell is, in pixels; 48 where nothing else is said.
        theme: `"light"`, `"dark"`, or, if nothing is said, `"auto"`: what the reader prefers.
        prefix: What the ids of the picture begin with: a letter, then letters, digits, `-` and `_`;
            pictures in one page need different ones.
    """

    cell: int
    theme: Theme
    prefix: str


class Look(Frame, total=False):
    """How a picture of an island or a game is drawn, as keywords.

    Attributes:
        marks: Cells that get a frame and ways that get an arrow; none where nothing is said.
        coordinates: Whether the letters of the columns and the numbers of the rows are drawn; they are.
    """

    marks: Marks
    coordinates: bool


def game_svg(game: Game, *, marks: Marks = NO_MARKS, coordinates: bool = True, **frame: Unpack[Frame]) -> str:
    """Return a picture of a whole game: how it stands, and each player's island under name and score.

    Args:
        game: The game, at any time.
        marks: Cells that get a frame and ways that get an arrow.
        coordinates: Whether the letters of the columns and the numbers of the rows are drawn.
        frame: How any picture is drawn.

    Raises:
        TypeError: There is no such keyword.
        ValueError: The prefix is no such word, the theme is none of the three, a cell has no width, or
            something is marked of a player who is not in the game.

    >>> from karuba_core import Layout, Pair, Setup, preset, start
    >>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
    >>> game = start(Setup(("ana", "ben"), "ana", layout, preset("official", 2))).game
    >>> picture = game_svg(game, theme="dark", prefix="first")
    >>> picture[:70]
    '<svg xmlns="http://www.w3.org/2000/svg" class="karuba karuba-dark" rol'
    """
    columns = 3 if len(game.islands) == 3 else 2  # noqa: PLR2004 - three stand in a row, four in a square
    rows = -(-len(game.islands) // columns)
    width, height = columns * (_WIDTH + _GAP) - _GAP, GAME_HEIGHT + rows * (_HEIGHT + _GAP) - _GAP
    shapes = [game_heading(game, width)]
    for seat, player in enumerate(game.setup.players):
        row, column = divmod(seat, columns)
        x, y = column * (_WIDTH + _GAP), GAME_HEIGHT + row * (_HEIGHT + _GAP)
        island = _player(game, player, marks, coordinates=coordinates)
        shapes.append(group(island, x=x, y=y, class_="k-player", data_seat=seat))
    return _picture(shapes, (width, height), (heading(game), game_in_words(game)), _MARGIN, **frame)


def island_svg(
    game: Game,
    player: str,
    *,
    marks: Marks = NO_MARKS,
    coordinates: bool = True,
    **frame: Unpack[Frame],
) -> str:
    """Return a picture of one player's island, under name and score.

    Args:
        game: The game, at any time.
        player: Whose island it is.
        marks: As for `game_svg`; those of other players are left out.
        coordinates: As for `game_svg`.
        frame: How any picture is drawn.

    Raises:
        KeyError: There is no such player.
        TypeError, ValueError: As for `game_svg`.
    """
    words = f"The island of {shown_name(player)}", island_in_words(game, player)
    island = _player(game, player, marks, coordinates=coordinates)
    return _picture(island, (_WIDTH, _HEIGHT), words, _MARGIN, **frame)


def tile_svg(number: int, **frame: Unpack[Frame]) -> str:
    """Return a picture of a single tile with its treasure.

    Args:
        number: 1 to 36.
        frame: How it is drawn.

    Raises:
        TypeError: There is no such keyword.
        ValueError: There is no such tile; or as for `game_svg`.
    """
    if not 1 <= number <= len(TILES):
        raise ValueError(f"no tile {number}: 1 to {len(TILES)}")
    printed = TILES[number - 1].treasure
    shapes = [tile(number), *([treasure(printed)] if printed else [])]
    words = named(number).capitalize(), f"With {printed}." if printed else "Without a treasure."
    return _picture(shapes, (SIDE, SIDE), words, 4, **frame)


def island_base_svg(layout: Layout, *, coordinates: bool = True) -> str:
    """Return the empty island of a game, for a page that puts tiles and adventurers on it.

    It has neither a style sheet nor ids. The square of a place in column c and row r of the bordered
    grid begins at (100 c, 100 r); `island_shapes.cell_centre` has its middle. Each cell is a `rect`
    with its name as `data-cell`.

    Args:
        layout: Where the temples are.
        coordinates: Whether the letters of the columns and the numbers of the rows are drawn.
    """
    shapes, box = base(layout, coordinates=coordinates), " ".join(map(str, BOX))
    return as_text(element("svg", shapes, xmlns="http://www.w3.org/2000/svg", class_="k-island", viewBox=box))


def _player(game: Game, player: str, marks: Marks, *, coordinates: bool) -> list[Element]:
    """Return an island under its heading."""
    marks.check_players(game.setup.players)
    shapes = island_shapes(game, player, marks, coordinates=coordinates)
    island = group(shapes, x=-_LEFT, y=PLAYER_HEIGHT - _TOP, class_="k-island")
    return [player_heading(game, player, _WIDTH), island]


def _picture(  # noqa: PLR0913 - the last three are a Frame
    shapes: Iterable[Element],
    size: tuple[int, int],
    words: tuple[str, str],
    margin: int,
    /,
    *,
    cell: int = 48,
    theme: Theme = "auto",
    prefix: str = "karuba",
) -> str:
    """Return shapes as a picture, with a title and a description for those who cannot see it."""
    if _PREFIX.fullmatch(prefix) is None:
        raise ValueError(f"no prefix of ids {prefix!r}: expected a letter, then letters, digits, - and _")
    if cell < 1:
        raise ValueError(f"no width of a cell {cell!r}: expected 1 pixel or more")
    width, height = (side + 2 * margin for side in size)
    parts = [
        element("title", text=words[0], id=f"{prefix}-title"),
        element("desc", text=words[1], id=f"{prefix}-desc"),
        element("style", text=style(theme)),
        element("rect", class_="k-page", width=width, height=height, rx=margin // 2),
        group(shapes, x=margin, y=margin),
    ]
    made = element(
        "svg",
        parts,
        xmlns="http://www.w3.org/2000/svg",
        class_="karuba" if theme == "auto" else f"karuba karuba-{theme}",
        role="img",
        aria_labelledby=f"{prefix}-title {prefix}-desc",
        viewBox=f"0 0 {width} {height}",
        width=round(width * cell / SIDE),
        height=round(height * cell / SIDE),
    )
    return as_text(made)
