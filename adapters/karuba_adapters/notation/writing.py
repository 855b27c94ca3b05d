"""Logs written as games in the notation."""

from collections.abc import Callable
from typing import Final

from karuba_adapters.codec import Message, encode
from karuba_adapters.limits import LIMITS
from karuba_adapters.notation.header import header_lines
from karuba_adapters.notation.rounds import round_text
from karuba_adapters.records import Fault, Meta
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Game,
    GameStarted,
    Move,
    Pass,
    Place,
    Violation,
    start,
)

_TURNS: Final = (Place, Discard, Move, Collect, Pass)


class NotationWriter:
    """Writes games in the canonical form of the notation, from the records of logs of commands (N-FORM-1).

    A seal has no place in it (N-LOSS-1).

    Args:
        write: Takes the bytes of the lines.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._game: Game | None = None
        self._draw: tuple[Draw, Meta] | None = None
        self._turns: dict[str, list[tuple[Command, Meta]]] = {}

    def write(self, message: Message, meta: Meta = None) -> None:
        """Take one record, found right; one of a round waits until its round is complete, or for `flush`.

        Raises:
            Fault: A line cannot be written so that it is read again: its metas are no JSON
                (`shape/wrong-type`), or too long (`text/line-too-long`).
            ValueError: It is neither an opening nor a command.
        """
        encode(message, meta)
        if isinstance(message, _TURNS):
            self._turns.setdefault(message.player, []).append((message, meta))
            return
        self.flush()
        if isinstance(message, Draw):
            self._draw = message, meta
        elif isinstance(message, GameStarted):
            header = header_lines(message.setup, meta)
            self._put(*header if self._game is None else ("", *header))
            self._game = start(message.setup).game
        else:
            raise ValueError(f"expected an opening or a command, got {message.name}")  # noqa: TRY004 - a value

    def seal(self, _meta: Meta = None) -> None:
        """End the game, as a seal ends its log."""
        self.flush()

    def flush(self) -> None:
        """Write what waits; the last game ends with it."""
        draw, turns = self._draw, self._turns
        self._draw, self._turns = None, {}
        if draw is not None and self._game is not None:
            line, self._game = round_text(self._game, draw, turns)
            self._put(*("", line) if self._game.round == 1 else (line,))

    def _put(self, *lines: str) -> None:
        for line in lines:
            text = line.encode()
            if len(text) > LIMITS.line:
                message = f"its line would be longer than {LIMITS.line} bytes, the most that are read"
                raise Fault(Violation("text/line-too-long", "F-TEXT-6", "$", message))
            self._write(text + b"\n")
