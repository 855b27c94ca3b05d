"""What a log of commands leaves out is put in where the rules leave no choice, and nowhere else."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import Message, Report, Right, encode, validate, write_log
from karuba_adapters.implied import Implication, Implied, with_implied
from karuba_adapters.log_files import Line, read_ahead
from karuba_adapters.normalising import NormalWriter
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Event,
    GameStarted,
    Move,
    Pass,
    Place,
    command_of,
    start,
)
from tests.games_kit import Table, setup
from tests.strategies import Played, so_often, whole_games

BOTH = Implication(passes=True, collects=True)
PASSES = Implication(passes=True, collects=False)
COLLECTS = Implication(passes=False, collects=True)
NEITHER = Implication(passes=False, collects=False)


def judged(log: bytes, implication: Implication) -> tuple[list[Report], list[Right]]:
    """Return the reports of a log, and its records with those put in."""
    rights: list[Right] = []

    def read(stream: BinaryIO) -> Iterator[Line]:
        return with_implied(read_ahead(stream), implication)

    return [*validate(io.BytesIO(log), "-", rights.append, read=read)], rights


def written(messages: Iterable[Message], *, sealed: bool = False) -> bytes:
    log = io.BytesIO()
    write_log(messages, log, sealed=sealed)
    return log.getvalue()


def put_in(rights: Sequence[Right]) -> list[tuple[int, Message]]:
    return [(right.line, right.message) for right in rights if isinstance(right.meta, Implied)]


def asked(events: Iterable[Event]) -> list[Message]:
    """Return the opening and the commands of a game."""
    return [
        message
        for message in (event if isinstance(event, GameStarted) else command_of(event) for event in events)
        if message is not None
    ]


def normal(messages: Iterable[Message]) -> bytes:
    log = io.BytesIO()
    writer = NormalWriter(log.write)
    for message in messages:
        writer.write(message)
    writer.flush()
    return log.getvalue()


# A landing game: blue has gone onto the crystal of c1 and has steps left, or none.

_ROAD = {"a1": 7, "b1": 1, "c1": 10, "a2": 17}


def landing(tile: int) -> tuple[list[Message], Move]:
    """Return the commands before a round in which the tile is drawn, and the move onto the crystal."""
    table = Table(setup(pickup="landing")).lay(_ROAD)
    return [*asked(table.events), Draw(tile)], Move("ana", "blue", ("a1", "b1", "c1"))


def after(*commands: Command, tile: int = 8, implication: Implication = BOTH) -> tuple[Report, list[Message]]:
    """Return the report, and what was put in, of commands after a draw of a tile (8 has four steps)."""
    before, _ = landing(tile)
    (report,), rights = judged(written([*before, *commands]), implication)
    return report, [message for _, message in put_in(rights)]


ONTO = landing(8)[1]


# Whole games


@given(whole_games())
@so_often(40)
def test_passes_left_out_are_put_in(game: Played) -> None:
    commands = asked(game.events)
    left_out = [command for command in commands if not isinstance(command, Pass)]
    (report,), rights = judged(written(left_out), PASSES)

    assert (report.verdict, report.records) == ("valid", len(left_out))
    assert normal(right.message for right in rights) == normal(commands)
    assert len(put_in(rights)) == len(commands) - len(left_out)


@given(whole_games("landing"))
@so_often(30)
def test_passes_and_pickups_left_out_are_put_in_by_landing(game: Played) -> None:
    commands = asked(game.events)
    left_out = [command for command in commands if not isinstance(command, Pass | Collect)]
    (report,), rights = judged(written(left_out), BOTH)

    assert report.verdict == "valid"
    assert normal(right.message for right in rights) == normal(commands)


@given(whole_games("landing"))
@so_often(20)
def test_a_pass_recorded_for_each_pickup_is_that_pickup(game: Played) -> None:
    commands = asked(game.events)
    passes = [Pass(each.player) if isinstance(each, Collect) else each for each in commands]
    (report,), rights = judged(written(passes), COLLECTS)

    assert report.findings == ()
    assert [right.message for right in rights] == commands
    assert len(put_in(rights)) == sum(isinstance(each, Collect) for each in commands)


@given(whole_games(), st.sampled_from([BOTH, PASSES, COLLECTS, NEITHER]), st.booleans())
@so_often(30)
def test_nothing_is_put_into_a_log_that_lacks_nothing(
    game: Played, implication: Implication, asks: bool
) -> None:
    log = written(asked(game.events) if asks else game.events, sealed=True)
    (report,), rights = judged(log, implication)

    assert report.verdict == "valid"
    assert put_in(rights) == []
    assert b"".join(encode(right.message, right.meta) for right in rights) == log


# What is put in where


def test_what_a_draw_implies_stands_at_its_line_by_seat() -> None:
    before, _ = landing(8)
    log = written([*before, Discard("ben"), Discard("ana"), ONTO, Draw(9)])
    (report,), rights = judged(log, BOTH)

    line = len(before) + 4
    assert put_in(rights) == [(line, Collect("ana", "blue")), (line, Pass("ben"))]
    assert [right.message for right in rights][-3:] == [Collect("ana", "blue"), Pass("ben"), Draw(9)]
    assert (report.findings, report.records) == ((), line)


@pytest.mark.parametrize("implication", [BOTH, PASSES, COLLECTS, NEITHER])
def test_only_what_is_asked_for_is_put_in(implication: Implication) -> None:
    report, implied = after(Discard("ben"), Discard("ana"), ONTO, Draw(9), implication=implication)

    assert implied == [Collect("ana", "blue")] * implication.collects + [Pass("ben")] * implication.passes
    assert [finding.code for finding in report.findings] == (
        [] if implication == BOTH else ["rule/round-open"]
    )


def test_with_its_last_step_spent_it_still_collects() -> None:
    report, implied = after(Place("ben", "f5"), Discard("ana"), ONTO, Draw(9), tile=6)

    assert (report.findings, implied) == ((), [Collect("ana", "blue")])


def test_whoever_goes_on_collects_nothing() -> None:
    onward = Move("ana", "blue", ("b1",))
    report, implied = after(Place("ben", "f5"), Discard("ana"), ONTO, onward, Draw(9))

    assert (report.findings, implied) == ((), [])


@pytest.mark.parametrize("pickup", ["stop", "step"])
def test_by_other_rules_nobody_has_to_collect(pickup: str) -> None:
    table = Table(setup(pickup=pickup)).lay(_ROAD).do(Draw(8), Place("ben", "f5"), Discard("ana"), ONTO)
    _, rights = judged(written([*asked(table.events), Draw(9)]), BOTH)

    assert [message for _, message in put_in(rights)] == [Pass("ana")]


def test_a_tile_that_nobody_played_is_not_passed() -> None:
    report, implied = after(Discard("ben"), Draw(9))

    assert implied == [Pass("ben")]
    assert [finding.code for finding in report.findings] == ["rule/round-open"]


def test_the_end_of_a_log_closes_the_round_that_it_can_close() -> None:
    report, implied = after(Discard("ben"), Discard("ana"), ONTO)

    assert implied == [Collect("ana", "blue"), Pass("ben")]
    assert (report.verdict, report.due) == ("incomplete", None)


@pytest.mark.parametrize("implication", [BOTH, PASSES, COLLECTS])
def test_the_end_of_a_log_leaves_a_round_that_it_cannot_close(implication: Implication) -> None:
    """For it may be cut off: whoever walks may walk on."""
    report, implied = after(Discard("ana"), ONTO, implication=implication)

    assert (report.findings, implied) == ((), [])


def test_the_end_closes_nothing_in_part() -> None:
    _, implied = after(Discard("ana"), ONTO, Discard("ben"), implication=COLLECTS)

    assert implied == []


def test_a_seal_ends_a_log_and_counts_only_what_stood_there() -> None:
    before, _ = landing(8)
    log = written([*before, Discard("ben"), Discard("ana")], sealed=True)
    (report,), rights = judged(log, PASSES)

    assert report.findings == ()
    assert [right.message for right in rights][-3:-1] == [Pass("ana"), Pass("ben")]


def test_the_next_opening_ends_a_game() -> None:
    """The last round of a game of commands is closed, so that the next log may begin."""
    table = Table(setup()).homeward("ana")
    home = Move("ana", "purple", ("d5", "e5", "f5", "temple"))
    last: list[Command] = [Draw(26), Discard("ana"), home, Discard("ben")]
    log = written([*asked(table.events), *last])
    reports, rights = judged(log * 2, PASSES)

    assert [report.verdict for report in reports] == ["valid", "valid"]
    assert len(put_in(rights)) == 2


def test_a_recorded_pass_on_a_treasure_keeps_what_was_noted() -> None:
    before, _ = landing(8)
    meta = {"at": 5}
    log = written([*before, Discard("ana"), ONTO]) + encode(Pass("ana"), meta)
    (report,), rights = judged(log, BOTH)

    assert report.findings == ()
    assert (rights[-1].message, rights[-1].meta) == (Collect("ana", "blue"), meta)
    assert put_in(rights) == [(len(before) + 3, Collect("ana", "blue"))]


@pytest.mark.parametrize("player", ["ben", "nobody"])
def test_a_pass_that_is_wrong_stays_wrong(player: str) -> None:
    report, implied = after(Place("ben", "f5"), Discard("ana"), ONTO, Pass(player))

    assert implied == []
    assert len(report.findings) == 1


# What the log is not


def test_after_a_fault_nothing_is_put_in() -> None:
    report, implied = after(Discard("ana"), Discard("ana"), Discard("ben"), Draw(9))

    assert (implied, report.findings[0].code) == ([], "rule/already-played")

    before, _ = landing(8)
    log = written([*before, Discard("ana")]) + b"{\n" + written([Discard("ben"), Draw(9)])
    given = [*read_ahead(io.BytesIO(log))]
    assert [*with_implied(iter(given), BOTH)] == given


def test_a_wrong_opening_begins_no_game() -> None:
    opening = start(setup()).events[0]
    log = encode(opening).replace(b'"leader":"ana"', b'"leader":"eve"') + encode(Draw(1))
    (report,), rights = judged(log, BOTH)

    assert (rights, report.findings[0].code) == ([], "setup/leader")


def test_a_log_of_events_implies_nothing() -> None:
    table = Table(setup()).do(Draw(8), Discard("ana"), Discard("ben"))
    (report,), rights = judged(written(table.events), BOTH)

    assert (report.verdict, put_in(rights)) == ("incomplete", [])


# Marks


def test_a_mark_is_added_to_what_was_noted() -> None:
    assert Implied().meta(marked=False) is None
    assert Implied().meta(marked=True) == {"implied": True}
    assert Implied({"at": 5}).meta(marked=False) == {"at": 5}
    assert Implied({"at": 5}).meta(marked=True) == {"at": 5, "implied": True}
