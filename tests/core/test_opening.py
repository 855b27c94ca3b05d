"""What a right setup is: every fault with its code, its rule and its place, and where the limits lie."""

from typing import Any, Final

import attrs
import pytest

from karuba_core import (
    CELLS,
    COLOURS,
    GameStarted,
    InvalidSetup,
    Layout,
    Mismatch,
    Pair,
    RuleSet,
    Setup,
    TileDrawn,
    Turn,
    Violation,
    fold,
    preset,
    preset_name,
    rederive,
    setup_violations,
    start,
)
from tests.games_kit import NAMES, near, setup

FAR: Final = Layout(Pair(60, 60), Pair(70, 70), Pair(50, 80), Pair(80, 50))
"""A layout right by both separations along the edge, with numbers that stand on both sides."""

Fault = tuple[str, str, str]


def faults(opening: Setup) -> list[Fault]:
    return [(fault.code, fault.rule, fault.path) for fault in setup_violations(opening)]


def with_players(*players: object, leader: object = None) -> Setup:
    """Return a setup for players of any sort, the first leading, with treasures for up to 8."""
    names: Any = players
    first: Any = players[0] if leader is None and players else leader
    return Setup(names, first, near(), RuleSet("stop", (9, 8, 7, 6, 5, 4, 3, 2), "edge-3"))


def with_rules(players: int = 2, **rules: Any) -> Setup:  # noqa: ANN401 - wrong values too
    opening = setup(players)
    return attrs.evolve(opening, rules=attrs.evolve(opening.rules, **rules))


def with_number(colour: str, side: str, number: object) -> Setup:
    """Return a setup on the far layout with one number of it replaced."""
    pair = attrs.evolve(getattr(FAR, colour), **{side: number})
    return setup(layout=attrs.evolve(FAR, **{colour: pair}))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ["official", "seed-000", "seed-002"])
def test_a_right_setup_starts_a_bare_game(players: int, name: str) -> None:
    """R-SETUP-9."""
    opening = attrs.evolve(setup(players), rules=preset(name, players))
    assert setup_violations(opening) == ()
    game, events = start(opening).game, start(opening).events
    assert events == (GameStarted(opening),)
    assert fold(events) == game
    assert (game.setup, game.drawn, game.awards, game.phase, game.round) == (opening, b"", (), "draw", 0)
    assert len(game.islands) == players
    for player in opening.players:
        island = game.island(player)
        assert {(island.tile(cell), island.treasure(cell)) for cell in CELLS} == {(None, None)}
        assert {island.where(colour) for colour in COLOURS} == {"beach"}
        assert (island.tile_count, island.is_home) == (0, False)
        assert game.turn(player) == Turn("to-play", 0, None)


@pytest.mark.parametrize(("count", "right"), [(0, False), (1, False), (2, True), (4, True), (5, False)])
def test_the_count_of_players(count: int, right: bool) -> None:
    opening = with_players(*(*NAMES, "eve")[:count], leader="ana")
    leaderless = [("setup/leader", "R-SETUP-3", "$.leader")] * (count == 0)
    wrong = [] if right else [("setup/player-count", "R-SETUP-1", "$.players")]
    assert faults(opening) == wrong + leaderless


def test_of_a_crowd_the_first_five_are_looked_at() -> None:
    found = faults(with_players(*["\n"] * 1000, leader="\n"))
    assert found[0] == ("setup/player-count", "R-SETUP-1", "$.players")
    assert [path for code, _, path in found if code == "setup/player-name"] == [
        f"$.players[{seat}]" for seat in range(5)
    ]
    assert "got 1000" in setup_violations(with_players(*["\n"] * 1000))[0].message


