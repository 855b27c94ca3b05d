"""The choices that a game makes among the readings of the rules."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import field, frozen

PICKUPS: Final = ("stop", "landing", "step")
SEPARATIONS: Final = ("edge-3", "edge-4", "value-30")


def _as_tuple(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(values)


@frozen
class RuleSet:
    """The readings of the rules that one game is played by; its log declares them in full.

    Attributes:
        pickup: How a treasure is picked up: `"stop"` (official), `"landing"` or `"step"`.
        temple_treasures: The stack of each temple, top first: 1 to 99 each, never rising,
            at least one for each player, at most 8.
        separation: How far the two numbers of a colour lie apart: `"edge-3"` (official),
            `"edge-4"` or `"value-30"`.
    """

    pickup: str
    temple_treasures: tuple[int, ...] = field(converter=_as_tuple)
    separation: str


_OFFICIAL_STACKS: Final = {2: (5, 3), 3: (5, 3, 2), 4: (5, 4, 3, 2)}
_OFFICIAL: Final = {players: RuleSet("stop", stack, "edge-3") for players, stack in _OFFICIAL_STACKS.items()}

PRESETS: Final[Mapping[str, Mapping[int, RuleSet]]] = MappingProxyType(
    {
        "official": _OFFICIAL,
        "seed-000": {players: RuleSet("step", (5, 4, 3, 2), "edge-3") for players in _OFFICIAL_STACKS},
        "seed-001": {players: RuleSet("landing", (5, 3, 2, 1), "edge-4") for players in _OFFICIAL_STACKS},
        "seed-002": _OFFICIAL,  # the document that the official reading follows
    }
)


def preset(name: str, players: int) -> RuleSet:
    """Return a named set of rules, written out for a number of players.

    Args:
        name: `"official"` (also called `"seed-002"`), `"seed-000"` or `"seed-001"`.
        players: How many play, 2 to 4.

    Raises:
        ValueError: There is no such preset, or not for so many players.

    >>> preset("official", 3)
    RuleSet(pickup='stop', temple_treasures=(5, 3, 2), separation='edge-3')
    """
    try:
        return PRESETS[name][players]
    except KeyError:
        known = ", ".join(PRESETS)
        raise ValueError(f"no preset {name!r} for {players!r} players: {known}; 2 to 4") from None


def preset_name(rules: RuleSet, players: int) -> str:
    """Return the name of the preset that some rules are, or `"custom"`."""
    return next((name for name, sets in PRESETS.items() if sets.get(players) == rules), "custom")
