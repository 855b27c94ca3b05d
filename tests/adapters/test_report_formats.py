"""Each format is right by its own grammar, whatever a file, a player or a field is called."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator  # type: ignore[import-untyped]  # its types are another package

from karuba_adapters import Finding, Report, chosen, finding_line, report_json, unread
from karuba_adapters.explanations import explanations
from karuba_adapters.findings import Verdict
from karuba_adapters.plain_text import printable
from karuba_adapters.report_formats import (
    github_annotations,
    json_lines,
    junit,
    sarif,
    text_lines,
)

DATA = Path(__file__).parents[1] / "data"
SARIF = Draft4Validator(json.loads((DATA / "sarif-2.1.0-rtm.5.json").read_bytes()))
JUNIT = xmlschema.XMLSchema(DATA / "junit-10.xsd")

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07",
    "a\nb",
    "a\r\n::error file=x::y",
    "::add-mask::secret",
    "::stop-commands::x\n",
    "100%0A::warning::z",
    "a,line=1,title=b",
    "a:b,c%d",
    "\"quoted' <&>]]><!--",
    "</testcase></testsuites>",
    "\u202etxt.exe\u2066\u200f",
    "\x00\x01\x08\x0b\x0c\x1f\x7f\x85\u2028",
    "\ufffe\uffff\U0001ffff",
    "小明 é \U0001f600",
    "\\udcff",
    "a b#c?d=e",
    "",
)
TEXT = st.one_of(st.sampled_from(HOSTILE), st.text(sorted({*"".join(HOSTILE)}), max_size=20))


def finding(
    code: str = "rule/cell-occupied", line: int = 3, path: str = "$.cell", message: str = "b3 is taken"
) -> Finding:
    return Finding(line, path, code, "R-PLACE-2", message)


def report(
    *findings: Finding,
    file: str = "a.jsonl",
    log: int = 1,
    verdict: Verdict | None = None,
    due: str | None = None,
) -> Report:
    return Report(
        file=file,
        log=log,
        first_line=1,
        last_line=9,
        verdict=verdict or ("invalid" if findings else "valid"),
        rules="official",
        records=2,
        due=due,
        is_sealed=False,
        findings=findings,
    )


UNREADABLE = Finding(1, "$", "log/unreadable", "F-FILE-1", "cannot be read: Permission denied")
CODES = st.sampled_from(["rule/cell-occupied", "text/not-json", "shape/missing-field", "log/unfinished"])
FINDINGS = st.builds(finding, CODES, st.integers(1, 10**6), TEXT, TEXT)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    findings = draw(st.lists(FINDINGS, max_size=4))
    verdict: Verdict = draw(
        st.sampled_from(["invalid", "unread", "incomplete"] if findings else ["valid", "incomplete"])
    )
    if verdict == "unread":
        findings.append(UNREADABLE)
    file = draw(TEXT.filter(bool))
    return report(*findings, file=file, log=draw(st.integers(1, 3)), verdict=verdict)


REPORTS = st.lists(reports(), max_size=5)


def hostile_reports() -> list[Report]:
    return [
        report(
            finding(path=f"$.{name}", message=name), finding("text/not-json", message=name), file=name or "x"
        )
        for name in HOSTILE
    ]


# GitHub annotations


def runner_reads(line: bytes) -> tuple[str, dict[str, str], str]:
    """Read one line of a log as the runner of GitHub Actions does: a command only at its beginning."""
    text = line.decode()
    assert text.startswith("::")
    head, _, message = text[2:].partition("::")
    command, _, properties = head.partition(" ")
    fields = dict(part.split("=", 1) for part in properties.split(","))

    def unescaped(value: str, escapes: tuple[tuple[str, str], ...]) -> str:
        for escape, char in escapes:
            value = value.replace(escape, char)
        return value

    data = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
    of_property = (*data[:2], ("%3A", ":"), ("%2C", ","), data[2])
    return (
        command,
        {name: unescaped(value, of_property) for name, value in fields.items()},
        unescaped(message, data),
    )


def check_github(told: Iterable[Report]) -> None:
    told = list(told)
    lines = b"".join(github_annotations(told)).split(b"\n")
    assert lines.pop() == b""
    pairs = [(each, one) for each in told for one in each.findings]
    for line, (each, one) in zip(lines, pairs, strict=True):
        assert line.decode().isprintable()
        command, properties, message = runner_reads(line)
        assert command == "error"
        assert list(properties) == ["file", "line", "title"]
        assert properties["file"] == printable(Path(each.file).as_posix())
        assert (properties["line"], properties["title"]) == (str(one.line), one.code)
        assert message.startswith(printable(one.message))
        assert message.endswith(f"({one.rule})")


def test_an_annotation_is_written_as_github_prescribes() -> None:
    told = report(finding(message="50% of: a,b\r\nc"), file="logs/a:b,c%.jsonl")
    assert b"".join(github_annotations([told])) == (
        b"::error file=logs/a%3Ab%2Cc%25.jsonl,line=3,title=rule/cell-occupied"
        b"::50%25 of: a,b\\r\\nc [$.cell] (R-PLACE-2)\n"
    )


def test_nothing_breaks_out_of_an_annotation() -> None:
    check_github(hostile_reports())


@given(REPORTS)
def test_every_annotation_is_read_back(told: list[Report]) -> None:
    check_github(told)


# SARIF


def check_sarif(told: Iterable[Report]) -> dict[str, Any]:
    told = list(told)
    document = json.loads(b"".join(sarif(told, "1.2.3")))
    SARIF.validate(document)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    pairs = [(each, one) for each in told for one in each.findings]
    assert sorted(ids) == sorted({one.code for _, one in pairs})
    for result, (each, one) in zip(run["results"], pairs, strict=True):
        assert result["ruleId"] == ids[result["ruleIndex"]] == one.code
        assert result["level"] == "error"
        assert result["message"]["text"].startswith(printable(one.message))
        assert result["message"]["text"].isprintable()
        (location,) = result["locations"]
        assert location["physicalLocation"]["region"]["startLine"] == one.line
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[\w.~/-]|%[0-9A-F]{2}|(?<=^file):)*", uri, re.ASCII), uri
        assert unquote(uri).removeprefix("file://") == Path(each.file).as_posix()
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] == all(each.verdict != "unread" for each in told)
    return run  # type: ignore[no-any-return]  # any JSON


def test_sarif_fits_its_schema_whatever_things_are_called() -> None:
    check_sarif([])
    check_sarif([report(), report(verdict="incomplete")])
    check_sarif(
        [*hostile_reports(), report(UNREADABLE, verdict="unread"), report(finding(), file="/a b/ü:c.jsonl")]
    )


@given(REPORTS)
def test_every_sarif_document_fits_its_schema(told: list[Report]) -> None:
    check_sarif(told)


def test_sarif_names_the_tool_and_the_place() -> None:
    run = check_sarif(
        [report(finding("text/not-json", 7, "$")), report(finding(), finding(), file="b c.jsonl", log=2)]
    )
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("karuba", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == ["text/not-json", "rule/cell-occupied"]
    result = run["results"][2]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "b%20c.jsonl"
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "$.cell"}]
    assert result["properties"] == {"log": 2, "rule": "R-PLACE-2"}


def test_sarif_tells_what_a_code_means() -> None:
    run = check_sarif([report(finding(), finding("made/up"))])
    known, unknown = run["tool"]["driver"]["rules"]
    explanation = explanations()["rule/cell-occupied"]
    assert known["shortDescription"] == {"text": explanation.means}
    assert known["fullDescription"]["text"].startswith(f"{explanation.means} R-PLACE-2: ")
    assert known["help"] == {"text": explanation.fix}
    assert unknown == {"id": "made/up"}


def test_what_sarif_tells_of_a_code_is_not_too_long_for_github() -> None:
    run = check_sarif([report(*map(finding, explanations()))])
    assert len(run["tool"]["driver"]["rules"]) == len(explanations())
    for rule in run["tool"]["driver"]["rules"]:
        assert max(len(rule[name]["text"]) for name in ("shortDescription", "fullDescription")) <= 1024


# JUnit


def check_junit(told: Iterable[Report]) -> ET.Element:
    told = list(told)
    text = b"".join(junit(told))
    JUNIT.validate(text.decode())
    root = ET.fromstring(text)  # noqa: S314 - we have just written it
    cases = list(root.iter("testcase"))
    for case, each in zip(cases, told, strict=True):
        assert (case.get("name"), case.get("classname")) == (f"log {each.log}", printable(each.file))
        tag = "error" if each.verdict == "unread" else "failure"
        if each.findings:
            assert {child.tag for child in case} == {tag}
            assert [child.get("type") for child in case] == [one.code for one in each.findings]
            assert [child.text for child in case] == [finding_line(each.file, one) for one in each.findings]
        else:
            assert [child.tag for child in case] == (["skipped"] if each.verdict == "incomplete" else [])
    for suite in root:
        tags = [case[0].tag if len(case) else "" for case in suite]
        counts = {"tests": len(tags)} | {
            name: tags.count(tag)
            for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
        }
        assert {name: int(str(suite.get(name))) for name in counts} == counts
    return root


def test_junit_fits_its_schema_whatever_things_are_called() -> None:
    check_junit([])
    check_junit([*hostile_reports(), report(UNREADABLE, verdict="unread")])


@given(REPORTS)
def test_every_junit_document_fits_its_schema(told: list[Report]) -> None:
    check_junit(told)


def test_junit_has_a_suite_for_each_file() -> None:
    told = [
        report(file="a.jsonl"),
        report(finding(), finding(), file="a.jsonl", log=2),
        report(file="b.jsonl", verdict="incomplete", due="round-ended"),
        report(UNREADABLE, file="c.jsonl", verdict="unread"),
    ]
    root = check_junit(told)
    assert [(suite.get("name"), len(suite)) for suite in root] == [
        ("a.jsonl", 2),
        ("b.jsonl", 1),
        ("c.jsonl", 1),
    ]
    assert root[1][0][0].get("message") == "the game is not finished: round-ended is due"
    assert [suite.get("failures") for suite in root] == ["1", "0", "0"]
    assert [suite.get("errors") for suite in root] == ["0", "0", "1"]


# Text and JSON


def test_a_line_of_text_is_the_same_with_colours_but_for_the_colours() -> None:
    def paint(text: str, style: str) -> str:
        return f"<{style}>{text}</>"

    told = [report(finding(), file="a\x1b.jsonl"), report(finding(path="$"))]
    plain, painted = list(text_lines(told)), list(text_lines(told, paint))
    assert plain[0] == "a\\x1b.jsonl:3: rule/cell-occupied: b3 is taken [$.cell] (R-PLACE-2)"
    assert painted[0] == (
        "<bold>a\\x1b.jsonl:3</>: <bold red>rule/cell-occupied</>: b3 is taken [$.cell] (R-PLACE-2)"
    )
    assert [re.sub("<.*?>", "", line) for line in painted] == plain


def test_json_has_its_keys_in_order_and_what_is_due() -> None:
    lines = b"".join(json_lines([report(due="round-ended", verdict="incomplete"), report(finding())]))
    first, second = (json.loads(line) for line in lines.splitlines())
    assert list(first) == ["file", "log", "first_line", "verdict", "rules", "records", "due", "findings"]
    assert (first["due"], second["due"]) == ("round-ended", None)
    assert list(second["findings"][0]) == ["line", "path", "code", "rule", "message"]


@given(REPORTS)
def test_every_line_of_json_is_a_report(told: list[Report]) -> None:
    lines = b"".join(json_lines(told)).split(b"\n")
    assert [json.loads(line) for line in lines[:-1]] == [report_json(each) for each in told]


# What is chosen


FOUND = report(
    finding("text/not-json"), finding("rule/no-way"), finding("rule/cell-held"), finding("log/unfinished")
)


@pytest.mark.parametrize(
    ("select", "ignore", "left"),
    [
        ((), (), "text/not-json rule/no-way rule/cell-held log/unfinished"),
        (("rule",), (), "rule/no-way rule/cell-held"),
        (("rule/no-way", "log"), (), "rule/no-way log/unfinished"),
        ((), ("rule",), "text/not-json log/unfinished"),
        ((), ("rule/no-way", "text"), "rule/cell-held log/unfinished"),
        (("rule",), ("rule/no-way",), "rule/cell-held"),
        (("rule/no-way",), ("rule",), ""),
        (("setup",), (), ""),
        (("rul", "rule/", "no-way"), (), ""),
    ],
)
def test_findings_are_chosen_by_code_or_family(
    select: tuple[str, ...], ignore: tuple[str, ...], left: str
) -> None:
    after = chosen(FOUND, select, ignore)
    assert [one.code for one in after.findings] == left.split()
    assert after.verdict == "invalid"


@pytest.mark.parametrize(("select", "ignore"), [(("rule",), ()), ((), ("log",)), ((), ("log/unreadable",))])
def test_what_cannot_be_read_is_told_in_any_case(select: tuple[str, ...], ignore: tuple[str, ...]) -> None:
    unread = report(finding("text/not-json"), UNREADABLE, verdict="unread")
    assert UNREADABLE in chosen(unread, select, ignore).findings


# Many findings

Writer = Callable[[Iterable[Report]], Iterator[bytes | str]]
WRITERS: dict[str, Writer] = {
    "text": text_lines,
    "json": json_lines,
    "github": github_annotations,
    "sarif": lambda told: sarif(told, "1"),
    "junit": junit,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_report_is_written_before_the_next_file_is_judged(name: str) -> None:
    judged = 0

    def judge() -> Iterator[Report]:
        nonlocal judged
        for judged in range(1, 101):
            yield report(finding(message=f"no {judged}."), file=f"{judged}.jsonl")

    for piece in WRITERS[name](judge()):
        written = piece if isinstance(piece, str) else piece.decode()
        if "no 3." in written:
            break
    assert judged <= (4 if name == "junit" else 3)  # it has to see that the next file begins


@pytest.mark.parametrize("check", [check_github, check_sarif, check_junit])
def test_thousands_of_findings_are_told(check: Callable[[Iterable[Report]], object]) -> None:
    many = [finding(line=line + 1, message=f"m{line}") for line in range(2_000)]
    check([report(*many), *(report(one, file=f"{one.line}.jsonl") for one in many)])


def test_json_moves_no_text_on_a_terminal() -> None:
    name = "a\x9b31m\u202eb\U000e0001.jsonl"
    (line,) = json_lines([unread(name, "gone")])
    assert line.decode()[:-1].isprintable()
    assert json.loads(line)["file"] == name
