"""Picking up a treasure, by the pick-up rule of the game (R-COLLECT)."""

from collections.abc import Iterator

from karuba_core.board import BEACHES, CELL_NAME, CELL_PLACE, COLOUR_INDEX, COLOURS
from karuba_core.commands import Collect
from karuba_core.decider import Violation
from karuba_core.events import TreasureCollected
from karuba_core.state import CLOSED, Island, P, Position, Turn
from karuba_core.tiles import named
from karuba_core.turns import adventurer_fault, seat_to_walk, stands_on_treasure, turn_after


def decide(game: Position, collect: Collect | TreasureCollected) -> TreasureCollected | Violation:
    """Return the treasure taken, or why this adventurer takes none."""
    seat = seat_to_walk(game, collect.player)
    if not isinstance(seat, int):
        return seat
    fault = _adventurer_fault(game, game.turns[seat], collect.adventurer)
    if fault is not None:
        return fault
    island = game.islands[seat]
    # R-COLLECT-1: the treasure lies where the adventurer stands.
    place = island.adventurers[COLOUR_INDEX[collect.adventurer]]
    treasure = island.treasure_at(place)
    if treasure is None:
        message = f"no treasure lies where the {collect.adventurer} adventurer stands: {_lack(island, place)}"
        return Violation("rule/no-treasure", "R-COLLECT-1", "$.adventurer", message)
    return TreasureCollected(collect.player, collect.adventurer, CELL_NAME[place], treasure)


def _adventurer_fault(game: Position, turn: Turn, adventurer: str) -> Violation | None:
    fault = adventurer_fault(turn, adventurer)
    # R-COLLECT-2: by `stop` and `landing`, a treasure is taken at the end of a move.
    if fault is None and turn.adventurer is None and game.setup.rules.pickup != "step":
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


def because(game: Position, right: TreasureCollected, wrong: TreasureCollected) -> str:
    """Return why this treasure is taken, and there."""
    if right.cell != wrong.cell:
        return f"the {right.adventurer} adventurer stands there"
    tile = game.island(right.player).tiles[CELL_PLACE[right.cell]]
    return f"{named(tile)} carries {right.treasure}"


def evolve(game: P, collected: TreasureCollected) -> P:
    """Take the treasure off its cell, for a step or for all that are left."""
    seat = game.setup.players.index(collected.player)
    before = game.islands[seat]
    taken = bytes(sorted((*before.collected, CELL_PLACE[collected.cell])))
    island = Island(before.tiles, taken, before.adventurers)
    # R-COLLECT-4: by `step`, it costs a step and the adventurer may go on.
    if game.setup.rules.pickup == "step":
        turn = turn_after(game, island, game.turns[seat].steps - 1, collected.adventurer)
    else:  # R-COLLECT-3: by `stop` and `landing`, what steps are left lapse.
        turn = CLOSED
    return game.with_turn(seat, turn, island)


def legal(game: Position, player: str) -> Iterator[Collect]:
    """Yield the pick-ups of a player."""
    island = game.island(player)
    for adventurer in COLOURS:
        collect = Collect(player, adventurer)
        if stands_on_treasure(island, adventurer) and isinstance(decide(game, collect), TreasureCollected):
            yield collect
