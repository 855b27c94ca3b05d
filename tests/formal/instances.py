"""A recorded game as a Quint module: an instance of `spec/model/machine.qnt`.

    python -m tests.formal.instances LOG.jsonl [recorded]

prints it: the log as the position from which the model plays on, or, `recorded`, as a game that the
model follows from its opening. The module belongs into a folder beside the machine, `spec/model/build/`.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

from karuba_core import Event, GameStarted, Score, Setup
from tests.formal.kernel_graph import read_position


def position_module(name: str, events: Sequence[Event]) -> str:
    """Return a module in which the model starts after all the events, the opening first."""
    return _module(name, events, events[1:], ())


def recorded_module(name: str, events: Sequence[Event]) -> str:
    """Return a module in which the model starts at the opening and has the later events to follow."""
    return _module(name, events, (), events[1:])


def module_name(name: str) -> str:
    """Return what the module of a position is called.

    >>> module_name("two-stop")
    'two_stop'
    """
    return name.replace("-", "_")


def _module(name: str, events: Sequence[Event], opening: Sequence[Event], recorded: Sequence[Event]) -> str:
    started = events[0]
    if not isinstance(started, GameStarted):
        raise TypeError(f"expected game-started first, got {started.name}")
    return f"""\
module {name} {{
  import types.* from "../types"
  pure val setup: Setup = {setup_text(started.setup)}
  pure val opening: List[Event] = {_events(opening)}
  pure val recorded: List[Event] = {_events(recorded)}
  import machine(SETUP = setup, OPENING = opening, RECORDED = recorded).* from "../machine"
}}
"""


def setup_text(setup: Setup, called: Callable[[str], str] = str) -> str:
    """Return a setup as Quint writes it.

    Args:
        setup: The setup.
        called: What the model calls a player, where it cannot write the name.
    """
    players, leader = tuple(map(called, setup.players)), called(setup.leader)
    layout = ", ".join(f"{_value(colour)} -> {_value(pair)}" for colour, pair in _fields(setup.layout))
    return (
        f"{{ players: {_value(players)}, leader: {_value(leader)}, layout: Map({layout}), "
        f"pickup: {_value(setup.rules.pickup)}, treasures: {_value(setup.rules.temple_treasures)}, "
        f"separation: {_value(setup.rules.separation)} }}"
    )


def _events(events: Sequence[Event]) -> str:
    """Return a list of events, one a line."""
    lines = ",".join(f"\n    {type(event).__name__}({_value(event)})" for event in events)
    return f"[{lines}\n  ]" if events else "[]"


def _value(value: Any) -> str:  # noqa: ANN401 - whatever an event has
    """Return a value of the kernel as Quint writes it."""
    if isinstance(value, str):
        if '"' in value:  # Quint knows no escape
            raise ValueError(f"no Quint text has a quotation mark: {value}")
        return f'"{value}"'
    if isinstance(value, tuple):
        if value and isinstance(value[0], Score):  # keyed by player, as in a log
            return f"Map({', '.join(f'{_value(score.player)} -> {_score(score)}' for score in value)})"
        return f"[{', '.join(map(_value, value))}]"
    if attrs.has(type(value)):
        return _record(_fields(value))
    return str(value)


def _score(score: Score) -> str:
    return _record([field for field in _fields(score) if field[0] != "player"])


def _record(fields: list[tuple[str, Any]]) -> str:
    return f"{{ {', '.join(f'{name}: {_value(value)}' for name, value in fields)} }}"


def _fields(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 - any class of the kernel
    return [(field.name, getattr(value, field.name)) for field in attrs.fields(type(value))]


def main() -> None:
    """Print the module of a log."""
    path = Path(sys.argv[1])
    make = recorded_module if "recorded" in sys.argv[2:] else position_module
    sys.stdout.write(make(module_name(path.stem), read_position(path)))


if __name__ == "__main__":
    main()
