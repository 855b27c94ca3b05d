"""Players that follow rules of thumb, and the games they play: seeded, and the same on every machine.

A policy chooses the next command of a player whose turn is open. What it chooses follows from
the game and from `random.random` alone (see `decks`), so that a seed stands for a whole game.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final

from karuba_adapters.decks import choice, undrawn
from karuba_adapters.routes import place_for_tile, routes_of, walks_along
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
    Turn,
    apply,
    legal_commands,
    settle,
    start,
)
from karuba_core.board import CELL_NAME
from karuba_core.moving import TEMPLE
from karuba_core.turns import open_players

Policy = Callable[[Game, str, Random], Command]
"""Chooses the next command of a player whose turn is open; always a legal one."""


def play(setup: Setup, seed: int, policy: Policy) -> Iterator[Event]:
    """Yield the events of a whole game, its opening first.

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
    step = start(setup)
    yield from step.events
    yield from play_on(step.game, seed, policy)


def play_on(game: Game, seed: int, policy: Policy) -> Iterator[Event]:
    """Yield the events that end a game: what is due in it, then round after round.

    The tiles that were not drawn come in the order of the seed's deck. The turns of a round
    interleave: who acts next is drawn among the players with an open turn.

    Args:
        game: Any game; of one that is over nothing is left.
        seed: Any whole number; what `play` plays by a seed is the opening played on by it.
        policy: How all players play.
    """
    random = Random(seed)  # noqa: S311 - seeded games, not secrets
    tiles = undrawn(game, seed)
    step = settle(game)
    yield from step.events
    while not KARUBA.is_over(step.game):  # the last tile ends the game at the latest
        players = open_players(step.game)
        command = policy(step.game, choice(players, random), random) if players else Draw(next(tiles))
        step = apply(step.game, command)
        yield from step.events


def by_seat(policies: Sequence[Policy]) -> Policy:
    """Return the policy of a table at which each seat has its own, in seating order."""
    return lambda game, player, random: policies[game.seat(player)](game, player, random)


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
    if game.turn(player).stage != "to-play":
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
    routes = tuple(routes_of(game, island))
    turn = game.turn(player)
    if turn.stage == "to-play":
        place = place_for_tile(game, island, routes, random)
        return Discard(player) if place is None else Place(player, CELL_NAME[place])
    collector = _collector(game, island, turn)
    if collector is not None:
        return Collect(player, collector)
    walks = walks_along(game, island, routes, turn.steps, turn.adventurer)
    walk = max(walks, key=lambda walk: walk.gain, default=None)
    if walk is None:
        return Pass(player)
    return Move(player, walk.adventurer, tuple(CELL_NAME.get(place, TEMPLE) for place in walk.places))


def _collector(game: Game, island: Island, turn: Turn) -> str | None:
    """Return the adventurer that may take the treasure on which it stands."""
    walker = turn.adventurer
    for adventurer, place in zip(COLOURS, island.adventurers, strict=True):
        may_collect = adventurer == walker or (walker is None and game.setup.rules.pickup == "step")
        if may_collect and island.treasure_at(place) is not None:
            return adventurer
    return None


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType({"casual": casual, "planner": planner})
"""The policies by name."""
