"""Decide, evolve, judge: event sourcing for any game whose rules are a `Decider`.

Nothing here knows a particular game.
A command is decided on a state and yields one event; an event evolves the state;
some events are *due* and follow by themselves. The state is the fold of the events.
"""

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Generic, Protocol, TypeVar

import attrs
from attrs import frozen

_NAME_LENGTH: Final = 64
_SHOWN_LENGTH: Final = 200
_BRIEF: Final = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = 80
_BRIEF.maxlevel = 2


def shown(value: object) -> str:
    """Return a value as a message shows it: its `repr`, cut to a bounded length."""
    try:
        text = _BRIEF.repr(value)
    except ValueError:  # Python writes no integer of thousands of digits
        return "a giant integer"
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}..."


def member_path(path: str, name: str) -> str:
    """Return the JSON path of an object's member, its name quoted where it is no plain word.

    >>> member_path("$.scores", "ana"), member_path("$.scores", "chloé 2")
    ('$.scores.ana', "$.scores['chloé 2']")
    """
    if len(name) > _NAME_LENGTH:
        return f"{path}[{shown(name)}]"
    return f"{path}.{name}" if name.isidentifier() else f"{path}[{name!r}]"


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
        command_of: For each class of event that answers a command, that command.
        decide_again: For the same classes, what `decide` makes of that command. An event has the
            fields of its command, so the same function serves both, and must read no others.
        is_over: Whether the game has ended.
    """

    start: Callable[[E], S]
    decide: Mapping[type, Callable[[S, Any], E | Violation]]
    due: Callable[[S], E | None]
    evolve: Mapping[type, Callable[[S, Any], S]]
    command_of: Mapping[type, Callable[[Any], C]]
    decide_again: Mapping[type, Callable[[S, Any], E | Violation]]
    is_over: Callable[[S], bool]


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
        events = (*events, event)
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
    decide_again = rules.decide_again.get(type(event))
    if decide_again is None:
        expected = rules.due(game)
        if expected is None:
            message = f"{event.name} is not due here"
            raise Mismatch(Violation("mismatch/not-due", "R-JUDGE-2", "$.type", message))
    else:
        decided = decide_again(game, event)
        if isinstance(decided, Violation):
            expected = rules.due(game)  # R-JUDGE-1: what is due has to stand here instead.
            if expected is None:
                raise Mismatch(decided)
        else:
            expected = decided
    if event == expected:
        return rules.evolve[type(event)](game, event)
    raise Mismatch(_difference(expected, event))


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


def _difference(expected: Named, recorded: Named) -> Violation:
    if type(expected) is not type(recorded):  # only what is due can differ in its type
        message = f"expected {expected.name}, which is due here, got {recorded.name}"
        return Violation("mismatch/overdue", "R-JUDGE-1", "$.type", message)
    path, right, wrong = _first_difference("$", expected, recorded)
    message = f"{path[2:]}: expected {shown(right)}, got {shown(wrong)}"
    return Violation("mismatch/value", "R-JUDGE-3", path, message)


def _first_difference(path: str, right: Any, wrong: Any) -> tuple[str, Any, Any]:  # noqa: ANN401 - any value
    """Return path, right and wrong value of the innermost part in which two unequal values differ first."""
    for step, right_part, wrong_part in _parts(right, wrong):
        if right_part != wrong_part:
            return _first_difference(f"{path}{step}", right_part, wrong_part)
    return path, _keys_or_value(right), _keys_or_value(wrong)


def _keys_or_value(value: Any) -> Any:  # noqa: ANN401 - any value
    return list(value) if isinstance(value, dict) else value


def _parts(right: Any, wrong: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401 - any value
    """Yield the step of the JSON path to each part of two values, with both, where they have like parts."""
    if type(right) is not type(wrong):
        return
    if attrs.has(type(right)):
        for field in attrs.fields(type(right)):
            pair = (getattr(right, field.name), getattr(wrong, field.name))
            key = field.metadata.get("keyed_by")
            yield f".{field.name}", *(_keyed(part, key) if key else part for part in pair)
    elif isinstance(right, dict) and right.keys() == wrong.keys():
        yield from ((member_path("", key), value, wrong[key]) for key, value in right.items())
    elif isinstance(right, tuple) and len(right) == len(wrong):
        yield from ((f"[{index}]", *pair) for index, pair in enumerate(zip(right, wrong, strict=True)))


def _keyed(items: tuple[Any, ...], key: str) -> Any:  # noqa: ANN401 - the items by key, or as they are
    table = {getattr(item, key): item for item in items}
    return table if len(table) == len(items) else items  # a key that stands twice hides nothing
