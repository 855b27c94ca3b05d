"""A piece of a stream, judged as if a log began where it begins, and whether that was right.

Where the log before a piece turns out to go on in it (F-LOG-3, F-LOG-6), that log is judged again with what
follows, up to where both readings begin a log at the same line: from there on they agree, since a log is
judged by its own lines alone.
"""

import io
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import evolve, frozen

from karuba_adapters.findings import Report
from karuba_adapters.judging import Reading, validate

_MOST: Final = 20_000  # logs and findings
_PROBE: Final = b'{"type":"game-started"}\n'


@frozen
class Outcome:
    """What is said of a piece.

    Attributes:
        reports: Of the logs that end in it, numbered as if nothing stood before.
        lines: How many lines it has.
        open_line: The first line of a log at its end that may go on beyond it.
    """

    reports: list[Report]
    lines: int
    open_line: int | None


def judge_piece(data: bytes, is_last: bool, reading: Reading) -> Outcome | None:
    """Return what is said of a piece that ends with a line feed, or of the last one; None if it is too much.

    Whether its last log goes on is told by an opening put behind it: does it begin a log of its own?
    """
    reports = listed(_judged(data, is_last, reading))
    return None if reports is None else _outcome(reports, data.count(b"\n"), is_last)


def listed(reports: Iterable[Report]) -> list[Report] | None:
    """Return reports in a list, or nothing where they are too many to be sent.

    A small archive may hold any number of logs, and a log has up to a thousand findings.
    """
    taken, size = list[Report](), 0
    for report in reports:
        taken.append(report)
        size += 1 + len(report.findings)
        if size > _MOST:
            return None
    return taken


def _judged(data: bytes, is_last: bool, reading: Reading) -> Iterator[Report]:
    return validate(io.BytesIO(data if is_last else data + _PROBE), **reading)


def _outcome(reports: list[Report], lines: int, is_last: bool) -> Outcome:
    if is_last:
        return Outcome(reports, lines, None)
    last = reports.pop()
    return Outcome(reports, lines, None if last.first_line > lines else last.first_line)


def joined(before: bytes, data: bytes, is_last: bool, outcome: Outcome, reading: Reading) -> Outcome:
    """Return what is said of a log left open and a piece after it, of which alone the outcome is known."""
    shift = before.count(b"\n")
    begun = {report.first_line + shift: place for place, report in enumerate(outcome.reports)}
    reports: list[Report] = []
    for report in _judged(before + data, is_last, reading):
        place = begun.get(report.first_line)
        if place is not None:
            agreed = (
                moved(known, report.file, shift, len(reports) - place) for known in outcome.reports[place:]
            )
            goes_on = None if outcome.open_line is None else outcome.open_line + shift
            return Outcome([*reports, *agreed], outcome.lines + shift, goes_on)
        reports.append(report)
    return _outcome(reports, outcome.lines + shift, is_last)


def moved(report: Report, file: str, lines: int, logs: int) -> Report:
    """Return a report of a log before which stand more lines and logs than its judge knew."""
    return evolve(
        report,
        file=file,
        log=report.log + logs,
        first_line=report.first_line + lines,
        last_line=report.last_line + lines,
        findings=tuple(evolve(finding, line=finding.line + lines) for finding in report.findings),
    )
