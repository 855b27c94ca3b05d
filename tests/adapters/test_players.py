import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from random import Random

import attrs
import pytest

from karuba_adapters import decks, players, routes
from karuba_adapters.decks import choice, deck, layout, opening, shuffled
from karuba_adapters.players import POLICIES, Policy, casual, planner, play
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Event,
    Game,
    GameEnded,
    Layout,
    Move,
    Pair,
    Pass,
    Place,
    RoundEnded,
    RuleSet,
    Setup,
    TileDrawn,
    TreasureCollected,
    apply,
    preset,
    rederive,
    setup_violations,
    start,
)

NAMES = ("ana", "ben", "cleo", "dan")
PICKUPS = ("stop", "landing", "step")
SEPARATIONS = ("edge-3", "edge-4", "value-30")


def rules(pickup: str = "stop", seats: int = 3, separation: str = "edge-3") -> RuleSet:
    return attrs.evolve(preset("official", seats), pickup=pickup, separation=separation)


def events_of(policy: Policy, seed: int, pickup: str = "stop", seats: int = 3) -> list[Event]:
    return list(play(opening(NAMES[:seats], seed, rules(pickup, seats)), seed, policy))


def faults(numbers: Layout, separation: str) -> set[str]:
    setup = Setup(NAMES[:2], "ana", numbers, rules(seats=2, separation=separation))
    return {fault.code for fault in setup_violations(setup)}


