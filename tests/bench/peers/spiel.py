"""OpenSpiel: random games of backgammon and hex are replayed, each action found legal first, and played."""

from functools import partial
from itertools import cycle
from random import Random
from typing import Any

import pyspiel

from karuba_adapters.decks import choice
from tests.bench.measuring import Work


def replaying(name: str, games: int) -> Work:
    """Return the work of replaying games; a throw of dice is an action, too."""
    game = pyspiel.load_game(name)
    played = [random_game(game, seed).history() for seed in range(games)]

    def work() -> int:
        for actions in played:
            state = game.new_initial_state()
            for action in actions:
                assert action in state.legal_actions()
                state.apply_action(action)
        return sum(map(len, played))

    return work


def replaying_by_own_check(name: str, games: int) -> Work:
    """Return the work of replaying games by the one call of OpenSpiel that checks and applies."""
    game = pyspiel.load_game(name)
    played = [random_game(game, seed).history() for seed in range(games)]

    def work() -> int:
        for actions in played:
            state = game.new_initial_state()
            for action in actions:
                state.apply_action_with_legality_check(action)
        return sum(map(len, played))

    return work


def playing(name: str, games: int) -> Work:
    """Return the work of playing the next of so many games: to list the actions, draw one, and apply it."""
    game, seeds = pyspiel.load_game(name), cycle(range(games))
    return lambda: len(random_game(game, next(seeds)).history())


def random_game(game: Any, seed: int) -> Any:  # noqa: ANN401 - pyspiel has no types
    """Play random legal actions to the end."""
    random, state = Random(seed), game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(choice(state.legal_actions(), random))
    return state


backgammon = partial(replaying, "backgammon")
backgammon_by_own_check = partial(replaying_by_own_check, "backgammon")
hexagons = partial(replaying, "hex")
random_backgammon = partial(playing, "backgammon")
random_hexagons = partial(playing, "hex")
