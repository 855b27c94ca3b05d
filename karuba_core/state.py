"""The state of a game: facts that events leave behind, and views that derive the rest."""

from typing import Final, Literal

from attrs import frozen

from karuba_core.board import BEACHES, CELL_NAME, CELL_PLACE, COLOUR_INDEX, COLOURS, TEMPLES
from karuba_core.events import Award
from karuba_core.opening import Setup
from karuba_core.tiles import BARE_ISLAND, TREASURES

_BARE_ZEROS: Final = BARE_ISLAND.count(0)


@frozen(weakref_slot=False)
class Turn:
    """What one player has done with the tile of the round.

    Whether the turn is still open follows from this and the island: see `turns.is_open`.

    Attributes:
        stage: `"to-play"` until the tile is placed or discarded, `"walking"` after a discard,
            `"home"` once an adventurer has entered its temple, `"closed"` once the tile is
            placed, the turn passed, or a treasure taken that ends it.
        steps: The steps left, 0 to 4.
        adventurer: The turn's adventurer: the one that has moved or collected.
    """

    stage: Literal["to-play", "walking", "home", "closed"]
    steps: int
    adventurer: str | None


TO_PLAY: Final = Turn("to-play", 0, None)
CLOSED: Final = Turn("closed", 0, None)
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
        turn: What the player has done in the round.
    """

    tiles: bytes
    collected: bytes
    adventurers: bytes
    turn: Turn

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
        blue, brown, purple, yellow = self.adventurers
        return blue in TEMPLES and brown in TEMPLES and purple in TEMPLES and yellow in TEMPLES

    def treasure_at(self, place: int) -> str | None:
        """Return the treasure that lies on a place: printed on its tile and not collected."""
        return None if place in self.collected else TREASURES[self.tiles[place]]

    def holder(self, place: int) -> str | None:
        """Return the colour of the adventurer on a place."""
        seat = self.adventurers.find(place)
        return None if seat < 0 else COLOURS[seat]

    def with_turn(self, turn: Turn) -> "Island":
        """Return the island with another turn."""
        return Island(self.tiles, self.collected, self.adventurers, turn)


@frozen(weakref_slot=False)
class Game:
    """The state of a game. Equal games are equal and hash equal.

    In which order the players of a round acted is no part of it (R-TURN-6).

    Attributes:
        setup: How it was set up.
        drawn: The numbers of the tiles drawn, in order; their count is the round.
        islands: The players' islands in seating order.
        awards: What players got for reaching temples, in the order of the rounds.
        phase: `"draw"` while no round is open, `"turns"` while one is, `"over"` after the end.
    """

    setup: Setup
    drawn: bytes
    islands: tuple[Island, ...]
    awards: tuple[Award, ...]
    phase: Literal["draw", "turns", "over"]

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
        taken = sum(award.temple == temple for award in self.awards)
        return self.setup.rules.temple_treasures[taken:]

    def with_island(self, seat: int, island: Island) -> "Game":
        """Return the game with another island at a seat."""
        islands = list(self.islands)
        islands[seat] = island
        return Game(self.setup, self.drawn, tuple(islands), self.awards, self.phase)


def with_byte(held: bytes, index: int, value: int) -> bytes:
    """Return the bytes with one of them replaced."""
    return b"%b%c%b" % (held[:index], value, held[index + 1 :])
