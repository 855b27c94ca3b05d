"""What players get wrong: 38 questions, each with the answer that the rules give."""

import attrs
import pytest

from karuba_core import (
    CELLS,
    TILES,
    Award,
    Collect,
    Command,
    Discard,
    Draw,
    Game,
    GameEnded,
    Move,
    Pass,
    Place,
    RoundEnded,
    Score,
    Setup,
    TilePlaced,
    apply,
    due,
    legal_commands,
    preset,
    rederive,
    scores,
    setup_violations,
    start,
    violation,
    winners,
)
from tests.games_kit import ALL_ROADS, BLUE_ROAD, Table, code, near, setup


def score(game: Game, player: str) -> Score:
    return next(score for score in scores(game) if score.player == player)


def ends(game: Game, player: str, adventurer: str) -> set[str]:
    """Return where an adventurer may be at the end of one move."""
    moves = [command for command in legal_commands(game, player) if isinstance(command, Move)]
    return {move.path[-1] for move in moves if move.adventurer == adventurer}


def setup_codes(setup: Setup) -> list[str]:
    return [fault.code for fault in setup_violations(setup)]


def on_blue_road(players: int) -> Table:
    """Return a table at which everyone has laid the road that brings blue home in four steps."""
    return Table(setup(players)).lay(BLUE_ROAD)


def arrive(table: Table, tile: int, *players: str) -> tuple[Award, ...]:
    """Let the blue adventurers of some players come home in one round; return its awards."""
    table.walk(tile, "blue", "a1 b1 c1 temple", *players)
    ended = table.events[-1]
    assert isinstance(ended, RoundEnded)
    return ended.awards


def judged(table: Table) -> Game:
    """Return the game of a table, derived once more from the record of it."""
    *_, last = rederive(table.events)
    assert last.game == table.game
    return last.game


def test_01_must_a_new_tile_touch_an_earlier_one() -> None:
    game = Table(setup()).lay({"a1": 7}).do(Draw(8)).game
    free = [command.cell for command in legal_commands(game, "ana") if isinstance(command, Place)]
    assert free == [cell for cell in CELLS if cell != "a1"]
    assert apply(game, Place("ana", "f5")).game.island("ana").tile("f5") == 8


def test_02_must_its_paths_match_the_neighbours() -> None:
    game = Table(setup()).lay({"a1": 1}).do(Draw(17)).game  # a road east that runs into one north to south
    assert (TILES[0].exits, TILES[16].exits) == ("EW", "NS")
    placed = apply(game, Place("ana", "b1")).game.island("ana")
    assert (placed.tile("a1"), placed.tile("b1")) == (1, 17)


def test_03_may_a_tile_be_turned() -> None:
    """R-PLACE-3, R-TILE-1."""
    table = Table(setup(layout=near(blue=(60, 60)))).do(Draw(1))
    on_a5 = [command for command in legal_commands(table.game, "ana") if command == Place("ana", "a5")]
    assert on_a5 == [Place("ana", "a5")]  # one way to lay it
    assert apply(table.game, on_a5[0]).events == (TilePlaced("ana", 1, "a5"),)
    table.do(Place("ana", "a5"), Place("ben", "a1")).do(Draw(7), Discard("ana"))
    assert code(table.game, Move("ana", "blue", ("a5",))) == "rule/no-way"  # open to the sides, not below


def test_04_who_gets_the_treasure_of_a_placed_tile() -> None:
    game = Table(setup()).lay({"a1": 13}).game
    assert game.island("ana").treasure("a1") == "crystal"
    assert score(game, "ana") == Score("ana", 0, 0, 0, 0, 1)


@pytest.mark.parametrize("tile", [13, 14])
def test_05_does_a_discarded_tile_give_its_treasure(tile: int) -> None:
    """R-DISCARD-2."""
    table = Table(setup()).do(Draw(tile), Discard("ana"), Place("ben", "f5"), Pass("ana"))
    assert score(table.game, "ana") == Score("ana", 0, 0, 0, 0, 0)
    assert [table.game.island("ana").treasure(cell) for cell in CELLS] == [None] * 30


@pytest.mark.parametrize("moves", [["a1 b1"], ["a1", "b1"]])
def test_06_is_a_crystal_walked_over_collected(moves: list[str]) -> None:
    table = Table(setup()).lay({"a1": 13, "b1": 2}, "ana").do(Draw(7), Discard("ana"))
    table.do(*(Move("ana", "blue", tuple(move.split())) for move in moves))
    assert table.game.turn("ana").steps == 2
    assert code(table.game, Collect("ana", "blue")) == "rule/no-treasure"
    assert table.game.island("ana").treasure("a1") == "crystal"
    assert score(table.game, "ana").crystals == 0


