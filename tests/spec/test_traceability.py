"""No hole between rules, model, kernel and tests; and nothing cites what is not written down.

That every rule and code has its vectors, `test_vectors.py` sees.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.spec.citations import (
    Citations,
    cited_by,
    cited_by_code,
    cited_by_model,
    cited_by_scenarios,
    cited_by_tests,
)
from tests.spec.written import CODE, DECISION, ROOT, RULE, SPEC, Row, clauses, rules

RULES, CLAUSES = rules(), clauses()
WRITTEN = {row.rule: {*row.codes} for row in (*RULES, *CLAUSES)}
CODES = set[str]().union(*WRITTEN.values())
DECISIONS = {*re.findall(r"^## (D-[0-9]+)$", (SPEC / "decisions.md").read_text("utf-8"), re.MULTILINE)}
PACKAGES = ("karuba_core", "adapters", "cli")
SOURCES = [file for folder in PACKAGES for file in sorted((ROOT / folder).rglob("*.py"))]
JUDGE = sorted(SPEC.glob("judge/*.js"))
CITING = sorted(
    {
        *SOURCES,
        *JUDGE,
        *ROOT.glob("*.md"),
        *(path for path in ROOT.glob("docs/**/*.*") if path.suffix not in (".png", ".pyc")),
        *ROOT.glob("tests/**/*.py"),
        *SPEC.glob("*.md"),
        *SPEC.glob("model/*.*"),
        *SPEC.glob("*/README.md"),
        *SPEC.glob("model/positions/*.md"),
        *SPEC.glob("schema/*.json"),
        *SPEC.glob("vectors/*.json"),
    }
)
"""All that may cite a rule, clause, code or decision."""


def without(found: Citations, rows: Iterable[Row]) -> list[str]:
    """Return the rules or clauses that nothing cites."""
    return [row.rule for row in rows if not found.get(row.rule)]


def quoted_codes(files: Iterable[Path]) -> set[str]:
    """Return the finding codes that stand in quotes."""
    return {
        code
        for file in files
        for code in re.findall(rf"""["']({CODE.pattern})["']""", file.read_text("utf-8"))
    }


# Every rule and clause


def test_every_rule_and_clause_has_one_row_and_a_sentence() -> None:
    assert len(WRITTEN) == len(RULES) + len(CLAUSES)
    assert [row.rule for row in (*RULES, *CLAUSES) if not re.fullmatch(r"\W*\w.*\.", row.says)] == []


def test_every_rule_is_modelled_and_shown_by_a_scenario() -> None:
    assert without(cited_by_model(), RULES) == []
    assert without(cited_by_scenarios(), RULES) == []


def test_every_rule_is_cited_in_the_kernel_and_every_clause_in_the_sources() -> None:
    assert without(cited_by_code("karuba_core"), RULES) == []
    assert without(cited_by_code(*PACKAGES), CLAUSES) == []


def test_every_rule_and_clause_is_cited_by_a_test() -> None:
    assert without(cited_by_tests(), (*RULES, *CLAUSES)) == []


def test_a_table_counts_only_for_a_test_that_takes_what_it_tells(tmp_path: Path) -> None:
    module = tmp_path / "test_some.py"
    module.write_text('''"""R-MOVE-1."""
ROWS = [("a", "R-MOVE-2")]
def helper(): "R-MOVE-3"
def test_told(name, rule): ROWS
def test_listed(name): ROWS, helper
''')
    assert [*cited_by(module)] == [("test_told", {"R-MOVE-2"}), ("test_listed", {"R-MOVE-3"})]


# Every finding code


def test_every_code_has_a_rule_or_clause_and_every_written_code_is_raised() -> None:
    assert quoted_codes(SOURCES) == CODES
    converting = {"log/meta-without-place", "log/unmapped"}
    converting |= {"notation/header", "notation/unexpected", "notation/wrong-round"}
    asked_for = {"log/unsealed", "log/rules-not-judged", "log/more-findings"}
    limits = {"log/too-many-records", "text/too-many-digits"}
    assert quoted_codes(JUDGE) == CODES - converting - asked_for - limits  # that program has none of these


def test_every_code_is_named_by_a_test() -> None:
    assert cited_by_tests().keys() >= CODES


@pytest.mark.parametrize("files", [SOURCES, JUDGE], ids=["kernel", "judge"])
def test_code_and_rule_go_together_as_written(files: list[Path]) -> None:
    """Where a program names a finding code and a rule side by side, the specification does."""
    side_by_side = rf"""["']({CODE.pattern})["'],?:?\s*["']({RULE.pattern})["']"""
    pairs = [pair for file in files for pair in re.findall(side_by_side, file.read_text("utf-8"))]
    assert len(pairs) > 40
    assert [(code, rule) for code, rule in pairs if code not in WRITTEN[rule]] == []


# Nothing else


@pytest.mark.parametrize("file", CITING, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_is_cited_is_written_down(file: Path) -> None:
    text = file.read_text("utf-8")
    assert {*RULE.findall(text)} <= WRITTEN.keys()
    assert {*DECISION.findall(text)} <= DECISIONS
    if file.suffix != ".py" or file in SOURCES:  # a test may make a code up
        assert {*CODE.findall(text)} <= CODES
