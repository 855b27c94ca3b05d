"""The normal form: one for all interleavings of a game, and the same game."""

import io
import json
from collections.abc import Sequence
from itertools import groupby
from random import Random
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import Message, encode, read_records, validate
from karuba_adapters.normalising import NormalWriter
from karuba_core import Event, GameEnded, RoundEnded, TileDrawn, command_of, fold
from tests.games_kit import NAMES
from tests.strategies import POOL, Played, played, so_often, whole_games

GAME = played(POOL[5]).events

Noted = tuple[Message, dict[str, Any] | None]

METAS = st.dictionaries(
    st.sampled_from("zay"), st.sampled_from([1, -0.0, 0.0, "x", {"b": 1, "a": [{"d": 0, "c": 0}]}])
)


def normal(records: Sequence[Noted], *, seal: bool = False) -> bytes:
    log = io.BytesIO()
    writer = NormalWriter(log.write)
    for message, meta in records:
        writer.write(message, meta)
    if seal:
        writer.seal({"b": 1, "a": 2})
    writer.flush()
    return log.getvalue()


def plain(records: Sequence[Noted]) -> bytes:
    return b"".join(encode(message, meta) for message, meta in records)


def noted(events: Sequence[Event]) -> list[Noted]:
    """Return events, each with a note that tells it from all others."""
    return [(event, {"n": number}) for number, event in enumerate(events)]


def reread(log: bytes) -> list[Noted]:
    return [(record.message, record.meta) for record in read_records(io.BytesIO(log))]


def interleaved(records: Sequence[Noted], random: Random) -> list[Noted]:
    """Return a game with the turns of each round in another order, and each player's own as it was."""
    order: list[Noted] = []
    for is_turn, group in groupby(records, lambda record: hasattr(record[0], "player")):
        part = [*group]
        if is_turn:
            queues = {name: [each for each in part if each[0].player == name] for name in NAMES}  # type: ignore[union-attr]
            seats = [each[0].player for each in part]  # type: ignore[union-attr]
            random.shuffle(seats)
            part = [queues[seat].pop(0) for seat in seats]
        order += part
    return order


def commands(records: Sequence[Noted]) -> list[Noted]:
    """Return the commands of a game of events, after its opening."""
    asked: list[Noted] = [records[0]]
    for message, meta in records[1:]:
        command = command_of(cast("Event", message))
        if command is not None:
            asked.append((command, meta))
    return asked


@given(whole_games(), st.randoms(use_true_random=False), st.booleans())
@so_often(40)
def test_all_interleavings_of_a_game_have_one_normal_form(game: Played, random: Random, asks: bool) -> None:
    records = noted(game.events)
    other = interleaved(records, random)
    if asks:
        records, other = commands(records), commands(other)

    assert normal(other) == normal(records)
    assert normal(reread(normal(other))) == normal(other)


@given(whole_games(), st.integers(0, 400))
@so_often(40)
def test_the_normal_form_is_the_same_game_and_right(game: Played, count: int) -> None:
    """Of a whole game, and of the beginning of one."""
    events = game.events[: count + 1]
    log = normal(noted(events), seal=True)
    (report,) = validate(io.BytesIO(log))

    assert report.findings == ()
    assert report.records == len(events) + 1
    happened = reread(log)[:-1]
    assert sorted(meta["n"] for _, meta in happened if meta) == list(range(len(events)))
    assert all(message == events[meta["n"]] for message, meta in happened if meta)
    assert fold([message for message, _ in happened]) == fold(events)  # type: ignore[misc]


@given(whole_games())
@so_often(20)
def test_in_a_round_players_follow_by_seat_and_keep_their_own_order(game: Played) -> None:
    happened = reread(normal(noted(game.events)))
    for is_turn, group in groupby(happened, lambda record: hasattr(record[0], "player")):
        if is_turn:
            places = [(NAMES.index(message.player), (meta or {})["n"]) for message, meta in group]  # type: ignore[union-attr]
            assert places == sorted(places)


def test_a_round_is_not_mixed_with_another() -> None:
    """An opening, a draw, the end of a round and of the game stand where they stood."""
    events = GAME
    happened = [message for message, _ in reread(normal(noted(events)))]
    fixed = (TileDrawn, RoundEnded, GameEnded)

    assert [(n, message) for n, message in enumerate(happened) if isinstance(message, fixed)] == [
        (n, event) for n, event in enumerate(events) if isinstance(event, fixed)
    ]


def test_a_log_of_commands_ends_where_the_next_begins() -> None:
    """Nothing but `flush`, a seal or another opening tells that a round of commands is over."""
    records = commands(noted(GAME))

    assert normal(records + records) == normal(records) * 2


def test_scores_stand_by_seat() -> None:
    events = GAME
    end = events[-1]
    assert isinstance(end, GameEnded)
    turned = GameEnded(end.reason, end.scores[::-1], end.winners)
    log = normal(noted((*events[:-1], turned)))

    assert list(json.loads(log.splitlines()[-1])["scores"]) == [score.player for score in end.scores]
    assert log == normal(noted(events))


@given(METAS)
@so_often(50)
def test_a_meta_is_kept_and_its_keys_are_put_in_order(meta: dict[str, Any]) -> None:
    opening = GAME[0]
    turned = dict(reversed(meta.items()))

    assert normal([(opening, meta)]) == normal([(opening, turned)])
    assert json.loads(normal([(opening, meta)]))["meta"] == meta
    assert b"-0" not in normal([(opening, meta)])


def test_keys_are_in_order_at_every_depth() -> None:
    for count in (1, 3):  # an opening, and a record of a turn
        log = normal(
            [*noted(GAME[: count - 1]), (GAME[count - 1], {"b": [{"z": 1, "y": 2}], "a": {"d": 1, "c": 2}})]
        )
        assert log.endswith(b'"meta":{"a":{"c":2,"d":1},"b":[{"y":2,"z":1}]}}\n')
