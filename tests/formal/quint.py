"""Quint as a process: its checks and the explorer, each with the figures that it prints."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

MODEL: Final = Path(__file__).parents[2] / "spec" / "model"
BACKEND: Final = "--backend=typescript"  # the default one is fetched from the network at run time
BROKEN_INVARIANT: Final = 1
MOST_STATES: Final = 3000
_QUINT: Final = MODEL / "node_modules" / "@informalsystems" / "quint" / "dist" / "src" / "cli.js"
_PATIENCE: Final = 900  # seconds


class Failed(Exception):
    """A check that did not pass; the text says what it printed.

    Attributes:
        code: The exit code of the process that failed, 0 where it did not.
    """

    def __init__(self, printed: str, code: int = 0) -> None:
        super().__init__(printed)
        self.code = code


def install() -> None:
    """Install the pinned toolchain, exactly as the lock file has it, unless it is there already."""
    installed = MODEL / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (MODEL / "package-lock.json").stat().st_mtime:
        _run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], MODEL)


def typecheck(model: Path, module: str) -> None:
    """Check the types and effects of a module and of all that it imports."""
    _quint(model, "typecheck", f"{module}.qnt")


def scenarios(model: Path) -> int:
    """Run the scenarios and return how many there are; all have to pass."""
    printed = _quint(model, "test", "scenarios.qnt", "--main=scenarios", BACKEND)
    passing = re.search(r"(\d+) passing", printed)
    written = len(re.findall(r"^ +run ", (model / "scenarios.qnt").read_text("utf-8"), re.MULTILINE))
    if passing is None or int(passing[1]) != written:
        raise Failed(printed)
    return written


def simulate(  # noqa: PLR0913 - the options of one command
    module: Path, *, games: int, events: int, seed: int, witnesses: Sequence[str], traces: Path
) -> dict[str, int]:
    """Play random games under the invariants; return in how many each witness was seen.

    Args:
        module: The file of an instance, named as its module.
        games: How many games to play.
        events: How long a game may become.
        seed: Where the chance comes from.
        witnesses: What to look for.
        traces: The folder that gets a trace of each game.
    """
    options = [f"--max-samples={games}", f"--n-traces={games}", f"--max-steps={events}", f"--seed={seed}"]
    trace = f"--out-itf={traces / module.stem}_{{seq}}.itf.json"
    goals = ["--invariants", "safe", "--witnesses", *witnesses]
    printed = _quint(
        module.parent,
        *("run", module.name, f"--main={module.stem}", BACKEND, "--step=stepGuided", "--verbosity=1"),
        *(*options, trace, *goals),
    )
    if "No violation found" not in printed:
        raise Failed(printed)
    return {name: int(count) for name, count in re.findall(r"(\w+) was witnessed in (\d+) trace", printed)}


def explore(  # noqa: PLR0913 - the options of one command
    module: Path,
    *,
    graph: Path,
    write: Mapping[str, str],
    head: str | None = None,
    invariant: str | None = None,
    step: str | None = None,
    limit: int = MOST_STATES,
) -> dict[str, Any]:
    """Search all that an instance can reach; return its figures.

    Args:
        module: The file of an instance, named as its module.
        graph: The file that gets every state and what follows from it.
        write: What else it gets of every state, by name.
        head: What its first line says, `name=expression`.
        invariant: What has to hold in every state.
        step: The action to take, `step` if not said.
        limit: How many states at most.

    Raises:
        Failed: The invariant does not hold everywhere (code `BROKEN_INVARIANT`), or the model does not load.
    """
    options = {"--invariant": invariant, "--step": step, "--graph": str(graph), "--head": head}
    options["--limit"] = str(limit)
    options["--write"] = ",".join(f"{name}={expression}" for name, expression in write.items())
    given = [text for name, value in options.items() if value is not None for text in (name, value)]
    explorer = module.parent.parent / "explore.js"
    printed = _run(["node", str(explorer), str(module), module.stem, *given], module.parent)
    figures: dict[str, Any] = json.loads(printed)
    return figures


def _quint(folder: Path, *arguments: str) -> str:
    return _run(["node", str(_QUINT), *arguments], folder)


def _run(command: Sequence[str], folder: Path) -> str:
    program = shutil.which(command[0])
    if program is None:
        raise Failed(f"there is no {command[0]} on the path")
    said = f"{' '.join(command[:6])} ..."
    try:
        done = subprocess.run(
            [program, *command[1:]],
            cwd=folder,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{said}: no end within {_PATIENCE} s") from None
    if done.returncode:
        raise Failed(f"{said}: exit {done.returncode}\n{done.stdout}{done.stderr}", done.returncode)
    return done.stdout
