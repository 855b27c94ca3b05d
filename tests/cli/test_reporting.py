"""How `karuba validate` reports: formats, files, colours, what is chosen, progress; as a process."""

import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import Report, unread
from karuba_cli import progress
from karuba_cli.verbs import app
from tests.cli import process_kit
from tests.cli.process_kit import environment, posix

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
BROKEN = GAMES / "broken" / "shape-1.jsonl"
OPENING = SOUND.read_bytes().splitlines(keepends=True)[0]
BAD_DRAW = b'{"type":"tile-drawn","round":1,"tile":37}\n'
FORMATS = ("text", "json", "github", "sarif", "junit")


command = partial(process_kit.command, "validate")
process = partial(process_kit.karuba, "validate")


def karuba(*arguments: object, stdin: bytes = b"") -> Result:
    texts = ["validate", *map(str, arguments)]
    return CliRunner().invoke(app, texts, input=stdin, catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a sound log, one with two findings of two families, one with none of them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.jsonl").write_bytes(SOUND.read_bytes())
    (tmp_path / "rule.jsonl").write_bytes(OPENING + BAD_DRAW)
    (tmp_path / "shape.jsonl").write_bytes(OPENING + b'{"type":"tile-drawn","round":1,"tile":1,"x":1}\n')
    return tmp_path


# Formats and exit codes


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("report_format", FORMATS)
@pytest.mark.parametrize(
    ("names", "options", "code"),
    [
        (["good.jsonl"], [], 0),
        (["good.jsonl", "rule.jsonl"], [], 1),
        (["rule.jsonl"], ["--exit-zero"], 0),
        (["rule.jsonl", "missing.jsonl"], ["--exit-zero"], 3),
        (["missing.jsonl"], ["--ignore", "log,text", "--select", "rule"], 3),
    ],
)
def test_every_format_ends_with_the_same_code(
    report_format: str, names: list[str], options: list[str], code: int
) -> None:
    result = process(*names, *options, "--format", report_format)

    assert (result.returncode, result.stderr) == (code, b"")
    if report_format == "json":
        assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == names
    elif report_format == "sarif":
        assert json.loads(result.stdout)["runs"][0]["tool"]["driver"]["name"] == "karuba"
    elif report_format == "junit":
        assert [suite.get("name") for suite in ET.fromstring(result.stdout)] == names  # noqa: S314 - ours
    elif report_format == "github":
        assert [line[:8] for line in result.stdout.splitlines()] == [b"::error "] * result.stdout.count(b"\n")
    assert (b"R-DRAW-2" in result.stdout) == ("rule.jsonl" in names)
    assert (b"F-FILE-1" in result.stdout) == ("missing.jsonl" in names)


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
@pytest.mark.parametrize("report_format", FORMATS[1:])
def test_documents_are_utf8_on_every_terminal(folder: Path, report_format: str, encoding: str) -> None:
    (folder / "é.jsonl").write_bytes(b"nope")
    result = process("é.jsonl", "--format", report_format, env={"PYTHONIOENCODING": encoding})

    assert result.returncode == 1
    assert ("%C3%A9" if report_format == "sarif" else "é") in result.stdout.decode("utf-8")
    assert b"\r" not in result.stdout


# What is chosen


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "code", "findings"),
    [
        ([], 1, ["rule/unknown-tile", "shape/unknown-field"]),
        (["--select", "rule"], 1, ["rule/unknown-tile"]),
        (["--select", "rule/unknown-tile,text"], 1, ["rule/unknown-tile"]),
        (
            ["--select", "rule", "--select", "shape/unknown-field"],
            1,
            ["rule/unknown-tile", "shape/unknown-field"],
        ),
        (["--ignore", "rule", "--ignore", " shape "], 0, []),
        (["--ignore", "rule,shape/missing-field"], 1, ["shape/unknown-field"]),
        (["--select", "setup"], 0, []),
        (["--select", "rule", "--ignore", "rule/unknown-tile"], 0, []),
    ],
)
def test_what_is_not_chosen_is_neither_shown_nor_counted(
    options: list[str], code: int, findings: list[str]
) -> None:
    text, data = karuba(".", *options), karuba(".", *options, "--format", "json")
    *lines, summary = text.stdout.splitlines()

    assert [line.split(": ")[1] for line in lines] == findings
    assert summary == "3 logs: 1 valid, 2 invalid"  # they are what they are
    reports = [json.loads(line) for line in data.stdout.splitlines()]
    assert [found["code"] for report in reports for found in report["findings"]] == findings
    assert [report["verdict"] for report in reports] == ["valid", "invalid", "invalid"]
    assert text.exit_code == data.exit_code == code


