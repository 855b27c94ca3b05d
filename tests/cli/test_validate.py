"""`karuba validate`: which logs are judged, in which order, and how the findings are written."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import report_json, require, validate_file
from karuba_cli.verbs import app

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
EVENTS = SOUND.read_bytes()
LINES = EVENTS.splitlines(keepends=True)
OPENING = LINES[0]
DUE = b"".join(LINES[: next(place for place, line in enumerate(LINES) if b"round-ended" in line)])
BAD_DRAW = b'{"type":"tile-drawn","round":1,"tile":37}\n'


def karuba(*arguments: object, stdin: bytes = b"") -> Result:
    texts = ["validate", *map(str, arguments)]
    return CliRunner().invoke(app, texts, input=stdin, catch_exceptions=False)


def reports(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout_bytes.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the current one, so that names in what is written are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# What is written, and the exit code


UNKNOWN_TILE = "rule/unknown-tile: expected a tile from 1 to 36, got 37 [$.tile] (R-DRAW-2)"
UNKNOWN_FIELD = "this field is unknown; what is beside the game goes into meta [$.round] (F-SHAPE-2)"
MISSING_FIELD = "shape/missing-field: this field is missing [$.tile] (F-SHAPE-2)"
BLANK_LINE = "text/blank-line: the line is blank; every line of a log holds one record (F-TEXT-3)"
UNFINISHED = "log/unfinished: the game is not finished: round-ended is due (F-LOG-7)"
OTHER_RULES = "log/other-rules: expected the rules seed-001, the log declares official [$.rules] (F-LOG-8)"


@pytest.mark.parametrize(
    ("logs", "options", "code", "lines"),
    [
        ([EVENTS], [], 0, ["1 log: 1 valid"]),
        ([EVENTS * 2, OPENING], [], 0, ["3 logs: 2 valid, 1 incomplete"]),
        ([DUE, EVENTS, DUE], [], 0, ["3 logs: 1 valid, 2 incomplete; round-ended is due in 2"]),
        (
            [DUE, b"".join(LINES[:-1])],
            [],
            0,
            ["2 logs: 2 incomplete; game-ended is due in 1, round-ended is due in 1"],
        ),
        (
            [OPENING + BAD_DRAW, EVENTS],
            [],
            1,
            [f"0.jsonl:2: {UNKNOWN_TILE}", "2 logs: 1 valid, 1 invalid"],
        ),
        (
            [b'{"type":"draw","round":1}\n'],
            [],
            1,
            [
                f"0.jsonl:1: {MISSING_FIELD}",
                f"0.jsonl:1: shape/unknown-field: {UNKNOWN_FIELD}",
                "1 log: 1 invalid",
            ],
        ),
        (
            [EVENTS, DUE, OPENING + b"\n"],
            ["--require-finished"],
            1,
            [
                f"1.jsonl:{len(DUE.splitlines())}: {UNFINISHED}",
                f"2.jsonl:2: {BLANK_LINE}",
                "3 logs: 1 valid, 1 incomplete, 1 invalid; round-ended is due in 1",
            ],
        ),
        (
            [EVENTS, OPENING],
            ["--require-rules", "seed-001"],
            1,
            [f"0.jsonl:1: {OTHER_RULES}", f"1.jsonl:1: {OTHER_RULES}", "2 logs: 1 valid, 1 incomplete"],
        ),
        (
            [DUE + b"\n"],
            [],
            1,
            [f"0.jsonl:{len(DUE.splitlines()) + 1}: {BLANK_LINE}", "1 log: 1 invalid"],
        ),
        ([EVENTS], ["--require-rules", "official", "--require-finished"], 0, ["1 log: 1 valid"]),
        ([EVENTS], ["--require-rules", "seed-002"], 0, ["1 log: 1 valid"]),
    ],
)
def test_findings_are_lines_and_a_summary_ends_them(
    folder: Path, logs: list[bytes], options: list[str], code: int, lines: list[str]
) -> None:
    names = [f"{number}.jsonl" for number, _ in enumerate(logs)]
    for name, log in zip(names, logs, strict=True):
        (folder / name).write_bytes(log)
    result = karuba(*options, *names)

    *findings, summary = result.stdout.splitlines()
    assert [*sorted(findings), summary] == lines
    assert [finding[0] for finding in findings] == [line[0] for line in lines[:-1]]  # in the order of files
    assert (result.exit_code, result.stderr) == (code, "")


@pytest.mark.parametrize(
    "options", [(), ("--require-finished",), ("--require-rules", "seed-000", "--require-finished")]
)
def test_the_json_of_a_log_is_its_report(options: tuple[str, ...]) -> None:
    result = karuba(GAMES, "--format", "json", *options)
    required = {
        "finished": "--require-finished" in options,
        "rules": "seed-000" if len(options) > 1 else None,
    }
    expected = [
        report_json(require(report, **required))  # type: ignore[arg-type]  # of two types
        for name in ("broken", "commands", "sound", "unfinished")
        for file in sorted((GAMES / name).glob("*.jsonl"))
        for report in validate_file(file)
    ]

    assert reports(result) == expected
    assert len(expected) == len(list(GAMES.rglob("*.jsonl")))
    keys = ["file", "log", "first_line", "verdict", "rules", "records", "due", "findings"]
    assert list(reports(result)[0]) == keys
    assert list(expected[0]["findings"][0]) == ["line", "path", "code", "rule", "message"]
    assert (result.exit_code, result.stderr) == (1, "")


def test_json_is_utf8_with_line_feeds_and_nothing_beside_it(folder: Path) -> None:
    opening = json.loads(OPENING) | {"leader": "小明"}
    (folder / "é.jsonl").write_text(json.dumps(opening), encoding="utf-8")
    result = karuba("--format", "json", "é.jsonl", SOUND)

    assert '{"file":"é.jsonl","log":1,'.encode() in result.stdout_bytes
    assert "小明".encode() in result.stdout_bytes
    assert (result.stdout_bytes.count(b"\n"), result.stdout_bytes.count(b"\r")) == (2, 0)
    assert result.stdout_bytes.endswith(b"}\n")


@pytest.mark.parametrize("data", [EVENTS * 2 + OPENING, OPENING + b"{", b""])
def test_a_minus_is_standard_input(folder: Path, data: bytes) -> None:
    (folder / "a.jsonl").write_bytes(data)
    of_file, of_input = (reports(karuba("--format", "json", name, stdin=data)) for name in ("a.jsonl", "-"))

    assert {report["file"] for report in of_input} == {"-"}
    assert [{**report, "file": "a.jsonl"} for report in of_input] == of_file
    assert karuba("-", "a.jsonl", stdin=data).exit_code == (0 if data.startswith(EVENTS) else 1)


def test_a_file_called_minus_is_no_standard_input(folder: Path) -> None:
    (folder / "-").write_bytes(EVENTS)

    assert karuba("./-", stdin=b"nope").stdout == "1 log: 1 valid\n"


# Files and folders


def files_of(result: Result) -> list[str]:
    return [Path(report["file"]).as_posix() for report in reports(result)]


def fill(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(OPENING)


def test_a_folder_stands_for_all_logs_below_it(folder: Path) -> None:
    fill(
        folder, "b/z.jsonl", "b/a.jsonl", "b/10.jsonl", "b/9.jsonl", "b/sub/a.jsonl", "b/sub/deep/er/x.jsonl"
    )
    fill(
        folder, "b/a.json", "b/a.jsonl.gz", "b/jsonl", "b/a.JSONL", "b/empty/readme", "b/.a.jsonl", "a.jsonl"
    )
    fill(folder, "b/a.d/1.jsonl", "b/x.jsonl/inside.jsonl")

    below_b = [
        *("b/.a.jsonl", "b/10.jsonl", "b/9.jsonl", "b/a.jsonl", "b/a.jsonl.gz", "b/z.jsonl"),
        *("b/a.d/1.jsonl", "b/sub/a.jsonl", "b/sub/deep/er/x.jsonl", "b/x.jsonl/inside.jsonl"),
    ]
    assert files_of(karuba("--format", "json", "b")) == below_b
    assert files_of(karuba("--format", "json", "b/sub", "a.jsonl", "b")) == [
        *("b/sub/a.jsonl", "b/sub/deep/er/x.jsonl", "a.jsonl"),
        *below_b,
    ]
    assert files_of(karuba("--format", "json", "b/a.json", "b/jsonl")) == ["b/a.json", "b/jsonl"]
    assert files_of(karuba("--format", "json", "."))[0] == "a.jsonl"


def test_a_folder_without_logs_is_told(folder: Path) -> None:
    fill(folder, "a/readme")
    result = karuba("a")

    told = (
        "a:1: log/unreadable: cannot be read: no *.jsonl, *.jsonl.gz or *.jsonl.zst lies below (F-FILE-1)\n"
    )
    assert (result.exit_code, result.stdout) == (3, told + "1 log: 1 unread\n")
    assert [report["verdict"] for report in reports(karuba("a", "--format", "json"))] == ["unread"]
    assert karuba("a", SOUND).exit_code == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_folder_is_not_held_up_by_a_pipe(folder: Path) -> None:
    fill(folder, "a.jsonl")
    os.mkfifo(folder / "b.jsonl")
    (folder / "c.jsonl").symlink_to(folder / "missing")
    result = karuba("--format", "json", ".")

    assert [report["verdict"] for report in reports(result)] == ["incomplete", "unread", "unread"]
    assert "no regular file" in reports(result)[1]["findings"][0]["message"]


def test_standard_input_is_read_once() -> None:
    assert karuba("-", "-", stdin=EVENTS).exit_code == 2


def test_one_missing_file_does_not_stop_the_others(folder: Path) -> None:
    fill(folder, "a.jsonl", "c.jsonl")
    result = karuba("--format", "json", "a.jsonl", "missing.jsonl", "c.jsonl")
    text = karuba("a.jsonl", "missing.jsonl", "c.jsonl")

    assert [report["verdict"] for report in reports(result)] == ["incomplete", "unread", "incomplete"]
    message = "missing.jsonl:1: log/unreadable: cannot be read: No such file or directory (F-FILE-1)"
    assert text.stdout.splitlines() == [message, "3 logs: 2 incomplete, 1 unread"]
    assert result.exit_code == text.exit_code == 3


def test_what_cannot_be_read_weighs_more_than_findings(folder: Path) -> None:
    (folder / "bad.jsonl").write_bytes(b"nope")

    assert karuba("bad.jsonl").exit_code == 1
    for order in (("bad.jsonl", "missing.jsonl"), ("missing.jsonl", "bad.jsonl", SOUND)):
        assert karuba(*order).exit_code == 3


@pytest.mark.parametrize(
    "name", ["n" * 300 + ".jsonl", "a.jsonl/below.jsonl", "\udcff.jsonl"], ids=["long", "below", "no-unicode"]
)
def test_a_name_that_no_file_can_have_is_a_file_that_cannot_be_read(folder: Path, name: str) -> None:
    fill(folder, "a.jsonl")
    result = karuba("--format", "json", name, "a.jsonl")

    assert [report["verdict"] for report in reports(result)] == ["unread", "incomplete"]
    assert result.exit_code == 3


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that makes folders of a name unreadable, for the superuser too."""
    scandir = os.scandir

    def lock(name: str) -> None:
        def locked(path: str | Path) -> Iterator[os.DirEntry[str]]:
            if Path(path).name == name:
                raise PermissionError(13, "Permission denied", str(path))
            return scandir(path)

        monkeypatch.setattr(os, "scandir", locked)

    return lock


