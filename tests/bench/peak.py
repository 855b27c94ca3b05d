"""Validate a file of logs lazily and print the peak of this process's resident memory, in KiB.

`run.py` starts it once for each file: a peak never falls, so every reading takes a process of its own.
"""

import sys
from pathlib import Path

from karuba_adapters import validate_file

STATUS = Path("/proc/self/status")


def peak() -> int:
    """Return the most memory that this process has had, in KiB; what `ru_maxrss` says but for Linux.

    There `ru_maxrss` begins at the size of the process that started this one, which hides the figure.
    """
    if STATUS.exists():
        fields = dict(line.split(":", 1) for line in STATUS.read_text(encoding="ascii").splitlines())
        return int(fields["VmHWM"].split()[0])
    import resource  # noqa: PLC0415 - not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    for report in validate_file(Path(sys.argv[1])):
        assert report.verdict == "valid", report
    print(peak())
