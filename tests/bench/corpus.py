"""The games that are measured: made from their numbers, so they are the same everywhere."""

import io
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from karuba_adapters import write_log
from karuba_adapters.decks import opening
from karuba_adapters.players import POLICIES, play
from karuba_core import Setup, preset

NAMES: Final = ("ana", "ben", "cleo", "dan")
PRESETS: Final = ("official", "seed-000", "seed-001")  # they pick up by stop, step and landing
TOGETHER: Final = 27
"""How many games stand in one stream of those that are read in turn: three of every kind."""


def setup_of(number: int) -> Setup:
    """Return the setup of a game: in turn 2 to 4 players, of its own, and the three pick-up rules."""
    players = 2 + number % 3
    names = [f"{name}@{number}" for name in NAMES[:players]]
    return opening(names, number, preset(PRESETS[number // 3 % 3], players))


def log_of(number: int) -> bytes:
    """Return a game as a log, without a seal, as most writers leave it."""
    stream = io.BytesIO()
    write_log(play(setup_of(number), number, POLICIES["planner"]), stream)
    return stream.getvalue()


def corpus(games: int) -> list[bytes]:
    """Return the logs of so many games, no two alike, made by processes whose time counts nowhere."""
    with ProcessPoolExecutor() as pool:
        logs = list(pool.map(log_of, range(games), chunksize=1 + games // 100))
    assert len(set(logs)) == games
    return logs


def with_same_players(logs: Sequence[bytes]) -> list[bytes]:
    """Return the same games, as if the same four people had played all of them."""
    return [log.replace(b'@%d"' % number, b'"') for number, log in enumerate(logs)]


def streams(logs: Sequence[bytes]) -> list[bytes]:
    """Return the logs as streams of some games each."""
    return [b"".join(logs[first : first + TOGETHER]) for first in range(0, len(logs), TOGETHER)]
