"""Games played on at random: what holds of every game holds after every command, right or wrong."""

from collections import Counter
from functools import cache
from random import Random
from typing import ClassVar

from hypothesis import event as happened
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from karuba_adapters.decks import choice
from karuba_adapters.players import planner
from karuba_core import (
    Command,
    Event,
    Game,
    GameEnded,
    RoundEnded,
    TileDrawn,
    TreasureCollected,
    fold,
    legal_commands,
    settle,
)
from tests.strategies import (
    POOL,
    Played,
    TurnEvent,
    assert_read_alike,
    assert_sound,
    command_of,
    commands_about,
    legal_in,
    open_turns,
    places,
    played,
    positions,
    sent,
    so_often,
    whole_games,
)

LANDMARKS = ("an award", "a tie", "a pick-up", "an end")


def landmarks(event: Event) -> set[str]:
    """Return what is rare enough to be counted in an event."""
    match event:
        case RoundEnded(awards=awards) if awards:
            temples = {award.temple for award in awards}
            return {"an award", "a tie"} if len(temples) < len(awards) else {"an award"}
        case TreasureCollected():
            return {"a pick-up"}
        case GameEnded():
            return {"an end"}
    return set()


@cache
def occurrences(landmark: str) -> list[tuple[Played, int]]:
    """Return the games of the pool in which something happened, with the places where it did."""
    return [
        (whole, at)
        for whole in map(played, POOL)
        for at, event in enumerate(whole.events)
        if landmark in landmarks(event)
    ]


class GameMachine(RuleBasedStateMachine):
    """A game in play; the kernel is asked and told, and the events it returns are collected."""

    landmark: ClassVar[str | None] = None
    """What lies a little ahead of where the games begin, if anything."""
    seen: ClassVar[Counter[str]] = Counter()
    """In how many examples the machine came to what."""

    @initialize(data=st.data(), onward=st.integers(0, 8))
    def begin(self, data: st.DataObject, onward: int) -> None:
        """Begin in the midst of a recorded game, with what is due there, and go on a little as recorded."""
        if self.landmark is None:
            whole = data.draw(whole_games())
            cut = data.draw(places(whole.events))
        else:
            whole, at = data.draw(st.sampled_from(occurrences(self.landmark)))
            cut = at - data.draw(st.integers(2, 6))
        step = settle(whole.games[cut])
        self.game: Game = step.game
        self.events: tuple[Event, ...] = (*whole.events[: cut + 1], *step.events)
        self.open = {*open_turns(self.game)}
        self.landmarks: set[str] = set()
        for event in whole.events[cut + 1 :][:onward]:
            command = command_of(event)
            assert command is None or self.send(command)

    @rule(data=st.data())
    @precondition(lambda self: self.game.phase != "over")
    def act(self, data: st.DataObject) -> None:
        command = data.draw(legal_in(self.game))
        assert self.send(command)

    @rule(seed=st.integers(0, 99), alone=st.booleans())
    @precondition(lambda self: self.game.phase == "turns")
    def act_by_plan(self, seed: int, *, alone: bool) -> None:
        """Let one player do as planned, or all whose turns are open until the round is over."""
        random = Random(seed)
        while players := open_turns(self.game):
            assert self.send(planner(self.game, choice(players, random), random))
            if alone:
                break

    @rule(data=st.data())
    def ask_for_anything(self, data: st.DataObject) -> None:
        self.send(data.draw(commands_about(self.game)))

    @rule(data=st.data(), other=positions())
    def ask_for_what_is_legal_elsewhere(self, data: st.DataObject, other: Game) -> None:
        elsewhere = list(legal_commands(other))
        if elsewhere:
            self.send(data.draw(st.sampled_from(elsewhere)))

    def send(self, command: Command) -> bool:
        """Send a command; return whether it was accepted."""
        step = sent(self.game, command)
        if step is None:
            assert command not in set(legal_commands(self.game))
            return False
        for event in step.events:
            assert not isinstance(event, TurnEvent) or event.player in self.open
            if isinstance(event, TileDrawn):
                self.open = {*step.game.setup.players}
            self.landmarks |= landmarks(event)
        assert self.open.issuperset(open_turns(step.game))
        self.open = {*open_turns(step.game)}
        self.game = step.game
        self.events += step.events
        return True

    @invariant()
    def nothing_is_lost_and_nothing_made(self) -> None:
        assert_sound(self.game, self.events)

    def teardown(self) -> None:
        """Fold all events, let the naive judge read their log, and count what has happened."""
        if hasattr(self, "game"):
            again = fold(self.events)
            assert (again, hash(again)) == (self.game, hash(self.game))
            assert_read_alike(self.game, self.events)
            for landmark in self.landmarks:
                happened(landmark)
            self.seen.update(self.landmarks)


def test_games_played_on_at_random_stay_sound() -> None:
    """Every landmark is reached, too, by commands that the machine sends."""
    GameMachine.seen.clear()
    for landmark in (None, *LANDMARKS):
        GameMachine.landmark = landmark
        run_state_machine_as_test(GameMachine, settings=settings(so_often(10), stateful_step_count=20))
    print(*(f"{landmark}: {GameMachine.seen[landmark]}" for landmark in LANDMARKS), sep=", ")
    assert GameMachine.seen.keys() == {*LANDMARKS}
