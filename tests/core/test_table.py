"""At a table the same rules have the same verdicts as on games, and what is refused changes nothing."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from karuba_core import (
    Event,
    Game,
    IllegalCommand,
    Mismatch,
    RoundEnded,
    TileDrawn,
    TilePlaced,
    apply,
    check,
    due,
    fold,
    start,
    trace,
    violation,
)
from karuba_core import decider as rules
from karuba_core.kernel import AT_TABLE, KARUBA
from karuba_core.table import Table, table_of
from tests.strategies import POOL, commands_about, histories, places, played, positions, so_often


def evolved(game: Game, event: Event) -> Game:
    return KARUBA.evolve[type(event)](game, event)


@pytest.mark.parametrize("row", POOL, ids=str)
def test_a_fold_is_every_event_in_turn(row: tuple[str, int, str, int]) -> None:
    opening, *others = played(row).events
    games = [step.game for step in trace([opening, *others])]
    assert fold([opening, *others]) == reduce(evolved, others, games[0]) == games[-1]
    middle = len(others) // 2
    assert fold(others[middle:], games[middle]) == games[-1]
    assert fold([], games[middle]) == games[middle]


@so_often(60)
@given(histories(), st.data())
def test_an_event_is_judged_alike_at_a_table_and_on_a_game(
    events: Sequence[Event], data: st.DataObject
) -> None:
    """Right ones in their order, and one of the same game that stands where it should not."""
    game = fold(events[:1])
    table = table_of(game)
    wrong = events[data.draw(places(events))]
    place = data.draw(places(events))
    for number, event in enumerate(events[1:], start=1):
        if number == place:
            assert verdict(table, wrong) == verdict_on(game, wrong)
            if verdict(table, wrong) is not None:
                assert table.game() == game
        game = check(game, event)
        assert rules.check(AT_TABLE, table, event) is table
        assert table.game() == game


@so_often(200)
@given(positions(), st.data())
def test_a_command_is_answered_alike_at_a_table_and_on_a_game(game: Game, data: st.DataObject) -> None:
    command = data.draw(commands_about(game))
    table = table_of(game)
    why = violation(game, command)
    if why is None:
        step, there = apply(game, command), rules.apply(AT_TABLE, table, command)
        assert there.game is table
        assert (there.events, table.game()) == (step.events, step.game)
    else:
        with pytest.raises(IllegalCommand) as refused:
            rules.apply(AT_TABLE, table, command)
        assert refused.value.violation == why
        assert table.game() == game


def test_a_table_is_no_part_of_the_game_that_it_began_with() -> None:
    opening, *others = played(POOL[0]).events
    game = fold([opening])
    table = table_of(game)
    for event in others:
        table = rules.check(AT_TABLE, table, event)
    assert game == start(game.setup).game
    assert table.game() == fold([opening, *others]) != game


def verdict(table: Table, event: Event) -> str | None:
    """Return the code with which an event is refused at another table like this one."""
    other = table_of(table.game())
    try:
        rules.check(AT_TABLE, other, event)
    except Mismatch as refused:
        assert other.game() == table.game()
        return refused.violation.code
    return None


def verdict_on(game: Game, event: Event) -> str | None:
    try:
        check(game, event)
    except Mismatch as refused:
        return refused.violation.code
    return None


def test_a_number_that_only_equals_a_whole_one_is_not_kept() -> None:
    """To Python 7.0 and True are equal to 7 and 1; a game holds the rules' own values."""
    for row in POOL[:4]:
        game, *others = (step.game for step in trace(played(row).events))
        for event, after in zip(played(row).events[1:], others, strict=True):
            for told in (float, lambda number: True if number == 1 else number):
                odd = _with_numbers(event, told)
                found = check(game, odd)
                assert found == after
                assert repr(found) == repr(after)
            game = after


def _with_numbers(event: Any, told: Callable[[int], Any]) -> Any:  # noqa: ANN401 - of any kind, its numbers of another
    changed = {
        field.name: told(value)
        for field in fields(type(event))
        if isinstance(value := getattr(event, field.name), int) and type(event) is not TileDrawn
    }
    if isinstance(event, RoundEnded):
        changed["awards"] = tuple(evolve(award, token=told(award.token)) for award in event.awards)
    return evolve(event, **changed)


def test_after_more_rounds_than_there_are_the_end_of_the_round_is_due_still() -> None:
    """What is trusted may be anything."""
    opening, drawn, *_ = played(POOL[0]).events
    game = fold([opening, *[drawn] * 40])
    for player in game.setup.players:
        game = fold([TilePlaced(player, game.drawn[-1], "a1")], game)
    assert due(game) == RoundEnded(40, ())
