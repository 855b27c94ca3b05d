"""Logs that go on by commands: what was recorded comes back, and what is refused is what judging refuses."""

import io
from collections.abc import Sequence

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import Finding, LogWriter, Message, Right, encode, validate
from karuba_adapters.continuing import Continuation, continued
from karuba_adapters.judging import read_lines
from karuba_core import Command, Discard, Draw, Event, GameStarted, Pass, Place, command_of, fold
from tests.strategies import POOL, Played, commands_about, histories, played, so_often, whole_games

GAME = played(POOL[7]).events


def written(messages: Sequence[Message], *, noted: bool = False) -> list[bytes]:
    """Return the lines of a log, with a note beside what a command stands for."""
    return [
        encode(message, {"n": str(message)} if noted and not_due(message) else None) for message in messages
    ]


def not_due(message: Message) -> bool:
    return isinstance(message, Command) or command_of(message) is not None  # type: ignore[arg-type]


def asked(events: Sequence[Event]) -> list[Command]:
    return [command for command in map(command_of, events) if command is not None]


def as_commands(events: Sequence[Event]) -> list[Message]:
    return [events[0], *asked(events)]


def rights(log: bytes) -> list[Right]:
    found: list[Right] = []
    (report,) = validate(io.BytesIO(log), observe=found.append)
    assert report.findings == ()
    return found


def go_on(log: bytes, commands: bytes) -> Continuation:
    return continued(rights(log), read_lines(io.BytesIO(commands)))


@given(whole_games(), st.integers(1, 400), st.booleans())
@so_often(30)
def test_the_commands_of_a_game_bring_back_what_was_cut_off(game: Played, kept: int, lacks_end: bool) -> None:
    """Wherever it was cut: also where the end of a round, or of the game, is due."""
    kept = min(kept, len(game.events))
    events = written(game.events)
    log = b"".join(events[:kept])
    given_log = log.removesuffix(b"\n") if lacks_end else log

    continuation = go_on(given_log, b"".join(map(encode, asked(game.events[kept:]))))

    assert continuation == Continuation(tuple(events))


@given(whole_games(), st.integers(2, 300))
@so_often(20)
def test_a_log_of_commands_goes_on_with_commands(game: Played, kept: int) -> None:
    commands = written(as_commands(game.events))
    kept = min(kept, len(commands))

    continuation = go_on(b"".join(commands[:kept]), b"".join(commands[kept:]))

    assert continuation == Continuation(tuple(commands))


@given(histories(), st.data())
@so_often(40)
def test_what_is_refused_is_what_is_wrong_with_the_log_of_all_commands(
    events: tuple[Event, ...], data: st.DataObject
) -> None:
    """Judging the longer log tells the same of the same record."""
    log = written(as_commands(events))
    more = written(data.draw(st.lists(commands_about(fold(events)), min_size=1, max_size=4)))
    (report,) = validate(io.BytesIO(b"".join(log + more)))

    continuation = go_on(b"".join(log), b"".join(more))

    expected = tuple(evolve(finding, line=finding.line - len(log)) for finding in report.findings)
    assert continuation.findings == expected
    assert bool(continuation.lines) != bool(expected)


def test_each_meta_goes_to_the_event_of_its_command_and_to_no_other() -> None:
    """Also where the end of the round follows."""
    kept = next(n for n, event in enumerate(GAME) if event.name == "round-ended") - 1
    commands = written(asked(GAME[kept:]), noted=True)

    lines = go_on(b"".join(written(GAME[:kept])), b"".join(commands)).lines[kept:]

    metas = iter(command.partition(b'"meta":')[2] for command in commands)
    for event, line in zip(GAME[kept:], lines, strict=True):
        assert line.partition(b'"meta":')[2] == (next(metas) if not_due(event) else b"")


def test_given_records_stay_as_they_stand() -> None:
    log = b'{"meta": {"e": 1.50}, "tile": 5 , "type": "draw"}\r\n'
    opening = encode(GAME[0])

    continuation = go_on(opening + log, encode(Discard("ana")))

    assert continuation.lines == (opening, log, encode(Discard("ana")))


def codes(found: Continuation) -> list[tuple[int, str]]:
    assert found.lines == ()
    return [(finding.line, finding.code) for finding in found.findings]


def test_nothing_follows_a_seal_and_only_that() -> None:
    stream = io.BytesIO()
    writer = LogWriter(stream.write)
    kept = next(n for n, event in enumerate(GAME) if event.name == "round-ended")  # where it is due
    for event in GAME[:kept]:
        writer.write(event)
    writer.seal()
    log = stream.getvalue()

    assert codes(go_on(log, encode(Draw(1)))) == [(1, "log/after-seal")]
    assert b"".join(go_on(log, b"").lines) == log


def test_nothing_follows_the_end_of_the_game() -> None:
    log = b"".join(written(GAME))
    last = written(asked(GAME[-4:]))

    assert codes(go_on(log, encode(Pass("ana")))) == [(1, "log/after-end")]
    assert codes(go_on(b"".join(written(GAME[:-4])), b"".join(last) + encode(Draw(1)))) == [
        (len(last) + 1, "log/after-end")
    ]


def test_only_commands_are_taken() -> None:
    opening, drawn, *_ = GAME
    draw, seal = encode(Draw(3)), b'{"type":"seal","records":1,"digest":""}'
    for line in (encode(opening), encode(drawn), seal):
        assert codes(go_on(encode(opening), draw + line)) == [(2, "log/mixed-kinds")]
    assert codes(go_on(b"".join(written(GAME)), encode(opening))) == [(1, "log/mixed-kinds")]


def test_every_fault_of_a_line_is_found_and_nothing_beyond_it_is_looked_at() -> None:
    found = go_on(encode(GAME[0]), encode(Draw(3)) + b'{"type":"place","x":1}\n{')

    assert codes(found) == [
        (2, "shape/missing-field"),
        (2, "shape/missing-field"),
        (2, "shape/unknown-field"),
    ]
    assert isinstance(found.findings[0], Finding)


def test_a_meta_that_makes_its_event_too_long_is_refused() -> None:
    """As a command it is a line that is read; the event is longer."""
    opening = GAME[0]
    assert isinstance(opening, GameStarted)
    room = (1 << 20) - len(encode(Draw(3), {"x": ""})) + 1
    draw = encode(Draw(3), {"x": "x" * room})

    assert codes(go_on(encode(opening), draw)) == [(1, "text/line-too-long")]
    log_of_commands = encode(opening) + encode(Draw(4)) + encode(Place("ana", "a1"))
    place = encode(Discard("ben"), {"x": "x" * ((1 << 20) - len(encode(Discard("ben"), {"x": ""})) + 1)})
    assert go_on(log_of_commands, place).lines[-1] == place