class OnlyRandom:
    """Chance with the one method that Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random


# --- decks ---


def test_a_deck_is_a_permutation_of_the_tiles_and_another_one_for_each_seed() -> None:
    dealt = {deck(seed) for seed in range(300)}
    assert len(dealt) == 300
    assert {tuple(sorted(tiles)) for tiles in dealt} == {tuple(range(1, 37))}


def test_what_a_seed_stands_for_never_changes() -> None:
    # fmt: off
    assert deck(7) == (
        17, 35, 29, 22, 9, 10, 21, 32, 8, 14, 27, 26, 4, 34, 1, 16, 7, 24,
        19, 13, 5, 25, 20, 11, 33, 28, 31, 30, 15, 2, 36, 18, 3, 23, 6, 12,
    )
    # fmt: on
    assert layout(7) == Layout(
        blue=Pair(100, 30), brown=Pair(70, 80), purple=Pair(50, 60), yellow=Pair(90, 50)
    )
    assert layout(7, "value-30") == Layout(
        blue=Pair(90, 20), brown=Pair(20, 70), purple=Pair(50, 90), yellow=Pair(10, 40)
    )


def test_every_order_is_equally_likely() -> None:
    random = Random(1)
    orders = Counter(shuffled("abc", random) for _ in range(6000))
    assert len(orders) == 6
    assert all(900 < count < 1100 for count in orders.values())


def test_every_item_is_chosen_and_equally_likely() -> None:
    random = Random(1)
    chosen = Counter(choice("abc", random) for _ in range(3000))
    assert set(chosen) == set("abc")
    assert all(900 < count < 1100 for count in chosen.values())


def test_there_is_no_choice_among_nothing() -> None:
    with pytest.raises(IndexError):
        choice((), Random(1))


@pytest.mark.parametrize("separation", SEPARATIONS)
def test_a_layout_keeps_its_separation(separation: str) -> None:
    layouts = [layout(seed, separation) for seed in range(200)]
    assert len(set(layouts)) == 200
    assert not any(faults(numbers, separation) for numbers in layouts)


def test_a_layout_is_apart_by_four_unless_told_otherwise() -> None:
    assert [layout(seed) for seed in range(50)] == [layout(seed, "edge-4") for seed in range(50)]
    assert not any(faults(layout(seed), "edge-3") for seed in range(200))


@pytest.mark.parametrize(("separation", "stricter"), [("edge-3", "edge-4"), ("edge-4", "value-30")])
def test_a_layout_is_no_further_apart_than_asked(separation: str, stricter: str) -> None:
    assert any(faults(layout(seed, separation), stricter) for seed in range(50))


def test_layouts_reach_every_number_of_both_edges() -> None:
    pairs = [pair for seed in range(100) for pair in layout(seed).pairs]
    assert {pair.beach for pair in pairs} == {pair.jungle for pair in pairs} == set(range(10, 120, 10))


def test_an_unknown_separation_is_named() -> None:
    with pytest.raises(ValueError, match=r"no separation 'edge-5': edge-3, edge-4, value-30"):
        layout(7, "edge-5")


@pytest.mark.parametrize("separation", SEPARATIONS)
def test_an_opening_has_the_layout_that_its_rules_ask_for(separation: str) -> None:
    asked = rules("landing", 3, separation)
    assert opening(["ana", "ben", "cleo"], 5, asked) == Setup(
        ("ana", "ben", "cleo"), "ana", layout(5, separation), asked
    )


# --- whole games ---


@pytest.mark.parametrize("pickup", PICKUPS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_whole_games_are_legal_and_end(policy: Policy, seats: int, pickup: str) -> None:
    for seed in range(6):
        events = events_of(policy, seed, pickup, seats)
        *_, last = rederive(events)  # raises at the first event that the rules do not yield
        assert last.game.phase == "over"
        drawn = tuple(event.tile for event in events if isinstance(event, TileDrawn))
        assert drawn == deck(seed)[: len(drawn)]


@pytest.mark.parametrize(
    ("policy", "digest"),
    [
        (casual, "4f5c9626eaafac6619efaa2921d6ddb230e5be1e25becbd90f5bfdfd7a8130a8"),
        (planner, "781e66c6f76c6a291af871ee90709487339e6c00ee4935a85df9fd27a7a60ce4"),
    ],
)
def test_a_seed_stands_for_the_same_game_for_ever(policy: Policy, digest: str) -> None:
    hashed = hashlib.sha256()
    for pickup in PICKUPS:
        for event in events_of(policy, 7, pickup):
            record = {"type": event.name, **attrs.asdict(event)}
            hashed.update(json.dumps(record, sort_keys=True).encode() + b"\n")
    assert hashed.hexdigest() == digest


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_nothing_but_random_random_is_asked_for_chance(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = events_of(policy, 3)
    monkeypatch.setattr(decks, "Random", OnlyRandom)
    monkeypatch.setattr(players, "Random", OnlyRandom)
    assert events_of(policy, 3) == expected


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_other_seeds_are_other_games(policy: Policy) -> None:
    setup = opening(NAMES[:2], 1, rules(seats=2))
    assert len({tuple(play(setup, seed, policy)) for seed in range(10)}) == 10


def test_turns_of_a_round_interleave() -> None:
    orders = Counter[tuple[str, ...]]()
    for is_end, group in groupby(events_of(casual, 2), key=lambda event: isinstance(event, RoundEnded)):
        if not is_end:
            acting = (getattr(event, "player", None) for event in group)
            orders[tuple(player for player, _ in groupby(acting) if player)] += 1
    firsts = {order[0] for order in orders if order}
    assert firsts == set(NAMES[:3])
    assert any(len(order) > 3 for order in orders)  # a turn went on after another's command


def test_policies_are_for_reading_only() -> None:
    assert dict(POLICIES) == {"casual": casual, "planner": planner}
    with pytest.raises(TypeError):
        POLICIES["other"] = casual  # type: ignore[index]


# --- how well they play ---


@attrs.frozen
class Statistics:
    temples: float
    treasures: float
    rounds: float
    all_home: int
    ties: int


def statistics(policy: Policy, pickup: str, games: int = 30) -> Statistics:
    temples = treasures = rounds = all_home = ties = 0
    for seed in range(games):
        for event in events_of(policy, seed, pickup):
            if isinstance(event, RoundEnded):
                rounds += 1
                temples += len(event.awards)
                ties += max(Counter(award.temple for award in event.awards).values(), default=0) > 1
            elif isinstance(event, TreasureCollected):
                treasures += 1
            elif isinstance(event, GameEnded):
                all_home += event.reason == "all-home"
    seats = 3 * games
    return Statistics(temples / seats, treasures / seats, rounds / games, all_home, ties)


@pytest.mark.parametrize("pickup", PICKUPS)
def test_planners_come_home_tie_and_collect(pickup: str) -> None:
    played = statistics(planner, pickup)
    assert played.temples >= 2.7
    assert played.treasures >= 3
    assert 10 <= played.all_home <= 25  # of 30: both ends of a game occur often
    assert played.ties >= 10


@pytest.mark.parametrize("pickup", PICKUPS)
def test_casual_players_come_home_now_and_then(pickup: str) -> None:
    played = statistics(casual, pickup)
    assert 0.2 <= played.temples <= 1
    assert played.treasures >= 1
    assert played.rounds == 36


# --- single choices of the planner ---

# Blue goes straight up column e, and all others in the columns a to c.
LAYOUT = Layout(blue=Pair(100, 50), brown=Pair(50, 10), purple=Pair(40, 30), yellow=Pair(20, 20))
NORTH_SOUTH = {"e5": 17, "e4": 18, "e3": 35, "e2": 36}
FOUR_STEPS = (Draw(7), Discard("ana"))
TWO_STEPS = (Draw(1), Discard("ana"))


def position(
    *commands: Command,
    pickup: str = "stop",
    road: Mapping[str, int] = NORTH_SOUTH,
    layout: Layout = LAYOUT,
) -> Game:
    """Return the game after both have laid the road, and ana has given commands."""
    game = start(Setup(NAMES[:2], "ana", layout, rules(pickup, 2))).game
    for cell, tile in road.items():
        game = fold_in(game, Draw(tile), Place("ana", cell), Place("ben", cell))
    for command in commands:
        game = fold_in(game, command)
        if isinstance(command, Draw):  # ben's turn, out of the way
            game = fold_in(game, Discard("ben"), Pass("ben"))
    return game


def fold_in(game: Game, *commands: Command) -> Game:
    for command in commands:
        game = apply(game, command).game
    return game


def choices(game: Game) -> set[Command]:
    """Return what the planner may choose, whatever chance says."""
    return {planner(game, "ana", Random(seed)) for seed in range(20)}


def test_a_tile_goes_where_it_serves_most_routes() -> None:
    # The ways of brown, purple and yellow all cross a1 and a2.
    assert choices(position(Draw(7))) == {Place("ana", "a1"), Place("ana", "a2")}


def test_a_tile_never_breaks_a_route() -> None:
    # North and south would serve brown and purple in a2 as in a3, but yellow turns in a2.
    assert choices(position(Draw(33))) == {Place("ana", "a3")}


def test_chance_decides_between_cells_of_equal_use() -> None:
    assert choices(position(Draw(28))) == {Place("ana", "a5"), Place("ana", "c1")}


def test_a_tile_that_fits_no_route_is_discarded_for_a_walk() -> None:
    assert choices(position(Draw(1))) == {Discard("ana")}
    assert choices(position(*TWO_STEPS)) == {Move("ana", "blue", ("e5", "e4"))}


def test_where_nobody_can_walk_it_is_laid_off_the_routes() -> None:
    laid = choices(position(Draw(1), road={}))
    assert len(laid) > 3
    assert all(isinstance(command, Place) and command.cell[0] in "bcdf" for command in laid)


def test_coming_home_goes_before_a_tile_that_fits_and_a_treasure() -> None:
    road = {**NORTH_SOUTH, "e1": 34}
    below = (*FOUR_STEPS, Move("ana", "blue", ("e5", "e4", "e3", "e2")))
    assert choices(position(*below, Draw(8), road=road)) == {Discard("ana")}
    home = {Move("ana", "blue", ("e1", "temple"))}
    assert choices(position(*below, Draw(8), Discard("ana"), road=road)) == home


@pytest.mark.parametrize(
    ("pickup", "cell", "tile", "path"),
    [
        ("stop", "e3", 31, ("e5", "e4", "e3")),  # a crystal is worth a step,
        ("stop", "e4", 31, ("e5", "e4", "e3", "e2")),  # but not two,
        ("stop", "e4", 32, ("e5", "e4")),  # and gold is;
        ("landing", "e4", 32, ("e5", "e4")),
        ("step", "e4", 31, ("e5", "e4")),  # where the walk goes on, every treasure is worth it
        ("step", "e2", 31, ("e5", "e4", "e3", "e2")),
    ],
)
def test_a_walk_stops_for_a_treasure_that_is_worth_it(
    pickup: str, cell: str, tile: int, path: tuple[str, ...]
) -> None:
    game = position(*FOUR_STEPS, pickup=pickup, road={**NORTH_SOUTH, cell: tile})
    assert choices(game) == {Move("ana", "blue", path)}


@pytest.mark.parametrize("pickup", ["stop", "landing"])
def test_a_walk_ends_with_the_treasure_on_which_it_stopped(pickup: str) -> None:
    road = {**NORTH_SOUTH, "e4": 31}
    game = position(*TWO_STEPS, Move("ana", "blue", ("e5", "e4")), pickup=pickup, road=road)
    assert choices(game) == {Collect("ana", "blue")}


def test_by_step_a_walk_goes_on_after_a_treasure() -> None:
    walked = (*FOUR_STEPS, Move("ana", "blue", ("e5", "e4")))
    road = {**NORTH_SOUTH, "e4": 31}
    assert choices(position(*walked, pickup="step", road=road)) == {Collect("ana", "blue")}
    went_on = position(*walked, Collect("ana", "blue"), pickup="step", road=road)
    assert choices(went_on) == {Move("ana", "blue", ("e3",))}


def test_by_step_a_treasure_can_wait_for_the_next_turn() -> None:
    waiting = (*TWO_STEPS, Move("ana", "blue", ("e5", "e4")), Draw(2), Discard("ana"))
    game = position(*waiting, pickup="step", road={**NORTH_SOUTH, "e4": 31})
    assert choices(game) == {Collect("ana", "blue")}


def test_by_stop_a_treasure_that_was_left_needs_another_move() -> None:
    left = (*TWO_STEPS, Move("ana", "blue", ("e5", "e4")), Pass("ana"), Draw(2), Discard("ana"))
    game = position(*left, pickup="stop", road={**NORTH_SOUTH, "e4": 31})
    assert choices(game) == {Move("ana", "blue", ("e3", "e2"))}


def test_steps_that_lead_nowhere_lapse() -> None:
    game = position(*TWO_STEPS, Move("ana", "blue", ("e5",)), road={"e5": 17})
    assert choices(game) == {Pass("ana")}


def test_no_adventurer_walks_into_another() -> None:
    # Brown turns into blue's column, and blue waits in it.
    merging = attrs.evolve(LAYOUT, brown=Pair(90, 60))
    road = {**NORTH_SOUTH, "e5": 24, "d5": 21}
    waiting = (*FOUR_STEPS, Move("ana", "blue", ("e5", "e4", "e3")), Pass("ana"))
    game = position(*waiting, Draw(8), Discard("ana"), road=road, layout=merging)
    assert choices(game) == {Move("ana", "brown", ("d5", "e5", "e4"))}


def test_an_adventurer_without_a_route_is_left_alone() -> None:
    game = position(Draw(19), road={"e5": 1})  # blue's only way off the beach is closed
    found = routes.routes_of(game, game.island("ana"))
    assert [route.adventurer for route in found] == ["brown", "purple", "yellow"]
