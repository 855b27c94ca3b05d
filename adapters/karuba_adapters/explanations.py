"""What finding codes, rules and clauses mean, with examples that are judged as they are shown.

The sentences of rules and clauses (`rules.json`) are made from spec/; what a code means is written in
`explanations.toml`.
"""

import difflib
import io
import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

import attrs
from attrs import frozen

from karuba_adapters.findings import Finding
from karuba_adapters.judging import require, validate

EXAMPLE_FILE: Final = "example.jsonl"
"""What findings call the file of an example."""


@frozen
class RuleText:
    """A rule of the game, or a clause of the log format.

    Attributes:
        rule: Its id, such as `R-PLACE-2` or `F-TEXT-4`.
        chapter: The heading above it in `spec/`.
        says: Its sentence.
        codes: What a finding about it is called; often none of its own.
    """

    rule: str
    chapter: str
    says: str
    codes: tuple[str, ...]


@frozen
class Example:
    """A small log that gets a code.

    Attributes:
        opening: How many of its lines are the opening that all examples share, 0 or 1.
        log: Its text.
        encoding: How the text becomes bytes.
        required: What a reader is asked to require of it, as by `karuba_adapters.require`.
    """

    opening: int
    log: str
    encoding: str
    required: Mapping[str, Any]

    def findings(self) -> tuple[Finding, ...]:
        """Judge the log."""
        report = next(validate(io.BytesIO(self.log.encode(self.encoding)), EXAMPLE_FILE))
        return require(report, **self.required).findings


@frozen
class Explanation:
    """What a finding code means.

    Attributes:
        code: The code, such as `rule/cell-occupied`.
        means: What is wrong, in a sentence.
        fix: What to do about it.
        rules: The rules or clauses that it is about.
        example: A log that gets it, or why none is shown.
    """

    code: str
    means: str
    fix: str
    rules: tuple[RuleText, ...]
    example: Example | str


@cache
def rule_texts() -> Mapping[str, RuleText]:
    """Return all rules and clauses by their ids, in the order of `spec/`."""
    rows = json.loads(_data("rules.json"))
    return MappingProxyType(
        {rule: RuleText(rule, row["chapter"], row["says"], tuple(row["codes"])) for rule, row in rows.items()}
    )


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return what there is to say about each finding code, by family."""
    entries = tomllib.loads(_data("explanations.toml"))
    opening = entries.pop("opening")
    return MappingProxyType({code: _explanation(code, entry, opening) for code, entry in entries.items()})


def _explanation(code: str, entry: Mapping[str, Any], opening: str) -> Explanation:
    rules = tuple(text for text in rule_texts().values() if code in text.codes)
    return Explanation(code, entry["means"], entry["fix"], rules, _example(entry, opening))


def _example(entry: Mapping[str, Any], opening: str) -> Example | str:
    if "no_example" in entry:
        return str(entry["no_example"])
    before = [opening, *entry["after"]] if "after" in entry else []
    log = "\n".join((*before, entry["example"])).lstrip("\n") + "\n"
    return Example(min(len(before), 1), log, entry.get("encoding", "utf-8"), entry.get("require", {}))


def _data(name: str) -> str:
    return resources.files("karuba_adapters").joinpath(name).read_text(encoding="utf-8")


def explain(name: str) -> Explanation | RuleText:
    """Return what there is to say about a finding code, a rule or a clause.

    Raises:
        KeyError: There is none of this name; `similar` finds what may have been meant.
    """
    return explanations().get(name) or rule_texts()[name]


def similar(name: str) -> list[str]:
    """Return up to three codes, rules or clauses whose names are much like some text.

    >>> similar("cell-ocupied"), similar("r-place-2")[0], similar("xyz")
    (['rule/cell-occupied'], 'R-PLACE-2', [])
    """
    names = {known.lower(): known for known in (*explanations(), *rule_texts())}
    return [names[found] for found in difflib.get_close_matches(name[:100].lower(), names)]


def explanation_json(told: Explanation | RuleText) -> dict[str, Any]:
    """Return an explanation in its JSON form, its example judged."""
    if isinstance(told, RuleText):
        return attrs.asdict(told)
    form: dict[str, Any] = {
        "code": told.code,
        "means": told.means,
        "fix": told.fix,
        "rules": [{"rule": text.rule, "says": text.says} for text in told.rules],
    }
    if isinstance(told.example, str):
        return {**form, "example": None, "no_example": told.example}
    example = told.example
    return {
        **form,
        "example": {
            "log": example.log,
            "encoding": example.encoding,
            "required": dict(example.required),
            "findings": [attrs.asdict(finding) for finding in example.findings()],
        },
    }
