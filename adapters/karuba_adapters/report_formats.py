"""Reports in the formats that people and other programs read: one pure writer a format.

Each takes reports and yields pieces of its document. Text, JSON lines and annotations hold one report
at a time; SARIF also remembers which codes it has seen, and JUnit the logs of one file, whose number
has to stand before them. What a log or a file is called can break out of none of them.
"""

import json
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import PurePath
from textwrap import shorten
from typing import Any, Final
from urllib.parse import quote

import orjson

from karuba_adapters.findings import Finding, Paint, Report, finding_line, report_json, said
from karuba_adapters.plain_text import printable

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"

_LONGEST_TEXT: Final = 1024  # GitHub takes no more
_GITHUB_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_GITHUB_PROPERTY: Final = _GITHUB_DATA | str.maketrans({":": "%3A", ",": "%2C"})


def text_lines(reports: Iterable[Report], paint: Paint | None = None) -> Iterator[str]:
    """Yield each finding as a line of text, without its line end."""
    for report in reports:
        for finding in report.findings:
            yield finding_line(report.file, finding, paint)


def json_lines(reports: Iterable[Report]) -> Iterator[bytes]:
    """Yield each report as one JSON object on a line."""
    for report in reports:
        yield _escaped(orjson.dumps(report_json(report), option=orjson.OPT_APPEND_NEWLINE))


def _escaped(line: bytes) -> bytes:
    """Return the same JSON with escapes for what could hide or move text on a terminal."""
    text = line.decode()
    if text[:-1].isprintable():
        return line
    return (
        "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text[:-1]).encode() + b"\n"
    )


def github_annotations(reports: Iterable[Report]) -> Iterator[bytes]:
    """Yield each finding as a workflow command of GitHub Actions, which shows it beside its line."""
    for report in reports:
        file = printable(PurePath(report.file).as_posix()).translate(_GITHUB_PROPERTY)
        for finding in report.findings:
            title = printable(finding.code).translate(_GITHUB_PROPERTY)
            message = said(finding).translate(_GITHUB_DATA)
            yield f"::error file={file},line={finding.line},title={title}::{message}\n".encode()


def sarif(reports: Iterable[Report], version: str) -> Iterator[bytes]:
    """Yield one SARIF 2.1.0 document; what it says of the run as a whole stands behind the results.

    Args:
        reports: What is said of the logs.
        version: The version of karuba.
    """
    rules: dict[str, int] = {}
    is_read = True
    yield b'{"$schema":%b,"version":"2.1.0","runs":[{"results":[' % orjson.dumps(SARIF_SCHEMA)
    before = b"\n"
    for report in reports:
        is_read = is_read and report.verdict != "unread"
        for finding in report.findings:
            rule = rules.setdefault(finding.code, len(rules))
            yield before + orjson.dumps(_result(report, finding, rule))
            before = b",\n"
    driver = {"name": "karuba", "version": version, "rules": [_rule(code) for code in rules]}
    yield b'\n],"tool":%b,"invocations":%b}]}\n' % (
        orjson.dumps({"driver": driver}),
        orjson.dumps([{"executionSuccessful": is_read}]),
    )


def _rule(code: str) -> dict[str, Any]:
    from karuba_adapters.explanations import explanations  # noqa: PLC0415 - of all formats, this one alone

    told = explanations().get(code)
    if told is None:
        return {"id": code}
    rules = [f"{text.rule}: {text.says}" for text in told.rules]
    return {
        "id": code,
        "shortDescription": {"text": told.means},
        "fullDescription": {
            "text": shorten(" ".join([told.means, *rules]), _LONGEST_TEXT, placeholder=" ...")
        },
        "help": {"text": told.fix},
    }


def _result(report: Report, finding: Finding, rule: int) -> dict[str, Any]:
    place = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(report.file)},
            "region": {"startLine": finding.line},
        },
        "logicalLocations": [{"fullyQualifiedName": printable(finding.path)}],
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": said(finding)},
        "locations": [place],
        "properties": {"log": report.log, "rule": finding.rule},
    }


def _uri(file: str) -> str:
    """Return the URI of a file, relative as its name is; what no URI may hold is percent-encoded."""
    path = PurePath(file.encode("utf-8", "backslashreplace").decode())
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def junit(reports: Iterable[Report]) -> Iterator[bytes]:
    """Yield one JUnit XML document: a test suite for each file, a test case for each log of it.

    A finding is a failure, and an error where the log cannot be read; a right log whose game is not
    finished is skipped.
    """
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="karuba">\n'
    for file, logs in groupby(reports, key=lambda report: report.file):
        cases, outcomes = [], Counter[str]()
        for report in logs:
            outcome = _outcome(report)
            outcomes[outcome] += 1
            cases.append(_case(report, outcome))
        head = ET.Element("testsuite", {"name": printable(file), "tests": str(len(cases))})
        for name, outcome in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            head.set(name, str(outcomes[outcome]))
        yield ET.tostring(head, "utf-8", short_empty_elements=False).replace(b"></testsuite>", b">\n")
        yield from cases
        yield b"</testsuite>\n"
    yield b"</testsuites>\n"


def _outcome(report: Report) -> str:
    if report.verdict == "unread":
        return "error"
    if report.findings:
        return "failure"
    return "skipped" if report.verdict == "incomplete" else "passed"


def _case(report: Report, outcome: str) -> bytes:
    file = printable(report.file)
    case = ET.Element("testcase", {"name": f"log {report.log}", "classname": file})
    for finding in report.findings:
        inside = ET.SubElement(case, outcome, {"type": printable(finding.code), "message": said(finding)})
        inside.text = finding_line(report.file, finding)
    if outcome == "skipped":
        due = f": {report.due} is due" if report.due else ""
        ET.SubElement(case, outcome, {"message": f"the game is not finished{due}"})
    case.tail = "\n"
    text: bytes = ET.tostring(case, "utf-8")
    return text
