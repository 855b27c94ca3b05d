"""What is said of the finding codes fits sources and specification, and every example gets its code."""

import re
from pathlib import Path

import pytest

import karuba_adapters
from karuba_adapters.explanations import (
    Example,
    RuleText,
    explain,
    explanation_json,
    explanations,
    rule_texts,
    similar,
)
from tests.spec.rule_texts import rule_texts as texts_of_spec
from tests.spec.written import CODE, ROOT, RULE, clauses, rules, unasked

KNOWN = explanations()
CODES = {code for row in (*rules(), *clauses()) for code in row.codes}
EXAMPLES = {code: told.example for code, told in KNOWN.items() if isinstance(told.example, Example)}


def raised() -> set[str]:
    """Return the codes that stand in quotes in the sources: whatever a finding may have."""
    files = (file for folder in ("karuba_core", "adapters", "cli") for file in (ROOT / folder).rglob("*.py"))
    return {code for file in files for code in re.findall(rf'"({CODE.pattern})"', file.read_text("utf-8"))}


# All of them, and nothing else


def test_every_code_that_is_raised_is_explained_and_no_other() -> None:
    assert KNOWN.keys() == raised() == CODES


def test_the_sentences_are_those_of_the_specification() -> None:
    file = Path(karuba_adapters.__file__).parent / "rules.json"
    assert file.read_bytes().decode() == texts_of_spec(), "python -m tests.spec.generate writes it anew"


def test_every_rule_and_clause_has_its_row() -> None:
    found = [(text.rule, text.chapter, text.says, text.codes) for text in rule_texts().values()]
    assert found == [(row.rule, row.chapter, row.says, row.codes) for row in (*rules(), *clauses())]


@pytest.mark.parametrize("code", KNOWN)
def test_an_explanation_is_short_and_cites_what_there_is(code: str) -> None:
    told = KNOWN[code]
    text = f"{told.means} {told.fix} {told.example if isinstance(told.example, str) else ''}"
    assert len(told.means) <= 100
    assert len(told.fix) <= 300
    assert all(re.fullmatch(r"[^\n]+[.]", part) for part in (told.means, told.fix))
    assert {*CODE.findall(text)} <= KNOWN.keys() - {code}
    assert {*RULE.findall(text)} <= rule_texts().keys()
    assert [rule.rule for rule in told.rules] == [
        row.rule for row in (*rules(), *clauses()) if code in row.codes
    ]


# The examples


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_last_line_of_an_example_gets_its_code(code: str) -> None:
    example = EXAMPLES[code]
    found = [(finding.code, finding.line) for finding in example.findings()]
    assert found == [(code, example.log.count("\n"))]


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_is_right_but_for_its_last_line(code: str) -> None:
    """So the code is the example's own: what it comes after, and what is required, does no harm."""
    example = EXAMPLES[code]
    before = "".join(example.log.splitlines(keepends=True)[:-1])
    if example.opening:
        assert Example(example.opening, before, example.encoding, {}).findings() == ()
    else:
        assert before == "" or code == "rule/must-collect"


def test_an_example_is_lacking_only_where_a_log_cannot_show_it() -> None:
    """What a vector can ask, an example can show, but for what takes a whole game or no log at all."""
    long_or_no_log = {"log/after-end", "rule/game-over", "rule/event-due", "text/too-deep"}
    assert KNOWN.keys() - EXAMPLES.keys() == ({*unasked()} - {"log/unsealed"}) | long_or_no_log


# Looking up


def test_a_code_a_rule_and_a_clause_are_explained() -> None:
    assert explain("rule/cell-occupied") is KNOWN["rule/cell-occupied"]
    for name, code in (("R-PLACE-2", "rule/cell-occupied"), ("F-TEXT-4", "text/doubled-key")):
        told = explain(name)
        assert isinstance(told, RuleText)
        assert told.codes == (code,)
    assert [text.rule for text in KNOWN["rule/unknown-cell"].rules] == ["R-PLACE-1", "R-MOVE-4"]


@pytest.mark.parametrize("name", ["", "rule", "rule/", "rule/cell-ocupied", "R-PLACE", "opening"])
def test_nothing_else_is_explained(name: str) -> None:
    with pytest.raises(KeyError):
        explain(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("rule/cell-ocupied", "rule/cell-occupied"),
        ("cell-held", "rule/cell-held"),
        ("RULE/NO-WAY", "rule/no-way"),
        ("text/double-key", "text/doubled-key"),
        ("r-place-2", "R-PLACE-2"),
        ("f-text-4", "F-TEXT-4"),
    ],
)
def test_what_may_have_been_meant_is_found(name: str, meant: str) -> None:
    assert similar(name)[0] == meant


@pytest.mark.parametrize("name", ["", "?", "x" * 1_000_000])
def test_what_is_like_nothing_has_nothing_similar(name: str) -> None:
    assert similar(name) == []


# As JSON


def test_an_explanation_has_a_json_form() -> None:
    form = explanation_json(KNOWN["text/not-utf8"])
    example = form.pop("example")
    assert form == {
        "code": "text/not-utf8",
        "means": "The line has bytes that are not UTF-8.",
        "fix": KNOWN["text/not-utf8"].fix,
        "rules": [{"rule": "F-TEXT-2", "says": rule_texts()["F-TEXT-2"].says}],
    }
    assert example["log"].endswith('{"type":"draw","tile":7,"meta":{"by":"José"}}\n')
    assert (example["encoding"], example["required"]) == ("latin-1", {})
    assert [(found["line"], found["code"]) for found in example["findings"]] == [(2, "text/not-utf8")]
    assert explanation_json(KNOWN["log/other-rules"])["example"]["required"] == {"rules": "seed-001"}
    lacking = explanation_json(KNOWN["log/unreadable"])
    assert (lacking["example"], lacking["no_example"]) == (None, KNOWN["log/unreadable"].example)


def test_a_rule_has_a_json_form() -> None:
    assert explanation_json(rule_texts()["R-PLACE-2"]) == {
        "rule": "R-PLACE-2",
        "chapter": "Place",
        "says": rule_texts()["R-PLACE-2"].says,
        "codes": ("rule/cell-occupied",),
    }
