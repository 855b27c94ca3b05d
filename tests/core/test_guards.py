"""Each guard of each command, its code, rule and path, and which of two faults is named."""

import re
from collections.abc import Callable
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import karuba_core
from karuba_core import (
    COLOURS,
    AdventurerMoved,
    Award,
    Collect,
    Command,
    Discard,
    Draw,
    Event,
    Game,
    GameEnded,
    GameStarted,
    IllegalCommand,
    Mismatch,
    Move,
    Pass,
    Place,
    RoundEnded,
    RuleSet,
    Score,
    Setup,
    Step,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TreasureCollected,
    TurnPassed,
    Violation,
    apply,
    check,
    command_of,
    due,
    end_reason,
    fold,
    legal_commands,
    rederive,
    scores,
    settle,
    trace,
    violation,
    winners,
)
from tests.games_kit import BLUE_ROAD, Table, near, setup


def drawn() -> Table:
    """Round 2: tile 1 lies on a1, tile 7 is to be played."""
    return Table(setup()).lay({"a1": 1}).do(Draw(7))


def walking() -> Table:
    """Return a table at which ana's blue adventurer went to a1 and has three steps left."""
    return drawn().do(Discard("ana"), Move("ana", "blue", ("a1",)))


def home() -> Table:
    """Return a table at which ana has four steps and all but purple at home."""
    return Table(setup()).homeward("ana").do(Draw(26), Discard("ana"))


def held() -> Table:
    """Return a table at which ana's yellow adventurer holds a1, and blue and brown wait before it."""
    table = Table(setup(layout=near(brown=(20, 90)))).lay({"a1": 7, "a2": 24, "a3": 28, "b1": 1})
    return table.walk(5, "yellow", "a3 a2 a1").do(Draw(8), Discard("ana"))


def beside_treasure(pickup: str) -> Table:
    """Return a table at which ana's blue adventurer may step onto the crystal of a1, and has four steps."""
    return Table(setup(pickup=pickup)).lay({"a1": 13, "b1": 1}).do(Draw(7), Discard("ana"))


def on_treasure(pickup: str) -> Table:
    """Return a table at which blue stands on the crystal of a1 since the last round; ana has two steps."""
    table = Table(setup(pickup=pickup)).lay({"a1": 13, "b1": 1, "f5": 8})
    return table.walk(7, "blue", "a1").do(Draw(2), Discard("ana"))


def blue_home(pickup: str = "stop") -> Table:
    """Return a table at which both blue adventurers came home in the fourth round."""
    return Table(setup(pickup=pickup)).lay(BLUE_ROAD).walk(7, "blue", "a1 b1 c1 temple")


def over() -> Table:
    """Return a table at which all tiles were discarded."""
    table = Table(setup())
    for tile in range(1, 37):
        table.round(tile)
    return table


def all_home() -> Table:
    """Return a table at which both brought all four home, step by step alike."""
    return Table(setup()).homeward().walk(26, "purple", "d5 e5 f5 temple")


POSITIONS: Final[dict[str, Callable[[], Table]]] = {
    "start": lambda: Table(setup()),
    "between": lambda: Table(setup()).lay({"a1": 1, "f5": 36}),
    "drawn": drawn,
    "placed": lambda: drawn().do(Place("ana", "b1")),
    "discarded": lambda: drawn().do(Discard("ana")),
    "walking": walking,
    "passed": lambda: walking().do(Pass("ana")),
    "home": home,
    "walked-in-home": lambda: home().do(Move("ana", "purple", ("d5",))),
    "held": held,
    "landed": lambda: beside_treasure("landing").do(Move("ana", "blue", ("a1",))),
    "discarded-landing": lambda: beside_treasure("landing"),
    "one-step-left": lambda: beside_treasure("stop").do(blue("a1", "b1", "a1")),
    "no-step-left": lambda: on_treasure("stop").do(blue("b1", "a1")),
    "on-treasure-stop": lambda: on_treasure("stop"),
    "on-treasure-step": lambda: on_treasure("step"),
    "blue-home-step": lambda: blue_home("step").do(Draw(8), Discard("ana")),
    "over": over,
}


