"""`karuba apply`: logs that go on by commands, where they go, and that nothing is written by halves."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters.appending import Appender, Conflict
from karuba_adapters.whole_files import lock_of
from karuba_cli.verbs import app
from karuba_core import Discard, Draw

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
LINES = SOUND.read_bytes().splitlines(keepends=True)
COMMANDS = (GAMES / "commands" / "04-3p-stop-casual.jsonl").read_bytes().splitlines(keepends=True)[1:]

DRAW = b'{"type":"draw","tile":5}\n'
DRAWN = b'{"type":"tile-drawn","round":1,"tile":5}\n'
REFUSED = DRAW + b'{"type":"pass","player":"ana"}\n' + DRAW


def karuba(*arguments: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, [str(part) for part in arguments], input=stdin, catch_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of the opening alone."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(LINES[0])
    return path


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    path = tmp_path / "commands.jsonl"
    path.write_bytes(DRAW)
    return path


posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and a shell of POSIX")


# Where it goes


def test_a_whole_game_is_played_by_its_commands(log: Path) -> None:
    result = karuba("apply", log, "-", stdin=b"".join(COMMANDS))

    assert (result.exit_code, result.stderr, result.stdout_bytes) == (0, "", SOUND.read_bytes())
    assert log.read_bytes() == LINES[0]


def test_either_may_be_standard_input_and_not_both(log: Path, commands: Path) -> None:
    expected = LINES[0] + DRAWN
    assert karuba("apply", log, commands).stdout_bytes == expected
    assert karuba("apply", "-", commands, stdin=LINES[0]).stdout_bytes == expected
    result = karuba("apply", "-", "-", stdin=LINES[0] + DRAW)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("option", ["--output", "-o"])
def test_it_can_go_to_a_file(log: Path, commands: Path, option: str) -> None:
    out = log.with_name("out.jsonl")
    result = karuba("apply", log, commands, option, out)

    assert (result.exit_code, result.output) == (0, "")
    assert out.read_bytes() == LINES[0] + DRAWN
    assert log.read_bytes() == LINES[0]


def test_it_can_take_the_place_of_the_log(log: Path, commands: Path) -> None:
    result = karuba("apply", log, commands, "--in-place")

    assert (result.exit_code, result.output) == (0, "")
    assert log.read_bytes() == LINES[0] + DRAWN


@posix
def test_what_is_read_is_not_written_over_by_output(log: Path, commands: Path) -> None:
    (link := log.with_name("link")).symlink_to(log)
    for name in (log, commands, link):
        result = karuba("apply", log, commands, "--output", name)
        assert (result.exit_code, result.stdout) == (2, "")
    assert (log.read_bytes(), commands.read_bytes()) == (LINES[0], DRAW)


def test_in_place_needs_one_plain_file(log: Path, commands: Path) -> None:
    assert karuba("apply", "-", commands, "--in-place", stdin=LINES[0]).exit_code == 2
    assert karuba("apply", log, commands, "--in-place", "--output", log.with_name("x")).exit_code == 2
    log.write_bytes(packed := gzip.compress(LINES[0]))
    assert karuba("apply", log, commands, "--in-place").exit_code == 2
    assert log.read_bytes() == packed
    assert karuba("apply", log, commands).stdout_bytes == LINES[0] + DRAWN


def test_a_log_that_another_program_writes_is_left_alone(
    log: Path, commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "karuba_adapters.whole_files.lock_of", lambda path, patience: lock_of(path, patience / 200)
    )
    with lock_of(log, 1):
        result = karuba("apply", log, commands, "--in-place")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == f"karuba: {log} is being written by another program\n"
    assert log.read_bytes() == LINES[0]


def test_a_program_that_appends_goes_on_after_it(log: Path, commands: Path) -> None:
    appender = Appender(log)
    karuba("apply", log, commands, "--in-place")

    with pytest.raises(Conflict):
        appender.append(Draw(6))
    appender.append(Discard("ana"))
    assert log.read_bytes().startswith(LINES[0] + DRAWN + b'{"type":"tile-discarded","player":"ana"')


# What is refused


@pytest.mark.parametrize("options", [[], ["--in-place"], ["--output", "out.jsonl"]])
def test_where_one_command_is_refused_nothing_is_written(
    log: Path, commands: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(log.parent)
    commands.write_bytes(REFUSED)
    result = karuba("apply", log, commands, *options)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{commands}:2: rule/not-discarded: ")
    assert result.stderr.endswith("(R-TURN-4)\n")
    assert result.stderr.count("\n") == 1
    assert log.read_bytes() == LINES[0]
    assert not Path("out.jsonl").exists()


def test_a_broken_log_takes_no_command(log: Path, commands: Path) -> None:
    log.write_bytes(LINES[0] + LINES[2])
    result = karuba("apply", log, commands, "--in-place")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{log}:2: ")
    assert log.read_bytes() == LINES[0] + LINES[2]


@pytest.mark.parametrize("options", [[], ["--in-place"]])
def test_what_cannot_be_read_is_told(tmp_path: Path, log: Path, commands: Path, options: list[str]) -> None:
    missing = tmp_path / "missing"
    for arguments in ((missing, commands), (log, missing)):
        result = karuba("apply", *arguments, *options)
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.startswith(f"{missing}:1: log/unreadable: ")
    assert not missing.exists()


def test_commands_that_can_be_read_in_part_are_told_with_their_line(log: Path, commands: Path) -> None:
    commands.write_bytes(gzip.compress(DRAW * 9, compresslevel=0)[: -8 - len(DRAW) - 1])
    result = karuba("apply", log, commands)

    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"{commands}:8: log/unreadable: ")


def test_a_name_that_no_file_has_is_told(log: Path) -> None:
    result = karuba("apply", log, "a\0b\x1b")

    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("a\\x00b\\x1b:1: log/unreadable: ")


def test_of_endless_commands_no_more_are_read_than_a_game_has(log: Path) -> None:
    """The first line that is refused ends it, however many wait."""
    result = karuba("apply", log, "-", stdin=DRAW * 5000)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("-:2: rule/round-open")


# As processes


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell, in which `karuba` is the command line."""
    function = f'karuba() {{ "{sys.executable}" -m karuba_cli "$@"; }}\n'
    return subprocess.run(
        ["sh", "-c", function + line],  # noqa: S607 - the shell of the system
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60,
    )


@posix
def test_a_legal_command_is_applied_in_a_pipe(log: Path) -> None:
    """`head` closes the pipe on `karuba legal`, which ends quietly."""
    done = shell("karuba legal game.jsonl | head -n 1 | karuba apply game.jsonl -", log.parent)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == LINES[0] + b'{"type":"tile-drawn","round":1,"tile":1}\n'


@posix
@pytest.mark.usefixtures("commands")
def test_a_new_game_goes_on_in_pipes(tmp_path: Path) -> None:
    new = "karuba new --players ana,ben --layout random --seed 7"
    done = shell(
        f"{new} | karuba apply - commands.jsonl | karuba simulate - --policy casual | karuba validate -",
        tmp_path,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"1 log: 1 valid\n", b"")


@posix
def test_a_closed_pipe_ends_every_verb_quietly(log: Path, commands: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        for arguments in (["new"], ["legal", log], ["apply", log, commands], ["diff", log, SOUND]):
            texts = [sys.executable, "-m", "karuba_cli", *map(str, arguments)]
            done = subprocess.run(texts, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60)
            assert (done.returncode, done.stderr) == (0, b"")
    finally:
        os.close(writing)
