"""`karuba legal`: what may be done now, as commands that `karuba apply` takes."""

import os
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from karuba_cli.options import Log
from karuba_cli.outputs import Format, exit_code, say, warn, write
from karuba_cli.positions import one_log

if TYPE_CHECKING:
    from karuba_adapters import Right
    from karuba_core import Command, Game


def legal(
    log: Log,
    at: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="After record N, not the last; the opening is 1.", show_default=False
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only what this player may do, so no draw.", show_default=False),
    ] = None,
    report_format: Annotated[
        Format, typer.Option("--format", help="Command records, one a line, or what each does, in words.")
    ] = Format.JSON,
) -> None:
    """List the legal commands after a log, or after one of its records, as apply takes them.

    Moves of one adventurer with one end are the same: each is given once, by a shortest path. Where
    nothing is legal, standard error tells what the game waits for. A seal does not matter here.

    A log that breaks the rules has its finding told, and nothing is listed unless --at lies before it.

    Exit code 0: no findings. 1: findings. 2: wrong usage. 3: the input could not be read.
    """
    from karuba_adapters import encode
    from karuba_adapters.plain_text import printable
    from karuba_core import legal_commands
    from karuba_core.wording import none_of

    report, records = one_log(log)
    last = len(records) if at is None else at
    if report.findings and (at is None or at > len(records)):
        raise typer.Exit(exit_code(report))
    if last > len(records):
        raise typer.BadParameter(f"the log has {len(records)} records only", param_hint="--at")
    game = records[last - 1].step.game
    players = game.setup.players
    if player is not None and player not in players:
        raise typer.BadParameter(none_of(player, players), param_hint="--player")
    is_empty = True
    for command in legal_commands(game, player):
        is_empty = False
        if report_format is Format.JSON:
            write(encode(command))
        else:
            say(_words(game, command))
    if is_empty:
        way_out = "" if report.findings or last < len(records) else _way_out(log, records[-1])
        warn(printable(f"karuba: nothing is legal: {_awaited(game)}{way_out}"))
    raise typer.Exit(exit_code(report))


def _words(game: "Game", command: "Command") -> str:
    """Return what a legal command does, in the words in which a replay tells it."""
    from karuba_adapters import Right
    from karuba_adapters.drawing.replay_words import record_words
    from karuba_adapters.game_words import shown_name
    from karuba_core import Step, apply

    first, *_ = apply(game, command).events  # what follows by itself is no choice
    words = record_words(Right(1, b"", command, None, Step(game, (first,))))
    return "".join(word if isinstance(word, str) else shown_name(game.setup.players[word]) for word in words)


def _awaited(game: "Game") -> str:
    from karuba_core import due
    from karuba_core.turns import awaited

    event = due(game)
    return awaited(game) if event is None else f"{event.name} is due before any command"


def _way_out(log: str, last: "Right") -> str:
    """Return how a log gets what is due after its last record, if it is due and no seal keeps it out."""
    from karuba_adapters import Seal
    from karuba_core import due

    if due(last.step.game) is None or isinstance(last.message, Seal):
        return ""
    return f"; {shlex.join(['karuba', 'apply', log, os.devnull])} writes the log with what is due"