@cache
def position(name: str) -> Game:
    return POSITIONS[name]().game


ANY_TURN: Final[dict[str, tuple[Command, ...]]] = {
    "ana": (Place("ana", "a1"), Discard("ana"), Move("ana", "red", ()), Collect("ana", "red"), Pass("ana")),
    "eve": (Place("eve", "g9"), Discard("eve"), Move("eve", "red", ()), Collect("eve", "red"), Pass("eve")),
}
"""A command of each kind that belongs to a turn, for a player of the game and for a stranger; with
further faults in them, which guards behind those at hand would name."""

Row = tuple[str, Command, str, str, str]


def each(names: str, commands: tuple[Command, ...], *refused: str) -> list[Row]:
    """Return a row for each position and command, all refused alike."""
    code, rule, path = refused
    return [(name, command, code, rule, path) for name in names.split() for command in commands]


def blue(*path: str) -> Move:
    return Move("ana", "blue", path)


ROWS: Final[list[Row]] = [
    # Draw, guard by guard; each with all the faults that come later.
    *each("over", (Draw(0), Draw(7), Draw(37)), "rule/game-over", "R-END-3", "$"),
    *each("drawn placed walking", (Draw(0), Draw(1), Draw(7), Draw(9)), "rule/round-open", "R-DRAW-1", "$"),
    *each("start between", (Draw(0), Draw(37), Draw(-1)), "rule/unknown-tile", "R-DRAW-2", "$.tile"),
    *each("between", (Draw(1), Draw(36)), "rule/tile-drawn", "R-DRAW-3", "$.tile"),
    # What all commands of a turn share.
    *each("start between", ANY_TURN["ana"] + ANY_TURN["eve"], "rule/no-round", "R-TURN-1", "$"),
    *each("over", ANY_TURN["ana"] + ANY_TURN["eve"], "rule/game-over", "R-END-3", "$"),
    *each("drawn walking", ANY_TURN["eve"], "rule/unknown-player", "R-TURN-2", "$.player"),
    # Place and discard.
    *each(
        "placed discarded walking passed",
        (Place("ana", "c1"), Place("ana", "a1"), Place("ana", "g9"), Discard("ana")),
        *("rule/already-played", "R-TURN-3", "$.player"),
    ),
    *each(
        "drawn",
        tuple(Place("ana", cell) for cell in ("g1", "a0", "a6", "A1", "a", "", "a1 ", "temple")),
        *("rule/unknown-cell", "R-PLACE-1", "$.cell"),
    ),
    *each("drawn", (Place("ana", "a1"),), "rule/cell-occupied", "R-PLACE-2", "$.cell"),
    # Move, collect and pass.
    *each("drawn", ANY_TURN["ana"][2:], "rule/not-discarded", "R-TURN-4", "$.player"),
    *each("placed passed", ANY_TURN["ana"][2:], "rule/turn-closed", "R-TURN-5", "$.player"),
    *each(
        "discarded walking home",
        (Move("ana", "red", ("a1",)), Move("ana", "", ()), Collect("ana", "Blue"), Collect("ana", "red")),
        *("rule/unknown-adventurer", "R-MOVE-1", "$.adventurer"),
    ),
    *each(
        "walking one-step-left no-step-left",
        (Move("ana", "yellow", ("a3",)), Move("ana", "yellow", ()), Collect("ana", "yellow")),
        *("rule/other-adventurer", "R-MOVE-2", "$.adventurer"),
    ),
    *each(
        "walked-in-home",
        (blue("c1"), Collect("ana", "blue")),
        *("rule/other-adventurer", "R-MOVE-2", "$.adventurer"),
    ),
    *each("home", (blue("c1"), blue()), "rule/already-home", "R-MOVE-3", "$.adventurer"),
    # The path.
    *each("discarded walking", (blue(),), "rule/empty-path", "R-MOVE-4", "$.path"),
    *each("discarded", (blue("a6"), blue("", "temple", "a1")), "rule/unknown-cell", "R-MOVE-4", "$.path[0]"),
    *each("discarded", (blue("a1", "beach"), blue("f5", "a")), "rule/unknown-cell", "R-MOVE-4", "$.path[1]"),
    *each(
        "discarded",
        (blue("f5", "f4", "f3", "f2", "f1", "Temple"),),
        *("rule/unknown-cell", "R-MOVE-4", "$.path[5]"),
    ),
    *each(
        "discarded", (blue("temple", "a1"), blue("temple", "")), "rule/beyond-temple", "R-MOVE-4", "$.path[1]"
    ),
    *each(
        "discarded",
        (blue("a1", "temple", "temple"), blue("f5", "temple", "a1", "b1", "c1")),
        *("rule/beyond-temple", "R-MOVE-4", "$.path[2]"),
    ),
    *each("discarded", (blue("f5", "f4", "f3", "f2", "f1"),), "rule/too-few-steps", "R-MOVE-5", "$.path"),
    *each("walking", (blue("b1", "a1", "b1", "a1"),), "rule/too-few-steps", "R-MOVE-5", "$.path"),
    # The way: the first entry that cannot be entered.
    *each("discarded", (blue("b1"), blue("temple"), blue("a2")), "rule/no-way", "R-MOVE-6", "$.path[0]"),
    *each("discarded", (blue("a1", "b1"), blue("a1", "temple")), "rule/no-way", "R-MOVE-6", "$.path[1]"),
    *each("walking", (blue("a1"), blue("a2")), "rule/no-way", "R-MOVE-6", "$.path[0]"),
    *each("home", (Move("ana", "purple", ("d5", "d5")),), "rule/no-way", "R-MOVE-6", "$.path[1]"),
    *each("held", (blue("a1"), blue("a1", "f5")), "rule/cell-held", "R-MOVE-7", "$.path[0]"),
    *each("held", (Move("ana", "brown", ("a2", "a1")),), "rule/cell-held", "R-MOVE-7", "$.path[1]"),
    *each("held", (Move("ana", "brown", ("a1",)),), "rule/no-way", "R-MOVE-6", "$.path[0]"),
    # Collect.
    *each(
        "discarded home discarded-landing on-treasure-stop",
        (Collect("ana", "blue"), Collect("ana", "yellow")),
        *("rule/not-moved", "R-COLLECT-2", "$.adventurer"),
    ),
    *each("walking", (Collect("ana", "blue"),), "rule/no-treasure", "R-COLLECT-1", "$.adventurer"),
    *each(
        "on-treasure-step blue-home-step",
        (Collect("ana", "brown"), Collect("ana", "yellow")),
        *("rule/no-treasure", "R-COLLECT-1", "$.adventurer"),
    ),
    *each("blue-home-step", (Collect("ana", "blue"),), "rule/no-treasure", "R-COLLECT-1", "$.adventurer"),
    # Pass.
    *each("landed", (Pass("ana"),), "rule/must-collect", "R-PASS-2", "$"),
]


