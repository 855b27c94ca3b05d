"""Seeded faults: each breaks one rule, of the model or of the kernel, and some check has to find it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.formal import quint
from tests.formal.agreement import DIFFERENT, check_graph
from tests.formal.checks import COUNTS, explore, write_module
from tests.formal.faults import Fault, apply_fault
from tests.formal.instances import module_name, position_module
from tests.formal.kernel_graph import POSITIONS, read_position
from tests.formal.quint import BROKEN_INVARIANT, MODEL, Failed

ROOT: Final = Path(__file__).parents[2]
SMALL: Final = ("three-tie", "two-detour", "two-draw")
"""The positions that are searched in a hurry, and for a fault of the model that no scenario finds."""


def found_in_model(fault: Fault | None, build: Path) -> str | None:
    """Return what finds a fault of the model: scenarios, an invariant, the kernel; None if nothing does.

    Args:
        fault: The fault; None for a sound copy, in which nothing may be found.
        build: A folder beside the model, so that a copy in it finds the toolchain.
    """
    with TemporaryDirectory(dir=build) as folder:
        model = Path(folder) / "spec" / "model"
        shutil.copytree(MODEL, model, ignore=shutil.ignore_patterns("node_modules", "build"))
        (model / "build").mkdir()
        if fault is not None:
            apply_fault(fault, Path(folder))
        try:
            quint.scenarios(model)
        except Failed as failure:
            if "Tests failed" in str(failure):
                return "scenarios"
            raise  # it does not even load
        return next((finder for name in SMALL if (finder := _found_in_search(model, name))), None)


def _found_in_search(model: Path, name: str) -> str | None:
    events = read_position(POSITIONS / f"{name}.jsonl")
    module = write_module(model / "build", name, position_module(module_name(name), events))
    graph = module.with_suffix(".graph.jsonl")
    try:
        explore(module, graph, invariant="safeOrders")
    except Failed as failure:
        if failure.code == BROKEN_INVARIANT:
            return f"invariants in {name}"
        raise
    return f"the kernel in {name}" if check_graph(graph, events).different else None


def found_in_kernel(fault: Fault | None, build: Path) -> str | None:
    """Return what finds a fault of the kernel: the model in setups or in a position; None if nothing does.

    Args:
        fault: The fault; None for a sound copy, in which nothing may be found.
        build: The folder with the graphs of the sound model, as `checks` leaves them.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(
            ROOT / "karuba_core", copy / "karuba_core", ignore=shutil.ignore_patterns("__pycache__")
        )
        if fault is not None:
            apply_fault(fault, copy)
        path = os.pathsep.join(map(str, (copy, ROOT / "adapters", ROOT)))
        for what, comparison in _comparisons(build):
            done = subprocess.run(
                [sys.executable, "-m", *comparison],
                cwd=copy,
                env={**os.environ, "PYTHONPATH": path},
                capture_output=True,
                check=False,
            )
            if done.returncode:
                differs = done.returncode == DIFFERENT
                return f"the model in {what}" if differs else f"an exception of the kernel in {what}"
    return None


def _comparisons(build: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the comparisons of the kernel with graphs that were written, the small ones first."""
    yield "setups", ["tests.formal.setup_probes", str(build / "setup_probes.graph.jsonl")]
    graphs = {
        name: build / f"{module_name(name)}.graph.jsonl" for name in json.loads(COUNTS.read_text("utf-8"))
    }
    written = {name: graph for name, graph in graphs.items() if graph.exists()}
    for name, graph in sorted(written.items(), key=lambda item: item[1].stat().st_size):
        yield name, ["tests.formal.agreement", str(POSITIONS / f"{name}.jsonl"), str(graph)]
