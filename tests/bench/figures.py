"""What a run of the benchmark finds: rows of figures, with what they should be, and the machine."""

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cattrs
import orjson
from attrs import frozen

REFERENCE: Final = Path(__file__).with_name("reference.json")
"""The figures of a quiet hour, which others are held against."""

Gate = tuple[float | None, float | None]
"""The least and the most that a figure may be; None where that side is open."""


def at_most(most: float) -> Gate:
    """Return the gate of a figure that should be low."""
    return None, most


def at_least(least: float) -> Gate:
    """Return the gate of a figure that should be high."""
    return least, None


@frozen
class Row:
    """One figure of the table.

    Attributes:
        name: What is measured.
        values: The figure in every round; empty where it cannot be measured.
        rate: What stands beside it, for information; or why it cannot be measured.
        gate: What the median has to be; None for information only.
        aim: What it should be, on the open side of the gate.
        note: How alike the two things are that are compared, in a sentence or two.
    """

    name: str
    values: tuple[float, ...]
    rate: str = ""
    gate: Gate | None = None
    aim: float | None = None
    note: str = ""

    @property
    def median(self) -> float | None:
        """The figure."""
        return statistics.median(self.values) if self.values else None

    @property
    def verdict(self) -> str:
        """`"aim"` where the aim is reached, else `"ok"` or `"broken"` by the gate; or no question, empty."""
        if self.gate is None or self.median is None:
            return ""
        least, most = self.gate
        if (least is not None and self.median < least) or (most is not None and self.median > most):
            return "broken"
        if self.aim is None:
            return "ok"
        return "aim" if (self.median <= self.aim if least is None else self.median >= self.aim) else "ok"


@frozen
class Figures:
    """All that a run has found.

    Attributes:
        title: How much was measured.
        machine: What the figures depend on, by its name: the processor, versions.
        rows: The figures.
    """

    title: str
    machine: Mapping[str, str]
    rows: tuple[Row, ...]


def write_figures(path: Path, figures: Figures) -> None:
    """Write figures to a file, with the median and the verdict of each row."""
    found = cattrs.unstructure(figures)
    for shown, row in zip(found["rows"], figures.rows, strict=True):
        shown |= {"median": row.median, "verdict": row.verdict}
    path.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def read_figures(path: Path) -> Figures:
    """Return the figures of a file."""
    return cattrs.structure(orjson.loads(path.read_bytes()), Figures)
