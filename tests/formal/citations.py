"""Who cites a rule, a clause of the log format or a finding code: model, kernel, tests, vectors."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from attrs import frozen

ROOT: Final = Path(__file__).parents[2]
SPEC: Final = ROOT / "spec"
RULE: Final = re.compile(r"\b[RF]-[A-Z]+-[0-9]+\b")
CODE: Final = re.compile(r"\b(?:text|shape|log|setup|rule|mismatch)/[a-z]+(?:-[a-z0-9]+)*\b")
DECISION: Final = re.compile(r"\bD-[0-9]+\b")

Citations = Mapping[str, Sequence[str]]
"""From a rule, clause or code to the names that cite it; first those that cite few others."""


# The specification


@frozen
class Row:
    """A rule or a clause as the specification has it.

    Attributes:
        rule: Its id.
        chapter: The heading above it.
        says: Its sentence.
        decisions: The decisions about it, D-….
        codes: What a finding about it is called.
    """

    rule: str
    chapter: str
    says: str
    decisions: tuple[str, ...]
    codes: tuple[str, ...]


def rows(page: str) -> list[Row]:
    """Return the rows of the rules, or of the clauses, of a page of the specification."""
    found, chapter = [], ""
    for line in (SPEC / page).read_text("utf-8").splitlines():
        if line.startswith("## "):
            chapter = line.removeprefix("## ")
        elif re.match(rf"\| {RULE.pattern} \|", line):
            rule, says, *_, codes = (cell.strip() for cell in line.strip("|").split("|"))
            decisions = (*DECISION.findall(line),)
            found.append(Row(rule, chapter, says, decisions, (*CODE.findall(codes),)))
    return found


def rules() -> list[Row]:
    """Return the rules of the game."""
    return rows("rules.md")


def clauses() -> list[Row]:
    """Return the clauses of the log format."""
    return rows("log-format.md")


# Who cites what


def ids(text: str) -> set[str]:
    """Return the rules, clauses and codes that a text cites.

    A range is all that is in it; what stands in backquotes is an example.

    >>> sorted(ids("R-MOVE-2 to R-MOVE-4, `R-END-1`: rule/no-way"))
    ['R-MOVE-2', 'R-MOVE-3', 'R-MOVE-4', 'rule/no-way']
    """
    text = re.sub(rf"`(?:{RULE.pattern}|{CODE.pattern})`", "", text)
    cited = {*RULE.findall(text), *CODE.findall(text)}
    for topic, first, last in re.findall(r"\b([RF]-[A-Z]+-)([0-9]+) to \1([0-9]+)\b", text):
        cited.update(f"{topic}{number}" for number in range(int(first), int(last)))
    return cited


def citations(cited: Iterable[tuple[str, set[str]]]) -> Citations:
    """Turn names with what they cite into what is cited with its names."""
    found: dict[str, list[str]] = {}
    for name, named in sorted(cited, key=lambda pair: len(pair[1])):
        for rule in named:
            if name not in found.setdefault(rule, []):
                found[rule].append(name)
    return found


def _doc_comments(files: Iterable[Path], definition: str) -> Iterator[tuple[str, set[str]]]:
    """Yield each definition of a model below a doc comment, with what the comment cites."""
    for file in files:
        text = file.read_text("utf-8")
        for comment, name in re.findall(rf"^((?: *///.*\n)+) *{definition} (\w+)", text, re.MULTILINE):
            yield name, ids(comment)


@cache
def cited_by_model() -> Citations:
    """Return the definitions of the model by the rules that they state."""
    files = sorted(file for file in SPEC.glob("model/*.qnt") if file.stem != "scenarios")
    return citations(_doc_comments(files, r"(?:pure def|pure val|def|val|action)"))


@cache
def cited_by_scenarios() -> Citations:
    """Return the scenarios of the model by the rules that they show."""
    return citations(_doc_comments(SPEC.glob("model/scenarios.qnt"), "run"))


@frozen
class Part:
    """A function, class or table of a module, or its docstring, which has no name.

    Attributes:
        name: What it is called.
        text: Its lines, with the comments above and the docstring of a constant below.
        uses: All names in it.
    """

    name: str
    text: str
    uses: frozenset[str]


def parts(module: Path) -> list[Part]:
    """Return the parts of a module, the comments at its end left out."""
    source = module.read_text("utf-8")
    lines, found, end = source.splitlines(), list[Part](), 0
    for node in ast.parse(source).body:
        text = "\n".join(lines[end : node.end_lineno])
        end = node.end_lineno or end
        if found and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            last = found.pop()
            found.append(Part(last.name, f"{last.text}\n{text}", last.uses))
        else:
            uses = frozenset(name.id for name in ast.walk(node) if isinstance(name, ast.Name))
            found.append(Part(_name(node), text, uses))
    return found


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _modules(*folders: str, pattern: str = "*.py") -> list[Path]:
    return [module for folder in folders for module in sorted((ROOT / folder).rglob(pattern))]


@cache
def cited_by_code(*folders: str) -> Citations:
    """Return the functions, classes and tables below some folders by what they cite, as `module.name`."""
    return citations(
        (f"{module.stem}.{part.name}".rstrip("."), ids(part.text))
        for module in _modules(*folders)
        for part in parts(module)
    )


@cache
def cited_by_tests() -> Citations:
    """Return the tests by what they cite, in their own lines or in the tables and helpers that they use.

    Those of the formal model do not count, nor those to which a rule is but a word.
    """
    words = {"test_traceability", "test_vectors", "test_vector_runners"}
    modules = _modules("tests/core", "tests/adapters", "tests/cli", pattern="test_*.py")
    modules += sorted(file for file in ROOT.glob("tests/test_*.py") if file.stem not in words)
    return citations(pair for module in modules for pair in _tests(parts(module)))


def _tests(module: list[Part]) -> Iterator[tuple[str, set[str]]]:
    by_name = {part.name: part for part in module}
    for test in module:
        if test.name.startswith("test_"):
            used, further = set[str](), {test.name}
            while further:
                used |= further
                further = {name for part in further for name in by_name[part].uses if name in by_name} - used
            yield test.name, set().union(*(ids(by_name[name].text) for name in used))


# The vectors


@cache
def _vector_files() -> list[dict[str, Any]]:
    return [json.loads(file.read_bytes()) for file in sorted(SPEC.glob("vectors/*.json"))]


def _vectors() -> list[dict[str, Any]]:
    return [vector for file in _vector_files() for vector in file["vectors"]]


def accepting(rule: str) -> list[str]:
    """Return the vectors of a rule or clause that are answered without a code."""
    return [vector["id"] for vector in _vectors() if vector["rule"] == rule and "code" not in vector["then"]]


def refusing(rule: str) -> list[str]:
    """Return the vectors of a rule or clause that are answered with a code."""
    return [vector["id"] for vector in _vectors() if vector["rule"] == rule and "code" in vector["then"]]


def raising(code: str) -> list[str]:
    """Return the vectors, of any rule, that are answered with a code."""
    return [vector["id"] for vector in _vectors() if vector["then"].get("code") == code]


def unasked() -> dict[str, str]:
    """Return the codes that no vector asks for, and why."""
    return {entry["code"]: entry["why"] for file in _vector_files() for entry in file.get("unasked", [])}
