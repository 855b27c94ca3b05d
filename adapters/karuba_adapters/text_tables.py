"""Tables as plain text, for those who print them and those who compare what is printed."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def table_text(table: "Table", width: int) -> str:
    """Return a table as lines without blanks at their ends, and without empty ones.

    Args:
        table: The table; a bare string in it is read as markup.
        width: How many columns its lines may fill.
    """
    from rich.console import Console  # noqa: PLC0415 - slow to load, and few need it

    paper = io.StringIO()
    console = Console(file=paper, width=width, color_system=None, force_jupyter=False, legacy_windows=False)
    console.print(table)
    return "\n".join(line.rstrip() for line in paper.getvalue().split("\n") if line.strip())
