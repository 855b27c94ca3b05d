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
from karuba_core.state import HOME, Island, P, Position, Turn, with_byte
from karuba_core.tiles import BARE_ISLAND, EXITS, named
from karuba_core.turns import adventurer_fault, seat_to_walk, turn_after

_NO_SIDES: Final = (0, 0)
_SIDES: Final = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}

TEMPLE: Final = "temple"
"""What the last entry of a path into the own temple is called."""


def decide(game: Position, move: Move | AdventurerMoved) -> AdventurerMoved | Violation:
    """Return the move, or why the adventurer cannot go this way."""
    seat = seat_to_walk(game, move.player)
    if not isinstance(seat, int):
        return seat
    island, turn = game.islands[seat], game.turns[seat]
    fault = _adventurer_fault(island, turn, move.adventurer) or _path_fault(game, island, turn.steps, move)
    if fault is not None:
        return fault
    if isinstance(move, AdventurerMoved) and type(move.path) is tuple:
        return move
    return AdventurerMoved(move.player, move.adventurer, tuple(move.path))


def _adventurer_fault(island: Island, turn: Turn, adventurer: str) -> Violation | None:
    fault = adventurer_fault(turn, adventurer)
    # R-MOVE-3: who has reached the temple stays there.
    if fault is None and island.adventurers[COLOUR_INDEX[adventurer]] in TEMPLES:
        message = f"the {adventurer} adventurer has reached its temple and stays there"
        return Violation("rule/already-home", "R-MOVE-3", "$.adventurer", message)
    return fault


def _path_fault(game: Position, island: Island, steps: int, move: Move | AdventurerMoved) -> Violation | None:
    places = _places(game, move)
    if isinstance(places, Violation):
        return places
    # R-MOVE-5: each entry costs a step.
    if len(places) > steps:
        message = f"expected at most {steps} entries, as many as steps are left, got {len(places)}"
        return Violation("rule/too-few-steps", "R-MOVE-5", "$.path", message)
    tiles, held = island.tiles, island.adventurers
    start = here = held[COLOUR_INDEX[move.adventurer]]
    for index, there in enumerate(places):
        # R-MOVE-6: from exit to exit, cell by cell.
        if not _has_way(tiles, here, there):
            ends = f"{_name(here, 'the beach')} to {_name(there, 'the temple')}"
            message = f"no path leads from {ends}: {_obstacle(game, island, move.adventurer, here, there)}"
            return Violation("rule/no-way", "R-MOVE-6", f"$.path[{index}]", message)
        # R-MOVE-7: never onto or through another own adventurer.
        if there in held and there != start:
            message = f"{CELL_NAME[there]} is held by the {island.holder(there)} adventurer"
            return Violation("rule/cell-held", "R-MOVE-7", f"$.path[{index}]", message)
        here = there
    return None


def _places(game: Position, move: Move | AdventurerMoved) -> list[int] | Violation:
    """Return the places of a path, or why it names none."""
    path = move.path
    # R-MOVE-4: a path names the cells entered; only its last entry may be the temple.
    if not path:
        return Violation("rule/empty-path", "R-MOVE-4", "$.path", "expected the cells entered, got none")
    try:
        return [CELL_PLACE[entry] for entry in path]
    except KeyError:  # one of the entries is no cell
        return _places_to_temple(game, move)


def _places_to_temple(game: Position, move: Move | AdventurerMoved) -> list[int] | Violation:
    *cells, last = move.path
    for index, entry in enumerate(cells):
        if entry == TEMPLE:
            message = "an adventurer that enters its temple stays there: expected it last in the path"
            return Violation("rule/beyond-temple", "R-MOVE-4", f"$.path[{index + 1}]", message)
        if entry not in CELL_PLACE:
            return unknown_cell(entry, "R-MOVE-4", f"$.path[{index}]")
    if last != TEMPLE:
        return unknown_cell(last, "R-MOVE-4", f"$.path[{len(cells)}]")
    return [*(CELL_PLACE[entry] for entry in cells), temple_place(game, move.adventurer)]


def _name(place: int, otherwise: str) -> str:
    return CELL_NAME.get(place, otherwise)


def temple_place(game: Position, adventurer: str) -> int:
    """Return the place of an adventurer's own temple."""
    pair = game.setup.layout.pairs[COLOUR_INDEX[adventurer]]
    return JUNGLE_PLACE[pair.jungle]


def _has_way(tiles: bytes, here: int, there: int) -> bool:
    """Return whether one step leads there: side by side, and both have the exit between them (R-MOVE-6)."""
    leaving, entering = SIDES_BETWEEN.get(there - here, _NO_SIDES)
    return (EXITS[tiles[here]] & leaving and EXITS[tiles[there]] & entering) > 0


def _obstacle(game: Position, island: Island, adventurer: str, here: int, there: int) -> str:
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
    tiles, held = island.tiles, island.adventurers
    for distance in SIDES_BETWEEN:
        there = here + distance
        if (there in CELL_NAME or there == temple) and _has_way(tiles, here, there) and there not in held:
            yield there


def evolve(game: P, moved: AdventurerMoved) -> P:
    """Set the adventurer down at the path's end and take off its steps; the temple closes the turn."""
    seat = game.setup.players.index(moved.player)
    before, adventurer, end = game.islands[seat], moved.adventurer, moved.path[-1]
    place = temple_place(game, adventurer) if end == TEMPLE else CELL_PLACE[end]
    adventurers = with_byte(before.adventurers, COLOUR_INDEX[adventurer], place)
    island = Island(before.tiles, before.collected, adventurers)
    # R-MOVE-8: whoever enters the temple stays, and the turn is closed.
    if end == TEMPLE:
        turn = HOME[adventurer]
    else:
        turn = turn_after(game, island, game.turns[seat].steps - len(moved.path), adventurer)
    return game.with_turn(seat, turn, island)


def legal(game: Position, player: str) -> Iterator[Move]:
    """Yield the moves of a player who is walking, one for each adventurer and end, by a shortest path."""
    island, turn = game.island(player), game.turn(player)
    walkers = COLOURS if turn.adventurer is None else (turn.adventurer,)  # spares refusals
    for adventurer in walkers:
        if _adventurer_fault(island, turn, adventurer) is None:
            for path in _walk(island, turn.steps, adventurer, temple_place(game, adventurer)):
                yield Move(player, adventurer, path)


def _walk(island: Island, steps: int, adventurer: str, temple: int) -> Iterator[tuple[str, ...]]:
    """Yield a shortest path to every place within the steps left, the own cell included."""
    start = island.adventurers[COLOUR_INDEX[adventurer]]
    if steps > 1:
        yield from _round_trip(island, start, temple)
    reached = {start}
    ends: list[tuple[int, tuple[str, ...]]] = [(start, ())]
    for _ in range(steps):
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
    if start in CELL_NAME:
        for there in _ways(island, start, temple):
            if there != temple:
                yield (CELL_NAME[there], CELL_NAME[start])
                return
