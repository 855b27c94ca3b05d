"""Every rule and clause that the code cites is written down, with its codes; and the other way."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"""["']((?:text|shape|log|setup|rule|mismatch)/[a-z-]+)["']""")
RULE = re.compile(r"\b[RF]-[A-Z]+-[0-9]+\b")
ROW = re.compile(r"^\| ([RF]-[A-Z]+-[0-9]+) \|.*\|([^|]*)\|$", re.MULTILINE)
DECISION = re.compile(r"^## (D-[0-9]+)\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[(D-[0-9]+)\]")
KEYS = {"000", "001", "002", "DE", "FR", "reviews", "scans", "code"}
GRADES = {"certain", "strong", "fair", "open", "ours"}


def spec(name: str) -> str:
    return (ROOT / "spec" / name).read_text("utf-8")


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


def source() -> str:
    folders = ("karuba_core", "adapters", "cli")
    return "\n".join(path.read_text("utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py"))


def written() -> dict[str, set[str]]:
    """Return the codes of each rule and clause in spec/."""
    text = spec("rules.md") + spec("log-format.md")
    rows = ROW.findall(text)
    assert len({rule for rule, _ in rows}) == len(rows), "a number is given twice"
    return {rule: set(re.findall(r"`([a-z]+/[a-z-]+)`", codes)) for rule, codes in rows}


def test_every_cited_rule_is_written_down_and_every_written_one_cited() -> None:
    assert set(RULE.findall(source())) == written().keys()


def test_every_code_has_a_rule_and_every_written_code_is_raised() -> None:
    assert set(CODE.findall(source())) == set().union(*written().values())


def test_code_and_rule_go_together_as_written() -> None:
    """Where the code names a finding code and a rule side by side, spec/ lists that code with that rule."""
    pairs = re.findall(CODE.pattern + r""",?:?\s*["']([RF]-[A-Z]+-[0-9]+)["']""", source())
    assert len(pairs) > 50
    for code, rule in pairs:
        assert code in written()[rule], (code, rule)


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
