"""What holds of every game, tried on games that are drawn at random."""

import io
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import product, takewhile
from operator import attrgetter
from typing import Any, get_args, get_origin

import attrs
import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from karuba_adapters import LogWriter, Message, Right, Seal, encode, validate, write_log
from karuba_adapters.log_files import numbered_lines, read_line
from karuba_core import (
    CELLS,
    COLOURS,
    TILES,
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
    InvalidSetup,
    Mismatch,
    Move,
    Pass,
    Place,
    RoundEnded,
    Score,
    TileDrawn,
    TreasureCollected,
    apply,
    check,
    due,
    fold,
    legal_commands,
    rederive,
    settle,
    start,
)
from karuba_core.ruleset import PICKUPS
from tests.games_kit import read_messages
from tests.strategies import (
    POOL,
    STRANGERS,
    Played,
    Spot,
    TurnEvent,
    assert_read_alike,
    assert_sound,
    beach_spot,
    command_of,
    evenly,
    histories,
    legal_in,
    open_turns,
    places,
    played,
    positions,
    sent,
    so_often,
    spot_of,
    temple_spot,
    whole_games,
)

by_each_rule = pytest.mark.parametrize("pickup", PICKUPS)


def test_the_pool_has_games_of_every_kind() -> None:
    pool = [played(row) for row in POOL]
    setups = [whole.games[0].setup for whole in pool]
    kinds = {(setup.rules.pickup, len(setup.players)) for setup in setups}
    assert kinds == {*product(("stop", "landing", "step"), (2, 3, 4))}
    for pickup in PICKUPS:
        events = [
            event
            for setup, whole in zip(setups, pool, strict=True)
            if setup.rules.pickup == pickup
            for event in whole.events
        ]
        assert {event.reason for event in events if isinstance(event, GameEnded)} == {
            "all-home",
            "tiles-exhausted",
        }
        assert {event.treasure for event in events if isinstance(event, TreasureCollected)} == {
            "crystal",
            "gold",
        }
        assert any(
            award.crystals for event in events if isinstance(event, RoundEnded) for award in event.awards
        )


# Legal commands, held against all that there are


def where(game: Game, player: str, adventurer: str) -> Spot:
    stands = game.island(player).where(adventurer)
    ends = {"beach": beach_spot, "temple": temple_spot}
    return ends[stands](game.setup.layout, adventurer) if stands in ends else spot_of(stands)


DIRECTIONS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}


def beside(spot: Spot, side: str) -> Spot:
    return spot[0] + DIRECTIONS[side][0], spot[1] + DIRECTIONS[side][1]


def name(spot: Spot) -> str:
    """Return what a cell would be called, if there were one: left of column a comes "`"."""
    return f"{chr(ord('a') - 1 + spot[0])}{spot[1]}"


def every_path(here: Spot, temple: Spot, steps: int) -> Iterator[tuple[str, ...]]:
    """Yield all paths from side to side, through bare cells, off the grid and on from the temple, too."""
    yield ()
    if steps > 0:
        ways = [(name(there), there) for there in (beside(here, side) for side in DIRECTIONS)]
        for entry, there in (*ways, ("temple", temple)):
            yield from ((entry, *onward) for onward in every_path(there, temple, steps - 1))


def every_move(game: Game, player: str) -> Iterator[Move]:
    """Yield moves by every path of a step more than are left, and jumps from wherever there is a way to."""
    steps = game.turn(player).steps
    for adventurer in COLOURS:
        here, temple = where(game, player, adventurer), temple_spot(game.setup.layout, adventurer)
        for path in every_path(here, temple, steps + 1):
            yield Move(player, adventurer, path)
        for reached in reach(game, player, adventurer).values():
            yield from (Move(player, adventurer, (*reached, cell)) for cell in CELLS)


def every_command(game: Game) -> Iterator[Command]:
    """Yield all commands that could be legal in a game, and many that could not."""
    yield from (Draw(tile) for tile in range(38))
    for player in game.setup.players:
        yield from every_move(game, player)
    for player in (*game.setup.players, *STRANGERS):
        yield from (Discard(player), Pass(player))
        yield from (Place(player, cell) for cell in (*CELLS, "temple", *STRANGERS))
        for adventurer in (*COLOURS, *STRANGERS):
            yield Collect(player, adventurer)
            yield Move(player, adventurer, ("temple",))


