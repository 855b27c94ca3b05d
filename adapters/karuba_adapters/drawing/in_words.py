"""A picture in words, for those who cannot see it."""

from karuba_adapters.game_words import outcome, shown_name
from karuba_core import CELLS, COLOURS, Game, Island, Score, scores


def game_in_words(game: Game) -> str:
    """Return how a game stands and all of its islands, each in a few sentences."""
    names = {player: shown_name(player) for player in game.setup.players}
    islands = (island_in_words(game, player) for player in game.setup.players)
    return " ".join([f"{outcome(game, names)}.", *islands])


def island_in_words(game: Game, player: str) -> str:
    """Return what a player has, where the adventurers are and which treasures lie about.

    >>> from karuba_core import Layout, Pair, Setup, preset, start
    >>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
    >>> game = start(Setup(("ana", "ben"), "ana", layout, preset("official", 2))).game
    >>> island_in_words(game, "ben")
    'ben: 0 points, 0 tiles; blue on the beach, brown on the beach, purple on the beach, yellow on the beach.'
    """
    island, score = game.island(player), scores(game)[game.seat(player)]
    standing = ", ".join(f"{colour} {_where(island, colour)}" for colour in COLOURS)
    lying = [f"{island.treasure(cell)} on {cell}" for cell in CELLS if island.treasure(cell)]
    treasures = f"; {', '.join(lying)}" if lying else ""
    return f"{shown_name(player)}: {_has(score)}; {standing}{treasures}."


def _has(score: Score) -> str:
    return f"{_counted(score.total, 'point')}, {_counted(score.tiles, 'tile')}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _where(island: Island, colour: str) -> str:
    where = island.where(colour)
    return {"beach": "on the beach", "temple": "home"}.get(where, f"on {where}")
