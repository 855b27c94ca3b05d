"""What is written down in spec/: the rules, the clauses of the log format, and the vectors."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from attrs import frozen

ROOT: Final = Path(__file__).parents[2]
SPEC: Final = ROOT / "spec"
RULE: Final = re.compile(r"\b[RFN]-[A-Z]+-[0-9]+\b")
CODE: Final = re.compile(r"\b(?:text|shape|log|notation|setup|rule|mismatch)/[a-z]+(?:-[a-z0-9]+)*\b")
DECISION: Final = re.compile(r"\bD-[0-9]+\b")

Vector = dict[str, Any]


# Rules and clauses


@frozen
class Row:
    """A rule or a clause as the specification has it.

    Attributes:
        rule: Its id.
        chapter: The heading above it.
        says: Its sentence.
        sources: Who says so, of a rule.
        sure: How sure it is, of a rule.
        decisions: The decisions about it, D-….
        codes: What a finding about it is called.
    """

    rule: str
    chapter: str
    says: str
    sources: str
    sure: str
    decisions: tuple[str, ...]
    codes: tuple[str, ...]


@cache
def rows(page: str) -> tuple[Row, ...]:
    """Return the rows of the rules, or of the clauses, of a page of the specification."""
    found, chapter = list[Row](), ""
    for line in (SPEC / page).read_text("utf-8").splitlines():
        if line.startswith("## "):
            chapter = line.removeprefix("## ")
        elif re.match(rf"\| {RULE.pattern} \|", line):
            rule, says, *of_a_rule, codes = (cell.strip() for cell in line.strip("|").split("|"))
            _, sources, sure = of_a_rule or ("", "", "")
            decisions = (*DECISION.findall(line),)
            found.append(Row(rule, chapter, says, sources, sure, decisions, (*CODE.findall(codes),)))
    return (*found,)


def rules() -> tuple[Row, ...]:
    """Return the rules of the game."""
    return rows("rules.md")


def clauses() -> tuple[Row, ...]:
    """Return the clauses of the log format and of the notation."""
    return (*rows("log-format.md"), *rows("notation.md"))


# The vectors


@cache
def vector_files() -> dict[str, Any]:
    """Return the files of vectors by their topics."""
    return {file.stem: json.loads(file.read_bytes()) for file in sorted(SPEC.glob("vectors/*.json"))}


def vectors() -> list[Vector]:
    """Return all vectors."""
    return [vector for file in vector_files().values() for vector in file["vectors"]]


def accepting(rule: str) -> list[str]:
    """Return the vectors of a rule or clause that are answered without a code."""
    return [vector["id"] for vector in vectors() if vector["rule"] == rule and "code" not in vector["then"]]


def refusing(rule: str) -> list[str]:
    """Return the vectors of a rule or clause that are answered with a code."""
    return [vector["id"] for vector in vectors() if vector["rule"] == rule and "code" in vector["then"]]


def raising(code: str) -> list[str]:
    """Return the vectors, of any rule, that are answered with a code."""
    return [vector["id"] for vector in vectors() if vector["then"].get("code") == code]


def unasked() -> dict[str, str]:
    """Return the codes that no vector asks for, and why."""
    return {
        entry["code"]: entry["why"] for file in vector_files().values() for entry in file.get("unasked", [])
    }
