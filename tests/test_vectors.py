"""The vectors of spec/vectors are sound, see every rule and every code, and have the kernel's answers."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # its types are another package
from referencing import Registry, Resource

from karuba_adapters import TextFault
from karuba_adapters.referee import answer
from karuba_adapters.strict_json import loads

SPEC = Path(__file__).parent.parent / "spec"
FILES = sorted((SPEC / "vectors").glob("*.json"))
ROW = re.compile(r"^\| ([RF]-[A-Z]+-[0-9]+) \|.*\|([^|]*)\|$", re.MULTILINE)

# Clauses that say nothing of a log that is judged: how one is read and converted, not what it is.
NOT_JUDGED = {"F-FILE-1", "F-META-2"}

Vector = dict[str, Any]


def read(path: Path) -> Any:  # noqa: ANN401 - JSON
    return json.loads(path.read_text("utf-8"))


@cache
def vectors() -> tuple[Vector, ...]:
    return tuple(vector for path in FILES for vector in read(path)["vectors"])


def unasked() -> set[str]:
    """Return the codes that the files say no vector raises."""
    return {entry["code"] for path in FILES for entry in read(path).get("unasked", [])}


def rows() -> dict[str, set[str]]:
    """Return the codes of each rule and each clause of spec/: none where it cannot reject."""
    text = "\n".join((SPEC / name).read_text("utf-8") for name in ("rules.md", "log-format.md"))
    return {rule: set(re.findall(r"`([a-z]+/[a-z0-9-]+)`", codes)) for rule, codes in ROW.findall(text)}


def code(vector: Vector) -> str | None:
    wrong: str | None = vector["then"].get("code")
    return wrong


def accepts(vector: Vector) -> bool:
    return code(vector) is None


def rules_of(chosen: Iterable[Vector]) -> set[str]:
    return {vector["rule"] for vector in chosen}


def schema() -> Draft202012Validator:
    of_records, of_vectors = (read(SPEC / "schema" / f"{name}.schema.json") for name in ("record", "vectors"))
    Draft202012Validator.check_schema(of_vectors)
    registry: Registry[Any] = Registry().with_resource(of_records["$id"], Resource.from_contents(of_records))
    return Draft202012Validator(of_vectors, registry=registry)


# Soundness


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_the_form_of_the_schema(path: Path) -> None:
    faults = [(error.json_path, error.message[-300:]) for error in schema().iter_errors(read(path))]
    assert faults == []
    assert read(path)["topic"] == path.stem


@pytest.mark.parametrize(
    "then",
    [
        {},
        {"events": []},
        {"events": [{"type": "draw", "tile": 7}]},
        {"code": "rule/no-way", "rule": "R-MOVE-6"},
        {"code": "no-way"},
        {"verdict": "valid"},
    ],
)
def test_the_schema_is_closed(then: object) -> None:
    vector: Vector = {"id": "a", "rule": "R-MOVE-6", "comment": "Why.", "given": [], "when": None}
    file = {
        "format": "karuba-vectors/1",
        "topic": "some",
        "vectors": [{**vector, "then": {"code": "rule/no-way"}}],
    }
    assert schema().is_valid(file)
    assert not schema().is_valid({**file, "vectors": [{**vector, "then": then}]})
    assert not schema().is_valid(
        {**file, "vectors": [{**vector, "then": {"code": "rule/no-way"}, "log": ""}]}
    )
    assert not schema().is_valid({**file, "more": 1})


def test_every_id_is_unique() -> None:
    assert [name for name, times in Counter(vector["id"] for vector in vectors()).items() if times > 1] == []


def test_a_vector_stands_on_a_line_of_its_own() -> None:
    """So that a change shows the vectors that it touches."""
    for path in FILES:
        lines = path.read_text("utf-8").split("\n")
        told = [json.loads(line.removesuffix(",")) for line in lines if line.startswith('{"id":')]
        assert told == read(path)["vectors"], path.name


def test_a_question_about_a_record_survives_every_json_parser() -> None:
    """What two parsers could read in two ways stands in the text of a log, and nowhere else."""
    for path in FILES:
        for line in path.read_text("utf-8").split("\n"):
            if line.startswith('{"id":') and '"given":' in line:
                try:
                    loads(line.removesuffix(",").encode())
                except TextFault as fault:
                    pytest.fail(f"{fault}: {line}")
                assert not re.search(r"[:\[,]-?[0-9.]+e|[0-9]\.0+[,\]}]|-0[,\]}]", outside_strings(line)), (
                    line
                )


def outside_strings(line: str) -> str:
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)


# Coverage


def test_a_code_of_an_answer_is_one_of_its_rule() -> None:
    """A rule without codes shows in the codes of others: a turn that it closed is `rule/turn-closed`."""
    written = rows()
    known: set[str] = set().union(*written.values())
    for vector in vectors():
        assert vector["rule"] in written, vector["id"]
        assert accepts(vector) or code(vector) in (written[vector["rule"]] or known), vector["id"]


def test_every_rule_and_clause_has_a_vector_that_accepts() -> None:
    """Where a rule can only be broken, that is one in which it is kept by little."""
    assert rows().keys() - rules_of(filter(accepts, vectors())) == NOT_JUDGED


def test_every_code_of_every_rule_is_raised() -> None:
    raised = {(vector["rule"], code(vector)) for vector in vectors()}
    wanted = {(rule, wrong) for rule, codes in rows().items() for wrong in codes}
    assert {wrong for _, wrong in wanted - raised} == unasked()


# The kernel


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_kernel_has_the_answers(path: Path) -> None:
    right = {vector["id"]: vector["then"] for vector in read(path)["vectors"]}
    assert {vector["id"]: answered(vector) for vector in read(path)["vectors"]} == right


def answered(vector: Vector) -> Any:  # noqa: ANN401 - JSON
    """Return what counts of the kernel's answer to a vector."""
    request = {name: value for name, value in vector.items() if name not in ("rule", "comment", "then")}
    said = json.loads(answer(json.dumps(request).encode()))
    counting = ("events", "code", "error") if "when" in vector else ("verdict", "line", "code", "error")
    return {name: said[name] for name in counting if name in said}
