"""`karuba new`: the opening of a game."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from karuba_cli.inputs import STANDARD_INPUT
from karuba_cli.options import parted
from karuba_cli.outputs import write

if TYPE_CHECKING:
    from karuba_core import Layout, RuleSet, Violation

T = TypeVar("T")


def new(
    players: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Who plays: 2 to 4 names by seat, parted by commas."),
    ] = "ana,ben",
    leader: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who draws the tiles.", show_default="the first player"),
    ] = None,
    layout: Annotated[
        str,
        typer.Option(
            metavar="LAYOUT",
            help="Where adventurers and temples stand: random, or a JSON file such as"
            ' {"blue": {"beach": 10, "jungle": 60}, ...}; - for standard input.',
        ),
    ] = "random",
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="S", help="For which a random layout stands, on every machine.", show_default="0"
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            metavar="RULES",
            help="By which rules: official, seed-000, seed-001 or seed-002; or a JSON file such as the rules"
            " of an opening; - for standard input.",
        ),
    ] = "official",
) -> None:
    """Write the opening of a game, a log that karuba apply and karuba simulate go on from.

    A random layout is right by the separation of the rules, and all right layouts are equally likely; it
    is that of the game which karuba simulate plays from this seed.

    Exit code 0: it is written. 2: wrong usage, or a wrong setup, with all its faults.
    """
    from karuba_adapters import encode
    from karuba_adapters.setups import read_layout
    from karuba_core import InvalidSetup, Setup, start

    if layout == rules == STANDARD_INPUT:
        raise typer.BadParameter("standard input can be read once only")
    if layout != "random" and seed is not None:
        raise typer.BadParameter("only a random layout follows from a seed", param_hint="--seed")
    names = tuple(parted(players))
    readings = _rules(rules, len(names))
    places = (
        _random(seed or 0, readings) if layout == "random" else _from_file(layout, read_layout, "--layout")
    )
    try:
        opening = start(Setup(names, names[0] if leader is None else leader, places, readings))
    except InvalidSetup as error:
        raise typer.BadParameter(_told(error.violations)) from None
    for event in opening.events:
        write(encode(event))


def _rules(name: str, players: int) -> "RuleSet":
    """Return a preset, or the rules of a file."""
    from karuba_adapters.setups import read_rules
    from karuba_core import preset
    from karuba_core.ruleset import PRESETS

    if name in PRESETS:
        return preset(
            name, min(max(players, 2), 4)
        )  # too few or too many are told with the rest of the setup
    return _from_file(name, read_rules, "--rules", f"no preset ({', '.join(PRESETS)}), and ")


def _random(seed: int, rules: "RuleSet") -> "Layout":
    from karuba_adapters.decks import layout
    from karuba_core.ruleset import SEPARATIONS

    known = rules.separation in SEPARATIONS  # an unknown one is told with the rest of the setup
    return layout(seed, rules.separation if known else SEPARATIONS[0])


def _from_file(name: str, read: Callable[[bytes], T], option: str, before: str = "") -> T:
    """Return what a JSON file says; one that says nothing clear is wrong usage."""
    from karuba_adapters import Fault
    from karuba_adapters.limits import LIMITS
    from karuba_adapters.plain_text import printable

    try:
        if name != STANDARD_INPUT:
            with Path(name).open("rb") as stream:
                text = stream.read(LIMITS.line + 2)  # of more, it is told that it is too long
        else:
            text = b"" if sys.stdin is None else sys.stdin.buffer.read(LIMITS.line + 2)
        return read(text)
    except (OSError, ValueError) as error:
        if isinstance(error, Fault):
            reason = _told(error.faults)
        else:  # a name with a zero byte is a ValueError
            reason = f"{before}cannot be read: {getattr(error, 'strerror', None) or error}"
    raise typer.BadParameter(printable(f"{name}: {reason}"), param_hint=option)


def _told(faults: "Iterable[Violation]") -> str:
    from karuba_adapters.plain_text import printable

    parts = (f"{fault.code}: {fault.message} [{fault.path}] ({fault.rule})" for fault in faults)
    return printable("; ".join(parts))
