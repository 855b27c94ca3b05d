"""Players that follow rules of thumb, for simulated games: seeded, and the same on every machine.

A policy chooses the next command of a player whose turn is open. What it chooses follows from
the game and from `random.random` alone (see `decks`), so that a seed stands for a whole game.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import takewhile
from random import Random
from types import MappingProxyType
from typing import Final

from attrs import frozen

from karuba_adapters.decks import choice, deck
from karuba_core import (
    CELLS,
    COLOURS,
    KARUBA,
    Collect,
    Command,
    Discard,
    Draw,
    Event,
    Game,
    Island,
    Move,
    Pass,
    Place,
    Setup,
    apply,
    legal_commands,
    start,
)
from karuba_core.board import CELL_NAME, EAST, NORTH, SIDES_BETWEEN, SOUTH, TEMPLES, WEST
from karuba_core.moving import TEMPLE, temple_place
from karuba_core.tiles import EXITS, STEPS, TILE_NUMBERS
from karuba_core.turns import open_players

Policy = Callable[[Game, str, Random], Command]
"""Chooses the next command of a player whose turn is open; always a legal one."""


def play(setup: Setup, seed: int, policy: Policy) -> Iterator[Event]:
    """Yield the events of a whole game, its opening first.

    The turns of a round interleave: who acts next is drawn among the players with an open turn.

    Args:
        setup: How the game starts.
        seed: Any whole number; the deck, the order of the turns and every choice follow from it.
        policy: How all players play.

    Raises:
        InvalidSetup: The setup breaks the rules.

    >>> from karuba_adapters.decks import opening
    >>> from karuba_core import preset
    >>> *_, last = play(opening(("ana", "ben"), 7, preset("official", 2)), 7, planner)
    >>> last.reason, last.winners
    ('all-home', ('ana',))
    """
    random = Random(seed)  # noqa: S311 - seeded games, not secrets
    step = start(setup)
    yield from step.events
    tiles = iter(deck(seed))
    while not KARUBA.is_over(step.game):  # the last tile ends the game at the latest
        step = apply(step.game, Draw(next(tiles)))
        yield from step.events
        while players := open_players(step.game):
            step = apply(step.game, policy(step.game, choice(players, random), random))
            yield from step.events


_BY_PLAN: Final = 0.5
"""How often the casual player does what the planner would do."""

_PLACING: Final = 0.75
"""How often it places a tile, rather than discard it, when it follows none."""


def casual(game: Game, player: str, random: Random) -> Command:
    """Choose loosely: half of the time by plan, else anything that is legal, and rather a placing.

    Args:
        game: A game in which the player's turn is open.
        player: Whose command it is.
        random: Where the chance comes from.

    Returns:
        A legal command.
    """
    if random.random() < _BY_PLAN:
        return planner(game, player, random)
    island = game.island(player)
    if island.turn.stage != "to-play":
        return choice(tuple(legal_commands(game, player)), random)
    free = [cell for cell in CELLS if island.tile(cell) is None]
    return Place(player, choice(free, random)) if free and random.random() < _PLACING else Discard(player)


def planner(game: Game, player: str, random: Random) -> Command:
    """Choose by plan: every adventurer has a route to its temple, which tiles lay and steps walk.

    A walk into a temple comes first. Else a tile is placed where it fits the routes; one that
    fits none is discarded for the walk that gains most, or laid aside where nobody can walk.

    Args:
        game: A game in which the player's turn is open.
        player: Whose command it is.
        random: Where the chance comes from; it decides between cells of equal use.

    Returns:
        A legal command.
    """
    island = game.island(player)
    routes = tuple(_routes(game, island))
    if island.turn.stage == "to-play":
        place = _place_for_tile(game, island, routes, random)
        return Discard(player) if place is None else Place(player, CELL_NAME[place])
    collector = _collector(game, island)
    if collector is not None:
        return Collect(player, collector)
    walk = max(_walks(game, island, routes, island.turn.steps), key=lambda walk: walk.gain, default=None)
    if walk is None:
        return Pass(player)
    return Move(player, walk.adventurer, tuple(CELL_NAME.get(place, TEMPLE) for place in walk.places))


@frozen
class _Route:
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


def _routes(game: Game, island: Island) -> Iterator[_Route]:
    """Yield a cheapest route of each adventurer that has one and is not home yet."""
    for adventurer, place in zip(COLOURS, island.adventurers, strict=True):
        if place not in TEMPLES:
            route = _route(island.tiles, adventurer, place, temple_place(game, adventurer))
            if route is not None:
                yield route


def _route(tiles: bytes, adventurer: str, first: int, temple: int) -> _Route | None:
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
    return _Route(adventurer, tuple(way[1:]), gaps, cost)


def _place_for_tile(game: Game, island: Island, routes: Sequence[_Route], random: Random) -> int | None:
    """Return the place where the drawn tile is of most use, or None where its steps are of more."""
    tile = game.drawn[-1]
    walks = tuple(_walks(game, island, routes, STEPS[tile]))
    if any(walk.places[-1] in TEMPLES for walk in walks):
        return None
    served = _served(routes, EXITS[tile])
    most = max(served.values(), default=0)
    if most > 0:
        return choice([place for place, count in served.items() if count == most], random)
    aside = [place for place in CELL_NAME if not island.tiles[place] and place not in served]
    return choice(aside, random) if aside and not walks else None


def _served(routes: Sequence[_Route], exits: int) -> dict[int, int]:
    """Return how many routes a tile with these exits serves in each gap; 0 where it breaks one."""
    fits: dict[int, list[bool]] = {}
    for route in routes:
        for gap, needed in route.gaps:
            fits.setdefault(gap, []).append(exits & needed == needed)
    return {gap: len(fit) if all(fit) else 0 for gap, fit in fits.items()}


_VALUES: Final[Mapping[str | None, int]] = MappingProxyType({None: 0, "crystal": 1, "gold": 2})
"""How many steps a treasure is worth: as many as the points that it scores."""


@frozen
class _Walk:
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


def _walks(game: Game, island: Island, routes: Sequence[_Route], steps: int) -> Iterator[_Walk]:
    """Yield how far each adventurer that may walk should go along its route, if it can go at all."""
    for route in routes:
        if island.turn.adventurer in (None, route.adventurer):
            onto = route.places[:steps]
            way = tuple(
                takewhile(lambda place: island.tiles[place] and place not in island.adventurers, onto)
            )
            if way:
                is_home = way[-1] in TEMPLES
                way = way if is_home else way[: _stop(game, island, way)]
                gain = len(way) + _VALUES[island.treasure_at(way[-1])]
                yield _Walk(route.adventurer, way, (is_home, gain, -route.cost))


def _stop(game: Game, island: Island, way: Sequence[int]) -> int:
    """Return after how many places of a way to stop: at a treasure worth it, or where the way ends."""
    values = [_VALUES[island.treasure_at(place)] for place in way]
    if game.setup.rules.pickup != "step":
        return max(range(1, len(way) + 1), key=lambda count: count + values[count - 1])
    # By `step` the adventurer may go on afterwards, so every treasure is worth a stop.
    return next((count for count, value in enumerate(values, 1) if value), len(way))


def _collector(game: Game, island: Island) -> str | None:
    """Return the adventurer that may take the treasure on which it stands."""
    walker = island.turn.adventurer
    for adventurer, place in zip(COLOURS, island.adventurers, strict=True):
        may_collect = adventurer == walker or (walker is None and game.setup.rules.pickup == "step")
        if may_collect and island.treasure_at(place) is not None:
            return adventurer
    return None


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType({"casual": casual, "planner": planner})
"""The policies by name."""
