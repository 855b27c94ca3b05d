"""Both runners of the vectors find a right program right, and every kind of wrong one wrong."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.node_kit import node

ROOT = Path(__file__).parent.parent
VECTORS = ROOT / "spec" / "vectors"
KARUBA = (sys.executable, "-m", "karuba_cli", "referee")
SOME: list[dict[str, Any]] = [
    {
        "id": "no-opening",
        "given": [],
        "when": {"type": "draw", "tile": 1},
        "then": {"code": "log/no-opening"},
    },
    {
        "id": "a-seal",
        "base64": "e30K",
        "then": {"verdict": "invalid", "line": 1, "code": "shape/missing-field"},
    },
]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(params=["python", "node"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Return a function that runs a runner on some vectors, or a copy of it that has little patience."""
    start, name = (sys.executable, "run.py") if request.param == "python" else (node(), "run.js")

    def run(
        *program: str, vectors: list[dict[str, Any]] | Path = SOME, patience: int = 10
    ) -> subprocess.CompletedProcess[str]:
        text = (VECTORS / name).read_text("utf-8")
        assert text.count("PATIENCE = 10;" if name == "run.js" else "PATIENCE = 10 ") == 1
        script = tmp_path / name
        script.write_text(text.replace("PATIENCE = 10", f"PATIENCE = {patience}"), "utf-8")
        folder = vectors
        if isinstance(vectors, list):
            folder = tmp_path / "vectors"
            for number, vector in enumerate(vectors):  # each in a file of its own
                write(folder / f"{number}.json", [{"rule": "F-LOG-1", "comment": "Why.", **vector}])
        return subprocess.run(
            [start, str(script), "--vectors", str(folder), *program],
            capture_output=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([".", "adapters", "cli"])},
            check=False,
            timeout=60,
        )

    return run


def write(file: Path, vectors: list[dict[str, Any]]) -> None:
    file.parent.mkdir(exist_ok=True)
    text = json.dumps({"format": "karuba-vectors/1", "topic": "some", "vectors": vectors})
    file.write_text(text, "utf-8")


def program(body: str) -> tuple[str, ...]:
    """Return a program that answers with karuba's own referee, but for what a body makes of the answers."""
    script = f"""
import json, sys
from karuba_adapters.referee import answer
for number, line in enumerate(sys.stdin.buffer):
    told = json.loads(answer(line))
    {body}
    print(json.dumps(told), flush=True)
"""
    return sys.executable, "-c", script


def said(result: subprocess.CompletedProcess[str]) -> tuple[int, str]:
    """Return the exit code and the last line."""
    return result.returncode, result.stdout.splitlines()[-1]


def test_the_referee_agrees_with_all_vectors(run: Run) -> None:
    files = [json.loads(file.read_text("utf-8")) for file in VECTORS.glob("*.json")]
    count = sum(len(file["vectors"]) for file in files)
    result = run(*KARUBA, vectors=VECTORS)

    assert (result.stdout, result.stderr) == (f"{count} vectors: {count} agree, 0 differ\n", "")
    assert result.returncode == 0
    assert count > 0


@pytest.mark.parametrize("name", ["run.py", "run.js"])
def test_a_runner_asks_the_vectors_beside_it(name: str, tmp_path: Path) -> None:
    start = sys.executable if name == "run.py" else node()
    (tmp_path / name).write_bytes((VECTORS / name).read_bytes())
    write(tmp_path / "some.json", [{**vector, "rule": "F-LOG-1", "comment": "Why."} for vector in SOME])
    asked = [start, str(tmp_path / name), *program("pass")]
    result = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False, timeout=60)

    assert (result.stdout, result.returncode) == ("2 vectors: 2 agree, 0 differ\n", 0)


@pytest.mark.parametrize(
    "body",
    [
        "told['code'] = 'rule/no-way'",
        "told.pop('code')",
        "told['id'] = 'another'",
        "told.pop('id')",
        "told['events'] = []",
        "told['error'] = 'no'",
        "told['line'] = 2",
        "told['verdict'] = 'valid'",
        "told = []",
        "told = 7",
        "told = None",
        "told = 'no-opening code'",
        "print('nope', flush=True); continue",
        "print(flush=True); continue",
    ],
)
def test_a_wrong_answer_is_found(run: Run, body: str) -> None:
    result = run(*program(f"if number == 0:\n        {body}"))

    assert said(result) == (1, "2 vectors: 1 agree, 1 differ")
    first, expected, got, _ = result.stdout.splitlines()
    assert first == "no-opening (F-LOG-1)"
    assert expected.startswith("  expected {")
    assert "log/no-opening" in expected
    assert got.startswith("  got      ")


