"""`karuba new`: openings, and setups that are none."""

import io
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import require, validate
from karuba_cli.verbs import app

LAYOUT = {
    "blue": {"beach": 10, "jungle": 60},
    "brown": {"beach": 50, "jungle": 70},
    "purple": {"beach": 70, "jungle": 90},
    "yellow": {"beach": 100, "jungle": 30},
}
RULES = {"pickup": "landing", "temple_treasures": [9, 4, 1], "separation": "value-30"}


def karuba(*arguments: object, stdin: object = b"") -> Result:
    given = stdin if isinstance(stdin, bytes) else orjson.dumps(stdin, option=orjson.OPT_INDENT_2)
    return CliRunner().invoke(app, [*map(str, arguments)], input=given, catch_exceptions=False)


def new(*arguments: object, stdin: object = b"") -> dict[str, Any]:
    """Return the opening that is written, alone and right."""
    result = karuba("new", *arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    (report,) = validate(io.BytesIO(result.stdout_bytes))
    assert (report.records, report.findings) == (1, ())
    return dict(orjson.loads(result.stdout_bytes))


def refused(*arguments: object, stdin: object = b"") -> str:
    """Return why there is no opening, its lines joined."""
    result = karuba("new", *arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    return " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--seed", 7],
        ["--seed", 3, "--players", " ana, 小明 ,Émile,d"],
        ["--seed", 5, "--rules", "seed-000"],
        ["--seed", 5, "--rules", "seed-001", "--players", "a,b,c"],
    ],
)
def test_it_is_the_opening_of_the_game_that_is_simulated_from_its_seed(options: list[object]) -> None:
    simulated = karuba("simulate", *options).stdout_bytes

    assert karuba("new", *options).stdout_bytes == simulated.splitlines(keepends=True)[0]


def test_the_leader_is_the_first_player_or_who_is_named() -> None:
    assert new("--players", "a,b,c")["leader"] == "a"
    assert new("--players", "a,b,c", "--leader", "c")["leader"] == "c"


def test_a_layout_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "random").write_bytes(orjson.dumps(LAYOUT))

    assert new("--layout", tmp_path / "random")["layout"] == LAYOUT
    assert new("--layout", "-", stdin=LAYOUT)["layout"] == LAYOUT


def test_rules_may_come_from_a_file_and_a_random_layout_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_bytes(orjson.dumps(RULES))

    for seed in range(5):
        opening = new("--rules", tmp_path / "rules.json", "--seed", seed)
        assert opening["rules"] == RULES
    assert new("--rules", "-", "--players", "a,b,c", stdin=RULES)["rules"] == RULES


def test_a_preset_is_that_of_so_many_players() -> None:
    for rules in ("official", "seed-000", "seed-001", "seed-002"):
        log = karuba("new", "--rules", rules, "--players", "a,b,c").stdout_bytes
        (report,) = validate(io.BytesIO(log))
        assert require(report, rules=rules).findings == ()


# What is refused


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--players", "ana"], "setup/player-count: expected 2 to 4 players, got 1 [$.players] (R-SETUP-1)"),
        (["--players", "a,b,c,d,e"], "setup/player-count: expected 2 to 4 players, got 5"),
        (["--players", "ana,ana"], "setup/player-doubled: "),
        (["--players", "ana,"], "setup/player-name: "),
        (["--players", "ana,b\x1b[31m"], "setup/player-name: "),
        (["--players", "ana,b\udcff"], "setup/player-name: "),
        (["--leader", "zoe"], 'setup/leader: the leader "zoe" is none of the players [$.leader] (R-SETUP-3)'),
        (["--leader", ""], "setup/leader: "),
        (["--leader", "\x1b[2J"], "setup/leader: "),
    ],
)
def test_players_who_cannot_play_are_told_with_their_codes(options: list[str], code: str) -> None:
    told = refused(*options)

    assert code in told
    assert "\x1b" not in told


def test_every_fault_of_a_setup_is_told() -> None:
    wrong = {**LAYOUT, "brown": {"beach": 10, "jungle": 75}, "yellow": {"beach": 100, "jungle": 110}}
    told = refused("--layout", "-", "--leader", "zoe", "--players", "ana", stdin=wrong)

    for code in ("player-count", "leader", "number-shared", "number", "separation"):
        assert f"setup/{code}: " in told
    for path in ("$.layout.brown.beach", "$.layout.brown.jungle", "$.layout.yellow"):
        assert f"[{path}]" in told


def test_rules_that_there_are_not_are_told_with_their_codes() -> None:
    wrong = {"pickup": "never", "temple_treasures": [3, 5], "separation": "near"}
    told = refused("--rules", "-", stdin=wrong)

    for code in ("pickup", "temple-treasures", "separation-rule"):
        assert f"setup/{code}: " in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "text/blank-line: expected a JSON object, got an empty text [$.layout]"),
        (b" \n\t", "text/blank-line: expected a JSON object"),
        (b"{", "text/not-json"),
        (b"\xff\xfe{\x00", "text/not-utf8"),
        (b"[]", "shape/wrong-type: expected an object, got a list: [] [$.layout]"),
        (b'{"blue":1,"blue":2}', "text/doubled-key"),
        (
            b'{"blue":{"beach":true,"jungle":1.0}}',
            "shape/wrong-type: expected an integer, got a boolean: true",
        ),
        (b'{"green":{}}', "shape/unknown-field"),
        (b" " * (2 << 20), "text/line-too-long"),
    ],
)
def test_a_layout_that_says_nothing_clear_is_wrong_usage(text: bytes, told: str) -> None:
    shown = refused("--layout", "-", stdin=text)

    assert told in shown
    assert "--layout" in shown


@pytest.mark.parametrize("name", ["missing\x1b.json", "a\0b", "."])
@pytest.mark.parametrize("option", ["--layout", "--rules"])
def test_a_file_that_cannot_be_read_is_wrong_usage(option: str, name: str) -> None:
    told = refused(option, name)

    assert f"Invalid value for {option}: " in told
    assert "cannot be read: " in told
    assert ("official, seed-000" in told) == (option == "--rules")
    assert "\x1b" not in told


def test_what_says_two_things_is_wrong_usage() -> None:
    assert "--seed" in refused("--layout", "-", "--seed", 0, stdin=LAYOUT)
    assert "once only" in refused("--layout", "-", "--rules", "-", stdin=LAYOUT)
    assert "--seed" in refused("--seed", -1)


def test_of_empty_rules_nothing_is_told_of_logs() -> None:
    told = refused("--rules", "-", stdin=b"")

    assert "expected a JSON object, got an empty text [$.rules]" in told
    assert "a log" not in told
