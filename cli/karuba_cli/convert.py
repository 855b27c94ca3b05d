"""`karuba convert`: any log as a log of events or of commands of the current format."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from karuba_cli.inputs import judged, one_file
from karuba_cli.outputs import exit_code, warn, write

if TYPE_CHECKING:
    from karuba_adapters import Fault, LogWriter, Message, Report, Right
    from karuba_adapters.implied import Implication
    from karuba_adapters.judging import Reader
    from karuba_adapters.log_files import Line
    from karuba_adapters.normalising import NormalWriter


_LONGEST_MAPPING: Final = 1 << 20


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
    normalise: Annotated[
        bool,
        typer.Option(
            "--normalise",
            help="Order what the players of a round do by seat, and the keys in meta by name.",
        ),
    ] = False,
    mapping: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="MAPPING.toml",
            help="Read the log of another program, of one game, as this file says.",
            show_default=False,
        ),
    ] = None,
    implicit_pass: Annotated[
        bool,
        typer.Option(
            "--implicit-pass",
            help="Of commands: a draw passes all turns open after a discard, and so does the end of the log"
            " where that closes its round.",
        ),
    ] = False,
    implicit_collect: Annotated[
        bool,
        typer.Option(
            "--implicit-collect",
            help="Of commands, under landing: whoever ends a turn on a treasure, by a pass or by a draw,"
            " collects it.",
        ),
    ] = False,
    mark_implied: Annotated[
        bool,
        typer.Option("--mark-implied", help="Note in the meta of what was put in that it is implied."),
    ] = False,
) -> None:
    """Write a log as events or as commands, to standard output; a sealed log is sealed anew.

    Every record is judged. A log with a fault is written up to the fault, which goes to standard
    error, and is sealed there where another log follows. A round's end and the game's end have no
    command: a meta of theirs is listed there, too, and so is how much was put in as implied. A log
    of an older format is brought up to date.

    Exit code 0: all is written. 1: findings, or a meta without a place. 2: wrong usage, or a wrong
    mapping. 3: the input could not be read.
    """
    from karuba_adapters import LogWriter, finding_line
    from karuba_adapters.implied import Implication
    from karuba_adapters.normalising import NormalWriter

    if mark_implied and not (implicit_pass or implicit_collect):
        raise typer.BadParameter("--mark-implied goes with --implicit-pass or --implicit-collect")
    read = _reader(mapping, Implication(implicit_pass, implicit_collect))
    writer = NormalWriter(write) if normalise else LogWriter(write)
    conversion = _Conversion(log, kind, writer, drop_meta, mark_implied)
    for report in judged([log], conversion.take, read=read):
        conversion.end(report)
        for finding in report.findings:
            warn(finding_line(report.file, finding))
    if conversion.implied:
        warn(conversion.told())
    raise typer.Exit(conversion.code)


class _Conversion:
    """Writes what was judged right; `code` is the exit code so far, `implied` counts what was put in."""

    def __init__(
        self, file: str, kind: Kind, writer: "LogWriter | NormalWriter", drop_meta: bool, mark_implied: bool
    ) -> None:
        self.code = 0
        self.implied: Counter[str] = Counter()
        self._file = file
        self._kind = kind
        self._writer = writer
        self._drop_meta = drop_meta
        self._mark_implied = mark_implied
        self._is_cut = False
        self._is_stopped = False
        self._line = 1

    def take(self, right: "Right") -> None:
        """Write a record as it is wanted; of a log of which one cannot be written, none after it is."""
        from karuba_adapters import Fault

        if self._is_stopped:
            return
        self._line = right.line
        try:
            self._write(right)
        except Fault as fault:
            self._stop(fault)

    def _stop(self, fault: "Fault") -> None:
        """Tell of a record that no reader would take as it is written: its meta has grown too long, say."""
        from karuba_adapters import Finding, finding_line

        self.code = max(self.code, 1)
        self._is_stopped = True
        for reason in fault.faults:
            text = f"cannot be written: {reason.message}; the rest of the log is left out"
            warn(finding_line(self._file, Finding(self._line, "$", reason.code, reason.rule, text)))

    def _write(self, right: "Right") -> None:
        from karuba_adapters import Seal
        from karuba_adapters.implied import Implied

        if self._is_cut:  # only a seal lets another log begin after one that was cut at its fault
            self._writer.seal()
            self._is_cut = False
        meta = right.meta
        if isinstance(right.message, Seal):
            self._writer.seal(meta)
            return
        if isinstance(meta, Implied):
            self.implied[right.message.name] += 1
            meta = meta.meta(marked=self._mark_implied)
        messages = _messages(right, self._kind)
        for index, message in enumerate(messages):
            self._writer.write(message, None if index else meta)
        if meta is not None and not messages and not self._drop_meta:
            self._tell_lost(right)

    def _tell_lost(self, right: "Right") -> None:
        from karuba_adapters import Finding, finding_line

        self.code = max(self.code, 1)
        text = f"{right.message.name} has no command that could keep its meta; --drop-meta drops it"
        lost = Finding(right.line, "$.meta", "log/meta-without-place", "F-META-2", text)
        warn(finding_line(self._file, lost))

    def end(self, report: "Report") -> None:
        """Write what waits still of a log, and take what is said of it."""
        from karuba_adapters import Fault

        if not self._is_stopped:
            try:
                self._writer.flush()
            except Fault as fault:
                self._stop(fault)
        self.code = max(self.code, exit_code(report))
        self._is_cut = self._is_cut or self._is_stopped or bool(report.findings and report.records)
        self._is_stopped = False

    def told(self) -> str:
        """Return what was put in."""
        from karuba_adapters.plain_text import printable

        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.implied.items()))
        return printable(f"{self._file}: implied commands put in: {counts}")


def _messages(right: "Right", kind: Kind) -> "Sequence[Message]":
    """Return what a record says, as messages of one kind; the opening belongs to both."""
    from karuba_core import GameStarted, command_of

    events = right.step.events
    if kind is Kind.EVENTS or isinstance(right.message, GameStarted):
        return events
    commands = map(command_of, events)
    return [command for command in commands if command is not None]


def _reader(mapping: str | None, implication: "Implication") -> "Reader":
    """Return how a stream becomes the lines to judge."""
    from karuba_adapters.implied import with_implied

    source = _own if mapping is None else _foreign(mapping)
    if not (implication.passes or implication.collects):
        return source
    return lambda stream: with_implied(source(stream), implication)


def _own(stream: BinaryIO) -> "Iterator[Line]":
    from karuba_adapters.log_files import read_ahead
    from karuba_adapters.upcasting import upcast

    return upcast(read_ahead(stream))


def _foreign(mapping: str) -> "Reader":
    """Return how a foreign log is read; a wrong mapping file is wrong usage."""
    from karuba_adapters.foreign import read_foreign
    from karuba_adapters.mapping import WrongMapping, read_mapping
    from karuba_adapters.plain_text import printable

    try:
        with Path(mapping).open("rb") as stream:
            text = stream.read(_LONGEST_MAPPING + 1)
        shape = read_mapping(text[:_LONGEST_MAPPING].decode("utf-8-sig"))
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        reason = "is no UTF-8"
    except WrongMapping as error:
        reason = str(error)
    else:
        if len(text) <= _LONGEST_MAPPING:
            return lambda stream: read_foreign(stream, shape)
        reason = f"is longer than {_LONGEST_MAPPING} bytes, the most that are read"
    raise typer.BadParameter(printable(f"{mapping}: {reason}"), param_hint="--from")
