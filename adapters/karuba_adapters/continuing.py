"""Recorded games that go on by commands; of several commands all are right, or none is taken."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from karuba_adapters.codec import Message, Seal, encode
from karuba_adapters.findings import Finding
from karuba_adapters.judging import REFUSALS, Right, reasons
from karuba_adapters.log_files import Line
from karuba_adapters.log_order import KINDS, Log, misplaced
from karuba_adapters.records import Meta
from karuba_core import Event, GameStarted, Violation, settle
from karuba_core.table import table_of


@frozen
class Continuation:
    """What becomes of a log by some commands.

    Attributes:
        lines: All its lines, those that were there first and as they stood; none where a command is refused.
        findings: Why the first command is refused that is, at its own line.
    """

    lines: tuple[bytes, ...] = ()
    findings: tuple[Finding, ...] = ()


def are_commands(records: Sequence[Right]) -> bool:
    """Return whether the records of a log are commands; an opening alone may become either."""
    return any(KINDS[type(right.message)] == "command" for right in records)


def whole_lines(records: Sequence[Right]) -> list[bytes]:
    """Return the lines of a log as they stand; a line feed that the last one lacks is added."""
    *lines, last = (right.text for right in records)
    return [*lines, last if last.endswith(b"\n") else last + b"\n"]


def continued(records: Sequence[Right], commands: Iterable[Line]) -> Continuation:
    r"""Return a log that goes on by commands, or why it does not.

    What is due comes first. A log of events goes on with the events that the commands yield, one of
    commands with the commands; each `meta` goes along. A line feed that the last line lacks is added.

    Args:
        records: All records of the log, found right, its opening first.
        commands: The lines that hold the commands, as they were read.

    >>> import io
    >>> from karuba_adapters import validate
    >>> from karuba_adapters.decks import opening
    >>> from karuba_adapters.judging import read_lines
    >>> from karuba_core import preset, start
    >>> log, rights = encode(*start(opening(("ana", "ben"), 7, preset("official", 2))).events), []
    >>> reports = list(validate(io.BytesIO(log), observe=rights.append))
    >>> draw = b'{"type":"draw","tile":5,"meta":{"at":3}}\n'
    >>> continued(rights, read_lines(io.BytesIO(draw))).lines[1:]
    (b'{"type":"tile-drawn","round":1,"tile":5,"meta":{"at":3}}\n',)
    >>> twice = continued(rights, read_lines(io.BytesIO(draw * 2)))
    >>> [(found.line, found.code) for found in twice.findings]
    [(2, 'rule/round-open')]
    """
    last = records[-1]
    is_sealed = isinstance(last.message, Seal)
    settled = last.step if is_sealed else settle(last.step.game)
    takes_commands = are_commands(records)
    lines = whole_lines(records)
    lines += map(encode, settled.events)  # none in a log of commands
    is_closed = is_sealed or settled.game.phase == "over"
    log = Log(1, table=table_of(settled.game), kind="command", is_closed=is_closed, is_sealed=is_sealed)
    for number, _, message, meta in commands:
        if isinstance(message, tuple):
            return Continuation(findings=_found(number, message))
        try:
            events = _accepted(log, message)
            lines += [encode(message, meta)] if takes_commands else _written(events, meta)
        except REFUSALS as error:
            return Continuation(findings=_found(number, reasons(error)))
    return Continuation(tuple(lines))


def _accepted(log: Log, message: Message) -> tuple[Event, ...]:
    """Take a command where it may stand and the rules allow it; openings and seals belong to other logs."""
    if isinstance(message, GameStarted | Seal):
        raise misplaced("log/mixed-kinds", "F-LOG-5", f"expected a command, got {message.name}")
    return log.accept(message)


def _written(events: Iterable[Event], meta: Meta) -> Iterator[bytes]:
    """Yield the lines of a command's event, which keeps its `meta` (F-META-2), and of what follows."""
    for event in events:
        yield encode(event, meta)
        meta = None


def _found(line: int, faults: Iterable[Violation]) -> tuple[Finding, ...]:
    return tuple(Finding(line, fault.path, fault.code, fault.rule, fault.message) for fault in faults)
