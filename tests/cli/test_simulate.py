"""`karuba simulate`: new games, games that go on from a log, and where their logs go."""

import io
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from karuba_adapters import Report, require, validate
from karuba_adapters.players import POLICIES
from karuba_cli.verbs import app

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"  # ana, d, Émile
BROKEN = GAMES / "broken" / "shape-1.jsonl"
EVENTS = SOUND.read_bytes().splitlines(keepends=True)

posix = pytest.mark.skipif(os.name != "posix", reason="links and permissions of POSIX")


def simulate(*arguments: object, stdin: bytes = b"") -> Result:
    texts = ["simulate", *map(str, arguments)]
    return CliRunner().invoke(app, texts, input=stdin, catch_exceptions=False)


def reports(logs: bytes) -> list[Report]:
    """Return what is said of logs that have to be finished and sealed."""
    return [require(report, finished=True, sealed=True) for report in validate(io.BytesIO(logs))]


def refused(result: Result, code: int = 2) -> str:
    """Return why nothing was simulated, its lines joined."""
    assert (result.exit_code, result.stdout_bytes) == (code, b"")
    return " ".join(result.stderr.split())


def opening(log: bytes) -> dict[str, object]:
    return dict(orjson.loads(log.partition(b"\n")[0]))


# New games


@pytest.mark.parametrize(
    "policy", ["planner", "casual", "planner,casual,planner", " casual, planner,casual "]
)
@pytest.mark.parametrize("rules", ["official", "seed-000", "seed-001", "seed-002"])
def test_new_games_are_right_finished_and_sealed(rules: str, policy: str) -> None:
    result = simulate("--players", "ana,小明,Émile", "--rules", rules, "--policy", policy, "--seed", 4)

    assert (result.exit_code, result.stderr) == (0, "")
    (report,) = reports(result.stdout_bytes)
    assert require(report, rules=rules).findings == ()
    assert opening(result.stdout_bytes)["players"] == ["ana", "小明", "Émile"]


def test_two_play_by_plan_and_the_official_rules_unless_told_otherwise() -> None:
    spelt_out = simulate(
        *("--games", 1, "--seed", 0, "--players", "ana,ben", "--policy", "planner,planner"),
        *("--rules", "official", "--output", "-"),
    )

    assert simulate().stdout_bytes == spelt_out.stdout_bytes
    assert len(reports(spelt_out.stdout_bytes)) == 1


def test_a_game_is_the_same_however_many_are_played_and_wherever_they_go(tmp_path: Path) -> None:
    alone = [simulate("--seed", seed).stdout_bytes for seed in (9, 10, 11)]
    folder = tmp_path / "new" / "games"

    assert simulate("--seed", 9, "--games", 3).stdout_bytes == b"".join(alone)
    result = simulate("--seed", 9, "--games", 3, "--output", folder)

    assert (result.exit_code, result.output) == (0, "")
    names = ["game-000009.jsonl", "game-000010.jsonl", "game-000011.jsonl"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert [(folder / name).read_bytes() for name in names] == alone
    assert len(set(alone)) == 3


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_a_game_is_the_same_in_every_process(hash_seed: str) -> None:
    command = [sys.executable, "-m", "karuba_cli", "simulate", "--seed", "7", "--policy", "casual,planner"]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    played = subprocess.run(command, capture_output=True, check=True, timeout=60, env=env).stdout

    assert played == simulate("--seed", 7, "--policy", "casual,planner").stdout_bytes


def test_policies_are_those_of_the_seats() -> None:
    both = [simulate("--policy", policy).stdout_bytes for policy in ("casual,planner", "planner,casual")]
    scores = [orjson.loads(log.splitlines()[-2])["scores"] for log in both]

    assert [max(score, key=lambda name: score[name]["total"]) for score in scores] == ["ben", "ana"]


@pytest.mark.parametrize(
    ("players", "why"),
    [
        ("ana", "expected 2 to 4 players, got 1"),
        ("a,b,c,d,e", "expected 2 to 4 players, got 5"),
        ("ana,ana", 'the name "ana" is taken already'),
        ("ana,", "expected a name of 1 to 64 characters"),
        (
            "ana,b\x1b[31m",
            'expected a name of 1 to 64 characters, none a control character, got "b\\u001b[31m"',
        ),
        ("ana,b\udcff", "expected a name of 1 to 64 characters"),
        (f"ana,{'x' * 65}", "expected a name of 1 to 64 characters"),
    ],
)
def test_players_who_cannot_play_are_wrong_usage(players: str, why: str) -> None:
    shown = refused(simulate("--players", players))

    assert f"Invalid value for --players: {why}" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        ("greedy", "no policy is called 'greedy': casual, planner"),
        ("", "no policy is called '': casual, planner"),
        ("casual,planner,casual", "expected one policy, or one for each of 2 players, got 3"),
    ],
)
def test_a_policy_that_nobody_can_follow_is_wrong_usage(policy: str, why: str) -> None:
    assert f"Invalid value for --policy: {why}" in refused(simulate("--policy", policy))


