"""Moving an adventurer along the paths (R-MOVE)."""

from collections.abc import Iterator
from typing import Final

from karuba_core.board import CELL_NAME, CELL_PLACE, COLOUR_INDEX, COLOURS, DIRECTIONS, JUNGLE_PLACE, TEMPLES
from karuba_core.commands import Move
from karuba_core.decider import Violation
from karuba_core.events import AdventurerMoved
from karuba_core.placing import unknown_cell
from karuba_core.state import CLOSED, Game, Island, Turn, with_byte
from karuba_core.tiles import EXITS
from karuba_core.turns import island_to_walk, other_adventurer, unknown_adventurer

TEMPLE: Final = "temple"
"""What the last entry of a path into the own temple is called."""


def decide(game: Game, move: Move) -> AdventurerMoved | Violation:
    """Return the move, or why the adventurer cannot go this way."""
    island = island_to_walk(game, move.player)
    if isinstance(island, Violation):
        return island
    fault = _adventurer_fault(island, move.adventurer) or _path_fault(game, island, move)
    return fault or AdventurerMoved(move.player, move.adventurer, move.path)


def _adventurer_fault(island: Island, adventurer: str) -> Violation | None:
    # R-MOVE-1: the adventurers are the four colours.
    colour = COLOUR_INDEX.get(adventurer)
    if colour is None:
        return unknown_adventurer(adventurer)
    # R-MOVE-2: one adventurer a turn.
    walking = island.turn.adventurer
    if walking is not None and walking != adventurer:
        return other_adventurer(walking)
    # R-MOVE-3: who has reached the temple stays there.
    if island.adventurers[colour] in TEMPLES:
        message = f"the {adventurer} adventurer has reached its temple and stays there"
        return Violation("rule/already-home", "R-MOVE-3", "$.adventurer", message)
    return None


def _path_fault(game: Game, island: Island, move: Move) -> Violation | None:
    path, steps = move.path, island.turn.steps
    # R-MOVE-4: a path names the cells entered; only its last entry may be the temple.
    if not path:
        return Violation("rule/empty-path", "R-MOVE-4", "$.path", "expected the cells entered, got none")
    for index, entry in enumerate(path):
        if entry not in CELL_PLACE and entry != TEMPLE:
            return unknown_cell(entry, f"$.path[{index}]")
    if TEMPLE in path[:-1]:
        message = "an adventurer that enters its temple stays there: expected it last in the path"
        return Violation("rule/beyond-temple", "R-MOVE-4", f"$.path[{path.index(TEMPLE) + 1}]", message)
    # R-MOVE-5: each entry costs a step.
    if len(path) > steps:
        message = f"expected at most {steps} entries, as many as steps are left, got {len(path)}"
        return Violation("rule/too-few-steps", "R-MOVE-5", "$.path", message)
    return _way_fault(game, island, move)


def _way_fault(game: Game, island: Island, move: Move) -> Violation | None:
    temple = temple_place(game, move.adventurer)
    here = island.adventurers[COLOUR_INDEX[move.adventurer]]
    for index, entry in enumerate(move.path):
        there = temple if entry == TEMPLE else CELL_PLACE[entry]
        # R-MOVE-6: from exit to exit, cell by cell.
        if there not in _ways(island, here, temple):
            origin = CELL_NAME.get(here, "the beach")
            message = f"no path leads from {origin} to {'its temple' if entry == TEMPLE else entry}"
            return Violation("rule/no-way", "R-MOVE-6", f"$.path[{index}]", message)
        # R-MOVE-7: never onto or through another own adventurer.
        holder = island.holder(there)
        if holder not in (None, move.adventurer):
            message = f"{entry} is held by the {holder} adventurer"
            return Violation("rule/cell-held", "R-MOVE-7", f"$.path[{index}]", message)
        here = there
    return None


def temple_place(game: Game, adventurer: str) -> int:
    """Return the place of an adventurer's own temple."""
    pair = game.setup.layout.pairs[COLOUR_INDEX[adventurer]]
    return JUNGLE_PLACE[pair.jungle]


def _ways(island: Island, here: int, temple: int) -> Iterator[int]:
    """Yield the places one step away: both sides open there, a cell or the own temple (R-MOVE-6)."""
    tiles = island.tiles
    exits = EXITS[tiles[here]]
    for side, distance, entrance in DIRECTIONS:
        if exits & side:
            there = here + distance
            if EXITS[tiles[there]] & entrance and (there in CELL_NAME or there == temple):
                yield there


def evolve(game: Game, moved: AdventurerMoved) -> Game:
    """Set the adventurer down at the path's end and take off its steps; the temple closes the turn."""
    island = game.island(moved.player)
    colour, end = COLOUR_INDEX[moved.adventurer], moved.path[-1]
    # R-MOVE-8: whoever enters the temple stays, and the turn is closed.
    if end == TEMPLE:
        place, turn = temple_place(game, moved.adventurer), CLOSED
    else:
        place, turn = CELL_PLACE[end], Turn("walking", island.turn.steps - len(moved.path), moved.adventurer)
    adventurers = with_byte(island.adventurers, colour, place)
    return game.with_island(moved.player, Island(island.tiles, island.collected, adventurers, turn))


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
                if there not in reached and island.holder(there) is None:
                    reached.add(there)
                    onward.append((there, (*path, CELL_NAME.get(there, TEMPLE))))
        yield from (path for _, path in onward)
        ends = [end for end in onward if end[0] != temple]


def _round_trip(island: Island, start: int, temple: int) -> Iterator[tuple[str, ...]]:
    """Yield a way to a neighbouring cell and back: cells may be visited again (R-MOVE-9)."""
    if start in CELL_NAME and island.turn.steps > 1:
        for there in _ways(island, start, temple):
            if there != temple and island.holder(there) is None:
                yield (CELL_NAME[there], CELL_NAME[start])
                return
