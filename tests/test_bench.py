"""The benchmark runs; what it measures is no matter of a test."""

import os
import subprocess
import sys
from pathlib import Path

import orjson

BENCH = Path(__file__).parent / "bench" / "run.py"
ROWS = (
    "validate / orjson.loads",
    "decode strictly / orjson.loads",
    "CPU a record, 10 times the games",
    "peak memory, 10 times the games",
    "history, bytes a state",
    "fold / orjson.loads",
    "check / orjson.loads",
    "random play / orjson.loads",
    "orjson.loads itself",
)


def test_the_quick_benchmark_prints_and_writes_every_row(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    run = subprocess.run(
        [sys.executable, BENCH, "--quick", "--json", path],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"},
    )
    for row in ROWS:
        assert row in run.stdout
    assert "figures mean nothing" in run.stdout
    assert [row["name"] for row in orjson.loads(path.read_bytes())["rows"]] == list(ROWS)
