"""Where a game is played on in place, for whoever wants no game in between: folding, judging logs."""

from collections.abc import Sequence

from attrs import define

from karuba_core.events import Award
from karuba_core.opening import Setup
from karuba_core.state import Game, Island, Phase, Position, Turn


@define(eq=False, weakref_slot=False)
class Table(Position):
    """A game that is played on in place; what the rules return of it is the table itself.

    So a `Step` of it holds the table, not the game at that time: take `game()` while it stands.
    """

    setup: Setup
    drawn: bytes
    islands: list[Island]
    turns: list[Turn]
    awards: tuple[Award, ...]
    phase: Phase

    def with_turn(self, seat: int, turn: Turn, island: Island | None = None) -> "Table":
        """Put another turn at a seat, and another island where there is one."""
        self.turns[seat] = turn
        if island is not None:
            self.islands[seat] = island
        return self

    def with_round(
        self, drawn: bytes, turns: Sequence[Turn], awards: tuple[Award, ...], phase: Phase
    ) -> "Table":
        """Change all that changes when a round opens or ends."""
        self.drawn, self.turns, self.awards, self.phase = drawn, list(turns), awards, phase
        return self

    def game(self) -> Game:
        """Return the game as it stands."""
        islands, turns = tuple(self.islands), tuple(self.turns)
        return Game(self.setup, self.drawn, islands, turns, self.awards, self.phase)


def table_of(game: Game) -> Table:
    """Return a table at which a game is played on."""
    return Table(game.setup, game.drawn, [*game.islands], [*game.turns], game.awards, game.phase)