def label(value: object) -> str:
    return re.sub(r"[^\w.-]+", " ", str(value))


@pytest.mark.parametrize(("name", "command", "code", "rule", "path"), ROWS, ids=label)
def test_the_first_guard_that_fails_names_the_code(
    name: str, command: Command, code: str, rule: str, path: str
) -> None:
    refused = violation(position(name), command)
    assert refused is not None
    assert (refused.code, refused.rule, refused.path) == (code, rule, path)


@pytest.mark.parametrize(("name", "command"), [row[:2] for row in ROWS], ids=label)
def test_a_refused_command_leaves_nothing_behind(name: str, command: Command) -> None:
    game = position(name)
    islands, before = game.islands, hash(game)
    with pytest.raises(IllegalCommand) as caught:
        apply(game, command)
    assert caught.value.violation == violation(game, command)
    assert game.islands is islands
    assert (hash(game), game) == (before, POSITIONS[name]().game)


@pytest.mark.parametrize(("name", "command"), [row[:2] for row in ROWS], ids=label)
def test_a_refused_command_is_not_among_the_legal_ones(name: str, command: Command) -> None:
    assert command not in set(legal_commands(position(name)))


@pytest.mark.parametrize(
    ("name", "command", "told"),
    [
        ("between", Draw(36), "tile 36 was drawn in round 2"),
        ("between", Draw(99), "expected a tile from 1 to 36, got 99"),
        ("drawn", Draw(8), 'round 2 is open and waits for the turns of "ana" and "ben"'),
        ("drawn", Place("ana", "a1"), "a1 holds tile 1 already"),
        ("drawn", Place("ana", "z9"), 'expected a cell, a1 to f5, got "z9"'),
        ("drawn", Pass("ana"), '"ana" has not discarded the tile of round 2'),
        ("drawn", Pass("eve"), '"eve" is none of the players, "ana" and "ben"'),
        ("placed", Pass("ana"), 'the turn of "ana" in round 2 is closed'),
        ("placed", Discard("ana"), '"ana" has played the tile of round 2 already'),
        ("walking", Collect("ana", "red"), 'expected one of blue, brown, purple, yellow, got "red"'),
        ("walking", Collect("ana", "brown"), "this turn belongs to the blue adventurer"),
        ("walking", blue("b1", "a1", "b1", "a1"), "at most 3 entries, as many as steps are left, got 4"),
        ("walking", blue("a2"), "no path leads from a1 to a2"),
        ("walking", blue("temple"), "no path leads from a1 to the temple"),
        ("discarded", blue("a2"), "no path leads from the beach to a2"),
        ("discarded", blue(), "expected the cells entered, got none"),
        ("discarded", blue("temple", "a1"), "expected it last in the path"),
        ("discarded", Collect("ana", "blue"), "the blue adventurer has not moved in this turn"),
        ("walking", Collect("ana", "blue"), "no treasure lies where the blue adventurer stands"),
        ("held", blue("a1"), "a1 is held by the yellow adventurer"),
        ("home", Move("ana", "brown", ("f5",)), "the brown adventurer has reached its temple"),
        ("landed", Pass("ana"), "the blue adventurer stands on a treasure"),
        ("over", Draw(1), "the game is over"),
        ("start", Pass("ana"), "a tile has to be drawn first"),
    ],
    ids=label,
)
def test_a_message_says_what_stood_there(name: str, command: Command, told: str) -> None:
    refused = violation(position(name), command)
    assert refused is not None
    assert told in refused.message
    assert str(IllegalCommand(refused)) == f"{refused.message} [{refused.code}]"


