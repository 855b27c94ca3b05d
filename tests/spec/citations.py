"""Who cites a rule, a clause of the log format or a finding code: model, kernel, tests."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

from tests.spec.written import CODE, ROOT, RULE, SPEC

TOLD: Final = {"code", "rule", "says"}
"""Arguments by which a test asserts, row by row, what a table says of a finding."""

Citations = Mapping[str, Sequence[str]]
"""From a rule, clause or code to the names that cite it; first those that cite few others."""


def ids(text: str) -> set[str]:
    """Return the rules, clauses and codes that a text cites.

    A range is all that is in it; what stands in backquotes is an example.

    >>> sorted(ids("R-MOVE-2 to R-MOVE-4, `R-END-1`: rule/no-way"))
    ['R-MOVE-2', 'R-MOVE-3', 'R-MOVE-4', 'rule/no-way']
    """
    text = re.sub(rf"`(?:{RULE.pattern}|{CODE.pattern})`", "", text)
    cited = {*RULE.findall(text), *CODE.findall(text)}
    for topic, first, last in re.findall(r"\b([RFN]-[A-Z]+-)([0-9]+) to \1([0-9]+)\b", text):
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
    """Return the scenarios of the model by the rules that they show: Quint runs what ends in `Test`."""
    return citations(_doc_comments(SPEC.glob("model/scenarios.qnt"), r"run(?= \w+Test\b)"))


@frozen
class Part:
    """A function, class or table of a module.

    Attributes:
        name: What it is called.
        text: Its lines, with the comments above and the docstring of a constant below.
        node: Its syntax.
    """

    name: str
    text: str
    node: ast.stmt

    @property
    def uses(self) -> set[str]:
        """All names in it."""
        return {node.id for node in ast.walk(self.node) if isinstance(node, ast.Name)}

    @property
    def takes(self) -> set[str]:
        """The arguments of a function."""
        return {node.arg for node in ast.walk(self.node) if isinstance(node, ast.arg)}

    @property
    def is_table(self) -> bool:
        """Whether it is neither a function nor a class."""
        return isinstance(self.node, ast.Assign | ast.AnnAssign)


def parts(module: Path) -> list[Part]:
    """Return the parts of a module; its docstring, its imports and the comments at its end are none."""
    source = module.read_text("utf-8")
    lines, found, end = source.splitlines(), list[Part](), 0
    for node in ast.parse(source).body:
        text = "\n".join(lines[end : node.end_lineno])
        end = node.end_lineno or end
        if found and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            last = found.pop()
            found.append(Part(last.name, f"{last.text}\n{text}", last.node))
        else:
            found.append(Part(_name(node), text, node))
    return [part for part in found if part.name]


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
        (f"{module.stem}.{part.name}", ids(part.text))
        for module in _modules(*folders)
        for part in parts(module)
    )


@cache
def cited_by_tests() -> Citations:
    """Return the tests by what they cite: in their own lines, in helpers that they use, in tables.

    What stands in a table counts only for a test that takes what is told as an argument (`TOLD`).
    Those of the formal model and of this folder do not count, nor those to which a rule is but a word.
    """
    modules = _modules("tests/core", "tests/adapters", "tests/cli", pattern="test_*.py")
    modules += sorted(file for file in ROOT.glob("tests/test_*.py") if file.stem != "test_vector_runners")
    return citations(pair for module in modules for pair in cited_by(module))


def cited_by(module: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield each test of a module with what it cites."""
    by_name = {part.name: part for part in parts(module)}
    for test in by_name.values():
        if test.name.startswith("test_"):
            used, further = set[str](), {test.name}
            while further:
                used |= further
                further = {name for part in further for name in by_name[part].uses if name in by_name} - used
            asks = bool(TOLD & test.takes)
            counting = [by_name[name] for name in used if asks or not by_name[name].is_table]
            yield test.name, set().union(*(ids(part.text) for part in counting))
