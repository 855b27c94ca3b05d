"""What short lines have said before, so that a line that comes again is not decoded again.

Every log has the draws and the ends of rounds that others have; its turns come again only where the
same people play, as in a corpus of machines that play themselves.
"""

from typing import Final, get_args

from attrs import Factory, define

from karuba_adapters.codec import Message
from karuba_core import Command, Event, GameStarted, RoundEnded, TileDrawn

SHORT: Final = 512
"""The most bytes of a line that is remembered; no limit of a reader is so low that it refuses one."""

_MOST: Final = 1 << 14
_OF_NOBODY: Final = frozenset({GameStarted, TileDrawn, RoundEnded})
_ALL: Final = frozenset(get_args(Event) + get_args(Command))


@define
class KnownLines:
    """Lines and what they say, some thousands at most.

    Attributes:
        said: What a line without `meta` says, whoever reads it.
        kinds: The kinds of messages of which the next lines may come again.
    """

    said: dict[bytes, Message] = Factory(dict)
    kinds: set[type] = Factory(lambda: {*_OF_NOBODY})
    _players: frozenset[str] = frozenset()

    def add(self, line: bytes, message: Message) -> None:
        """Remember what a line says whose kind is among `kinds`, if it may come again."""
        if isinstance(message, GameStarted):
            players = frozenset(message.setup.players)
            if players.isdisjoint(self._players):
                self.kinds -= _ALL - _OF_NOBODY
            else:
                self.kinds |= _ALL
            self._players = players
        elif len(line) <= SHORT and not (isinstance(message, RoundEnded) and message.awards):
            if len(self.said) >= _MOST:
                self.said.clear()
            self.said[line] = message
