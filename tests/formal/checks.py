"""The formal checks, each a function that returns its figures or raises `Failed`.

The model is checked on its own (scenarios, random games, exhaustive search), and the kernel is held
against it: in every trace of a random game, in every state that an instance can reach, and along the
games that the kernel's own planner plays.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from karuba_adapters.decks import opening
from karuba_adapters.players import planner, play
from karuba_core import preset
from tests.formal import quint
from tests.formal.agreement import check_graph, check_trace
from tests.formal.comparison import Comparison
from tests.formal.instances import module_name, position_module, recorded_module
from tests.formal.kernel_graph import POSITIONS, read_position
from tests.formal.midgames import mirrored
from tests.formal.quint import MODEL, Failed
from tests.formal.setup_probes import check_setups, probes_module, proposals

ROOT: Final = Path(__file__).parents[2]
_TESTS: Final = (
    "tests/spec",
    "tests/formal",
    "tests/adapters/test_schemas.py",
    "tests/adapters/test_referee.py",
    "tests/test_vector_runners.py",
    "tests/test_second_reader.py",
)
COUNTS: Final = MODEL / "counts.json"


@frozen
class Midgame:
    """Random games from a position in the middle, and in how many of them each witness has to be seen.

    Attributes:
        players: How many play, all alike up to there.
        rules: The preset.
        seed: Where layout, deck and plans come from.
        rounds: How many rounds are played before.
        games: How many games go on from there.
        least: The threshold of each witness.
    """

    players: int
    rules: str
    seed: int
    rounds: int
    games: int
    least: dict[str, int]


MIDGAMES: Final = {
    "two": Midgame(2, "official", 38, 26, 20, {"arrived": 10, "tied": 3, "allHome": 3, "collected": 15}),
    "three": Midgame(3, "seed-000", 52, 25, 12, {"arrived": 6, "tied": 3, "allHome": 1, "tilesExhausted": 3}),
    "four": Midgame(4, "seed-001", 2, 22, 8, {"tied": 3, "tiedByThree": 1, "mustCollect": 2}),
    "whole": Midgame(2, "official", 7, 0, 4, {"tilesExhausted": 3}),
}
LONGEST_GAME: Final = 500

ASKED: Final = {
    "state": "state",
    "verdicts": "verdictsNow",
    "walks": "walksNow",
    "records": "recordsNow",
    "legal": "legalNow",
}
"""What the comparison wants to know of every state, and what the machine calls it."""

RECORDED: Final = {
    f"{rules.replace('-', '_')}_{players}_{seed}": (players, rules, seed)
    for seed, (players, rules) in enumerate(
        [(players, rules) for players in (2, 3, 4) for rules in ("official", "seed-000", "seed-001")], 100
    )
}
"""Whole games of the planner, with seeds from 100: players, preset and seed by name."""


def search(build: Path, name: str) -> Counter[str]:
    """Search all that a position can reach; in every state the invariants hold and the kernel agrees.

    Args:
        build: The folder for modules and graphs, beside the model.
        name: The position, a log in `spec/model/positions/`.
    """
    events = read_position(POSITIONS / f"{name}.jsonl")
    module = write_module(build, name, position_module(module_name(name), events))
    graph = module.with_suffix(".graph.jsonl")
    figures = explore(module, graph, invariant="safeOrders")
    counts = {what: figures[what] for what in ("states", "edges", "final")}
    expected = json.loads(COUNTS.read_text(encoding="utf-8")).get(name)
    if counts != expected:
        raise Failed(f"{name}: expected {expected}, got {counts}")
    return agreed(name, check_graph(graph, events))


def record(build: Path, name: str) -> Counter[str]:
    """Follow a game of the planner in the model; it yields every event, and the kernel agrees in every state.

    Args:
        build: The folder for modules and graphs, beside the model.
        name: A game of `RECORDED`.
    """
    players, rules, seed = RECORDED[name]
    setup = opening(("ana", "ben", "chloé", "dan")[:players], seed, preset(rules, players))
    events = list(play(setup, seed, planner))
    module = write_module(build, name, recorded_module(module_name(name), events))
    graph = module.with_suffix(".graph.jsonl")
    figures = explore(module, graph, invariant="safe", step="stepRecorded")
    if figures["states"] != len(events):
        raise Failed(
            f"{name}: the model follows {figures['states'] - 1} of {len(events) - 1} recorded events"
        )
    return agreed(name, check_graph(graph, events[:1], whole=False))


def simulate(build: Path, name: str) -> Counter[str]:
    """Play random games under the invariants; enough is seen, and the kernel agrees along every trace.

    Args:
        build: The folder for modules and traces, beside the model.
        name: One of `MIDGAMES`.
    """
    midgame = MIDGAMES[name]
    events = mirrored(midgame.players, midgame.rules, midgame.seed, midgame.rounds)
    module = write_module(build, f"random_{name}", position_module(f"random_{name}", events))
    seen = quint.simulate(
        module,
        games=midgame.games,
        events=LONGEST_GAME,
        seed=midgame.seed,
        witnesses=tuple(midgame.least),
        traces=build,
    )
    missed = {
        witness: seen.get(witness, 0)
        for witness, least in midgame.least.items()
        if seen.get(witness, 0) < least
    }
    if missed:
        raise Failed(f"{name}: seen too seldom: {missed}, expected at least {midgame.least}")
    counts = Counter(seen)
    if len(list(build.glob(f"random_{name}_*.itf.json"))) != midgame.games:
        raise Failed(f"{name}: expected a trace of each of {midgame.games} games")
    for trace in sorted(build.glob(f"random_{name}_*.itf.json")):
        counts["traces"] += 1
        counts += agreed(trace.name, check_trace(trace, events))
        trace.unlink()
    return counts


def setups(build: Path) -> Counter[str]:
    """Put setups, right and wrong, to the model and to the kernel.

    Args:
        build: The folder for modules and graphs, beside the model.
    """
    proposed = proposals()
    module = write_module(build, "setup_probes", probes_module("setup_probes", proposed))
    graph = module.with_suffix(".graph.jsonl")
    quint.explore(module, graph=graph, write={"faults": "faultsNow"})
    return agreed("setups", check_setups(graph, proposed))


def tests() -> str:
    """Run the tests that hold text, schemas, vectors and second judge together; return their last line."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *_TESTS],
        cwd=ROOT,
        env={**os.environ, "KARUBA_REQUIRE_NODE": "1"},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    if done.returncode:
        raise Failed(done.stdout + done.stderr)
    return done.stdout.rstrip().rpartition("\n")[2]


def explore(module: Path, graph: Path, *, invariant: str, step: str | None = None) -> dict[str, Any]:
    """Search an instance of the machine and write all that the kernel is compared with."""
    head = "vocabulary=vocabularyNow"
    return quint.explore(module, graph=graph, write=ASKED, head=head, invariant=invariant, step=step)


def write_module(build: Path, name: str, text: str) -> Path:
    """Write a module, and return its file."""
    module = build / f"{module_name(name)}.qnt"
    module.write_text(text, encoding="utf-8", newline="\n")
    return module


def agreed(name: str, found: Comparison) -> Counter[str]:
    """Return the counts of a comparison in which nothing differs."""
    if found.different:
        raise Failed(f"{name}: model and kernel differ\n{found}")
    return found.counts
