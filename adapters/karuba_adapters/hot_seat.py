"""A round as players at one terminal play it: who is asked, what may be done, and the way back.

Nothing is written here. Whoever keeps a log takes the commands of a round once it is closed, so that
until then every action can be taken back.
"""

from collections.abc import Container, Iterable
from random import Random

from attrs import frozen

from karuba_adapters.decks import undrawn
from karuba_adapters.notation.turns import action_text, read_action
from karuba_adapters.players import Policy
from karuba_adapters.records import Fault
from karuba_core import (
    COLOURS,
    TILES,
    Collect,
    Command,
    Discard,
    Draw,
    Game,
    Move,
    Violation,
    apply,
    legal_commands,
)
from karuba_core.turns import open_players
from karuba_core.wording import shown


@frozen
class Act:
    """What was done at once, by one line of input say.

    Attributes:
        player: Who did it; the draw is nobody's.
        commands: What was asked for, in order.
        before: The game before.
        after: The game after, with all that was due.
    """

    player: str | None
    commands: tuple[Command, ...]
    before: Game
    after: Game

    @property
    def text(self) -> str:
        """What the player did, in the notation."""
        return action_text(self.before, self.commands)


@frozen
class Round:
    """A round with all that was done in it and does not stand in its log yet, a value.

    Attributes:
        start: The game as it stands in the log: before the round, or somewhere in it.
        acts: What was done since, in order; the draw is the first, if the log does not have it.

    >>> from karuba_adapters.decks import opening
    >>> from karuba_core import preset, start
    >>> first = opened(start(opening(("ana", "ben"), 7, preset("official", 2))).game, 7)
    >>> placed = first.act("b3")
    >>> first.player, placed.player, placed.undo({"ana", "ben"}) == first
    ('ana', 'ben', True)
    >>> closed = placed.act("c4")
    >>> closed.player, closed.commands
    (None, (Draw(tile=17), Place(player='ana', cell='b3'), Place(player='ben', cell='c4')))
    """

    start: Game
    acts: tuple[Act, ...] = ()

    @property
    def game(self) -> Game:
        """The game after all that was done."""
        return self.acts[-1].after if self.acts else self.start

    @property
    def player(self) -> str | None:
        """Who is asked next: the first by seat whose turn is open; nobody once the round is closed."""
        return next(iter(open_players(self.game)), None)

    @property
    def commands(self) -> tuple[Command, ...]:
        """All that was asked for, in order."""
        return tuple(command for act in self.acts for command in act.commands)

    @property
    def choices(self) -> tuple[tuple[Command, ...], ...]:
        """What the player may do but for placing: moves and pick-ups by adventurer, the pass last.

        Where the tile is not played yet, each begins with its discard.
        """
        player, game = self._asked(), self.game
        lead = (Discard(player),) if game.turn(player).stage == "to-play" else ()
        ways = legal_commands(_after(game, lead), player)
        return tuple((*lead, way) for way in sorted(ways, key=_seat_of_adventurer))

    def act(self, text: str) -> "Round":
        """Return the round after a line of input; a full stop alone changes nothing.

        Args:
            text: The number of a choice, 1 for the first, or an action of the notation.

        Raises:
            Fault: It is neither (`notation/unexpected`, `text/…`), or the rules refuse it (`rule/…`).
            ValueError: The round is closed.
        """
        player, said = self._asked(), text.strip()
        if not said.isdecimal():
            return _with(self, player, read_action(self.game, player, text))
        numbered = {str(number): choice for number, choice in enumerate(self.choices, 1)}
        if said not in numbered:
            message = f"expected the number of a choice, 1 to {len(numbered)}, found {shown(said)}"
            raise Fault(Violation("notation/unexpected", "N-TURN-1", "$", message))
        return _with(self, player, numbered[said])

    def play(self, policy: Policy, seed: int) -> "Round":
        """Return the round after the rest of the turn of the player who is next, by a policy.

        The same seed does the same again: undoing what others did throws no new dice.

        Raises:
            ValueError: The round is closed.
        """
        player, game = self._asked(), self.game
        turns = (seed * len(TILES) + game.round) * len(game.turns) + game.seat(player)
        random = Random(turns)  # noqa: S311 - seeded games, not secrets
        commands: list[Command] = []
        while player in open_players(game):
            commands.append(policy(game, player, random))
            game = _after(game, commands[-1:])
        return _with(self, player, commands)

    def undo(self, players: Container[str | None]) -> "Round | None":
        """Return the round before the last act of any of some players; None where there is no such act.

        What others did after it goes as well.
        """
        for index in reversed(range(len(self.acts))):
            if self.acts[index].player in players:
                return Round(self.start, self.acts[:index])
        return None

    def _asked(self) -> str:
        if self.player is None:
            raise ValueError("the round is closed: nobody is asked")
        return self.player


def opened(game: Game, seed: int) -> Round:
    """Return the round to play in a game: the open one, or the next, its tile drawn.

    Args:
        game: A game that is not over and in which nothing is due.
        seed: For the deck in whose order come the tiles that were not drawn.
    """
    if game.phase == "turns":
        return Round(game)
    return _with(Round(game), None, [Draw(next(undrawn(game, seed)))])


def _with(now: Round, player: str | None, commands: Iterable[Command]) -> Round:
    done = tuple(commands)
    act = Act(player, done, now.game, _after(now.game, done))
    return Round(now.start, (*now.acts, act)) if done else now


def _after(game: Game, commands: Iterable[Command]) -> Game:
    for command in commands:
        game = apply(game, command).game
    return game


def _seat_of_adventurer(command: Command) -> int:
    return COLOURS.index(command.adventurer) if isinstance(command, Move | Collect) else len(COLOURS)
