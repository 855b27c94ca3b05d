"""What a player at the terminal is shown in a turn: the own island, what may be done, the points."""

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from karuba_adapters.board_text import island_text
from karuba_adapters.game_words import heading, outcome, shown_name
from karuba_adapters.hot_seat import Round
from karuba_core import CELLS, Collect, Command, Game, Island, Move, Pass, scores
from karuba_core.board import ROWS
from karuba_core.moving import TEMPLE

HELP: Final = """\
Answer with a number of the list, or with what you do, as the notation has it:
  b3           place the tile on b3
  -            discard the tile and move nobody
  Bl a2 b2 *   discard it, let blue walk to b2 and take the treasure there; ^ is the temple
  pass         end the turn
After an action the turn ends; with a full stop at its end (Bl a2 .) it goes on. Numbers let it go on, too.
Or with a word:
  undo, u      take back the last action of this round, whoever did it
  board, b     your island and what you may do; others, o: all islands; scores, s: the points
  help, ?      this
  quit, q      leave; the log keeps the rounds that are closed
On an island: Bl blue, Br brown, Pu purple, Ye yellow; temples above and right; * crystal, $ gold."""

_INDENT: Final = "  "
_GLUE: Final = "\N{NO-BREAK SPACE}"  # keeps what belongs together on one line


def turn_text(now: Round, *, ascii_only: bool = False, width: int = 100) -> str:
    """Return what the player who is next needs to see: the tile, the own island, and what may be done.

    Args:
        now: A round in which somebody is asked.
        ascii_only: Whether to keep to ASCII, in names too.
        width: The columns of the terminal.

    Raises:
        ValueError: The round is closed.
    """
    if now.player is None:
        raise ValueError("the round is closed: nobody is asked")
    game = now.game
    names = {player: shown_name(player, ascii_only=ascii_only) for player in game.setup.players}
    return "\n\n".join(
        (
            heading(game),
            island_text(game, now.player, ascii_only=ascii_only),
            outcome(game, names),
            _ways(now, now.player, max(width, 40)),
        )
    )


def points_text(game: Game, *, ascii_only: bool = False) -> str:
    """Return a line of points for each player.

    Args:
        game: The game.
        ascii_only: Whether to keep to ASCII in names.
    """
    return "\n".join(
        f"{shown_name(score.player, ascii_only=ascii_only)}: {score.total}"
        f" (temples {score.temples}, crystals {score.crystals}, gold {score.gold}; tiles {score.tiles})"
        for score in scores(game)
    )


def _ways(now: Round, player: str, width: int) -> str:
    """Return what may be done: the free cells, then the numbered choices by adventurer."""
    island = now.game.island(player)
    lines = []
    if now.game.turn(player).stage == "to-play":
        lines += ["Place the tile on a free cell:", *_free_cells(island), "Or discard it and move:"]
    numbered = enumerate((choice[-1] for choice in now.choices), 1)
    for subject, group in groupby(numbered, key=lambda item: _subject(island, item[1])):
        ways = [f"{number}: {_way(island, command)}".replace(" ", _GLUE) for number, command in group]
        text = f"{subject}  " + "   ".join(ways)
        lines.append(
            textwrap.fill(
                text, width, initial_indent=_INDENT, subsequent_indent=_INDENT * 3, break_on_hyphens=False
            ).replace(_GLUE, " ")
        )
    return "\n".join(lines)


def _free_cells(island: Island) -> Iterator[str]:
    for row in ROWS:
        cells = (cell for cell in CELLS if cell[1] == str(row))
        yield _INDENT + " ".join("--" if island.tile(cell) else cell for cell in cells)


def _subject(island: Island, command: Command) -> str:
    """Return who acts, and from where."""
    if not isinstance(command, Move | Collect):
        return "nobody:"
    where = island.where(command.adventurer)
    return f"{command.adventurer}, on {'the beach' if where == 'beach' else where}:"


def _way(island: Island, command: Command) -> str:
    match command:
        case Collect():
            return f"take the {island.treasure(island.where(command.adventurer))}"
        case Move(path=(*_, last)):
            where = "its temple" if last == TEMPLE else last
            return where if len(command.path) == 1 else f"{where} ({len(command.path)} steps)"
        case Pass():
            return "end the turn"
    raise ValueError(f"{command.name} is no choice")
