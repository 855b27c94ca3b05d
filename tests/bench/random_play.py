"""Games of Karuba played by any legal commands.

One of the players with an open turn is drawn; the legal commands of this player, or the draws where no turn
is open, are listed; one of them is drawn, and applied.
"""

from itertools import cycle
from random import Random

from karuba_adapters.decks import choice
from karuba_core import Setup, apply, legal_commands, start
from karuba_core.turns import open_players
from tests.bench.corpus import setup_of
from tests.bench.measuring import Work


def random_games() -> Work:
    """Return the work of playing the next of nine games, one of each kind; it counts events."""
    games = cycle([(setup_of(number), number) for number in range(9)])
    return lambda: played(*next(games))


def played(setup: Setup, seed: int) -> int:
    """Play a game to its end; return how many events followed the opening."""
    random, step, events = Random(seed), start(setup), 0
    while (game := step.game).phase != "over":
        players = open_players(game)
        player = choice(players, random) if players else None
        step = apply(game, choice(tuple(legal_commands(game, player)), random))
        events += len(step.events)
    return events
