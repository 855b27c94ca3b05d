"""The benchmark: `python tests/bench/run.py` prints one table, in about ten minutes.

Figures are ratios within one run, by CPU time where nothing else is said. A round measures all sides of a
comparison, alternating in short slices, until each has worked for two seconds; a figure is the median of
the rounds' ratios. The rates beside them are for information: they belong to the machine.
The peers come with the extra `bench`; a row whose peer is not installed says so.
"""

import argparse
import cProfile
import pstats
import sys
from pathlib import Path
from typing import Final

from tests.bench import growth, processes
from tests.bench.corpus import corpus
from tests.bench.figures import REFERENCE, Figures, Row, read_figures, write_figures
from tests.bench.history import history_row
from tests.bench.kernels import judge
from tests.bench.machine import machine
from tests.bench.measuring import QUICK, Scale
from tests.bench.pipeline import pipeline_rows
from tests.bench.report import markdown, print_figures

TIMES: Final = 10
"""How many times the games of the short stream the long one has."""


def measure(scale: Scale) -> Figures:
    """Measure everything."""
    logs = corpus(scale.games * TIMES)
    few = logs[: scale.games]
    rows: list[Row] = [
        *pipeline_rows(logs, scale),
        growth.time_row(logs, scale),
        growth.memory_row(logs, scale),
        history_row(few),
        *processes.start_rows(scale),
        processes.parallel_row(logs, scale),
    ]
    title = f"{len(few):,} and {len(logs):,} games, medians of {scale.rounds} rounds"
    title += ": too short a pass, its figures mean nothing" if scale is QUICK else ""
    return Figures(title, machine(), tuple(rows))


def print_profile(stream: bytes) -> None:
    """Print which functions of a validation take most; being watched makes small ones look dearer."""
    judge(stream)
    profile = cProfile.Profile()
    profile.runcall(judge, stream)
    pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(15)


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to a file, too")
    parser.add_argument("--quick", action="store_true", help="a short pass, whose figures mean nothing")
    parser.add_argument("--profile", action="store_true", help="only print where validation takes its time")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="only print the figures of a file as Markdown"
    )
    return parser.parse_args()


def main() -> int:
    """Measure and report; return 1 where a gate is broken, but 0 after a short pass."""
    options = arguments()
    scale = QUICK if options.quick else Scale()
    if options.markdown:
        print(markdown(read_figures(options.markdown)), end="")
        return 0
    if options.profile:
        print_profile(b"".join(corpus(scale.games)))
        return 0
    figures = measure(scale)
    print_figures(figures, read_figures(REFERENCE) if REFERENCE.exists() else None)
    if options.json:
        write_figures(options.json, figures)
    return int(not options.quick and any(row.verdict == "broken" for row in figures.rows))


if __name__ == "__main__":
    sys.exit(main())
