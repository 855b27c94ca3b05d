"""The routes of adventurers to their temples, which tiles lay and steps walk: what a planner looks at."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import takewhile
from random import Random
from types import MappingProxyType
from typing import Final

from attrs import frozen

from karuba_adapters.decks import choice
from karuba_core import COLOURS, Game, Island
from karuba_core.board import CELL_NAME, EAST, NORTH, SIDES_BETWEEN, SOUTH, TEMPLES, WEST
from karuba_core.moving import temple_place
from karuba_core.tiles import EXITS, STEPS, TILE_NUMBERS


@frozen
class Route:
    """A way of an adventurer to its temple, parts of which may not be laid yet.

    Attributes:
        adventurer: Its colour.
        places: The places to enter, in order; the last is the temple.
        gaps: Those without a tile, each with the sides that its tile has to open.
        cost: How much is left to do, in steps.
    """

    adventurer: str
    places: tuple[int, ...]
    gaps: tuple[tuple[int, int], ...]
    cost: int


_GAP: Final = 4
"""What a place without a tile costs, in steps: about those that its tile would give, and the one onto it."""

# What a place opens to a route: a free cell all sides, since any tile may come to lie there; a
# tile its exits; the border nothing, apart from the two ends of the route.
_OPEN_SIDES: Final = bytes(
    [NORTH | EAST | SOUTH | WEST, *(EXITS[tile] for tile in TILE_NUMBERS)],
).ljust(256, b"\0")


def routes_of(game: Game, island: Island) -> Iterator[Route]:
    """Yield a cheapest route of each adventurer that has one and is not home yet.

    Args:
        game: The game.
        island: One of its islands.
    """
    for adventurer, place in zip(COLOURS, island.adventurers, strict=True):
        if place not in TEMPLES:
            route = _route(island.tiles, adventurer, place, temple_place(game, adventurer))
            if route is not None:
                yield route


def _route(tiles: bytes, adventurer: str, first: int, temple: int) -> Route | None:
    """Search as Dijkstra did, from the temple on, so that the links of the search lead there."""
    sides = bytearray(tiles.translate(_OPEN_SIDES))
    sides[first], sides[temple] = EXITS[tiles[first]], EXITS[tiles[temple]]
    onward: dict[int, int] = {}
    costs, reached = {temple: 0}, [(0, temple)]
    while reached:
        cost, here = heappop(reached)
        if here == first:
            break
        beyond = cost + (1 if tiles[here] else _GAP)
        for distance, (leaving, entering) in SIDES_BETWEEN.items():
            there = here + distance
            if sides[here] & leaving and sides[there] & entering and costs.get(there, beyond + 1) > beyond:
                costs[there], onward[there] = beyond, here
                heappush(reached, (beyond, there))
    else:
        return None
    way = [first]
    while way[-1] != temple:
        way.append(onward[way[-1]])
    gaps = tuple(
        (gap, SIDES_BETWEEN[gap - before][1] | SIDES_BETWEEN[after - gap][0])
        for before, gap, after in zip(way, way[1:], way[2:], strict=False)
        if not tiles[gap]
    )
    return Route(adventurer, tuple(way[1:]), gaps, cost)


def place_for_tile(game: Game, island: Island, routes: Sequence[Route], random: Random) -> int | None:
    """Return the place where the drawn tile is of most use, or None where its steps are of more.

    Args:
        game: A game in whose round the tile is to be played.
        island: The island of the player who plays it.
        routes: Those of the island.
        random: Where the chance comes from, between places of equal use.
    """
    tile = game.drawn[-1]
    walks = tuple(walks_along(game, island, routes, STEPS[tile]))
    if any(walk.places[-1] in TEMPLES for walk in walks):
        return None
    served = _served(routes, EXITS[tile])
    most = max(served.values(), default=0)
    if most > 0:
        return choice([place for place, count in served.items() if count == most], random)
    aside = [place for place in CELL_NAME if not island.tiles[place] and place not in served]
    return choice(aside, random) if aside and not walks else None


def _served(routes: Sequence[Route], exits: int) -> dict[int, int]:
    """Return how many routes a tile with these exits serves in each gap; 0 where it breaks one."""
    fits: dict[int, list[bool]] = {}
    for route in routes:
        for gap, needed in route.gaps:
            fits.setdefault(gap, []).append(exits & needed == needed)
    return {gap: len(fit) if all(fit) else 0 for gap, fit in fits.items()}


_VALUES: Final[Mapping[str | None, int]] = MappingProxyType({None: 0, "crystal": 1, "gold": 2})
"""How many steps a treasure is worth: as many as the points that it scores."""


@frozen
class Walk:
    """What an adventurer may do with its steps.

    Attributes:
        adventurer: Its colour.
        places: The places to enter, in order, at least one.
        gain: Whether it comes home; the steps, with the value of the treasure at their end;
            how near the temple is. The first that differs decides between two walks.
    """

    adventurer: str
    places: tuple[int, ...]
    gain: tuple[bool, int, int]


def walks_along(
    game: Game, island: Island, routes: Sequence[Route], steps: int, walker: str | None = None
) -> Iterator[Walk]:
    """Yield how far each adventurer that may walk should go along its route, if it can go at all.

    Args:
        game: The game.
        island: One of its islands.
        routes: Those of the island.
        steps: How many steps there are, 1 to 4.
        walker: The only adventurer that may walk, if there is one.
    """
    for route in routes:
        if walker in (None, route.adventurer):
            onto = route.places[:steps]
            way = tuple(
                takewhile(lambda place: island.tiles[place] and place not in island.adventurers, onto)
            )
            if way:
                is_home = way[-1] in TEMPLES
                way = way if is_home else way[: _stop(game, island, way)]
                gain = len(way) + _VALUES[island.treasure_at(way[-1])]
                yield Walk(route.adventurer, way, (is_home, gain, -route.cost))


def _stop(game: Game, island: Island, way: Sequence[int]) -> int:
    """Return after how many places of a way to stop: at a treasure worth it, or where the way ends."""
    values = [_VALUES[island.treasure_at(place)] for place in way]
    if game.setup.rules.pickup != "step":
        return max(range(1, len(way) + 1), key=lambda count: count + values[count - 1])
    # By `step` the adventurer may go on afterwards, so every treasure is worth a stop.
    return next((count for count, value in enumerate(values, 1) if value), len(way))