def likeness(command: Command) -> object:
    """Return what like commands have in common: of moves, who ends where."""
    if isinstance(command, Move):
        return command.player, command.adventurer, command.path[-1]
    return command


@by_each_rule
@so_often(25)
@given(data=st.data())
def test_the_legal_commands_are_those_accepted_of_all(pickup: str, data: st.DataObject) -> None:
    game = data.draw(positions(pickup))
    accepted = {command for command in every_command(game) if sent(game, command)}
    listed = list(legal_commands(game))
    assert accepted.issuperset(listed)
    assert len({likeness(command) for command in listed}) == len(listed)
    assert {likeness(command) for command in listed} == {likeness(command) for command in accepted}
    lengths: dict[object, int] = {}
    for move in accepted:
        if isinstance(move, Move):
            lengths[likeness(move)] = min(len(move.path), lengths.get(likeness(move), len(move.path)))
    assert {likeness(move): len(move.path) for move in listed if isinstance(move, Move)} == lengths
    for player in game.setup.players:
        own = [command for command in listed if not isinstance(command, Draw) and command.player == player]
        assert list(legal_commands(game, player)) == own


def reach(game: Game, player: str, adventurer: str) -> dict[str, tuple[str, ...]]:
    """Return all ends of an adventurer's moves with a shortest path to each, flooding from step to step.

    This reads R-MOVE-2 to R-MOVE-7, and R-MOVE-9, once more, in cells and sides, without the kernel's help.
    """
    island = game.island(player)
    open_sides = {spot_of(cell): TILES[tile - 1].exits for cell in CELLS if (tile := island.tile(cell))}
    held = {where(game, player, other) for other in COLOURS if other != adventurer}
    here, temple = where(game, player, adventurer), temple_spot(game.setup.layout, adventurer)
    if game.turn(player).adventurer not in (None, adventurer) or here == temple:
        return {}
    ends: dict[str, tuple[str, ...]] = {}
    flood: dict[Spot, tuple[str, ...]] = {here: ()}
    for _ in range(game.turn(player).steps):
        further: dict[Spot, tuple[str, ...]] = {}
        for (spot, path), side in product(flood.items(), DIRECTIONS):
            there = beside(spot, side)
            is_way = side in open_sides.get(spot, "NESW") and OPPOSITE[side] in open_sides.get(there, "")
            if is_way and there not in held:
                further[there] = (*path, name(there))
                ends.setdefault(name(there), further[there])
            if there == temple and side in open_sides.get(spot, ""):
                ends.setdefault("temple", (*path, "temple"))
        flood = further
    return ends


@by_each_rule
@so_often(150)
@given(data=st.data())
def test_moves_lead_where_a_second_reading_leads(pickup: str, data: st.DataObject) -> None:
    """The second reading also gives a way, which is accepted, and no longer than the one listed."""
    game = data.draw(positions(pickup))
    listed = [command for command in legal_commands(game) if isinstance(command, Move)]
    for player, adventurer in product(game.setup.players, COLOURS):
        own = [move.path for move in listed if (move.player, move.adventurer) == (player, adventurer)]
        reached = reach(game, player, adventurer) if due(game) is None else {}
        assert {path[-1]: len(path) for path in own} == {end: len(path) for end, path in reached.items()}
        assert all(sent(game, Move(player, adventurer, path)) for path in reached.values())


@by_each_rule
@so_often(40)
@given(data=st.data())
def test_the_naive_judge_finds_the_same_commands_legal(pickup: str, data: st.DataObject) -> None:
    events = data.draw(histories(pickup))
    assert_read_alike(fold(events), events)


# Applying, folding and settling


