"""What grows with the length of a log: neither the time a record nor the memory."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final

from karuba_adapters import Report, validate
from tests.bench.figures import Row, at_most
from tests.bench.measuring import Scale, ratios

PEAK: Final = Path(__file__).with_name("peak.py")


def time_row(logs: Sequence[bytes], scale: Scale) -> Row:
    """Measure one long stream against the same games in short ones: nothing differs but the length."""
    starts = range(0, len(logs), scale.games)
    short = [b"".join(logs[first : first + scale.games]) for first in starts]
    _time_once(short[:1], scale.games)  # to warm up
    values = tuple(_time_once(short, scale.games) for _ in range(scale.rounds))
    return Row("CPU a record, 10 times the games", values, "", (0.95, 1.05))


def _time_once(short: Sequence[bytes], games: int) -> float:
    """Return the CPU time of one long stream over that of short ones, which take turns with its parts.

    Who goes first alternates: a reader that remembers lines has the second one know them.
    """
    long, long_time, short_time = validate(BytesIO(b"".join(short))), 0.0, 0.0
    for number, stream in enumerate(short):
        part, whole = islice(long, games), validate(BytesIO(stream))
        if number % 2:
            short_time += _time_of(whole)
            long_time += _time_of(part)
        else:
            long_time += _time_of(part)
            short_time += _time_of(whole)
    return long_time / short_time


def _time_of(reports: Iterable[Report]) -> float:
    """Take the reports of logs, all of which are right; return the CPU time that it takes."""
    begin = time.process_time()
    for report in reports:
        assert report.verdict == "valid", report
    return time.process_time() - begin


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
    return Row("peak memory, 10 times the games", ratios(long, short), most, at_most(1.1))
