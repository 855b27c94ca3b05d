"""`karuba explain`: what it prints, and what it says to a wrong code."""

import json
import re

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters.explanations import explanations, rule_texts
from karuba_cli.verbs import app


def karuba(*arguments: str, columns: int = 200) -> Result:
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return CliRunner().invoke(app, ["explain", *arguments], env=environment, catch_exceptions=False)


def words(result: Result) -> str:
    """Return what went to standard error, without the frame that typer draws."""
    return " ".join(re.sub(r"[^\x20-\x7e]|\n", " ", result.stderr).split())


def test_a_code_is_explained_with_its_rule_and_an_example() -> None:
    done = karuba("rule/no-way")
    told = explanations()["rule/no-way"]
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    for part in (told.means, told.fix, f"R-MOVE-6: {rule_texts()['R-MOVE-6'].says}"):
        assert part in text
    assert done.stdout.startswith("rule/no-way\n")
    example = done.stdout.partition("\n  For example, example.jsonl:\n")[2]
    assert example.splitlines() == [
        '    {"type":"game-started", ...}',
        '    {"type":"draw","tile":17}',
        '    {"type":"place","player":"ana","cell":"a1"}',
        '    {"type":"place","player":"ben","cell":"a1"}',
        '    {"type":"draw","tile":7}',
        '    {"type":"discard","player":"ana"}',
        '    {"type":"move","player":"ana","adventurer":"blue","path":["a1"]}',
        (
            "  example.jsonl:7: rule/no-way: no path leads from the beach to a1: "
            "tile 17 (NS) on a1 has no exit to the west [$.path[0]] (R-MOVE-6)"
        ),
    ]


def test_a_rule_is_explained_with_its_codes() -> None:
    done = karuba("R-MOVE-4", "R-BOARD-1")
    codes = ("rule/empty-path", "rule/unknown-cell", "rule/beyond-temple")
    first, second = done.stdout.split("\n\nR-BOARD-1 (Board and tiles)\n")
    assert done.exit_code == 0
    assert first.startswith(f"R-MOVE-4 (Move)\n  {rule_texts()['R-MOVE-4'].says[:60]}")
    assert [line.split()[0] for line in first.splitlines()[-3:]] == [*codes]
    assert all(explanations()[code].means in first for code in codes)
    assert second.endswith("\n  A record that breaks it is found by another code.\n")


def test_without_a_code_all_are_listed() -> None:
    done = karuba()
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert [re.split("  +", line) for line in lines] == [
        [code, told.means] for code, told in explanations().items()
    ]


@pytest.mark.parametrize("code", explanations())
@pytest.mark.parametrize("columns", [1, 60])
def test_every_code_is_explained_in_printable_lines(code: str, columns: int) -> None:
    done = karuba(code, columns=columns)
    assert done.exit_code == 0
    assert all(line.isprintable() for line in done.stdout.splitlines())
    own = [line for line in done.stdout.splitlines() if '{"type"' not in line and "example.jsonl" not in line]
    assert max(map(len, own)) <= max(columns, 40)


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("text/not-utf8", '{"type":"draw","tile":7,"meta":{"by":"Jos\\xe9"}}'),
        ("text/byte-order-mark", '\\ufeff{"type":"draw","tile":7}'),
        ("log/unfinished", "example.jsonl with --require-finished:"),
        ("log/unsealed", "example.jsonl with --require-seal:"),
        ("log/other-rules", "example.jsonl with --require-rules seed-001:"),
        ("setup/leader", '"players":["ana","ben"],"leader":"Ana"'),
        ("text/blank-line", '    {"type":"game-started", ...}\n    \n  example.jsonl:2: text/blank-line'),
        ("log/unreadable", "No example: It is about the file"),
    ],
)
def test_an_example_is_shown_as_it_stands(code: str, shown: str) -> None:
    assert shown in karuba(code).stdout


def test_as_json_each_is_an_object_of_a_line() -> None:
    done = karuba("--format", "json", "R-PLACE-2", "rule/cell-occupied", "F-LOG-6")
    rule, code, clause = (json.loads(line) for line in done.stdout_bytes.splitlines())
    assert (rule["rule"], rule["codes"]) == ("R-PLACE-2", ["rule/cell-occupied"])
    assert (code["code"], code["rules"][0]["rule"]) == ("rule/cell-occupied", "R-PLACE-2")
    assert [finding["code"] for finding in code["example"]["findings"]] == ["rule/cell-occupied"]
    assert (clause["rule"], clause["codes"]) == ("F-LOG-6", [])
    everything = karuba("--format", "json").stdout_bytes.splitlines()
    assert [json.loads(line)["code"] for line in everything] == [*explanations()]


@pytest.mark.parametrize("report_format", ["text", "json"])
def test_a_wrong_code_is_wrong_usage_and_nothing_is_printed(report_format: str) -> None:
    done = karuba("--format", report_format, "rule/no-way", "rule/cell-ocupied")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no code, rule or clause rule/cell-ocupied: did you mean rule/cell-occupied" in words(done)


@pytest.mark.parametrize("name", ["\x1b[2J", "[red]x", "zzzz"])
def test_a_code_like_no_other_is_told_safely(name: str) -> None:
    done = karuba(name)
    assert done.exit_code == 2
    assert "\x1b" not in done.stderr
    shown = name.replace("\x1b", "\\x1b")
    assert f"no code, rule or clause {shown}: karuba explain lists all codes" in words(done)