@so_often(200)
@given(data=st.data())
def test_what_apply_returns_is_the_fold_of_its_events(data: st.DataObject) -> None:
    game = data.draw(positions())
    snapshot = deepcopy(game)
    assume(any(legal_commands(game)))
    step = apply(game, data.draw(legal_in(game)))
    after = fold(step.events, game)
    assert after == step.game
    assert hash(after) == hash(step.game)
    assert step.game != game
    assert game == snapshot
    assert hash(game) == hash(snapshot)


@so_often(20)
@given(whole=whole_games())
def test_every_beginning_folds_and_settles_to_where_it_was_cut(whole: Played) -> None:
    """A log may be cut anywhere, also where the end of the round or of the game is due."""
    for at, game in enumerate(whole.games):
        follow = tuple(
            takewhile(lambda event: isinstance(event, RoundEnded | GameEnded), whole.events[at + 1 :])
        )
        assert due(game) == (follow[0] if follow else None)
        settled = settle(game)
        assert settled.events == follow
        assert settled.game == whole.games[at + len(follow)]
        if follow:
            assert not any(legal_commands(game))
            assert not any(sent(game, Draw(tile)) for tile in range(1, 37))


@so_often(40)
@given(data=st.data())
def test_a_beginning_folds_to_an_equal_game_that_is_another_object(data: st.DataObject) -> None:
    whole = data.draw(whole_games())
    at = data.draw(places(whole.events))
    again = fold(deepcopy(whole.events[: at + 1]))
    assert again is not whole.games[at]
    assert again == whole.games[at]
    assert hash(again) == hash(whole.games[at])
    assert at == 0 or whole.games[at] != whole.games[at - 1]


@so_often(15)
@given(whole=whole_games())
def test_nothing_is_lost_nothing_made_and_closed_turns_stay_closed(whole: Played) -> None:
    players: set[str] = set()
    for count, (game, event) in enumerate(zip(whole.games, whole.events, strict=True), 1):
        assert_sound(game, whole.events[:count])
        if isinstance(event, TileDrawn):
            players = {*game.setup.players}
        assert not isinstance(event, TurnEvent) or event.player in players
        assert players.issuperset(open_turns(game))
        players = {*open_turns(game)}


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Game, list[TurnEvent], Game]:
    """Draw a round: the game after its draw, what the players do, and the game after all that is due then."""
    whole = draw(whole_games())
    ends = [at for at, event in enumerate(whole.events) if isinstance(event, RoundEnded)]
    end = ends[draw(places(ends))]
    begin = max(at for at in range(end) if isinstance(whole.events[at], TileDrawn))
    acted = [event for event in whole.events[begin + 1 : end] if isinstance(event, TurnEvent)]
    return whole.games[begin], acted, settle(whole.games[end]).game


@so_often(250)
@given(data=st.data())
def test_the_order_of_the_players_in_a_round_never_matters(data: st.DataObject) -> None:
    """R-TURN-6."""
    game, acted, after = data.draw(rounds())
    recorded = game
    waiting = {player: iter([e for e in acted if e.player == player]) for player in game.setup.players}
    for player in data.draw(st.permutations([event.player for event in acted])):
        event = next(waiting[player])
        recorded = check(recorded, event)
        command = command_of(event)
        assert command is not None
        game = apply(game, command).game
    for again in (game, settle(recorded).game):
        assert again == after
        assert hash(again) == hash(after)


# Writing and reading

