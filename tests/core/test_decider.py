"""The generic part, run with a game that is not Karuba: players take stones off a heap."""

from typing import ClassVar, Final, Literal

import attrs
import pytest
from attrs import field, frozen

from karuba_core import decider
from karuba_core.decider import Decider, IllegalCommand, Mismatch, Step, Violation
from karuba_core.wording import differences, member_path, shown, told


@frozen
class Opened:
    name: ClassVar = "opened"
    stones: int


@frozen
class Hand:
    """What a player holds: the takes so far, and their sum."""

    takes: tuple[int, ...]
    sum: int


@frozen
class Taken:
    name: ClassVar = "taken"
    player: str
    stones: int
    hand: Hand


@frozen
class Emptied:
    name: ClassVar = "emptied"
    last: str


@frozen
class Tally:
    player: str
    stones: int


@frozen
class Ranked:
    name: ClassVar = "ranked"
    tallies: tuple[Tally, ...] = field(eq=frozenset, metadata={"keyed_by": "player"})
    order: tuple[str, ...]


@frozen
class Take:
    player: str
    stones: int


NimEvent = Opened | Taken | Emptied | Ranked


@frozen
class Heap:
    stones: int
    takes: tuple[Take, ...]
    stage: Literal["open", "empty", "ranked"]

    def hand(self, player: str) -> Hand:
        takes = tuple(take.stones for take in self.takes if take.player == player)
        return Hand(takes, sum(takes))


def start(event: NimEvent) -> Heap:
    assert isinstance(event, Opened)
    return Heap(event.stones, (), "open")


def decide(heap: Heap, take: Take | Taken) -> NimEvent | Violation:
    if not 1 <= take.stones <= min(3, heap.stones):
        return Violation("nim/stones", "N-1", "$.stones", f"not so many: {take.stones}")
    return Taken(
        take.player, take.stones, evolve_take(heap, Take(take.player, take.stones)).hand(take.player)
    )


def evolve_take(heap: Heap, take: Take) -> Heap:
    return Heap(heap.stones - take.stones, (*heap.takes, take), "open")


def due(heap: Heap) -> NimEvent | None:
    """When the heap is empty two events follow, one after the other."""
    if heap.stage == "open" and not heap.stones:
        return Emptied(heap.takes[-1].player)
    if heap.stage == "empty":
        players = sorted({take.player for take in heap.takes})
        tallies = tuple(Tally(player, heap.hand(player).sum) for player in players)
        return Ranked(tallies, tuple(sorted(players, key=lambda player: -heap.hand(player).sum)))
    return None


def evolve(heap: Heap, event: NimEvent) -> Heap:
    if isinstance(event, Taken):
        return evolve_take(heap, Take(event.player, event.stones))
    return attrs.evolve(heap, stage="empty" if isinstance(event, Emptied) else "ranked")


Nim = Decider[Heap, Take, NimEvent]

NIM: Final[Nim] = Decider(
    start=start,
    decide={Take: decide},
    due=due,
    evolve=dict.fromkeys((Taken, Emptied, Ranked), evolve),
    answers={Taken: Take},
    is_over=lambda heap: heap.stage == "ranked",
    awaits=lambda heap: f"{heap.stones} stones lie there",
    because={
        Emptied: lambda heap, right, wrong: (
            f"{right.last} took the last of {len(heap.takes)}, not {wrong.last[:9]}"
        )
    },
)

OPENING: Final = Opened(5)
RANKED: Final = Ranked((Tally("kim", 3), Tally("lee", 2)), ("kim", "lee"))
TAKES: Final = (Take("kim", 3), Take("lee", 1), Take("lee", 1))
EVENTS: Final[tuple[NimEvent, ...]] = (
    OPENING,
    Taken("kim", 3, Hand((3,), 3)),
    Taken("lee", 1, Hand((1,), 1)),
    Taken("lee", 1, Hand((1, 1), 2)),
    Emptied("lee"),
    RANKED,
)


def after(events: int) -> Heap:
    """Return the heap after so many of the events."""
    return decider.fold(NIM, EVENTS[:events])


def mismatch(heap: Heap, event: NimEvent) -> Violation:
    with pytest.raises(Mismatch) as caught:
        decider.check(NIM, heap, event)
    return caught.value.violation


@pytest.fixture
def counted() -> tuple[Nim, list[NimEvent]]:
    """Give the rules with a list of all that is evolved."""
    evolved: list[NimEvent] = []

    def evolve_once(heap: Heap, event: NimEvent) -> Heap:
        evolved.append(event)
        return evolve(heap, event)

    return attrs.evolve(NIM, evolve=dict.fromkeys(NIM.evolve, evolve_once)), evolved


def test_a_command_yields_its_event_and_the_state_after_it() -> None:
    assert decider.apply(NIM, after(1), TAKES[0]) == Step(after(2), EVENTS[1:2])
    assert after(2) == Heap(2, (Take("kim", 3),), "open")


