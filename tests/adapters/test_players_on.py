"""Games that are played on, and simulated games as logs."""

import hashlib
import io
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karuba_adapters import Right, encode, require, validate
from karuba_adapters.decks import deck, opening
from karuba_adapters.players import POLICIES, Policy, by_seat, casual, planner, play, play_on
from karuba_adapters.simulating import simulated, simulated_on
from karuba_core import (
    Command,
    Event,
    Game,
    RoundEnded,
    Setup,
    TileDrawn,
    command_of,
    due,
    fold,
    preset,
    rederive,
    start,
)

NAMES = ("ana", "ben", "cleo")


def setup(seed: int, rules: str = "official") -> Setup:
    return opening(NAMES, seed, preset(rules, len(NAMES)))


def records_of(log: bytes) -> list[Right]:
    """Return the records of a log that is right."""
    records: list[Right] = []
    (report,) = validate(io.BytesIO(log), observe=records.append)
    assert not report.findings
    return records


GAMES = {name: tuple(play(setup(3), 3, policy)) for name, policy in POLICIES.items()}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_a_new_game_is_its_opening_played_on(policy: Policy) -> None:
    begun = start(setup(5))

    assert list(play(setup(5), 5, policy)) == [*begun.events, *play_on(begun.game, 5, policy)]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.sampled_from(sorted(POLICIES)), st.data(), st.integers(0, 50))
def test_a_game_that_was_cut_anywhere_is_played_on_to_its_end(
    begun_by: str, ended_by: str, data: st.DataObject, seed: int
) -> None:
    events = GAMES[begun_by]
    kept = events[: data.draw(st.integers(1, len(events)))]
    game = fold(kept)

    added = list(play_on(game, seed, POLICIES[ended_by]))

    *_, last = rederive([*kept, *added])  # raises at the first event that the rules do not yield
    assert last.game.phase == "over"
    new = [event.tile for event in added if isinstance(event, TileDrawn)]
    assert new == [tile for tile in deck(seed) if tile not in game.drawn][: len(new)]


def test_what_is_due_comes_first() -> None:
    events = GAMES["planner"]
    end = next(index for index, event in enumerate(events) if isinstance(event, RoundEnded))
    game = fold(events[:end])

    assert next(play_on(game, 1, planner)) == due(game) == events[end]


def test_nothing_is_left_of_a_game_that_is_over() -> None:
    assert list(play_on(fold(GAMES["planner"]), 1, planner)) == []


def test_other_seeds_go_on_with_other_games() -> None:
    game = fold(GAMES["planner"][:40])

    assert len({tuple(play_on(game, seed, planner)) for seed in range(5)}) == 5


def test_each_seat_has_its_own_policy() -> None:
    asked: set[tuple[int, str]] = set()

    def noting(seat: int) -> Policy:
        def choose(game: Game, player: str, random: Random) -> Command:
            asked.add((seat, player))
            return casual(game, player, random)

        return choose

    list(play(setup(1), 1, by_seat([noting(seat) for seat in range(3)])))
    assert asked == set(enumerate(NAMES))


# --- logs ---


@pytest.mark.parametrize("rules", ["official", "seed-000", "seed-001"])
@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_a_simulated_log_is_right_finished_and_sealed(policy: Policy, rules: str) -> None:
    for seed in range(2):
        (report,) = validate(io.BytesIO(b"".join(simulated(setup(seed, rules), seed, policy))))
        assert require(report, finished=True, sealed=True, rules=rules).findings == ()
        assert report.verdict == "valid"


def test_the_bytes_of_a_simulated_log_never_change() -> None:
    hashed = hashlib.sha256()
    for seed in range(3):
        for policy in (casual, planner):
            hashed.update(b"".join(simulated(setup(seed), seed, policy)))

    assert hashed.hexdigest() == "3a609422beed518079c364ad306ce1c801a5e32e89a8e756d20291fe493c4c4a"


def commands_of(events: tuple[Event, ...]) -> list[Event | Command]:
    """Return the opening, and the commands that lead to the events."""
    return [events[0], *(command for command in map(command_of, events) if command is not None)]


@pytest.mark.parametrize("kind", ["event", "command"])
def test_a_log_goes_on_as_what_it_is(kind: str) -> None:
    events = GAMES["casual"]
    messages = events if kind == "event" else commands_of(events)
    log = b"".join(map(encode, messages[:60]))

    lines = list(simulated_on(records_of(log), 9, planner))

    assert b"".join(lines[:60]) == log
    (report,) = validate(io.BytesIO(b"".join(lines)))
    assert (report.verdict, report.is_sealed, report.records) == ("valid", True, len(lines))
    assert (b'"type":"round-ended"' in b"".join(lines)) == (kind == "event")


def test_an_opening_alone_goes_on_with_events() -> None:
    log = encode(start(setup(2)).events[0])

    assert list(simulated_on(records_of(log), 2, casual)) == list(simulated(setup(2), 2, casual))
