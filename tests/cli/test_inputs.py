"""What `karuba validate` reads: files, folders, patterns, packed logs, and things that are no files."""

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from attrs import fields_dict
from typer.testing import CliRunner, Result

from karuba_adapters.limits import LIMITS, Limits
from karuba_cli import options
from karuba_cli.inputs import LOGS, count_files, judged
from karuba_cli.verbs import app

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAMES = Path(__file__).parents[1] / "games"
EVENTS = (GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes()
OPENING = EVENTS.splitlines(keepends=True)[0]
posix = pytest.mark.skipif(sys.platform == "win32", reason="no such files on Windows")


def karuba(*arguments: object, stdin: bytes = b"") -> Result:
    texts = ["validate", *map(str, arguments)]
    return CliRunner().invoke(app, texts, input=stdin, catch_exceptions=False)


def reports(*arguments: object, stdin: bytes = b"") -> list[dict[str, Any]]:
    result = karuba("--format", "json", *arguments, stdin=stdin)
    return [json.loads(line) for line in result.stdout_bytes.splitlines()]


def files(*arguments: object) -> list[str]:
    return [Path(report["file"]).as_posix() for report in reports(*arguments)]


def verdicts(*arguments: object, stdin: bytes = b"") -> list[str]:
    return [report["verdict"] for report in reports(*arguments, stdin=stdin)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fill(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(OPENING)


# Patterns


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.jsonl", ["a.jsonl", "b.jsonl"]),
        ("logs/*.jsonl", ["logs/c.jsonl"]),
        ("logs/**/*.jsonl", ["logs/c.jsonl", "logs/x/d.jsonl", "logs/x/y/e.jsonl"]),
        ("**/*.jsonl", ["a.jsonl", "b.jsonl", "logs/c.jsonl", "logs/x/d.jsonl", "logs/x/y/e.jsonl"]),
        ("**/x/**/*.jsonl", ["logs/x/d.jsonl", "logs/x/y/e.jsonl"]),
        ("logs/**", ["logs/c.jsonl", "logs/x/d.jsonl", "logs/x/y/e.jsonl"]),
        ("lo*", ["logs/c.jsonl", "logs/x/d.jsonl", "logs/x/y/e.jsonl"]),
        ("logs/?/*/e.jsonl", ["logs/x/y/e.jsonl"]),
        ("[ab].jsonl", ["a.jsonl", "b.jsonl"]),
        ("[!a].jsonl", ["b.jsonl"]),
        ("logs/*.txt", ["logs/note.txt"]),
        ("./*.jsonl", ["a.jsonl", "b.jsonl"]),
        (".*.jsonl", [".h.jsonl"]),
        ("logs/../*.jsonl", ["logs/../a.jsonl", "logs/../b.jsonl"]),
        ("a.jsonl/*", ["a.jsonl/*"]),
        ("nothing/*", ["nothing/*"]),
        ("*.xml", ["*.xml"]),
    ],
)
def test_a_pattern_stands_for_what_it_matches(folder: Path, pattern: str, found: list[str]) -> None:
    fill(folder, "a.jsonl", "b.jsonl", ".h.jsonl", "logs/c.jsonl", "logs/x/d.jsonl", "logs/x/y/e.jsonl")
    fill(folder, "logs/note.txt", ".hidden/f.jsonl")

    assert files(pattern) == found
    assert verdicts(pattern) == ["unread" if found == [pattern] else "incomplete"] * len(found)
    absolute = [(folder / name).as_posix() for name in found]
    assert [Path(name).resolve() for name in files(f"{folder}/{pattern}")] == [
        Path(name).resolve() for name in absolute
    ]


@posix
def test_a_name_that_exists_is_no_pattern(folder: Path) -> None:
    fill(folder, "*.jsonl", "a.jsonl", "[a].jsonl", "d*/x.jsonl", "dir/y.jsonl")
    (folder / "?.jsonl").symlink_to("nowhere")

    assert files("*.jsonl") == ["*.jsonl"]
    assert files("[a].jsonl") == ["[a].jsonl"]
    assert files("d*") == ["d*/x.jsonl"]
    assert verdicts("?.jsonl") == ["unread"]
    assert files("[a-b].jsonl") == ["a.jsonl"]


@posix
def test_a_pattern_follows_no_links_by_two_stars(folder: Path) -> None:
    fill(folder, "logs/a.jsonl")
    for name in ("one", "two", "three"):
        (folder / "logs" / name).symlink_to(folder / "logs")

    assert files("logs/**/*.jsonl") == ["logs/a.jsonl"]
    assert files("logs") == ["logs/a.jsonl"]
    assert files("logs/one/*.jsonl") == ["logs/one/a.jsonl"]


def test_a_minus_that_a_pattern_matches_is_a_file(folder: Path) -> None:
    (folder / "-").write_bytes(OPENING)

    assert files("?") == ["-"]
    assert verdicts("?", stdin=b"nope") == ["incomplete"]
    assert verdicts("-", stdin=EVENTS) == ["valid"]


def test_a_folder_called_minus_is_no_standard_input(folder: Path) -> None:
    fill(folder, "-/a.jsonl")

    assert verdicts("-", stdin=EVENTS) == ["valid"]
    assert files("./-") == ["-/a.jsonl"]


@pytest.mark.parametrize("verb", [("replay",), ("convert", "--to", "events")])
def test_one_file_may_be_a_pattern_of_one_file(folder: Path, verb: tuple[str, ...]) -> None:
    fill(folder, "a1.jsonl", "b1.jsonl", "b2.jsonl", "c.d/x.jsonl")

    def code(pattern: str) -> int:
        return CliRunner().invoke(app, [*verb, pattern], catch_exceptions=False).exit_code

    assert [code(pattern) for pattern in ("a*.jsonl", "b*.jsonl", "c*", "x*")] == [0, 2, 2, 3]


# Folders


def test_a_folder_stands_for_packed_logs_too(folder: Path) -> None:
    for name, pack in (("a.jsonl.gz", gzip.compress), ("b.jsonl.zst", zstd.compress), ("c.jsonl", bytes)):
        (folder / name).write_bytes(pack(EVENTS))
    fill(folder, "d.gz", "e.zst", "f.jsonl.bz2", "g.jsonl.gz")  # the last one is not packed at all

    assert files(".") == ["a.jsonl.gz", "b.jsonl.zst", "c.jsonl", "g.jsonl.gz"]
    assert verdicts(".") == ["valid", "valid", "valid", "incomplete"]
    assert count_files([".", "-", "missing"]) == 6


@posix
def test_a_deep_folder_is_read_to_its_bottom(folder: Path) -> None:
    """Deeper than Python calls itself, which some of its versions do to walk, and to clear away."""
    for _ in range(1200):
        Path("d").mkdir()
        os.chdir("d")
    Path("a.jsonl").write_bytes(OPENING)
    os.chdir(folder)
    try:
        found = [*judged(["."])]
    finally:
        subprocess.run(["/bin/rm", "-r", "d"], check=True)

    assert [(report.file, report.verdict) for report in found] == [("d/" * 1200 + "a.jsonl", "incomplete")]


@posix
def test_what_is_no_file_in_a_folder_holds_nothing_up(folder: Path) -> None:
    fill(folder, "logs/a.jsonl", "logs/z.jsonl")
    os.mkfifo(folder / "logs" / "fifo.jsonl")
    (folder / "logs" / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "logs" / "null.jsonl").symlink_to(os.devnull)
    (folder / "logs" / "x.jsonl").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("logs/socket.jsonl")
        found = {Path(report["file"]).name: report["verdict"] for report in reports("logs")}
        by_pattern = {Path(report["file"]).name: report["verdict"] for report in reports("logs/*.jsonl")}
        named = verdicts("logs/socket.jsonl", "logs/loop.jsonl", "logs/x.jsonl")

    unread = dict.fromkeys(["fifo.jsonl", "loop.jsonl", "null.jsonl", "socket.jsonl"], "unread")
    assert found == {"a.jsonl": "incomplete", **unread, "z.jsonl": "incomplete"}
    assert by_pattern == {**found, "x.jsonl": "unread"}  # a folder without logs
    assert named == ["unread"] * 3
    assert karuba("logs").exit_code == 3


def test_a_file_that_became_a_folder_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(folder, "logs/a.jsonl/b.jsonl", "logs/c.jsonl")
    walked = [(folder / "logs", ["a.jsonl", "c.jsonl"], None)]
    monkeypatch.setattr("karuba_cli.inputs._walk", lambda _: iter(walked))

    assert verdicts("logs") == ["unread", "incomplete"]


# In a real process


def started(*arguments: object, stdin: IO[bytes] | int | None = None) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "karuba_cli", "validate", *map(str, arguments)]
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_standard_input_may_be_packed(pack: Callable[[bytes], bytes]) -> None:
    with started("-", stdin=subprocess.PIPE) as process:
        out, err = process.communicate(pack(EVENTS * 2), timeout=60)

    assert (out.split(b"\n")[0].rstrip(), err, process.returncode) == (b"2 logs: 2 valid", b"", 0)