def test_every_code_of_a_command_has_its_row() -> None:
    source = "".join(path.read_text("utf-8") for path in Path(karuba_core.__file__).parent.glob("*.py"))
    codes = set(re.findall(r'"(rule/[a-z-]+)"', source))
    assert codes == {row[2] for row in ROWS} | {"rule/event-due"}


def cut(table: Table, due_events: int) -> Game:
    """Return the game of a table's record without its last events."""
    return fold(table.events[:-due_events])


CUTS: Final[dict[str, tuple[Callable[[], Table], int]]] = {
    "round": (lambda: drawn().do(Place("ana", "b1"), Place("ben", "b1")), 1),
    "awards": (blue_home, 1),
    "round before the last tile is used up": (over, 2),
    "last tile used up": (over, 1),
    "all home": (all_home, 1),
    "round before all home": (all_home, 2),
}
"""Tables with the count of events by which their record is cut."""


@pytest.mark.parametrize(("build", "count"), CUTS.values(), ids=CUTS)
def test_a_record_cut_before_a_due_event_lets_no_command_by(build: Callable[[], Table], count: int) -> None:
    table = build()
    game, missing = cut(table, count), table.events[-count:]
    assert due(game) == missing[0]
    refused = Violation("rule/event-due", "R-JUDGE-1", "$", f"{missing[0].name} is due before any command")
    for command in (*ANY_TURN["ana"], *ANY_TURN["eve"], Draw(0), Draw(30)):
        assert violation(game, command) == refused
        with pytest.raises(IllegalCommand):
            apply(game, command)
    assert list(legal_commands(game)) == list(legal_commands(game, "ana")) == []
    assert settle(game) == Step(table.game, missing)
    assert due(table.game) is None
    assert settle(table.game) == Step(table.game, ())
    with pytest.raises(Mismatch) as caught:
        check(game, TileDrawn(3, 30))
    assert (caught.value.violation.code, caught.value.violation.path) == ("mismatch/overdue", "$.type")