@pytest.mark.parametrize(
    "arguments", [("--games", 0), ("--games", -1), ("--seed", -1), ("--seed", "x"), ("--rules", "house")]
)
def test_what_is_out_of_range_is_wrong_usage(arguments: tuple[object, ...]) -> None:
    assert f"Invalid value for '{arguments[0]}'" in refused(simulate(*arguments))


def test_help_names_every_policy() -> None:
    shown = simulate("--help").output

    assert all(name in shown for name in POLICIES)


# Going on from a log


def with_notes(lines: list[bytes]) -> bytes:
    """Return records as another program may write them: spaced, keys in their order, with notes."""
    records = [orjson.loads(line) for line in lines]
    return b"".join(
        orjson.dumps({"meta": {"at": number, "é": [1.5, None]}, **record}, option=orjson.OPT_SORT_KEYS)
        .replace(b'":', b'" : ')
        .replace(b"\xc3\x89", rb"\u00c9")
        + (b"\r\n" if number % 2 else b" \n")
        for number, record in enumerate(records)
    )


@settings(max_examples=15, deadline=None)
@given(st.integers(1, len(EVENTS) - 1), st.booleans(), st.integers(0, 99))
def test_a_log_that_goes_on_stays_as_it_is(length: int, has_end: bool, seed: int) -> None:
    log = with_notes(EVENTS[:length])
    kept = log if has_end else log.removesuffix(b"\n")

    result = simulate("-", "--seed", seed, "--policy", "casual", stdin=kept)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout_bytes.startswith(log)
    (report,) = reports(result.stdout_bytes)
    assert (report.verdict, report.findings) == ("valid", ())


def test_a_log_of_commands_goes_on_with_commands() -> None:
    converted = CliRunner().invoke(app, ["convert", "--to", "commands", str(SOUND)]).stdout_bytes
    log = b"".join(converted.splitlines(keepends=True)[:50])

    played = simulate("-", stdin=log).stdout_bytes

    assert played.startswith(log)
    assert b'"type":"tile-drawn"' not in played
    assert [report.findings for report in reports(played)] == [()]


def test_an_opening_goes_on_as_the_new_game_that_it_opens() -> None:
    whole = simulate("--seed", 8).stdout_bytes

    assert simulate("-", "--seed", 8, stdin=whole.splitlines(keepends=True)[0]).stdout_bytes == whole


def test_a_log_goes_on_in_as_many_ways_as_asked_for(tmp_path: Path) -> None:
    log = b"".join(EVENTS[:100])
    (tmp_path / "log.jsonl").write_bytes(log)

    result = simulate(tmp_path / "log.jsonl", "--games", 3, "--seed", 5, "--output", tmp_path)

    assert result.exit_code == 0
    ways = [(tmp_path / f"game-00000{seed}.jsonl").read_bytes() for seed in (5, 6, 7)]
    assert len(set(ways)) == 3
    assert all(way.startswith(log) for way in ways)
    assert ways[2] == simulate("-", "--seed", 7, stdin=log).stdout_bytes
    assert (tmp_path / "log.jsonl").read_bytes() == log


