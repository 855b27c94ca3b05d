"""Is this tree slower than another revision? `python tests/bench/compare.py [REV]`, some three minutes.

Both trees read the same logs, in processes that alternate; each tells what its kernels cost, relative to
orjson.loads in the same process. A kernel is slower where the median of the pairs' ratios, this tree over the
other, is above 1 by more than 5 % and by more than twice the noise; the noise is the median distance of
the ratios from their median. The exit code is 1 where one is.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from attrs import frozen

from tests.bench.corpus import corpus, streams

ROOT: Final = Path(__file__).parents[2]
TIMED: Final = Path(__file__).with_name("timed.py")
PACKAGES: Final = ("karuba_core", "adapters", "cli")
GAMES: Final = 540
SECONDS: Final = 0.5
PAIRS: Final = 9
LEAST: Final = 0.05
"""By how much a kernel has to be slower for it to matter."""

Costs = Mapping[str, float]


@frozen
class Comparison:
    """How a kernel does in this tree against another one, pair by pair.

    Attributes:
        ratios: What it costs here over what it costs there.
    """

    ratios: Sequence[float]

    @property
    def median(self) -> float:
        """The figure."""
        return median(self.ratios)

    @property
    def noise(self) -> float:
        """How far the ratios are from their median; half of them are nearer."""
        return median(abs(ratio - self.median) for ratio in self.ratios)

    @property
    def is_slower(self) -> bool:
        """Whether it is slower beyond the noise."""
        return self.median > 1 + max(LEAST, 2 * self.noise)

    @property
    def is_unclear(self) -> bool:
        """Whether the noise would hide what has to be found."""
        return not self.is_slower and 2 * self.noise > LEAST


def cost(tree: Path, folder: Path, seed: int) -> Costs:
    """Return what the kernels of a tree cost, measured by a process of its own.

    Args:
        tree: Where its packages are.
        folder: The streams to read.
        seed: Of the hashes of strings, the same for both of a pair.
    """
    paths = [tree, tree / "adapters", tree / "cli", ROOT]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONHASHSEED": str(seed),
    }
    command = [sys.executable, str(TIMED), str(folder), str(SECONDS)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    found = json.loads(done.stdout)
    assert Path(found["core"]).is_relative_to(tree.resolve()), found["core"]
    return {str(name): float(value) for name, value in found["cost"].items()}


def unpack(revision: str, tree: Path) -> None:
    """Put the packages of a revision into a folder, which has to be outside of the repository."""
    command = ["git", "archive", "--format=tar", revision, *PACKAGES]
    packed = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(tree, filter="data")


def compared(other: Path, folder: Path) -> dict[str, Comparison]:
    """Measure this tree and another one in pairs; which of them comes first alternates."""
    pairs = []
    for seed in range(PAIRS):
        order = (ROOT, other) if seed % 2 else (other, ROOT)
        found = {tree: cost(tree, folder, seed) for tree in order}
        pairs.append((found[ROOT], found[other]))
    names = pairs[0][0]
    return {name: Comparison([here[name] / there[name] for here, there in pairs]) for name in names}


def main() -> int:
    """Compare and print; return 1 where this tree is slower, 2 where the noise does not let anybody tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("revision", nargs="?", default="main", metavar="REV", help="by default main")
    revision = parser.parse_args().revision
    with tempfile.TemporaryDirectory() as temporary:
        other, folder = Path(temporary, "other").resolve(), Path(temporary, "logs")
        other.mkdir()
        folder.mkdir()
        unpack(revision, other)
        for number, stream in enumerate(streams(corpus(GAMES))):
            Path(folder, f"{number:03}.jsonl").write_bytes(stream)
        found = compared(other, folder)
    print(f"this tree / {revision}, medians of {PAIRS} pairs")
    for name, comparison in found.items():
        verdict = "slower" if comparison.is_slower else "cannot tell" if comparison.is_unclear else "ok"
        print(f"{name:10}{comparison.median:8.3f}  noise {comparison.noise:.3f}  {verdict}")
    if any(comparison.is_slower for comparison in found.values()):
        return 1
    return 2 if any(comparison.is_unclear for comparison in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