@pytest.mark.parametrize("build", [build for build, _ in CUTS.values()], ids=CUTS)
def test_a_record_is_judged_as_it_was_played(build: Callable[[], Table]) -> None:
    table = build()
    steps = list(rederive(table.events))
    assert steps == list(trace(table.events))
    assert tuple(event for step in steps for event in step.events) == table.events
    assert steps[-1].game == table.game == fold(table.events)
    assert hash(steps[-1].game) == hash(table.game)


def mismatch(game: Game, event: Event) -> tuple[str, str]:
    with pytest.raises(Mismatch) as caught:
        check(game, event)
    return caught.value.violation.code, caught.value.violation.path


@pytest.mark.parametrize(
    ("name", "event", "code", "path"),
    [
        ("between", TileDrawn(2, 7), "mismatch/value", "$.round"),
        ("between", TileDrawn(9, 36), "rule/tile-drawn", "$.tile"),
        ("drawn", TilePlaced("ana", 8, "b1"), "mismatch/value", "$.tile"),
        ("drawn", TilePlaced("ana", 8, "a1"), "rule/cell-occupied", "$.cell"),
        ("drawn", TileDiscarded("ana", 1, 4), "mismatch/value", "$.tile"),
        ("drawn", TileDiscarded("ana", 7, 3), "mismatch/value", "$.steps"),
        ("drawn", TileDiscarded("eve", 1, 3), "rule/unknown-player", "$.player"),
        ("discarded", AdventurerMoved("ana", "blue", ("b1",)), "rule/no-way", "$.path[0]"),
        ("walking", TreasureCollected("ana", "blue", "a1", "gold"), "rule/no-treasure", "$.adventurer"),
        ("landed", TreasureCollected("ana", "blue", "b1", "crystal"), "mismatch/value", "$.cell"),
        ("landed", TreasureCollected("ana", "blue", "a1", "gold"), "mismatch/value", "$.treasure"),
        ("landed", TurnPassed("ana"), "rule/must-collect", "$"),
        ("drawn", RoundEnded(2, ()), "mismatch/not-due", "$.type"),
        ("drawn", GameEnded("all-home", (), ()), "mismatch/not-due", "$.type"),
        ("start", GameStarted(setup()), "mismatch/not-due", "$.type"),
        ("over", RoundEnded(36, ()), "mismatch/not-due", "$.type"),
        ("over", TileDrawn(37, 1), "rule/game-over", "$"),
    ],
    ids=label,
)
def test_a_recorded_event_is_held_against_the_rules(name: str, event: Event, code: str, path: str) -> None:
    assert mismatch(position(name), event) == (code, path)


