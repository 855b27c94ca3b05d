"""How large the positions of the model are, and what each of them shows, by the kernel alone.

    python -m tests.formal.sizes [POSITION.jsonl ...]

Without a file, all positions of `spec/model/positions/`. The counts are those that an exhaustive
run of the model has to reach, too.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from karuba_core import (
    COLOURS,
    AdventurerMoved,
    Event,
    Game,
    GameEnded,
    Island,
    Move,
    Pass,
    Place,
    RoundEnded,
    TileDrawn,
    TreasureCollected,
    legal_commands,
    violation,
)
from karuba_core.board import BEACH_PLACE, CELL_NAME, JUNGLE_PLACE, SIDES_BETWEEN
from karuba_core.tiles import EXITS, TILE_NUMBERS
from karuba_core.turns import open_players
from tests.formal.kernel_graph import POSITIONS, Graph, explore, read_position

LAST_ROUND: Final = len(TILE_NUMBERS)

SHOWN: Final = (
    "tile drawn",
    "one of several tiles drawn",
    "tie of 2",
    "tie of 3",
    "awards at 2 temples",
    "awards not by seat alone",
    "all home in round 36",
    "all home before",
    "tiles exhausted",
    "shared win",
    "win by tiles",
    "more tiles but fewer points",
    "crystal taken",
    "gold taken",
    "open after a pick-up",
    "must collect",
    "open without steps",
    "blocked, detour",
    "blocked, no detour",
    "round trip",
    "from the beach",
    "at the own beach",
    "at a foreign temple",
    "temple with steps over",
    "several free cells",
)
"""What a position may show, in the words of the table."""


def shown(graph: Graph) -> Counter[str]:
    """Return how often each thing is to be seen among all games and events that can be reached."""
    seen: Counter[str] = Counter()
    for game, edges in zip(graph.games, graph.edges, strict=True):
        seen.update(set(_of_game(game)))
        for event, number in edges:
            seen.update(_of_event(game, event, graph.games[number]))
    return seen


def _of_event(game: Game, event: Event, after: Game) -> Iterator[str]:
    match event:
        case RoundEnded():
            ties = Counter(award.temple for award in event.awards)
            yield from (f"tie of {count}" for count in ties.values() if count > 1)
            if len(ties) > 1:
                yield "awards at 2 temples"
            seats = [game.seat(award.player) for award in event.awards]
            if seats != sorted(seats):
                yield "awards not by seat alone"
        case TileDrawn():
            yield "tile drawn"
            if game.round + 1 < LAST_ROUND:
                yield "one of several tiles drawn"
        case GameEnded():
            yield from _of_end(game, event)
        case TreasureCollected():
            yield f"{event.treasure} taken"
            if event.player in open_players(after):
                yield "open after a pick-up"
        case AdventurerMoved(path=(*_, "temple")) if game.turn(event.player).steps > len(event.path):
            yield "temple with steps over"


def _of_end(game: Game, event: GameEnded) -> Iterator[str]:
    if event.reason == "tiles-exhausted":
        yield "tiles exhausted"
    else:
        yield "all home in round 36" if game.round == LAST_ROUND else "all home before"
    if len(event.winners) > 1:
        yield "shared win"
    totals = sorted(score.total for score in event.scores)
    if len(event.winners) == 1 and totals[-1] == totals[-2]:
        yield "win by tiles"
    most = max(score.tiles for score in event.scores)
    if all(score.tiles < most for score in event.scores if score.player in event.winners):
        yield "more tiles but fewer points"


def _of_game(game: Game) -> Iterator[str]:
    for player in open_players(game):
        island = game.island(player)
        commands = tuple(legal_commands(game, player))
        if sum(isinstance(command, Place) for command in commands) > 1:
            yield "several free cells"
        if game.turn(player).stage == "walking":
            yield from _of_walker(game, player, island)
            moves = [command for command in commands if isinstance(command, Move)]
            yield from _of_moves(island, moves)
            yield from _of_blocked(game, player, moves)


def _of_walker(game: Game, player: str, island: Island) -> Iterator[str]:
    turn = game.turn(player)
    if turn.steps == 0:
        yield "open without steps"
    refused = violation(game, Pass(player))
    if refused is not None and refused.code == "rule/must-collect":
        yield "must collect"
    pairs = game.setup.layout.pairs
    temples = {JUNGLE_PLACE[pair.jungle] for pair in pairs}
    for pair, colour, place in zip(pairs, COLOURS, island.adventurers, strict=True):
        if place in CELL_NAME and turn.steps and turn.adventurer in (None, colour):
            if _opens(island, place, BEACH_PLACE[pair.beach]):
                yield "at the own beach"
            if any(_opens(island, place, temple) for temple in temples - {JUNGLE_PLACE[pair.jungle]}):
                yield "at a foreign temple"


def _opens(island: Island, place: int, border: int) -> bool:
    sides = SIDES_BETWEEN.get(border - place)
    return sides is not None and bool(EXITS[island.tiles[place]] & sides[0])


def _of_moves(island: Island, moves: list[Move]) -> Iterator[str]:
    for move in moves:
        if island.where(move.adventurer) == move.path[-1]:
            yield "round trip"
        if island.where(move.adventurer) == "beach":
            yield "from the beach"


def _of_blocked(game: Game, player: str, moves: list[Move]) -> Iterator[str]:
    """Compare the moves with those of an island where the other adventurers stand nowhere."""
    seat = game.seat(player)
    island = game.islands[seat]
    lengths = {(move.adventurer, move.path[-1]): len(move.path) for move in moves}
    for index, colour in enumerate(COLOURS):
        alone = bytes(place if index == other else 0 for other, place in enumerate(island.adventurers))
        free = game.with_turn(seat, game.turns[seat], attrs.evolve(island, adventurers=alone))
        for move in legal_commands(free, player):
            if isinstance(move, Move) and move.adventurer == colour and move.path[-1] not in _held(island):
                length = lengths.get((colour, move.path[-1]))
                if length is None:
                    yield "blocked, no detour"
                elif length > len(move.path):
                    yield "blocked, detour"


def _held(island: Island) -> set[str]:
    return {island.where(colour) for colour in COLOURS} - {"temple"}


def main() -> None:
    """Print a table: the counts of each position, and what is to be seen in how many places of it."""
    paths = [Path(name) for name in sys.argv[1:]] or sorted(POSITIONS.glob("*.jsonl"))
    lacking = set(SHOWN)
    for path in paths:
        events = read_position(path)
        graph = explore(events)
        seen, setup = shown(graph), graph.games[0].setup
        lacking -= seen.keys()
        counts = ", ".join(f"{count} {what}" for what, count in graph.counts.items())
        players = len(setup.players)
        print(f"{path.stem}: {players} players, {setup.rules.pickup}, round {graph.games[0].round}: {counts}")
        print("  " + ", ".join(f"{what} {seen[what]}" for what in SHOWN if seen[what]))
    print(f"nowhere: {', '.join(what for what in SHOWN if what in lacking) or 'nothing'}")


if __name__ == "__main__":
    main()
