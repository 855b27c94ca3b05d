"""Fuzzing for as long as wanted, led by what has been covered.

    python -m tests.fuzz.run [--seconds N] [--inputs N] [HARNESS ...]

Needs the extra `fuzz` (atheris). Each harness runs in a process of its own, from seeds that are made of
the recorded games; it ends with the number of inputs, or with the first one that finds a fault, which is
left in the folder that is named.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any, Final

SEEDS: Final = 200
SLOWEST: Final = 20
"""Seconds that an input may take before it counts as a hang."""

MOST_MEMORY: Final = 2048
"""Megabytes that a process may come to."""


def main() -> int:
    """Run the harnesses one after another; 1 where any finds a fault."""
    from tests.fuzz.mutating import SEEDS as MAKERS  # noqa: PLC0415 - the other process instruments it first

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run")
    parser.add_argument("--seconds", type=int, default=60, help="how long each harness runs")
    parser.add_argument("--inputs", type=int, default=-1, help="after how many inputs it ends before")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("harness", nargs="*", default=[], help=", ".join(MAKERS))
    given = parser.parse_args()
    codes = [_run(name, given.seconds, given.inputs) for name in given.harness or MAKERS]
    return max(codes)


def _run(name: str, seconds: int, inputs: int) -> int:
    folder = Path(mkdtemp(prefix=f"karuba-fuzz-{name}-"))
    arguments = [
        *(
            f"-max_total_time={seconds}",
            f"-runs={inputs}",
            f"-timeout={SLOWEST}",
            f"-rss_limit_mb={MOST_MEMORY}",
        ),
        *("-max_len=32768", f"-artifact_prefix={folder}/", "-verbosity=1", "-print_final_stats=1"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", "--one", name, *arguments, str(_seeded(folder, name))],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    count = re.findall(r"number_of_executed_units:\s*(\d+)", done.stderr)
    reached = re.findall(r" cov: (\d+)", done.stderr)
    print(f"{name}: {count[-1] if count else '?'} inputs, {reached[-1] if reached else '?'} edges,", end=" ")
    if done.returncode == 0:
        print("no fault", flush=True)
        return 0
    print(f"a FAULT, see {folder}\n{_told(done.stderr)}", flush=True)
    return 1


def _seeded(folder: Path, name: str) -> Path:
    from tests.fuzz.mutating import SEEDS as MAKERS  # noqa: PLC0415 - see `main`

    corpus = folder / "corpus"
    corpus.mkdir()
    for number in range(SEEDS):
        (corpus / f"seed-{number}").write_bytes(MAKERS[name](Random(number)))
    return corpus


def _told(stderr: str) -> str:
    """Return what a fuzzer said of a fault, without its progress."""
    return "\n".join(text for text in stderr.splitlines() if not text.startswith(("#", "INFO", "NEW_FUNC")))[
        -4000:
    ]


def fuzz(name: str, arguments: Sequence[str]) -> None:
    """Fuzz one harness in this process, until it ends."""
    atheris: Any = import_module("atheris")  # an extra, and without types

    with atheris.instrument_imports(include=["karuba_core", "karuba_adapters", "jmespath"]):
        from tests.fuzz.harnesses import HARNESSES  # noqa: PLC0415 - instrumented while it is imported
    from tests.fuzz.mutating import mutated  # noqa: PLC0415 - after what is instrumented

    def change(data: bytes, longest: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.2:
            return bytes(atheris.Mutate(data, longest))
        return mutated(data, random)[:longest]

    atheris.Setup([sys.argv[0], *arguments], HARNESSES[name], custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        fuzz(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(main())
