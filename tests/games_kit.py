"""Builders of games for the tests: every position is reached by commands that the kernel accepts."""

from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final, Self

import attrs

from karuba_adapters import Message, read_records
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Event,
    Game,
    Layout,
    Move,
    Pair,
    Pass,
    Place,
    Setup,
    apply,
    preset,
    start,
    violation,
)

NAMES: Final = ("ana", "ben", "cleo", "dan")

_PAIRS: Final = {"blue": (10, 30), "brown": (110, 90), "purple": (90, 110), "yellow": (30, 10)}


def near(**pairs: tuple[int, int]) -> Layout:
    """Return the layout `NEAR`, with other beach and jungle numbers for some colours."""
    return Layout(**{colour: Pair(*numbers) for colour, numbers in {**_PAIRS, **pairs}.items()})


NEAR: Final = near()
"""Beach and jungle four steps apart for each colour, the nearest that `edge-3` allows."""

BLUE_ROAD: Final = {"a1": 1, "b1": 2, "c1": 28}
"""With `NEAR`, brings blue home by `a1 b1 c1 temple`; no treasures on it."""

ALL_ROADS: Final = {
    "a1": 7,
    "b1": 1,
    "c1": 10,
    "a3": 28,
    "a2": 17,
    "f5": 8,
    "f4": 18,
    "f3": 3,
    "d5": 21,
    "e5": 2,
}
"""With `NEAR`, brings all four home; crystals on c1 and f3, where blue and brown go last."""

HOMEWARD: Final = {
    "blue": {5: "a1 b1 c1", 4: "temple"},
    "brown": {6: "f5 f4 f3", 9: "temple"},
    "purple": {26: "d5 e5 f5 temple"},
    "yellow": {25: "a3 a2 a1 temple"},
}
"""With `ALL_ROADS`, the ways home and the tiles discarded for them."""


def setup(players: int = 2, *, pickup: str = "stop", layout: Layout = NEAR) -> Setup:
    """Return the official setup for ana, ben …, but for what is named."""
    rules = attrs.evolve(preset("official", players), pickup=pickup)
    return Setup(NAMES[:players], "ana", layout, rules)


def code(game: Game, command: Command) -> str | None:
    """Return the code by which a command is refused, None where it is legal."""
    refused = violation(game, command)
    return None if refused is None else refused.code


class Table:
    """A game in play with all that has happened in it."""

    def __init__(self, setup: Setup) -> None:
        opening = start(setup)
        self.game: Game = opening.game
        self.events: tuple[Event, ...] = opening.events

    def do(self, *commands: Command) -> Self:
        """Apply commands, one after the other."""
        for command in commands:
            step = apply(self.game, command)
            self.game = step.game
            self.events += step.events
        return self

    def round(self, tile: int, *commands: Command) -> Self:
        """Draw a tile, apply commands, and close all turns still open without a move more."""
        self.do(Draw(tile), *commands)
        for player in self.game.setup.players:
            for command in (Discard(player), Pass(player)):
                if violation(self.game, command) is None:
                    self.do(command)
        return self

    def lay(self, tiles: Mapping[str, int], *players: str) -> Self:
        """Play a round for each cell, in which the players, or all, place its tile there."""
        for cell, tile in tiles.items():
            self.round(tile, *(Place(player, cell) for player in players or self.game.setup.players))
        return self

    def walk(self, tile: int, adventurer: str, way: str, *players: str, collect: bool = False) -> Self:
        """Play a round in which the players, or all, discard the tile and go a way, `"a1 b1"`."""
        commands: list[Command] = []
        for player in players or self.game.setup.players:
            commands += (Discard(player), Move(player, adventurer, tuple(way.split())))
            commands += (Collect(player, adventurer),) * collect
        return self.round(tile, *commands)

    def homeward(self, *players: str, last: str = "purple") -> Self:
        """Lay `ALL_ROADS` and bring the adventurers of the players, or of all, home, but for the last.

        Blue and brown take a crystal each, on the cell before their temple.
        """
        self.lay(ALL_ROADS)
        for adventurer, ways in HOMEWARD.items():
            for tile, way in ways.items() if adventurer != last else ():
                self.walk(tile, adventurer, way, *players, collect=len(way.split()) == 3)
        return self


def read_messages(stream: BinaryIO) -> Iterator[Message]:
    """Yield what the records of a log say."""
    return (record.message for record in read_records(stream))
