"""What a large corpus costs: `python tests/bench/scale.py` prints what docs/explanation/scale.md quotes.

Rates are by the CPU time of all processes that take part, each side in turn in every round; the rates
by the clock beside them belong to the machine, and to what else it does.
"""

import argparse
import gzip
import io
import os
import pickle
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import attrs
import orjson
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import LocalCluster
from rich.console import Console
from rich.table import Table

from karuba_adapters import Report, validate_file, write_log
from karuba_adapters.corpus import validate_corpus
from karuba_adapters.corpus.rows import row_reports
from karuba_adapters.decks import opening
from karuba_adapters.players import POLICIES, play
from karuba_adapters.report_formats import json_lines
from karuba_core import preset

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

NAMES: Final = ("ana", "ben", "cleo", "dan")
WORKERS: Final = os.cpu_count() or 1
FORMS: Final = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")


@attrs.frozen
class Row:
    """One figure: its name, its unit, its value in every round, and the rate by the clock in each."""

    name: str
    unit: str
    values: Sequence[float]
    clock: Sequence[float] = ()

    @property
    def median(self) -> float:
        """The figure."""
        return statistics.median(self.values)


def log_of(number: int) -> bytes:
    """Return a game as a log: in turn of 2 to 4 players, of two policies."""
    players = 2 + number % 3
    names = [f"{name}@{number}" for name in NAMES[:players]]  # nobody plays twice
    setup = opening(names, number, preset("official", players))
    stream = io.BytesIO()
    write_log(play(setup, number, POLICIES[("planner", "casual")[number // 3 % 2]]), stream)
    return stream.getvalue()


def write_corpus(folder: Path, games: int, together: int) -> None:
    """Write the same games in every form, so many in each file, or row group of the only Parquet file."""
    with ProcessPoolExecutor() as pool:
        logs = list(pool.map(log_of, range(games), chunksize=20))
    for form in FORMS:
        (folder / form).mkdir()
    for first in range(0, games, together):
        data, name = b"".join(logs[first : first + together]), f"{first:07}"
        (folder / "jsonl" / f"{name}.jsonl").write_bytes(data)
        (folder / "jsonl.gz" / f"{name}.jsonl.gz").write_bytes(gzip.compress(data, 6))
        (folder / "jsonl.zst" / f"{name}.jsonl.zst").write_bytes(zstd.compress(data, 3))
    table = pa.table({"log": logs})
    path = folder / "parquet" / "games.parquet"
    pq.write_table(table, path, row_group_size=together, compression="zstd", use_dictionary=False)


def judged(path: Path) -> list[Report]:
    """Return what is said of a file, without a cluster."""
    if path.suffix != ".parquet":
        return list(validate_file(path))
    with path.open("rb") as stream:
        return list(row_reports(stream, str(path), "log", None, {}))


def serial(folder: Path) -> Iterator[Report]:
    """Judge a folder in this process."""
    for path in sorted(folder.iterdir()):
        yield from judged(path)


def pooled(folder: Path, pool: ProcessPoolExecutor) -> Iterator[Report]:
    """Judge a folder in a plain pool of processes, a file each."""
    for reports in pool.map(judged, sorted(folder.iterdir())):
        yield from reports


def cpu_time() -> float:
    """Return the CPU seconds that this process and all below it have taken."""
    me = psutil.Process()
    times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def rate(work: Callable[[], Iterable[Report]], games: int) -> tuple[float, float]:
    """Return how many games some work judges, all of which are right, in a CPU second and by the clock."""
    begin, used = time.perf_counter(), cpu_time()
    verdicts = [report.verdict for report in work()]
    spent, passed = cpu_time() - used, time.perf_counter() - begin
    assert verdicts == ["valid"] * games
    return games / spent, games / passed


def rates(folder: Path, address: str, games: int, rounds: int) -> Iterator[Row]:
    """Measure every form alone, and one form on all cores, with and without a cluster."""
    part = max(path.stat().st_size for path in (folder / "jsonl").iterdir())  # of a file, or a row group
    urls = {form: [str(folder / form)] for form in FORMS}
    with ProcessPoolExecutor(WORKERS) as pool:
        list(pool.map(abs, range(100)))  # the processes are there
        sides: dict[str, Callable[[], Iterable[Report]]] = {
            f"{form}, one process": lambda form=form: serial(folder / form) for form in FORMS
        } | {
            f"jsonl, pool of {WORKERS}": lambda: pooled(folder / "jsonl", pool),
            f"jsonl, Dask, {WORKERS} workers": lambda: validate_corpus(
                urls["jsonl"], scheduler=address, part=part
            ),
            f"parquet, Dask, {WORKERS} workers": lambda: validate_corpus(
                urls["parquet"], scheduler=address, part=part * 11 // 10
            ),
        }
        found = [{name: rate(work, games) for name, work in sides.items()} for _ in range(rounds)]
    for name in sides:
        yield Row(name, "games/CPU s", *zip(*(each[name] for each in found), strict=True))


def part_costs(address: str, parts: int, rounds: int) -> Row:
    """Measure what a part costs beside its work: a file that is not there is no work."""
    found = []
    for _ in range(rounds):
        begin = time.perf_counter()
        assert sum(1 for _ in validate_corpus(["none.jsonl"] * parts, scheduler=address, part=1)) == parts
        found.append((time.perf_counter() - begin) / parts * 1000)
    return Row("a part beside its work", "ms", found)


def report_costs(reports: Sequence[Report], rounds: int) -> Iterator[Row]:
    """Measure what a report costs whoever takes it: its bytes on its way and as JSON, and the CPU time."""
    data, found = pickle.dumps(reports), []
    for _ in range(rounds):
        begin = time.process_time()
        written = b"".join(json_lines(pickle.loads(data)))  # noqa: S301 - our own
        found.append((time.process_time() - begin) / len(reports) * 1e6)
    yield Row("a report, on its way", "bytes", [len(data) / len(reports)])
    yield Row("a report, as a line of JSON", "bytes", [len(written) / len(reports)])
    yield Row("a report, taken and written", "CPU us", found)


def measured(games: int, together: int, rounds: int) -> Iterator[Row]:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder, games, together)
        for form in FORMS:
            size = sum(path.stat().st_size for path in (folder / form).iterdir())
            yield Row(f"{form}, size", "bytes/game", [size / games])
        reports = list(serial(folder / "jsonl"))
        yield from report_costs(reports, rounds)
        begin = time.perf_counter()
        with LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address="127.0.0.1:0"
        ) as cluster:
            yield Row("a local cluster, its start", "s", [time.perf_counter() - begin])
            yield from rates(folder, cluster.scheduler_address, games, rounds)
            yield part_costs(cluster.scheduler_address, 500 if games > together else 5, rounds)


def table(rows: Sequence[Row], title: str) -> Table:
    """Return the figures as a table."""
    shown = Table("measure", title=title, title_justify="left")
    for column in ("median", "range", "unit", "by the clock"):
        shown.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        spread = f"{min(row.values):,.4g} .. {max(row.values):,.4g}" if len(row.values) > 1 else ""
        clock = f"{statistics.median(row.clock):,.4g}" if row.clock else ""
        shown.add_row(row.name, f"{row.median:,.4g}", spread, row.unit, clock)
    return shown


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to a file, too")
    parser.add_argument("--quick", action="store_true", help="a short pass, whose figures mean nothing")
    options = parser.parse_args()
    scale = (20, 20, 1) if options.quick else (1200, 100, 3)
    rows = list(measured(*scale))
    machine = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    title = f"{scale[0]} games, {scale[1]} in a part, on {machine}, {WORKERS} cores"
    Console(width=100).print(table(rows, title))
    if options.json is not None:
        content = {"title": title, "rows": [attrs.asdict(row) | {"median": row.median} for row in rows]}
        options.json.write_bytes(
            orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )


if __name__ == "__main__":
    main()
