"""One way to write a game: logs that tell of the same game, with the same metas, get the same bytes.

In a round the records of the players follow each other by seat, each player's own in their order. The game is
the same, for the turns of a round interleave in any order (R-TURN-6).
"""

from collections.abc import Callable
from typing import Any

from attrs import evolve

from karuba_adapters.codec import Message
from karuba_adapters.log_writing import LogWriter
from karuba_adapters.records import Meta
from karuba_core import GameEnded, GameStarted


class NormalWriter:
    """Writes logs in their normal form, record by record, one log after another, and can seal each.

    Args:
        write: Takes the bytes of each line.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._writer = LogWriter(write)
        self._players: tuple[str, ...] = ()
        self._turns: list[tuple[int, Message, Meta]] = []

    def write(self, message: Message, meta: Meta = None) -> None:
        """Write one record; one of a turn waits until its round is complete, or for `flush`."""
        player = getattr(message, "player", None)
        if player is not None:
            self._turns.append((self._players.index(player), message, meta))
            return
        self.flush()
        if isinstance(message, GameStarted):
            self._players = message.setup.players
        self._writer.write(self._normal(message), in_order(meta))

    def seal(self, meta: Meta = None) -> None:
        """Write the seal of the log so far, its last record."""
        self.flush()
        self._writer.seal(in_order(meta))

    def flush(self) -> None:
        """Write what waits; the last log ends with it."""
        turns, self._turns = self._turns, []
        turns.sort(key=lambda turn: turn[0])  # which leaves what is of one seat in its order
        for _, message, meta in turns:
            self._writer.write(message, in_order(meta))

    def _normal(self, message: Message) -> Message:
        """Return a message with scores by seat, which a log may tell in any order."""
        if not isinstance(message, GameEnded):
            return message
        seats = {player: seat for seat, player in enumerate(self._players)}
        return evolve(message, scores=tuple(sorted(message.scores, key=lambda score: seats[score.player])))


def in_order(value: Any) -> Any:  # noqa: ANN401 - a JSON value
    """Return a JSON value with its keys in order, and with 0 for -0.0 (F-TEXT-1, F-TEXT-5)."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [in_order(entry) for entry in value]
    return value + 0.0 if isinstance(value, float) else value
