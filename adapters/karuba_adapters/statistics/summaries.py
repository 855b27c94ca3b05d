"""What many finished games come to: a group for each number of players under each set of rules.

Games are counted as *facts*. All that is ever held is how many times there was each fact, so
memory does not grow with the games, and the counts of two parts of a corpus are added by `+`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import asdict, frozen

from karuba_adapters.findings import Verdict
from karuba_adapters.statistics.figures import Share, Spread, share, spread
from karuba_adapters.statistics.game_rows import Played
from karuba_core.ruleset import PRESETS

FORMAT: Final = "karuba-stats/1"

VERDICTS: Final[tuple[Verdict, ...]] = ("valid", "incomplete", "invalid", "unread")

Fact = tuple[str, int, str, str | int]
"""The preset of a game's rules, its number of players, what is told, and what it was."""

_OF_GAMES: Final = ("rounds", "records", "discarded", "moves", "collected", "passed", "shared_temples")
_OF_PLAYERS: Final = (
    "total",
    "temples",
    "adventurers_home",
    "crystals",
    "award_crystals",
    "gold",
    "tiles",
)


@frozen
class SeatWins:
    """How many games the players of one seat won, 1 for the first; a win that is shared counts for each."""

    seat: int
    wins: int
    share: Share


@frozen
class Group:
    """What the finished games of one number of players under one set of rules come to.

    Attributes:
        rules: The preset, or `"custom"` for all others.
        players: How many played each game, 2 to 4.
        games: How many games there are.
        reasons: How many of them ended for which reason.
        shared_wins: How many of them have more than one winner.
        of_games: How the figures of a game are spread, by the columns of its row.
        of_players: How the figures of a player are spread, by the columns of its row.
        totals: How many players had which total, ascending.
        seats: Who won, by seat.
    """

    rules: str
    players: int
    games: int
    reasons: Mapping[str, int]
    shared_wins: int
    of_games: Mapping[str, Spread]
    of_players: Mapping[str, Spread]
    totals: Mapping[int, int]
    seats: tuple[SeatWins, ...]


def facts(played: Played) -> Iterator[Fact]:
    """Yield what a finished game adds to the counts."""
    game = played.game
    rules, players = game.rules, game.players
    yield rules, players, "reason", game.reason
    yield rules, players, "winners", len(game.winners)
    for name in _OF_GAMES:
        yield rules, players, name, getattr(game, name)
    for player in played.players:
        if player.is_winner:
            yield rules, players, "winning seat", player.seat
        for name in _OF_PLAYERS:
            yield rules, players, name, getattr(player, name)


def groups(counts: Counter[Fact]) -> list[Group]:
    """Return what all counted games come to, the presets in their order and `"custom"` last.

    >>> from karuba_adapters import validate_file
    >>> from karuba_adapters.statistics.game_rows import Course
    >>> course, counts = Course(), Counter()
    >>> for report in validate_file("docs/examples/expedition.jsonl", course.take):
    ...     counts.update(facts(course.end(report)))
    >>> [group] = groups(counts)
    >>> group.rules, group.players, group.of_players["total"].mean
    ('official', 3, 21.0)
    """
    parted: dict[tuple[str, int], dict[str, Counter[Any]]] = {}
    for (rules, players, name, value), count in counts.items():
        of_group = parted.setdefault((rules, players), {})
        of_group.setdefault(name, Counter())[value] = count
    order = [*PRESETS, "custom"]
    keys = sorted(parted, key=lambda key: (order.index(key[0]), key[1]))
    return [_group(*key, parted[key]) for key in keys]


def _group(rules: str, players: int, told: Mapping[str, Counter[Any]]) -> Group:
    games = told["reason"].total()
    wins = told["winning seat"]
    return Group(
        rules,
        players,
        games,
        reasons=dict(sorted(told["reason"].items())),
        shared_wins=games - told["winners"][1],
        of_games={name: spread(told[name]) for name in _OF_GAMES},
        of_players={name: spread(told[name]) for name in _OF_PLAYERS},
        totals=dict(sorted(told["total"].items())),
        seats=tuple(SeatWins(seat, wins[seat], share(wins[seat], games)) for seat in range(1, players + 1)),
    )


def summary_json(verdicts: Mapping[Verdict, int], told: list[Group]) -> dict[str, Any]:
    """Return a summary in its JSON form (karuba-stats/1), ready to be written as one object.

    Args:
        verdicts: How many logs got which verdict; the games of the valid ones are told.
        told: What they come to.
    """
    return {
        "format": FORMAT,
        "logs": {verdict: verdicts.get(verdict, 0) for verdict in VERDICTS},
        "groups": [_group_json(group) for group in told],
    }


def _group_json(group: Group) -> dict[str, Any]:
    return {
        **asdict(group),
        "totals": {str(total): count for total, count in group.totals.items()},
        "seats": [{"seat": each.seat, "wins": each.wins, **asdict(each.share)} for each in group.seats],
    }