@pytest.mark.parametrize(
    "name",
    [
        "x",
        "x" * 64,
        "\U0001f3dd" * 64,
        " ",
        "~",
        "\xa0",
        "\ud7ff",
        "\ue000",
        "\U0010ffff",
        "A\u0308",
        "\u2028",
    ],
    ids=ascii,
)
def test_a_name_may_be(name: str) -> None:
    assert faults(with_players("ana", name)) == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 65,
        "\U0001f3dd" * 65,
        "\x00",
        "a\nb",
        "\x1f",
        "\x7f",
        "\x80",
        "\x9f",
        "\ud800",
        "a\udfff",
        "\ud83c\udfdd",
        None,
        7,
        ("ana",),
        b"ana",
    ],
    ids=ascii,
)
def test_a_name_may_not_be(name: object) -> None:
    assert faults(with_players("ana", name)) == [("setup/player-name", "R-SETUP-2", "$.players[1]")]


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (("ana", "ana"), [1]),
        (("ana", "ben", "ana", "ben"), [2, 3]),
        (("ana", "ana", "ana"), [1, 2]),
        (("ana", "Ana", "ana "), []),
        (("\u00e4", "a\u0308"), []),
    ],
)
def test_names_differ_as_code_points(players: tuple[str, ...], seats: list[int]) -> None:
    expected = [("setup/player-doubled", "R-SETUP-1", f"$.players[{seat}]") for seat in seats]
    assert faults(with_players(*players)) == expected


@pytest.mark.parametrize("leader", ["cleo", "", "Ana", 0])
def test_the_leader_is_one_of_the_players(leader: object) -> None:
    wrong = [("setup/leader", "R-SETUP-3", "$.leader")]
    assert faults(with_players("ana", "ben", leader=leader)) == wrong
    assert faults(with_players("ana", "ben", leader="ben")) == []


@pytest.mark.parametrize("side", ["beach", "jungle"])
@pytest.mark.parametrize("number", [0, 5, 15, 120, -10, 1, True, 90.0, "90", None, (90,)])
def test_a_number_of_the_edge_is_printed_there(side: str, number: object) -> None:
    assert faults(with_number("yellow", side, number)) == [
        ("setup/number", "R-SETUP-4", f"$.layout.yellow.{side}")
    ]


@pytest.mark.parametrize("side", ["beach", "jungle"])
@pytest.mark.parametrize(
    ("first", "second"),
    [(first, second) for index, second in enumerate(COLOURS) for first in COLOURS[:index]],
)
def test_no_two_colours_share_a_number(side: str, first: str, second: str) -> None:
    """The later colour is at fault, the earlier one is named."""
    number = getattr(getattr(FAR, first), side)
    found = setup_violations(with_number(second, side, number))
    assert [(fault.code, fault.rule, fault.path) for fault in found] == [
        ("setup/number-shared", "R-SETUP-5", f"$.layout.{second}.{side}")
    ]
    assert f"{number} is taken by {first}" in found[0].message


def test_a_number_shared_by_three_is_taken_by_the_first() -> None:
    layout = Layout(Pair(60, 60), Pair(60, 70), Pair(50, 80), Pair(60, 50))
    found = setup_violations(setup(layout=layout))
    assert [fault.path for fault in found] == ["$.layout.brown.beach", "$.layout.yellow.beach"]
    assert all("taken by blue" in fault.message for fault in found)


def test_one_number_may_stand_on_both_sides() -> None:
    assert faults(setup(layout=FAR)) == []
    assert (FAR.blue.beach, FAR.brown.beach) == (FAR.blue.jungle, FAR.brown.jungle)


@pytest.mark.parametrize(
    ("separation", "too_close", "enough"),
    [
        ("edge-3", [(10, 20), (20, 10), (110, 100), (100, 110)], [(10, 30), (20, 20), (100, 100), (90, 110)]),
        ("edge-4", [(10, 30), (30, 10), (110, 90), (90, 110)], [(10, 40), (40, 10), (80, 110), (30, 20)]),
        ("value-30", [(60, 60), (60, 80), (80, 60), (110, 90)], [(60, 90), (90, 60), (40, 10), (10, 40)]),
    ],
)
@pytest.mark.parametrize("colour", COLOURS)
def test_beach_and_jungle_number_of_a_colour_lie_apart(
    colour: str, separation: str, too_close: list[tuple[int, int]], enough: list[tuple[int, int]]
) -> None:
    def separation_faults(beach: int, jungle: int) -> list[Fault]:
        rules = attrs.evolve(setup().rules, separation=separation)
        layout = near(**{colour: (beach, jungle)})
        found = faults(Setup(("ana", "ben"), "ana", layout, rules))
        return [fault for fault in found if fault[0] == "setup/separation" and fault[2].endswith(colour)]

    wrong = [("setup/separation", "R-SETUP-6", f"$.layout.{colour}")]
    assert [separation_faults(*pair) for pair in too_close] == [wrong] * len(too_close)
    assert [separation_faults(*pair) for pair in enough] == [[]] * len(enough)


