"""What short lines have said before, so that a line that comes again is not decoded again.

Every log has the draws and the ends of rounds that others have; its turns come again only where the
same people play, as in a corpus of machines that play themselves.
"""

from typing import Any, Final

from attrs import Factory, define

from karuba_adapters.codec import Message
from karuba_core import GameStarted, RoundEnded, TileDrawn

SHORT: Final = 512
"""The most bytes of a line that is remembered; no limit of a reader is so low that it refuses one."""

_MOST: Final = 1 << 14


@define
class KnownLines:
    """Lines and what they say, some thousands at most.

    Attributes:
        said: What a line without `meta` says, whoever reads it.
    """

    said: dict[bytes, Message] = Factory(dict)
    _players: frozenset[str] = frozenset()
    _play_again: bool = False

    def add(self, line: bytes, message: Message) -> None:
        """Remember what a line says, if it may come again."""
        kind = type(message)
        if kind is GameStarted:
            self._open(message)
        elif (self._play_again or kind is TileDrawn or _is_unpaid(message)) and len(line) <= SHORT:
            if len(self.said) == _MOST:
                self.said.clear()
            self.said[line] = message

    def _open(self, opening: Any) -> None:  # noqa: ANN401 - GameStarted, as its type says
        players = frozenset(opening.setup.players)
        self._play_again = not players.isdisjoint(self._players)
        self._players = players


def _is_unpaid(message: Message) -> bool:
    """Return whether a message is the end of a round without awards, which name somebody."""
    return isinstance(message, RoundEnded) and not message.awards
