"""Seeded faults: texts of the source that are replaced, one fault at a time, in a copy."""

import tomllib
from pathlib import Path
from typing import Final

from attrs import frozen

KERNEL_FAULTS: Final = Path(__file__).with_name("faults_kernel.toml")
MODEL_FAULTS: Final = Path(__file__).with_name("faults_model.toml")


@frozen
class Fault:
    """One fault.

    Attributes:
        name: What goes wrong.
        rule: The rule that is broken.
        file: The file at fault, from the root of the project.
        old: What stands there, once.
        new: What is put in its place.
        quick: Whether continuous integration tries it, too.
    """

    name: str
    rule: str
    file: str
    old: str
    new: str
    quick: bool = False


def faults(table: Path = KERNEL_FAULTS) -> dict[str, Fault]:
    """Return the faults of a table by their names.

    Raises:
        ValueError: A name stands twice.
    """
    listed = [Fault(**fault) for fault in tomllib.loads(table.read_text(encoding="utf-8"))["fault"]]
    by_name = {fault.name: fault for fault in listed}
    if len(by_name) < len(listed):
        raise ValueError(f"a name stands twice in {table.name}")
    return by_name


def apply_fault(fault: Fault, copy: Path) -> None:
    """Put a fault into a copy of the project, which holds its file at the same place.

    Raises:
        ValueError: What it replaces does not stand there once.
    """
    file = copy / fault.file
    text = file.read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.name}: {text.count(fault.old)} times in {fault.file}: {fault.old!r}")
    file.write_text(text.replace(fault.old, fault.new), encoding="utf-8", newline="\n")
