"""Drawing a tile, which opens a round (R-DRAW)."""

from typing import Final

from karuba_core.closing import ending
from karuba_core.commands import Draw
from karuba_core.decider import Violation
from karuba_core.events import TileDrawn
from karuba_core.state import P, Position
from karuba_core.tiles import TILE_NUMBERS
from karuba_core.turns import awaited, game_over
from karuba_core.wording import shown

_DRAWS: Final = tuple(map(Draw, TILE_NUMBERS))


def decide(game: Position, draw: Draw | TileDrawn) -> TileDrawn | Violation:
    """Return the drawn tile with its round, or why none can be drawn so."""
    # R-END-3: after the end nothing is legal.
    if game.phase == "over":
        return game_over()
    # R-DRAW-1: one round at a time.
    if game.phase == "turns":
        return Violation("rule/round-open", "R-DRAW-1", "$", awaited(game))
    # R-JUDGE-1: where the end of the game is due, no round follows.
    if ending(game) is not None:
        return Violation("rule/event-due", "R-JUDGE-1", "$", "game-ended is due before any command")
    # R-DRAW-2: the deck holds the tiles 1 to 36.
    if type(draw.tile) is not int or draw.tile not in TILE_NUMBERS:  # True counts as 1 to Python
        message = f"expected a tile from 1 to 36, got {shown(draw.tile)}"
        return Violation("rule/unknown-tile", "R-DRAW-2", "$.tile", message)
    # R-DRAW-3: each tile is drawn once.
    if draw.tile in game.drawn:
        message = f"tile {draw.tile} was drawn in round {game.drawn.index(draw.tile) + 1}"
        return Violation("rule/tile-drawn", "R-DRAW-3", "$.tile", message)
    number = len(game.drawn) + 1
    if isinstance(draw, TileDrawn) and draw.round is number:
        return draw
    return TileDrawn(number, draw.tile)


def because(game: Position, _right: TileDrawn, _wrong: TileDrawn) -> str:
    """Return why the draw opens this round: only the number of the round is derived."""
    return f"round {game.round} went before" if game.round else "no round went before"


def evolve(game: P, drawn: TileDrawn) -> P:
    """Open the round; every player has the tile to play (R-DRAW-4)."""
    return game.with_round(game.drawn + bytes([drawn.tile]), game.turns, game.awards, "turns")


def legal(game: Position) -> list[Draw]:
    """Return the draws that are legal: every tile not yet drawn, while no round is open."""
    return [draw for draw in _DRAWS if draw.tile not in game.drawn] if game.phase == "draw" else []