@pytest.mark.parametrize(
    ("event", "path"),
    [
        (RoundEnded(5, (Award("ana", "blue", 5, 0), Award("ben", "blue", 3, 2))), "$.round"),
        (RoundEnded(4, (Award("ana", "blue", 5, 0),)), "$.awards"),
        (RoundEnded(4, ()), "$.awards"),
        (RoundEnded(4, (Award("ben", "blue", 5, 0), Award("ana", "blue", 3, 2))), "$.awards[0].player"),
        (RoundEnded(4, (Award("ana", "blue", 5, 0), Award("ben", "brown", 3, 2))), "$.awards[1].temple"),
        (RoundEnded(4, (Award("ana", "blue", 5, 0), Award("ben", "blue", 5, 0))), "$.awards[1].token"),
        (RoundEnded(4, (Award("ana", "blue", 5, 0), Award("ben", "blue", 3, 0))), "$.awards[1].crystals"),
    ],
)
def test_recorded_awards_are_held_against_the_rules(event: RoundEnded, path: str) -> None:
    assert mismatch(cut(blue_home(), 1), event) == ("mismatch/value", path)


ENDED: Final = GameEnded(
    "all-home", (Score("ana", 20, 2, 0, 22, 10), Score("ben", 12, 10, 0, 22, 10)), ("ana", "ben")
)


def ended(**wrong: Any) -> GameEnded:  # noqa: ANN401 - a field of a score and its value
    """Return the end with another score for ben, the scores turned about."""
    ana, ben = ENDED.scores
    return attrs.evolve(ENDED, scores=(attrs.evolve(ben, **wrong), ana))


@pytest.mark.parametrize(
    ("event", "path"),
    [
        (attrs.evolve(ENDED, reason="tiles-exhausted"), "$.reason"),
        (attrs.evolve(ENDED, winners=("ana",)), "$.winners"),
        (attrs.evolve(ENDED, winners=("ben", "ana")), "$.winners[0]"),
        (attrs.evolve(ENDED, scores=ENDED.scores[:1]), "$.scores"),
        (ended(temples=7), "$.scores.ben.temples"),
        (ended(crystals=7), "$.scores.ben.crystals"),
        (ended(gold=7), "$.scores.ben.gold"),
        (ended(total=7), "$.scores.ben.total"),
        (ended(tiles=7), "$.scores.ben.tiles"),
    ],
)
def test_recorded_scores_are_held_against_the_rules(event: GameEnded, path: str) -> None:
    """R-SCORE-1, R-SCORE-2."""
    game = cut(all_home(), 1)
    assert due(game) == ENDED
    assert mismatch(game, event) == ("mismatch/value", path)


def test_the_order_of_scores_is_no_part_of_the_end() -> None:
    turned = ended()
    assert turned.scores == ENDED.scores[::-1]
    assert turned == ENDED
    assert hash(turned) == hash(ENDED)
    assert attrs.evolve(ENDED, scores=ENDED.scores[:1]) != ENDED


def test_scores_stand_during_play_and_winners_at_the_end() -> None:
    table = Table(setup()).lay({"a1": 1}, "ben")
    bare = (Score("ana", 0, 0, 0, 0, 0), Score("ben", 0, 0, 0, 0, 1))
    assert (scores(table.game), winners(table.game), end_reason(table.game)) == (bare, (), None)
    finished = all_home()
    unfinished = cut(finished, 1)
    assert scores(unfinished) == scores(finished.game) == ENDED.scores
    assert (winners(unfinished), end_reason(unfinished)) == ((), None)
    assert (winners(finished.game), end_reason(finished.game)) == (("ana", "ben"), "all-home")
    assert end_reason(over().game) == "tiles-exhausted"


TURNS: Final[tuple[tuple[Command, ...], ...]] = (
    (Discard("ana"), Move("ana", "blue", ("a1",)), Move("ana", "blue", ("b1", "c1", "temple"))),
    (Discard("ben"), Move("ben", "blue", ("a1",)), Pass("ben")),
    (Place("cleo", "f5"),),
)


