"""What happened. The state of a game is the fold of its events; `name` is what a log calls each."""

from typing import ClassVar

from attrs import field, frozen

from karuba_core.opening import Setup


@frozen
class GameStarted:
    """The opening of a game."""

    name: ClassVar = "game-started"
    setup: Setup


@frozen
class TileDrawn:
    """A tile, 1 to 36, was turned over and opened a round, 1 to 36."""

    name: ClassVar = "tile-drawn"
    round: int
    tile: int


@frozen
class TilePlaced:
    """A player placed the drawn tile on a cell."""

    name: ClassVar = "tile-placed"
    player: str
    tile: int
    cell: str


@frozen
class TileDiscarded:
    """A player discarded the drawn tile for 2 to 4 steps."""

    name: ClassVar = "tile-discarded"
    player: str
    tile: int
    steps: int


@frozen
class AdventurerMoved:
    """An adventurer entered the cells of a path in order; the last may be `"temple"`."""

    name: ClassVar = "adventurer-moved"
    player: str
    adventurer: str
    path: tuple[str, ...]


@frozen
class TreasureCollected:
    """An adventurer took the `"crystal"` or `"gold"` of the cell on which it stands."""

    name: ClassVar = "treasure-collected"
    player: str
    adventurer: str
    cell: str
    treasure: str


@frozen
class TurnPassed:
    """A player closed the own turn."""

    name: ClassVar = "turn-passed"
    player: str


@frozen
class Award:
    """What a player gets for reaching a temple: a token of its stack and crystals that make up for a tie."""

    player: str
    temple: str
    token: int
    crystals: int


@frozen
class RoundEnded:
    """All turns of a round, 1 to 36, are closed; awards by colour, then by seat."""

    name: ClassVar = "round-ended"
    round: int
    awards: tuple[Award, ...]


@frozen
class Score:
    """What a player has: sum of tokens, crystals, nuggets of gold, points in all, tiles on the island."""

    player: str
    temples: int
    crystals: int
    gold: int
    total: int
    tiles: int


def _by_player(scores: tuple[Score, ...]) -> tuple[Score, ...]:
    return tuple(sorted(scores, key=lambda score: score.player))


@frozen
class GameEnded:
    """The game is over, `"all-home"` or `"tiles-exhausted"`; winners in seating order.

    A log keys the scores by player, so their order is no part of the value.
    """

    name: ClassVar = "game-ended"
    reason: str
    scores: tuple[Score, ...] = field(eq=_by_player, metadata={"keyed_by": "player"})
    winners: tuple[str, ...]


Event = (
    GameStarted
    | TileDrawn
    | TilePlaced
    | TileDiscarded
    | AdventurerMoved
    | TreasureCollected
    | TurnPassed
    | RoundEnded
    | GameEnded
)
