"""`karuba convert`: a log of events from a log of commands, or the other way."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from karuba_cli.inputs import judged, one_file
from karuba_cli.outputs import exit_code, warn, write

if TYPE_CHECKING:
    from karuba_adapters import Message, Right


class Kind(StrEnum):
    """The two kinds of a log."""

    EVENTS = "events"
    COMMANDS = "commands"


def convert(
    log: Annotated[
        str,
        typer.Argument(
            help="A file with one log or several; - for standard input.",
            callback=one_file,
            show_default=False,
        ),
    ],
    kind: Annotated[Kind, typer.Option("--to", help="What to write.", show_default=False)],
    drop_meta: Annotated[
        bool, typer.Option("--drop-meta", help="Drop a meta that has no place among commands.")
    ] = False,
) -> None:
    """Write a log as events or as commands, to standard output; a sealed log is sealed anew.

    Every record is judged. A log with a fault is written up to the fault, which goes to standard
    error, and is sealed there where another log follows. A round's end and the game's end have no
    command: a meta of theirs is listed there, too.

    Exit code 0: all is written. 1: findings, or a meta without a place. 2: wrong usage. 3: the
    input could not be read.
    """
    from karuba_adapters import Finding, LogWriter, Seal, finding_line

    writer, code, is_cut = LogWriter(write), 0, False

    def take(right: "Right") -> None:
        nonlocal code, is_cut
        meta = right.meta
        if is_cut:  # only a seal lets another log begin after one that was cut at its fault
            writer.seal()
            is_cut = False
        if isinstance(right.message, Seal):
            writer.seal(meta)
            return
        messages = _messages(right, kind)
        for index, message in enumerate(messages):
            writer.write(message, None if index else meta)
        if meta is not None and not messages and not drop_meta:
            code = 1
            text = f"{right.message.name} has no command that could keep its meta; --drop-meta drops it"
            lost = Finding(right.line, "$.meta", "log/meta-without-place", "F-META-2", text)
            warn(finding_line(log, lost))

    for report in judged([log], take):
        code = max(code, exit_code(report))
        is_cut = is_cut or bool(report.findings and report.records)
        for finding in report.findings:
            warn(finding_line(report.file, finding))
    raise typer.Exit(code)


def _messages(right: "Right", kind: Kind) -> "Sequence[Message]":
    """Return what a record says, as messages of one kind; the opening belongs to both."""
    from karuba_core import GameStarted, command_of

    events = right.step.events
    if kind is Kind.EVENTS or isinstance(right.message, GameStarted):
        return events
    commands = map(command_of, events)
    return [command for command in commands if command is not None]