OPENING = json.loads((ROOT / "docs" / "examples" / "expedition.jsonl").read_bytes().partition(b"\n")[0])


@pytest.mark.parametrize(
    ("events", "agrees"),
    [
        ([{"tile": 7, "type": "tile-drawn", "round": 1}], True),
        ([{"type": "tile-drawn", "round": 1, "tile": 7, "extra": None}], False),
        ([{"type": "tile-drawn", "round": True, "tile": 7}], False),
        ([{"type": "tile-drawn", "round": "1", "tile": 7}], False),
        ([], False),
        ([{"type": "tile-drawn", "round": 1, "tile": 7}] * 2, False),
    ],
)
def test_events_agree_as_json_values(run: Run, events: object, agrees: bool) -> None:
    drawn = {"given": [OPENING], "when": {"type": "draw", "tile": 7}}
    result = run(*program("pass"), vectors=[{"id": "drawn", **drawn, "then": {"events": events}}])

    assert said(result) == (0 if agrees else 1, f"1 vectors: {int(agrees)} agree, {int(not agrees)} differ")


def test_a_line_separator_is_no_line_end(run: Run) -> None:
    opening = {**OPENING, "players": ["a\u2028b", "c"], "leader": "c", "rules": {**OPENING["rules"]}}
    opening["rules"]["temple_treasures"] = [5, 3]
    result = run(*KARUBA, vectors=[{"id": "u", "given": [], "when": opening, "then": {"events": [opening]}}])

    assert said(result) == (0, "1 vectors: 1 agree, 0 differ")


def test_nothing_waits_for_a_pipe_that_is_full(run: Run) -> None:
    """Requests and answers of more than a pipe holds."""
    opening = {**OPENING, "meta": {"long": "a" * 300_000}}
    long = {"given": [], "when": opening, "then": {"events": [opening]}}
    result = run(*KARUBA, vectors=[{"id": f"long-{number}", **long} for number in range(3)])

    assert said(result) == (0, "3 vectors: 3 agree, 0 differ")


UNANSWERED = """
import subprocess, sys, time
sys.stdin.buffer.readline()
print('{{"id":"no-opening","code":"log/no-opening"}}', flush=True)
sys.stdin.buffer.readline()
{end}
"""


@pytest.mark.parametrize(
    "end",
    [
        "sys.exit()",
        "sys.exit(7)",
        "sys.stdout.close(); sys.stdin.read()",
        "time.sleep(600)",
        "subprocess.run([sys.executable, '-c', 'import time; time.sleep(90)'], stderr=subprocess.DEVNULL)",
    ],
    ids=["ends", "dies", "closes", "is-silent", "lets-another-be-silent"],
)
def test_a_program_that_does_not_answer_is_found(run: Run, end: str) -> None:
    result = run(sys.executable, "-c", UNANSWERED.format(end=end), patience=2)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith("a-seal: no answer; ")


def test_a_program_that_reads_nothing_is_found(run: Run) -> None:
    opening = {**OPENING, "meta": {"long": "a" * 300_000}}
    vector = {"id": "long", "given": [], "when": opening, "then": {"events": [opening]}}
    result = run(sys.executable, "-c", "import time; time.sleep(600)", vectors=[vector], patience=1)

    assert result.returncode == 2
    assert result.stderr.startswith("long: no answer; ")


def test_a_program_that_does_not_start_is_found(run: Run) -> None:
    result = run("no-such-program")

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("the program does not start: ")


def test_wrong_usage_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for result in (run(), run(*KARUBA, vectors=tmp_path / "empty")):
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr
        assert "Traceback" not in result.stderr


# The helper


@pytest.mark.parametrize(
    ("name", "value", "outcome"),
    [
        ("CI", "true", "Failed"),
        ("KARUBA_REQUIRE_NODE", "1", "Failed"),
        ("KARUBA_REQUIRE_NODE", "0", "Skipped"),
        ("CI", "", "Skipped"),
    ],
)
def test_without_node_a_test_is_skipped_unless_it_is_asked_for(
    name: str, value: str, outcome: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for other in ("CI", "KARUBA_REQUIRE_NODE"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(name, value)
    with pytest.raises(BaseException) as told:  # noqa: PT011 - pytest's outcomes have no public name in common
        node()
    assert type(told.value).__name__ == outcome
