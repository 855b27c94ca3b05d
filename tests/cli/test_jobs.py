"""`karuba validate` by several processes, and with a cache: the same output, sooner."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import Report, judged_cache, known_files, unread
from karuba_adapters.parallel import pieces, sources
from karuba_adapters.parallel.workers import MOST
from karuba_cli import engines, inputs, progress
from karuba_cli.options import MAX_JOBS
from karuba_cli.verbs import app
from tests.cli import process_kit
from tests.cli.process_kit import posix

GAMES = Path(__file__).parents[1] / "games"
EVENTS = (GAMES / "sound" / "02-2p-stop-casual.jsonl").read_bytes()
OPENING = EVENTS[: EVENTS.index(b"\n") + 1]
MANY = (EVENTS * 9 + OPENING + b"nope\n") * 13  # more than two pieces


def karuba(*arguments: object, stdin: bytes = b"") -> Result:
    texts = ["validate", *map(str, arguments)]
    return CliRunner().invoke(app, texts, input=stdin, catch_exceptions=False)


command = partial(process_kit.command, "validate")
process = partial(process_kit.karuba, "validate")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a sound log, a bad one, and one of more than two pieces."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.jsonl").write_bytes(EVENTS)
    (tmp_path / "bad.jsonl").write_bytes(OPENING + b"nope\n")
    (tmp_path / "many.jsonl").write_bytes(MANY)
    return tmp_path


# --jobs


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("report_format", ["text", "sarif"])
def test_every_format_is_the_same_by_several_processes(report_format: str) -> None:
    arguments = ["--format", report_format, "missing", "-", "good.jsonl", GAMES, "."]
    one, two = (karuba(*arguments, "--jobs", jobs, stdin=MANY) for jobs in (1, 2))

    assert two.stdout_bytes == one.stdout_bytes
    assert (two.exit_code, two.stderr) == (one.exit_code, one.stderr) == (3, "")


@pytest.mark.parametrize("options", [["--split"], ["--keep-going"]])
def test_standard_input_is_the_same_by_several_processes(options: list[str]) -> None:
    one = karuba("-", *options, "--jobs", 1, stdin=MANY)
    two = process("-", *options, "--jobs", 2, stdin=MANY)

    assert (two.returncode, two.stdout, two.stderr) == (one.exit_code, one.stdout_bytes, b"")
    assert two.stdout.count(b"text/not-json") == 13


@pytest.mark.parametrize("jobs", ["0", "61", "x"])
def test_a_number_of_processes_that_cannot_be_is_wrong_usage(jobs: str) -> None:
    assert karuba(GAMES, "--jobs", jobs).exit_code == 2
    assert MAX_JOBS == MOST == 60


def jobs_of(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> tuple[int, int] | None:
    """Return by how many processes it is judged, and from how many bytes of a stream on; None if plainly."""
    asked: list[tuple[int, int]] = []

    def noting(_: Any, jobs: int, __: Any, enough: int, **___: Any) -> list[Any]:  # noqa: ANN401 - not looked at
        asked.append((jobs, enough))
        return []

    monkeypatch.setattr("karuba_adapters.parallel.validate_sources", noting)
    karuba(*arguments)
    return asked[0] if asked else None


@pytest.mark.parametrize("cores", [1, 3, 200])
@pytest.mark.parametrize("names", [["good.jsonl"], ["."], ["many.jsonl"], ["-"]])
@pytest.mark.usefixtures("folder")
def test_by_itself_it_takes_processes_where_there_is_enough_to_do(
    monkeypatch: pytest.MonkeyPatch, names: list[str], cores: int
) -> None:
    monkeypatch.setattr(engines, "usable_cores", lambda: cores)
    monkeypatch.setattr(engines, "_WORTH_WORKERS", len(MANY) - 1)
    is_long = names not in (["good.jsonl"], ["-"])  # a pipe is told as it comes
    assert jobs_of(monkeypatch, *names) == (
        (min(cores, MOST), len(MANY) - 1) if is_long and cores > 1 else None
    )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.usefixtures("folder")
def test_it_takes_as_many_processes_as_it_is_told(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    assert jobs_of(monkeypatch, "good.jsonl", "--jobs", jobs) == (None if jobs == 1 else (jobs, 0))


@pytest.mark.usefixtures("folder")
def test_what_is_packed_is_longer_than_it_looks() -> None:
    Path("a.jsonl").write_bytes(bytes(1000))
    Path("a.jsonl.gz").write_bytes(bytes(1000))

    assert [inputs.are_long(["a.jsonl"], size) for size in (999, 1000)] == [True, False]
    assert [inputs.are_long(["a.jsonl.gz", "missing"], size) for size in (7999, 8000)] == [True, False]
    assert [inputs.are_long(["a.jsonl", "a.jsonl"], size) for size in (1999, 2000)] == [True, False]


LOSING = """
import os
from karuba_adapters.parallel import workers
own = workers._submit
def submit(pool, what, function, *arguments):
    if what.startswith("boom"):
        function, arguments = {instead}
    return own(pool, what, function, *arguments)
