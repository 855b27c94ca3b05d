"""What is said of a log: one report a log, with a finding for each fault."""

from collections.abc import Callable, Collection
from typing import Any, Literal

from attrs import evolve, frozen

from karuba_adapters.plain_text import printable

Verdict = Literal["valid", "incomplete", "invalid", "unread"]

Paint = Callable[[str, str], str]
"""Gives a text a style, such as `bold red`; the text itself stays."""


@frozen
class Finding:
    """One fault and its place.

    Attributes:
        line: The line of the file, 1 for the first.
        path: The JSON path of the field at fault in the record, `$` for all of it.
        code: A stable slug such as `rule/cell-occupied`.
        rule: The rule or the clause of the log format, such as `R-PLACE-2` or `F-TEXT-4`.
        message: What stood there and what would have been right.
    """

    line: int
    path: str
    code: str
    rule: str
    message: str


@frozen
class Report:
    """What is said of one log.

    Attributes:
        file: The name of the file, `-` for standard input.
        log: Which log of the file, 1 for the first.
        first_line: The line of its opening.
        last_line: The line of its last record, or of its first fault.
        verdict: What the log is under the rules that it declares.
        rules: The preset that it declares, or `"custom"`; None where its opening was not right.
        records: How many of its records, from the opening on, were found right.
        due: The name of the event that is due after them, if any.
        is_sealed: Whether a right seal ends it.
        findings: Its faults by line, and what a caller required and it lacks.
    """

    file: str
    log: int
    first_line: int
    last_line: int
    verdict: Verdict
    rules: str | None
    records: int
    due: str | None
    is_sealed: bool
    findings: tuple[Finding, ...]


def report_json(report: Report) -> dict[str, Any]:
    """Return a report in its JSON form, ready to be written as one object."""
    return {
        "file": report.file,
        "log": report.log,
        "first_line": report.first_line,
        "verdict": report.verdict,
        "rules": report.rules,
        "records": report.records,
        "due": report.due,
        "findings": [
            {
                "line": finding.line,
                "path": finding.path,
                "code": finding.code,
                "rule": finding.rule,
                "message": finding.message,
            }
            for finding in report.findings
        ],
    }


def chosen(report: Report, select: Collection[str] = (), ignore: Collection[str] = ()) -> Report:
    """Return a report with the findings that somebody wants to see; the verdict stays.

    What cannot be read is told in any case: nobody knows what findings there are beyond it.

    Args:
        report: What is said of the log.
        select: Codes such as `rule/cell-occupied` and families such as `rule`; none stands for all.
        ignore: Codes and families that are left out, selected or not.
    """

    def is_wanted(code: str) -> bool:
        names = {code, code.partition("/")[0]}
        return code == "log/unreadable" or (
            (not select or not names.isdisjoint(select)) and names.isdisjoint(ignore)
        )

    return evolve(report, findings=tuple(finding for finding in report.findings if is_wanted(finding.code)))


def said(finding: Finding) -> str:
    """Return what a finding says, with its JSON path and its rule, fit to be shown.

    >>> said(Finding(17, "$.cell", "rule/cell-occupied", "R-PLACE-2", "b3 is taken"))
    'b3 is taken [$.cell] (R-PLACE-2)'
    """
    place = "" if finding.path == "$" else f" [{finding.path}]"
    return printable(f"{finding.message}{place} ({finding.rule})")


def finding_line(file: str, finding: Finding, paint: Paint | None = None) -> str:
    """Return a finding as one line of text.

    Args:
        file: The name of its file.
        finding: What is told.
        paint: Marks its place and its code for a terminal.

    >>> finding_line("a.jsonl", Finding(17, "$.cell", "rule/cell-occupied", "R-PLACE-2", "b3 is taken"))
    'a.jsonl:17: rule/cell-occupied: b3 is taken [$.cell] (R-PLACE-2)'
    """
    place, code = printable(f"{file}:{finding.line}"), printable(finding.code)
    if paint is not None:
        place, code = paint(place, "bold"), paint(code, "bold red")
    return f"{place}: {code}: {said(finding)}"
