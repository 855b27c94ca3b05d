"""Do a kernel's work on the first logs of a folder: `counts.py` runs it under valgrind.

All logs are prepared whatever is done with them, so that two runs differ by nothing but the work.
"""

import gc
import sys
from pathlib import Path

from tests.bench.kernels import KERNELS

if __name__ == "__main__":
    folder, name, logs = sys.argv[1:]
    kernel = KERNELS[name]
    prepared = [kernel.prepare(path.read_bytes()) for path in sorted(Path(folder).iterdir())]
    gc.disable()  # when the collector runs depends on all that went before
    print(sum(kernel.work(log) for log in prepared[: int(logs)]))
