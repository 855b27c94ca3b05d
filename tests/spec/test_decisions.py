"""Every rule says where it comes from and how sure it is; rules and decisions name each other."""

import re

from tests.spec.written import RULE, SPEC, rules

DECISION = re.compile(r"^## (D-[0-9]+)\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[(D-[0-9]+)\]")
KEYS = {"000", "001", "002", "DE", "FR", "reviews", "scans", "code"}
SURE = ("certain", "strong", "fair", "open")


def spec(name: str) -> str:
    return (SPEC / name).read_text("utf-8")


def decided(label: str) -> dict[str, str]:
    """Return what each decision says after a label, such as `rules`."""
    found = {}
    for number, body in DECISION.findall(spec("decisions.md")):
        (found[number],) = re.findall(rf"^- {label}: (.*)$", body, re.MULTILINE)
    return found


def test_every_rule_has_known_sources_and_a_grade() -> None:
    for row in rules():
        said, _, otherwise = LINK.sub("", row.sources).partition("≠")
        assert said.split() == ["none"] or set() < set(said.split()) <= KEYS, row.rule
        assert ("≠" in row.sources) == bool(otherwise.split()), row.rule
        assert set(otherwise.split()) <= KEYS - set(said.split()), row.rule
        assert re.fullmatch(rf"ours|({'|'.join(SURE)})(; [a-z ]+ ours)?", row.sure), row.rule


def test_a_rule_is_no_surer_than_the_least_sure_of_its_decisions() -> None:
    """What is ours stands apart, for no source could settle it: the rule as a whole, or a part of it."""
    for row in rules():
        grades = [decided("sure")[number] for number in row.decisions]
        least = max((SURE.index(sure) for grade in grades for sure in SURE if sure in grade), default=0)
        assert row.sure == "ours" or SURE.index(row.sure.partition(";")[0]) >= least, row.rule
        assert "ours" in row.sure or not any("ours" in grade for grade in grades), row.rule


def test_what_no_text_says_or_texts_say_otherwise_has_a_decision() -> None:
    for row in rules():
        assert row.decisions or not ("none" in row.sources or "≠" in row.sources), row.rule


def test_rules_and_decisions_name_each_other() -> None:
    """A decision lists the rules that link it, or says why there are none."""
    linking: dict[str, set[str]] = {number: set() for number in decided("rules")}
    for row in rules():
        for number in row.decisions:
            linking[number].add(row.rule)
    for number, listed in decided("rules").items():
        assert set(RULE.findall(listed)) == linking[number], number
        assert linking[number] or re.match(r"none: \w", listed), number


def test_decisions_are_numbered_in_a_row_and_say_how_sure() -> None:
    assert list(decided("rules")) == [f"D-{number + 1}" for number in range(len(decided("rules")))]
    assert {re.split(r"\W", sure)[0] for sure in decided("sure").values()} <= {*SURE, "ours"}


def test_every_link_to_a_decision_leads_to_it() -> None:
    for name, page in (("rules.md", "decisions.md"), ("decisions.md", "")):
        text = spec(name)
        links = re.findall(rf"\[(D-[0-9]+)\](?:\(|: ){re.escape(page)}#([a-z0-9-]+)", text)
        assert {number for number, _ in links} == set(LINK.findall(text))
        assert all(anchor == number.lower() for number, anchor in links)
        assert {number for number, _ in links} <= decided("rules").keys()
