"""How figures are shown: as a table on a terminal, and as one in Markdown."""

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.bench.figures import Figures, Gate, Row

WIDTH: Final = 170
LEGEND: Final = "a / b: what an item of a takes over one of b. a : b: how much a does in a second over b."


def print_figures(figures: Figures, reference: Figures | None = None) -> None:
    """Print the table, the machine and the notes.

    Args:
        figures: What is shown.
        reference: Figures whose medians stand beside.
    """
    console = Console(width=WIDTH)
    console.print(table(figures, {row.name: row.median for row in reference.rows} if reference else {}))
    console.print(LEGEND, highlight=False)
    console.print(machine_line(figures), highlight=False)
    for note in notes(figures):
        console.print(f"\n{note}", highlight=False, markup=False)


def table(figures: Figures, references: Mapping[str, float | None]) -> Table:
    """Return the rows as a table."""
    shown = Table("measure", title=figures.title, title_justify="left")
    for column in ("aim", "gate", "median", "range", "reference", "rate", ""):
        shown.add_column(column, justify="right", no_wrap=True)
    for row in figures.rows:
        name, *cells = columns(row)
        cells.insert(4, figure(references.get(row.name)))
        shown.add_row(name, *cells, row.verdict)
    return shown


def columns(row: Row) -> tuple[str, str, str, str, str, str]:
    """Return name, aim, gate, median, range and rate of a row as text."""
    aim = "" if row.aim is None else f"{row.aim:g}"
    spread = f"{figure(min(row.values))} .. {figure(max(row.values))}" if row.values else ""
    return row.name, aim, bounds(row.gate), figure(row.median), spread, row.rate


def bounds(gate: Gate | None) -> str:
    """Return a gate as text."""
    match gate:
        case None:
            return ""
        case None, most:
            return f"<= {most:g}"
        case least, None:
            return f">= {least:g}"
        case least, most:
            return f"{least:g} .. {most:g}"


def figure(value: float | None) -> str:
    """Return a figure to four digits, or nothing of none."""
    return "" if value is None else f"{value:#.4g}".rstrip(".")


def machine_line(figures: Figures) -> str:
    """Return what the figures depend on in one line."""
    return ", ".join(f"{name} {what}" for name, what in figures.machine.items())


def notes(figures: Figures) -> Iterator[str]:
    """Yield what is to be said of rows."""
    return (f"{row.name}: {row.note}" for row in figures.rows if row.note)


def markdown(figures: Figures) -> str:
    """Return the same as Markdown: the table, the machine, the notes."""
    names = ("measure", "aim", "gate", "median", "range", "rate", "")
    header = f"| {' | '.join(names)} |\n| --- |{' --: |' * 5} --- |"
    lines = (f"| {' | '.join(columns(row))} | {row.verdict} |" for row in figures.rows)
    said = (f"- *{name}*: {note}" for name, note in ((row.name, row.note) for row in figures.rows) if note)
    return "\n".join(
        [f"{figures.title}. {LEGEND}", "", header, *lines, "", f"{machine_line(figures)}.", "", *said, ""]
    )
