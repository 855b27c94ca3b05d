"""What is told of a game in words, whoever draws it: how it stands, who has won, what comes next."""

from collections.abc import Mapping
from typing import Final

from karuba_adapters.plain_text import printable
from karuba_core import CELLS, TILES, Game, Turn, due, end_reason, winners
from karuba_core.turns import open_players

_PHASES: Final = {"draw": "the round is over", "turns": "the round is open", "over": "the game is over"}


def heading(game: Game) -> str:
    """Return the round, its tile, and whether it is over.

    >>> from karuba_core import Draw, Layout, Pair, Setup, apply, preset, start
    >>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
    >>> game = start(Setup(("ana", "ben"), "ana", layout, preset("official", 2))).game
    >>> heading(apply(game, Draw(11)).game)
    'Round 1 of 36, tile 11 (NEW, crystal): the round is open'
    """
    if not game.drawn:
        return "No tile has been drawn yet"
    tile = TILES[game.drawn[-1] - 1]
    printed = tile.exits if tile.treasure is None else f"{tile.exits}, {tile.treasure}"
    return f"Round {game.round} of {len(TILES)}, tile {tile.number} ({printed}): {_PHASES[game.phase]}"


def outcome(game: Game, names: Mapping[str, str]) -> str:
    """Return who has won and why, what is due, or what is to be done.

    Args:
        game: The game.
        names: What each player is called.
    """
    if game.phase == "over":
        return _result(game, names)
    if event := due(game):
        return f"{event.name} is due"
    if game.phase == "draw":
        return f"round {game.round + 1}: a tile has to be drawn"
    turns = "; ".join(_open_turn(game, player, names[player]) for player in open_players(game))
    return f"round {game.round}: {turns}"


def shown_name(name: str, *, ascii_only: bool = False) -> str:
    """Return a name fit to be shown, its backslashes doubled, so that no two names look alike."""
    return printable(name.replace("\\", "\\\\"), ascii_only=ascii_only)


def _result(game: Game, names: Mapping[str, str]) -> str:
    *others, last = (names[player] for player in winners(game))
    won = f"{', '.join(others)} and {last} share the win" if others else f"{last} wins"
    if end_reason(game) == "tiles-exhausted":
        return f"{won}: all {len(TILES)} tiles played"
    home = (name for player, name in names.items() if game.island(player).is_home)
    return f"{won}: all four adventurers home ({', '.join(home)})"


def steps_left(turn: Turn) -> str:
    """Return how many steps a turn has left.

    >>> steps_left(Turn("walking", 1, "blue"))
    '1 step left'
    """
    return f"{turn.steps or 'no'} step{'' if turn.steps == 1 else 's'} left"


def _open_turn(game: Game, player: str, name: str) -> str:
    island, turn = game.island(player), game.turn(player)
    if turn.stage == "to-play":
        return f"{name} has still to play tile {game.drawn[-1]}"
    left = f"{name} has {steps_left(turn)}"
    if turn.adventurer is None:
        return f"{left} for any adventurer"
    where = island.where(turn.adventurer)
    treasure = island.treasure(where) if where in CELLS else None
    return f"{left} with {turn.adventurer}" + (", standing on a treasure" if treasure else "")
