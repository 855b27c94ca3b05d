"""What the players have, and who wins (R-SCORE)."""

from typing import Final

from karuba_core.events import Award, Score
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
    return tuple(
        _score(player, island, [award for award in game.awards if award.player == player])
        for player, island in zip(game.setup.players, game.islands, strict=True)
    )


def _score(player: str, island: Island, awards: list[Award]) -> Score:
    taken = [TREASURES[island.tiles[place]] for place in island.collected]
    temples = sum([award.token for award in awards])
    crystals = taken.count("crystal") + sum([award.crystals for award in awards])
    gold = taken.count("gold")
    return Score(player, temples, crystals, gold, temples + crystals + GOLD_VALUE * gold, island.tile_count)


def winners(game: Position) -> tuple[str, ...]:
    """Return who has won, in seating order; nobody before the end (R-SCORE-2).

    Args:
        game: The game, at any time.
    """
    return top_players(scores(game)) if game.phase == "over" else ()


def top_players(final: tuple[Score, ...]) -> tuple[str, ...]:
    """Return who has the highest total, among them who has the most tiles; the rest is shared."""
    top = max((score.total, score.tiles) for score in final)
    return tuple(score.player for score in final if (score.total, score.tiles) == top)
