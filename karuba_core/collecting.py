"""Picking up a treasure, by the pick-up rule of the game (R-COLLECT)."""

from collections.abc import Iterator

from karuba_core.board import BEACHES, CELL_NAME, CELL_PLACE, COLOUR_INDEX, COLOURS
from karuba_core.commands import Collect
from karuba_core.decider import Violation
from karuba_core.events import TreasureCollected
from karuba_core.state import CLOSED, WALKING, Game, Island
from karuba_core.tiles import named
from karuba_core.turns import adventurer_fault, island_to_walk


def decide(game: Game, collect: Collect | TreasureCollected) -> TreasureCollected | Violation:
    """Return the treasure taken, or why this adventurer takes none."""
    island = island_to_walk(game, collect.player)
    if isinstance(island, Violation):
        return island
    fault = _adventurer_fault(game, island, collect.adventurer)
    if fault is not None:
        return fault
    # R-COLLECT-1: the treasure lies where the adventurer stands.
    place = island.adventurers[COLOUR_INDEX[collect.adventurer]]
    treasure = island.treasure_at(place)
    if treasure is None:
        message = f"no treasure lies where the {collect.adventurer} adventurer stands: {_lack(island, place)}"
        return Violation("rule/no-treasure", "R-COLLECT-1", "$.adventurer", message)
    return TreasureCollected(collect.player, collect.adventurer, CELL_NAME[place], treasure)


def _adventurer_fault(game: Game, island: Island, adventurer: str) -> Violation | None:
    fault = adventurer_fault(island, adventurer)
    # R-COLLECT-2: by `stop` and `landing`, a treasure is taken at the end of a move.
    if fault is None and island.turn.adventurer is None and game.setup.rules.pickup != "step":
        message = f"the {adventurer} adventurer has not moved in this turn"
        return Violation("rule/not-moved", "R-COLLECT-2", "$.adventurer", message)
    return fault


def _lack(island: Island, place: int) -> str:
    """Return why no treasure lies on a place."""
    if place not in CELL_NAME:
        return f"it is {'on the beach' if place in BEACHES else 'in its temple'}"
    if place in island.collected:
        return f"that of {CELL_NAME[place]} is taken already"
    return f"{named(island.tiles[place])} on {CELL_NAME[place]} carries none"


def because(game: Game, right: TreasureCollected, wrong: TreasureCollected) -> str:
    """Return why this treasure is taken, and there."""
    if right.cell != wrong.cell:
        return f"the {right.adventurer} adventurer stands there"
    tile = game.island(right.player).tiles[CELL_PLACE[right.cell]]
    return f"{named(tile)} carries {right.treasure}"


def evolve(game: Game, collected: TreasureCollected) -> Game:
    """Take the treasure off its cell, for a step or for all that are left."""
    seat = game.setup.players.index(collected.player)
    island = game.islands[seat]
    # R-COLLECT-4: by `step`, it costs a step and the adventurer may go on.
    if game.setup.rules.pickup == "step":
        turn = WALKING[island.turn.steps - 1, collected.adventurer]
    else:  # R-COLLECT-3: by `stop` and `landing`, what steps are left lapse.
        turn = CLOSED
    taken = bytes(sorted((*island.collected, CELL_PLACE[collected.cell])))
    return game.with_island(seat, Island(island.tiles, taken, island.adventurers, turn))


def legal(game: Game, player: str) -> Iterator[Collect]:
    """Yield the pick-ups of a player."""
    for adventurer in COLOURS:
        collect = Collect(player, adventurer)
        if isinstance(decide(game, collect), TreasureCollected):
            yield collect
