"""What a refusal says beside its code: the closed edge, who still has to act, why a value is expected."""

import pytest

from karuba_core import (
    AdventurerMoved,
    Award,
    Collect,
    Discard,
    Draw,
    Event,
    Game,
    GameEnded,
    Mismatch,
    Move,
    Pass,
    Place,
    RoundEnded,
    Score,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TreasureCollected,
    check,
    due,
    scores,
    violation,
)
from karuba_core.decider import Violation
from karuba_core.events import TurnPassed
from tests.games_kit import BLUE_ROAD, Table, near, setup


def refusal(game: Game, event: Event) -> Violation:
    with pytest.raises(Mismatch) as caught:
        check(game, event)
    return caught.value.violation


# Why there is no way


WAY = {"a1": 7, "b1": 17, "a2": 13, "c1": 28}
"""With `near()`: blue starts at beach 10, at a1, and its temple is at jungle 30, above c1."""


def walker(tiles: dict[str, int], *first: str, **pairs: tuple[int, int]) -> Game:
    """Return a game in which ana has four steps, blue perhaps on some cell."""
    table = Table(setup(layout=near(**pairs))).lay(tiles)
    if first:
        table.walk(8, "blue", " ".join(first))
    return table.do(Draw(25), Discard("ana")).game


@pytest.mark.parametrize(
    ("first", "path", "told"),
    [
        ("", "b1", "from the beach to b1: beach 10 is at a1"),
        ("", "temple", "from the beach to the temple: beach 10 is at a1"),
        ("a1", "b1", "from a1 to b1: tile 17 (NS) on b1 has no exit to the west"),
        ("a1", "a2", "from a1 to a2: tile 13 (EW) on a2 has no exit to the north"),
        ("a1", "c1", "from a1 to c1: c1 is no neighbour of a1"),
        ("a1", "b2", "from a1 to b2: b2 is no neighbour of a1"),
        ("a1", "a1", "from a1 to a1: a1 is no neighbour of a1"),
        ("a1", "temple", "from a1 to the temple: the blue temple is at jungle 30, above c1"),
    ],
)
def test_what_closes_a_way_is_named(first: str, path: str, told: str) -> None:
    """R-MOVE-6."""
    refused = violation(walker(WAY, *first.split()), Move("ana", "blue", (path,)))
    assert refused == Violation("rule/no-way", "R-MOVE-6", "$.path[0]", f"no path leads {told}")


@pytest.mark.parametrize(
    ("tiles", "path", "place", "told"),
    [
        ({}, "a1", 0, "the beach to a1: a1 has no tile"),
        ({"a1": 17}, "a1", 0, "the beach to a1: tile 17 (NS) on a1 has no exit to the west"),
        ({"a1": 1}, "a1 b1", 1, "a1 to b1: b1 has no tile"),
        ({"a1": 1, "a2": 7}, "a1 a2", 1, "a1 to a2: tile 1 (EW) on a1 has no exit to the south"),
        ({"a1": 10, "b1": 1}, "a1 b1", 1, "a1 to b1: tile 10 (NW) on a1 has no exit to the east"),
        (
            {"a1": 1, "b1": 1, "c1": 2},
            "a1 b1 c1 temple",
            3,
            "c1 to the temple: tile 2 (EW) on c1 has no exit",
        ),
    ],
)
def test_the_edge_of_the_first_closed_step_is_named(
    tiles: dict[str, int], path: str, place: int, told: str
) -> None:
    """R-MOVE-6."""
    numbers = iter((1, 19, 20, 2))
    free = {cell: next(numbers) if tile == 1 else tile for cell, tile in tiles.items()}
    refused = violation(walker(free), Move("ana", "blue", tuple(path.split())))
    assert refused is not None
    assert (refused.code, refused.path) == ("rule/no-way", f"$.path[{place}]")
    assert refused.message.startswith(f"no path leads from {told}")


