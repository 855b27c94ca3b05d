"""What a player does in a turn, as text and back: `b3`, `Bl a2 b2 *`, `-`.

A text says the commands of a turn that is not begun, or of the rest of one that is. A turn that is still
open after its last word is passed, unless a full stop leaves it open (N-TURN-5).
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import Factory, define, evolve, frozen

from karuba_adapters.notation.words import COLOUR_WORDS, Word, Words, comment_text, refused, unexpected
from karuba_adapters.records import Meta
from karuba_core import Collect, Command, Discard, Game, IllegalCommand, Move, Pass, Place, apply
from karuba_core.moving import TEMPLE
from karuba_core.turns import open_players

_Kind = type[Place | Discard | Move | Collect | Pass] | None
_Following = Mapping[str, tuple[str, _Kind]]

_PLAY: Final[_Following] = {"cell": ("placed", Place), "-": ("discarded", Discard)}
_LEAD: Final[_Following] = {"colour": ("led", None)}
_STEP: Final[_Following] = {"cell": ("walked", Move), "^": ("walked", Move)}
_TAKE: Final[_Following] = {"*": ("collected", Collect)}
_LEAVE: Final[_Following] = {"pass": ("passed", Pass), ".": ("left open", None)}

_FOLLOWING: Final[Mapping[str, _Following]] = MappingProxyType(
    {
        "begun": {**_PLAY, "colour": ("led", Discard), **_LEAVE},  # N-TURN-3: who walks has discarded
        "resumed": {**_PLAY, **_LEAD, **_LEAVE},
        "placed": {},
        "discarded": _LEAVE,
        "led": {**_STEP, **_TAKE},
        "walked": {"cell": ("walked", None), "^": ("walked", None), ",": ("parted", None)}
        | {**_TAKE, **_LEAD, **_LEAVE},
        "parted": _STEP,
        "collected": {**_STEP, **_TAKE, **_LEAD, **_LEAVE},
        "passed": {},
        "left open": {},
    }
)
"""By what was read: which words may follow, what is read then, and which command begins (N-TURN-1)."""

_UNENDED: Final = {"begun", "resumed", "led", "parted"}
_WHAT: Final = {"cell": "a cell", "colour": "a colour", ",": "a comma", ".": "a full stop"}


@frozen
class Given:
    """A command that was found right, its meta, and the game after it."""

    command: Command
    meta: Meta
    game: Game


@define
class _Act:
    """A command as it is written; of a move, the words are its entries."""

    kind: _Kind
    colour: str
    words: list[Word]
    meta: Meta = None

    def command(self, player: str) -> Command:
        """Return the command (N-TURN-2, N-TURN-4)."""
        if self.kind is Place:
            return Place(player, self.words[0].said)
        if self.kind is Move:
            return Move(player, self.colour, tuple(word.said for word in self.words))
        if self.kind is Collect:
            return Collect(player, self.colour)
        return Discard(player) if self.kind is Discard else Pass(player)

    def applied(self, game: Game, player: str) -> Given:
        """Return the command and what comes of it; a refusal tells the column of the word at fault."""
        command = self.command(player)
        try:
            return Given(command, self.meta, apply(game, command).game)
        except IllegalCommand as illegal:
            entry = illegal.violation.path.removeprefix("$.path[").removesuffix("]")
            word = self.words[int(entry) if entry.isdecimal() else 0]
            raise refused(word, illegal.violation) from None


@define
class _Reading:
    """What the words of an action say, as far as they are read."""

    state: str
    colour: str = ""
    acts: list[_Act] = Factory(list)

    def take(self, word: Word) -> None:
        """Go on by a word."""
        if word.kind == "comment":
            self._note(word)
            return
        following, may_end = _FOLLOWING[self.state], self.state not in _UNENDED
        if word.kind == "end" and may_end:
            return
        if word.kind not in following:
            what = [_WHAT.get(kind, kind) for kind in following] + ["the end"] * may_end
            raise unexpected("N-TURN-1", word, " or ".join(filter(None, (", ".join(what[:-1]), what[-1]))))
        self.state, begins = following[word.kind]
        if word.kind == "colour":
            self.colour = word.said
        if begins is not None:
            self.acts.append(_Act(begins, self.colour, [word]))
        elif word.kind in _STEP:
            self.acts[-1].words.append(word)

    def _note(self, comment: Word) -> None:
        # N-COMMENT-2: it belongs to the command in which or after which it stands.
        if not self.acts or self.acts[-1].meta is not None or self.state == "left open":
            raise unexpected("N-COMMENT-2", comment, "a comment after what it is about, one alone")
        self.acts[-1].meta = comment.said


def read_turn(game: Game, player: str, words: Sequence[Word]) -> Iterator[Given]:
    """Yield the commands of a turn, or of the rest of one, each found right by the rules.

    Args:
        game: The game before them.
        player: Who acts.
        words: The words of one action, an `end` the last.

    Raises:
        Fault: A word stands where none like it may (`notation/unexpected`), or the rules refuse what
            it says (codes `rule/…`); the message begins with its column.
    """
    is_begun = player in game.setup.players and game.turn(player).stage == "walking"
    reading = _Reading("resumed" if is_begun else "begun")
    for word in words:
        reading.take(word)
    for act in reading.acts:
        given = act.applied(game, player)
        game = given.game
        yield given
    is_open = player in open_players(game)
    if reading.state == "left open":
        if not is_open:
            raise unexpected("N-TURN-5", words[-2], "the end, for the turn is closed")
    elif is_open:
        yield _Act(Pass, "", [words[-1]]).applied(game, player)


def read_action(game: Game, player: str, text: str) -> tuple[Command, ...]:
    """Return the commands that a text stands for, all of them legal one after another.

    Args:
        game: The game before them.
        player: Who acts.
        text: One action of the notation, such as `Bl a2 b2 *`; it has no comments.

    Raises:
        Fault: It is none, or the rules refuse it, as `read_turn` says.

    >>> from karuba_core import Draw, Layout, Pair, Setup, preset, start
    >>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
    >>> game = start(Setup(("ana", "ben"), "ana", layout, preset("official", 2))).game
    >>> game = apply(game, Draw(7)).game
    >>> read_action(game, "ana", "b3")
    (Place(player='ana', cell='b3'),)
    >>> read_action(game, "ana", "-")
    (Discard(player='ana'), Pass(player='ana'))
    >>> read_action(game, "ana", "Bl g9")
    Traceback (most recent call last):
    karuba_adapters.records.Fault: column 4: "g9": expected a cell, a1 to f5, got "g9" [rule/unknown-cell]
    """
    words = [*Words(text).action()]
    for word in words:
        if word.kind == "comment" or word.text == "|":
            raise unexpected("N-TURN-1", evolve(word, kind="unknown"), "one action without comments")
    return tuple(given.command for given in read_turn(game, player, words))


def action_text(game: Game, commands: Sequence[Command]) -> str:
    """Return what a player does, as text that `read_action` reads back.

    Args:
        game: The game before the commands.
        commands: What the player asks for in one turn, or in the beginning or the rest of one, in order.

    Raises:
        IllegalCommand: The rules refuse one of them.
        ValueError: A draw is among them, or two players are.
    """
    return turn_text(game, [(command, None) for command in commands])[0]


def turn_text(game: Game, commands: Sequence[tuple[Command, Meta]]) -> tuple[str, Game]:
    """Return what a player does as text, with each meta in a comment, and the game after it."""
    players = {getattr(command, "player", None) for command, _ in commands}
    if None in players or len(players) > 1:
        raise ValueError("expected commands of the turn of one player")
    for command, _ in commands:
        game = apply(game, command).game
    words: list[str] = []
    around = [None, *(command for command, _ in commands), None]
    for (command, meta), before, after in zip(commands, around, around[2:], strict=False):
        if isinstance(command, Move) and isinstance(before, Move):
            words[-1] += ","
        words += _words(command, after, leads=before is None)
        if meta is not None:
            words += ["pass"] * (isinstance(command, Pass) and before is not None)
            words.append(comment_text(meta))
    if not players or not players.isdisjoint(open_players(game)):
        words.append(".")
    return " ".join(words), game


def _words(command: Command, after: Command | None, *, leads: bool) -> Iterator[str]:
    """Yield the words of a command; the first of a text names its adventurer, or else its discard does."""
    match command:
        case Place():
            yield command.cell
        case Discard():
            yield COLOUR_WORDS[after.adventurer] if isinstance(after, Move | Collect) else "-"
        case Move() | Collect():
            if leads:
                yield COLOUR_WORDS[command.adventurer]
            steps = command.path if isinstance(command, Move) else ("*",)
            yield from ("^" if step == TEMPLE else step for step in steps)
        case Pass() if leads:  # any other is implied (N-TURN-5)
            yield "pass"