def test_07_may_one_pick_up_for_a_step_and_walk_on() -> None:
    """R-COLLECT-3."""
    table = Table(setup()).lay({"a1": 13, "b1": 2}, "ana").do(Draw(7), Discard("ana"))
    table.do(Move("ana", "blue", ("a1",)))
    assert code(table.game, Move("ana", "blue", ("b1",))) is None
    table.do(Collect("ana", "blue"))
    assert code(table.game, Move("ana", "blue", ("b1",))) == "rule/turn-closed"
    assert score(table.game, "ana").crystals == 1


def test_08_is_anything_lost_when_the_last_step_ends_on_a_nugget() -> None:
    """R-SCORE-1."""
    table = Table(setup()).lay({"a1": 1, "b1": 14}, "ana").do(Draw(17), Discard("ana"))
    table.do(Move("ana", "blue", ("a1", "b1")))
    assert table.game.turn("ana").steps == 0
    table.do(Collect("ana", "blue"))
    assert score(table.game, "ana") == Score("ana", 0, 0, 1, 2, 2)
    assert table.game.island("ana").treasure("b1") is None


def test_09_may_one_discard_take_two_treasures() -> None:
    table = Table(setup()).lay({"a1": 13, "b1": 14}, "ana").do(Draw(7), Discard("ana"))
    table.do(Move("ana", "blue", ("a1",)), Collect("ana", "blue"))
    refused: list[Command] = [Move("ana", "blue", ("b1",)), Collect("ana", "blue"), Discard("ana")]
    assert [code(table.game, command) for command in refused] == [
        "rule/turn-closed",
        "rule/turn-closed",
        "rule/already-played",
    ]


def test_10_may_one_walk_past_a_nugget() -> None:
    table = Table(setup()).lay({"a1": 14, "b1": 1}, "ana").do(Draw(7), Discard("ana"))
    assert code(table.game, Move("ana", "blue", ("a1", "b1"))) is None
    table.do(Move("ana", "blue", ("a1",)))
    assert code(table.game, Pass("ana")) is None  # nor does one who stops there have to take it
    table.do(Move("ana", "blue", ("b1",)))
    assert table.game.island("ana").treasure("a1") == "gold"


@pytest.mark.parametrize("moves", [[], ["a1"], ["a1", "b1", "a1"]])
def test_11_must_all_steps_be_used(moves: list[str]) -> None:
    """R-PASS-1, R-MOVE-9."""
    table = Table(setup()).lay({"a1": 1, "b1": 2}, "ana").do(Draw(7), Place("ben", "a2"), Discard("ana"))
    table.do(*(Move("ana", "blue", (cell,)) for cell in moves))
    assert table.game.turn("ana").steps == 4 - len(moves)
    table.do(Pass("ana"))
    assert isinstance(table.events[-1], RoundEnded)


def test_12_may_four_steps_be_spent_on_a_temple_one_step_away() -> None:
    """R-MOVE-8."""
    table = on_blue_road(2).walk(5, "blue", "a1 b1 c1").do(Draw(7), Discard("ana"), Discard("ben"))
    table.do(Move("ana", "blue", ("temple",)))
    assert table.game.island("ana").where("blue") == "temple"
    lapsed: list[Command] = [Move("ana", "brown", ("f5",)), Move("ana", "blue", ("c1",)), Pass("ana")]
    assert [code(table.game, command) for command in lapsed] == ["rule/turn-closed"] * 3


def test_13_what_does_it_cost_to_leave_the_beach() -> None:
    table = Table(setup()).lay({"a1": 1, "b1": 2, "c1": 13}).do(Draw(19), Discard("ana"))
    assert ends(table.game, "ana", "blue") == {"a1", "b1"}
    assert apply(table.game, Move("ana", "blue", ("a1",))).game.turn("ana").steps == 1
    assert apply(table.game, Move("ana", "blue", ("a1", "b1"))).game.turn("ana").steps == 0
    assert code(table.game, Move("ana", "blue", ("a1", "b1", "c1"))) == "rule/too-few-steps"


