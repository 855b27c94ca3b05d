"""`karuba referee` as a process: kept open, line by line, until its input ends."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import BinaryIO, cast

import pytest

from tests.cli.process_kit import command, environment, karuba, posix

SOUND = Path(__file__).parents[1] / "games" / "sound" / "04-3p-stop-casual.jsonl"  # ana, d, Émile
OPENING = json.loads(SOUND.read_bytes().partition(b"\n")[0])


def asking(name: object, **request: object) -> bytes:
    return json.dumps({"id": name, **(request or {"log": ""})}).encode() + b"\n"


def names(output: bytes) -> list[object]:
    """Return the ids of the answers in some output."""
    return [json.loads(line)["id"] for line in output.splitlines()]


@contextmanager
def referee(**env: str) -> Iterator[tuple[subprocess.Popen[bytes], BinaryIO, BinaryIO]]:
    """Keep a referee open, with its input and its output; one that never answers is killed."""
    with subprocess.Popen(
        command("referee"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**env),
    ) as process:
        patience = Timer(60, process.kill)
        patience.start()
        try:
            yield process, cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)
        finally:
            patience.cancel()
            process.kill()


def test_each_request_is_answered_before_the_next_one_is_sent() -> None:
    with referee() as (process, asks, answers):
        for name in (1, "zwei", [3]):
            asks.write(asking(name))
            asks.flush()
            assert names(answers.readline()) == [name]
        assert process.poll() is None
        asks.close()
        assert process.wait(60) == 0
        assert answers.read() == b""


def test_a_request_may_come_in_pieces() -> None:
    request = asking(7, given=[OPENING], ask="state")
    with referee() as (_, asks, answers):
        for piece in (request[:1], request[1:200], request[200:] + request[:9], request[9:]):
            asks.write(piece)
            asks.flush()
        assert names(answers.readline() + answers.readline()) == [7, 7]


def test_the_end_of_the_input_is_no_fault() -> None:
    for requests, answered in ((b"", []), (asking(1), [1]), (asking(1) + asking(2).rstrip(), [1, 2])):
        result = karuba("referee", stdin=requests)
        assert (result.returncode, result.stderr, names(result.stdout)) == (0, b"", answered)


def test_a_bad_request_ends_nothing() -> None:
    bad = (b"nope\n", b"\n", b"\xff\n", b"[]\n", b'{"id":5}\n', b"[" * 100_000 + b"\n")
    result = karuba("referee", stdin=b"".join(bad) + asking(1, given=[OPENING, 7], ask="state") + asking(2))

    assert (result.returncode, result.stderr) == (0, b"")
    assert names(result.stdout) == [None, None, None, None, 5, None, 1, 2]


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_answers_are_utf_8_on_every_terminal(encoding: str) -> None:
    result = karuba(
        "referee", stdin=asking("小", given=[OPENING], ask="state"), env={"PYTHONIOENCODING": encoding}
    )

    assert "Émile" in json.loads(result.stdout.decode("utf-8"))["state"]["players"]
    assert b"\r" not in result.stdout
    assert names(result.stdout) == ["小"]


@posix
@pytest.mark.parametrize("env", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
def test_a_closed_pipe_ends_it_quietly(env: dict[str, str]) -> None:
    with referee(**env) as (process, asks, answers):
        asks.write(asking(1))
        asks.flush()
        answers.readline()
        answers.close()
        asks.write(asking(2))
        asks.flush()
        assert process.wait(60) == 0  # though its input has not ended
        assert process.stderr
        assert process.stderr.read() == b""


@posix
def test_an_interrupt_ends_it_with_130() -> None:
    with referee() as (process, asks, answers):
        asks.write(asking(1))
        asks.flush()
        answers.readline()  # it waits for the next request by now
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()


def test_a_fault_of_ours_is_told_after_the_answers_before_it() -> None:
    script = """
import karuba_adapters.referee as module
def boom(_):
    raise ValueError('of ours')
module.state_json = boom
"""
    requests = asking(1) + asking(2, given=[OPENING], ask="state") + asking(3)
    result = karuba("referee", stdin=requests, script=script)

    assert (result.returncode, names(result.stdout)) == (70, [1])
    assert b"ValueError: of ours\n" in result.stderr
    assert result.stderr.endswith(b"please report it with the lines above\n")


@posix
@pytest.mark.parametrize("source", ["<&-", "0>/dev/null"], ids=["closed", "write-only"])
def test_an_input_that_cannot_be_read_is_told(source: str) -> None:
    shell = ["sh", "-c", f'exec "$0" "$@" {source}', *command("referee")]
    result = subprocess.run(shell, capture_output=True, env=environment(), check=False, timeout=60)

    assert (result.returncode, result.stdout) == (3, b"")
    assert result.stderr.startswith(b"karuba: the input cannot be read: ")
    assert result.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_answers_that_cannot_be_written_are_our_fault() -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            command("referee"),
            input=asking(1),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
            timeout=60,
        )

    assert result.returncode == 70
    assert os.strerror(28).encode() in result.stderr


def test_its_help_says_where_the_protocol_is_told() -> None:
    result = karuba("referee", "--help")

    assert (result.returncode, result.stderr) == (0, b"")
    assert b"spec/vectors/README.md" in result.stdout


def test_it_takes_no_arguments() -> None:
    assert karuba("referee", "a.jsonl").returncode == 2
