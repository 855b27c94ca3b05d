"""The form of `karuba-state/1`: what stands in it, and what it may be.

`state_json` fills it, and a JSON Schema is made from it. mypy holds the members that are filled in, and their
types, to the form; `tests/adapters/test_schemas.py` holds the values of whole games to the schema.
"""

from typing import Annotated, Any, Final, Literal, TypedDict, get_args

from attrs import frozen

from karuba_core import CELLS, COLOURS, GameEnded, RoundEnded
from karuba_core.board import NUMBERS
from karuba_core.ruleset import PICKUPS, SEPARATIONS
from karuba_core.tiles import TILE_NUMBERS

Format = Literal["karuba-state/1"]
STATE_FORMAT: Final[Format] = get_args(Format)[0]


@frozen(eq=False)  # by identity, for types are hashed
class Says:
    """What JSON Schema says of a value beyond its type, in its own keywords."""

    keywords: dict[str, Any]


_EACH_COLOUR: Final = Says({"required": [*COLOURS]})
_EACH_PLAYER: Final = Says({"minProperties": 2, "maxProperties": 4})

_NAME: Final = {"minLength": 1, "maxLength": 64, "not": {"pattern": r"[\u0000-\u001f\u007f-\u009f]"}}
_TILE: Final = {"minimum": TILE_NUMBERS[0], "maximum": TILE_NUMBERS[-1]}

Cell = Annotated[str, Says({"title": "Cell", "enum": [*CELLS]})]
Colour = Annotated[str, Says({"title": "Colour", "enum": [*COLOURS]})]
Name = Annotated[str, Says({"title": "Name", **_NAME})]
Number = Annotated[int, Says({"title": "Number", "enum": [*NUMBERS]})]
Tile = Annotated[int, Says({"title": "Tile", **_TILE})]
Token = Annotated[int, Says({"title": "Token", "minimum": 1, "maximum": 99})]
Treasure = Annotated[str, Says({"title": "Treasure", "enum": ["crystal", "gold"]})]
Count = Annotated[int, Says({"title": "Count", "minimum": 0})]


class Pair(TypedDict):
    """Where one colour starts and where it wants to go."""

    beach: Number
    jungle: Number


class Rules(TypedDict):
    """The readings of the rules that the game is played by."""

    pickup: Annotated[str, Says({"enum": [*PICKUPS]})]
    temple_treasures: Annotated[list[Token], Says({"minItems": 2, "maxItems": 8})]
    separation: Annotated[str, Says({"enum": [*SEPARATIONS]})]


class Turn(TypedDict):
    """What a player can still do in the round; one that nothing can follow in is closed."""

    stage: Annotated[str, Says({"enum": ["to-play", "walking", "closed"]})]
    steps: Annotated[int, Says({"minimum": 0, "maximum": 4})]
    adventurer: Colour | None


class Island(TypedDict):
    """One player's board: tiles and treasures by the cell where they lie, adventurers by colour."""

    tiles: dict[Cell, Tile]
    treasures: dict[Cell, Treasure]
    adventurers: Annotated[dict[Colour, Cell | Literal["beach", "temple"]], _EACH_COLOUR]
    turn: Turn


class Award(TypedDict):
    """What a player got for reaching a temple."""

    player: Name
    temple: Colour
    token: Token
    crystals: Count


class Points(TypedDict):
    """What a player has so far."""

    temples: Count
    crystals: Count
    gold: Count
    total: Count
    tiles: Annotated[int, Says({"minimum": 0, "maximum": len(CELLS)})]


class State(TypedDict):
    """The state of a game: its opening, where it stands, and what follows from that."""

    format: Format
    players: Annotated[list[Name], Says({"minItems": 2, "maxItems": 4, "uniqueItems": True})]
    leader: Name
    layout: Annotated[dict[Colour, Pair], _EACH_COLOUR]
    rules: Rules
    phase: Literal["draw", "turns", "over"]
    round: Annotated[int, Says({"minimum": 0, "maximum": len(TILE_NUMBERS)})]
    drawn: Annotated[list[Tile], Says({"uniqueItems": True})]
    due: Annotated[str, Says({"enum": [RoundEnded.name, GameEnded.name]})] | None
    islands: Annotated[dict[Name, Island], _EACH_PLAYER]
    temple_treasures: Annotated[dict[Colour, list[Token]], _EACH_COLOUR]
    awards: list[Award]
    scores: Annotated[dict[Name, Points], _EACH_PLAYER]
    reason: Annotated[str, Says({"enum": ["all-home", "tiles-exhausted"]})] | None
    winners: Annotated[list[Name], Says({"maxItems": 4, "uniqueItems": True})]