def test_all_that_is_due_follows_in_the_same_step() -> None:
    step = decider.apply(NIM, after(3), TAKES[2])
    assert (step.game, step.events) == (after(6), EVENTS[3:])
    assert [NIM.is_over(after(events)) for events in range(1, 7)] == [False] * 5 + [True]


@pytest.mark.parametrize("stones", [0, 3])
def test_an_illegal_command_is_refused_and_changes_nothing(stones: int) -> None:
    heap = after(2)
    before = (heap, hash(heap), repr(heap))
    refused = Violation("nim/stones", "N-1", "$.stones", f"not so many: {stones}")
    assert decider.violation(NIM, heap, Take("lee", stones)) == refused
    with pytest.raises(IllegalCommand, match=r"^not so many: . \[nim/stones\]$") as caught:
        decider.apply(NIM, heap, Take("lee", stones))
    assert caught.value.violation == refused
    assert isinstance(caught.value, ValueError)
    assert before == (heap, hash(heap), repr(heap))


def test_a_legal_command_violates_nothing() -> None:
    assert decider.violation(NIM, after(2), Take("lee", 2)) is None


@pytest.mark.parametrize(("events", "name"), [(4, "emptied"), (5, "ranked")])
@pytest.mark.parametrize("stones", [0, 1])
def test_no_command_is_legal_while_an_event_is_due(events: int, name: str, stones: int) -> None:
    refused = Violation("rule/event-due", "R-JUDGE-1", "$", f"{name} is due before any command")
    assert decider.violation(NIM, after(events), Take("kim", stones)) == refused
    with pytest.raises(IllegalCommand):
        decider.apply(NIM, after(events), Take("kim", stones))


@pytest.mark.parametrize("events", range(1, 7))
def test_settling_adds_what_is_due_and_nothing_else(events: int) -> None:
    follows = EVENTS[events:] if events >= 4 else ()
    assert decider.settle(NIM, after(events)) == Step(after(events + len(follows)), follows)


def test_settling_puts_given_events_before_those_due() -> None:
    assert decider.settle(NIM, after(4), EVENTS[3]) == Step(after(6), EVENTS[3:])


def test_a_record_of_a_game_is_folded_traced_and_rederived_alike() -> None:
    steps: list[Step[Heap, NimEvent]] = [
        Step(after(events), (event,)) for events, event in enumerate(EVENTS, 1)
    ]
    assert list(decider.trace(NIM, EVENTS)) == steps
    assert list(decider.rederive(NIM, EVENTS)) == steps
    assert steps[-1].game == Heap(0, TAKES, "ranked")


def test_a_fold_and_a_trace_go_on_from_a_game() -> None:
    assert decider.fold(NIM, EVENTS[2:], after(2)) == after(6)
    assert list(decider.trace(NIM, EVENTS[4:], after(4))) == list(decider.trace(NIM, EVENTS))[4:]
    assert decider.fold(NIM, (), after(2)) == after(2)


def test_a_fold_and_a_trace_trust_their_events() -> None:
    untrue: list[NimEvent] = [OPENING, Taken("lee", 9, Hand((), 0))]
    assert decider.fold(NIM, untrue).stones == -4
    assert [step.game.stones for step in decider.trace(NIM, untrue)] == [5, -4]


def test_a_trace_and_a_rederivation_are_lazy() -> None:
    read = iter(EVENTS)
    assert next(decider.trace(NIM, read)).game == after(1)
    assert tuple(read) == EVENTS[1:]
    steps = decider.rederive(NIM, (*EVENTS[:2], Emptied("kim")))
    assert [next(steps).game, next(steps).game] == [after(1), after(2)]
    with pytest.raises(Mismatch):
        next(steps)


def test_no_events_make_no_game() -> None:
    with pytest.raises(ValueError, match="no events"):
        decider.fold(NIM, [])
    assert list(decider.trace(NIM, [])) == list(decider.rederive(NIM, [])) == []


@pytest.mark.parametrize("events", range(1, 6))
def test_each_event_of_a_right_record_checks(events: int) -> None:
    assert decider.check(NIM, after(events), EVENTS[events]) == after(events + 1)


def test_nothing_is_evolved_twice(counted: tuple[Nim, list[NimEvent]]) -> None:
    rules, evolved = counted
    heap = decider.apply(rules, after(1), TAKES[0]).game
    assert tuple(evolved) == EVENTS[1:2]
    decider.violation(rules, heap, TAKES[1])
    decider.apply(rules, decider.check(rules, heap, EVENTS[2]), TAKES[2])
    assert tuple(evolved) == EVENTS[1:]
    for run in (decider.trace(rules, EVENTS), decider.rederive(rules, EVENTS)):
        evolved.clear()
        assert list(run)
        assert tuple(evolved) == EVENTS[1:]
    evolved.clear()
    decider.fold(rules, EVENTS)
    assert tuple(evolved) == EVENTS[1:]


