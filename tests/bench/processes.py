"""Whole processes: how long the command line takes to start, and what a second process gains."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from attrs import frozen

from tests.bench.figures import Gate, Row, at_least, at_most
from tests.bench.measuring import Scale, ratios

EXAMPLE: Final = Path(__file__).parents[2] / "docs" / "examples" / "expedition.jsonl"
KARUBA: Final = shutil.which("karuba", path=sysconfig.get_path("scripts"))
"""The command as it is installed beside this Python; None where it is not."""

BARE: Final = """\
import typer
def main(path: str) -> None: print(path)
typer.run(main)
"""
"""The least that a command with one argument can be."""

Command = Sequence[str | Path]


@frozen
class Spent:
    """What a process has taken, in seconds, with all that it has started."""

    wall: float
    cpu: float


def spent(command: Command) -> Spent:
    """Run a process to its end, which has to be a good one."""
    import resource  # noqa: PLC0415 - not on Windows

    # As an installed package runs: its modules are compiled once.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def in_pairs(one: Command, other: Command, pairs: int) -> tuple[list[Spent], list[Spent]]:
    """Run two commands in turns, after one run of each to warm up."""
    spent(one), spent(other)
    ones, others = list[Spent](), list[Spent]()
    for number in range(pairs):  # which of them comes first alternates
        for command, found in ((one, ones), (other, others))[:: 1 if number % 2 else -1]:
            found.append(spent(command))
    return ones, others


def start_rows(scale: Scale) -> Iterator[Row]:
    """Measure the start-up of the command line by the CPU time of its process; wall time stands beside."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder, "bare.py")
        bare.write_text(BARE, encoding="utf-8")
        nothing: Command = [sys.executable, "-c", "pass"]
        typer: Command = [sys.executable, bare, EXAMPLE]
        starts: list[tuple[Command, Command, str, Gate]] = [
            (["--version"], nothing, "karuba --version / python -c pass", at_most(1.2)),
            (["--help"], nothing, "karuba --help / python -c pass", at_most(7)),
            (["validate", EXAMPLE], typer, "small validate / bare Typer command", at_most(1.3)),
        ]
        for ours, theirs, name, gate in starts:
            yield start_row(f"{name}, CPU time", ours, theirs, gate, scale)


def start_row(name: str, arguments: Command, other: Command, gate: Gate, scale: Scale) -> Row:
    """Measure one start-up against another process."""
    if missing := missing_here():
        return Row(name, (), missing, gate)
    ours, theirs = in_pairs([str(KARUBA), *arguments], other, scale.starts)
    wall = median(ratios([run.wall for run in ours], [run.wall for run in theirs]))
    own = median(run.wall for run in ours)
    values = ratios([run.cpu for run in ours], [run.cpu for run in theirs])
    return Row(name, values, f"by wall time {wall:.2f}, {own * 1000:.0f} ms", gate)


def parallel_row(logs: Sequence[bytes], scale: Scale) -> Row:
    """Measure by wall time what two processes gain on one large file."""
    name, gate, aim = "validate --jobs 1 / --jobs 2, wall time", at_least(1.6), 1.8
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder, "large.jsonl")
        large.write_bytes(b"".join(logs))
        validate: Command = [str(KARUBA), "validate", "--quiet", large, "--jobs"]
        missing = missing_here() or lacks_jobs()
        if missing:
            return Row(name, (), missing, gate, aim)
        one, two = in_pairs([*validate, "1"], [*validate, "2"], scale.rounds)
    values = ratios([run.wall for run in one], [run.wall for run in two])
    beside = f"{median(run.wall for run in two):.2f} s, CPU {median(run.cpu for run in two):.2f} s"
    return Row(name, values, beside, gate, aim, f"One file of {len(logs):,} games.")


def missing_here() -> str:
    """Return why processes cannot be measured here, empty where they can."""
    if sys.platform == "win32":
        return "not on Windows"
    return "" if KARUBA else "karuba is not installed"


def lacks_jobs() -> str:
    """Return that the command line knows no `--jobs`, empty where it does."""
    command: Command = [str(KARUBA), "validate", "--quiet", EXAMPLE, "--jobs", "1"]
    done = subprocess.run(command, check=False, capture_output=True)
    return "not there" if done.returncode == 2 else ""