def test_what_is_required_can_be_ignored_again(folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(OPENING)

    assert karuba("a.jsonl", "--require-finished").exit_code == 1
    assert karuba("a.jsonl", "--require-finished", "--ignore", "log/unfinished").exit_code == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("rule/unknown-tyle", "did you mean rule/unknown-tile?"),
        ("rul", "did you mean rule?"),
        ("rule,shap", "did you mean shape?"),
        ("unknown-tile", "did you mean rule/unknown-tile?"),
        ("", "no code or family is called ''"),
        ("rule,", "no code or family is called ''"),
        ("RULE-9", "no code or family is called 'RULE-9'"),
        ("\x1b[2J", "\\x1b[2J"),
    ],
)
@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_code_is_wrong_usage(option: str, value: str, told: str) -> None:
    result = karuba("good.jsonl", option, value)

    assert (result.exit_code, result.stdout) == (2, "")
    assert told in " ".join(result.stderr.replace("│", "").split())
    assert "\x1b" not in result.stderr


@pytest.mark.usefixtures("folder")
def test_quiet_leaves_findings_alone() -> None:
    loud, quiet = process("."), process(".", "-q")

    assert loud.stdout == quiet.stdout + b"3 logs: 1 valid, 2 invalid\n"
    assert quiet.stdout.count(b"\n") == 2
    assert (quiet.returncode, quiet.stderr) == (1, b"")
    assert process("good.jsonl", "--quiet").stdout == b""


# A file, whole or not at all


@pytest.mark.parametrize(
    ("report_format", "is_there"), [("text", False), *((each, True) for each in FORMATS)]
)
def test_a_file_gets_what_standard_output_would_get(folder: Path, report_format: str, is_there: bool) -> None:
    shown = process("rule.jsonl", "good.jsonl", "--format", report_format)
    if is_there:
        (folder / "out").write_bytes(b"x" * 10_000)
    result = process("rule.jsonl", "good.jsonl", "--format", report_format, "--output", "out")

    assert (folder / "out").read_bytes() == shown.stdout
    assert (result.returncode, result.stdout) == (1, b"")
    assert result.stderr == b"2 logs: 1 valid, 1 invalid" + os.linesep.encode()[-1:]
    assert process("good.jsonl", "-q", "--output", "out").stderr == b""
    assert (folder / "out").read_bytes() == b""
    assert left(folder) == {"out"}


def left(folder: Path) -> set[str]:
    """Return what lies in a folder beside its logs."""
    return {path.name for path in folder.iterdir() if path.suffix != ".jsonl"}


def test_text_in_a_file_is_utf8(folder: Path) -> None:
    (folder / "é.jsonl").write_bytes(b"nope")
    process("é.jsonl", "--output", "out", env={"PYTHONIOENCODING": "ascii"})

    assert (folder / "out").read_bytes().startswith("é.jsonl:1: text/not-json".encode())


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="names are Unicode there")
def test_a_log_that_is_judged_is_not_written_over_whatever_it_is_called(tmp_path: Path) -> None:
    log = tmp_path / os.fsdecode(b"x\xff.jsonl")
    log.write_bytes(SOUND.read_bytes())
    link = tmp_path / "link"
    link.symlink_to(log)
    for arguments in ((log, "--output", log), (tmp_path, "--output", log), (log, "--output", link)):
        result = process(*arguments)
        assert (result.returncode, b"one of those" in result.stderr) == (2, True)
        assert log.read_bytes() == SOUND.read_bytes()


def test_a_minus_is_standard_output(folder: Path) -> None:
    assert process("rule.jsonl", "--output", "-").stdout == process("rule.jsonl").stdout
    assert left(folder) == set()


