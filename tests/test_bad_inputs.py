"""What bad input gets, row by row of docs/reference/bad-inputs.md."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from karuba_adapters.explanations import explanations
from karuba_cli.verbs import app
from tests.fuzz.bad_inputs import BEGINS, ENDS, GROUPS, PAGE, Case, table

CASES = [case for cases in GROUPS.values() for case in cases()]
FAR_AWAY = {"log/rules-not-judged"}  # it never stands first
OF_SYSTEM = pytest.mark.skipif(sys.platform == "win32", reason="no such files on Windows")


def run(case: Case) -> tuple[int, str, str]:
    """Return the exit code, what went to standard output, and what went to standard error."""
    if not case.alone:
        with nobody() if case.as_nobody else nullcontext():
            result = CliRunner().invoke(app, [*case.arguments], input=case.stdin, catch_exceptions=False)
        return result.exit_code, result.stdout_bytes.decode(), result.stderr_bytes.decode()
    command = [sys.executable, "-m", "karuba_cli", *case.arguments]
    if "closed" in case.given:
        command = ["sh", "-c", 'exec "$0" "$@" <&-', *command]
    root = Path(__file__).parents[1]
    paths = os.pathsep.join(map(str, (root, root / "adapters", root / "cli")))
    done = subprocess.run(
        command,
        input=None if "closed" in case.given else case.stdin,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@contextmanager
def nobody() -> Iterator[None]:
    """Give up what root may do, for a while."""
    if sys.platform == "win32" or os.geteuid():
        yield
        return
    CliRunner().invoke(app, ["validate", "nothing.jsonl", "."])  # what is imported may be root's alone
    Path().chmod(0o755)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def given() -> Iterator[Any]:
    for number, case in enumerate(CASES):
        name = f"{number}-{case.arguments[0]}-{case.given[:50]}"
        yield pytest.param(case, id=ascii(name)[1:-1], marks=[OF_SYSTEM] if case.posix else [])


@pytest.mark.parametrize("case", [*given()])
def test_bad_input_gets_what_the_page_says(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    case.prepare(tmp_path)

    code, out, err = run(case)

    told = out + err
    assert code == case.exit, told
    assert "Traceback" not in told
    assert all(line.isprintable() for line in told.split("\n")), told
    if "/" in case.gets:
        assert f"{case.gets}" in told
        assert case.rule in told
    if case.gets == "usage":
        assert (out, "Usage: " in err or "explain" in case.arguments) == ("", True)
    if case.gets == "answer":
        assert "error" in json.loads(out)
    if case.arguments[0] == "validate" and "/" in case.gets and len(case.arguments[-1]) < 100:
        check_report(case)


def check_report(case: Case) -> None:
    """The finding is the first one, or the one that is selected."""
    options = [text for text in case.arguments[1:] if not text.startswith("--format")]
    arguments = ["validate", "--format=json", *options]
    if case.alone or case.as_nobody:
        return
    result = CliRunner().invoke(app, arguments, input=case.stdin, catch_exceptions=False)
    reports = [json.loads(line) for line in result.stdout_bytes.splitlines()]
    codes = [(found["code"], found["rule"]) for report in reports for found in report["findings"]]
    place = (
        -1 if "--require-seal" in options or case.gets in ("log/unreadable", "log/too-many-records") else 0
    )
    assert codes[place] == (case.gets, case.rule)
    assert (reports[-1]["verdict"] == "unread") == (case.exit == 3)


def test_the_page_has_a_row_for_each_code() -> None:
    assert {*explanations()} - {case.gets for case in CASES} == FAR_AWAY


def test_the_page_tells_what_is_tried() -> None:
    page = PAGE.read_text("utf-8")
    shown = page.partition(BEGINS)[2].partition(ENDS)[0]

    assert shown == table()
