"""The table of seeded faults fits the source."""

import ast
import re
from pathlib import Path

import pytest

from tests.formal.faults import KERNEL_FAULTS, Fault, apply_fault, faults

ROOT = Path(__file__).parents[2]
FAULTS = faults()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (tmp_path / "karuba_core").mkdir()
    for file in (ROOT / "karuba_core").glob("*.py"):
        (tmp_path / "karuba_core" / file.name).write_bytes(file.read_bytes())
    return tmp_path


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_changes_one_place_to_another_right_text(name: str, copy: Path) -> None:
    fault = FAULTS[name]
    before = (ROOT / fault.file).read_text(encoding="utf-8")
    apply_fault(fault, copy)
    after = (copy / fault.file).read_text(encoding="utf-8")
    assert after.replace(fault.new, fault.old, 1) == before or not fault.new
    assert ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
    others = [file for file in copy.rglob("*.py") if file != copy / fault.file]
    assert all(file.read_bytes() == (ROOT / file.relative_to(copy)).read_bytes() for file in others)


def test_every_fault_breaks_a_rule_that_is_written_down() -> None:
    written = set(
        re.findall(r"^\| (R-[A-Z]+-\d+) \|", (ROOT / "spec/rules.md").read_text("utf-8"), re.MULTILINE)
    )
    assert {fault.rule for fault in FAULTS.values()} <= written


def test_a_fault_whose_place_is_gone_or_doubtful_is_refused(copy: Path) -> None:
    for old in ("no such text", "return"):
        with pytest.raises(ValueError, match="times in"):
            apply_fault(Fault("some", "R-MOVE-1", "karuba_core/moving.py", old, ""), copy)


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "twice.toml"
    table.write_text(KERNEL_FAULTS.read_text("utf-8").partition('[[fault]]\nname = "onto')[0] * 2, "utf-8")
    with pytest.raises(ValueError, match="twice"):
        faults(table)
