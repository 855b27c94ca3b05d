"""The benchmark: `python tests/bench/run.py` prints one table, in five to ten minutes.

Figures are ratios within one run, by CPU time. A round measures all sides of a comparison, alternating
in short slices, until each has worked for two seconds; a figure is the median of the rounds' ratios.
The rates beside them are for information: they belong to the machine.
"""

import argparse
import cProfile
import gc
import io
import os
import platform
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Final

import attrs
import orjson
from rich.console import Console
from rich.table import Table

from karuba_adapters import Report, read_events, validate, write_log
from karuba_adapters.decks import choice, opening
from karuba_adapters.log_files import read_line
from karuba_adapters.players import planner, play
from karuba_core import Event, Setup, apply, check, fold, legal_commands, preset, start, trace

NAMES: Final = ("ana", "ben", "cleo", "dan")
PRESETS: Final = ("official", "seed-000", "seed-001")  # they pick up by stop, step and landing
PEAK: Final = Path(__file__).with_name("peak.py")
TIMES: Final = 10
"""How many times the games of the short stream the long one has."""
SLICE: Final = 0.2
"""For how many seconds one side works before it is the next one's turn."""
WIDTH: Final = 120


@attrs.frozen
class Scale:
    """How much is measured: games in a short stream, rounds, seconds of work a side in each."""

    games: int = 300
    rounds: int = 7
    seconds: float = 2.0


QUICK: Final = Scale(games=9, rounds=1, seconds=0.01)


@attrs.frozen
class Side:
    """One side of a comparison: work to repeat, and how many lines, events … it does at a time."""

    work: Callable[[], object]
    items: int


@attrs.frozen
class Row:
    """One figure of the table.

    Attributes:
        name: What is measured.
        values: The figure in every round; empty where it cannot be measured.
        rate: A figure beside it, for information.
        gate: The least and the most that the median may be; None for information only.
        aim: What it should be.
    """

    name: str
    values: Sequence[float]
    rate: str
    gate: tuple[float, float] | None = None
    aim: float | None = None

    @property
    def median(self) -> float | None:
        """The figure."""
        return statistics.median(self.values) if self.values else None

    @property
    def verdict(self) -> str:
        """Whether the figure keeps within its gate: `"ok"`, `"over"`, or empty where that is no question."""
        if self.gate is None or self.median is None:
            return ""
        return "ok" if self.gate[0] <= self.median <= self.gate[1] else "over"


# The games.