def test_nothing_refused_is_evolved(counted: tuple[Nim, list[NimEvent]]) -> None:
    rules, evolved = counted
    with pytest.raises(IllegalCommand):
        decider.apply(rules, after(1), Take("kim", 4))
    for event in (Taken("kim", 1, Hand((), 0)), Taken("kim", 4, Hand((4,), 4)), Emptied("kim")):
        with pytest.raises(Mismatch):
            decider.check(rules, after(1), event)
    assert evolved == []


@pytest.mark.parametrize(("events", "stones"), [(1, 5), (2, 2), (6, 0)])
@pytest.mark.parametrize("event", [EVENTS[4], EVENTS[5], OPENING])
def test_an_event_without_a_command_stands_only_where_it_is_due(
    events: int, stones: int, event: NimEvent
) -> None:
    assert mismatch(after(events), event) == Violation(
        "mismatch/not-due", "R-JUDGE-2", "$.type", f"{event.name} is not due here: {stones} stones lie there"
    )


@pytest.mark.parametrize(
    ("events", "event", "expected"),
    [
        (4, EVENTS[3], "emptied"),
        (4, EVENTS[5], "emptied"),
        (5, EVENTS[4], "ranked"),
        (5, Taken("kim", 9, Hand((), 0)), "ranked"),
    ],
)
def test_nothing_else_stands_where_an_event_is_due(events: int, event: NimEvent, expected: str) -> None:
    assert mismatch(after(events), event) == Violation(
        "mismatch/overdue", "R-JUDGE-1", "$.type", f"expected {expected}, which is due here, got {event.name}"
    )


def test_a_recorded_event_of_an_illegal_command_has_the_code_of_the_command() -> None:
    assert mismatch(after(2), Taken("lee", 3, Hand((3,), 3))).code == "nim/stones"


@pytest.mark.parametrize(
    ("events", "event", "path", "told"),
    [
        (3, Taken("lee", 1, Hand((1, 1), 3)), "$.hand.sum", "hand.sum: expected 2, got 3"),
        (3, Taken("lee", 1, Hand((1, 2), 2)), "$.hand.takes[1]", "hand.takes[1]: expected 1, got 2"),
        (
            3,
            Taken("lee", 1, Hand((3, 2), 5)),
            "$.hand.takes[0]",
            "hand.takes[0]: expected 1, got 3; hand.takes[1]: expected 1, got 2; hand.sum: expected 2, got 5",
        ),
        (3, Taken("lee", 1, Hand((2,), 2)), "$.hand.takes", "hand.takes: expected [1,1], got [2]"),
        (
            4,
            Emptied("kim"),
            "$.last",
            'last: expected "lee", got "kim" (lee took the last of 3, not kim)',
        ),
        (
            5,
            attrs.evolve(RANKED, order=("lee", "kim")),
            "$.order[0]",
            'order[0]: expected "kim", got "lee"; order[1]: expected "lee", got "kim"',
        ),
        (
            5,
            Ranked((Tally("lee", 2), Tally("kim", 4)), ("lee",)),
            "$.tallies.kim.stones",
            'tallies.kim.stones: expected 3, got 4; order: expected ["kim","lee"], got ["lee"]',
        ),
        (
            5,
            Ranked((Tally("kim", 3), Tally("lee", 1)), ("kim", "lee")),
            "$.tallies.lee.stones",
            "tallies.lee.stones: expected 2, got 1",
        ),
        (
            5,
            Ranked((Tally("kim", 3),), ("kim", "lee")),
            "$.tallies",
            'tallies: expected ["kim","lee"], got ["kim"]',
        ),
        (
            5,
            Ranked((Tally("kim", 3), Tally("moe", 2)), ("kim", "lee")),
            "$.tallies",
            'tallies: expected ["kim","lee"], got ["kim","moe"]',
        ),
        (
            5,
            Ranked((Tally("moe", 0), Tally("kim", 3), Tally("lee", 2)), ("kim", "lee")),
            "$.tallies",
            'tallies: expected ["kim","lee"], got ["moe","kim","lee"]',
        ),
        (
            5,
            Ranked((Tally("kim", 3), Tally("kim", 4), Tally("lee", 2)), ("kim", "lee")),
            "$.tallies",
            (
                'tallies: expected ["kim","lee"], got [{"player":"kim","stones":3},'
                '{"player":"kim","stones":4},{"player":"lee","stones":2}]'
            ),
        ),
    ],
)
def test_every_wrong_value_of_a_recorded_event_is_named(
    events: int, event: NimEvent, path: str, told: str
) -> None:
    assert mismatch(after(events), event) == Violation("mismatch/value", "R-JUDGE-3", path, told)


