"""A comparison of two logs as lines of text: their records, and a table of what differs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from karuba_adapters.diverging import Comparison, Row, Side
from karuba_adapters.findings import Report
from karuba_adapters.plain_text import printable
from karuba_adapters.text_tables import table_text
from karuba_core.wording import shown

_NARROWEST_TABLE: Final = 72


def comparison_text(
    comparison: Comparison, reports: tuple[Report, Report], *, meta: bool = False, width: int = 100
) -> str:
    """Return a comparison as lines of text, without trailing spaces and a last newline.

    Both records come first, then what differs in them, then what differs in the games after them: in
    columns, or where there is no room for those, one below the other.

    Args:
        comparison: Where the logs part.
        reports: What is said of the one and of the other.
        meta: Whether their `meta` was compared, and is shown.
        width: The columns of the terminal.
    """
    events = f"{comparison.alike} event{'' if comparison.alike == 1 else 's'}"
    if not comparison.is_parted and not any(report.findings for report in reports):
        return f"no difference in {events}"
    a, b = _told(comparison.a, reports[0], meta=meta), _told(comparison.b, reports[1], meta=meta)
    blocks = [f"{events} alike, then:\nA {a}\nB {b}"]
    for heading, rows in (("the record", comparison.fields), ("the game after it", comparison.state)):
        if rows:
            blocks.append(
                _columns(heading, rows, width) if width >= _NARROWEST_TABLE else _list(heading, rows)
            )
    return "\n\n".join(blocks)


def _told(side: Side, report: Report, *, meta: bool) -> str:
    """Return the record that differs with its place, or what stands in its place."""
    if side.told is not None:
        return printable(f"{report.file}:{side.told.line}: {shown(side.told.record(meta=meta))}")
    what = "a fault" if report.findings else "the end"
    return printable(f"{report.file}:{report.last_line}: {what}")


def _cells(rows: Sequence[Row]) -> Iterator[tuple[str, str, str]]:
    for path, a, b in rows:
        yield printable(path.removeprefix("$.")), _value(a), _value(b)


def _value(value: Any) -> str:  # noqa: ANN401 - a JSON value
    return "-" if value is None else shown(value)


def _columns(heading: str, rows: Sequence[Row], width: int) -> str:
    from rich import table, text  # noqa: PLC0415 - slow to load, and equal logs need none of it

    beside = table.Table(box=None, pad_edge=False)
    for title in (heading, "A", "B"):
        beside.add_column(title, overflow="fold")
    for row in _cells(rows):
        beside.add_row(*map(text.Text, row))  # bare strings would be read as markup
    return table_text(beside, width)


def _list(heading: str, rows: Sequence[Row]) -> str:
    return "\n".join([heading, *(f"{path}\n  A {a}\n  B {b}" for path, a, b in _cells(rows))])