@posix
def test_a_replaced_file_keeps_its_mode_and_a_link_its_place(folder: Path) -> None:
    (folder / "real").write_bytes(b"old")
    (folder / "real").chmod(0o640)
    (folder / "link").symlink_to("real")
    assert process("good.jsonl", "--output", "link").returncode == 0

    assert (folder / "link").is_symlink()
    assert (folder / "real").read_bytes() == b"1 log: 1 valid\n"
    assert (folder / "real").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", [".", "pipe", "/dev/null"])
def test_only_a_file_is_replaced(folder: Path, name: str) -> None:
    if name != ".":
        if not hasattr(os, "mkfifo"):
            pytest.skip("no such things here")
        os.mkfifo(folder / "pipe")
    kind = Path(name).stat().st_mode
    result = karuba("good.jsonl", "--output", name)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--output" in result.stderr
    assert Path(name).stat().st_mode == kind


@pytest.mark.parametrize("name", ["rule.jsonl", "./rule.jsonl", "sub/../rule.jsonl", "link"])
@pytest.mark.parametrize("judged", ["rule.jsonl", "."])
def test_a_log_is_not_replaced_by_what_is_said_of_it(folder: Path, name: str, judged: str) -> None:
    (folder / "sub").mkdir()
    if name == "link":
        (folder / "link").symlink_to("rule.jsonl")
    result = karuba("good.jsonl", judged, "--output", name)

    assert (result.exit_code, result.stdout) == (2, "")
    assert (folder / "rule.jsonl").read_bytes() == OPENING + BAD_DRAW
    assert left(folder) <= {"sub", "link"}


def test_a_report_may_lie_among_logs_that_do_not_count_it(folder: Path) -> None:
    for _ in range(2):
        assert karuba(".", "--output", "report.json", "--format", "json").exit_code == 1
    assert len((folder / "report.json").read_bytes().splitlines()) == 3


@pytest.mark.parametrize("name", ["missing/out", "good.jsonl/out", "n" * 300])
def test_a_file_that_cannot_be_made_is_told(folder: Path, name: str) -> None:
    result = process("rule.jsonl", "--output", name)

    assert (result.returncode, result.stdout) == (70, b"")
    assert result.stderr.startswith(b"karuba: the output cannot be written: " + name.encode() + b": ")
    assert b"Traceback" not in result.stderr
    assert left(folder) == set()


@posix
def test_a_folder_without_permission_is_told(folder: Path) -> None:
    (folder / "locked").mkdir()
    (folder / "locked").chmod(0o555)
    try:
        (folder / "locked" / "probe").touch()
    except PermissionError:
        result = process("rule.jsonl", "--output", "locked/out")
        assert (result.returncode, result.stdout) == (70, b"")
        assert b"locked/out: Permission denied" in result.stderr
    else:
        pytest.skip("the superuser may write everywhere")


FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"


@posix
@pytest.mark.parametrize("report_format", FORMATS)
@pytest.mark.parametrize("old", [b"old", None])
def test_a_disk_that_is_full_leaves_the_old_file(folder: Path, report_format: str, old: bytes | None) -> None:
    if old is not None:
        (folder / "out").write_bytes(old)
    result = process(GAMES, "--format", report_format, "--output", "out", script=FULL)

    assert (result.returncode, result.stdout) == (70, b"")
    assert result.stderr == b"karuba: the output cannot be written: out: File too large\n"
    assert left(folder) == ({"out"} if old else set())
    assert not old or (folder / "out").read_bytes() == old


