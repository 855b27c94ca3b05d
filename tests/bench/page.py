"""Put the figures of reference.json into docs/reference/performance.md: `python tests/bench/page.py`."""

from pathlib import Path
from typing import Final

from tests.bench.figures import REFERENCE, read_figures
from tests.bench.report import markdown

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "performance.md"
BEGIN: Final = "<!-- The figures, made by python tests/bench/page.py -->\n"
END: Final = "<!-- The end of the figures -->\n"


def with_figures(page: str, figures: str) -> str:
    """Return a page with other figures between its markers.

    Raises:
        ValueError: It has no markers.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("the page has no markers for figures")
    return f"{before}{BEGIN}\n{figures}\n{END}{after}"


def made_page() -> str:
    """Return the page as it should be."""
    return with_figures(PAGE.read_text("utf-8"), markdown(read_figures(REFERENCE)))


if __name__ == "__main__":
    PAGE.write_text(made_page(), encoding="utf-8", newline="\n")
