"""The legal commands of a game."""

from collections.abc import Iterator

from karuba_core import closing, collecting, drawing, moving, placing
from karuba_core.commands import Command
from karuba_core.state import Position
from karuba_core.turns import is_open


def legal_commands(game: Position, player: str | None = None) -> Iterator[Command]:
    """Yield the commands that are legal now.

    Moves are the same when adventurer and end agree: each is given once, by a shortest path.
    The own cell, reached in two steps, is such an end.

    Args:
        game: The game; while an event is due in it, nothing is legal.
        player: Only this player's commands, so no draw; without it those of all, and the draws.
    """
    if closing.due(game) is not None:
        return
    if player is None:
        yield from drawing.legal(game)
    for name, turn in zip(game.setup.players, game.turns, strict=True):
        if player not in (None, name) or not is_open(game, turn):
            continue
        # R-TURN-3, R-TURN-4: first the tile is played, and only a discard lets an adventurer act.
        if turn.stage == "to-play":
            yield from placing.legal(game, name)
        else:
            yield from moving.legal(game, name)
            yield from collecting.legal(game, name)
            yield from closing.legal_pass(game, name)
