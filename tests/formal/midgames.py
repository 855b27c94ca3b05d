"""Positions in the middle of a game, from which random play gets somewhere: paths lie there."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, cast

from attrs import evolve

from karuba_adapters.decks import deck, opening
from karuba_adapters.players import planner
from karuba_core import Command, Draw, Event, apply, preset, start
from karuba_core.turns import open_players


def mirrored(players: int, rules: str, seed: int, rounds: int) -> list[Event]:
    """Return the events of some rounds in which all players do what the first one plans.

    Their islands are alike, so those who play on at random meet at the temples.

    Args:
        players: How many, 2 to 4.
        rules: The name of the preset.
        seed: Where layout, deck and plans come from.
        rounds: How many rounds.
    """
    names = ("ana", "ben", "chloé", "dan")[:players]
    return list(_mirrored(names, rules, seed, rounds))


def _mirrored(names: tuple[str, ...], rules: str, seed: int, rounds: int) -> Iterator[Event]:
    random = Random(seed)
    step = start(opening(names, seed, preset(rules, len(names))))
    yield from step.events
    for tile in islice(deck(seed), rounds):
        step = apply(step.game, Draw(tile))
        yield from step.events
        while names[0] in open_players(step.game):
            planned = planner(step.game, names[0], random)
            for name in names:
                step = apply(step.game, cast("Command", evolve(cast("Any", planned), player=name)))
                yield from step.events
