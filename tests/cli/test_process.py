"""The command line as a process: exit codes, pipes, signals, and terminals that lack characters."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.process_kit import command, environment, karuba, posix

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"  # ana, d, Émile
CHINESE = GAMES / "sound" / "01-2p-stop-expert.jsonl"  # d, 小明
BROKEN = GAMES / "broken" / "shape-1.jsonl"


# Exit codes


def test_0_is_fine() -> None:
    result = karuba("validate", SOUND, CHINESE)

    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == b"2 logs: 2 valid\n"


def test_1_is_for_findings() -> None:
    result = karuba("validate", "-", stdin=b"nope")

    assert (result.returncode, result.stderr) == (1, b"")
    assert result.stdout.startswith(b"-:1: text/not-json: ")
    assert result.stdout.endswith(b"\n1 log: 1 invalid\n")


@pytest.mark.parametrize("arguments", [("validate",), ("judge",), ("replay", SOUND, "--at", 0), ("--nope",)])
def test_2_is_for_wrong_usage(arguments: tuple[object, ...]) -> None:
    result = karuba(*arguments)

    assert (result.returncode, result.stdout) == (2, b"")
    assert b"Usage: karuba" in result.stderr


def test_3_is_for_what_cannot_be_read(tmp_path: Path) -> None:
    result = karuba("validate", BROKEN, tmp_path / "missing.jsonl", SOUND)

    assert (result.returncode, result.stderr) == (3, b"")
    assert result.stdout.endswith(b"\n3 logs: 1 valid, 1 invalid, 1 unread\n")


BOOM = """
import karuba_adapters
def boom(*_, **__):
    raise {fault}
karuba_adapters.validate_file = boom
"""


@pytest.mark.parametrize(
    "arguments", [("validate", SOUND), ("replay", SOUND), ("convert", SOUND, "--to", "events")]
)
def test_70_is_our_fault(arguments: tuple[object, ...]) -> None:
    result = karuba(*arguments, script=BOOM.format(fault="ZeroDivisionError('of ours')"))

    assert (result.returncode, result.stdout) == (70, b"")
    assert b"Traceback (most recent call last):" in result.stderr
    assert b"ZeroDivisionError: of ours\n" in result.stderr
    assert result.stderr.endswith(b"please report it with the lines above\n")


def test_our_fault_is_told_where_characters_lack() -> None:
    script = BOOM.format(fault="ZeroDivisionError('小\\udcff')")
    result = karuba("validate", SOUND, script=script, env={"PYTHONIOENCODING": "ascii"})

    assert result.returncode == 70
    assert b"ZeroDivisionError: \\u5c0f\\udcff\n" in result.stderr


@posix
@pytest.mark.parametrize(
    "arguments", [("validate", "-"), ("replay", "-"), ("convert", "-", "--to", "commands")]
)
def test_130_is_for_an_interrupt(arguments: tuple[object, ...]) -> None:
    process = subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    with process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(SOUND.read_bytes() * 40)  # more than a pipe holds: it is being read by then
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert b"Traceback" not in process.stderr.read()


# Pipes


def run_with_closed_pipe(
    name: str, *arguments: object, stdin: bytes, buffered: bool
) -> subprocess.CompletedProcess[bytes]:
    """Run a verb of which nobody reads the standard output, or the standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run(
            command(*arguments),
            input=stdin,
            stdout=writing if name == "stdout" else subprocess.PIPE,
            stderr=writing if name == "stderr" else subprocess.PIPE,
            env=environment() if buffered else environment(PYTHONUNBUFFERED="1"),
            check=False,
            timeout=60,
        )
    finally:
        os.close(writing)


@posix
@pytest.mark.parametrize("buffered", [True, False], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", SOUND),
        ("validate", GAMES, GAMES, "--format", "json"),
        ("replay", SOUND, "--each"),
        ("convert", SOUND, "--to", "events"),
        ("convert", "-", "--to", "events"),
        ("--help",),
    ],
    ids=lambda arguments: " ".join(Path(str(argument)).name for argument in arguments),
)
def test_a_closed_pipe_ends_it_quietly(arguments: tuple[object, ...], buffered: bool) -> None:
    log = SOUND.read_bytes() * 9
    result = run_with_closed_pipe("stdout", *arguments, stdin=log, buffered=buffered)

    assert (result.returncode, result.stderr) == (0, b"")