def test_a_log_that_is_wrong_does_not_go_on(tmp_path: Path) -> None:
    result = simulate(BROKEN, "--output", tmp_path / "new")
    judged = CliRunner().invoke(app, ["validate", "--quiet", str(BROKEN)])

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == judged.stdout
    assert not (tmp_path / "new").exists()


def test_a_log_that_cannot_be_read_does_not_go_on(tmp_path: Path) -> None:
    assert "log/unreadable" in refused(simulate(tmp_path / "none.jsonl"), 3)


@pytest.mark.parametrize(
    ("log", "why"),
    [
        (EVENTS, "the game of - is over: there is nothing left to play"),
        (EVENTS * 2, "- holds several logs: give one alone"),
        (EVENTS + EVENTS[:1], "- holds several logs: give one alone"),
    ],
)
def test_a_log_with_nothing_to_go_on_from_is_wrong_usage(log: list[bytes], why: str) -> None:
    assert refused(simulate("-", stdin=b"".join(log))).endswith(f"Invalid value: {why}")


def test_a_sealed_log_does_not_go_on() -> None:
    sealed = CliRunner().invoke(app, ["seal", "-"], input=b"".join(EVENTS[:100])).stdout_bytes

    assert "- is sealed: no record may follow its seal" in refused(simulate("-", stdin=sealed))


@pytest.mark.parametrize("arguments", [("--players", "ana,ben"), ("--rules", "official")])
def test_a_log_has_its_players_and_its_rules(arguments: tuple[str, str]) -> None:
    shown = refused(simulate("-", *arguments, stdin=EVENTS[0]))

    assert "a log to go on from has its players and its rules already" in shown


def test_policies_of_a_log_are_for_its_players() -> None:
    shown = refused(simulate("-", "--policy", "casual,planner", stdin=EVENTS[0]))

    assert "one for each of 3 players, got 2" in shown


# Where the logs go


@pytest.mark.parametrize("kind", ["file", "folder", pytest.param("link", marks=posix)])
def test_nothing_is_overwritten_and_nothing_played_where_something_would_be(
    tmp_path: Path, kind: str
) -> None:
    there = tmp_path / "game-000003.jsonl"
    if kind == "file":
        there.write_bytes(b"mine")
    elif kind == "folder":
        there.mkdir()
    else:
        there.symlink_to("nowhere")

    shown = refused(simulate("--seed", 1, "--games", 4, "--output", tmp_path))

    assert "game-000003.jsonl is there already: no game was played" in shown
    assert [path.name for path in tmp_path.iterdir()] == [there.name]
    assert kind != "file" or there.read_bytes() == b"mine"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"mine")

    assert "expected a folder, got a file" in refused(simulate("--output", tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == b"mine"


def run(*arguments: object, script: str = "") -> subprocess.CompletedProcess[bytes]:
    code = f"{script}\nfrom karuba_cli.main import main\nmain()"
    command = [sys.executable, "-c", code, "simulate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60)


@posix
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    result = run("--output", tmp_path / "file" / "out")

    assert (result.returncode, result.stdout) == (70, b"")
    assert b"the output cannot be written: " in result.stderr
    assert b"Traceback" not in result.stderr


@posix
def test_a_full_disk_leaves_whole_games_only(tmp_path: Path) -> None:
    sizes = [len(simulate("--seed", seed, "--policy", "casual").stdout_bytes) for seed in range(3)]
    first_too_long = next(seed for seed in (1, 2) if sizes[seed] > sizes[0])
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({sizes[0]}, {sizes[0]}))"

    result = run("--games", 3, "--policy", "casual", "--output", tmp_path, script=full)

    assert (result.returncode, result.stdout) == (70, b"")
    assert result.stderr.endswith(b".jsonl: File too large\n")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [f"game-{seed:06}.jsonl" for seed in range(first_too_long)]
    assert [report.findings for name in left for report in reports((tmp_path / name).read_bytes())] == [
        ()
    ] * len(left)
