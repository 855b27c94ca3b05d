"""The tables of seeded faults fit the source."""

import ast
from pathlib import Path

import pytest

from tests.formal.faults import KERNEL_FAULTS, MODEL_FAULTS, Fault, apply_fault, faults
from tests.spec.written import ROOT, rules

FAULTS = [*faults(KERNEL_FAULTS).values(), *faults(MODEL_FAULTS).values()]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for file in (*ROOT.glob("karuba_core/*.py"), *ROOT.glob("spec/model/*.qnt")):
        copied = tmp_path / file.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_bytes(file.read_bytes())
    return tmp_path


def changed(copy: Path) -> list[str]:
    """Return the files of a copy that are not as they were."""
    files = [file.relative_to(copy) for file in copy.rglob("*.*")]
    return [file.as_posix() for file in files if (copy / file).read_bytes() != (ROOT / file).read_bytes()]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_changes_one_place_to_another_right_text(fault: Fault, copy: Path) -> None:
    """Whether a model still has its types, the check that puts the fault in sees."""
    before = (ROOT / fault.file).read_text(encoding="utf-8")
    assert before.count(fault.old) == 1
    apply_fault(fault, copy)
    assert changed(copy) == [fault.file]
    if fault.file.endswith(".py"):
        after = (copy / fault.file).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))


def test_every_fault_breaks_a_rule_that_is_written_down() -> None:
    assert {fault.rule for fault in FAULTS} <= {row.rule for row in rules()}


def test_a_fault_whose_place_is_gone_or_doubtful_is_refused(copy: Path) -> None:
    for old in ("no such text", "return"):
        with pytest.raises(ValueError, match="times in"):
            apply_fault(Fault("some", "R-MOVE-1", "karuba_core/moving.py", old, ""), copy)


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "twice.toml"
    table.write_text(KERNEL_FAULTS.read_text("utf-8").partition('[[fault]]\nname = "onto')[0] * 2, "utf-8")
    with pytest.raises(ValueError, match="twice"):
        faults(table)
