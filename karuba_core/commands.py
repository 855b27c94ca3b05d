"""What players ask for. Each is data; `name` is what a log calls it."""

from typing import ClassVar

from attrs import frozen


@frozen
class Draw:
    """Turn over the next tile of the deck, 1 to 36; which one it is, is data of the command."""

    name: ClassVar = "draw"
    tile: int


@frozen
class Place:
    """Place the drawn tile on a free cell, `a1` to `f5`."""

    name: ClassVar = "place"
    player: str
    cell: str


@frozen
class Discard:
    """Discard the drawn tile for as many steps as it has exits."""

    name: ClassVar = "discard"
    player: str


@frozen
class Move:
    """Move an adventurer along a path: the cells entered, in order; the last may be `"temple"`."""

    name: ClassVar = "move"
    player: str
    adventurer: str
    path: tuple[str, ...]


@frozen
class Collect:
    """Take the treasure on which an adventurer stands."""

    name: ClassVar = "collect"
    player: str
    adventurer: str


@frozen
class Pass:
    """Close a turn in which the tile was discarded; what steps are left lapse."""

    name: ClassVar = "pass"
    player: str


Command = Draw | Place | Discard | Move | Collect | Pass