def test_games_reached_in_any_interleaving_are_equal() -> None:
    """R-TURN-6: each order in which the three turns can be mixed, their own order kept: 7! / (3! 3! 1!)."""
    before = Table(setup(3)).lay(BLUE_ROAD).do(Draw(7)).game
    mixes = set(permutations([0, 0, 0, 1, 1, 1, 2]))
    assert len(mixes) == 140
    games = []
    for mix in mixes:
        turns = [iter(turn) for turn in TURNS]
        game = before
        for seat in mix:
            game = apply(game, next(turns[seat])).game
        games.append(game)
    assert len(set(games)) == 1
    assert {hash(game) for game in games} == {hash(games[0])}
    assert games[0].awards == (Award("ana", "blue", 5, 0),)


def test_games_that_differ_are_unequal() -> None:
    before = Table(setup()).do(Draw(7))
    after = [apply(before.game, command).game for command in legal_commands(before.game)]
    assert len({before.game, *after}) == 2 * 31 + 1


@pytest.mark.parametrize("cell", ["g1", "a6", "A1", "", "beach", "temple"])
def test_views_know_no_other_cell(cell: str) -> None:
    island = position("start").island("ana")
    for view in (island.tile, island.treasure):
        with pytest.raises(KeyError):
            view(cell)


@pytest.mark.parametrize("adventurer", ["red", "Blue", ""])
def test_views_know_no_other_adventurer(adventurer: str) -> None:
    with pytest.raises(KeyError):
        position("start").island("ana").where(adventurer)


def test_views_know_no_other_player() -> None:
    with pytest.raises(KeyError, match="eve"):
        position("start").island("eve")
    assert list(legal_commands(position("drawn"), "eve")) == []


def test_views_tell_where_things_are() -> None:
    island = position("walked-in-home").island("ana")
    assert [island.where(colour) for colour in COLOURS] == ["temple", "temple", "d5", "temple"]
    assert [island.tile(cell) for cell in ("a1", "c1", "f1")] == [7, 10, None]
    assert (island.tile_count, island.is_home) == (10, False)
    ben = position("home").island("ben")
    assert [ben.treasure(cell) for cell in ("c1", "f3", "a1", "f1")] == ["crystal", "crystal", None, None]
    assert island.treasure("c1") is None


@pytest.mark.parametrize("tile", [True, 1.0])
def test_what_only_counts_as_a_tile_is_none(tile: int) -> None:
    refused = violation(position("start"), Draw(tile))
    assert refused is not None
    assert refused.code == "rule/unknown-tile"


@pytest.mark.parametrize("lap", [True, 1.0])
def test_the_state_keeps_what_the_rules_yield_and_not_what_was_recorded(lap: int) -> None:
    game = check(position("start"), TileDrawn(lap, 7))
    assert game == apply(position("start"), Draw(7)).game
    with pytest.raises(Mismatch):
        check(position("start"), TileDrawn(1, True))


def test_lists_of_a_caller_become_tuples() -> None:
    opening = position("start").setup
    rules = RuleSet("stop", [5, 3], "edge-3")
    given = Setup(["ana", "ben"], "ana", opening.layout, rules)
    assert hash(fold([GameStarted(given)])) == hash(position("start"))
    game = position("discarded")
    move = next(command for command in legal_commands(game, "ana") if isinstance(command, Move))
    path: tuple[str, ...] = [*move.path]  # type: ignore[assignment]
    assert apply(game, attrs.evolve(move, path=path)) == apply(game, move)


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (TileDrawn(1, 7), Draw(7)),
        (TilePlaced("ana", 7, "a1"), Place("ana", "a1")),
        (TileDiscarded("ana", 7, 4), Discard("ana")),
        (AdventurerMoved("ana", "blue", ("a1",)), Move("ana", "blue", ("a1",))),
        (TreasureCollected("ana", "blue", "a1", "gold"), Collect("ana", "blue")),
        (TurnPassed("ana"), Pass("ana")),
        (RoundEnded(1, ()), None),
        (GameEnded("all-home", (), ()), None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_command_that_an_event_answers(event: Event, command: Command | None) -> None:
    assert command_of(event) == command
