"""A program that appends a known game to a log and acknowledges each append, until it is done or killed.

    python -m tests.writer LOG MANNER...

It says `ready` first and begins when it is written a line, so that several begin together. An
acknowledgement is a line: how many records the log has after the append. Manners: `durable`;
`torn`, which writes a few bytes at a time, as if the system tore what is written; `shy`, which
waits a little before each append, so that others come in between.
"""

import sys
import time
from io import FileIO
from pathlib import Path
from random import Random
from typing import Final

from karuba_adapters import appending, read_events
from karuba_core import Command, GameStarted, command_of

GAME: Final = Path(__file__).parent / "games" / "sound" / "04-3p-stop-casual.jsonl"


def _read() -> tuple[GameStarted, dict[int, Command]]:
    """Return the opening of the game, and its commands by the number of records before each."""
    with GAME.open("rb") as stream:
        opening, *events = read_events(stream)
    assert isinstance(opening, GameStarted)
    commands = ((number, command_of(event)) for number, event in enumerate(events, start=1))
    return opening, {number: command for number, command in commands if command is not None}


OPENING, COMMANDS = _read()


def write_bit_by_bit(stream: FileIO, data: bytes) -> None:
    """Write what belongs together in many writes, each of which can be the last."""
    for start in range(0, len(data), 9):
        stream.write(data[start : start + 9])
        time.sleep(0.0001)


def main(path: str, *manners: str) -> None:
    """Append what the log lacks of the game."""
    if "torn" in manners:
        appending._write_at_once = write_bit_by_bit
    appender = appending.Appender(path, OPENING.setup, durable="durable" in manners)
    random = Random()
    print("ready", flush=True)
    sys.stdin.readline()
    while appender.records in COMMANDS:
        if "shy" in manners:
            time.sleep(random.random() / 1000)
        try:
            appender.append(COMMANDS[appender.records], expected=appender.records)
        except appending.Conflict:
            continue
        print(appender.records, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