@posix
@pytest.mark.parametrize(
    ("number", "code", "leaves"),
    [(signal.SIGINT, 130, 0), (signal.SIGTERM, 143, 0), (signal.SIGKILL, -signal.SIGKILL, 1)],
    ids=["interrupted", "terminated", "killed"],
)
@pytest.mark.parametrize("report_format", FORMATS)
def test_a_process_that_is_ended_leaves_the_old_file(
    folder: Path, report_format: str, number: signal.Signals, code: int, leaves: int
) -> None:
    (folder / "out").write_bytes(b"old")
    with subprocess.Popen(
        command("-", "--format", report_format, "--output", "out"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as running:
        assert running.stdin
        assert running.stderr
        running.stdin.write(
            (OPENING + BAD_DRAW) * 2_000
        )  # more than a pipe holds: it is being judged by then
        running.stdin.flush()
        assert len(left(folder)) == 2  # the old one, and the one that is being written
        running.send_signal(number)
        assert running.wait(60) == code
        assert b"Traceback" not in running.stderr.read()

    assert (folder / "out").read_bytes() == b"old"
    assert len(left(folder) - {"out"}) == leaves


def test_a_fault_of_ours_leaves_the_old_file(folder: Path) -> None:
    (folder / "out").write_bytes(b"old")
    script = """
import karuba_adapters
from karuba_adapters import validate_file
def boom(path, *more, **reading):
    if "good" in str(path):
        raise OSError("of ours")
    return validate_file(path, *more, **reading)
karuba_adapters.validate_file = boom
"""
    result = process("rule.jsonl", "good.jsonl", "--output", "out", script=script)

    assert result.returncode == 70
    assert b"OSError: of ours" in result.stderr  # nobody is told that the output is to blame
    assert b"cannot be written" not in result.stderr
    assert (folder / "out").read_bytes() == b"old"
    assert left(folder) == {"out"}


# Pipes and interrupts


@posix
@pytest.mark.parametrize("report_format", FORMATS)
@pytest.mark.parametrize("buffered", [True, False], ids=["buffered", "unbuffered"])
def test_a_closed_pipe_ends_every_format_quietly(report_format: str, buffered: bool) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            command(GAMES, "--format", report_format),
            stdout=writing,
            stderr=subprocess.PIPE,
            env=environment() if buffered else environment(PYTHONUNBUFFERED="1"),
            check=False,
            timeout=60,
        )
    finally:
        os.close(writing)

    assert (result.returncode, result.stderr) == (0, b"")


@posix
@pytest.mark.parametrize("report_format", FORMATS)
def test_130_is_for_an_interrupt_in_every_format(report_format: str) -> None:
    with subprocess.Popen(
        command("-", "--format", report_format),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as running:
        assert running.stdin
        assert running.stderr
        running.stdin.write(SOUND.read_bytes() * 40)
        running.stdin.flush()
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        assert b"Traceback" not in running.stderr.read()


# Terminals

pty = pytest.importorskip("pty", reason="no pseudo-terminals here") if os.name == "posix" else None
terminal = pytest.mark.skipif(pty is None, reason="no pseudo-terminals here")
ESCAPE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


def on_terminal(
    *arguments: object, streams: tuple[str, ...], script: str = "", **env: str
) -> tuple[int, bytes, bytes]:
    """Run it with some of its output streams on a terminal; return its code, what came there, the rest."""
    outer, inner = os.openpty()
    running = subprocess.Popen(
        command(*arguments, script=script),
        stdin=subprocess.DEVNULL,
        stdout=inner if "stdout" in streams else subprocess.PIPE,
        stderr=inner if "stderr" in streams else subprocess.DEVNULL,
        env=environment(**env),
    )
    os.close(inner)
    shown = bytearray()
    try:
        while data := os.read(outer, 4096):
            shown += data
    except OSError:  # Linux says so when the last writer is gone
        pass
    finally:
        os.close(outer)
    rest, _ = running.communicate(timeout=60)
    return running.returncode, bytes(shown), rest or b""


@terminal
@pytest.mark.parametrize(
    ("options", "env", "is_terminal", "is_coloured"),
    [
        ([], {}, True, True),
        ([], {}, False, False),
        (["--color", "auto"], {}, True, True),
        (["--color", "auto"], {}, False, False),
        (["--color", "never"], {}, True, False),
        (["--color", "never"], {"FORCE_COLOR": "1"}, True, False),
        (["--color", "always"], {}, True, True),
        (["--color", "always"], {}, False, True),
        (["--color", "always"], {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ([], {"NO_COLOR": "1"}, True, False),
        ([], {"NO_COLOR": ""}, True, True),
        ([], {"FORCE_COLOR": "1"}, False, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ([], {"TERM": "dumb"}, True, False),
        (["--format", "github"], {"FORCE_COLOR": "1"}, True, False),
        (["--format", "json", "--color", "always"], {}, True, False),
        (["--format", "junit", "--color", "always"], {}, False, False),
    ],
)
def test_colour_is_as_asked_for(
    options: list[str], env: dict[str, str], is_terminal: bool, is_coloured: bool
) -> None:
    streams = ("stdout",) if is_terminal else ()
    code, shown, rest = on_terminal(BROKEN, *options, streams=streams, **env)
    out = shown.replace(b"\r\n", b"\n") if is_terminal else rest
    plain = process(BROKEN, *options, "--color", "never").stdout

    assert code == 1
    assert (b"\x1b[1;31mtext/number-out-of-range\x1b[0m" in out) == is_coloured
    assert (b"\x1b" in out) == is_coloured
    assert ESCAPE.sub(b"", out) == plain


@pytest.mark.parametrize(("options", "is_coloured"), [([], False), (["--color", "always"], True)])
def test_a_file_is_coloured_only_if_asked_for(folder: Path, options: list[str], is_coloured: bool) -> None:
    process("rule.jsonl", "--output", "out", *options, env={"FORCE_COLOR": "1"})

    assert (b"\x1b" in (folder / "out").read_bytes()) == is_coloured


IMPATIENT = "import karuba_cli.progress; karuba_cli.progress.PATIENCE = {seconds}"


@terminal
def test_long_work_has_a_progress_bar_beside_the_data() -> None:
    code, shown, data = on_terminal(
        GAMES, "--format", "json", streams=("stderr",), script=IMPATIENT.format(seconds=0)
    )

    assert code == 1
    assert b"files" in shown
    assert shown.rstrip().endswith(b"\x1b[2K") or b"\x1b[?25h" in shown  # it is cleared, the cursor is back
    files = len(list(GAMES.rglob("*.jsonl")))
    assert f"/{files}".encode() in ESCAPE.sub(b"", shown)
    assert data.count(b"\n") == files


@terminal
def test_the_bar_is_never_in_the_way_of_findings() -> None:
    code, shown, _ = on_terminal(GAMES, streams=("stdout", "stderr"), script=IMPATIENT.format(seconds=0))
    plain = process(GAMES).stdout.splitlines()
    lines = [ESCAPE.sub(b"", line).split(b"\r")[-1] for line in shown.replace(b"\r\n", b"\n").split(b"\n")]

    assert code == 1
    assert b"files" in shown
    assert [line for line in lines if line in plain] == plain


@terminal
def test_findings_do_not_wait_behind_the_bar() -> None:
    names = [BROKEN, *[SOUND] * 5]
    _, shown, _ = on_terminal(*names, streams=("stdout", "stderr"), script=IMPATIENT.format(seconds=0))

    assert shown.index(b"number-out-of-range") < shown.rindex(b"files")


def test_the_bar_comes_when_nothing_was_seen_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    shown: list[tuple[float, int]] = []

    def judge() -> Iterator[Report]:
        nonlocal now
        for moment in (0.5, 0.9, 1.1, 1.2, 2.0, 2.2, 2.4):
            now = moment
            yield unread("x", "y")

    def bar(total: int) -> MagicMock:
        shown.append((now, total))
        return MagicMock()

    monkeypatch.setattr(progress, "monotonic", lambda: now)
    monkeypatch.setattr(progress, "_bar", bar)
    monkeypatch.setattr("sys.stderr", MagicMock(isatty=lambda: True))
    watch = progress.Watch(lambda: 9, is_on=True)
    for _ in watch.over(judge()):
        if now == 1.1:
            watch.hide()  # a finding is written

    assert shown == [(1.1, 9), (2.2, 9)]


@terminal
@pytest.mark.parametrize(
    ("options", "seconds", "streams", "env"),
    [
        ([], 60, ("stdout", "stderr"), {}),
        (["--quiet"], 0, ("stdout", "stderr"), {}),
        ([], 0, ("stdout",), {"FORCE_COLOR": "1"}),
        ([], 0, (), {"FORCE_COLOR": "1"}),
    ],
    ids=["short", "quiet", "stderr elsewhere", "no terminal"],
)
def test_there_is_no_bar(
    options: list[str], seconds: int, streams: tuple[str, ...], env: dict[str, str]
) -> None:
    script = IMPATIENT.format(seconds=seconds) + "\nimport karuba_cli.progress as p; p._bar = None"
    code, _, _ = on_terminal(SOUND, BROKEN, *options, streams=streams, script=script, **env)

    assert code == 1  # to show a bar would have been our fault
