"""Judging logs: each record against its text, its shape, its place in the log, and the rules.

A log is read up to its first fault and no further: an invalid record is never applied.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, TypedDict, Unpack, cast

from attrs import evolve, frozen

from karuba_adapters.codec import Message
from karuba_adapters.findings import Finding, Report
from karuba_adapters.limits import LIMITS, Limits
from karuba_adapters.log_files import Line, Skim, Unreadable, open_file, read_ahead
from karuba_adapters.log_order import Log
from karuba_adapters.log_rest import RestReader, name_of
from karuba_adapters.records import Fault, Meta
from karuba_adapters.upcasting import name_converter
from karuba_core import (
    Event,
    Game,
    GameStarted,
    IllegalCommand,
    InvalidSetup,
    Mismatch,
    Step,
    Violation,
)
from karuba_core.ruleset import PRESETS

REFUSALS: Final = (Fault, InvalidSetup, IllegalCommand, Mismatch)
"""What a record is refused with, by the reader or by the rules."""

_EMPTY: Final = Violation("log/no-opening", "F-LOG-1", "$", "the file is empty: expected game-started first")


@frozen
class Right:
    """A record that was found right.

    Attributes:
        line: The line where it stands.
        text: The bytes of that line, its line end kept.
        message: What it says.
        meta: What its writer noted beside the game.
        step: The game after it, with the events that it stands for; a seal stands for none.
    """

    line: int
    text: bytes
    message: Message
    meta: Meta
    step: Step[Game, Event]


Observer = Callable[[Right], None]
Reader = Callable[[BinaryIO], Iterator[Line]]


class Reading(TypedDict, total=False):
    """How logs are read, as keywords of `validate`.

    Attributes:
        limits: How much is read of a line, a log and a packed stream.
        split: Whether every opening begins the next log, finished or not the one before it (F-LOG-3).
        keep_going: Whether text and shape are judged beyond the first fault of a log (F-LOG-10).
        is_inside: Whether the stream is the inside of another one, which is never packed (F-FILE-2).
    """

    limits: Limits
    split: bool
    keep_going: bool
    is_inside: bool


def read_lines(
    stream: BinaryIO, limits: Limits = LIMITS, skim: Skim | None = None, *, is_inside: bool = False
) -> Iterator[Line]:
    """Yield the lines of a stream as they stand; of an older format, the fault names what helps."""
    return name_converter(read_ahead(stream, limits, skim, is_inside=is_inside))


def validate(
    stream: BinaryIO,
    file: str = "-",
    observe: Observer | None = None,
    read: Reader | None = None,
    **reading: Unpack[Reading],
) -> Iterator[Report]:
    """Yield a report for each log of a stream, lazily and in order.

    Args:
        stream: The logs, one after another, as bytes, packed by gzip or Zstandard or not.
        file: What the reports call the stream.
        observe: Is called with every record found right, before the report of its log.
        read: Makes lines of the stream; one without bytes was put in beside it, and no seal counts it.
        reading: How they are read.

    >>> import io
    >>> [(report.verdict, report.findings[0].code) for report in validate(io.BytesIO(b"{}"))]
    [('invalid', 'shape/missing-field')]
    """
    limits, skim = reading.get("limits", LIMITS), Skim()
    is_inside = reading.get("is_inside", False)
    lines = read_lines(stream, limits, skim, is_inside=is_inside) if read is None else read(stream)
    rest = RestReader(skim, limits, reading.get("split", False), reading.get("keep_going", False))
    log, number = Log(1), 1
    try:
        opening: Line | None = next(lines, (1, b"", (_EMPTY,), None))
        while opening is not None:
            log = Log(opening[0])
            opening = _judge(log, chain([opening], lines), observe, rest)
            yield log.report(file, number)
            number += 1
    except Unreadable as error:
        report = log.report(
            file, number
        )  # also of a game that has ended: a seal may have followed (F-FILE-1)
        finding = unreadable(error.line, error.reason)
        yield evolve(report, verdict="unread", findings=(*report.findings, finding))


def validate_file(
    path: Path | str,
    observe: Observer | None = None,
    read: Reader | None = None,
    **reading: Unpack[Reading],
) -> Iterator[Report]:
    """Yield a report for each log of a file; what cannot be read gets the verdict `unread`.

    Args:
        path: The file; its name is told as UTF-8, what is none of it escaped.
        observe: Is called with every record found right, before the report of its log.
        read: Makes lines of the file, as `validate` takes it.
        reading: How it is read, as `validate` takes it.
    """
    file = told_name(str(path))
    try:
        stream = open_file(path)
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        yield unread(file, getattr(error, "strerror", None) or str(error))
        return
    with stream:
        yield from validate(stream, file, observe, read, **reading)


def unread(file: str, reason: str) -> Report:
    """Return what is said of a file that cannot be opened."""
    return evolve(Log(1).report(told_name(file), 1), verdict="unread", findings=(unreadable(1, reason),))


def told_name(file: str) -> str:
    """Return the name of a file, which need not be Unicode, as a report tells it."""
    return file.encode("utf-8", "backslashreplace").decode()


def unreadable(line: int, reason: str) -> Finding:
    """Return the finding for a line that cannot be read."""
    return Finding(line, "$", "log/unreadable", "F-FILE-1", f"cannot be read: {reason}")


def require(
    report: Report, *, finished: bool = False, sealed: bool = False, rules: str | None = None
) -> Report:
    """Return a report with findings for what a caller requires beyond a right log; the verdict stays.

    Args:
        report: What is said of the log.
        finished: Whether its game has to be finished (`log/unfinished`).
        sealed: Whether it has to end with a seal (`log/unsealed`).
        rules: The preset that it has to declare (`log/other-rules`).

    Raises:
        ValueError: There is no such preset.
    """
    if rules is not None and rules not in PRESETS:
        raise ValueError(f"no preset {rules!r}: {', '.join(PRESETS)}")
    lacks = []
    if rules is not None and report.rules not in (None, "official" if rules == "seed-002" else rules):
        message = f"expected the rules {rules}, the log declares {report.rules}"
        lacks.append(Finding(report.first_line, "$.rules", "log/other-rules", "F-LOG-8", message))
    if finished and report.verdict == "incomplete":
        message = "the game is not finished" + (f": {report.due} is due" if report.due else "")
        lacks.append(Finding(report.last_line, "$", "log/unfinished", "F-LOG-7", message))
    if sealed and report.verdict in ("valid", "incomplete") and not report.is_sealed:
        message = "the log has no seal: expected one as its last record"
        lacks.append(Finding(report.last_line, "$", "log/unsealed", "F-SEAL-3", message))
    return evolve(report, findings=tuple(sorted((*lacks, *report.findings), key=lambda found: found.line)))


def _judge(log: Log, lines: Iterator[Line], observe: Observer | None, rest: RestReader) -> Line | None:
    """Read one log, up to its first fault; return the opening of the next one."""
    split = rest.split
    for line in lines:
        number, text, message, meta = line
        if (log.is_closed or split) and log.last_line and name_of(line) == GameStarted.name:
            return line
        log.last_line = number
        if isinstance(message, tuple):
            return rest.next_opening(log, line, message, lines)
        try:
            events = log.accept(message)
        except REFUSALS as error:
            return rest.next_opening(log, line, reasons(error), lines)
        if text:
            log.seal.add(text)
        if observe is not None:
            observe(Right(number, text, message, meta, Step(cast("Game", log.game), events)))
    return None


def reasons(error: Fault | InvalidSetup | IllegalCommand | Mismatch) -> tuple[Violation, ...]:
    """Return why a record is refused, one reason at least."""
    if isinstance(error, Fault):
        return error.faults
    return error.violations if isinstance(error, InvalidSetup) else (error.violation,)