@posix
def test_a_pipe_that_was_named_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with started(pipe) as process:
        pipe.write_bytes(gzip.compress(EVENTS))
        out, _ = process.communicate(timeout=60)

    assert (out, process.returncode) == (b"1 log: 1 valid\n", 0)


@posix
def test_a_line_without_an_end_ends(tmp_path: Path) -> None:
    (tmp_path / "zero").symlink_to("/dev/zero")
    with started(tmp_path / "zero", "--format", "json") as process:
        out, _ = process.communicate(timeout=120)

    assert (json.loads(out)["verdict"], process.returncode) == ("unread", 3)


@posix
@pytest.mark.parametrize("text", [b"nope\n", b'{"type":"pass"}\n'], ids=["junk", "records"])
@pytest.mark.parametrize("options", [(), ("--split", "--keep-going")])
def test_input_that_never_ends_can_be_interrupted(text: bytes, options: tuple[str, ...]) -> None:
    feed = f"import sys\nwhile True: sys.stdout.buffer.write({text!r} * 10_000)"
    feeder = subprocess.Popen([sys.executable, "-c", feed], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with feeder, started("-", "--quiet", *options, stdin=feeder.stdout) as process:
        time.sleep(1)  # before it is given up, which takes some seconds
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        feeder.kill()

    assert process.returncode == 130


# Options


def test_the_options_have_the_limits_of_the_reader() -> None:
    defaults = Limits(
        options.MAX_LINE, options.MAX_DEPTH, options.MAX_DIGITS, options.MAX_RECORDS, options.MAX_UNPACKED
    )
    assert defaults == LIMITS
    kinds: list[Any] = [
        *(options.MaxLine, options.MaxDepth, options.MaxDigits, options.MaxRecords, options.MaxUnpacked)
    ]
    for name, kind in zip(fields_dict(Limits), kinds, strict=True):
        (given,) = kind.__metadata__
        Limits(**{name: given.min})
        with pytest.raises(ValueError, match=name):
            Limits(**{name: given.min - 1})
        if given.max is not None:
            Limits(**{name: given.max})
            with pytest.raises(ValueError, match=name):
                Limits(**{name: given.max + 1})


DEEP = b'{"type":"draw","tile":7,"meta":{"a":' + b"[" * 140 + b"]" * 140 + b"}}\n"
LONG = b'{"type":"draw","tile":7' + b" " * (1 << 20) + b"}\n"
DIGITS = b'{"type":"draw","tile":7,"meta":{"a":0.' + b"1" * 2000 + b"}}\n"


@pytest.mark.parametrize(
    ("data", "strict", "loose", "code"),
    [
        (OPENING + DEEP, "", "--max-depth 200", "text/too-deep"),
        (OPENING + LONG, "", "--max-line 2000000", "text/line-too-long"),
        (OPENING + DIGITS, "--max-digits 1024", "", "text/too-many-digits"),
        (
            gzip.compress(OPENING + LONG),
            "--max-unpacked 1048576 --max-line 2000000",
            "--max-line 2000000",
            "log/unreadable",
        ),
    ],
)
def test_limits_can_be_set(folder: Path, data: bytes, strict: str, loose: str, code: str) -> None:
    (folder / "a.jsonl").write_bytes(data)

    def run(verb: str, given: str) -> Result:
        return CliRunner().invoke(app, [verb, "a.jsonl", *given.split()], catch_exceptions=False)

    for verb in ("validate", "replay"):
        assert code in run(verb, strict).output
        assert run(verb, strict).exit_code == (3 if code == "log/unreadable" else 1)
        assert run(verb, loose).exit_code == 0


def test_too_many_records_are_told_and_more_can_be_read(folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(OPENING + b"nope\n" * 1500)

    assert "a.jsonl:1001: log/too-many-records: " in karuba("a.jsonl", "--max-records", 1000).stdout
    assert "too-many" not in karuba("a.jsonl", "--max-records", 1501).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--max-line", 1000),
        ("--max-depth", 63),
        ("--max-depth", 1000),
        ("--max-digits", 16),
        ("--max-records", 0),
        ("--max-unpacked", -1),
        ("--max-line", "1e9"),
    ],
)
def test_a_limit_that_no_reader_may_have_is_wrong_usage(folder: Path, arguments: tuple[object, ...]) -> None:
    fill(folder, "a.jsonl")
    result = karuba("a.jsonl", *arguments)

    assert (result.exit_code, result.stdout) == (2, "")


def test_a_stream_can_be_split_and_read_beyond_faults(folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(OPENING * 2 + b"nope\n\n" + EVENTS)

    def codes(*arguments: object) -> list[list[tuple[int, str]]]:
        return [
            [(finding["line"], finding["code"]) for finding in report["findings"]]
            for report in reports("a.jsonl", *arguments)
        ]

    assert codes() == [[(2, "log/second-opening")]]
    assert codes("--split") == [[], [(3, "text/not-json")], []]
    assert codes("--split", "--keep-going")[1] == [
        (3, "text/not-json"),
        (4, "log/rules-not-judged"),
        (4, "text/blank-line"),
    ]


def test_the_names_of_logs_are_told_in_the_help() -> None:
    text = " ".join(karuba("--help").output.split())
    for end in LOGS:
        assert f"*{end}" in text