@posix
@pytest.mark.parametrize("buffered", [True, False], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("arguments", [("replay", "-"), ("convert", "-", "--to", "events"), ("validate",)])
def test_a_closed_pipe_for_what_is_wrong_ends_it_quietly(
    arguments: tuple[object, ...], buffered: bool
) -> None:
    log = SOUND.read_bytes() + b"nope"
    result = run_with_closed_pipe("stderr", *arguments, stdin=log, buffered=buffered)

    assert result.returncode == 0
    assert bool(result.stdout) == (arguments != ("validate",))


@posix
def test_whoever_reads_a_while_and_stops_is_not_told_off() -> None:
    with subprocess.Popen(
        command("convert", "-", "--to", "events"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(SOUND.read_bytes())
        process.stdin.flush()
        first = process.stdout.readline()
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.write(SOUND.read_bytes() * 40)
        with suppress(BrokenPipeError):
            process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
    assert SOUND.read_bytes().startswith(first)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments", [("convert", SOUND, "--to", "events"), ("validate", SOUND), ("--help",)]
)
def test_output_that_cannot_be_written_is_not_blamed_on_the_input(arguments: tuple[object, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            command(*arguments),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
            timeout=60,
        )

    assert result.returncode == 70
    assert b"log/unreadable" not in result.stderr
    assert b"No space left on device" in result.stderr
    assert b"Traceback" not in result.stderr


@posix
@pytest.mark.parametrize(("log", "code"), [(SOUND, 0), (BROKEN, 1)])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_outputs_leave_the_exit_code(closed: str, log: Path, code: int) -> None:
    shell = ["sh", "-c", f'exec "$0" "$@" {closed}', *command("validate", log)]
    result = subprocess.run(shell, capture_output=True, env=environment(), check=False, timeout=60)

    assert (result.returncode, result.stderr) == (code, b"")


@posix
def test_a_closed_standard_input_cannot_be_read() -> None:
    """Closed by the shell, not empty: there is nothing that could be read."""
    shell = ["sh", "-c", 'exec "$0" "$@" <&-', *command("validate", "-", SOUND)]
    result = subprocess.run(shell, capture_output=True, env=environment(), check=False, timeout=60)

    assert (result.returncode, result.stderr) == (3, b"")
    assert result.stdout.endswith(b"2 logs: 1 valid, 1 unread\n")


# Terminals


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(
    ("arguments", "code", "shown"),
    [
        (("validate", "-"), 1, "[$.\\u5c0f\\u660e]"),
        (("replay", "-"), 1, "\\u5c0f\\u660e"),
        (("replay", CHINESE, "--at", 20), 0, "\\u5c0f\\u660e"),
        (("replay", CHINESE, "--format", "小明"), 2, "\\u5c0f\\u660e"),
        (("--help",), 0, "Usage: karuba"),
        (("validate", "--help"), 0, "Usage: karuba validate"),
    ],
    ids=["finding", "both", "game", "usage", "help", "help-of-a-verb"],
)
def test_text_never_fails_on_a_character_that_a_terminal_lacks(
    arguments: tuple[object, ...], code: int, shown: str, encoding: str
) -> None:
    stdin = CHINESE.read_bytes().splitlines(keepends=True)[0] + '{"type":"draw","小明":1}'.encode()
    result = karuba(*arguments, stdin=stdin, env={"PYTHONIOENCODING": encoding})

    text = result.stdout.decode(encoding) + result.stderr.decode(encoding)
    assert result.returncode == code
    assert shown in text
    assert "Traceback" not in text


def test_a_terminal_that_has_all_characters_gets_them() -> None:
    both = "ascii", "utf-8"
    shown = [karuba("replay", SOUND, env={"PYTHONIOENCODING": name}).stdout.decode(name) for name in both]

    for characters, escaped in (("Émile", "\\xc9mile"), ("═", "-"), ("┌", ".")):
        assert [characters in text for text in shown] == [False, True]
        assert escaped in shown[0]


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_data_is_the_same_on_every_terminal(encoding: str) -> None:
    for arguments in (
        ("validate", CHINESE, "--format", "json"),
        ("replay", CHINESE, "--format", "json"),
        ("convert", CHINESE, "--to", "events"),
    ):
        result = karuba(*arguments, env={"PYTHONIOENCODING": encoding})
        assert (result.returncode, result.stderr) == (0, b"")
        assert result.stdout.decode().isascii() == (arguments[0] == "validate")
        assert b"\r" not in result.stdout
        assert result.stdout.endswith(b"}\n")
    assert result.stdout == CHINESE.read_bytes()


# What it says of itself


def test_it_says_its_version() -> None:
    result = karuba("--version")

    assert (result.returncode, result.stdout.split()[0], result.stderr) == (0, b"karuba", b"")
    assert result.stdout.split()[1].count(b".") == 2
