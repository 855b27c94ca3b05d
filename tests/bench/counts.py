"""Instructions instead of seconds: `python tests/bench/counts.py`, in some minutes, on a busy machine too.

Each kernel works under valgrind twice, on one log and on some more; the difference is divided by the events
of these, so the start of Python and what is learnt once are left out. Counts are for one machine's
libraries and one Python: hold those of two revisions on one machine against each other.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench.corpus import log_of
from tests.bench.kernels import KERNELS

COUNTED: Final = Path(__file__).with_name("counted.py")
FIRST: Final = 1
"""How many logs the shorter of the two runs has."""
ALL: Final = 3
REFERENCES: Final = re.compile(r"I\s+refs:\s+([\d,]+)")
VALGRIND: Final = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")


def counted(folder: Path, name: str, logs: int) -> tuple[int, int]:
    """Return how many instructions a process takes that works on so many logs, and of how many events."""
    command = [*VALGRIND, sys.executable, str(COUNTED), str(folder), name, str(logs)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return instructions(done.stderr), int(done.stdout)


def instructions(report: str) -> int:
    """Return the instructions that a report of cachegrind tells.

    Raises:
        ValueError: It tells none.
    """
    found = REFERENCES.search(report)
    if found is None:
        raise ValueError(f"no count in {report!r}")
    return int(found[1].replace(",", ""))


def an_event(folder: Path, name: str) -> float:
    """Return the instructions that a kernel takes for an event."""
    (fewer, first), (more, all_events) = (counted(folder, name, logs) for logs in (FIRST, ALL))
    return (more - fewer) / (all_events - first)


def main() -> int:
    """Count and print; return 1 where it cannot be counted."""
    if shutil.which(VALGRIND[0]) is None:
        print("valgrind not installed")
        return 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for number in range(ALL):
            Path(folder, f"{number}.jsonl").write_bytes(log_of(number))
        print("instructions an event")
        for name, count in zip(KERNELS, pool.map(partial(an_event, Path(folder)), KERNELS), strict=True):
            print(f"{name:15}{count:10,.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
