"""What the players have, and who wins (R-SCORE)."""

from typing import Final

from karuba_core.events import Score
from karuba_core.state import Island, Position
from karuba_core.tiles import TREASURES

GOLD_VALUE: Final = 2


def scores(game: Position) -> tuple[Score, ...]:
    """Return what each player has so far, in seating order (R-SCORE-1).

    Only what is taken counts: treasures left on tiles do not, and treasures of an adventurer
    that never reached its temple do.

    Args:
        game: The game, at any time.
    """
    return tuple(_score(game, player) for player in game.setup.players)


def _score(game: Position, player: str) -> Score:
    island = game.island(player)
    awards = [award for award in game.awards if award.player == player]
    temples = sum(award.token for award in awards)
    crystals = _collected(island, "crystal") + sum(award.crystals for award in awards)
    gold = _collected(island, "gold")
    return Score(player, temples, crystals, gold, temples + crystals + GOLD_VALUE * gold, island.tile_count)


def _collected(island: Island, treasure: str) -> int:
    return sum(TREASURES[island.tiles[place]] == treasure for place in island.collected)


def winners(game: Position) -> tuple[str, ...]:
    """Return who has won, in seating order; nobody before the end (R-SCORE-2).

    Args:
        game: The game, at any time.
    """
    return top_players(game) if game.phase == "over" else ()


def top_players(game: Position) -> tuple[str, ...]:
    """Return who has the highest total, among them who has the most tiles; the rest is shared."""
    ranks = [(score.total, score.tiles) for score in scores(game)]
    top = max(ranks)
    return tuple(player for player, rank in zip(game.setup.players, ranks, strict=True) if rank == top)