def test_a_temple_on_the_right_is_told_so() -> None:
    refused = violation(walker({"a1": 7}, "a1", blue=(10, 70)), Move("ana", "blue", ("temple",)))
    assert refused is not None
    assert refused.message.endswith("the blue temple is at jungle 70, right of f1")


# Who still has to act


def test_an_end_that_is_not_due_tells_what_the_game_waits_for() -> None:
    """R-JUDGE-2."""
    table = Table(setup())
    early = RoundEnded(1, ())
    assert refusal(table.game, early).message == "round-ended is not due here: a draw is next"
    table.do(Draw(7))
    waits = "round-ended is not due here: round 1 is open and waits for the"
    assert refusal(table.game, early).message == f'{waits} turns of "ana" and "ben"'
    table.do(Place("ana", "a1"))
    assert refusal(table.game, early).message == f'{waits} turn of "ben"'
    over = Table(setup()).homeward("ana").walk(26, "purple", "d5 e5 f5 temple", "ana").game
    assert refusal(over, early).message == "round-ended is not due here: the game is over"


# Why a value is expected


def test_a_draw_tells_its_round() -> None:
    table = Table(setup())
    assert refusal(table.game, TileDrawn(3, 7)).message == "round: expected 1, got 3 (no round went before)"
    table.round(7)
    assert refusal(table.game, TileDrawn(3, 8)).message == "round: expected 2, got 3 (round 1 went before)"


def test_a_played_tile_tells_which_was_drawn_and_its_exits() -> None:
    game = Table(setup()).do(Draw(5)).game
    told = "tile: expected 5, got 6 (the tile of round 1)"
    assert refusal(game, TilePlaced("ana", 6, "a1")).message == told
    assert refusal(game, TileDiscarded("ana", 6, 3)).message == told
    told = "steps: expected 3, got 4 (tile 5 (ESW) has 3 exits)"
    assert refusal(game, TileDiscarded("ana", 5, 4)).message == told


@pytest.fixture
def by_a_crystal() -> Table:
    """Blue of ana on b1, where tile 13 brought a crystal."""
    table = Table(setup()).lay({"a1": 7, "b1": 13})
    return table.do(Draw(8), Discard("ana"), Move("ana", "blue", ("a1", "b1")))


def test_a_treasure_tells_where_it_lies_and_what_it_is(by_a_crystal: Table) -> None:
    taken = TreasureCollected("ana", "blue", "b1", "gold")
    told = 'treasure: expected "crystal", got "gold"'
    assert refusal(by_a_crystal.game, taken).message == f"{told} (tile 13 (EW) carries crystal)"
    taken = TreasureCollected("ana", "blue", "a1", "gold")
    told = f'cell: expected "b1", got "a1"; {told} (the blue adventurer stands there)'
    assert refusal(by_a_crystal.game, taken).message == told


def test_a_missing_treasure_tells_why_there_is_none(by_a_crystal: Table) -> None:
    """R-COLLECT-1."""
    blue = Collect("ana", "blue")
    by_a_crystal.do(blue, Place("ben", "f5"), Draw(26), Discard("ana"))
    stays = by_a_crystal.do(Move("ana", "blue", ("a1", "b1"))).game
    leaves = Table(setup()).lay({"a1": 7}).do(Draw(8), Discard("ana"), Move("ana", "blue", ("a1",))).game
    by_step = Table(setup(pickup="step"))
    on_the_beach = by_step.do(Draw(8), Discard("ana")).game
    at_home = (
        by_step.do(Pass("ana"), Place("ben", "f5")).lay(BLUE_ROAD).walk(7, "blue", "a1 b1 c1 temple", "ana")
    )
    for game, told in (
        (stays, "that of b1 is taken already"),
        (leaves, "tile 7 (NESW) on a1 carries none"),
        (on_the_beach, "it is on the beach"),
        (at_home.do(Draw(26), Discard("ana")).game, "it is in its temple"),
    ):
        refused = violation(game, blue)
        assert refused is not None
        assert refused.code == "rule/no-treasure"
        assert refused.message == f"no treasure lies where the blue adventurer stands: {told}"


