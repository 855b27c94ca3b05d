"""The state of a game: facts that events leave behind, and views that derive the rest."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final, Literal, Self, TypeVar

from attrs import frozen

from karuba_core.board import BEACHES, CELL_NAME, CELL_PLACE, COLOUR_INDEX, COLOURS, TEMPLES
from karuba_core.events import Award
from karuba_core.opening import Setup
from karuba_core.tiles import BARE_ISLAND, TREASURES

_BARE_ZEROS: Final = BARE_ISLAND.count(0)


@frozen(weakref_slot=False)
class Turn:
    """What one player has done with the tile of the round.

    Attributes:
        stage: `"to-play"` until the tile is placed or discarded; `"walking"` after a discard while
            anything may still be done; `"home"` once an adventurer has entered its temple, else
            `"closed"` (R-CLOSE-1).
        steps: The steps left, 0 to 4; none in a turn that is not walking.
        adventurer: The turn's adventurer while it is walking, or the one that came home.
    """

    stage: Literal["to-play", "walking", "home", "closed"]
    steps: int
    adventurer: str | None


TO_PLAY: Final = Turn("to-play", 0, None)
CLOSED: Final = Turn("closed", 0, None)
HOME: Final = {adventurer: Turn("home", 0, adventurer) for adventurer in COLOURS}
WALKING: Final = {
    (steps, adventurer): Turn("walking", steps, adventurer)
    for steps in range(5)
    for adventurer in (None, *COLOURS)
}
"""Every turn after a discard, by steps left and adventurer: most events change one, so none is made anew."""


@frozen(weakref_slot=False)
class Island:
    """One player's board.

    Attributes:
        tiles: What each place of the bordered grid holds, one byte a place.
        collected: The places whose treasure was taken, ascending.
        adventurers: The place of each adventurer, by colour; a place in the jungle is its temple.
    """

    tiles: bytes
    collected: bytes
    adventurers: bytes

    def tile(self, cell: str) -> int | None:
        """Return the number of the tile on a cell, `a1` to `f5`; None where there is none.

        Raises:
            KeyError: There is no such cell.
        """
        return self.tiles[CELL_PLACE[cell]] or None

    def treasure(self, cell: str) -> str | None:
        """Return the treasure that lies on a cell: `"crystal"`, `"gold"` or None.

        Raises:
            KeyError: There is no such cell.
        """
        return self.treasure_at(CELL_PLACE[cell])

    def where(self, adventurer: str) -> str:
        """Return where the adventurer of a colour stands: a cell, `"beach"` or `"temple"`.

        Raises:
            KeyError: There is no such adventurer.
        """
        place = self.adventurers[COLOUR_INDEX[adventurer]]
        return CELL_NAME.get(place) or ("beach" if place in BEACHES else "temple")

    @property
    def tile_count(self) -> int:
        """How many tiles lie on the island, 0 to 30."""
        return _BARE_ZEROS - self.tiles.count(0)

    @property
    def is_home(self) -> bool:
        """Whether all four adventurers have reached their temples."""
        return TEMPLES.issuperset(self.adventurers)

    def treasure_at(self, place: int) -> str | None:
        """Return the treasure that lies on a place: printed on its tile and not collected."""
        return None if place in self.collected else TREASURES[self.tiles[place]]

    def holder(self, place: int) -> str | None:
        """Return the colour of the adventurer on a place."""
        seat = self.adventurers.find(place)
        return None if seat < 0 else COLOURS[seat]


Phase = Literal["draw", "turns", "over"]


class Position:
    """What the rules look at and events change: a `Game`, or the `Table` at which one is played on.

    In which order the players of a round acted is no part of it (R-TURN-6).

    Attributes:
        setup: How it was set up.
        drawn: The numbers of the tiles drawn, in order; their count is the round.
        islands: The players' islands in seating order.
        turns: What each has done in the round, in seating order.
        awards: What players got for reaching temples, in the order of the rounds.
        phase: `"draw"` while no round is open, `"turns"` while one is, `"over"` after the end.
    """

    __slots__ = ()

    setup: Setup
    drawn: bytes
    islands: Sequence[Island]
    turns: Sequence[Turn]
    awards: tuple[Award, ...]
    phase: Phase

    @abstractmethod
    def with_turn(self, seat: int, turn: Turn, island: Island | None = None) -> Self:
        """Return the position with another turn at a seat, and with another island where there is one."""

    @abstractmethod
    def with_round(
        self, drawn: bytes, turns: Sequence[Turn], awards: tuple[Award, ...], phase: Phase
    ) -> Self:
        """Return the position with all that changes when a round opens or ends."""

    @property
    def round(self) -> int:
        """The number of the open round, or of the last one, 0 to 36."""
        return len(self.drawn)

    def island(self, player: str) -> Island:
        """Return the island of a player.

        Raises:
            KeyError: There is no such player.
        """
        return self.islands[self.seat(player)]

    def turn(self, player: str) -> Turn:
        """Return the turn of a player in the round.

        Raises:
            KeyError: There is no such player.
        """
        return self.turns[self.seat(player)]

    def seat(self, player: str) -> int:
        """Return the seat of a player, 0 for the first.

        Raises:
            KeyError: There is no such player.
        """
        try:
            return self.setup.players.index(player)
        except ValueError:
            raise KeyError(player) from None

    def stack(self, temple: str) -> tuple[int, ...]:
        """Return what is left of the stack of a temple, top first."""
        taken = [award.temple for award in self.awards].count(temple)
        return self.setup.rules.temple_treasures[taken:]


@frozen(weakref_slot=False)
class Game(Position):
    """The state of a game, a value: equal games are equal and hash equal."""

    setup: Setup
    drawn: bytes
    islands: tuple[Island, ...]
    turns: tuple[Turn, ...]
    awards: tuple[Award, ...]
    phase: Phase

    def with_turn(self, seat: int, turn: Turn, island: Island | None = None) -> "Game":
        """Return the game with another turn at a seat, and with another island where there is one."""
        turns, islands = list(self.turns), self.islands
        turns[seat] = turn
        if island is not None:
            others = list(islands)
            others[seat] = island
            islands = tuple(others)
        return Game(self.setup, self.drawn, islands, tuple(turns), self.awards, self.phase)

    def with_round(
        self, drawn: bytes, turns: Sequence[Turn], awards: tuple[Award, ...], phase: Phase
    ) -> "Game":
        """Return the game with all that changes when a round opens or ends."""
        return Game(self.setup, drawn, self.islands, tuple(turns), awards, phase)


P = TypeVar("P", bound=Position)


def with_byte(held: bytes, index: int, value: int) -> bytes:
    """Return the bytes with one of them replaced."""
    return b"%b%c%b" % (held[:index], value, held[index + 1 :])
