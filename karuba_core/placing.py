"""Playing the drawn tile: placing it on the island, or discarding it for steps (R-PLACE, R-DISCARD)."""

from functools import lru_cache

from karuba_core.board import CELL_PLACE
from karuba_core.commands import Discard, Place
from karuba_core.decider import Violation
from karuba_core.events import TileDiscarded, TilePlaced
from karuba_core.state import CLOSED, WALKING, Island, P, Position, with_byte
from karuba_core.tiles import STEPS, named
from karuba_core.turns import seat_to_play
from karuba_core.wording import shown


def decide_place(game: Position, place: Place | TilePlaced) -> TilePlaced | Violation:
    """Return the placed tile, or why it cannot lie there."""
    seat = seat_to_play(game, place.player)
    if not isinstance(seat, int):
        return seat
    # R-PLACE-1: the island has the cells a1 to f5.
    where = CELL_PLACE.get(place.cell)
    if where is None:
        return unknown_cell(place.cell, "R-PLACE-1", "$.cell")
    # R-PLACE-2: a cell holds one tile.
    if held := game.islands[seat].tiles[where]:
        message = f"{place.cell} holds tile {held} already; tiles go on free cells"
        return Violation("rule/cell-occupied", "R-PLACE-2", "$.cell", message)
    tile = game.drawn[-1]
    if isinstance(place, TilePlaced) and place.tile is tile:  # 7.0 and True are equal to whole numbers
        return place
    return TilePlaced(place.player, tile, place.cell)


def evolve_place(game: P, placed: TilePlaced) -> P:
    """Lay the tile unturned, its printed treasure on it; the turn is closed (R-PLACE-3)."""
    seat = game.setup.players.index(placed.player)
    island = game.islands[seat]
    tiles = with_byte(island.tiles, CELL_PLACE[placed.cell], placed.tile)
    return game.with_turn(seat, CLOSED, Island(tiles, island.collected, island.adventurers))


def decide_discard(game: Position, discard: Discard | TileDiscarded) -> TileDiscarded | Violation:
    """Return the discarded tile with the steps it gives (R-DISCARD-1), or why it cannot be discarded."""
    seat = seat_to_play(game, discard.player)
    if not isinstance(seat, int):
        return seat
    tile = game.drawn[-1]
    steps = STEPS[tile]
    if isinstance(discard, TileDiscarded) and discard.tile is tile and discard.steps is steps:
        return discard
    return TileDiscarded(discard.player, tile, steps)


def because(game: Position, right: TilePlaced | TileDiscarded, wrong: TilePlaced | TileDiscarded) -> str:
    """Return why this tile is played, or why it gives these steps: nothing else of the event is derived."""
    if right.tile != wrong.tile:
        return f"the tile of round {game.round}"
    return f"{named(right.tile)} has {STEPS[right.tile]} exits"


def evolve_discard(game: P, discarded: TileDiscarded) -> P:
    """Give the steps; nothing printed on the tile is gained (R-DISCARD-2)."""
    seat = game.setup.players.index(discarded.player)
    return game.with_turn(seat, WALKING[discarded.steps, None])


def legal(game: Position, player: str) -> list[Place | Discard]:
    """Return how a player whose tile is unplayed may play it: on every free cell, and by the discard."""
    tiles = game.island(player).tiles
    return [*[place for where, place in _placings(player) if not tiles[where]], Discard(player)]


@lru_cache(maxsize=64)
def _placings(player: str) -> tuple[tuple[int, Place], ...]:
    """Return what a player could place where: the same in every turn, so it is made once."""
    return tuple((where, Place(player, cell)) for cell, where in CELL_PLACE.items())


def unknown_cell(cell: str, rule: str, path: str) -> Violation:
    """Return the refusal of a cell that the island does not have."""
    return Violation("rule/unknown-cell", rule, path, f"expected a cell, a1 to f5, got {shown(cell)}")