def arrived(*players: str) -> Game:
    """Return a game of three after the turns in which the players brought blue home, its end still due."""
    table = Table(setup(3)).lay(BLUE_ROAD).do(Draw(7))
    game = table.game
    for player in table.game.setup.players:
        game = check(game, TileDiscarded(player, 7, 4))
        way = ("a1", "b1", "c1", "temple")
        last = AdventurerMoved(player, "blue", way) if player in players else TurnPassed(player)
        game = check(game, last)
    return game


def test_awards_tell_who_arrived() -> None:
    right = Award("ana", "blue", 5, 0)
    both = arrived("ana", "cleo")
    told = 'in round 4 "ana" and "cleo" reached the blue temple, [5,3,2] left'
    wrong = RoundEnded(4, (right, Award("cleo", "blue", 5, 0)))
    differ = "awards[1].token: expected 3, got 5; awards[1].crystals: expected 2, got 0"
    assert refusal(both, wrong) == Violation(
        "mismatch/value", "R-JUDGE-3", "$.awards[1].token", f"{differ} ({told})"
    )
    written = '{"player":"ana","temple":"blue","token":5,"crystals":0}'
    assert refusal(both, RoundEnded(4, (right,))).message.endswith(f"got [{written}] ({told})")
    nobody = refusal(arrived(), RoundEnded(4, (right,)))
    assert nobody.message == f"awards: expected [], got [{written}] (in round 4 nobody reached a temple)"
    assert refusal(both, RoundEnded(3, ())).message.endswith(" (round 4 is open)")


def test_the_end_tells_what_it_follows_from() -> None:
    table = Table(setup()).homeward("ana").do(Draw(26), Discard("ana"), Place("ben", "a5"))
    game = check(table.game, AdventurerMoved("ana", "purple", ("d5", "e5", "f5", "temple")))
    ended = due(game)
    assert isinstance(ended, RoundEnded)
    game = check(game, ended)
    ana, ben = scores(game)
    assert (ana.temples, ana.crystals) == (20, 2)

    def told(reason: str, first: Score, second: Score, *winners: str) -> str:
        return refusal(game, GameEnded(reason, (first, second), winners)).message

    wrong = Score("ana", 20, 3, 0, 24, ana.tiles)
    assert told("tiles-exhausted", ana, ben, "ana").endswith(' ("ana" brought all four home)')
    assert told("all-home", wrong, ben, "ana") == (
        "scores.ana.crystals: expected 2, got 3; scores.ana.total: expected 22, got 24 "
        '("ana" has tokens [5,5,5,5], crystals: 2 collected, 0 from awards; gold counts 2)'
    )
    assert (
        told("all-home", ana, Score("ben", 1, 0, 0, 0, 0), "ana").partition(" (")[2].startswith('"ben" has ')
    )
    assert told("all-home", ana, ben, "ben") == (
        'winners[0]: expected "ana", got "ben" (the highest total wins, then the most tiles)'
    )
    extra = Score("cleo", 0, 0, 0, 0, 0)
    message = refusal(game, GameEnded("all-home", (ana, extra), ("ana",))).message
    assert message.startswith('scores: expected ["ana","ben"], got ["ana","cleo"]')


def test_the_end_after_the_last_tile_tells_so() -> None:
    table = Table(setup())
    for tile in range(1, 36):
        table.round(tile)
    table.do(Draw(36), Discard("ana"), Pass("ana"), Discard("ben"))
    game = check(table.game, TurnPassed("ben"))
    ended = due(game)
    assert isinstance(ended, RoundEnded)
    game = check(game, ended)
    assert refusal(game, GameEnded("all-home", scores(game), ("ana", "ben"))).message == (
        'reason: expected "tiles-exhausted", got "all-home" (round 36 was the last)'
    )
