"""Moving an adventurer along the paths (R-MOVE)."""

from collections.abc import Iterator
from typing import Final

from karuba_core.board import (
    CELL_NAME,
    CELL_PLACE,
    COLOUR_INDEX,
    COLOURS,
    EAST,
    JUNGLE_PLACE,
    NORTH,
    SIDES_BETWEEN,
    SOUTH,
    TEMPLES,
    WEST,
    WIDTH,
)
from karuba_core.commands import Move
from karuba_core.decider import Violation
from karuba_core.events import AdventurerMoved
from karuba_core.placing import unknown_cell
from karuba_core.state import WALKING, Game, Island, Turn, with_byte
from karuba_core.tiles import BARE_ISLAND, EXITS, named
from karuba_core.turns import adventurer_fault, island_to_walk

_SIDES: Final = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}

TEMPLE: Final = "temple"
"""What the last entry of a path into the own temple is called."""


def decide(game: Game, move: Move | AdventurerMoved) -> AdventurerMoved | Violation:
    """Return the move, or why the adventurer cannot go this way."""
    island = island_to_walk(game, move.player)
    if isinstance(island, Violation):
        return island
    fault = _adventurer_fault(island, move.adventurer) or _path_fault(game, island, move)
    return fault or AdventurerMoved(move.player, move.adventurer, tuple(move.path))


def _adventurer_fault(island: Island, adventurer: str) -> Violation | None:
    fault = adventurer_fault(island, adventurer)
    # R-MOVE-3: who has reached the temple stays there.
    if fault is None and island.adventurers[COLOUR_INDEX[adventurer]] in TEMPLES:
        message = f"the {adventurer} adventurer has reached its temple and stays there"
        return Violation("rule/already-home", "R-MOVE-3", "$.adventurer", message)
    return fault


def _path_fault(game: Game, island: Island, move: Move | AdventurerMoved) -> Violation | None:
    places = _places(game, move)
    if isinstance(places, Violation):
        return places
    # R-MOVE-5: each entry costs a step.
    if len(places) > island.turn.steps:
        message = (
            f"expected at most {island.turn.steps} entries, as many as steps are left, got {len(places)}"
        )
        return Violation("rule/too-few-steps", "R-MOVE-5", "$.path", message)
    start = here = island.adventurers[COLOUR_INDEX[move.adventurer]]
    for index, there in enumerate(places):
        # R-MOVE-6: from exit to exit, cell by cell.
        if not _has_way(island, here, there):
            ends = f"{_name(here, 'the beach')} to {_name(there, 'the temple')}"
            message = f"no path leads from {ends}: {_obstacle(game, island, move.adventurer, here, there)}"
            return Violation("rule/no-way", "R-MOVE-6", f"$.path[{index}]", message)
        # R-MOVE-7: never onto or through another own adventurer.
        if there in island.adventurers and there != start:
            message = f"{CELL_NAME[there]} is held by the {island.holder(there)} adventurer"
            return Violation("rule/cell-held", "R-MOVE-7", f"$.path[{index}]", message)
        here = there
    return None


def _places(game: Game, move: Move | AdventurerMoved) -> list[int] | Violation:
    """Return the places of a path, or why it names none."""
    path = move.path
    # R-MOVE-4: a path names the cells entered; only its last entry may be the temple.
    if not path:
        return Violation("rule/empty-path", "R-MOVE-4", "$.path", "expected the cells entered, got none")
    places = []
    for index, entry in enumerate(path):
        place = CELL_PLACE.get(entry)
        if place is None:
            if entry != TEMPLE:
                return unknown_cell(entry, "R-MOVE-4", f"$.path[{index}]")
            if index + 1 < len(path):
                message = "an adventurer that enters its temple stays there: expected it last in the path"
                return Violation("rule/beyond-temple", "R-MOVE-4", f"$.path[{index + 1}]", message)
            place = temple_place(game, move.adventurer)
        places.append(place)
    return places


def _name(place: int, otherwise: str) -> str:
    return CELL_NAME.get(place, otherwise)


def temple_place(game: Game, adventurer: str) -> int:
    """Return the place of an adventurer's own temple."""
    pair = game.setup.layout.pairs[COLOUR_INDEX[adventurer]]
    return JUNGLE_PLACE[pair.jungle]


