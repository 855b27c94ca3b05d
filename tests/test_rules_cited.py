"""Every rule and clause that the code cites is written down, with its codes; and the other way."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"""["']((?:text|shape|log|setup|rule|mismatch)/[a-z-]+)["']""")
RULE = re.compile(r"\b[RF]-[A-Z]+-[0-9]+\b")
ROW = re.compile(r"^\| ([RF]-[A-Z]+-[0-9]+) \|.*\|([^|]*)\|$", re.MULTILINE)


def source() -> str:
    folders = ("karuba_core", "adapters", "cli")
    return "\n".join(path.read_text("utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py"))


def written() -> dict[str, set[str]]:
    """Return the codes of each rule and clause in spec/."""
    text = "\n".join((ROOT / "spec" / name).read_text("utf-8") for name in ("rules.md", "log-format.md"))
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
