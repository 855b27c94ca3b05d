"""`karuba apply`: a log that goes on by commands."""

import os
import sys
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from karuba_cli.inputs import STANDARD_INPUT, is_among, one_file
from karuba_cli.options import STANDARD_OUTPUT, Log, output_file
from karuba_cli.outputs import warn, whole_file, write
from karuba_cli.positions import right_log
from karuba_cli.writing import check_replaceable, writing

if TYPE_CHECKING:
    from karuba_adapters.log_files import Line

_MOST: Final = 1000
"""Commands that are read: no game has as many, so one of them at least is refused."""


def apply(
    log: Log,
    commands: Annotated[
        str,
        typer.Argument(
            help="A file of command records, one a line; - for standard input.",
            callback=one_file,
            show_default=False,
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where the log goes: a file, which appears whole or stays as it was; - for standard output.",
            callback=output_file,
        ),
    ] = STANDARD_OUTPUT,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write the file itself, whole or not at all.")
    ] = False,
) -> None:
    """Play commands on a log and write the log that they lead to, to standard output.

    The records of the log stay as they are. What is due comes first, then the events of each command
    and what is due after it; a log of commands goes on with the commands. The meta of a command goes
    along. Commands come from karuba legal, say, or from karuba convert --to commands, its opening left
    out.

    All commands are right, or nothing is written: the first that is refused is a finding at its line. So
    is any after a seal or after the end of the game.

    --in-place waits for programs that append to the log, by LOG.lock beside it.

    Exit code 0: all is written. 1: findings. 2: wrong usage. 3: some input could not be read.
    """
    from karuba_adapters.whole_files import lock_of, replacing

    if log == commands == STANDARD_INPUT:
        raise typer.BadParameter("standard input can be read once only")
    if in_place and output != STANDARD_OUTPUT:
        raise typer.BadParameter("--in-place and --output are two places: give one of them")
    if in_place:
        check_replaceable(log)
    if output != STANDARD_OUTPUT and is_among(output, [log, commands]):
        message = "this file is read; --in-place writes the log itself"
        raise typer.BadParameter(message, param_hint="--output")
    lines = _lines(commands)  # before the lock: a person may still be typing them
    with writing(log), ExitStack() as held:
        if in_place and os.path.exists(log):  # noqa: PTH110 - takes any name
            held.enter_context(lock_of(Path(log), patience=10))
        data = _played_on(log, commands, lines)
        if in_place:
            with replacing(Path(log)) as new:
                new.write(data)
        elif output == STANDARD_OUTPUT:
            write(data)
        else:
            held.enter_context(whole_file(output))(data)


def _played_on(log: str, commands: str, lines: "list[Line]") -> bytes:
    """Return the log that goes on by the commands; findings end the verb."""
    from karuba_adapters import finding_line
    from karuba_adapters.continuing import continued

    _, records = right_log(log)
    continuation = continued(records, lines)
    for finding in continuation.findings:
        warn(finding_line(commands, finding))
    if continuation.findings:
        raise typer.Exit(1)
    return b"".join(continuation.lines)


def _lines(name: str) -> "list[Line]":
    """Return the lines of commands; what cannot be read ends the verb."""
    from karuba_adapters import Unreadable, finding_line
    from karuba_adapters.judging import read_lines, unreadable
    from karuba_adapters.log_files import open_file

    line = 1
    try:
        if name != STANDARD_INPUT:
            with open_file(name) as stream:
                return [*islice(read_lines(stream), _MOST)]
        if sys.stdin is not None:
            return [*islice(read_lines(sys.stdin.buffer), _MOST)]
        reason = "it is closed"
    except Unreadable as error:
        line, reason = error.line, error.reason
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
    warn(finding_line(name, unreadable(line, reason)))
    raise typer.Exit(3)