def setup_of(number: int) -> Setup:
    """Return the setup of a game of the corpus: in turn 2 to 4 players, and the three pick-up rules."""
    players = 2 + number % 3
    rules = preset(PRESETS[number // 3 % 3], players)
    return opening(NAMES[:players], number, rules)


def log_of(number: int) -> bytes:
    """Return a game of the corpus as a log, without a seal, as most writers leave it."""
    stream = io.BytesIO()
    write_log(play(setup_of(number), number, planner), stream)
    return stream.getvalue()


def corpus(games: int) -> list[bytes]:
    """Return the logs of so many games, no two alike, made by processes whose time counts nowhere."""
    with ProcessPoolExecutor() as pool:
        logs = list(pool.map(log_of, range(games), chunksize=1 + games // 100))
    assert len(set(logs)) == games
    return logs


def events_of(log: bytes) -> tuple[Event, ...]:
    """Return the events of a log."""
    return tuple(read_events(io.BytesIO(log)))


# The work.


def parse_all(lines: Sequence[bytes]) -> None:
    """Do what all else is measured by."""
    for line in lines:
        orjson.loads(line)


def decode_all(lines: Sequence[bytes]) -> None:
    """Read each line strictly, to its message."""
    for line in lines:
        read_line(line)


def expect_valid(reports: Iterable[Report]) -> None:
    """Take the reports of logs, all of which are right."""
    for report in reports:
        assert report.verdict == "valid", report


def validate_all(stream: bytes) -> None:
    """Validate a stream of logs."""
    expect_valid(validate(io.BytesIO(stream)))


def fold_all(games: Sequence[Sequence[Event]]) -> None:
    """Fold games, trusting their events."""
    for events in games:
        fold(events)


def check_all(games: Sequence[Sequence[Event]]) -> None:
    """Fold games, deciding every event again."""
    for first, *others in games:
        game = fold([first])
        for event in others:
            game = check(game, event)


def play_all(setups: Sequence[Setup]) -> int:
    """Play games to their ends by any legal commands, the same ones each time; return how many events."""
    random, events = Random(0), 0
    for setup in setups:
        step = start(setup)
        while step.game.phase != "over":
            step = apply(step.game, choice(tuple(legal_commands(step.game)), random))
            events += len(step.events)
    return events


# The measuring.


def measured(sides: Mapping[str, Side], scale: Scale) -> dict[str, list[float]]:
    """Return the CPU seconds that an item of each side takes, in every round, after a pass to warm up."""
    for side in sides.values():
        side.work()
    gc.collect()
    gc.freeze()  # the corpus is no part of the work: the collector need not look through it
    rounds = [measured_once(sides, scale.seconds) for _ in range(scale.rounds)]
    return {name: [costs[name] for costs in rounds] for name in sides}


def measured_once(sides: Mapping[str, Side], seconds: float) -> dict[str, float]:
    """Return what an item of each side takes; they take turns until each has worked long enough."""
    spent, passes = dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0)
    while min(spent.values()) < seconds:
        for name, side in sides.items():
            begin = time.process_time()
            while (used := time.process_time() - begin) < min(SLICE, seconds):
                side.work()
                passes[name] += 1
            spent[name] += used
    return {name: spent[name] / passes[name] / side.items for name, side in sides.items()}


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """Return the ratio of two sides in each round."""
    return [over / under for over, under in zip(above, below, strict=True)]


def rate(seconds: Sequence[float], unit: str) -> str:
    """Return how many units are done in a second that take so many seconds each."""
    return f"{1 / statistics.median(seconds):,.0f} {unit}/s"


def pipeline_rows(logs: Sequence[bytes], scale: Scale) -> Iterator[Row]:
    """Measure the pipeline and its parts against the parsing of the same lines."""
    stream = b"".join(logs)
    lines = stream.splitlines(keepends=True)
    games = [events_of(log) for log in logs]
    setups = [setup_of(number) for number in range(9)]  # one of every kind
    events, played = sum(map(len, games)), play_all(setups)
    sides = {
        "parse": Side(lambda: parse_all(lines), len(lines)),
        "validate": Side(lambda: validate_all(stream), len(lines)),
        "decode": Side(lambda: decode_all(lines), len(lines)),
        "fold": Side(lambda: fold_all(games), events),
        "check": Side(lambda: check_all(games), events),
        "play": Side(lambda: play_all(setups), played),
    }
    cost = measured(sides, scale)
    times = {name: ratios(seconds, cost["parse"]) for name, seconds in cost.items()}
    a_game = [seconds * played / len(setups) for seconds in cost["play"]]
    yield Row("validate / orjson.loads", times["validate"], rate(cost["validate"], "lines"), (0, 26), 20)
    yield Row("decode strictly / orjson.loads", times["decode"], rate(cost["decode"], "lines"), (0, 8), 6)
    # For information, of an event each; beside random play, whole games.
    yield Row("fold / orjson.loads", times["fold"], rate(cost["fold"], "events"))
    yield Row("check / orjson.loads", times["check"], rate(cost["check"], "events"))
    yield Row("random play / orjson.loads", times["play"], rate(a_game, "games"))
    yield Row("orjson.loads itself", times["parse"], rate(cost["parse"], "lines"))


def growth_row(logs: Sequence[bytes], scale: Scale) -> Row:
    """Measure one long stream against the same games in short ones: nothing differs but the length."""
    starts = range(0, len(logs), scale.games)
    short = [b"".join(logs[first : first + scale.games]) for first in starts]
    growth_once(short[:1], scale.games)  # to warm up
    values = [growth_once(short, scale.games) for _ in range(scale.rounds)]
    return Row("CPU a record, 10 times the games", values, "", (0.95, 1.05))


def growth_once(short: Sequence[bytes], games: int) -> float:
    """Return the CPU time of one long stream over that of short ones, which take turns with its parts."""
    long, long_time, short_time = validate(io.BytesIO(b"".join(short))), 0.0, 0.0
    for stream in short:
        begin = time.process_time()
        expect_valid(islice(long, games))
        between = time.process_time()
        expect_valid(validate(io.BytesIO(stream)))
        long_time += between - begin
        short_time += time.process_time() - between
    return long_time / short_time


def memory_row(logs: Sequence[bytes], scale: Scale) -> Row:
    """Measure the peak memory of processes that validate a short and a long file."""
    peaks: dict[int, list[int]] = {scale.games: [], len(logs): []}
    with tempfile.TemporaryDirectory() as folder:
        for games in peaks:
            Path(folder, str(games)).write_bytes(b"".join(logs[:games]))
        for _ in range(scale.rounds if sys.platform != "win32" else 0):
            for games, found in peaks.items():
                command = [sys.executable, str(PEAK), str(Path(folder, str(games)))]
                found.append(int(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
    short, long = peaks.values()
    most = f"{max(long) / 1024:.1f} MiB" if long else "not on Windows"
    return Row("peak memory, 10 times the games", ratios(long, short), most, (0, 1.1))


def history_row(logs: Sequence[bytes]) -> Row:
    """Measure what every state of a game takes that is kept, game by game."""
    sizes = [bytes_a_state(events_of(log)) for log in logs]
    return Row("history, bytes a state", sizes, f"in {len(sizes)} games", (0, 400))


def bytes_a_state(events: Sequence[Event]) -> float:
    """Return how many bytes a state of a game takes on average, beyond what the events hold anyway."""
    states = [step.game for step in trace(events)]
    seen: set[int] = set()
    for _ in objects(events, seen):
        pass
    return sum(sys.getsizeof(item) for item in objects(states, seen)) / len(states)


def objects(root: object, seen: set[int]) -> Iterator[object]:
    """Yield each object that a root leads to, but for types, modules and those seen before."""
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if id(item) not in seen and not isinstance(item, type | ModuleType):
            seen.add(id(item))
            waiting += gc.get_referents(item)
            yield item


# The report.


def table(rows: Sequence[Row], title: str) -> Table:
    """Return the rows as a table."""
    shown = Table("measure", title=title, title_justify="left")
    for column in ("aim", "gate", "median", "range", "rate", ""):
        shown.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        aim = "" if row.aim is None else f"{row.aim:g}"
        gate = "" if row.gate is None else " .. ".join(f"{bound:g}" for bound in row.gate)
        median = "" if row.median is None else figure(row.median)
        spread = f"{figure(min(row.values))} .. {figure(max(row.values))}" if row.values else ""
        shown.add_row(row.name, aim, gate, median, spread, row.rate, row.verdict)
    return shown


def figure(value: float) -> str:
    """Return a figure to four digits."""
    return f"{value:#.4g}".rstrip(".")


def machine() -> str:
    """Return what the figures depend on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, orjson {orjson.__version__}, {platform.machine()}, {os.cpu_count()} cores"


def write_json(path: Path, rows: Sequence[Row], title: str) -> None:
    """Write all figures to a file."""
    found = [attrs.asdict(row) | {"median": row.median, "verdict": row.verdict} for row in rows]
    content = {"title": title, "machine": machine(), "rows": found}
    path.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def print_profile(stream: bytes) -> None:
    """Print which functions of a validation take most; being watched makes small ones look dearer."""
    validate_all(stream)
    profile = cProfile.Profile()
    profile.runcall(validate_all, stream)
    pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(15)


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to a file, too")
    parser.add_argument("--quick", action="store_true", help="a short pass, whose figures mean nothing")
    parser.add_argument("--profile", action="store_true", help="also print where validation takes its time")
    return parser.parse_args()


def main() -> int:
    """Measure and report; return 1 where a gate is broken, but 0 after a short pass."""
    options = arguments()
    scale = QUICK if options.quick else Scale()
    logs = corpus(scale.games * TIMES)
    few = logs[: scale.games]
    validated, decoded, *others = pipeline_rows(few, scale)
    rows = [validated, decoded, growth_row(logs, scale), memory_row(logs, scale), history_row(few), *others]
    title = f"{len(few):,} and {len(logs):,} games, medians of {scale.rounds} rounds"
    title += ": too short a pass, its figures mean nothing" if options.quick else ""
    console = Console(width=WIDTH)
    console.print(table(rows, title))
    console.print(machine(), highlight=False)
    if options.json:
        write_json(options.json, rows, title)
    if options.profile:
        print_profile(b"".join(few))
    return int(not options.quick and any(row.verdict == "over" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
