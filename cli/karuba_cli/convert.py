"""`karuba convert`: any log as a log of events or of commands of the current format, or in the notation."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from karuba_cli.conversion import Conversion, Kind
from karuba_cli.inputs import judged
from karuba_cli.options import Logs
from karuba_cli.outputs import tell_findings, warn, write

if TYPE_CHECKING:
    from karuba_adapters.implied import Implication
    from karuba_adapters.judging import Reader
    from karuba_adapters.log_files import Line
    from karuba_cli.conversion import Writer

_LONGEST_MAPPING: Final = 1 << 20


def convert(
    log: Logs,
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
            metavar="MAPPING.toml|notation",
            help="Read the log of another program, of one game, as this file says; or games in the notation"
            " (a mapping of that name is ./notation).",
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

    Or write it in the notation, for people, which has no seals: how many are left out is told.

    Every record is judged. A log with a fault is written up to the fault, which goes to standard
    error, and is sealed there where another log follows. A round's end and the game's end have no
    command: a meta of theirs is listed there, too, and so is how much was put in as implied. A log
    of an older format is brought up to date.

    Exit code 0: all is written. 1: findings, or a meta without a place. 2: wrong usage, or a wrong
    mapping. 3: the input could not be read.
    """
    from karuba_adapters.implied import Implication

    if mark_implied and not (implicit_pass or implicit_collect):
        raise typer.BadParameter("--mark-implied goes with --implicit-pass or --implicit-collect")
    if mapping == Kind.NOTATION and (implicit_pass or implicit_collect):
        raise typer.BadParameter("--implicit-pass and --implicit-collect go with logs alone")
    read = _reader(mapping, Implication(implicit_pass, implicit_collect))
    conversion = Conversion(log, kind, _writer(kind, normalise=normalise), drop_meta, mark_implied)
    for report in judged([log], conversion.take, read=read):
        conversion.end(report)
        tell_findings(report)
    for line in conversion.told():
        warn(line)
    raise typer.Exit(conversion.code)


def _writer(kind: Kind, *, normalise: bool) -> "Writer":
    """Return what writes the records."""
    from karuba_adapters import LogWriter
    from karuba_adapters.normalising import NormalWriter
    from karuba_adapters.notation.writing import NotationWriter

    if kind is not Kind.NOTATION:
        return NormalWriter(write) if normalise else LogWriter(write)
    if normalise:
        raise typer.BadParameter("--normalise goes with logs alone: the notation is in order of seats")
    return NotationWriter(write)


def _reader(mapping: str | None, implication: "Implication") -> "Reader":
    """Return how a stream becomes the lines to judge."""
    from karuba_adapters.implied import with_implied
    from karuba_adapters.notation.reading import read_notation

    if mapping == Kind.NOTATION:
        return read_notation
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
