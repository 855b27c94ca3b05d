"""The legal commands, held against asking about every command there is."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from karuba_core import (
    CELLS,
    COLOURS,
    Collect,
    Command,
    Discard,
    Draw,
    Game,
    Move,
    Pass,
    Place,
    apply,
    legal_commands,
    violation,
)
from tests.games_kit import ALL_ROADS, Table, near, setup


def is_legal(game: Game, command: Command) -> bool:
    return violation(game, command) is None


def all_paths(game: Game, player: str, adventurer: str) -> Iterator[tuple[str, ...]]:
    """Yield every legal path of an adventurer; each goes on from a shorter one."""
    paths: list[tuple[str, ...]] = [()]
    while paths:
        longer = [(*path, entry) for path in paths for entry in (*CELLS, "temple")]
        paths = [path for path in longer if is_legal(game, Move(player, adventurer, path))]
        yield from paths


def asked_one_by_one(game: Game, player: str) -> set[Command]:
    """Return the legal commands of a player but for moves."""
    commands: list[Command] = [Discard(player), Pass(player)]
    commands += [Place(player, cell) for cell in CELLS]
    commands += [Collect(player, colour) for colour in COLOURS]
    return {command for command in commands if is_legal(game, command)}


def hold_against_all(game: Game) -> None:
    """Assert that the legal commands of a game are the right ones, each once."""
    listed = list(legal_commands(game))
    assert max(Counter(listed).values(), default=1) == 1
    draws = {Draw(tile) for tile in range(1, 37) if is_legal(game, Draw(tile))}
    assert draws == {command for command in listed if isinstance(command, Draw)}
    by_player = [command for player in game.setup.players for command in legal_commands(game, player)]
    assert by_player == [command for command in listed if not isinstance(command, Draw)]
    for player in game.setup.players:
        own = list(legal_commands(game, player))
        moves = [command for command in own if isinstance(command, Move)]
        assert {command for command in own if command not in moves} == asked_one_by_one(game, player)
        assert all(is_legal(game, move) for move in moves)
        for colour in COLOURS:
            shortest: dict[str, int] = {}
            for path in all_paths(game, player, colour):
                shortest.setdefault(path[-1], len(path))
            lengths = {move.path[-1]: len(move.path) for move in moves if move.adventurer == colour}
            assert lengths == shortest
        assert len({(move.adventurer, move.path[-1]) for move in moves}) == len(moves)


def a_round(game: Game, random: Random) -> Iterator[Game]:
    """Yield the games of a round in which everyone discards, and walks about."""
    game = apply(game, random.choice(list(legal_commands(game)))).game
    yield game
    for player in game.setup.players:
        game = apply(game, Discard(player)).game
    while game.phase == "turns":
        yield game
        commands = list(legal_commands(game))
        onward = [command for command in commands if not isinstance(command, Pass)]
        game = apply(game, random.choice(onward if onward and random.random() < 0.8 else commands)).game
    yield game


@pytest.mark.parametrize("pickup", ["stop", "landing", "step"])
@pytest.mark.parametrize("seed", range(3))
def test_the_legal_commands_are_those_that_are_not_refused(seed: int, pickup: str) -> None:
    """Walk about on islands with all roads and twelve more tiles, until the game is over."""
    random = Random(seed)
    cells = [cell for cell in CELLS if cell not in ALL_ROADS]
    tiles = [tile for tile in range(1, 37) if tile not in ALL_ROADS.values()]
    more = dict(zip(random.sample(cells, 12), random.sample(tiles, 12), strict=True))
    table = Table(setup(pickup=pickup)).lay(ALL_ROADS).lay(more)
    hold_against_all(table.game)
    game = table.game
    while game.phase == "draw":
        games = list(a_round(game, random))
        for after in games:
            hold_against_all(after)
        game = games[-1]
    assert game.phase == "over"


def crossing(tile: int) -> Table:
    """Return a table at which ana's blue adventurer stands on a1 among crosses and discards a tile."""
    table = Table(setup(layout=near(brown=(20, 90))))
    table.lay({"a1": 7, "b1": 8, "a2": 25, "b2": 26}).walk(1, "blue", "a1")
    return table.do(Draw(tile), Discard("ana"))


def paths(table: Table, adventurer: str) -> list[tuple[str, ...]]:
    moves = [command for command in legal_commands(table.game, "ana") if isinstance(command, Move)]
    return [move.path for move in moves if move.adventurer == adventurer]


def test_moves_are_given_by_a_shortest_path_to_each_end() -> None:
    """R-MOVE-9: there and back, too."""
    found = paths(crossing(5), "blue")
    assert sorted(path[-1] for path in found) == ["a1", "a2", "b1", "b2"]
    assert {path[-1]: len(path) for path in found} == {"a1": 2, "a2": 1, "b1": 1, "b2": 2}


def test_the_way_back_is_given_where_there_is_one() -> None:
    table = Table(setup()).lay({"a1": 1, "b1": 17}).walk(2, "blue", "a1").do(Draw(7), Discard("ana"))
    assert paths(table, "blue") == []  # nowhere to go, so nowhere to come back from
    table = crossing(17).do(Move("ana", "blue", ("b1",)))
    assert "b1" not in {path[-1] for path in paths(table, "blue")}  # one step is not enough


def test_the_way_back_does_not_lead_over_the_temple_or_another_adventurer() -> None:
    table = Table(setup()).lay({"a1": 1, "b1": 2, "c1": 10}).walk(5, "blue", "a1 b1 c1")
    table.do(Draw(7), Discard("ana"))
    ends = {path[-1]: path for path in paths(table, "blue")}
    assert ends["c1"] == ("b1", "c1")
    assert ends["temple"] == ("temple",)
    assert set(ends) == {"a1", "b1", "c1", "temple"}
    table = crossing(20).do(Pass("ana"), Discard("ben"), Pass("ben"))
    table.walk(23, "brown", "a2", "ana").do(Draw(5), Discard("ana"))
    assert {path[-1]: len(path) for path in paths(table, "blue")} == {"b1": 1, "b2": 2, "a1": 2}


def test_without_a_round_only_draws_are_legal() -> None:
    game = Table(setup()).lay({"a1": 9}).game
    assert list(legal_commands(game)) == [Draw(tile) for tile in range(1, 37) if tile != 9]
    assert list(legal_commands(game, "ana")) == []
