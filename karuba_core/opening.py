"""How a game is set up: players, leader, layout, rules; and what a right setup is."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from attrs import field, frozen

from karuba_core.board import COLOURS, NUMBERS, edge_distance
from karuba_core.decider import Violation
from karuba_core.ruleset import PICKUPS, SEPARATIONS, RuleSet
from karuba_core.wording import shown

_PLAYERS: Final = range(2, 5)
_NAME_LENGTHS: Final = range(1, 65)
_TREASURE_VALUES: Final = range(1, 100)
_STACK_LIMIT: Final = 8


@frozen
class Pair:
    """Where one colour starts and where it wants to go: its beach and its jungle number, 10 to 110."""

    beach: int
    jungle: int


@frozen
class Layout:
    """The numbers of the four colours, the same on every island."""

    blue: Pair
    brown: Pair
    purple: Pair
    yellow: Pair

    @property
    def pairs(self) -> tuple[Pair, Pair, Pair, Pair]:
        """The four pairs in the order of the colours."""
        return (self.blue, self.brown, self.purple, self.yellow)


def _as_tuple(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)


@frozen
class Setup:
    """All that is settled before the first tile is drawn.

    Attributes:
        players: 2 to 4 different names in seating order, each 1 to 64 code points.
        leader: The player who draws; of no effect on the rules (R-SETUP-3).
        layout: Where adventurers and temples stand.
        rules: The readings of the rules that this game is played by.
    """

    players: tuple[str, ...] = field(converter=_as_tuple)
    leader: str
    layout: Layout
    rules: RuleSet


class InvalidSetup(ValueError):
    """A setup that the rules refuse; `violations` says why, all of it."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        super().__init__(violations)
        self.violations = violations

    def __str__(self) -> str:
        return "; ".join(f"{fault.message} [{fault.code}]" for fault in self.violations)


def setup_violations(setup: Setup) -> tuple[Violation, ...]:
    """Return the faults of a setup: of its players, its layout, its rules; none where it is right.

    The codes are those of family `setup/`: R-SETUP-1 to R-SETUP-8. Of more players than can
    play, only the first few are looked at.
    """
    return (*_player_faults(setup), *_layout_faults(setup.layout, setup.rules), *_rule_faults(setup))


def _player_faults(setup: Setup) -> Iterator[Violation]:
    players = setup.players
    if len(players) not in _PLAYERS:
        message = f"expected 2 to 4 players, got {len(players)}"
        yield Violation("setup/player-count", "R-SETUP-1", "$.players", message)
    for seat, name in enumerate(players[: _PLAYERS.stop]):  # of a crowd, the first few say enough
        path = f"$.players[{seat}]"
        if not is_name(name):
            message = f"expected a name of 1 to 64 characters, none a control character, got {shown(name)}"
            yield Violation("setup/player-name", "R-SETUP-2", path, message)
        if name in players[:seat]:
            message = f"the name {shown(name)} is taken already; names must differ"
            yield Violation("setup/player-doubled", "R-SETUP-1", path, message)
    if setup.leader not in players:
        message = f"the leader {shown(setup.leader)} is none of the players"
        yield Violation("setup/leader", "R-SETUP-3", "$.leader", message)


def is_name(name: object) -> bool:
    """Return whether a player may be called so: 1 to 64 Unicode characters, no control among them."""
    return (
        isinstance(name, str)
        and len(name) in _NAME_LENGTHS
        and not any(char < " " or "\x7f" <= char <= "\x9f" or "\ud800" <= char <= "\udfff" for char in name)
    )


def _layout_faults(layout: Layout, rules: RuleSet) -> Iterator[Violation]:
    for side in ("beach", "jungle"):
        taken: dict[int, str] = {}
        for colour, pair in zip(COLOURS, layout.pairs, strict=True):
            number = getattr(pair, side)
            path = f"$.layout.{colour}.{side}"
            if not _is_number(number):
                message = f"expected a {side} number (10, 20, … 110), got {shown(number)}"
                yield Violation("setup/number", "R-SETUP-4", path, message)
            elif number in taken:
                message = f"{side} {number} is taken by {taken[number]}; no two colours share a number"
                yield Violation("setup/number-shared", "R-SETUP-5", path, message)
            else:
                taken[number] = colour
    for colour, pair in zip(COLOURS, layout.pairs, strict=True):
        if _is_number(pair.beach) and _is_number(pair.jungle) and not _is_apart(pair, rules.separation):
            message = f"beach {pair.beach} and jungle {pair.jungle} lie too close for {rules.separation}"
            yield Violation("setup/separation", "R-SETUP-6", f"$.layout.{colour}", message)


def _is_number(number: object) -> bool:
    return type(number) is int and number in NUMBERS


def _is_apart(pair: Pair, separation: str) -> bool:
    """Whether the two numbers of a colour lie far enough apart (R-SETUP-6)."""
    distance = edge_distance(pair.beach, pair.jungle)
    if separation == "edge-3":
        return distance >= 3  # noqa: PLR2004 - the number in the name
    if separation == "edge-4":
        return distance >= 4  # noqa: PLR2004 - the number in the name
    if separation == "value-30":
        return abs(pair.beach - pair.jungle) >= 30  # noqa: PLR2004 - the number in the name
    return True  # an unknown separation is a fault of its own


def _rule_faults(setup: Setup) -> Iterator[Violation]:
    rules = setup.rules
    if rules.pickup not in PICKUPS:
        message = f"expected one of {', '.join(PICKUPS)}, got {shown(rules.pickup)}"
        yield Violation("setup/pickup", "R-SETUP-7", "$.rules.pickup", message)
    if fault := _stack_fault(rules.temple_treasures, len(setup.players)):
        yield Violation("setup/temple-treasures", "R-SETUP-8", "$.rules.temple_treasures", fault)
    if rules.separation not in SEPARATIONS:
        message = f"expected one of {', '.join(SEPARATIONS)}, got {shown(rules.separation)}"
        yield Violation("setup/separation-rule", "R-SETUP-6", "$.rules.separation", message)


def _stack_fault(stack: tuple[int, ...], players: int) -> str | None:
    if not all(type(value) is int and value in _TREASURE_VALUES for value in stack):
        return f"expected temple treasures of 1 to 99, got {shown(stack)}"
    if any(lower > upper for upper, lower in pairwise(stack)):
        return f"expected the highest on top and never a rise, got {shown(stack)}"
    if not players <= len(stack) <= _STACK_LIMIT:
        return f"expected {players} to {_STACK_LIMIT} temple treasures, got {len(stack)}"
    return None
