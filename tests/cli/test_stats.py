"""`karuba stats`: what it counts and leaves out, where it writes, and what it refuses to write over."""

import json
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from typer.testing import CliRunner, Result

from karuba_cli.verbs import app

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
EXPERT = GAMES / "sound" / "03-3p-stop-expert.jsonl"
FOUR = GAMES / "sound" / "17-4p-step-expert.jsonl"
BROKEN = GAMES / "broken" / "shape-1.jsonl"
UNFINISHED = GAMES / "unfinished" / "1.jsonl"


def karuba(*arguments: object, stdin: bytes = b"", encoding: str = "utf-8") -> Result:
    texts = ["stats", *map(str, arguments)]
    return CliRunner(charset=encoding).invoke(app, texts, input=stdin, catch_exceptions=False)


def report(*arguments: object, stdin: bytes = b"") -> dict[str, Any]:
    """Return what is told as JSON, where there is nothing to complain about."""
    result = karuba(*arguments, "--format", "json", stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def ends(*logs: Path) -> list[dict[str, Any]]:
    return [json.loads(log.read_bytes().splitlines()[-1]) for log in logs]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two games in one file, one in another, one that is none, and one cut off."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "two.jsonl").write_bytes(SOUND.read_bytes() + EXPERT.read_bytes())
    (tmp_path / "logs" / "four.jsonl").write_bytes(FOUR.read_bytes())
    (tmp_path / "logs" / "broken.jsonl").write_bytes(BROKEN.read_bytes())
    (tmp_path / "logs" / "cut.jsonl").write_bytes(UNFINISHED.read_bytes())
    return tmp_path


# What counts


def test_finished_games_of_right_logs_are_told_by_rules_and_players() -> None:
    told = report(SOUND, EXPERT, FOUR)
    assert told["logs"] == {"valid": 3, "incomplete": 0, "invalid": 0, "unread": 0}
    keys = [(group["rules"], group["players"], group["games"]) for group in told["groups"]]
    assert keys == [("official", 3, 2), ("seed-000", 4, 1)]
    totals = Counter(str(score["total"]) for end in ends(SOUND, EXPERT) for score in end["scores"].values())
    assert told["groups"][0]["totals"] == totals
    assert told["groups"][0]["reasons"] == Counter(end["reason"] for end in ends(SOUND, EXPERT))


@pytest.mark.usefixtures("folder")
def test_other_logs_are_counted_and_told_and_count_for_nothing() -> None:
    result = karuba("logs", "--format", "json")
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert told["logs"] == {"valid": 3, "incomplete": 1, "invalid": 1, "unread": 0}
    assert told["groups"] == report(SOUND, EXPERT, FOUR)["groups"]
    [finding] = result.stderr.splitlines()
    assert finding.startswith(str(Path("logs", "broken.jsonl")) + ":33: text/number-out-of-range: ")
    assert karuba("logs").stdout.startswith(
        "3 finished games; left out: 1 incomplete, 1 invalid\n\nofficial, 3"
    )


def test_an_unfinished_game_is_no_finding() -> None:
    result = karuba(UNFINISHED)
    assert (result.exit_code, result.stdout) == (0, "0 finished games; left out: 1 incomplete\n")


@pytest.mark.usefixtures("folder")
def test_nothing_to_tell_of_is_no_fault_of_ours(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    for path, code, verdict in (("none", 3, "unread"), ("no.jsonl", 3, "unread"), (BROKEN, 1, "invalid")):
        outputs = ("--games", "g.parquet", "--players", "p.parquet", "--chart", "c.svg")
        result = karuba(path, "--format", "json", *outputs)
        told = json.loads(result.stdout)
        assert (result.exit_code, told["logs"][verdict], told["groups"]) == (code, 1, [])
        assert parquet.read_table("g.parquet").num_rows == parquet.read_table("p.parquet").num_rows == 0
        assert b"There are no finished games." in Path("c.svg").read_bytes()


def test_standard_input_and_split_are_read_as_by_the_other_verbs() -> None:
    data = SOUND.read_bytes()
    cut = b"".join(data.splitlines(keepends=True)[:50])
    told = report("--split", "-", stdin=cut + data)
    assert told["logs"] == {"valid": 1, "incomplete": 1, "invalid": 0, "unread": 0}
    assert told["groups"] == report(SOUND)["groups"]
    assert karuba("-", stdin=cut + data).exit_code == 1
    assert karuba("-", "-").exit_code == 2


def test_limits_are_obeyed() -> None:
    long = SOUND.read_bytes().replace(b'"}\n', b'","meta":{"note":"%b"}}\n' % (b"x" * (1 << 20)), 1)
    assert karuba("-", stdin=long).exit_code == 1
    assert report("-", "--max-line", 1 << 21, stdin=long)["logs"]["valid"] == 1


# What is written


@pytest.mark.usefixtures("folder")
def test_tables_have_a_row_for_each_game_and_each_player() -> None:
    assert karuba("logs", "--games", "g.parquet", "--players", "p.parquet").exit_code == 1
    games, players = (parquet.read_table(name).to_pylist() for name in ("g.parquet", "p.parquet"))
    told = sorted((Path(row["file"]).name, row["log"], row["first_line"], row["reason"]) for row in games)
    two, four = ends(SOUND, EXPERT), ends(FOUR)
    after = SOUND.read_bytes().count(b"\n") + 1
    assert told == [
        ("four.jsonl", 1, 1, four[0]["reason"]),
        ("two.jsonl", 1, 1, two[0]["reason"]),
        ("two.jsonl", 2, after, two[1]["reason"]),
    ]
    scores = {(Path(row["file"]).name, row["log"], row["player"]): row["total"] for row in players}
    assert scores == {
        (name, log, player): score["total"]
        for name, of_file in (("two.jsonl", two), ("four.jsonl", four))
        for log, end in enumerate(of_file, 1)
        for player, score in end["scores"].items()
    }


@pytest.mark.usefixtures("folder")
def test_a_chart_is_drawn_of_the_games_that_are_told() -> None:
    assert karuba("logs", "--chart", "c.svg", "-q").exit_code == 1
    described = ET.parse("c.svg").findtext("{http://www.w3.org/2000/svg}desc") or ""  # noqa: S314 - our own
    assert "official, 3 players, 2 games: " in described
    assert "seed-000, 4 players, 1 game: " in described


@pytest.mark.usefixtures("folder")
def test_the_report_goes_to_a_file_and_quiet_keeps_the_text_back() -> None:
    shown = karuba(SOUND).stdout
    written = karuba(SOUND, "--output", "o.txt")
    assert (written.exit_code, written.stdout, written.stderr) == (0, "", "")
    assert Path("o.txt").read_text("utf-8") == shown
    assert karuba(SOUND, "--quiet").stdout == ""
    assert karuba(SOUND, "--quiet", "--format", "json").stdout == karuba(SOUND, "--format", "json").stdout


@pytest.mark.usefixtures("folder")
def test_a_terminal_without_lines_gets_ascii_and_a_file_never() -> None:
    plain = karuba(SOUND, encoding="ascii")
    assert plain.stdout_bytes.isascii()
    assert b"\\u" not in plain.stdout_bytes
    assert karuba(SOUND, "--output", "o.txt", encoding="ascii").exit_code == 0
    assert Path("o.txt").read_text("utf-8") == karuba(SOUND).stdout


# What is refused


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("option", ["--output", "--games", "--players", "--chart"])
def test_no_output_replaces_what_is_read_or_a_folder(option: str) -> None:
    before = Path("logs/two.jsonl").read_bytes()
    for paths in (["logs"], ["logs/*.jsonl"], ["logs/../logs/two.jsonl"]):
        result = karuba(*paths, option, "logs/two.jsonl")
        assert (result.exit_code, result.stdout) == (2, "")
        assert option in result.stderr
    assert karuba("logs", option, "logs").exit_code == 2
    assert Path("logs/two.jsonl").read_bytes() == before


@pytest.mark.usefixtures("folder")
def test_two_outputs_to_one_file_are_refused() -> None:
    for one, other in (("--games", "--players"), ("--output", "--chart"), ("--games", "--chart")):
        result = karuba(SOUND, one, "same", other, "logs/../same")
        assert result.exit_code == 2
        assert not Path("same").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("option", ["--games", "--players", "--chart"])
def test_a_table_or_a_picture_needs_a_file(option: str) -> None:
    result = karuba(SOUND, option, "-")
    assert (result.exit_code, result.stdout) == (2, "")
    assert not Path("-").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("option", "library", "extra"),
    [
        ("--games", "pyarrow", "parquet"),
        ("--players", "pyarrow", "parquet"),
        ("--chart", "matplotlib", "charts"),
    ],
)
def test_a_missing_extra_is_wrong_usage_that_tells_what_helps(
    option: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    result = karuba(SOUND, option, "out")
    told = " ".join(result.stderr.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"pip install 'karuba-kernel[{extra}]'" in told
    assert not Path("out").exists()
    assert karuba(SOUND).exit_code == 0


@pytest.mark.usefixtures("folder")
def test_whatever_ends_it_early_leaves_the_files_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"--output": "o", "--games": "g", "--players": "p", "--chart": "c"}
    for name in names.values():
        Path(name).write_text("before")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("karuba_adapters.statistics.game_rows.Course.end", interrupted)
    options = [part for pair in names.items() for part in pair]
    assert karuba(SOUND, *options).exit_code not in {0, 1, 2, 3}
    assert {Path(name).read_text() for name in names.values()} == {"before"}
    assert sorted(path.name for path in Path().iterdir()) == ["c", "g", "logs", "o", "p"]


def test_hostile_names_of_files_are_told_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "a\u202e\x1b[2J.jsonl"
    try:
        Path(name).write_bytes(BROKEN.read_bytes() + SOUND.read_bytes())
    except OSError:
        pytest.skip("this system has no such names")
    result = karuba(name, "--games", "g.parquet")
    assert result.stderr.startswith("a\\u202e\\x1b[2J.jsonl:33: ")
    assert [row["file"] for row in parquet.read_table("g.parquet").to_pylist()] == [name]