def test_14_what_does_it_cost_to_enter_the_temple() -> None:
    road = {"a1": 1, "b1": 2, "c1": 13, "d1": 15, "e1": 19, "f1": 20}
    table = Table(setup(layout=near(blue=(10, 70)))).lay(road)
    table.walk(7, "blue", "a1 b1 c1 d1").walk(5, "blue", "e1")
    table.do(Draw(17), Discard("ana"), Discard("ben"))
    assert code(table.game, Move("ana", "blue", ("temple",))) == "rule/no-way"
    table.do(Move("ben", "blue", ("d1",)))  # one step is left, on the wrong cell
    assert code(table.game, Move("ben", "blue", ("e1", "f1", "temple"))) == "rule/too-few-steps"
    table.do(Move("ben", "blue", ("e1",)), Move("ana", "blue", ("f1", "temple")))
    assert [table.game.island(name).where("blue") for name in ("ana", "ben")] == ["temple", "e1"]


def test_15_may_one_enter_a_tile_that_is_closed_towards_the_beach() -> None:
    table = Table(setup()).lay({"a1": 17}).do(Draw(7), Discard("ana"))
    assert code(table.game, Move("ana", "blue", ("a1",))) == "rule/no-way"
    assert ends(table.game, "ana", "blue") == set()


def test_16_may_steps_be_split_or_saved() -> None:
    table = Table(setup()).lay({"a1": 1, "a3": 2, "b1": 19, "c1": 20}).do(Draw(7), Discard("ana"))
    table.do(Move("ana", "blue", ("a1",)))
    assert code(table.game, Move("ana", "yellow", ("a3",))) == "rule/other-adventurer"
    table.do(Pass("ana"), Place("ben", "f5"), Draw(17), Discard("ana"))
    assert table.game.turn("ana").steps == 2
    assert code(table.game, Move("ana", "blue", ("b1", "c1", "b1"))) == "rule/too-few-steps"


def test_17_may_one_pass_over_or_stop_with_another_adventurer() -> None:
    road = {"a1": 7, "b1": 1, "a2": 17, "a3": 28}
    table = Table(setup()).lay(road).walk(5, "yellow", "a3 a2 a1", "ana")
    table.do(Draw(8), Discard("ana"), Discard("ben"))
    assert code(table.game, Move("ana", "blue", ("a1",))) == "rule/cell-held"
    assert code(table.game, Move("ana", "blue", ("a1", "b1"))) == "rule/cell-held"
    assert ends(table.game, "ana", "blue") == set()
    assert code(table.game, Move("ben", "blue", ("a1", "b1"))) is None  # ana's adventurer is on ana's island


def test_18_may_one_go_a_longer_way_round_a_blocked_one() -> None:
    ring = {"a1": 7, "b1": 22, "a2": 24, "b2": 17, "a3": 27, "b3": 28}
    table = Table(setup(layout=near(brown=(20, 90)))).lay(ring).walk(1, "blue", "a1").walk(2, "brown", "a2")
    table.do(Draw(8), Discard("ana"))
    assert violation(table.game, Move("ana", "blue", ("a2", "a3"))) is not None
    way_round = Move("ana", "blue", ("b1", "b2", "b3", "a3"))
    assert way_round in set(legal_commands(table.game))
    assert apply(table.game, way_round).game.island("ana").where("blue") == "a3"


def test_19_does_an_adventurer_on_the_beach_block_a_cell() -> None:
    table = Table(setup(layout=near(brown=(50, 90), purple=(60, 110))))
    table.lay({"a5": 7}).do(Draw(8), Discard("ana"))
    assert ends(table.game, "ana", "brown") == ends(table.game, "ana", "purple") == {"a5"}
    table.do(Move("ana", "purple", ("a5",)), Pass("ana"), Place("ben", "b5"), Draw(25), Discard("ana"))
    assert ends(table.game, "ana", "brown") == set()  # on the cell it does


def test_20_may_one_enter_the_temple_of_another_colour() -> None:
    table = Table(setup()).lay({"a1": 7}).walk(1, "blue", "a1").do(Draw(8), Discard("ana"))
    assert table.game.setup.layout.yellow.jungle == 10  # above a1
    assert code(table.game, Move("ana", "blue", ("temple",))) == "rule/no-way"
    assert "temple" not in ends(table.game, "ana", "blue")


def test_21_may_one_leave_the_grid_elsewhere() -> None:
    table = Table(setup()).lay({"a1": 1, "b1": 12}).walk(2, "blue", "a1 b1").do(Draw(7), Discard("ana"))
    assert 20 not in {pair.jungle for pair in table.game.setup.layout.pairs}  # above b1, where the road ends
    assert code(table.game, Move("ana", "blue", ("temple",))) == "rule/no-way"
    assert code(table.game, Move("ana", "blue", ("a1", "temple"))) == "rule/no-way"
    assert code(table.game, Move("ana", "blue", ("a1", "beach"))) == "rule/unknown-cell"
    assert ends(table.game, "ana", "blue") == {"a1", "b1"}


