"""Games that take another course: they are played on, or a command more stands in them."""

from collections.abc import Iterator
from typing import Any, Final

import orjson
from hypothesis import strategies as st

from karuba_adapters import decode, encode
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Game,
    Island,
    Move,
    Pass,
    Place,
    apply,
    legal_commands,
    start,
    violation,
)
from tests.mutations.draws import neighbours, one_of
from tests.mutations.logs import Change, Record, as_commands, registering
from tests.naive_judge import BEACH, CELLS, COLOURS, EXITS, JUNGLE, OPPOSITE, SHIFT

FAULTS: Final[dict[str, Change]] = {}
fault = registering(FAULTS)


@fault
def another_course(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Cut a game and play on by commands, most of them legal, some nearly so."""
    commands = as_commands(log)
    del commands[draw(st.integers(1, len(commands) - 1)) :]
    game = start(said(log[0]).setup).game
    for asked in commands[1:]:
        game = apply(game, said(asked)).game
    for _ in range(draw(st.integers(1, 25))):
        if game.phase == "over":
            break
        command = draw(anything_legal(game) if draw(st.integers(0, 9)) else anything(game))
        commands.append(orjson.loads(encode(command)))
        if violation(game, command) is not None:
            break
        game = apply(game, command).game
    return commands


@fault
def a_treasure_of_another_adventurer(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """One has moved, and another takes what it has stood on since an earlier turn."""
    ways = [
        (place, {"type": "collect", "player": asked["player"], "adventurer": colour})
        for place, asked, game in replayed(log, "move")
        for island in [game.island(asked["player"])]
        for colour in COLOURS
        if colour != asked["adventurer"] and island.where(colour) in CELLS
        if island.treasure(island.where(colour)) and game.turn(asked["player"]).stage == "walking"
    ]
    return inserted(draw, log, ways)


@fault
def a_way_over_another_adventurer(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Onto its cell or beyond, by roads that are there."""
    ways = [
        (place, {"type": "move", "player": asked["player"], "adventurer": colour, "path": way})
        for place, asked, game in replayed(log, "discard")
        for island in [game.island(asked["player"])]
        for colour in COLOURS
        for way in roads(game, asked["player"], colour)
        if any(island.where(other) in way for other in COLOURS if other != colour)
    ]
    return inserted(draw, log, ways)


@fault
def a_path_beyond_the_temple(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """The way out is the way in, and steps are left for it, so the path has no other fault."""
    ways = [
        (
            place,
            {
                "type": "move",
                "player": asked["player"],
                "adventurer": colour,
                "path": [*way, "temple", last],
            },
        )
        for place, asked, game in replayed(log, "discard")
        for island in [game.island(asked["player"])]
        for colour in COLOURS
        for way in [[], *roads(game, asked["player"], colour)]
        for last in (way or [island.where(colour)])[-1:]
        if leads_home(game, island, colour, last) and len(way) + 2 <= game.turn(asked["player"]).steps
    ]
    return inserted(draw, log, ways)


def leads_home(game: Game, island: Island, adventurer: str, cell: str) -> bool:
    spot, side = JUNGLE[getattr(game.setup.layout, adventurer).jungle]
    return CELLS.get(cell) == spot and side in EXITS.get(island.tile(cell) or 0, "")


def replayed(log: list[Record], kind: str) -> Iterator[tuple[int, Record, Game]]:
    """Yield each command of a kind with the game after it and the place of what comes next."""
    game = start(said(log[0]).setup).game
    for place, asked in enumerate(as_commands(log)[1:], start=2):
        game = apply(game, said(asked)).game
        if asked["type"] == kind:
            yield place, asked, game


def inserted(draw: st.DrawFn, log: list[Record], ways: list[tuple[int, Record]]) -> list[Record]:
    """Return the commands of a log with one more of several, each at its place."""
    place, command = one_of(draw, ways)
    commands = as_commands(log)
    return [*commands[:place], command, *commands[place:]]


def roads(game: Game, player: str, adventurer: str) -> Iterator[list[str]]:
    """Yield the ways that an adventurer could go with the steps of the turn if it were alone."""
    island = game.island(player)
    here = island.where(adventurer)
    spot, side = BEACH[getattr(game.setup.layout, adventurer).beach]
    first = next(name for name, cell in CELLS.items() if cell == spot)
    is_open = here == "beach" and side in EXITS.get(island.tile(first) or 0, "")
    ways = [[first]] if is_open else [[cell] for cell in joined(island, here)]
    for _ in range(game.turn(player).steps):
        yield from ways
        ways = [[*way, cell] for way in ways for cell in joined(island, way[-1])]


def said(fields: Record) -> Any:  # noqa: ANN401 - the message of whatever type it is
    return decode({**fields})[0]


def anything_legal(game: Game) -> st.SearchStrategy[Command]:
    """Draw a legal command, and rather one of a rare kind."""
    by_kind: dict[type, list[Command]] = {}
    for command in legal_commands(game):
        by_kind.setdefault(type(command), []).append(command)
    return st.sampled_from([*by_kind.values()]).flatmap(st.sampled_from)


@st.composite
def anything(draw: st.DrawFn, game: Game) -> Command:
    """Draw a command that may be legal or not; a path follows roads, mostly."""
    kind = draw(st.sampled_from([Move, Move, Move, Move, Collect, Collect, Pass, Place, Discard, Draw]))
    player = draw(st.sampled_from(game.setup.players))
    if kind is Draw:
        return Draw(draw(st.integers(0, 37)))
    if kind is Place:
        return Place(player, draw(st.sampled_from([*CELLS])))
    if kind in (Discard, Pass):
        return (Discard if kind is Discard else Pass)(player)
    island = game.island(player)
    spots = {colour: island.where(colour) for colour in COLOURS}
    if kind is Collect:
        rich = [colour for colour, spot in spots.items() if spot in CELLS and island.treasure(spot)]
        return Collect(player, one_of(draw, [*rich, *rich, *rich, *COLOURS]))
    adventurer = draw(st.sampled_from(COLOURS))
    path = [spots[adventurer]]
    if path == ["beach"]:
        first, _ = BEACH[getattr(game.setup.layout, adventurer).beach]
        path.append(next(name for name, cell in CELLS.items() if cell == first))
    for _ in range(draw(st.integers(1, 4))):
        roads = joined(island, path[-1]) if draw(st.integers(0, 9)) else []
        path.append(draw(st.sampled_from(roads or neighbours(path[-1]))))
    return Move(player, adventurer, tuple(path[1:] + ["temple"] * draw(st.integers(0, 1))))


def joined(island: Island, cell: str) -> list[str]:
    """Return the cells to which a road leads from a cell, held or not."""
    here = EXITS.get(island.tile(cell) or 0, "") if cell in CELLS else ""
    return [
        beside
        for side in here
        for beside, spot in CELLS.items()
        if spot == (CELLS[cell][0] + SHIFT[side][0], CELLS[cell][1] + SHIFT[side][1])
        and OPPOSITE[side] in EXITS.get(island.tile(beside) or 0, "")
    ]
