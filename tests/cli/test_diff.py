"""`karuba diff`: what it says of two logs, in text and as JSON, and its exit codes."""

import json
import os
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from karuba_cli.verbs import app

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"  # ana, d, Émile
COMMANDS = GAMES / "commands" / "04-3p-stop-casual.jsonl"
LINES = SOUND.read_bytes().splitlines(keepends=True)

OPENING = (
    b'{"type":"game-started","format":"karuba-log/1","players":["ana","ben"],"leader":"ana","layout":{"blue":'
    b'{"beach":100,"jungle":30},"brown":{"beach":70,"jungle":80},"purple":{"beach":50,"jungle":60},"yellow":'
    b'{"beach":90,"jungle":50}},"rules":{"pickup":"stop","temple_treasures":[5,3],"separation":"edge-3"}}\n'
)
A = OPENING + b'{"type":"draw","tile":1}\n{"type":"place","player":"ana","cell":"a1"}\n'
B = (
    OPENING
    + b'{"type":"tile-drawn","round":1,"tile":1}\n'
    + b'{"type":"tile-placed","player":"ben","tile":1,"cell":"a1"}\n'
)

WIDE = """\
2 events alike, then:
A a.jsonl:3: {"type":"tile-placed","player":"ana","tile":1,"cell":"a1"}
B b.jsonl:3: {"type":"tile-placed","player":"ben","tile":1,"cell":"a1"}

the record  A      B
player      "ana"  "ben"

the game after it       A          B
islands.ana.tiles.a1    1          -
islands.ana.turn.stage  "closed"   "to-play"
islands.ben.turn.stage  "to-play"  "closed"
scores.ana.tiles        1          0
scores.ben.tiles        0          1
islands.ben.tiles.a1    -          1
"""
NARROW = """\
the record
player
  A "ana"
  B "ben"

the game after it
islands.ana.tiles.a1
  A 1
  B -
"""


def diff(*arguments: object, stdin: bytes = b"", columns: int = 80) -> Result:
    texts = ["diff", *map(str, arguments)]
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(app, texts, input=stdin, catch_exceptions=False)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.jsonl", A)
    write("b.jsonl", B)


def write(name: str, log: bytes) -> str:
    Path(name).write_bytes(log)
    return name


def as_json(*arguments: object, stdin: bytes = b"") -> dict[str, Any]:
    result = diff(*arguments, "--format", "json", stdin=stdin)
    assert result.stdout.count("\n") == 1
    return dict(orjson.loads(result.stdout_bytes))


# The same


@pytest.mark.parametrize("other", [SOUND, COMMANDS])
def test_logs_of_one_game_are_the_same(other: Path) -> None:
    result = diff(SOUND, other)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"no difference in {len(LINES)} events\n"
    found = as_json(SOUND, other)
    assert (found["same"], found["alike"]) == (True, len(LINES))
    assert (found["fields"], found["state"], found["a"]["line"], found["a"]["record"]) == ([], [], None, None)


def test_how_a_log_is_written_and_its_seal_are_no_difference() -> None:
    spaced = b"".join(json.dumps(json.loads(line), sort_keys=True).encode() + b" \r\n" for line in LINES[:30])
    sealed = CliRunner().invoke(app, ["seal", "-"], input=b"".join(LINES[:30])).stdout_bytes

    assert diff(write("spaced", spaced), write("sealed", sealed)).exit_code == 0


def test_a_meta_is_a_difference_only_where_it_is_asked_for() -> None:
    noted = write("noted", A.replace(b'"tile":1}', b'"tile":1,"meta":{"at":5}}'))

    assert diff("a.jsonl", noted).exit_code == 0
    assert diff("a.jsonl", noted, "--meta").exit_code == 1
    found = as_json("a.jsonl", noted, "--meta")
    assert found["fields"] == [{"path": "$.meta", "a": None, "b": {"at": 5}}]
    assert found["b"]["record"] == {"type": "tile-drawn", "round": 1, "tile": 1, "meta": {"at": 5}}
    assert '"meta":{"at":5}' in diff("a.jsonl", noted, "--meta").stdout


def test_who_of_a_round_acts_first_is_no_difference_in_normal_form() -> None:
    ana, ben = (b'{"type":"place","player":"%s","cell":"b2"}\n' % name for name in (b"ana", b"ben"))
    draw = OPENING + b'{"type":"draw","tile":1}\n'
    names = write("one", draw + ana + ben), write("other", draw + ben + ana)

    assert diff(*names).exit_code == 1
    assert as_json(*names)["alike"] == 2
    result = diff(*names, "--normalise")
    assert (result.exit_code, result.stdout) == (0, "no difference in 5 events\n")


# What differs


def test_a_wide_terminal_has_both_beside_each_other() -> None:
    result = diff("a.jsonl", "b.jsonl")

    assert (result.exit_code, result.stderr, result.stdout) == (1, "", WIDE)