def test_22_may_one_discard_with_nobody_to_move() -> None:
    table = Table(setup()).do(Draw(7), Discard("ana"))
    assert list(legal_commands(table.game, "ana")) == [Pass("ana")]
    table.do(Pass("ana"), Place("ben", "a1"))
    assert table.game.island("ana") == start(setup()).game.island("ana")


def test_23_what_is_left_when_all_cells_are_full() -> None:
    table = Table(setup()).lay(dict(zip(CELLS, range(1, 31), strict=True)), "ana").do(Draw(31))
    assert {code(table.game, Place("ana", cell)) for cell in CELLS} == {"rule/cell-occupied"}
    assert list(legal_commands(table.game, "ana")) == [Discard("ana")]
    assert score(table.game, "ana").tiles == 30


def test_24_may_one_place_a_tile_and_move() -> None:
    """R-PLACE-3."""
    table = Table(setup()).lay({"a1": 1}).do(Draw(7), Place("ana", "b1"))
    assert code(table.game, Move("ana", "blue", ("a1",))) == "rule/turn-closed"
    assert code(table.game, Discard("ana")) == "rule/already-played"


def test_25_two_first_of_four_then_two_more() -> None:
    table = on_blue_road(4)
    assert arrive(table, 7, "ana", "ben") == (Award("ana", "blue", 5, 0), Award("ben", "blue", 4, 1))
    table.round(3)
    assert arrive(table, 8, "cleo") == (Award("cleo", "blue", 3, 0),)
    assert arrive(table, 25, "dan") == (Award("dan", "blue", 2, 0),)
    assert [score.total for score in scores(judged(table))] == [5, 5, 3, 2]


def test_26_one_first_of_four_then_two_then_the_last() -> None:
    table = on_blue_road(4)
    assert arrive(table, 7, "ana") == (Award("ana", "blue", 5, 0),)
    assert arrive(table, 8, "cleo", "ben") == (Award("ben", "blue", 4, 0), Award("cleo", "blue", 3, 1))
    assert arrive(table, 25, "dan") == (Award("dan", "blue", 2, 0),)
    assert [award.player for award in table.game.awards] == ["ana", "ben", "cleo", "dan"]
    assert [score.total for score in scores(judged(table))] == [5, 4, 4, 2]


def test_27_both_of_two_at_once() -> None:
    """R-AWARD-1, R-AWARD-2."""
    table = on_blue_road(2)
    assert arrive(table, 7) == (Award("ana", "blue", 5, 0), Award("ben", "blue", 3, 2))
    assert scores(judged(table)) == (Score("ana", 5, 0, 0, 5, 3), Score("ben", 3, 2, 0, 5, 3))


def test_28_the_second_of_three() -> None:
    """R-AWARD-1."""
    table = on_blue_road(3)
    assert arrive(table, 7, "cleo") == (Award("cleo", "blue", 5, 0),)
    assert arrive(table, 8, "ana") == (Award("ana", "blue", 3, 0),)
    assert arrive(table, 25, "ben") == (Award("ben", "blue", 2, 0),)
    assert [score.temples for score in scores(judged(table))] == [3, 2, 5]


def test_29_all_four_at_once() -> None:
    """R-AWARD-2."""
    table = on_blue_road(4)
    awards = arrive(table, 7)
    assert [(award.token, award.crystals) for award in awards] == [(5, 0), (4, 1), (3, 2), (2, 3)]
    assert sum(award.crystals for award in awards) == 6
    assert [score.total for score in scores(judged(table))] == [5, 5, 5, 5]


def test_30_does_a_temple_reached_in_the_last_round_count() -> None:
    """R-END-1."""
    table = Table(setup()).homeward("ana").do(Draw(26), Discard("ana"), Discard("ben"))
    table.do(Move("ana", "purple", ("d5", "e5", "f5", "temple")))
    assert code(table.game, Draw(36)) == "rule/round-open"  # ben still has his turn
    table.do(Move("ben", "blue", ("a1", "b1", "c1", "temple")))
    *_, ended, over = table.events
    assert ended == RoundEnded(16, (Award("ben", "blue", 3, 0), Award("ana", "purple", 5, 0)))
    assert isinstance(over, GameEnded)
    assert over.reason == "all-home"
    assert score(judged(table), "ben").total == 3
    assert winners(table.game) == ("ana",)