@pytest.mark.parametrize(
    ("locked", "named", "found"),
    [
        (
            "b",
            ".",
            {"a.jsonl": "incomplete", "a/1.jsonl": "incomplete", "b": "unread", "c/1.jsonl": "incomplete"},
        ),
        (
            "c",
            ".",
            {"a.jsonl": "incomplete", "a/1.jsonl": "incomplete", "b/1.jsonl": "incomplete", "c": "unread"},
        ),
        ("a", "a", {"a": "unread"}),
    ],
)
def test_a_folder_that_cannot_be_listed_stands_for_itself(
    folder: Path, lock: Callable[[str], None], locked: str, named: str, found: dict[str, str]
) -> None:
    fill(folder, "a.jsonl", "a/1.jsonl", "b/1.jsonl", "c/1.jsonl")
    lock(locked)
    result = karuba("--format", "json", named)

    assert files_of(result) == [*found]
    assert [report["verdict"] for report in reports(result)] == [*found.values()]
    assert (result.exit_code, result.stderr) == (3, "")


def test_a_link_to_nothing_cannot_be_read_and_one_to_a_folder_is_not_followed(folder: Path) -> None:
    fill(folder, "logs/a.jsonl")
    (folder / "logs" / "b.jsonl").symlink_to("nowhere")
    (folder / "logs" / "loop").symlink_to(folder)
    result = karuba("--format", "json", "logs")

    assert [report["verdict"] for report in reports(result)] == ["incomplete", "unread"]