def _has_way(island: Island, here: int, there: int) -> bool:
    """Return whether one step leads there: side by side, and both have the exit between them (R-MOVE-6)."""
    tiles = island.tiles
    sides = SIDES_BETWEEN.get(there - here)
    return sides is not None and bool(EXITS[tiles[here]] & sides[0] and EXITS[tiles[there]] & sides[1])


def _obstacle(game: Game, island: Island, adventurer: str, here: int, there: int) -> str:
    """Return what stands against a step that has no way: its ends lie apart, or an exit is lacking."""
    pair = game.setup.layout.pairs[COLOUR_INDEX[adventurer]]
    if here not in CELL_NAME and there != (gate := _inside(here)):
        return f"beach {pair.beach} is at {CELL_NAME[gate]}"
    if there not in CELL_NAME and here != (gate := _inside(there)):
        lies = "above" if there < WIDTH else "right of"
        return f"the {adventurer} temple is at jungle {pair.jungle}, {lies} {CELL_NAME[gate]}"
    sides = SIDES_BETWEEN.get(there - here)
    if sides is None:
        return f"{CELL_NAME[there]} is no neighbour of {CELL_NAME[here]}"
    place, exit_side = (there, sides[1]) if EXITS[island.tiles[here]] & sides[0] else (here, sides[0])
    tile, cell = island.tiles[place], CELL_NAME[place]
    return (
        f"{named(tile)} on {cell} has no exit to the {_SIDES[exit_side]}" if tile else f"{cell} has no tile"
    )


def _inside(place: int) -> int:
    """Return the place of the cell at a beach or a temple."""
    (distance,) = (far for far, (side, _) in SIDES_BETWEEN.items() if EXITS[BARE_ISLAND[place]] & side)
    return place + distance


def _ways(island: Island, here: int, temple: int) -> Iterator[int]:
    """Yield the free places one step away: cells, and the own temple."""
    for distance in SIDES_BETWEEN:
        there = here + distance
        is_goal = there in CELL_NAME or there == temple
        if is_goal and _has_way(island, here, there) and there not in island.adventurers:
            yield there


def evolve(game: Game, moved: AdventurerMoved) -> Game:
    """Set the adventurer down at the path's end and take off its steps; the temple closes the turn."""
    seat = game.setup.players.index(moved.player)
    island = game.islands[seat]
    colour, end = COLOUR_INDEX[moved.adventurer], moved.path[-1]
    # R-MOVE-8: whoever enters the temple stays, and the turn is closed.
    if end == TEMPLE:
        place, turn = temple_place(game, moved.adventurer), Turn("home", 0, moved.adventurer)
    else:
        place, turn = CELL_PLACE[end], WALKING[island.turn.steps - len(moved.path), moved.adventurer]
    adventurers = with_byte(island.adventurers, colour, place)
    return game.with_island(seat, Island(island.tiles, island.collected, adventurers, turn))


def legal(game: Game, player: str) -> Iterator[Move]:
    """Yield the moves of a player, one for each adventurer and end, by a shortest path."""
    island = island_to_walk(game, player)
    if isinstance(island, Island):
        for adventurer in COLOURS:
            if _adventurer_fault(island, adventurer) is None:
                for path in _walk(island, adventurer, temple_place(game, adventurer)):
                    yield Move(player, adventurer, path)


def _walk(island: Island, adventurer: str, temple: int) -> Iterator[tuple[str, ...]]:
    """Yield a shortest path to every place within the steps left, the own cell included."""
    start = island.adventurers[COLOUR_INDEX[adventurer]]
    yield from _round_trip(island, start, temple)
    reached = {start}
    ends: list[tuple[int, tuple[str, ...]]] = [(start, ())]
    for _ in range(island.turn.steps):
        onward = []
        for here, path in ends:
            for there in _ways(island, here, temple):
                if there not in reached:
                    reached.add(there)
                    onward.append((there, (*path, CELL_NAME.get(there, TEMPLE))))
        yield from (path for _, path in onward)
        ends = [end for end in onward if end[0] != temple]


def _round_trip(island: Island, start: int, temple: int) -> Iterator[tuple[str, ...]]:
    """Yield a way to a neighbouring cell and back: cells may be visited again (R-MOVE-9)."""
    if start in CELL_NAME and island.turn.steps > 1:
        for there in _ways(island, start, temple):
            if there != temple:
                yield (CELL_NAME[there], CELL_NAME[start])
                return
