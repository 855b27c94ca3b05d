"""Whole games from a small pool, positions in them, commands of every kind; and what holds of every game."""

import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final, TypeVar

import attrs
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from karuba_adapters import encode, write_log
from karuba_adapters.decks import choice, opening
from karuba_adapters.players import casual, planner, play
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
    IllegalCommand,
    Island,
    Layout,
    Move,
    Pass,
    Place,
    RoundEnded,
    RuleSet,
    Score,
    Step,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TreasureCollected,
    TurnPassed,
    apply,
    fold,
    legal_commands,
    preset,
    scores,
    trace,
    violation,
    winners,
)
from karuba_core.ruleset import PICKUPS
from tests import naive_judge
from tests.games_kit import NAMES

T = TypeVar("T")

TurnEvent = TilePlaced | TileDiscarded | AdventurerMoved | TreasureCollected | TurnPassed


OFTEN: Final = float(os.environ.get("KARUBA_OFTEN", "0.6"))


def so_often(max_examples: int) -> settings:
    """Return the settings of a property that is tried so many times, by `KARUBA_OFTEN` more often or less.

    In CI, Hypothesis has a profile of its own, which always draws the same.
    """
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    tries = max(1, round(max_examples * OFTEN))
    return settings(max_examples=tries, deadline=None, suppress_health_check=slow)


# The pool

Row = tuple[str, int, str, int]
"""What a game of the pool is made of: its pick-up rule, how many play, by which policy, and a seed."""


def wanderer(game: Game, player: str, random: Random) -> Command:
    """Place by plan, discard often, and walk about on what is laid, past treasures, too."""
    if game.turn(player).stage == "to-play":
        return planner(game, player, random) if random.random() < 0.75 else Discard(player)
    commands = list(legal_commands(game, player))
    moves = [command for command in commands if isinstance(command, Move)]
    return choice(moves if moves and random.random() < 0.8 else commands, random)


_POLICIES: Final = {"planner": planner, "casual": casual, "wanderer": wanderer}

POOL: Final[Sequence[Row]] = tuple(product(PICKUPS, (2, 3, 4), _POLICIES, (0, 1)))

_EQUALS_ON_THE_STACK: Final = (9, 9, 4, 4, 1)


class Played:
    """A whole game: its events, and the game after each."""

    def __init__(self, row: Row) -> None:
        pickup, players, policy, seed = self._row = row
        rules = attrs.evolve(preset("official", players), pickup=pickup)
        if seed % 2:
            rules = attrs.evolve(rules, temple_treasures=_EQUALS_ON_THE_STACK, separation="value-30")
        self.events = tuple(play(opening(NAMES[:players], seed, rules), seed, _POLICIES[policy]))
        self.games = tuple(step.game for step in trace(self.events))

    def __repr__(self) -> str:
        return f"played({self._row})"


@cache
def played(row: Row) -> Played:
    """Return a game of the pool."""
    return Played(row)


def whole_games(*pickups: str) -> st.SearchStrategy[Played]:
    """Return games of the pool, played by the pick-up rules named, or by any."""
    return st.sampled_from([row for row in POOL if row[0] in (pickups or PICKUPS)]).map(played)


# Positions and commands