# Names that could deceive

NASTY = (
    "\x1b[2Ja",
    "a\nb",
    "a\rb",
    "\u202eb",
    "\u2066x\u2069",
    "\x07",
    "\x9b31m",
    "\u2028",
    "\ufeff",
    "\x7f",
)


@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
def test_what_a_file_name_could_do_to_a_terminal_is_escaped(folder: Path, nasty: str) -> None:
    (folder / f"{nasty}.jsonl").write_bytes(b"nope")
    for result in (karuba(f"{nasty}.jsonl"), karuba(f"missing{nasty}.jsonl"), karuba(".")):
        lines = result.stdout.split("\n")
        assert [line.isprintable() for line in lines] == [True] * 3
        assert (
            lines[0].partition(".jsonl:1: ")[0].removeprefix("missing")
            == nasty.encode("unicode_escape").decode()
        )
    (report,) = reports(karuba("--format", "json", f"{nasty}.jsonl"))
    assert report["file"] == f"{nasty}.jsonl"


@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
def test_what_a_player_could_do_to_a_terminal_is_escaped(folder: Path, nasty: str) -> None:
    passed = json.dumps({"type": "turn-passed", "player": nasty})
    (folder / "a.jsonl").write_bytes(OPENING + LINES[1] + passed.encode() + b"\n")
    finding, summary, end = karuba("a.jsonl").stdout.split("\n")

    assert finding.startswith(f"a.jsonl:3: rule/unknown-player: {json.dumps(nasty)} is none of the players")
    assert (summary, end) == ("1 log: 1 invalid", "")


def test_a_name_that_is_no_unicode_is_escaped(folder: Path) -> None:
    name = os.fsdecode(b"\xff.jsonl")
    try:
        (folder / name).write_bytes(b"nope")
    except OSError:
        pytest.skip("no file may have such a name here")

    assert karuba(".").stdout.startswith("\\udcff.jsonl:1: text/not-json")
    (report,) = reports(karuba("--format", "json", name))
    assert report["file"] == "\\udcff.jsonl"


# Wrong usage


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (SOUND, "--format", "xml"),
        (SOUND, "--require-rules", "house"),
        (SOUND, "--require-rules"),
        (SOUND, "--strict"),
    ],
)
def test_wrong_usage_is_told_on_standard_error(arguments: tuple[object, ...]) -> None:
    result = karuba(*arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error" in result.stderr