workers._submit = submit
"""


@posix
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("instead", "told"),
    [
        ("os._exit, (9,)", b"a process that judges has died\n"),
        ("divmod, (1, 0)", b"ZeroDivisionError"),
    ],
)
def test_70_is_for_a_process_that_is_lost_and_all_before_is_told(instead: str, told: bytes) -> None:
    Path("boom.jsonl").symlink_to("good.jsonl")  # a link is sent alone
    names = ["bad.jsonl", "good.jsonl", "boom.jsonl", "bad.jsonl", "many.jsonl"]
    result = process(*names, "--jobs", 2, "--format", "json", script=LOSING.format(instead=instead))

    assert result.returncode == 70
    told_of = [json.loads(line)["file"] for line in result.stdout.splitlines()]
    # Another process may have been at work on what stands before: that is lost with the pool, and named.
    assert told_of == names[:2] or (told_of == [] and "died" in told.decode())
    assert b" was not judged: " in result.stderr
    assert told in result.stderr
    assert (b"please report it" in result.stderr) == (b"Error" in told)  # to be killed is no fault of ours


@posix
def test_130_is_for_an_interrupt_of_all_processes() -> None:
    with subprocess.Popen(
        command("-", "--jobs", 2),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        assert running.stdin
        assert running.stdout
        assert running.stderr
        running.stdin.write(MANY * 2)
        running.stdin.flush()
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(60) == 130
        assert b"Traceback" not in running.stderr.read()  # which ends when the last process has ended


@posix
def test_a_closed_pipe_ends_all_processes_quietly(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            command(folder, "--jobs", 2, "--format", "json"),
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writing)

    assert (result.returncode, result.stderr) == (0, b"")


# --cache


@pytest.mark.parametrize("jobs", [[], ["--jobs", "1"], ["--jobs", "2"]])
@pytest.mark.usefixtures("folder")
def test_with_a_cache_the_output_is_the_same_and_nothing_is_judged_twice(
    monkeypatch: pytest.MonkeyPatch, jobs: list[str]
) -> None:
    names = [".", GAMES, "good.jsonl"]
    plain = karuba(*names)
    first = karuba(*names, *jobs, "--cache", "cache")
    for module in sources, known_files:
        monkeypatch.setattr(module, "validate_file", None)
    for module in pieces, known_files:
        monkeypatch.setattr(module, "validate", None)
    second = karuba(*names, "--jobs", "1", "--cache", "cache")

    for result in first, second:
        assert (result.exit_code, result.stdout, result.stderr) == (plain.exit_code, plain.stdout, "")


@pytest.mark.usefixtures("folder")
def test_what_is_asked_of_a_log_is_no_part_of_what_is_kept() -> None:
    options = [["--require-seal"], ["--ignore", "text"], []]
    plain = [karuba(".", *each).stdout for each in options]

    assert [karuba(".", *each, "--cache", "cache").stdout for each in options] == plain
    assert len({*plain}) == 3


@pytest.mark.usefixtures("folder")
def test_standard_input_is_not_kept() -> None:
    for stdin, verdict in ((EVENTS, "1 valid"), (OPENING, "1 incomplete")):
        assert karuba("-", "--cache", "cache", stdin=stdin).stdout == f"1 log: {verdict}\n"
    with closing(sqlite3.connect("cache")) as base:
        assert base.execute("SELECT count(*) FROM judged").fetchone() == (0,)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("cache", ["bad.jsonl", "other", "folder", "good.jsonl", "out"])
def test_what_is_no_cache_is_wrong_usage_and_stays(cache: str) -> None:
    Path("other").write_bytes(b"something else")
    Path("folder").mkdir()
    result = karuba("good.jsonl", "--cache", cache, "--output", "out")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--cache" in result.stderr
    assert Path("other").read_bytes() == b"something else"
    assert Path("bad.jsonl").read_bytes() == OPENING + b"nope\n"


LOCKING = """
import sqlite3, sys
base = sqlite3.connect("cache", isolation_level=None)
base.execute(sys.argv[1])
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("jobs", "lock"), [(1, "BEGIN EXCLUSIVE"), (2, "BEGIN EXCLUSIVE"), (2, "BEGIN IMMEDIATE")]
)
def test_a_cache_that_is_locked_is_told_once_and_done_without(
    monkeypatch: pytest.MonkeyPatch, jobs: int, lock: str
) -> None:
    """Locked from the start, or only when a process that judges wants to write."""
    monkeypatch.setattr(judged_cache, "_PATIENCE", 0.01)
    names = ["bad.jsonl", "good.jsonl", "bad.jsonl"]
    plain = karuba(*names)
    karuba("good.jsonl", "--cache", "cache")
    with subprocess.Popen(
        [sys.executable, "-c", LOCKING, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin
        assert other.stdout
        other.stdout.readline()
        result = karuba(*names, "--jobs", jobs, "--cache", "cache")
        other.stdin.close()

    assert (result.exit_code, result.stdout) == (plain.exit_code, plain.stdout)
    assert result.stderr == "karuba: the cache cache was not used throughout: database is locked\n"


# Progress


def test_the_bar_tells_how_many_logs_a_second_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    bar = MagicMock()

    def judge() -> Iterator[Report]:
        nonlocal now
        for now, file in (100.5, "a"), (102.0, "a"), (104.0, "b"):  # noqa: B007 - the clock reads it
            yield unread(file, "")

    monkeypatch.setattr(progress, "monotonic", lambda: now)
    monkeypatch.setattr(progress, "_bar", lambda _: bar)
    monkeypatch.setattr("sys.stderr", MagicMock(isatty=lambda: True))
    for _ in progress.Watch(lambda: 9, is_on=True).over(judge()):
        pass

    assert [call.kwargs for call in bar.update.call_args_list] == [
        {"completed": 0, "logs": 2, "pace": 1.0},
        {"completed": 1, "logs": 3, "pace": 0.75},
    ]


@posix
@pytest.mark.parametrize("pause", [0.0, 0.02, 0.1])
def test_130_is_for_two_interrupts_in_a_row_too(pause: float) -> None:
    with subprocess.Popen(
        command("-", "--jobs", 2),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as running:
        assert running.stdin
        running.stdin.write(MANY * 2)
        running.stdin.flush()
        os.killpg(running.pid, signal.SIGINT)
        time.sleep(pause)
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(60) == 130
