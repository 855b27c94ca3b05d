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
from tests.formal.agreement import check_graph
from tests.formal.checks import COUNTS, explore, write_module
from tests.formal.faults import Fault, apply_fault
from tests.formal.instances import module_name, position_module
from tests.formal.kernel_graph import POSITIONS, read_position
from tests.formal.quint import MODEL, Failed

ROOT: Final = Path(__file__).parents[2]
SMALL: Final = ("three-tie", "two-detour", "two-draw")
"""The positions that a fault of the model is searched in when no scenario has found it."""


def found_in_model(fault: Fault) -> str | None:
    """Return what finds a fault of the model: `types`, `scenarios`, `invariants`, `the kernel`, or None."""
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        model = copy / "spec" / "model"
        shutil.copytree(MODEL, model, ignore=shutil.ignore_patterns("node_modules", "build"))
        (model / "node_modules").symlink_to(MODEL / "node_modules", target_is_directory=True)
        (model / "build").mkdir()
        apply_fault(fault, copy)
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
    except Failed:
        return f"invariants in {name}"
    return f"the kernel in {name}" if check_graph(graph, events).different else None


def found_in_kernel(fault: Fault, build: Path) -> str | None:
    """Return what finds a fault of the kernel: the comparison with the model in a position, or in setups.

    Args:
        fault: The fault.
        build: The folder with the graphs of the sound model, as `checks` leaves them.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(
            ROOT / "karuba_core", copy / "karuba_core", ignore=shutil.ignore_patterns("__pycache__")
        )
        for name in ("adapters", "tests", "spec"):
            (copy / name).symlink_to(ROOT / name, target_is_directory=True)
        apply_fault(fault, copy)
        path = os.pathsep.join([str(copy), str(copy / "adapters")])
        for what, comparison in _comparisons(build):
            command = [sys.executable, "-m", *comparison]
            done = subprocess.run(
                command, cwd=copy, env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False
            )
            if done.returncode:  # it differs, or is broken altogether
                return f"the model in {what}"
    return None


def _comparisons(build: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the comparisons of the kernel with graphs that were written, the small ones first."""
    yield "setups", ["tests.formal.setups", str(build / "setups.graph.jsonl")]
    graphs = {
        name: build / f"{module_name(name)}.graph.jsonl" for name in json.loads(COUNTS.read_text("utf-8"))
    }
    written = {name: graph for name, graph in graphs.items() if graph.exists()}
    for name, graph in sorted(written.items(), key=lambda item: item[1].stat().st_size):
        yield name, ["tests.formal.agreement", str(POSITIONS / f"{name}.jsonl"), str(graph)]
