"""The rules of Karuba as one decider: which function serves which command and which event."""

from collections.abc import Iterable, Iterator
from itertools import islice
from types import MappingProxyType
from typing import Final, cast

from karuba_core import closing, collecting, decider, drawing, moving, placing
from karuba_core.board import BEACH_PLACE
from karuba_core.commands import Collect, Command, Discard, Draw, Move, Pass, Place
from karuba_core.decider import Decider, Step, Violation
from karuba_core.events import (
    AdventurerMoved,
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
from karuba_core.opening import InvalidSetup, Setup, setup_violations
from karuba_core.state import TO_PLAY, Game, Island
from karuba_core.table import Table, table_of
from karuba_core.tiles import BARE_ISLAND
from karuba_core.turns import awaited


def _start(event: Event) -> Game:
    if not isinstance(event, GameStarted):
        raise decider.Mismatch(
            Violation("log/no-opening", "F-LOG-1", "$.type", f"expected game-started first, got {event.name}")
        )
    setup = event.setup
    if faults := setup_violations(setup):
        raise InvalidSetup(faults)
    # R-SETUP-9: all islands start alike, bare, with the adventurers on their beach numbers.
    beaches = bytes(BEACH_PLACE[pair.beach] for pair in setup.layout.pairs)
    island, seats = Island(BARE_ISLAND, b"", beaches), len(setup.players)
    return Game(setup, b"", (island,) * seats, (TO_PLAY,) * seats, (), "draw")


KARUBA: Final[Decider[Game, Command, Event]] = Decider(
    start=_start,
    decide=MappingProxyType(
        {
            Draw: drawing.decide,
            Place: placing.decide_place,
            Discard: placing.decide_discard,
            Move: moving.decide,
            Collect: collecting.decide,
            Pass: closing.decide_pass,
        }
    ),
    due=closing.due,
    evolve=MappingProxyType(
        {
            TileDrawn: drawing.evolve,
            TilePlaced: placing.evolve_place,
            TileDiscarded: placing.evolve_discard,
            AdventurerMoved: moving.evolve,
            TreasureCollected: collecting.evolve,
            TurnPassed: closing.evolve_pass,
            RoundEnded: closing.evolve_round,
            GameEnded: closing.evolve_game,
        }
    ),
    answers=MappingProxyType(
        {
            TileDrawn: Draw,
            TilePlaced: Place,
            TileDiscarded: Discard,
            AdventurerMoved: Move,
            TreasureCollected: Collect,
            TurnPassed: Pass,
        }
    ),
    is_over=lambda game: game.phase == "over",
    awaits=awaited,
    because=MappingProxyType(
        {
            TileDrawn: drawing.because,
            TilePlaced: placing.because,
            TileDiscarded: placing.because,
            TreasureCollected: collecting.because,
            RoundEnded: closing.because_of_round,
            GameEnded: closing.because_of_game,
        }
    ),
)
"""The rules of Karuba, for the functions of `karuba_core.decider`."""

AT_TABLE: Final = cast("Decider[Table, Command, Event]", KARUBA)
"""The same rules where a game is played on in place; it has to be started already."""


def start(setup: Setup) -> Step[Game, Event]:
    """Return the game at its opening, with its first event.

    Args:
        setup: Players, leader, layout and rules.

    Raises:
        InvalidSetup: The setup breaks the rules (codes `setup/…`, R-SETUP-1 to R-SETUP-8).
    """
    opening = GameStarted(setup)
    return Step(_start(opening), (opening,))


def apply(game: Game, command: Command) -> Step[Game, Event]:
    """Return the game after a command, with its event and all that is due after it.

    Args:
        game: The game, which stays as it is.
        command: What a player asks for.

    Returns:
        The game after it; its events are the command's, then perhaps `RoundEnded` and `GameEnded`.

    Raises:
        IllegalCommand: The command breaks the rules (codes `rule/…`).
    """
    return decider.apply(KARUBA, game, command)


def violation(game: Game, command: Command) -> Violation | None:
    """Return why a command is illegal, or None where it is legal; a bad move never raises.

    Args:
        game: The game.
        command: What a player asks for, in the types that its class declares.

    Returns:
        The first guard that fails, in the order of `spec/rules.md` (codes `rule/…`).
    """
    return decider.violation(KARUBA, game, command)


def due(game: Game) -> Event | None:
    """Return the event that must follow by itself before any command, if any.

    Only a game folded from a log that was cut off just there has one; `settle` goes past it.

    Args:
        game: The game.

    Returns:
        `RoundEnded`, `GameEnded` or None (R-CLOSE-2, R-END-1, R-END-2).
    """
    return closing.due(game)


def settle(game: Game) -> Step[Game, Event]:
    """Return the game after all that is due, which is nothing in a game that `apply` returned.

    Args:
        game: The game, which stays as it is.
    """
    return decider.settle(KARUBA, game)


def command_of(event: Event) -> Command | None:
    """Return the command that an event answers; None for the opening and what follows by itself.

    Args:
        event: Any event.
    """
    return decider.command_of(KARUBA, event)


def check(game: Game, event: Event) -> Game:
    """Return the game after one recorded event, judged against the rules.

    Args:
        game: The game before it, which stays as it is.
        event: The event as it was recorded; nothing of it is trusted.

    Raises:
        Mismatch: The event is not the next one that the rules yield
            (codes `rule/…` for its command, `mismatch/…` for what was recorded of it).
    """
    return decider.check(KARUBA, game, event)


def fold(events: Iterable[Event], game: Game | None = None) -> Game:
    """Return the game after events that are trusted.

    Args:
        events: The events in order; of a record that the rules did not yield, anything may come.
        game: The game before them; without it the first event is the opening.

    Raises:
        InvalidSetup: The opening breaks the rules (codes `setup/…`).
        Mismatch: The first event is no opening (`log/no-opening`).
        ValueError: There is neither a game nor an event.
    """
    following = iter(events)
    if game is None:
        game = decider.fold(KARUBA, islice(following, 1))
    return decider.fold(AT_TABLE, following, table_of(game)).game()


def trace(events: Iterable[Event], game: Game | None = None) -> Iterator[Step[Game, Event]]:
    """Yield a step for each event, all trusted.

    Args:
        events: The events in order.
        game: The game before them; without it the first event is the opening.

    Raises:
        InvalidSetup: The opening breaks the rules (codes `setup/…`).
        Mismatch: The first event is no opening (`log/no-opening`).
    """
    return decider.trace(KARUBA, events, game)


def rederive(events: Iterable[Event]) -> Iterator[Step[Game, Event]]:
    """Yield a step for each recorded event, every one judged.

    Args:
        events: The events in order, the opening first.

    Raises:
        InvalidSetup: The opening breaks the rules (codes `setup/…`).
        Mismatch: At the first event that the rules do not yield (codes `rule/…`, `mismatch/…`,
            `log/no-opening`).
    """
    return decider.rederive(KARUBA, events)
