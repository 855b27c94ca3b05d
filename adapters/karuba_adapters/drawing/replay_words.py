"""What a record says, in words that a page can show without reading them as anything but text.

A player stands in the words as a seat, 0 for the first, so that no name gets mixed up with the
sentence round it: whoever shows them puts the name there, kept apart.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from karuba_adapters.codec import Seal
from karuba_adapters.judging import Right
from karuba_core import (
    TILES,
    AdventurerMoved,
    Award,
    Event,
    GameEnded,
    GameStarted,
    RoundEnded,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TreasureCollected,
    TurnPassed,
)

Words = tuple[str | int, ...]
"""Texts and seats in the order in which they are read."""


def record_words(right: Right) -> Words:
    """Return what happened with a record: all its events, where it is a command that others followed.

    >>> import io
    >>> from karuba_adapters import encode, validate
    >>> from karuba_core import Layout, Pair, Setup, preset, start
    >>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
    >>> (opening,) = start(Setup(("ana", "ben"), "ben", layout, preset("official", 2))).events
    >>> rights = []
    >>> reports = list(validate(io.BytesIO(encode(opening)), observe=rights.append))
    >>> record_words(rights[0])
    ('The game begins: ', 0, ' and ', 1, '; ', 1, ' leads')
    """
    if isinstance(right.message, Seal):
        return ("The log is sealed",)
    seat_of = right.step.game.seat
    sentences = [(*_SAYERS[type(event)](event, seat_of),) for event in right.step.events]
    return joined(sentences, "; ", "; ")


def joined(parts: Sequence[Words], comma: str = ", ", last: str = " and ") -> Words:
    """Return parts in a row.

    >>> joined([(0,), (1,), (2,)])
    (0, ', ', 1, ' and ', 2)
    """
    words: list[str | int] = []
    for index, part in enumerate(parts):
        if index:
            words.append(last if index == len(parts) - 1 else comma)
        words += part
    return tuple(words)


_Seat = Callable[[str], int]
_Said = Iterator[str | int]


def _started(event: GameStarted, seat_of: _Seat) -> _Said:
    yield "The game begins: "
    yield from joined([(seat_of(player),) for player in event.setup.players])
    yield "; "
    yield seat_of(event.setup.leader)
    yield " leads"


def _drawn(event: TileDrawn, _: _Seat) -> _Said:
    tile = TILES[event.tile - 1]
    yield f"Round {event.round}: tile {tile.number}, {tile.exits}"
    if tile.treasure:
        yield f" with {_TREASURES[tile.treasure]}"


def _placed(event: TilePlaced, seat_of: _Seat) -> _Said:
    yield seat_of(event.player)
    yield f" places the tile on {event.cell}"


def _discarded(event: TileDiscarded, seat_of: _Seat) -> _Said:
    yield seat_of(event.player)
    yield f" discards the tile for {event.steps} steps"


def _moved(event: AdventurerMoved, seat_of: _Seat) -> _Said:
    *over, last = event.path
    yield seat_of(event.player)
    yield f" moves {event.adventurer} "
    if over:
        yield f"over {', '.join(over)} "
    yield "into its temple" if last == "temple" else f"to {last}"


def _collected(event: TreasureCollected, seat_of: _Seat) -> _Said:
    yield seat_of(event.player)
    yield f" takes {_TREASURES[event.treasure]} on {event.cell}"


def _passed(event: TurnPassed, seat_of: _Seat) -> _Said:
    yield seat_of(event.player)
    yield " passes"


def _round_ended(event: RoundEnded, seat_of: _Seat) -> _Said:
    yield f"Round {event.round} ends"
    if event.awards:
        yield ": "
        yield from joined([(seat_of(award.player), _got(award)) for award in event.awards])


def _got(award: Award) -> str:
    makes_up = {0: "", 1: " and a crystal"}.get(award.crystals, f" and {award.crystals} crystals")
    return f" gets {award.token}{makes_up} for the {award.temple} temple"


def _game_ended(event: GameEnded, seat_of: _Seat) -> _Said:
    every = "all four adventurers home" if event.reason == "all-home" else f"all {len(TILES)} tiles played"
    yield f"The game ends, {every}: "
    yield from joined([(seat_of(player),) for player in event.winners])
    yield " share the win" if len(event.winners) > 1 else " wins"


_TREASURES: Final = {"crystal": "a crystal", "gold": "gold"}

_SAYERS: Final[Mapping[type[Event], Callable[[Any, _Seat], _Said]]] = {
    GameStarted: _started,
    TileDrawn: _drawn,
    TilePlaced: _placed,
    TileDiscarded: _discarded,
    AdventurerMoved: _moved,
    TreasureCollected: _collected,
    TurnPassed: _passed,
    RoundEnded: _round_ended,
    GameEnded: _game_ended,
}