@pytest.mark.parametrize("separation", ["edge-2", "edge3", "", "EDGE-3", None])
def test_an_unknown_separation_is_one_fault(separation: object) -> None:
    close = attrs.evolve(with_rules(separation=separation), layout=near(blue=(10, 20), yellow=(30, 30)))
    assert faults(close) == [("setup/separation-rule", "R-SETUP-6", "$.rules.separation")]


@pytest.mark.parametrize("pickup", ["stop", "landing", "step"])
def test_a_pickup_is_known(pickup: str) -> None:
    assert faults(with_rules(pickup=pickup)) == []


@pytest.mark.parametrize("pickup", ["", "Stop", "pass", "edge-3", None])
def test_a_pickup_is_unknown(pickup: object) -> None:
    assert faults(with_rules(pickup=pickup)) == [("setup/pickup", "R-SETUP-7", "$.rules.pickup")]


@pytest.mark.parametrize(
    ("players", "stack"),
    [
        (2, (5, 3)),
        (2, (99, 1)),
        (2, (1, 1)),
        (2, (8, 7, 6, 5, 4, 3, 2, 1)),
        (4, (5, 5, 5, 5)),
        (3, (2, 2, 1)),
    ],
)
def test_a_stack_may_be(players: int, stack: tuple[int, ...]) -> None:
    assert faults(with_rules(players, temple_treasures=stack)) == []


@pytest.mark.parametrize(
    ("players", "stack", "message"),
    [
        (2, (3, 5), "never a rise, got [3,5]"),
        (3, (5, 3, 4), "never a rise, got [5,3,4]"),
        (2, (5, 0), "1 to 99, got [5,0]"),
        (2, (100, 5), "1 to 99, got [100,5]"),
        (2, (5, -1), "1 to 99, got [5,-1]"),
        (2, (5, True), "1 to 99, got [5,true]"),
        (2, (5.0, 3), "1 to 99, got [5.0,3]"),
        (2, ("5", "3"), '1 to 99, got ["5","3"]'),
        (2, (5,), "2 to 8 temple treasures, got 1"),
        (2, (), "2 to 8 temple treasures, got 0"),
        (3, (5, 3), "3 to 8 temple treasures, got 2"),
        (4, (5, 4, 3), "4 to 8 temple treasures, got 3"),
        (2, (9, 9, 8, 7, 6, 5, 4, 3, 2), "2 to 8 temple treasures, got 9"),
    ],
)
def test_a_stack_may_not_be(players: int, stack: tuple[object, ...], message: str) -> None:
    opening = with_rules(players, temple_treasures=stack)
    assert faults(opening) == [("setup/temple-treasures", "R-SETUP-8", "$.rules.temple_treasures")]
    assert message in setup_violations(opening)[0].message


def test_a_stack_is_measured_by_the_players_that_there_are() -> None:
    """R-SETUP-8 asks for one for each player, also where so many cannot play (R-SETUP-1)."""
    crowd = attrs.evolve(with_rules(4), players=tuple("abcde"), leader="a")
    assert [code for code, _, _ in faults(crowd)] == ["setup/player-count", "setup/temple-treasures"]
    alone = attrs.evolve(with_rules(2, temple_treasures=(5,)), players=("ana",), leader="ana")
    assert [code for code, _, _ in faults(alone)] == ["setup/player-count"]


def all_wrong() -> Setup:
    layout = Layout(Pair(10, 10), Pair(10, 15), Pair(0, 20), Pair(20, 10))
    names: Any = ("ana", "", 3, "ana", "ben")
    return Setup(names, "dan", layout, RuleSet("grab", (0, 1), "edge-4"))


ALL_WRONG: Final = [
    ("setup/player-count", "R-SETUP-1", "$.players"),
    ("setup/player-name", "R-SETUP-2", "$.players[1]"),
    ("setup/player-name", "R-SETUP-2", "$.players[2]"),
    ("setup/player-doubled", "R-SETUP-1", "$.players[3]"),
    ("setup/leader", "R-SETUP-3", "$.leader"),
    ("setup/number-shared", "R-SETUP-5", "$.layout.brown.beach"),
    ("setup/number", "R-SETUP-4", "$.layout.purple.beach"),
    ("setup/number", "R-SETUP-4", "$.layout.brown.jungle"),
    ("setup/number-shared", "R-SETUP-5", "$.layout.yellow.jungle"),
    ("setup/separation", "R-SETUP-6", "$.layout.blue"),
    ("setup/separation", "R-SETUP-6", "$.layout.yellow"),
    ("setup/pickup", "R-SETUP-7", "$.rules.pickup"),
    ("setup/temple-treasures", "R-SETUP-8", "$.rules.temple_treasures"),
]