texts = st.text(st.characters(codec="utf-8"), max_size=9)
integers = st.integers(1 - 2**53, 2**53 - 1)
json_values = st.recursive(
    st.none() | st.booleans() | integers | texts | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
metas = st.none() | st.dictionaries(texts, json_values, max_size=3)


def anything(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - a type, or a tuple of one
    """Return values of a type, by its fields: whatever may stand in a log, right by the rules or not."""
    if kind is int:
        return integers
    if kind is str:
        return texts
    if get_origin(kind) is tuple:
        item, _ = get_args(kind)
        unique_by = attrgetter("player") if item is Score else None  # a log keys them by player
        return st.lists(anything(item), max_size=4, unique_by=unique_by).map(tuple)
    return st.builds(kind, **{field.name: anything(field.type) for field in attrs.fields(kind)})


messages = st.one_of([anything(kind) for kind in (*get_args(Event), *get_args(Command), Seal)])


@so_often(300)
@given(written=st.lists(st.tuples(messages, metas), max_size=4))
def test_what_is_written_is_read_again_with_its_meta(
    written: list[tuple[Message, dict[str, Any] | None]],
) -> None:
    stream = io.BytesIO()
    writer = LogWriter(stream.write)
    for message, meta in written:
        writer.write(message, meta)
    stream.seek(0)
    found = [read_line(line) for _, line in numbered_lines(stream)]
    assert found == written
    assert b"".join(encode(message, meta) for message, meta in found) == stream.getvalue()


@so_often(20)
@given(whole=whole_games(), sealed=st.booleans())
def test_a_game_is_read_as_it_was_written_and_its_commands_yield_it(whole: Played, *, sealed: bool) -> None:
    commands = [command for event in whole.events if (command := command_of(event)) is not None]
    for log in ([*whole.events], [whole.events[0], *commands]):
        stream = io.BytesIO()
        write_log(log, stream, sealed=sealed)
        found: list[Right] = []
        report = next(validate(io.BytesIO(stream.getvalue()), observe=found.append))
        assert (report.verdict, report.records) == ("valid", len(log) + sealed)
        assert [*read_messages(io.BytesIO(stream.getvalue()))][: len(log)] == log
        assert [event for right in found for event in right.step.events] == [*whole.events]
        assert found[-1].step.game == whole.games[-1]


# Judging what was recorded


def accepted(events: Sequence[Event]) -> list[Game]:
    """Return the games after all events up to the first that is refused."""
    games = []
    try:
        for step in rederive(events):
            games.append(step.game)  # noqa: PERF401 - they count up to where this raises
    except (Mismatch, InvalidSetup):
        pass
    return games


def yielded(events: Sequence[Event]) -> list[Game]:
    """Return the same by commands: an event is right where applying its command yields it."""
    games: list[Game] = []
    follow: list[Event] = []
    for event in events:
        if not games:
            try:
                follow = [*start(event.setup).events] if isinstance(event, GameStarted) else []
            except InvalidSetup:
                break
        elif not follow and (command := command_of(event)) is not None:
            step = sent(games[-1], command)
            follow = [*step.events] if step else []
        if not follow or follow.pop(0) != event:
            break
        games.append(fold([event], games[-1] if games else None))
    return games


def judged(events: Sequence[Event], whole: Played, untouched: int) -> list[Game]:
    """Return the games after what is accepted: exactly what the commands yield, and all that is untouched."""
    games = accepted(events)
    note(f"{len(games)} of {len(events)} events accepted")
    assert games == yielded(events)
    assert games[:untouched] == [*whole.games[:untouched]]
    return games


def parts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:  # noqa: ANN401
    """Yield every int, string and tuple in an event, with the way to it."""
    if attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            yield from parts(getattr(value, field.name), (*path, field.name))
    else:
        yield path, value
        for index, item in enumerate(value) if isinstance(value, tuple) else ():
            yield from parts(item, (*path, index))


def put(value: Any, path: tuple[str | int, ...], new: object) -> Any:  # noqa: ANN401
    """Return a value with a part of it replaced."""
    if not path:
        return new
    first, *further = path
    if isinstance(value, tuple):
        return tuple(
            put(item, tuple(further), new) if index == first else item for index, item in enumerate(value)
        )
    return attrs.evolve(value, **{str(first): put(getattr(value, str(first)), tuple(further), new)})


WORDS = (
    COLOURS,
    (*CELLS, "temple"),
    ("crystal", "gold"),
    PICKUPS,
    ("edge-3", "edge-4", "value-30"),
    ("all-home", "tiles-exhausted"),
)


def others(value: Any, players: Sequence[str]) -> st.SearchStrategy[Any]:  # noqa: ANN401
    """Return values that could stand in the place of one, not all different from it."""
    if isinstance(value, int):
        return st.sampled_from([value - 1, value + 1, 0, 10, 110]) | st.integers(1, 36)
    if isinstance(value, str):
        kin = next(kin for kin in (players, *WORDS) if value in kin)
        return st.sampled_from([*kin, *STRANGERS])
    if not value:
        return st.just((Award(players[0], "blue", 5, 0),))
    shorter = [value[:index] + value[index + 1 :] for index in range(len(value))]
    return st.sampled_from([*shorter, value + value[-1:], value[::-1]])


def has_awards(event: Event) -> bool:
    return isinstance(event, RoundEnded) and event.awards != ()


ASKED_FOR = {
    "tile-drawn": ("tile",),
    "tile-placed": ("player", "cell"),
    "tile-discarded": ("player",),
    "adventurer-moved": ("player", "adventurer", "path"),
    "treasure-collected": ("player", "adventurer"),
    "turn-passed": ("player",),
}
"""The fields of events that players choose; all others are for the rules to yield."""


@so_often(300)
@given(data=st.data())
def test_a_changed_event_is_refused_unless_the_rules_yield_it_too(data: st.DataObject) -> None:
    """A field that the rules yield is refused there; others may be as legal, but lead to another game."""
    whole = data.draw(whole_games())
    at, event = data.draw(evenly(enumerate(whole.events), lambda item: (item[1].name, has_awards(item[1]))))
    path, value = data.draw(evenly(parts(event), lambda part: type(part[1])))
    changed = put(event, path, data.draw(others(value, whole.games[0].setup.players)))
    assume(changed != event)
    note(f"{event} became {changed}")
    games = judged([*whole.events[:at], changed, *whole.events[at + 1 :]], whole, at)
    if path[0] not in ("setup", *ASKED_FOR.get(event.name, ())):
        assert len(games) == at
    if len(games) > at:
        assert (games[at] == whole.games[at]) == is_detour(event, changed)
    if len(games) == len(whole.events) and games[-1] == whole.games[-1]:  # the same end in the end
        assert path[0] == "path"


def is_detour(event: Event, changed: Event) -> bool:
    """Return whether an adventurer comes as far in as many steps, by another way."""
    if not (isinstance(event, AdventurerMoved) and isinstance(changed, AdventurerMoved)):
        return False
    is_as_far = (len(event.path), event.path[-1]) == (len(changed.path), changed.path[-1])
    return is_as_far and attrs.evolve(event, path=changed.path) == changed


@so_often(100)
@given(data=st.data())
def test_a_missing_event_is_missed(data: st.DataObject) -> None:
    whole = data.draw(whole_games())
    at = data.draw(places(whole.events))
    event = whole.events[at]
    note(f"without {event}")
    games = judged([*whole.events[:at], *whole.events[at + 1 :]], whole, at)
    if len(games) == len(whole.events) - 1 and not isinstance(event, GameEnded):
        assert isinstance(event, AdventurerMoved | TreasureCollected)  # which a pass can stand for
        assert games[-1] != whole.games[-1] or isinstance(event, AdventurerMoved)  # or a detour


@so_often(100)
@given(data=st.data())
def test_an_event_does_not_happen_twice(data: st.DataObject) -> None:
    """But an adventurer may go round in circles."""
    whole = data.draw(whole_games())
    at = data.draw(places(whole.events))
    event = whole.events[at]
    note(f"twice {event}")
    games = judged([*whole.events[: at + 1], *whole.events[at:]], whole, at + 1)
    assert len(games) == at + 1 or (isinstance(event, AdventurerMoved) and len(event.path) == 2)


@so_often(120)
@given(data=st.data())
def test_neighbours_swap_only_between_players(data: st.DataObject) -> None:
    """But of one player, moves and pick-ups may be right in another order."""
    whole = data.draw(whole_games())
    at = data.draw(places(whole.events[1:]))
    first, second = whole.events[at : at + 2]
    note(f"{second} before {first}")
    games = judged([*whole.events[:at], second, first, *whole.events[at + 2 :]], whole, at)
    if isinstance(first, TurnEvent) and isinstance(second, TurnEvent) and first.player != second.player:
        assert games[at + 1 :] == [*whole.games[at + 1 :]]
    elif not (
        isinstance(first, AdventurerMoved | TreasureCollected)
        and isinstance(second, AdventurerMoved | TreasureCollected)
    ):
        assert len(games) <= at + 1
