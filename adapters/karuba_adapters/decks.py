"""Seeded decks and seeded layouts: the chance of a game, kept out of the rules.

The kernel shuffles nothing, a draw names its tile. What is made here depends on nothing but the
seed, on every platform and every version of Python: the language promises that for the method
`random` of a `random.Random` seeded with a whole number, and for no other of its methods. So
nothing else of it is used, here and by the players. A seed and its negative are the same seed.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TypeVar

from karuba_core import Game, Layout, Pair, RuleSet, Setup, setup_violations
from karuba_core.board import COLOURS, NUMBERS
from karuba_core.ruleset import SEPARATIONS
from karuba_core.tiles import TILE_NUMBERS

T = TypeVar("T")


def deck(seed: int) -> tuple[int, ...]:
    """Return the 36 tiles in the order in which they are drawn.

    >>> deck(7)[:4]
    (17, 35, 29, 22)
    """
    return shuffled(TILE_NUMBERS, Random(seed))  # noqa: S311 - seeded games, not secrets


def undrawn(game: Game, seed: int) -> Iterator[int]:
    """Yield the tiles that were not drawn in a game, in the order of a deck."""
    return (tile for tile in deck(seed) if tile not in game.drawn)


def layout(seed: int, separation: str = "edge-4") -> Layout:
    """Return a random legal layout; all legal layouts are equally likely.

    Args:
        seed: Any whole number.
        separation: How far apart the two numbers of a colour lie: `"edge-3"`, `"edge-4"` (which
            is right by `edge-3` too) or `"value-30"`.

    Raises:
        ValueError: There is no such separation.

    >>> layout(7).blue
    Pair(beach=100, jungle=30)
    """
    if separation not in SEPARATIONS:
        raise ValueError(f"no separation {separation!r}: {', '.join(SEPARATIONS)}")
    random = Random(seed)  # noqa: S311 - seeded games, not secrets
    while True:  # the strictest separation takes eight attempts on average
        beaches, jungles = shuffled(NUMBERS, random), shuffled(NUMBERS, random)
        attempt = Layout(*(Pair(*numbers) for _, *numbers in zip(COLOURS, beaches, jungles, strict=False)))
        # The core judges whole setups; the players and the rest of the rules are right in this one.
        rules = RuleSet("stop", (1, 1), separation)
        if not setup_violations(Setup(("first", "second"), "first", attempt, rules)):
            return attempt


def opening(names: Sequence[str], seed: int, rules: RuleSet) -> Setup:
    """Return a setup with a seeded layout; the first player leads.

    The layout keeps the separation of the rules. Names and rules are judged when the game starts.

    Args:
        names: The players in seating order.
        seed: Any whole number.
        rules: The readings to play by.

    Raises:
        ValueError: The rules name an unknown separation.
    """
    return Setup(tuple(names), names[0], layout(seed, rules.separation), rules)


def shuffled(items: Iterable[T], random: Random) -> tuple[T, ...]:
    """Return the items in a random order (Fisher and Yates), by `random.random` alone."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def choice(items: Sequence[T], random: Random) -> T:
    """Return one of the items, by `random.random` alone.

    Raises:
        IndexError: There are none.
    """
    return items[int(random.random() * len(items))]
