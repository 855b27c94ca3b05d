"""All formal checks, by one command.

    python -m tests.formal.run           everything
    python -m tests.formal.run --quick   what continuous integration runs beside the tests

It needs Node with npm; Quint is installed as the lock file of `spec/model` has it. The exit code is 1
where a check fails.
"""

import argparse
import os
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from tests.formal import checks, quint, seeded
from tests.formal.faults import KERNEL_FAULTS, MODEL_FAULTS, Fault, faults
from tests.formal.kernel_graph import POSITIONS
from tests.formal.quint import MODEL, Failed
from tests.formal.seeded import SMALL

BUILD: Final = MODEL / "build"
QUICK_RECORDED: Final = 1
QUICK_MIDGAMES: Final = ("two",)

Check = Callable[[], Mapping[str, int] | str | None]


def main() -> None:
    """Run the checks and print what each of them has found, with its time."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="only what continuous integration runs")
    quick = parser.parse_args().quick
    started = time.monotonic()
    shutil.rmtree(BUILD, ignore_errors=True)  # so that no graph of an older model is compared with
    BUILD.mkdir()
    done: list[bool] = []
    for stage in ({"toolchain": quint.install}, _comparisons(quick=quick), _seeded_faults(quick=quick)):
        if all(done):  # a later stage uses what the earlier ones have written
            done += _side_by_side(stage)
    print(f"{sum(done)} of {len(done)} checks passed in {time.monotonic() - started:.0f} s")
    sys.exit(not all(done))


def _comparisons(*, quick: bool) -> dict[str, Check]:
    """Return the checks of the model, and of the kernel against it, by name."""
    positions = SMALL if quick else tuple(sorted(path.stem for path in POSITIONS.glob("*.jsonl")))
    midgames = QUICK_MIDGAMES if quick else tuple(checks.MIDGAMES)
    games = list(checks.RECORDED)[: QUICK_RECORDED if quick else None]
    return {
        "types": partial(quint.typecheck, MODEL, "machine"),
        "scenarios": lambda: {"scenarios": quint.scenarios(MODEL)},
        "setups": partial(checks.setups, BUILD),
        **{f"random games, {name}": partial(checks.simulate, BUILD, name) for name in midgames},
        **{f"search of {name}": partial(checks.search, BUILD, name) for name in positions},
        **{f"recorded game {name}": partial(checks.record, BUILD, name) for name in games},
        **({} if quick else {"text, vectors, schemas, second judge": checks.tests}),
    }


def _seeded_faults(*, quick: bool) -> dict[str, Check]:
    """Return a check for each fault that has to be found, and for sound copies in which there is none."""

    def chosen(table: Path) -> list[Fault]:
        return [fault for fault in faults(table).values() if fault.quick or not quick]

    return {
        "no fault of the kernel": partial(_nothing_found, seeded.found_in_kernel),
        **({} if quick else {"no fault of the model": partial(_nothing_found, seeded.found_in_model)}),
        **{
            f"fault of the model: {fault.name}": partial(_found, seeded.found_in_model, fault)
            for fault in chosen(MODEL_FAULTS)
        },
        **{
            f"fault of the kernel: {fault.name}": partial(_found, seeded.found_in_kernel, fault)
            for fault in chosen(KERNEL_FAULTS)
        },
    }


def _found(find: Callable[[Fault | None, Path], str | None], fault: Fault) -> str:
    finder = find(fault, BUILD)
    if finder is None:
        raise Failed("no check finds it")
    return f"found by {finder}"


def _nothing_found(find: Callable[[Fault | None, Path], str | None]) -> None:
    finder = find(None, BUILD)
    if finder is not None:
        raise Failed(f"found by {finder}")


def _side_by_side(stage: Mapping[str, Check]) -> list[bool]:
    """Run checks on all cores; return which passed, in their order."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(_passed, stage, stage.values()))


def _passed(name: str, check: Check) -> bool:
    """Run a check and print what it found; whatever it raises, it has failed."""
    started = time.monotonic()
    try:
        figures = check()
    except Exception as error:  # noqa: BLE001 - told below, and the other checks go on
        told = str(error) if isinstance(error, Failed) else traceback.format_exc()
        print(f"{name}: FAILED\n{told}", flush=True)
        return False
    if isinstance(figures, Mapping):
        figures = ", ".join(f"{count:,} {what}" for what, count in figures.items())
    print(f"{name}: {figures or 'fine'} ({time.monotonic() - started:.1f} s)", flush=True)
    return True


if __name__ == "__main__":
    main()