def test_of_many_wrong_values_the_last_are_counted() -> None:
    heap = attrs.evolve(after(3), takes=(Take("lee", 1),) * 99)
    found = mismatch(heap, Taken("lee", 1, Hand((7,) * 100, 100)))
    first = [f"hand.takes[{index}]: expected 1, got 7" for index in range(100)]
    told, _, more = found.message.rpartition("; and ")
    shown_values = told.split("; ")
    assert shown_values == first[: len(shown_values)]
    assert more == f"{100 - len(shown_values)} more"
    assert 900 < len(told) < 1100


def test_a_single_wrong_value_is_told_however_long() -> None:
    assert told([("$.a", ["x" * 80] * 9, 1), ("$.b", 1, 2)]).endswith("..., got 1; b: expected 1, got 2")


def test_the_first_difference_is_found_in_tables_too() -> None:
    assert next(differences("$", {"a": (1, 2), "b": 3}, {"a": (1, 4), "b": 5})) == ("$.a[1]", 2, 4)


def test_a_keyed_list_has_no_order() -> None:
    turned = attrs.evolve(RANKED, tallies=RANKED.tallies[::-1])
    assert turned.tallies != RANKED.tallies
    assert decider.check(NIM, after(5), turned) == after(6)


def test_a_key_that_is_no_plain_word_is_quoted_in_a_path() -> None:
    events: list[NimEvent] = [Opened(1), Taken("Kim D'Or", 1, Hand((1,), 1)), Emptied("Kim D'Or")]
    heap = decider.fold(NIM, events)
    wrong = Ranked((Tally("Kim D'Or", 2),), ("Kim D'Or",))
    assert mismatch(heap, wrong).path == r"$.tallies['Kim D\'Or'].stones"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("ana", "$.a.ana"),
        ("小明", "$.a.小明"),
        ("ana b", "$.a['ana b']"),
        ("1", "$.a['1']"),
        ("", "$.a['']"),
        ("a.b", "$.a['a.b']"),
        ("x" * 64, f"$.a.{'x' * 64}"),
        ("\n" * 64, "$.a['" + r"\n" * 64 + "']"),
        ("x" * 100, f"$.a['{'x' * 64}...']"),
        ("it's", r"$.a['it\'s']"),
        ('say "no"', """$.a['say "no"']"""),
        ("\\", r"$.a['\\']"),
        ("\x1b\u202e", r"$.a['\u001b\u202e']"),
    ],
)
def test_the_path_of_a_member(name: str, path: str) -> None:
    assert member_path("$.a", name) == path


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("ana", '"ana"'),
        ('"小明\\\n', r'"\"小明\\\n"'),
        ("\x1b\x7f\u202e\ud800", r'"\u001b\u007f\u202e\ud800"'),
        (("ana", 7, None, True, 1.5), '["ana",7,null,true,1.5]'),
        ({"a": [], "b": {}, "小": {"x": 1}}, '{"a":[],"b":{},"小":{"x":1}}'),
        (Tally("kim", 3), '{"player":"kim","stones":3}'),
        ((Hand((1,), 1),), '[{"takes":[1],"sum":1}]'),
        (10**9999, "a giant integer"),
        (-(10**9999), "a giant integer"),
        ("x" * 80, f'"{"x" * 80}"'),
        ("x" * 81, f'"{"x" * 80}"...'),
        (((((1,),),),), "[[[[...]]]]"),
        ([0] * 20, f"[{'0,' * 19}0]"),
        ([0] * 21, f"[{'0,' * 20}...]"),
        (["x" * 64] * 2 + ["x" * 62], f'["{"x" * 64}","{"x" * 64}","{"x" * 62}"]'),
        (["x" * 64] * 2 + ["x" * 63], f'["{"x" * 64}","{"x" * 64}","{"x" * 63}"...'),
        ({1, 2}, "{1, 2}"),
    ],
    ids=[
        *(
            "short",
            "escapes",
            "hidden",
            "list",
            "objects",
            "values",
            "value in a list",
            "giant",
            "giant below 0",
        ),
        *("80 long", "81 long", "deep", "20 entries", "21 entries", "200 long", "201 long", "no JSON"),
    ],
)
def test_a_message_shows_a_value_in_a_bounded_length(value: object, told: str) -> None:
    assert shown(value) == told
    assert len(told) <= 203


def test_a_mismatch_shows_its_values_in_a_bounded_length() -> None:
    assert '"xxx' in (message := mismatch(after(4), Emptied("x" * 5000)).message)
    assert len(message) < 200


def test_an_event_answers_its_command_and_what_is_due_none() -> None:
    answered = [decider.command_of(NIM, event) for event in EVENTS]
    assert answered == [None, *TAKES, None, None]
