"""`karuba show`: a recorded game as a picture, or as a page that replays it."""

from collections.abc import Sequence
from enum import StrEnum
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Final

import typer

from karuba_cli.inputs import is_among
from karuba_cli.options import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LINE,
    MAX_RECORDS,
    MAX_UNPACKED,
    STANDARD_OUTPUT,
    Log,
    MaxDepth,
    MaxDigits,
    MaxLine,
    MaxRecords,
    MaxUnpacked,
    output_file,
)
from karuba_cli.outputs import exit_code, tell_findings, whole_file, write
from karuba_cli.positions import one_of_several, up_to

if TYPE_CHECKING:
    from karuba_adapters import Report, Right
    from karuba_adapters.drawing.board_svg import Look

_SUFFIXES: Final = (".svg", ".png", ".html")
_CELL: Final = 48


class Theme(StrEnum):
    """The colours of a picture."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


def _picture_file(name: str) -> str:
    """Return the name of a file whose suffix says what it will be, and for which all is there."""
    if name != STANDARD_OUTPUT:
        suffix = _suffix(name)
        if suffix not in _SUFFIXES:
            raise typer.BadParameter(f"expected a name that ends in {', '.join(_SUFFIXES)}")
        if suffix == ".png" and find_spec("resvg_py") is None:
            raise typer.BadParameter("PNG needs resvg_py: pip install 'karuba-kernel[png]'")
    return output_file(name)


def _suffix(name: str) -> str:
    return _SUFFIXES[0] if name == STANDARD_OUTPUT else PurePath(name).suffix.lower()


def show(
    log: Log,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where it goes: a picture .svg or .png (extra png), or a page .html that replays the log;"
            " the file appears whole or stays as it was. - is standard output, for SVG.",
            callback=_picture_file,
        ),
    ] = STANDARD_OUTPUT,
    at: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Draw the state after record N; the opening is 1.", show_default=False
        ),
    ] = None,
    number: Annotated[int, typer.Option("--log", min=1, metavar="K", help="Draw log K of the file.")] = 1,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Draw the island of one player only.", show_default=False),
    ] = None,
    theme: Annotated[
        Theme, typer.Option(help="The colours; auto: what the reader prefers, and light in a PNG.")
    ] = Theme.AUTO,
    cell: Annotated[int, typer.Option(min=8, max=200, metavar="PIXELS", help="How wide a cell is.")] = _CELL,
    coordinates: Annotated[
        bool, typer.Option(help="Whether columns and rows have their letters and numbers.")
    ] = True,
    max_line: MaxLine = MAX_LINE,
    max_depth: MaxDepth = MAX_DEPTH,
    max_digits: MaxDigits = MAX_DIGITS,
    max_records: MaxRecords = MAX_RECORDS,
    max_unpacked: MaxUnpacked = MAX_UNPACKED,
) -> None:
    """Draw a recorded game as a picture (SVG, PNG), or write a page that replays it (HTML).

    A picture shows the end, or the state after a record, and marks what happened since the last draw:
    the tiles that were placed and the ways of the adventurers. A log that breaks the rules is drawn
    up to the fault, which goes to standard error.

    Exit code 0: no findings. 1: findings. 2: wrong usage. 3: the input could not be read.
    """
    from karuba_adapters.limits import Limits

    kind = _suffix(output)
    if kind == ".html" and (at, player, theme, cell, coordinates) != (None, None, Theme.AUTO, _CELL, True):
        raise typer.BadParameter("a page replays the whole log: of these options it takes --log alone")
    if output != STANDARD_OUTPUT and is_among(output, [log]):
        raise typer.BadParameter("this file is the log", param_hint="--output")
    limits = Limits(max_line, max_depth, max_digits, max_records, max_unpacked)
    rights: list[Right] = []
    told = one_of_several(log, number, limits, lambda _, records: rights.extend(records))
    made: str | bytes | None = None
    if kind == ".html":
        made = _page(told[0], rights)
    elif drawn := up_to(at, told[0], rights):
        look: Look = {"cell": cell, "theme": theme.value, "coordinates": coordinates}
        made = _picture(drawn, player, look, is_png=kind == ".png")
    tell_findings(*told)
    if made is not None:
        _put(made, output)
    raise typer.Exit(max(map(exit_code, told)))


def _picture(rights: "Sequence[Right]", player: str | None, look: "Look", *, is_png: bool) -> str | bytes:
    from karuba_adapters.drawing.board_svg import game_svg, island_svg
    from karuba_adapters.drawing.marks import last_round
    from karuba_adapters.plain_text import printable

    steps = [right.step for right in rights]
    game = steps[-1].game
    if player is not None and player not in game.setup.players:
        message = f"expected one of {', '.join(map(repr, game.setup.players))}, got {player!r}"
        raise typer.BadParameter(printable(message), param_hint="--player")
    look["marks"] = last_round(steps)
    if is_png and look["theme"] == "auto":
        look["theme"] = "light"  # nobody is asked what they prefer by a PNG
    svg = game_svg(game, **look) if player is None else island_svg(game, player, **look)
    if not is_png:
        return svg
    from karuba_adapters.drawing.png import png

    return png(svg)


def _page(report: "Report", rights: "Sequence[Right]") -> str | None:
    """Return a page; there is none of what could not be read at all."""
    from karuba_adapters.drawing.replay_page import page_of

    return page_of(report, rights) if rights or report.verdict != "unread" else None


def _put(made: str | bytes, output: str) -> None:
    """Write a picture or a page, which is UTF-8 wherever it goes."""
    data = made if isinstance(made, bytes) else f"{made}\n".encode()
    if output == STANDARD_OUTPUT:
        write(data)
    else:
        with whole_file(output) as put:
            put(data)
