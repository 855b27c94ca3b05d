"""Every rule says where it comes from and how sure it is; rules and decisions name each other."""

import re

from tests.formal.citations import RULE, SPEC

DECISION = re.compile(r"^## (D-[0-9]+)\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[(D-[0-9]+)\]")
KEYS = {"000", "001", "002", "DE", "FR", "reviews", "scans", "code"}
GRADES = {"certain", "strong", "fair", "open", "ours"}


def spec(name: str) -> str:
    return (SPEC / name).read_text("utf-8")


def rule_rows() -> list[list[str]]:
    """Return rule, sources and grade of each row of rules.md."""
    rows = [line.split("|") for line in spec("rules.md").splitlines() if line.startswith("| R-")]
    return [[row[cell].strip() for cell in (1, 4, 5)] for row in rows]


def decided(label: str) -> dict[str, str]:
    """Return what each decision says after a label, such as `rules`."""
    found = {}
    for number, body in DECISION.findall(spec("decisions.md")):
        (found[number],) = re.findall(rf"^- {label}: (.*)$", body, re.MULTILINE)
    return found


def test_every_rule_has_known_sources_and_a_grade() -> None:
    for rule, sources, grade in rule_rows():
        said, _, otherwise = LINK.sub("", sources).partition("≠")
        assert said.split() == ["none"] or set() < set(said.split()) <= KEYS, rule
        assert ("≠" in sources) == bool(otherwise.split()), rule
        assert set(otherwise.split()) <= KEYS - set(said.split()), rule
        assert grade in GRADES, rule


def test_what_no_text_says_or_texts_say_otherwise_has_a_decision() -> None:
    for rule, sources, _ in rule_rows():
        assert LINK.search(sources) or not ("none" in sources or "≠" in sources), rule


def test_rules_and_decisions_name_each_other() -> None:
    """A decision lists the rules that link it, or says why there are none."""
    linking: dict[str, set[str]] = {number: set() for number in decided("rules")}
    for rule, sources, _ in rule_rows():
        for number in LINK.findall(sources):
            linking[number].add(rule)
    for number, listed in decided("rules").items():
        assert set(RULE.findall(listed)) == linking[number], number
        assert linking[number] or re.match(r"none: \w", listed), number


def test_decisions_are_numbered_in_a_row_and_say_how_sure() -> None:
    assert list(decided("rules")) == [f"D-{number + 1}" for number in range(len(decided("rules")))]
    assert {re.split(r"\W", sure)[0] for sure in decided("sure").values()} <= GRADES


def test_every_link_to_a_decision_leads_to_it() -> None:
    for name, page in (("rules.md", "decisions.md"), ("decisions.md", "")):
        text = spec(name)
        links = re.findall(rf"\[(D-[0-9]+)\](?:\(|: ){re.escape(page)}#([a-z0-9-]+)", text)
        assert {number for number, _ in links} == set(LINK.findall(text))
        assert all(anchor == number.lower() for number, anchor in links)
        assert {number for number, _ in links} <= decided("rules").keys()
