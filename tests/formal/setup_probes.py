"""Setups right and wrong, put to the model and to the kernel: which codes does each of them name?

python -m tests.formal.setup_probes GRAPH.jsonl
"""

import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from karuba_core import Layout, Pair, RuleSet, Setup, setup_violations
from karuba_core.board import NUMBERS
from karuba_core.ruleset import PICKUPS, SEPARATIONS
from tests.formal import itf
from tests.formal.agreement import DIFFERENT
from tests.formal.comparison import Comparison
from tests.formal.instances import setup_text

T = TypeVar("T")

_SIZE: Final = 600
_SEED: Final = 1
_SELDOM: Final = 0.25
_NAMES: Final = (
    "ana",
    "ben",
    "chloé",
    "dan",
    "eve",
    "n" * 64,
    "n" * 65,
    "",
    "a\tb",
    "\x7f",
    "\x9f",
    "\xa0",
    "🐒" * 64,
)
_WRONG_NUMBERS: Final = (0, 5, 15, 120, -10)
_STACKS: Final = (
    (5, 3),
    (5, 3, 2),
    (5, 4, 3, 2),
    (5,),
    (),
    (1, 1),
    (3, 5),
    (99, 1),
    (100, 1),
    (2, 0),
    (9,) * 8,
    (9,) * 9,
)


def proposals() -> list[Setup]:
    """Return setups, always the same, of which many have a fault or two."""
    random = Random(_SEED)
    return [_proposal(random) for _ in range(_SIZE)]


def _proposal(random: Random) -> Setup:
    size = _mostly(random, (2, 3, 4), (0, 1, 5))
    names = _NAMES[:size]
    if random.random() < _SELDOM:
        names = tuple(_mostly(random, _NAMES[:5], _NAMES) for _ in range(size))
    beaches, jungles = random.sample(NUMBERS, 4), random.sample(NUMBERS, 4)
    if random.random() < _SELDOM:
        random.choice((beaches, jungles))[random.randrange(4)] = random.choice(NUMBERS + _WRONG_NUMBERS)
    rules = RuleSet(
        _mostly(random, PICKUPS, ("never", "")),
        _mostly(random, _STACKS[1:3], _STACKS),
        _mostly(random, SEPARATIONS, ("edge-5", "")),
    )
    layout = Layout(*map(Pair, beaches, jungles))
    return Setup(names, _mostly(random, names or ("ana",), ("zoe",)), layout, rules)


def _mostly(random: Random, right: Sequence[T], wrong: Sequence[T]) -> T:
    return random.choice(wrong if random.random() < _SELDOM / 3 else right)


def probes_module(name: str, setups: Sequence[Setup]) -> str:
    """Return a module that goes through setups one by one; names are told by number and spelling."""
    names = dict.fromkeys(name for setup in setups for name in (*setup.players, setup.leader))
    numbers = dict(zip(names, count()))
    proposed = ",\n    ".join(setup_text(setup, lambda name: f"name {numbers[name]}") for setup in setups)
    spelled = ", ".join(
        f'"name {number}" -> {{ characters: {len(name)}, controls: {_controls(name)} }}'
        for name, number in numbers.items()
    )
    return f"""\
module {name} {{
  import types.* from "../types"
  import setup_rules.* from "../setup_rules"
  pure val proposed: List[Setup] = [
    {proposed}
  ]
  pure val spelled: Player -> Spelling = Map({spelled})

  var game: int
  var event: str
  action init = all {{ game' = 0, event' = "" }}
  action step = all {{ game + 1 < proposed.length(), game' = game + 1, event' = "" }}
  val faultsNow: Set[Code] = setupFaults(proposed[game], spelled)
}}
"""


def _controls(name: str) -> int:
    return sum(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in name)


def check_setups(path: Path, setups: Sequence[Setup]) -> Comparison:
    """Compare the codes that model and kernel name for each setup (R-SETUP)."""
    found = Comparison()
    lines = list(itf.lines(path))
    found.expect(0, "setups", len(lines), len(setups))
    for number, (line, setup) in enumerate(zip(lines, setups, strict=False)):
        codes = {fault.code for fault in setup_violations(setup)}
        found.counts["setups"] += 1
        found.counts["wrong setups"] += bool(codes)
        found.expect(number, setup, itf.decode(line["faults"]), sorted(codes))
    return found


if __name__ == "__main__":
    comparison = check_setups(Path(sys.argv[1]), proposals())
    print(comparison)
    sys.exit(DIFFERENT if comparison.different else 0)
