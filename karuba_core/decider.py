"""Decide, evolve, judge: event sourcing for any game whose rules are a `Decider`.

Nothing here knows a particular game.
A command is decided on a state and yields one event; an event evolves the state;
some events are *due* and follow by themselves. The state is the fold of the events.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar, cast

import attrs
from attrs import field, frozen

from karuba_core.wording import differences, told


@frozen
class Violation:
    """Why a command or a recorded event is refused.

    Attributes:
        code: A stable slug such as `rule/cell-occupied`.
        rule: The id of the rule that says so, such as `R-PLACE-2`.
        path: The JSON path of the field at fault in the record, `$` for all of it.
        message: What stood there and what would have been right, in one sentence.
    """

    code: str
    rule: str
    path: str
    message: str


class Refusal(ValueError):
    """What the rules refuse; `violation` says why."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation)
        self.violation = violation

    def __str__(self) -> str:
        return f"{self.violation.message} [{self.violation.code}]"


class IllegalCommand(Refusal):
    """A command that the rules refuse."""


class Mismatch(Refusal):
    """A recorded event that the rules do not yield."""


class Named(Protocol):
    """What every event has: the name under which it is recorded."""

    @property
    def name(self) -> str:
        """The name, in the past tense: `tile-placed`."""


S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E", bound=Named)


@frozen
class Step(Generic[S, E]):
    """A game after some events, with the events that led there from the game before."""

    game: S
    events: tuple[E, ...]


@frozen
class Decider(Generic[S, C, E]):
    """The rules of one game: pure functions, in tables by the class that each serves.

    Attributes:
        start: The state after an opening event; raises on a bad opening.
        decide: For each class of command, the event that it yields, or why it is refused.
            While something is due, every command is refused.
        due: The event that must follow by itself, if any.
        evolve: For each class of event, the state after it. It trusts the event and only moves facts.
        answers: For each class of event that answers a command, the class of that command. The
            event has all fields of the command, so it is decided again as it stands.
        is_over: Whether the game has ended.
        awaits: What the game waits for, in some words, where something else stands there.
        because: For a class of event, why the rules yield it and not what was recorded, in some words:
            asked with the state, the right event and the recorded one; empty where there is no more to say.
        redecide: For each class of event that answers a command, how that command is decided again.
    """

    start: Callable[[E], S]
    decide: Mapping[type, Callable[[S, Any], E | Violation]]
    due: Callable[[S], E | None]
    evolve: Mapping[type, Callable[[S, Any], S]]
    answers: Mapping[type, type[C]]
    is_over: Callable[[S], bool]
    awaits: Callable[[S], str]
    because: Mapping[type, Callable[[S, Any, Any], str]]
    redecide: Mapping[type, Callable[[S, Any], E | Violation]] = field(init=False)

    @redecide.default
    def _redecide(self) -> Mapping[type, Callable[[S, Any], E | Violation]]:
        return {event: self.decide[command] for event, command in self.answers.items()}


def violation(rules: Decider[S, C, E], game: S, command: C) -> Violation | None:
    """Return why a command is refused, or None where it is legal."""
    decided = _decided(rules, game, command)
    return decided if isinstance(decided, Violation) else None


def apply(rules: Decider[S, C, E], game: S, command: C) -> Step[S, E]:
    """Return the game after a command, with its event and all that is due after it.

    Raises:
        IllegalCommand: The command is refused.
    """
    decided = _decided(rules, game, command)
    if isinstance(decided, Violation):
        raise IllegalCommand(decided)
    return settle(rules, rules.evolve[type(decided)](game, decided), decided)


def settle(rules: Decider[S, C, E], game: S, *events: E) -> Step[S, E]:
    """Return the game after everything that is due; `events` go before it in the step."""
    while (event := rules.due(game)) is not None:
        game = rules.evolve[type(event)](game, event)
        events += (event,)
    return Step(game, events)


def trace(rules: Decider[S, C, E], events: Iterable[E], game: S | None = None) -> Iterator[Step[S, E]]:
    """Yield the step of each event, trusting them all; without `game` the first opens it."""
    for event in events:
        game = rules.start(event) if game is None else rules.evolve[type(event)](game, event)
        yield Step(game, (event,))


def fold(rules: Decider[S, C, E], events: Iterable[E], game: S | None = None) -> S:
    """Return the game after the events, trusting them all; without `game` the first opens it.

    Raises:
        ValueError: There is neither a game nor an event.
    """
    for event in events:
        game = rules.start(event) if game is None else rules.evolve[type(event)](game, event)
    if game is None:
        raise ValueError("no events: a game begins with its opening")
    return game


def check(rules: Decider[S, C, E], game: S, event: E) -> S:
    """Return the game after one recorded event, which must be what the rules yield.

    It is due, or its command is decided again on the state so far.

    Raises:
        Mismatch: The event is not the next one that the rules yield.
    """
    decide = rules.redecide.get(type(event))
    expected = rules.due(game) if decide is None else decide(game, event)
    if expected is event or expected == event:
        return rules.evolve[type(event)](game, expected)  # not the recorded one: 7.0 equals 7
    raise Mismatch(_reason(rules, game, expected, event))


def command_of(rules: Decider[S, C, E], event: E) -> C | None:
    """Return the command that an event answers; None for an event that follows by itself."""
    command_type = rules.answers.get(type(event))
    if command_type is None:
        return None
    fields: tuple[attrs.Attribute[Any], ...] = attrs.fields(cast("type[Any]", command_type))
    return command_type(*(getattr(event, field.name) for field in fields))


def rederive(rules: Decider[S, C, E], events: Iterable[E]) -> Iterator[Step[S, E]]:
    """Yield the step of each recorded event, judging every one; the first opens the game.

    Raises:
        Mismatch: At the first event that the rules do not yield.
    """
    game: S | None = None
    for event in events:
        game = rules.start(event) if game is None else check(rules, game, event)
        yield Step(game, (event,))


def _decided(rules: Decider[S, C, E], game: S, command: C) -> E | Violation:
    decided = rules.decide[type(command)](game, command)
    if isinstance(decided, Violation) and (due := rules.due(game)) is not None:
        return Violation("rule/event-due", "R-JUDGE-1", "$", f"{due.name} is due before any command")
    return decided


def _reason(rules: Decider[S, C, E], game: S, expected: E | Violation | None, recorded: E) -> Violation:
    """Return why a recorded event is not what the rules yield."""
    if isinstance(expected, Violation):
        # R-JUDGE-1: what is due has to stand here instead.
        due = rules.due(game)
        return expected if due is None else _difference(rules, game, due, recorded)
    if expected is None:
        message = f"{recorded.name} is not due here: {rules.awaits(game)}"
        return Violation("mismatch/not-due", "R-JUDGE-2", "$.type", message)
    return _difference(rules, game, expected, recorded)


def _difference(rules: Decider[S, C, E], game: S, expected: E, recorded: E) -> Violation:
    if type(expected) is not type(recorded):  # only what is due can differ in its type
        message = f"expected {expected.name}, which is due here, got {recorded.name}"
        return Violation("mismatch/overdue", "R-JUDGE-1", "$.type", message)
    found = [*differences("$", expected, recorded)]
    because = rules.because.get(type(expected))
    reason = "" if because is None else because(game, expected, recorded)
    message = told(found) + (f" ({reason})" if reason else "")
    return Violation("mismatch/value", "R-JUDGE-3", found[0][0], message)
