"""catanatron: games of four players who choose at random among the actions that it lists."""

from itertools import cycle
from typing import Final

from catanatron import Color, Game, RandomPlayer

from tests.bench.measuring import Work

ACTIONS: Final = 500
"""How long a game may become: most go on for longer, some for very long."""


def playing(games: int) -> Work:
    """Return the work of playing the next of so many games, one action after the other."""
    seeds = cycle(range(1, games + 1))  # a seed of 0 would be none
    return lambda: played(next(seeds))


def played(seed: int) -> int:
    """Play a game to its end, or long enough; return how many actions it took."""
    game, actions = Game([RandomPlayer(color) for color in Color], seed=seed), 0
    while actions < ACTIONS and game.winning_color() is None:
        game.play_tick()
        actions += 1
    return actions