def test_31_is_the_last_tile_still_played() -> None:
    """R-END-2."""
    table = Table(setup())
    for tile in range(36, 1, -1):
        table.round(tile)
    assert due(table.game) is None
    table.do(Draw(1), Place("ana", "a1"), Discard("ben"))
    assert winners(table.game) == ()
    table.do(Pass("ben"))
    assert isinstance(over := table.events[-1], GameEnded)
    assert over.reason == "tiles-exhausted"
    assert score(judged(table), "ana").tiles == 1
    assert winners(table.game) == ("ana",)


def test_32_do_crystals_count_of_one_who_never_came_home() -> None:
    assert crystals_at_the_end(collect=True) == 1


def test_33_do_crystals_count_that_are_left_on_the_island() -> None:
    assert crystals_at_the_end(collect=False) == 0


def crystals_at_the_end(*, collect: bool) -> int:
    """Return what counts for ana, whose blue adventurer stands on a crystal's cell at the end."""
    table = Table(setup()).lay({"a1": 13}, "ana").walk(1, "blue", "a1", "ana", collect=collect)
    for tile in sorted(set(range(1, 37)) - set(table.game.drawn)):
        table.round(tile)
    assert table.game.phase == "over"
    assert table.game.island("ana").where("blue") == "a1"
    ana = score(judged(table), "ana")
    assert ana.total == ana.crystals
    return ana.crystals


@pytest.mark.parametrize(
    ("tiles", "best"),
    [((19, 17), ("ana",)), ((17, 17), ("ana", "ben")), ((17, 19), ("ben",))],
)
def test_34_who_wins_at_22_points_each(tiles: tuple[int, int], best: tuple[str, ...]) -> None:
    """R-SCORE-2."""
    table = Table(setup()).homeward()
    free = [cell for cell in CELLS if cell not in ALL_ROADS]
    for more, tile in enumerate((11, 12, 13, 14, 15, 16, 19, 20, 22), len(ALL_ROADS)):
        laying = [name for name, laid in zip(("ana", "ben"), tiles, strict=True) if laid > more]
        table.round(tile, *(Place(name, free[more]) for name in laying))
    table.walk(26, "purple", "d5 e5 f5 temple")
    assert [(score.total, score.tiles) for score in scores(judged(table))] == [(22, laid) for laid in tiles]
    assert winners(table.game) == best


def test_35_is_1_the_value_of_a_temple() -> None:
    stacks = {players: preset("official", players).temple_treasures for players in (2, 3, 4)}
    assert stacks == {2: (5, 3), 3: (5, 3, 2), 4: (5, 4, 3, 2)}
    assert preset("seed-001", 4).temple_treasures[-1] == 1  # a reading that a game has to declare


@pytest.mark.parametrize(
    ("beach", "jungle", "legal_by"),
    [
        (10, 10, []),
        (10, 20, []),
        (10, 30, ["edge-3"]),
        (10, 40, ["edge-3", "edge-4", "value-30"]),
        (60, 60, ["edge-3", "edge-4"]),
    ],
)
def test_36_how_near_may_beach_and_jungle_number_be(beach: int, jungle: int, legal_by: list[str]) -> None:
    far = {"brown": (20, 80), "purple": (30, 90), "yellow": (40, 100)}
    for separation in ("edge-3", "edge-4", "value-30"):
        rules = attrs.evolve(preset("official", 2), separation=separation)
        opening = attrs.evolve(setup(layout=near(blue=(beach, jungle), **far)), rules=rules)
        assert setup_codes(opening) == ([] if separation in legal_by else ["setup/separation"])


def test_37_may_two_adventurers_share_a_beach_number() -> None:
    assert setup_codes(setup(layout=near(purple=(110, 20)))) == ["setup/number-shared"]


def test_38_has_the_caller_an_advantage() -> None:
    by_ana, by_ben = (Table(attrs.evolve(setup(), leader=leader)) for leader in ("ana", "ben"))
    for table in (by_ana, by_ben):
        table.lay(BLUE_ROAD).walk(7, "blue", "a1 b1 c1").do(Draw(8), Discard("ben"))
        assert code(table.game, Draw(9)) == "rule/round-open"
    assert set(legal_commands(by_ana.game)) == set(legal_commands(by_ben.game))
    assert by_ana.game.islands == by_ben.game.islands
    assert by_ana.events[1:] == by_ben.events[1:]
