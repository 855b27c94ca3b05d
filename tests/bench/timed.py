"""Print what the kernels cost of whichever tree is on the path, in parses of a line: `compare.py` runs it.

The streams are read in turn: a reader that remembers lines meets one again only after all the others.
"""

import json
import sys
from pathlib import Path

import karuba_core
from tests.bench.kernels import KERNELS, in_turn
from tests.bench.measuring import measured

if __name__ == "__main__":
    folder, seconds = sys.argv[1:]
    streams = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    sides = {name: in_turn(kernel, streams) for name, kernel in KERNELS.items()}
    cost = {name: costs for name, (costs,) in measured(sides, 1, float(seconds)).items()}
    parse = cost.pop("orjson.loads")
    found = {name: seconds / parse for name, seconds in cost.items()}
    print(json.dumps({"core": karuba_core.__file__, "cost": found}))
