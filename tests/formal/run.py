"""All formal checks, by one command.

    python -m tests.formal.run           everything
    python -m tests.formal.run --quick   what continuous integration runs of it

It needs Node with npm; Quint is installed as the lock file of `spec/model` has it. The exit code is 1
where a check fails.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from tests.formal import checks, quint, seeded
from tests.formal.faults import KERNEL_FAULTS, MODEL_FAULTS, faults
from tests.formal.kernel_graph import POSITIONS
from tests.formal.quint import MODEL, Failed

BUILD: Final = MODEL / "build"
ALL_POSITIONS: Final = tuple(sorted(path.stem for path in POSITIONS.glob("*.jsonl")))
QUICK_POSITIONS: Final = ("three-tie", "two-detour", "two-draw")
QUICK_RECORDED: Final = 1
QUICK_MIDGAMES: Final = ("two",)
QUICK_FAULTS: Final = 14  # each of so many

Check = Callable[[], Mapping[str, int] | str | None]


def main() -> None:
    """Run the checks and print what each of them has found, with its time."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="only what continuous integration runs")
    quick = parser.parse_args().quick
    BUILD.mkdir(exist_ok=True)
    started = time.monotonic()
    print(f"quint install: {_timed(quint.install)}")
    done = [passed for stage in _stages(quick=quick) for passed in _together(stage)]
    print(f"{sum(done)} of {len(done)} checks passed in {time.monotonic() - started:.0f} s")
    sys.exit(not all(done))


def _stages(*, quick: bool) -> Iterable[dict[str, Check]]:
    """Yield checks by name, in stages: those of one run side by side and leave graphs for the next."""
    positions = QUICK_POSITIONS if quick else ALL_POSITIONS
    midgames = QUICK_MIDGAMES if quick else tuple(checks.MIDGAMES)
    games = list(checks.RECORDED)[: QUICK_RECORDED if quick else None]
    yield {
        "types": partial(quint.typecheck, MODEL, "machine"),
        "scenarios": lambda: {"scenarios": quint.scenarios(MODEL)},
        "setups": partial(checks.setups, BUILD),
        **{f"random games, {name}": partial(checks.simulate, BUILD, name) for name in midgames},
        **{f"search of {name}": partial(checks.search, BUILD, name) for name in positions},
        **{f"recorded game {name}": partial(checks.record, BUILD, name) for name in games},
    }
    every = QUICK_FAULTS if quick else 1
    yield {
        **{
            f"fault of the model: {fault.name}": partial(_found, seeded.found_in_model, fault)
            for fault in list(faults(MODEL_FAULTS).values())[::every]
        },
        **{
            f"fault of the kernel: {fault.name}": partial(_found, seeded.found_in_kernel, fault, BUILD)
            for fault in list(faults(KERNEL_FAULTS).values())[::every]
        },
    }


def _found(find: Callable[..., str | None], *about: object) -> str:
    finder = find(*about)
    if finder is None:
        raise Failed("no check finds it")
    return f"found by {finder}"


def _together(stage: Mapping[str, Check]) -> list[bool]:
    """Run checks on all cores; print each in its order; return which passed."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {name: pool.submit(_passed, name, check) for name, check in stage.items()}
        return [result.result() for result in waiting.values()]


def _passed(name: str, check: Check) -> bool:
    try:
        print(f"{name}: {_timed(check)}", flush=True)
    except Failed as failure:
        print(f"{name}: FAILED\n{failure}", flush=True)
        return False
    return True


def _timed(check: Check) -> str:
    started = time.monotonic()
    figures = check()
    if isinstance(figures, Mapping):
        figures = ", ".join(f"{count:,} {what}" for what, count in figures.items())
    return f"{figures or 'fine'} ({time.monotonic() - started:.1f} s)"


if __name__ == "__main__":
    main()
