"""`karuba replay`: a recorded game, shown at its end, after a record, or round by round."""

from collections.abc import Iterator
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from karuba_cli.options import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LINE,
    MAX_RECORDS,
    MAX_UNPACKED,
    Log,
    MaxDepth,
    MaxDigits,
    MaxLine,
    MaxRecords,
    MaxUnpacked,
)
from karuba_cli.outputs import Format, can_show, exit_code, say, tell_findings, write
from karuba_cli.positions import one_of_several, up_to

if TYPE_CHECKING:
    from karuba_adapters import Report, Right
    from karuba_core import Game


def replay(
    log: Log,
    at: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Show the state after record N; the opening is 1.", show_default=False
        ),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Show the state after each round.")] = False,
    number: Annotated[int, typer.Option("--log", min=1, metavar="K", help="Show log K of the file.")] = 1,
    report_format: Annotated[
        Format, typer.Option("--format", help="Text, or the state as JSON (karuba-state/1), one a line.")
    ] = Format.TEXT,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")] = False,
    max_line: MaxLine = MAX_LINE,
    max_depth: MaxDepth = MAX_DEPTH,
    max_digits: MaxDigits = MAX_DIGITS,
    max_records: MaxRecords = MAX_RECORDS,
    max_unpacked: MaxUnpacked = MAX_UNPACKED,
) -> None:
    """Replay a recorded game: its islands, scores and winners, or how far it got and what is due.

    A log that breaks the rules is shown up to the fault, which goes to standard error.

    Exit code 0: no findings. 1: findings. 2: wrong usage. 3: the input could not be read.
    """
    from karuba_adapters.limits import Limits

    limits = Limits(max_line, max_depth, max_digits, max_records, max_unpacked)
    if at is not None and each:
        raise typer.BadParameter("--at shows one state and --each many: give one of them")

    def show(report: "Report", rights: "list[Right]") -> None:
        for game in _games(report, rights, at, each=each):
            _show(game, report_format, ascii_only=ascii_only)

    told = one_of_several(log, number, limits, show)
    tell_findings(*told)
    raise typer.Exit(max(map(exit_code, told)))


def _games(report: "Report", rights: "list[Right]", at: int | None, *, each: bool) -> "Iterator[Game]":
    """Yield the states to show: those after each round, and the last one."""
    from karuba_core import RoundEnded, due

    shown = up_to(at, report, rights)
    if each:
        played = [right.step for right in rights if right.step.events]  # all but a seal
        for step in played[:-1]:
            has_ended = any(isinstance(event, RoundEnded) for event in step.events)
            if has_ended and due(step.game) is None:  # where the game's end is due, it is shown after that
                yield step.game
    for right in shown[-1:]:
        yield right.step.game


def _show(game: "Game", report_format: Format, *, ascii_only: bool) -> None:
    import orjson

    from karuba_adapters import state_json
    from karuba_adapters.board_text import DRAWN_WITH, game_text

    if report_format is Format.JSON:
        write(orjson.dumps(state_json(game), option=orjson.OPT_APPEND_NEWLINE))
    else:
        width = get_terminal_size((100, 24)).columns
        say(game_text(game, ascii_only=ascii_only or not can_show(DRAWN_WITH), width=width))
        say("")
