"""Judging logs: each record against its text, its shape, its place in the log, and the rules.

A log is read up to its first fault and no further: an invalid record is never applied.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, cast

import orjson
from attrs import evolve, frozen

from karuba_adapters.codec import Message, Seal
from karuba_adapters.findings import Finding, Report
from karuba_adapters.log_files import Line, Unreadable, read_ahead
from karuba_adapters.log_order import KINDS, Log
from karuba_adapters.records import Fault, Meta
from karuba_adapters.strict_json import MAX_LINE
from karuba_core import (
    Event,
    Game,
    GameEnded,
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

_KIND_OF_NAME: Final = {kind.name: word for kind, word in KINDS.items() if word in ("event", "command")}
_TYPE: Final = re.compile(rb'"type"[ \t\r]*:[ \t\r]*"([^"]*)"')
_LAST_NAMES: Final = (GameEnded.name, Seal.name)


@frozen
class Right:
    """A record that was found right.

    Attributes:
        line: The line where it stands.
        message: What it says.
        meta: What its writer noted beside the game.
        step: The game after it, with the events that it stands for; a seal stands for none.
    """

    line: int
    message: Message
    meta: Meta
    step: Step[Game, Event]


Observer = Callable[[Right], None]


def validate(stream: BinaryIO, file: str = "-", observe: Observer | None = None) -> Iterator[Report]:
    """Yield a report for each log of a stream, lazily and in order.

    Args:
        stream: The logs, one after another, as bytes.
        file: What the reports call the stream.
        observe: Is called with every record found right, before the report of its log.

    >>> import io
    >>> [(report.verdict, report.findings[0].code) for report in validate(io.BytesIO(b"{}"))]
    [('invalid', 'shape/missing-field')]
    """
    lines = read_ahead(stream)
    log, number = Log(1), 1
    try:
        opening: Line | None = next(lines, (1, b"", (_EMPTY,), None))
        while opening is not None:
            log = Log(opening[0])
            opening = _judge(log, chain([opening], lines), observe)
            yield log.report(file, number)
            number += 1
    except Unreadable as error:
        if log.is_closed:  # what could not be read is not of this log any more
            yield log.report(file, number)
            log, number = Log(error.line), number + 1
        finding = unreadable(error.line, error.reason)
        yield evolve(log.report(file, number), verdict="unread", findings=(*log.findings, finding))


def validate_file(path: Path | str, observe: Observer | None = None) -> Iterator[Report]:
    """Yield a report for each log of a file; what cannot be read gets the verdict `unread`.

    Args:
        path: The file; its name is told as UTF-8, what is none of it escaped.
        observe: Is called with every record found right, before the report of its log.
    """
    file = _as_unicode(str(path))
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - what opening raises is a report
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        yield unread(file, getattr(error, "strerror", None) or str(error))
        return
    with stream:
        yield from validate(stream, file, observe)


def unread(file: str, reason: str) -> Report:
    """Return what is said of a file that cannot be opened."""
    return evolve(Log(1).report(_as_unicode(file), 1), verdict="unread", findings=(unreadable(1, reason),))


def _as_unicode(file: str) -> str:
    """Return the name of a file, which need not be Unicode, as a report can tell it."""
    return file.encode("utf-8", "backslashreplace").decode()


def unreadable(line: int, reason: str) -> Finding:
    """Return the finding for a line that cannot be read."""
    return Finding(line, "$", "log/unreadable", "F-FILE-1", f"cannot be read: {reason}")


def require(report: Report, *, finished: bool = False, rules: str | None = None) -> Report:
    """Return a report with findings for what a caller requires beyond a right log; the verdict stays.

    Args:
        report: What is said of the log.
        finished: Whether its game has to be finished (`log/unfinished`).
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
    return evolve(report, findings=tuple(sorted((*lacks, *report.findings), key=lambda found: found.line)))


def _judge(log: Log, lines: Iterator[Line], observe: Observer | None) -> Line | None:
    """Read one log, up to its first fault; return the opening of the next one."""
    for line in lines:
        number, text, message, meta = line
        if log.is_closed and _name(line) == GameStarted.name:
            return line
        log.last_line = number
        if isinstance(message, tuple):
            return _next_opening(log, line, message, lines)
        try:
            events = log.accept(message)
        except REFUSALS as error:
            return _next_opening(log, line, reasons(error), lines)
        log.seal.add(text)
        if observe is not None:
            observe(Right(number, message, meta, Step(cast("Game", log.game), events)))
    return None


def reasons(error: Fault | InvalidSetup | IllegalCommand | Mismatch) -> tuple[Violation, ...]:
    """Return why a record is refused, one reason at least."""
    if isinstance(error, Fault):
        return error.faults
    return error.violations if isinstance(error, InvalidSetup) else (error.violation,)


def _next_opening(log: Log, line: Line, faults: tuple[Violation, ...], lines: Iterator[Line]) -> Line | None:
    """Note the faults of a line and skip the rest of its log; return the opening of the next one (F-LOG-6).

    An event log ends, right or wrong, where a `game-ended` or a seal stands; a command log has
    no last record of its own, so it ends at the next opening.
    """
    for fault in faults:
        log.findings.append(Finding(line[0], fault.path, fault.code, fault.rule, fault.message))
    name = _name(line)
    kind = log.kind or _KIND_OF_NAME.get(name)
    has_ended = log.is_closed or name in _LAST_NAMES
    for following in lines:
        name = _name(following)
        if name != GameStarted.name:
            has_ended = has_ended or name in _LAST_NAMES
            kind = kind or _KIND_OF_NAME.get(name)
        elif has_ended or kind == "command":
            return following
        elif log.findings[-1].code != "log/second-opening":
            message = "the log before it has neither ended nor been sealed: this one is not judged"
            log.findings.append(Finding(following[0], "$.type", "log/second-opening", "F-LOG-3", message))
    return None


def _name(line: Line) -> str:
    """Return the type that a line has, or seems to have where it is faulty; nothing where it has none."""
    _, text, message, _ = line
    if not isinstance(message, tuple):
        return message.name
    if message[0].code.startswith("text/"):  # no record, but it may have been one (F-LOG-6)
        found = _TYPE.search(text, 0, MAX_LINE)
        return found[1].decode("utf-8", "replace") if found else ""
    value = orjson.loads(text or b"null")
    name = value.get("type") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""
