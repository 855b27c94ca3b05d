"""Where two logs part: held against the bytes of their normal forms."""

import io
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import Message, Right, encode, state_json, validate
from karuba_adapters.diverging import Comparison, Told, compared, told_by
from karuba_adapters.normalising import NormalWriter
from karuba_core import Event, TileDiscarded, TilePlaced, command_of, fold
from tests.strategies import POOL, Played, histories, played, so_often, whole_games

GAME = played(POOL[7]).events


def told(messages: Sequence[Message], *, normal: bool = False) -> list[Told]:
    rights: list[Right] = []
    (report,) = validate(io.BytesIO(b"".join(map(encode, messages))), observe=rights.append)
    assert report.findings == ()
    return told_by(rights, normal=normal)


def as_commands(events: Sequence[Event]) -> list[Message]:
    return [events[0], *(command for command in map(command_of, events) if command is not None)]


def normal_lines(events: Sequence[Event]) -> list[bytes]:
    lines: list[bytes] = []
    writer = NormalWriter(lines.append)
    for event in events:
        writer.write(event)
    writer.flush()
    return lines


def interleaved(events: Sequence[Event], random: Random) -> list[Event]:
    """Return a game with some acts of a round before others that they need not wait for."""
    order = [*events]
    for _ in range(2 * len(order)):
        at = random.randrange(1, len(order))
        players = {getattr(event, "player", None) for event in order[at - 1 : at + 1]}
        if None not in players and len(players) > 1:
            order[at - 1], order[at] = order[at], order[at - 1]
    return order


@given(whole_games(), st.randoms(use_true_random=False))
@so_often(15)
def test_other_interleavings_differ_only_where_their_order_counts(game: Played, random: Random) -> None:
    other = interleaved(game.events, random)
    plain, normal = (
        compared(told(game.events), told(other)),
        [told(each, normal=True) for each in (game.events, other)],
    )

    assert plain.is_parted == (other != [*game.events])
    assert not compared(*normal).is_parted
    assert [encode(each.event) for each in normal[0]] == normal_lines(game.events)


@given(histories(), histories())
@so_often(40)
def test_two_games_part_where_the_bytes_of_their_normal_forms_do(
    a: tuple[Event, ...], b: tuple[Event, ...]
) -> None:
    lines = normal_lines(a), normal_lines(b)
    comparison = compared(told(a, normal=True), told(b, normal=True))

    alike = next((n for n, (one, other) in enumerate(zip(*lines, strict=False)) if one != other), None)
    assert comparison.alike == (min(map(len, lines)) if alike is None else alike)
    assert comparison.is_parted == (lines[0] != lines[1])


@given(whole_games())
@so_often(20)
def test_a_log_of_commands_is_the_same_as_that_of_its_events(game: Played) -> None:
    comparison = compared(told(game.events), told(as_commands(game.events)))

    assert (comparison.is_parted, comparison.alike) == (False, len(game.events))


@given(histories(), st.data())
@so_often(20)
def test_what_differs_is_all_that_makes_the_one_state_the_other(
    events: tuple[Event, ...], data: st.DataObject
) -> None:
    """With the values that differ taken from the other, a state becomes the other."""
    cut = data.draw(st.integers(1, len(events)))
    comparison = compared(told(events), told(events[:cut]))

    assert comparison.alike == cut
    assert comparison.b.told is None
    assert comparison.a.game == fold(events[: cut + 1])
    ours, theirs = leaves(state_json(comparison.a.game)), leaves(state_json(comparison.b.game))
    assert {path: value for path, value, _ in comparison.state if value is not None} == {
        path: value for path, value in ours.items() if value is not None and theirs.get(path) != value
    }
    assert {path: value for path, _, value in comparison.state if value is not None} == {
        path: value for path, value in theirs.items() if value is not None and ours.get(path) != value
    }


def leaves(value: Any, path: str = "$") -> dict[str, Any]:  # noqa: ANN401 - a JSON value
    if isinstance(value, dict):
        return {p: v for key, part in value.items() for p, v in leaves(part, f"{path}.{key}").items()}
    if isinstance(value, list):
        return {p: v for key, part in enumerate(value) for p, v in leaves(part, f"{path}[{key}]").items()}
    return {path: value}


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        (None, None, True),
        ({"a": 1, "b": [{"c": 1, "d": 2}]}, {"b": [{"d": 2, "c": 1}], "a": 1}, True),
        ({"a": -0.0}, {"a": 0.0}, True),
        ({}, None, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
    ],
)
def test_a_meta_is_compared_as_json_and_only_where_asked_for(
    ours: dict[str, Any] | None, theirs: dict[str, Any] | None, same: bool
) -> None:
    a, b = ([Told(1, GAME[0], meta), Told(2, GAME[1], None)] for meta in (ours, theirs))

    assert not compared(a, b).is_parted
    comparison = compared(a, b, meta=True)
    assert comparison.is_parted != same
    assert comparison.fields == (() if same else (("$.meta", ours, theirs),))
    assert comparison.alike == (2 if same else 0)
    assert comparison.state == ()


def test_a_meta_that_differs_where_it_is_not_asked_for_is_told_nowhere() -> None:
    a, b = [Told(1, GAME[0], {"a": 1})], [Told(1, played(POOL[1]).events[0], {"a": 2})]

    assert "$.meta" not in {path for path, *_ in compared(a, b).fields}
    assert "$.meta" in {path for path, *_ in compared(a, b, meta=True).fields}


def test_a_record_of_another_type_differs_in_all_that_only_one_has() -> None:
    kept = next(n for n, event in enumerate(GAME) if event.name == "tile-placed")
    placed, tile = told(GAME[: kept + 1])[-1], fold(GAME[:kept]).drawn[-1]
    assert isinstance(placed.event, TilePlaced)
    discarded = TileDiscarded(placed.event.player, tile, 3)
    comparison: Comparison = compared(told(GAME[: kept + 1]), [*told(GAME[:kept]), Told(9, discarded, None)])

    assert [path for path, *_ in comparison.fields] == ["$.type", "$.cell", "$.steps"]
    assert comparison.fields[1:] == (("$.cell", placed.event.cell, None), ("$.steps", None, 3))


def test_an_event_that_follows_by_itself_has_no_meta_of_its_command() -> None:
    """It stands on the line of the command, in a log of commands."""
    rights: list[Right] = []
    log = b"".join(encode(message, {"n": n}) for n, message in enumerate(as_commands(GAME)))
    assert [report.findings for report in validate(io.BytesIO(log), observe=rights.append)] == [()]

    events = told_by(rights)
    ended = [n for n, each in enumerate(events) if each.event.name in ("round-ended", "game-ended")]
    assert ended
    for n in ended:
        assert (events[n].meta, events[n].line) == (None, events[n - 1].line)
    assert [each.meta for each in events if each.meta] == [{"n": n} for n in range(len(rights))]
