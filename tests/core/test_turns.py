"""How a turn goes by each of the three pick-up rules, and how turns and rounds close."""

import pytest

from karuba_core import (
    COLOURS,
    AdventurerMoved,
    Award,
    Collect,
    Command,
    Discard,
    Draw,
    GameEnded,
    Move,
    Pass,
    Place,
    RoundEnded,
    TileDrawn,
    TreasureCollected,
    legal_commands,
    winners,
)
from karuba_core.turns import is_open
from tests.games_kit import BLUE_ROAD, HOMEWARD, Table, code, setup

PICKUPS = pytest.mark.parametrize("pickup", ["stop", "landing", "step"])


def blue(*path: str) -> Move:
    return Move("ana", "blue", path)


COLLECT = Collect("ana", "blue")
PASS = Pass("ana")


def walking(pickup: str, tile: int, **road: int) -> Table:
    """Return a table at which ana discards a tile for her steps; ben has placed his."""
    table = Table(setup(pickup=pickup)).lay(road)
    return table.do(Draw(tile), Place("ben", "f5"), Discard("ana"))


def resting(pickup: str) -> Table:
    """Return a table at which ana's blue and yellow stand on crystals since earlier rounds; three steps."""
    table = Table(setup(pickup=pickup)).lay({"a1": 13, "b1": 1, "a3": 10}, "ana")
    table.walk(7, "blue", "a1", "ana").walk(8, "yellow", "a3", "ana")
    return table.do(Draw(5), Place("ben", "f5"), Discard("ana"))


def legal(table: Table) -> set[Command]:
    return set(legal_commands(table.game, "ana"))


def has_ended(table: Table) -> bool:
    """Return whether the round has ended, all turns of it being closed."""
    return isinstance(table.events[-1], RoundEnded)


def points(table: Table) -> int:
    """Return what ana's collected treasures are worth, by the record."""
    worth = {"crystal": 1, "gold": 2}
    return sum(worth[event.treasure] for event in table.events if isinstance(event, TreasureCollected))


@PICKUPS
def test_a_turn_closes_with_its_last_step(pickup: str) -> None:
    """R-CLOSE-1."""
    table = walking(pickup, 17, a1=1, b1=2, c1=13).do(blue("a1"))
    assert not has_ended(table)
    assert code(table.game, PASS) is None
    table.do(blue("b1"))
    assert has_ended(table)


@PICKUPS
def test_a_turn_closes_with_the_temple(pickup: str) -> None:
    """R-MOVE-8."""
    table = Table(setup(pickup=pickup)).lay(BLUE_ROAD).walk(5, "blue", "a1 b1 c1")
    table.do(Draw(7), Place("ben", "f5"), Discard("ana"), blue("temple"))
    *_, moved, ended = table.events
    assert moved == AdventurerMoved("ana", "blue", ("temple",))
    assert ended == RoundEnded(5, (Award("ana", "blue", 5, 0),))


@PICKUPS
def test_a_turn_may_be_passed_before_any_step(pickup: str) -> None:
    """R-PASS-1."""
    assert has_ended(walking(pickup, 17, a1=1).do(PASS))


def test_by_stop_a_treasure_under_the_last_step_may_be_taken_or_left() -> None:
    """R-CLOSE-1."""
    table = walking("stop", 17, a1=1, b1=13).do(blue("a1", "b1"))
    assert not has_ended(table)
    assert legal(table) == {COLLECT, PASS}
    assert code(table.game, blue("a1")) == "rule/too-few-steps"
    assert points(table.do(PASS)) == 0
    assert has_ended(table)


def test_by_landing_a_treasure_under_the_last_step_must_be_taken() -> None:
    """R-CLOSE-1."""
    table = walking("landing", 17, a1=1, b1=13).do(blue("a1", "b1"))
    assert legal(table) == {COLLECT}
    assert points(table.do(COLLECT)) == 1
    assert has_ended(table)


def test_by_landing_one_may_move_on_and_pass_elsewhere() -> None:
    table = walking("landing", 5, a1=13, b1=1).do(blue("a1"))
    assert legal(table) == {COLLECT, blue("b1"), blue("b1", "a1")}
    assert code(table.do(blue("b1")).game, PASS) is None
    table.do(blue("a1"))
    assert legal(table) == {COLLECT}
    table.do(COLLECT)
    assert has_ended(table)
    assert table.game.island("ana").treasure("a1") is None


def test_by_step_a_treasure_under_the_last_step_stays() -> None:
    """R-CLOSE-1."""
    table = walking("step", 17, a1=1, b1=13).do(blue("a1", "b1"))
    assert has_ended(table)
    assert table.game.island("ana").treasure("b1") == "crystal"


def test_by_step_a_pick_up_may_be_the_last_step() -> None:
    """R-COLLECT-4."""
    table = walking("step", 17, a1=13, b1=1).do(blue("a1"))
    assert legal(table) == {COLLECT, PASS, blue("b1")}
    assert points(table.do(COLLECT)) == 1
    assert has_ended(table)


def test_by_step_one_may_take_a_treasure_and_go_on_to_the_next() -> None:
    """R-COLLECT-4."""
    table = walking("step", 7, a1=13, b1=14).do(blue("a1"), COLLECT)
    assert table.game.turn("ana").steps == 2
    assert code(table.game, COLLECT) == "rule/no-treasure"
    assert points(table.do(blue("b1"), COLLECT)) == 3
    assert has_ended(table)


