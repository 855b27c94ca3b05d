"""What lines are remembered: those that may come again, and never more than some thousands."""

import io

import pytest

from karuba_adapters import encode, known_lines, log_files, read_records, validate
from karuba_adapters.decks import opening
from karuba_adapters.known_lines import KnownLines
from karuba_adapters.log_files import read_ahead
from karuba_adapters.players import planner, play
from karuba_core import Award, Event, RoundEnded, TileDrawn, preset


def game(*players: str, seed: int = 7) -> list[Event]:
    return [*play(opening(players, seed, preset("official", len(players))), seed, planner)]


def remembered(*games: list[Event]) -> KnownLines:
    known = KnownLines()
    for events in games:
        for event in events:
            if type(event) in known.kinds:
                known.add(encode(event), event)
    return known


def test_draws_and_rounds_are_remembered_and_turns_where_the_same_people_play_again() -> None:
    once = game("ana", "ben")
    of_nobody = {line for line in map(encode, once) if b"tile-drawn" in line or b'"awards":[]' in line}
    assert remembered(once).said.keys() == of_nobody
    others = remembered(once, game("cleo", "dan")).said
    assert others.keys() >= of_nobody
    assert not [message for message in others.values() if "cleo" in str(message)]

    again = remembered(once, game("ben", "cleo", seed=8)).said
    unpaid = [event for event in game("ben", "cleo", seed=8)[1:] if b'"awards":[{' not in encode(event)]
    assert {*map(encode, unpaid)} <= again.keys()


def test_the_same_people_are_those_of_the_log_before() -> None:
    first, second = game("ana", "ben"), game("cleo", "dan")
    assert any("cleo" in str(message) for message in remembered(first, second, second).said.values())
    assert not any("ben" in str(message) for message in remembered(first, second, first).said.values())


def test_a_remembered_line_says_what_it_said() -> None:
    known = remembered(game("ana", "ben"), game("ana", "ben", seed=8))
    assert all(encode(message) == line for line, message in known.said.items())


def test_no_long_line_is_remembered() -> None:
    long = "ana".ljust(64, "x")
    crowd = RoundEnded(1, (Award(long, "blue", 5, 0),) * 8)
    known = KnownLines()
    known.add(encode(crowd), crowd)
    assert len(encode(crowd)) > known_lines.SHORT
    assert known.said == {}


def test_not_more_than_some_thousands_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_lines, "_MOST", 10)
    known = KnownLines()
    for tile in range(1, 37):
        known.add(encode(TileDrawn(1, tile)), TileDrawn(1, tile))
        assert 0 < len(known.said) <= 10


def test_logs_are_read_alike_whatever_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a reader that knows nothing, one that knows other games, and one that knows this one."""
    log = b"".join(encode(event) for event in [*game("ana", "ben"), *game("ana", "ben", seed=8)])
    expected = [(record.line, record.message, record.meta) for record in read_records(io.BytesIO(log))]
    for known in (KnownLines(), remembered(game("ben", "eve", seed=9)), remembered(game("ana", "ben"))):
        monkeypatch.setattr(log_files, "_KNOWN", known)
        found = [(number, message, meta) for number, _, message, meta in read_ahead(io.BytesIO(log))]
        assert found == expected
        assert [report.verdict for report in validate(io.BytesIO(log))] == ["valid", "valid"]
