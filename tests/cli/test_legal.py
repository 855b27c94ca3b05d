"""`karuba legal`: which commands it lists, where, and when it lists none."""

import io
import re
import shlex
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import encode, read_events
from karuba_cli.verbs import app
from karuba_core import fold, legal_commands

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"  # ana, d, Émile
COMMANDS = GAMES / "commands" / "04-3p-stop-casual.jsonl"
LINES = SOUND.read_bytes().splitlines(keepends=True)


def legal(*arguments: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, ["legal", *map(str, arguments)], input=stdin, catch_exceptions=False)


def expected(count: int, player: str | None = None) -> bytes:
    """Return the legal commands after so many records of the game, as its log would have them."""
    game = fold(read_events(io.BytesIO(b"".join(LINES[:count]))))
    return b"".join(map(encode, legal_commands(game, player)))


def first(kind: str) -> int:
    """Return the number of the first record of a type."""
    return next(
        n for n, line in enumerate(LINES, start=1) if line.startswith(b'{"type":"%s"' % kind.encode())
    )


@pytest.mark.parametrize("count", [1, 2, 41, first("tile-discarded"), first("turn-passed") - 1])
def test_the_legal_commands_are_listed_as_records_in_their_order(count: int) -> None:
    result = legal("-", stdin=b"".join(LINES[:count]))

    assert (result.exit_code, result.stderr, result.stdout_bytes) == (0, "", expected(count))
    assert expected(count)
    assert legal(SOUND, "--at", count).stdout_bytes == expected(count)


def test_one_player_is_asked_for_by_name() -> None:
    count = first("tile-discarded")
    for player in ("ana", "Émile"):
        assert legal(SOUND, "--at", count, "--player", player).stdout_bytes == expected(count, player)
    assert expected(count, "ana") != expected(count, "Émile")


def test_the_records_of_a_log_of_commands_count_as_they_stand() -> None:
    log = COMMANDS.read_bytes().splitlines(keepends=True)
    for count in (1, 7, 30):
        assert (
            legal(COMMANDS, "--at", count).stdout_bytes
            == legal("-", stdin=b"".join(log[:count])).stdout_bytes
        )


@pytest.mark.parametrize("at", [len(LINES) + 1, 10**9, 0, -1, "x"])
def test_a_record_that_there_is_not_is_wrong_usage(at: object) -> None:
    result = legal(SOUND, "--at", at)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--at" in result.stderr


@pytest.mark.parametrize("name", ["nobody", "Ana", "", "a\x1b[31m", "\udcff"])
def test_a_player_who_does_not_play_is_wrong_usage(name: str) -> None:
    result = legal(SOUND, "--at", 5, "--player", name)

    assert (result.exit_code, result.stdout) == (2, "")
    assert 'is none of the players, "ana", "d" and "Émile"' in " ".join(result.stderr.split())
    assert "\x1b" not in result.stderr


# Nothing is legal


def test_a_finished_game_lists_nothing() -> None:
    result = legal(SOUND)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "karuba: nothing is legal: the game is over\n"


def test_what_is_due_is_told() -> None:
    result = legal(SOUND, "--at", first("round-ended") - 1)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "karuba: nothing is legal: round-ended is due before any command\n"


def test_the_way_out_of_a_log_that_lacks_what_is_due_is_told_and_leads_on(tmp_path: Path) -> None:
    count = first("round-ended") - 1
    log = tmp_path / "a b.jsonl"
    log.write_bytes(b"".join(LINES[:count]))
    told = legal(log).stderr
    way_out = re.search("; karuba (apply .*) writes the log with what is due\n", told)

    assert way_out is not None
    result = CliRunner().invoke(app, shlex.split(way_out[1]))
    assert (result.exit_code, result.stdout_bytes) == (0, b"".join(LINES[: count + 1]))
    assert legal("-", stdin=result.stdout_bytes).stdout_bytes == expected(count + 1)


def test_no_way_out_is_told_where_it_leads_nowhere() -> None:
    log = b"".join(LINES[: (count := first("round-ended") - 1)])
    seal = b'{"type":"seal","records":%d,"digest":"sha256:%s"}\n' % (count, sha256(log).hexdigest().encode())

    for options, stdin in (([], log + seal), (["--at", count], log + LINES[0][:9] + b"\n")):
        result = legal("-", *options, stdin=stdin)
        assert "round-ended is due" in result.stderr
        assert "karuba apply" not in result.stderr


def test_what_others_have_to_do_first_is_told() -> None:
    assert legal(SOUND, "--at", 1, "--player", "ana").stderr == "karuba: nothing is legal: a draw is next\n"


# Logs that are wrong


BROKEN = b"".join(LINES[:50]) + LINES[10]


def test_of_a_broken_log_only_what_lies_before_the_fault_is_listed() -> None:
    for options in ([], ["--at", 51], ["--at", 52]):
        result = legal("-", *options, stdin=BROKEN)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("-:51: mismatch/value")
        assert result.stderr.count("\n") == 1

    result = legal("-", "--at", 50, stdin=BROKEN)
    assert (result.exit_code, result.stdout_bytes) == (1, expected(50))
    assert result.stderr.startswith("-:51: mismatch/value")


def test_a_log_without_an_opening_lists_nothing() -> None:
    for options in ([], ["--at", 1]):
        result = legal("-", *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("-:1: log/no-opening")


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    result = legal(tmp_path / "missing.jsonl")

    assert (result.exit_code, result.stdout) == (3, "")
    assert "log/unreadable" in result.stderr


def test_several_logs_are_wrong_usage() -> None:
    result = legal("-", stdin=SOUND.read_bytes() + LINES[0])

    assert (result.exit_code, result.stdout) == (2, "")
    assert "several logs" in result.stderr


# In words


def test_each_command_is_told_in_words_on_a_line() -> None:
    count = first("tile-discarded")
    words = legal(SOUND, "--at", count, "--format", "text").stdout.splitlines()

    assert len(words) == expected(count).count(b"\n")
    assert "ana places the tile on a1" in legal(SOUND, "--at", 2, "--format", "text").stdout.splitlines()
    assert any(line.endswith(" passes") for line in words)


def test_what_follows_a_command_by_itself_is_no_part_of_its_words() -> None:
    """The last act of a round ends it, which is nobody's choice."""
    words = legal(SOUND, "--at", first("round-ended") - 2, "--format", "text").stdout

    assert words
    assert "ends" not in words


def test_a_hostile_name_moves_nothing() -> None:
    opening = LINES[0].replace("Émile".encode(), "\u202eEmile\\".encode().replace(b"\\", b"\\\\"))
    draw = b'{"type":"draw","tile":7}\n'
    told = legal("-", "--format", "text", stdin=opening + draw).stdout

    assert "\\u202eEmile\\\\ places the tile on a1\n" in told
    assert "\u202e" not in told