@pytest.mark.parametrize("pickup", ["stop", "landing"])
def test_by_stop_and_landing_a_pick_up_ends_the_turn(pickup: str) -> None:
    """R-COLLECT-3."""
    assert has_ended(walking(pickup, 7, a1=13, b1=14).do(blue("a1"), COLLECT))


def test_by_stop_one_collects_only_after_a_move() -> None:
    table = resting("stop")
    assert code(table.game, COLLECT) == "rule/not-moved"
    assert code(table.game, PASS) is None
    table.do(blue("b1", "a1"))  # away and back
    assert code(table.game, Collect("ana", "yellow")) == "rule/other-adventurer"
    assert points(table.do(COLLECT)) == 1
    assert has_ended(table)


def test_by_step_anyone_who_stands_on_a_treasure_may_take_it_and_then_has_the_turn() -> None:
    """R-COLLECT-4."""
    table = resting("step")
    assert {COLLECT, Collect("ana", "yellow")} < legal(table)
    table.do(COLLECT)
    assert (table.game.turn("ana").steps, table.game.turn("ana").adventurer) == (2, "blue")
    assert code(table.game, Collect("ana", "yellow")) == "rule/other-adventurer"
    assert code(table.game, Move("ana", "yellow", ("a3",))) == "rule/other-adventurer"
    assert has_ended(table.do(blue("b1", "a1")))


def test_by_step_who_has_moved_has_the_turn() -> None:
    table = resting("step").do(blue("b1"))
    assert code(table.game, Collect("ana", "yellow")) == "rule/other-adventurer"
    assert code(table.game, COLLECT) == "rule/no-treasure"


def test_the_order_in_which_treasures_are_taken_is_forgotten() -> None:
    first, second = resting("step"), resting("step")
    first.do(COLLECT, PASS).round(3, Discard("ana"), Collect("ana", "yellow"))
    second.do(Collect("ana", "yellow"), PASS).round(3, Discard("ana"), COLLECT)
    assert first.events != second.events
    assert first.game == second.game
    assert hash(first.game) == hash(second.game)


def test_a_round_lasts_until_all_its_turns_are_closed() -> None:
    """R-CLOSE-2, R-DRAW-4."""
    table = Table(setup(3)).do(Draw(7))
    for player in ("cleo", "ana"):
        table.do(Place(player, "a1"))
        assert code(table.game, Draw(8)) == "rule/round-open"
    table.do(Discard("ben"))
    assert code(table.game, Draw(8)) == "rule/round-open"
    table.do(Pass("ben"))
    assert table.events[-1] == RoundEnded(1, ())
    assert table.do(Draw(8)).events[-1] == TileDrawn(2, 8)
    assert {code(table.game, Discard(player)) for player in ("ana", "ben", "cleo")} == {None}


def test_awards_go_by_colour_then_by_seat() -> None:
    """R-AWARD-1, R-BOARD-4."""
    table = (
        Table(setup(4))
        .homeward("cleo")
        .do(Draw(26), *(Discard(name) for name in ("cleo", "ben", "ana", "dan")))
    )
    table.do(Move("cleo", "purple", ("d5", "e5", "f5", "temple")))
    table.do(*(Move(name, "yellow", ("a3", "a2", "a1", "temple")) for name in ("dan", "ana")))
    table.do(Move("ben", "blue", ("a1", "b1", "c1", "temple")))
    *_, ended, _ = table.events
    assert ended == RoundEnded(
        16,
        (
            Award("ben", "blue", 4, 0),
            Award("cleo", "purple", 5, 0),
            Award("ana", "yellow", 4, 0),
            Award("dan", "yellow", 3, 1),
        ),
    )


@pytest.mark.parametrize("last", COLOURS)
def test_three_at_home_are_not_all(last: str) -> None:
    """R-END-1."""
    table = Table(setup()).homeward("ben", last=last)
    assert table.game.phase == "draw"
    assert {colour: table.game.island("ben").where(colour) for colour in COLOURS} == {
        **dict.fromkeys(COLOURS, "temple"),
        last: "beach",
    }
    for tile, way in HOMEWARD[last].items():
        table.walk(tile, last, way, "ben")
    assert isinstance(ended := table.events[-1], GameEnded)
    assert (ended.reason, ended.winners) == ("all-home", ("ben",))


def test_all_home_in_the_last_round_is_the_reason_given() -> None:
    """R-END-1."""
    table = Table(setup()).homeward("ben")
    for tile in sorted(set(range(1, 37)) - {26, *table.game.drawn}):
        table.round(tile)
    assert table.game.round == 35
    table.walk(26, "purple", "d5 e5 f5 temple", "ben")
    assert isinstance(ended := table.events[-1], GameEnded)
    assert ended.reason == "all-home"


def test_points_come_before_tiles() -> None:
    """R-SCORE-2."""
    table = Table(setup()).lay({"a1": 13}).lay({"b2": 2, "c2": 3}, "ben")
    table.walk(7, "blue", "a1", "ana", collect=True)
    for tile in sorted(set(range(1, 37)) - set(table.game.drawn)):
        table.round(tile)
    assert [table.game.island(name).tile_count for name in ("ana", "ben")] == [1, 3]
    assert winners(table.game) == ("ana",)


def test_turns_are_open_only_in_a_round() -> None:
    """R-DRAW-4."""
    table = Table(setup())
    seen = []
    for commands in ((), (Draw(7),), (Place("ana", "a1"),), (Discard("ben"),), (Pass("ben"),), (Draw(8),)):
        table.do(*commands)
        seen.append([is_open(table.game, table.game.turn(name)) for name in ("ana", "ben")])
    assert seen == [[False, False], [True, True], [False, True], [False, True], [False, False], [True, True]]
