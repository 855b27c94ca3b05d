"""What is said of a log: one report a log, with a finding for each fault."""

from typing import Any, Literal

from attrs import frozen

from karuba_adapters.plain_text import printable

Verdict = Literal["valid", "incomplete", "invalid", "unread"]


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


def finding_line(file: str, finding: Finding) -> str:
    """Return a finding as one line of text.

    >>> finding_line("a.jsonl", Finding(17, "$.cell", "rule/cell-occupied", "R-PLACE-2", "b3 is taken"))
    'a.jsonl:17: rule/cell-occupied: b3 is taken [$.cell] (R-PLACE-2)'
    """
    place = "" if finding.path == "$" else f" [{finding.path}]"
    return printable(f"{file}:{finding.line}: {finding.code}: {finding.message}{place} ({finding.rule})")