def test_a_narrow_terminal_has_one_below_the_other() -> None:
    told = diff("a.jsonl", "b.jsonl", columns=60).stdout

    assert told.startswith(WIDE.partition("\n\n")[0] + "\n\n" + NARROW)


def test_the_json_object_has_all_of_it() -> None:
    result = diff("a.jsonl", "-", "--format", "json", stdin=B)

    assert result.exit_code == 1
    found = orjson.loads(result.stdout_bytes)
    placed = {"type": "tile-placed", "player": "ana", "tile": 1, "cell": "a1"}
    assert found == {
        "format": "karuba-diff/1",
        "same": False,
        "alike": 2,
        "a": {"file": "a.jsonl", "verdict": "incomplete", "line": 3, "record": placed},
        "b": {"file": "-", "verdict": "incomplete", "line": 3, "record": {**placed, "player": "ben"}},
        "fields": [{"path": "$.player", "a": "ana", "b": "ben"}],
        "state": [
            {"path": "$.islands.ana.tiles.a1", "a": 1, "b": None},
            {"path": "$.islands.ana.turn.stage", "a": "closed", "b": "to-play"},
            {"path": "$.islands.ben.turn.stage", "a": "to-play", "b": "closed"},
            {"path": "$.scores.ana.tiles", "a": 1, "b": 0},
            {"path": "$.scores.ben.tiles", "a": 0, "b": 1},
            {"path": "$.islands.ben.tiles.a1", "a": None, "b": 1},
        ],
    }


def test_a_log_that_ends_earlier_differs() -> None:
    write("short", b"".join(LINES[:30]))
    result = diff(SOUND, "short")

    assert result.exit_code == 1
    assert result.stdout.startswith(f"30 events alike, then:\nA {SOUND}:31: {{")
    assert "\nB short:30: the end\n" in result.stdout
    found = as_json("short", SOUND)
    assert (found["same"], found["a"]["line"], found["b"]["line"], found["fields"]) == (False, None, 31, [])


def test_logs_of_other_players_are_told_apart() -> None:
    told = diff("a.jsonl", SOUND).stdout

    assert told.startswith("0 events alike, then:\nA a.jsonl:1: ")
    assert "players[1]  " in told
    assert '"Émile"' in told


@pytest.mark.skipif(os.name != "posix", reason="a file name of POSIX")
def test_hostile_names_move_nothing() -> None:
    hostile = A.replace(b'"ben"', '"[red]\u202e\\u001b"'.encode())
    assert diff("a.jsonl", write("x", hostile)).exit_code == 1  # a control character: no right opening
    hostile = A.replace(b'"ben"', '"[red]\u202e:smile:"'.encode())
    told = diff("a.jsonl", write("h\x1b.jsonl", hostile), columns=200).stdout

    assert '\nplayers[1]  "ben"  "[red]\\u202e:smile:"\n' in told
    assert "\nislands['[red]\\u202e:smile:'].turn.stage " in told
    assert "h\\x1b.jsonl:1: " in told
    assert not {"\u202e", "\x1b"} & {*told}


# Logs that are wrong


def test_a_broken_log_is_compared_up_to_its_fault() -> None:
    broken = write("broken", b"".join(LINES[:30]) + b"nope\n")
    result = diff(SOUND, broken)

    assert result.exit_code == 1
    assert result.stderr.startswith("broken:31: text/not-json: ")
    assert "\nB broken:31: a fault\n" in result.stdout
    found = as_json(broken, SOUND)
    assert (found["same"], found["alike"], found["a"]["verdict"]) == (False, 30, "invalid")


def test_a_fault_in_both_is_not_the_same() -> None:
    broken = write("broken", A + b"nope\n")
    result = diff(broken, broken)

    assert result.exit_code == 1
    assert result.stderr.count("broken:4: text/not-json") == 2
    assert result.stdout == "3 events alike, then:\nA broken:4: a fault\nB broken:4: a fault\n"
    assert as_json(broken, broken)["same"] is False


def test_a_difference_before_a_fault_is_told_all_the_same() -> None:
    result = diff("a.jsonl", write("broken", B + b"nope\n"))

    assert result.exit_code == 1
    assert result.stdout == WIDE.replace("b.jsonl", "broken")


@pytest.mark.parametrize("report_format", ["text", "json"])
def test_without_an_opening_there_is_nothing_to_compare(report_format: str) -> None:
    result = diff("a.jsonl", "-", "--format", report_format, stdin=b"")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("-:1: log/no-opening")


def test_what_cannot_be_read_is_told() -> None:
    for arguments in (("missing", "a.jsonl"), ("a.jsonl", "missing")):
        result = diff(*arguments)
        assert (result.exit_code, result.stdout) == (3, "")
        assert "missing:1: log/unreadable" in result.stderr


def test_wrong_usage() -> None:
    assert diff("-", "-", stdin=A).exit_code == 2
    assert diff("a.jsonl").exit_code == 2
    assert diff("a.jsonl", write("two", SOUND.read_bytes() * 2)).exit_code == 2
