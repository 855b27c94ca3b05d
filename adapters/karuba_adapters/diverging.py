"""Where two logs part: their first records that differ, and in what the games differ after them.

Logs of events and of commands are compared alike, by the events that their records stand for; a seal
stands for none.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

import orjson
from attrs import frozen

from karuba_adapters.codec import encode
from karuba_adapters.findings import Report
from karuba_adapters.judging import Right
from karuba_adapters.normalising import in_order
from karuba_adapters.records import Meta
from karuba_adapters.state_json import state_json
from karuba_core import Event, Game, GameStarted, fold
from karuba_core.wording import member_path

DIFF_FORMAT: Final = "karuba-diff/1"


@frozen
class Told:
    """An event of a log.

    Attributes:
        line: The line of the record that stands for it.
        event: What happened.
        meta: What stands beside it; nothing beside an event that follows a command by itself.
    """

    line: int
    event: Event
    meta: Meta

    def record(self, *, meta: bool) -> dict[str, Any]:
        """Return the event as a record, with its `meta` or without."""
        value: dict[str, Any] = orjson.loads(encode(self.event, self.meta if meta else None))
        return value


@frozen
class Side:
    """One of two logs, where they part.

    Attributes:
        told: Its first event that differs; None where it has no more.
        game: The game after it.
    """

    told: Told | None
    game: Game


Row = tuple[str, Any, Any]
"""Something that differs: its JSON path and both values; None stands for what is not there."""


@frozen
class Comparison:
    """Two logs beside each other.

    Attributes:
        alike: How many events they have in common before they part.
        a: The one.
        b: The other.
        fields: In what the two records differ, where both logs have one.
        state: In what the games after them differ.
    """

    alike: int
    a: Side
    b: Side
    fields: tuple[Row, ...]
    state: tuple[Row, ...]

    @property
    def is_parted(self) -> bool:
        """Whether there is a difference, and not the end of both."""
        return self.a.told is not None or self.b.told is not None


def told_by(records: Iterable[Right], *, normal: bool = False) -> list[Told]:
    """Return the events of a log, found right, of one game.

    Args:
        records: Its records, the opening first.
        normal: Whether to order what the players of a round do by seat; the game is the same (R-TURN-6).
    """
    events = [
        Told(right.line, event, None if index else right.meta)
        for right in records
        for index, event in enumerate(right.step.events)
    ]
    return _by_seat(events) if normal else events


def _by_seat(events: list[Told]) -> list[Told]:
    """Return events with those of a round by seat, each player's own in their order."""
    seats: dict[str, int] = {}
    places, block = [], 0
    for told in events:
        if isinstance(told.event, GameStarted):
            seats = {player: seat for seat, player in enumerate(told.event.setup.players, start=1)}
        player = getattr(told.event, "player", None)
        if player is None:
            block += 1
        places.append((block, 0 if player is None else seats[player]))
    return [events[index] for index in sorted(range(len(events)), key=places.__getitem__)]


def compared(a: Sequence[Told], b: Sequence[Told], *, meta: bool = False) -> Comparison:
    """Return where two logs part.

    Args:
        a: The events of the one, the opening first.
        b: The events of the other.
        meta: Whether a `meta` that differs is a difference.
    """
    alike = sum(1 for _ in takewhile(lambda pair: _is_same(*pair, meta=meta), zip(a, b, strict=False)))
    one, other = _side(a, alike), _side(b, alike)
    fields: tuple[Row, ...] = ()
    if one.told is not None and other.told is not None:
        fields = (*_differing(one.told.record(meta=False), other.told.record(meta=False)),)
        if meta and _text(one.told.meta) != _text(other.told.meta):
            fields += (("$.meta", one.told.meta, other.told.meta),)
    return Comparison(alike, one, other, fields, (*_differing(state_json(one.game), state_json(other.game)),))


def _is_same(a: Told, b: Told, *, meta: bool) -> bool:
    return a.event == b.event and (not meta or _text(a.meta) == _text(b.meta))


def _text(meta: Meta) -> bytes:
    """Return a `meta` so that it is compared as JSON: to Python, true is 1 and 1 is 1.0."""
    return orjson.dumps(in_order(meta))


def _side(events: Sequence[Told], alike: int) -> Side:
    game = fold(told.event for told in events[: alike + 1])
    return Side(events[alike] if alike < len(events) else None, game)


def _differing(a: Any, b: Any) -> Iterator[Row]:  # noqa: ANN401 - JSON values
    """Yield the parts in which two JSON values differ, down to single values."""
    ours, others = dict(_parts("$", a)), dict(_parts("$", b))
    for path in ours | others:
        if ours.get(path) != others.get(path):
            yield path, ours.get(path), others.get(path)


def _parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a JSON value
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _parts(member_path(path, key), part)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _parts(f"{path}[{index}]", part)
    else:
        yield path, value


def comparison_json(comparison: Comparison, reports: tuple[Report, Report], *, meta: bool) -> dict[str, Any]:
    """Return a comparison in its JSON form, `karuba-diff/1`, ready to be written as one object.

    Args:
        comparison: Where the logs part.
        reports: What is said of the one and of the other.
        meta: Whether their `meta` was compared.
    """
    sides = zip("ab", reports, (comparison.a, comparison.b), strict=True)
    return {
        "format": DIFF_FORMAT,
        "same": not (comparison.is_parted or any(report.findings for report in reports)),
        "alike": comparison.alike,
        **{
            name: {
                "file": report.file,
                "verdict": report.verdict,
                "line": side.told and side.told.line,
                "record": side.told and side.told.record(meta=meta),
            }
            for name, report, side in sides
        },
        "fields": [*map(_row, comparison.fields)],
        "state": [*map(_row, comparison.state)],
    }


def _row(row: Row) -> dict[str, Any]:
    return dict(zip(("path", "a", "b"), row, strict=True))