def places(items: Sequence[object]) -> st.SearchStrategy[int]:
    """Return indexes into a sequence, rather in its second half."""
    last = len(items) - 1
    return st.integers(last // 2, last) | st.integers(0, last)


def evenly(items: Iterable[T], kind: Callable[[T], object]) -> st.SearchStrategy[T]:
    """Return items, of each kind as often as of the others."""
    kinds: dict[object, list[T]] = {}
    for item in items:
        kinds.setdefault(kind(item), []).append(item)
    return st.sampled_from([*kinds.values()]).flatmap(st.sampled_from)


def legal_in(game: Game) -> st.SearchStrategy[Command]:
    """Return the legal commands of a game, of each kind as often as of the others."""
    return evenly(legal_commands(game), type)


@st.composite
def histories(draw: st.DrawFn, *pickups: str) -> tuple[Event, ...]:
    """Draw the events of a game that is broken off somewhere, and often played on a little at random.

    It may be broken off where the end of the round or of the game is due.
    """
    whole = draw(whole_games(*pickups))
    at = draw(places(whole.events))
    events, game = whole.events[: at + 1], whole.games[at]
    for _ in range(draw(st.integers(0, 5))):
        if any(legal_commands(game)):
            step = apply(game, draw(legal_in(game)))
            events, game = (*events, *step.events), step.game
    return events


def positions(*pickups: str) -> st.SearchStrategy[Game]:
    """Return the games to which histories lead."""
    return histories(*pickups).map(fold)


STRANGERS: Final = ("nobody", "red", "a0", "g1")
"""A player, a colour and two cells that there are not."""

_ENTRIES: Final = st.sampled_from([*CELLS, "temple", *STRANGERS])


def commands_about(game: Game) -> st.SearchStrategy[Command]:
    """Return commands that have to do with a game, few of which are legal in it."""
    players = st.sampled_from([*game.setup.players, STRANGERS[0]])
    colours = st.sampled_from([*COLOURS, STRANGERS[1]])
    return st.one_of(
        st.builds(Draw, st.integers(0, 37)),
        st.builds(Place, players, _ENTRIES),
        st.builds(Discard, players),
        st.builds(Move, players, colours, st.lists(_ENTRIES, max_size=5).map(tuple)),
        st.builds(Collect, players, colours),
        st.builds(Pass, players),
    )


def command_of(event: Event) -> Command | None:
    """Return the command that an event answers; openings and what is due answer none."""
    match event:
        case TileDrawn():
            return Draw(event.tile)
        case TilePlaced():
            return Place(event.player, event.cell)
        case TileDiscarded():
            return Discard(event.player)
        case AdventurerMoved():
            return Move(event.player, event.adventurer, event.path)
        case TreasureCollected():
            return Collect(event.player, event.adventurer)
        case TurnPassed():
            return Pass(event.player)
    return None


# What holds of every game


def sent(game: Game, command: Command) -> Step[Game, Event] | None:
    """Return what a command leads to, or None where it is refused; and assert that asking says the same."""
    refused, before = violation(game, command), hash(game)
    step, reason = None, None
    try:
        step = apply(game, command)
    except IllegalCommand as error:
        reason = error.violation
    assert reason == refused
    assert hash(game) == before
    assert step is None or fold(step.events, game) == step.game
    return step


Spot = tuple[int, int]
"""Column and row: the cells are 1 to 6 and 1 to 5, what lies around them one less or one more."""


def spot_of(cell: str) -> Spot:
    """Return the spot of a cell.

    >>> spot_of("a1"), spot_of("f5")
    ((1, 1), (6, 5))
    """
    return ord(cell[0]) - ord("a") + 1, int(cell[1])


def beach_spot(layout: Layout, adventurer: str) -> Spot:
    """Return where an adventurer stands at the start: left of the rows or below the columns."""
    number: int = getattr(layout, adventurer).beach // 10
    return (0, number) if number <= 5 else (number - 5, 6)


def temple_spot(layout: Layout, adventurer: str) -> Spot:
    """Return where its temple is: above the columns or right of the rows."""
    number: int = getattr(layout, adventurer).jungle // 10
    return (number, 0) if number <= 6 else (7, number - 6)


def assert_sound(game: Game, events: Sequence[Event]) -> None:
    """Assert what holds of a game and all the events that led to it: nothing is lost and nothing is made."""
    drawn = [event for event in events if isinstance(event, TileDrawn)]
    assert [event.tile for event in drawn] == list(game.drawn)
    assert [event.round for event in drawn] == list(range(1, game.round + 1))
    ended = [event for event in events if isinstance(event, RoundEnded)]
    assert game.awards == tuple(award for event in ended for award in event.awards)
    for event in ended:
        _assert_shared_out(game.setup.players, event.awards)
    for temple in COLOURS:
        taken = [award for award in game.awards if award.temple == temple]
        stack = game.setup.rules.temple_treasures
        assert tuple(award.token for award in taken) + stack[len(taken) :] == stack
    for player, island, score in zip(game.setup.players, game.islands, scores(game), strict=True):
        acted = [event for event in events if isinstance(event, TurnEvent) and event.player == player]
        laid = {event.cell: event.tile for event in acted if isinstance(event, TilePlaced)}
        taken_from = {event.cell: event.treasure for event in acted if isinstance(event, TreasureCollected)}
        discarded = [event.tile for event in acted if isinstance(event, TileDiscarded)]
        awards = [award for award in game.awards if award.player == player]
        is_waiting = game.phase == "turns" and game.turn(player).stage == "to-play"
        waiting = list(game.drawn[-1:]) if is_waiting else []
        assert sorted([*laid.values(), *discarded, *waiting]) == sorted(game.drawn)
        _assert_laid(island, laid, taken_from)
        assert len(taken_from) == sum(isinstance(event, TreasureCollected) for event in acted)
        _assert_stands(game.setup.layout, island)
        _assert_home(game, island, awards)
        assert score == _tally(player, awards, Counter(taken_from.values()), len(laid))
        assert 0 <= score.total <= _most(game.setup.rules)
    _assert_won(game)


def _assert_shared_out(players: Sequence[str], awards: Sequence[Award]) -> None:
    """All who reach a temple in one round get the worth of the first; by colour, then by seat."""
    order = [(COLOURS.index(award.temple), players.index(award.player)) for award in awards]
    assert order == sorted(set(order))
    for award in awards:
        first = next(other for other in awards if other.temple == award.temple)
        assert award.token + award.crystals == first.token
        assert award.crystals >= 0


def _assert_laid(island: Island, laid: dict[str, int], taken_from: dict[str, str]) -> None:
    """Every printed treasure lies on its tile until it is taken, and no other does."""
    assert list(island.collected) == sorted(island.collected)
    assert {cell: island.tile(cell) for cell in CELLS if island.tile(cell)} == laid
    printed = {cell: TILES[tile - 1].treasure for cell, tile in laid.items()}
    lying = {cell: island.treasure(cell) for cell in CELLS if island.treasure(cell)}
    assert lying.keys().isdisjoint(taken_from)
    assert lying | taken_from == {cell: treasure for cell, treasure in printed.items() if treasure}


def _assert_stands(layout: Layout, island: Island) -> None:
    """The adventurers stand on their own beach numbers, in their own temples or on tiles, each alone."""
    assert len(set(island.adventurers)) == len(COLOURS)
    for adventurer, place in zip(COLOURS, island.adventurers, strict=True):
        where = island.where(adventurer)
        ends = {"beach": beach_spot(layout, adventurer), "temple": temple_spot(layout, adventurer)}
        row, column = divmod(place, 8)
        assert (column, row) == (ends[where] if where in ends else spot_of(where))
        assert where in ends or island.tile(where)


def _assert_home(game: Game, island: Island, awards: Sequence[Award]) -> None:
    """Whoever is home has had one award for it, at the end of the round at the latest."""
    home = {adventurer for adventurer in COLOURS if island.where(adventurer) == "temple"}
    temples = [award.temple for award in awards]
    assert len(set(temples)) == len(temples)
    assert home == set(temples) or (game.phase == "turns" and home > set(temples))
    assert island.is_home == (len(home) == len(COLOURS))


def _tally(player: str, awards: Sequence[Award], taken: Counter[str], tiles: int) -> Score:
    temples = sum(award.token for award in awards)
    crystals = taken["crystal"] + sum(award.crystals for award in awards)
    return Score(player, temples, crystals, taken["gold"], temples + crystals + 2 * taken["gold"], tiles)


def _most(rules: RuleSet) -> int:
    """Return the points of a player who takes the first treasure of every temple and all on the tiles."""
    printed = Counter(tile.treasure for tile in TILES)
    return len(COLOURS) * rules.temple_treasures[0] + printed["crystal"] + 2 * printed["gold"]


def _assert_won(game: Game) -> None:
    ranks = {score.player: (score.total, score.tiles) for score in scores(game)}
    best = [player for player in game.setup.players if ranks[player] == max(ranks.values())]
    assert list(winners(game)) == (best if game.phase == "over" else [])


def assert_read_alike(game: Game, events: Sequence[Event]) -> None:
    """Assert that the naive judge finds the events right, and the same commands legal after them."""
    written = io.BytesIO()
    write_log(events, written)
    log = written.getvalue()
    assert naive_judge.judge(log) == ("valid" if game.phase == "over" else "incomplete", 0)
    listed = {_likeness(json.loads(encode(command))) for command in legal_commands(game)}
    assert listed == {_likeness(command) for command in naive_judge.legal_commands(log)}


def _likeness(command: dict[str, Any]) -> tuple[Any, ...]:
    """Return what of a command tells it from others; of the way that a move takes, only end and length."""
    way = command.pop("path", ())
    return *command.values(), len(way), *way[-1:]


def open_turns(game: Game) -> list[str]:
    """Return the players who have something to do in the open round, in seating order."""
    return [player for player in game.setup.players if any(legal_commands(game, player))]