def test_all_faults_are_found_in_order() -> None:
    assert faults(all_wrong()) == ALL_WRONG
    both = attrs.evolve(all_wrong(), rules=RuleSet("grab", (0, 1), "far"))
    kept = [fault for fault in ALL_WRONG if fault[0] != "setup/separation"]
    assert faults(both) == [*kept, ("setup/separation-rule", "R-SETUP-6", "$.rules.separation")]


def test_a_name_both_wrong_and_doubled_has_both_faults() -> None:
    assert [code for code, _, _ in faults(with_players("", ""))] == [
        "setup/player-name",
        "setup/player-name",
        "setup/player-doubled",
    ]


@pytest.mark.parametrize("open_game", [start, lambda opening: fold([GameStarted(opening)])])
def test_a_wrong_setup_starts_no_game(open_game: Any) -> None:  # noqa: ANN401 - two ways to open
    with pytest.raises(InvalidSetup) as caught:
        open_game(all_wrong())
    assert caught.value.violations == setup_violations(all_wrong())


def test_a_wrong_setup_is_told_with_all_its_faults() -> None:
    with pytest.raises(InvalidSetup) as caught:
        start(with_players("ana", leader="ben"))
    assert str(caught.value) == (
        "expected 2 to 4 players, got 1 [setup/player-count]; "
        'the leader "ben" is none of the players [setup/leader]'
    )


@pytest.mark.parametrize("open_game", [fold, lambda events: list(rederive(events))])
def test_a_record_begins_with_its_opening(open_game: Any) -> None:  # noqa: ANN401 - two ways to open
    with pytest.raises(Mismatch) as caught:
        open_game([TileDrawn(1, 7)])
    assert caught.value.violation == Violation(
        "log/no-opening", "F-LOG-1", "$.type", "expected game-started first, got tile-drawn"
    )


@pytest.mark.parametrize(
    ("name", "players", "rules"),
    [
        ("official", 2, RuleSet("stop", (5, 3), "edge-3")),
        ("official", 3, RuleSet("stop", (5, 3, 2), "edge-3")),
        ("official", 4, RuleSet("stop", (5, 4, 3, 2), "edge-3")),
        *(("seed-000", players, RuleSet("step", (5, 4, 3, 2), "edge-3")) for players in (2, 3, 4)),
        *(("seed-001", players, RuleSet("landing", (5, 3, 2, 1), "edge-4")) for players in (2, 3, 4)),
    ],
)
def test_a_preset_is_written_out(name: str, players: int, rules: RuleSet) -> None:
    assert preset(name, players) == rules
    assert preset_name(rules, players) == name
    opening = Setup(NAMES[:players], "ana", FAR, rules)
    assert setup_violations(opening) == ()


def test_a_document_and_the_official_reading_are_one_preset() -> None:
    assert [preset("seed-002", players) for players in (2, 3, 4)] == [
        preset("official", players) for players in (2, 3, 4)
    ]
    assert preset_name(preset("seed-002", 3), 3) == "official"


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (RuleSet("stop", (5, 4, 3, 2), "edge-3"), 2),
        (RuleSet("stop", (5, 3), "edge-4"), 2),
        (RuleSet("landing", (5, 3), "edge-3"), 2),
        (RuleSet("stop", (5, 3), "edge-3"), 5),
    ],
)
def test_rules_of_no_preset_are_custom(rules: RuleSet, players: int) -> None:
    assert preset_name(rules, players) == "custom"


@pytest.mark.parametrize(
    ("name", "players"), [("Official", 2), ("seed-003", 2), ("official", 1), ("seed-000", 5)]
)
def test_there_is_no_such_preset(name: str, players: int) -> None:
    message = f"no preset '{name}' for {players} players: official, seed-000, seed-001, seed-002; 2 to 4"
    with pytest.raises(ValueError, match=message):
        preset(name, players)
