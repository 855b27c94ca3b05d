"""What a log of commands leaves out because its program did it by itself: passes, and pick-ups by `landing`.

A turn is closed at the latest by the next draw, and in the last round by the end of the log. Where the log
does not say so, the command that closes it is put in before.
"""

from collections.abc import Iterator
from typing import Any, Final

from attrs import define, frozen

from karuba_adapters.codec import Message, Seal
from karuba_adapters.log_files import Line
from karuba_adapters.records import Meta
from karuba_core import (
    Collect,
    Command,
    Draw,
    Game,
    GameStarted,
    IllegalCommand,
    InvalidSetup,
    Pass,
    apply,
    start,
    violation,
)
from karuba_core.turns import open_players

MARK: Final = "implied"
"""The key in `meta` of a record that was put in, where such are marked."""


class Implied(dict[str, Any]):
    """The `meta` of a command that no record asked for, with that of the record in whose place it stands."""

    def meta(self, *, marked: bool) -> Meta:
        """Return what to write beside the game, with a mark that the command is implied or without."""
        noted = {MARK: True, **self} if marked else dict(self)  # a mark of the writer's own stays
        return noted or None


@frozen
class Implication:
    """What a log is taken to leave out.

    Attributes:
        passes: The pass of a turn that a draw, or the end of the log, closes.
        collects: By `landing`, the pick-up that such a turn, or one that is passed, cannot close without.
    """

    passes: bool
    collects: bool

    def closing(self, game: Game, player: str) -> Command | None:
        """Return the command that closes the open turn of a player, where it may be implied.

        None closes a turn whose tile is neither placed nor discarded: that is a choice, and it is not known.
        """
        refused = violation(game, Pass(player))
        if refused is None:
            return Pass(player) if self.passes else None
        walking = game.turn(player).adventurer
        if refused.code == "rule/must-collect" and self.collects and walking is not None:
            return Collect(player, walking)  # which closes the turn, too (R-COLLECT-3)
        return None

    def before(self, game: Game, message: Message | None) -> tuple[Command, ...]:
        """Return what is implied before a record; without one, at the end of the log.

        A draw says that the round before is closed. The end of a log is taken to say so, too, where every
        open turn can be closed; where one cannot, the log may be cut off and is left as it is.
        """
        if game.phase != "turns" or not isinstance(message, Draw | Seal | GameStarted | None):
            return ()
        closing = [self.closing(game, player) for player in open_players(game)]
        known = tuple(command for command in closing if command is not None)
        return known if isinstance(message, Draw) or len(known) == len(closing) else ()

    def instead(self, game: Game, message: Message) -> Message:
        """Return what a record means: a pass where the adventurer has to collect is that pick-up."""
        if self.collects and isinstance(message, Pass) and message.player in game.setup.players:
            closing = self.closing(game, message.player)
            return closing if isinstance(closing, Collect) else message
        return message


def with_implied(lines: Iterator[Line], implication: Implication) -> Iterator[Line]:
    """Yield the lines of a stream with what its logs of commands leave out; lines put in have no bytes.

    Args:
        lines: The lines as they were read.
        implication: What is left out; a log of events leaves out nothing.
    """
    course = _Course()
    number = 1
    for line in lines:
        number, text, message, meta = line
        if isinstance(message, tuple):
            course.game = None
            yield line
            continue
        for command in course.implied(implication, message):
            yield number, b"", command, Implied()
        if course.game is not None and (meant := implication.instead(course.game, message)) is not message:
            message, meta = meant, Implied(meta or {})
        course.take(message)
        yield number, text, message, meta
    for command in course.implied(implication, None):
        yield number, b"", command, Implied()


@define
class _Course:
    """Where the game of a log of commands stands, none after a fault; one of events stays at its opening."""

    game: Game | None = None

    def implied(self, implication: Implication, message: Message | None) -> Iterator[Command]:
        """Yield what is implied before a record, which then has happened."""
        if self.game is not None:
            for command in implication.before(self.game, message):
                self.take(command)
                yield command

    def take(self, message: Message) -> None:
        """Go on by a record."""
        try:
            if isinstance(message, GameStarted):
                self.game = start(message.setup).game
            elif self.game is not None and isinstance(message, Command):
                self.game = apply(self.game, message).game
        except (IllegalCommand, InvalidSetup):
            self.game = None
