"""The vectors of spec/vectors are sound, see every rule and every code, and have the kernel's answers."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # its types are another package
from referencing import Registry, Resource

from karuba_adapters import TextFault
from karuba_adapters.referee import answer
from karuba_adapters.strict_json import loads
from tests.spec.written import SPEC, Vector, clauses, rules, unasked, vector_files, vectors

FILES = vector_files()
PATHS = sorted(SPEC.glob("vectors/*.json"))
CODES = {row.rule: {*row.codes} for row in (*rules(), *clauses())}

# Clauses that say nothing of a log that is judged: how one is read and converted, what may be asked beyond
# that, and limits that no right log comes near.
NOT_JUDGED = {"F-FILE-1", "F-FILE-2", "F-META-2", "F-LOG-9", "F-LOG-10", "F-LOG-11", "F-SEAL-3"} | {
    rule
    for rule in CODES
    if rule.startswith("N-")  # the notation is read as a log, and is none
}


def code(vector: Vector) -> str | None:
    wrong: str | None = vector["then"].get("code")
    return wrong


def accepts(vector: Vector) -> bool:
    return code(vector) is None


def rules_of(chosen: Iterable[Vector]) -> set[str]:
    return {vector["rule"] for vector in chosen}


def schema() -> Draft202012Validator:
    of_records, of_vectors = (
        json.loads((SPEC / "schema" / f"{name}.schema.json").read_bytes()) for name in ("record", "vectors")
    )
    Draft202012Validator.check_schema(of_vectors)
    registry: Registry[Any] = Registry().with_resource(of_records["$id"], Resource.from_contents(of_records))
    return Draft202012Validator(of_vectors, registry=registry)


# Soundness


@pytest.mark.parametrize("topic", FILES)
def test_a_file_has_the_form_of_the_schema(topic: str) -> None:
    faults = [(error.json_path, error.message[-300:]) for error in schema().iter_errors(FILES[topic])]
    assert faults == []
    assert FILES[topic]["topic"] == topic


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
    for path in PATHS:
        lines = path.read_text("utf-8").split("\n")
        told = [json.loads(line.removesuffix(",")) for line in lines if line.startswith('{"id":')]
        assert told == FILES[path.stem]["vectors"], path.name


def test_a_question_about_a_record_survives_every_json_parser() -> None:
    """What two parsers could read in two ways stands in the text of a log, and nowhere else."""
    for path in PATHS:
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
    known = set[str]().union(*CODES.values())
    for vector in vectors():
        assert vector["rule"] in CODES, vector["id"]
        assert accepts(vector) or code(vector) in (CODES[vector["rule"]] or known), vector["id"]


def test_every_rule_and_clause_has_a_vector_that_accepts() -> None:
    """Where a rule can only be broken, that is one in which it is kept by little."""
    assert CODES.keys() - rules_of(filter(accepts, vectors())) == NOT_JUDGED


def test_every_code_of_every_rule_is_raised() -> None:
    raised = {(vector["rule"], code(vector)) for vector in vectors()}
    wanted = {(rule, wrong) for rule, codes in CODES.items() for wrong in codes}
    assert {wrong for _, wrong in wanted - raised} == unasked().keys()


# The kernel


@pytest.mark.parametrize("topic", FILES)
def test_the_kernel_has_the_answers(topic: str) -> None:
    right = {vector["id"]: vector["then"] for vector in FILES[topic]["vectors"]}
    assert {vector["id"]: answered(vector) for vector in FILES[topic]["vectors"]} == right


def answered(vector: Vector) -> Any:  # noqa: ANN401 - JSON
    """Return what counts of the kernel's answer to a vector."""
    said = asked(vector)
    counting = ("events", "code", "error") if "when" in vector else ("verdict", "line", "code", "error")
    return {name: said[name] for name in counting if name in said}


def asked(vector: Vector) -> Any:  # noqa: ANN401 - JSON
    """Return the kernel's answer to a vector."""
    request = {name: value for name, value in vector.items() if name not in ("rule", "comment", "then")}
    return json.loads(answer(json.dumps(request).encode()))


def test_the_kernel_refuses_by_the_rule_of_a_vector() -> None:
    """Unless the code is another rule's, in which this one shows; of a log no rule is answered."""
    told = [
        (vector["id"], vector["rule"], asked(vector)["rule"])
        for vector in vectors()
        if "when" in vector and code(vector) in CODES[vector["rule"]]
    ]
    assert len(told) > 100
    assert [(name, rule, by) for name, rule, by in told if rule != by] == []
