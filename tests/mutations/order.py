"""Faults of order: records that lack, stand twice or stand elsewhere."""

from typing import Final

from hypothesis import strategies as st

from tests.mutations.draws import index, one_named, one_of
from tests.mutations.logs import Change, Record, as_command, as_commands, event_logs, logs, registering
from tests.naive_judge import COMMAND_OF, EVENT_OF

FAULTS: Final[dict[str, Change]] = {}
fault = registering(FAULTS)


@fault
def a_record_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    del log[draw(index(log))]
    return log


@fault
def a_record_twice(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(index(log))
    log.insert(place, log[place])
    return log


@fault
def neighbours_swapped(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(index(log[1:]))
    log[place], log[place + 1] = log[place + 1], log[place]
    return log


@fault
def records_swapped(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    one, other = draw(index(log)), draw(index(log))
    log[one], log[other] = log[other], log[one]
    return log


@fault
def a_record_elsewhere(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    moved = log.pop(draw(index(log)))
    log.insert(draw(st.integers(0, len(log))), moved)
    return log


@fault
def a_record_elsewhere_too(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log.insert(draw(st.integers(0, len(log))), log[draw(index(log))])
    return log


@fault
def a_record_of_another_game(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    other = draw(logs)
    log.insert(draw(st.integers(0, len(log))), other[draw(index(other))])
    return log


@fault
def another_game_from_here_on(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    other = draw(logs)
    return log[: draw(index(log))] + other[draw(index(other)) :]


@fault
def some_records_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(index(log))
    del log[place : place + draw(st.integers(2, 12))]
    return log


@fault
def one_players_records_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    quiet, since = one_of(draw, log[0]["players"]), draw(index(log))
    return log[:since] + [record for record in log[since:] if record.get("player") != quiet]


@fault
def something_after_the_end(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    return [*log, log[draw(index(log))]]


@fault
def a_record_of_the_other_kind(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    other = draw(event_logs)
    place = one_named(draw, log, *EVENT_OF)
    if log[place]["type"] in COMMAND_OF:
        log[place] = as_command(log[place])
    else:
        log[place] = other[one_named(draw, other, log[place]["type"])]
    return log


@fault
def the_other_kind_from_here_on(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(st.integers(1, len(log)))
    return log[:place] + as_commands(log[place:])
