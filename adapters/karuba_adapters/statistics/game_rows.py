"""Finished games as rows of two tables: one row a game, and one row a player of a game.

Every figure is the kernel's own, or counts its events; nothing that a log says of itself is trusted.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from karuba_adapters.codec import Seal
from karuba_adapters.findings import Report
from karuba_adapters.judging import Right
from karuba_adapters.log_writing import SealMaker
from karuba_core import (
    COLOURS,
    AdventurerMoved,
    Game,
    RoundEnded,
    Score,
    TileDiscarded,
    TilePlaced,
    TreasureCollected,
    TurnPassed,
    end_reason,
    preset_name,
    scores,
    winners,
)

_Act = TilePlaced | TileDiscarded | AdventurerMoved | TreasureCollected | TurnPassed

_ACTS: Final[Mapping[type[_Act], str]] = {
    TilePlaced: "placed",
    TileDiscarded: "discarded",
    AdventurerMoved: "moves",
    TreasureCollected: "collected",
    TurnPassed: "passed",
}
"""What players do, and the column that counts it."""

_Acts = Counter[tuple[str, str]]
"""How many times each player did what."""


@frozen
class GameRow:
    """A finished game.

    Attributes:
        file: The name of its file, `-` for standard input.
        log: Which log of the file, 1 for the first.
        first_line: The line of its opening.
        digest: SHA-256 over the bytes of its records, as a seal of the log has it.
        rules: The preset that it declares, or `"custom"`.
        pickup: What its rules say on treasures.
        temple_treasures: What they say on the stack of each temple, top first.
        separation: What they say on the two numbers of a colour.
        players: How many played, 2 to 4.
        leader: Who led.
        rounds: How many rounds it had, 1 to 36.
        records: How many records its log has, but for a seal; one of commands has fewer for the same game.
        reason: Why it ended: `"all-home"` or `"tiles-exhausted"`.
        winners: Who won, in seating order.
        placed: How many tiles were placed, by all players.
        discarded: How many tiles were discarded.
        moves: How many times an adventurer moved.
        collected: How many treasures were taken from tiles.
        passed: How many turns were passed.
        shared_temples: How many times several players reached the same temple in the same round.
    """

    file: str
    log: int
    first_line: int
    digest: str
    rules: str
    pickup: str
    temple_treasures: tuple[int, ...]
    separation: str
    players: int
    leader: str
    rounds: int
    records: int
    reason: str
    winners: tuple[str, ...]
    placed: int
    discarded: int
    moves: int
    collected: int
    passed: int
    shared_temples: int


@frozen
class PlayerRow:
    """A player of a finished game.

    Attributes:
        file: The name of the file, `-` for standard input.
        log: Which log of the file, 1 for the first.
        digest: That of the game's row.
        rules: Those of the game's row.
        players: How many played, 2 to 4.
        seat: Where the player sat, 1 for the first.
        player: Who it is.
        is_leader: Whether the player led.
        is_winner: Whether the player won, alone or with others.
        total: The points in all.
        temples: The sum of the temple tokens.
        crystals: All crystals.
        award_crystals: Those of them that made up for temples reached together with others.
        gold: The nuggets of gold.
        tiles: The tiles on the island, 0 to 30.
        adventurers_home: How many adventurers reached their temple, 0 to 4.
        placed: How many tiles the player placed.
        discarded: How many tiles the player discarded.
        moves: How many times an adventurer of the player moved.
        collected: How many treasures the player took from tiles.
        passed: How many turns the player passed.
    """

    file: str
    log: int
    digest: str
    rules: str
    players: int
    seat: int
    player: str
    is_leader: bool
    is_winner: bool
    total: int
    temples: int
    crystals: int
    award_crystals: int
    gold: int
    tiles: int
    adventurers_home: int
    placed: int
    discarded: int
    moves: int
    collected: int
    passed: int


@frozen
class Played:
    """A finished game: its row, and those of its players in seating order."""

    game: GameRow
    players: tuple[PlayerRow, ...]


class Course:
    """The course of a game while the records of its log are judged; `take` observes them.

    >>> from karuba_adapters import validate_file
    >>> course = Course()
    >>> reports = validate_file("docs/examples/expedition.jsonl", course.take)
    >>> [played] = [course.end(report) for report in reports]
    >>> played.game.rounds, [player.total for player in played.players]
    (32, [22, 21, 20])
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._game: Game | None = None
        self._seal = SealMaker()
        self._acts: _Acts = Counter()
        self._shared_temples = 0

    def take(self, right: Right) -> None:
        """Take a record that was found right."""
        if isinstance(right.message, Seal):  # so that a game is the same, sealed or not
            return
        self._game = right.step.game
        self._seal.add(right.text)
        for event in right.step.events:
            if isinstance(event, RoundEnded):
                arrivals = Counter(award.temple for award in event.awards)
                self._shared_temples += sum(count > 1 for count in arrivals.values())
            elif isinstance(event, _Act):
                self._acts[event.player, _ACTS[type(event)]] += 1

    def end(self, report: Report) -> Played | None:
        """Take what is said of the log; return its game if it is finished and all of the log is right."""
        played = None
        if self._game is not None and report.verdict == "valid":
            played = _played(report, self._game, self._seal.seal(), self._acts, self._shared_temples)
        self._begin()
        return played


def _played(report: Report, game: Game, seal: Seal, acts: _Acts, shared_temples: int) -> Played:
    setup = game.setup
    row = GameRow(
        file=report.file,
        log=report.log,
        first_line=report.first_line,
        digest=seal.digest,
        rules=preset_name(setup.rules, len(setup.players)),
        pickup=setup.rules.pickup,
        temple_treasures=setup.rules.temple_treasures,
        separation=setup.rules.separation,
        players=len(setup.players),
        leader=setup.leader,
        rounds=game.round,
        records=seal.records,
        reason=end_reason(game) or "",  # never empty: the game is over
        winners=winners(game),
        **{act: sum(acts[player, act] for player in setup.players) for act in _ACTS.values()},
        shared_temples=shared_temples,
    )
    return Played(row, tuple(_player_row(row, game, score, acts) for score in scores(game)))


def _player_row(of_game: GameRow, game: Game, score: Score, acts: _Acts) -> PlayerRow:
    player = score.player
    island = game.island(player)
    return PlayerRow(
        file=of_game.file,
        log=of_game.log,
        digest=of_game.digest,
        rules=of_game.rules,
        players=of_game.players,
        seat=game.seat(player) + 1,
        player=player,
        is_leader=player == of_game.leader,
        is_winner=player in of_game.winners,
        total=score.total,
        temples=score.temples,
        crystals=score.crystals,
        award_crystals=sum(award.crystals for award in game.awards if award.player == player),
        gold=score.gold,
        tiles=score.tiles,
        adventurers_home=sum(island.where(adventurer) == "temple" for adventurer in COLOURS),
        **{act: acts[player, act] for act in _ACTS.values()},
    )
