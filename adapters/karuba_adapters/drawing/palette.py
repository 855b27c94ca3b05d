"""The colours of the pictures, light and dark, and the style sheets made of them.

Colours are custom properties of whatever has the class `karuba`: a page changes them by setting
`--k-path` and the like. A picture of one theme has them written out, since not every program that
draws SVG knows custom properties.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

Theme = Literal["light", "dark", "auto"]

COLOURS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "page": ("#fbf8ee", "#14181a"),
        "ink": ("#20261f", "#eeece0"),  # text on the page
        "soft": ("#545a4c", "#b9bcab"),  # text that matters less
        "sea": ("#7fc4d6", "#0f3a47"),
        "beach": ("#f0dcaa", "#64532f"),
        "beach-ink": ("#463311", "#fbf0d4"),
        "jungle": ("#1d4f2d", "#12351f"),
        "jungle-ink": ("#f2f7e4", "#e6f0da"),
        "ground": ("#e9e7cf", "#1d241e"),  # where no tile lies
        "grid": ("#80805f", "#74806d"),
        "tile": ("#2f7440", "#3b7a49"),
        "leaf": ("#276337", "#336c40"),
        "tile-ink": ("#ffffff", "#ffffff"),
        "path": ("#f7e6b5", "#f3e1b0"),
        "path-edge": ("#5d4316", "#2b2110"),
        "crystal": ("#c9ecff", "#c9ecff"),
        "facet": ("#6fc0ea", "#6fc0ea"),
        "gold": ("#ffcd2e", "#ffcd2e"),
        "shine": ("#fff2b8", "#fff2b8"),
        "blue": ("#1c5cc0", "#1c5cc0"),
        "brown": ("#7a4a1f", "#7a4a1f"),
        "purple": ("#8b2fb3", "#8b2fb3"),
        "yellow": ("#f5c518", "#f5c518"),
        "light": ("#ffffff", "#ffffff"),  # the rim of what stands on the island, and letters on it
        "dark": ("#161616", "#161616"),  # the edge round that rim, and letters on what is light
        "mark": ("#d1006c", "#f02884"),
    }
)
"""Each colour by what it is for: in the light theme, and in the dark one."""

_THEMES: Final = ("light", "dark")

_FONT: Final = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',Arial,sans-serif"

_RULES: Final = (
    (".k-page", "fill:var(--k-page)"),
    (".k-text", f"font-family:{_FONT};fill:var(--k-ink);direction:ltr"),
    (".k-soft", "fill:var(--k-soft)"),
    (".k-title,.k-name,.k-total", "font-weight:700"),
    (".k-sea", "fill:var(--k-sea)"),
    (".k-beach", "fill:var(--k-beach)"),
    (".k-jungle", "fill:var(--k-jungle)"),
    (".k-canopy", "fill:var(--k-leaf)"),
    (".k-number,.k-coordinate", "text-anchor:middle"),
    (".k-number", "font-weight:700"),
    (".k-beach-number,.k-coordinate", "fill:var(--k-beach-ink)"),
    (".k-jungle-number", "fill:var(--k-jungle-ink)"),
    (".k-cell", "fill:var(--k-ground);stroke:var(--k-grid);stroke-width:2"),
    (".k-tile-ground", "fill:var(--k-tile);stroke:var(--k-path-edge);stroke-width:2"),
    (".k-leaf", "fill:var(--k-leaf)"),
    (".k-tile-number", "fill:var(--k-tile-ink);font-weight:700"),
    (".k-path,.k-path-edge", "fill:none;stroke-linejoin:round"),
    (".k-path-edge", "stroke:var(--k-path-edge);stroke-width:36"),
    (".k-path", "stroke:var(--k-path);stroke-width:28"),
    (".k-path-edge.k-centre", "fill:var(--k-path-edge);stroke:none"),
    (".k-path.k-centre", "fill:var(--k-path);stroke:none"),
    (".k-edge", "fill:var(--k-dark);stroke:var(--k-dark);stroke-width:10;stroke-linejoin:round"),
    (".k-body", "stroke:var(--k-light);stroke-width:5;stroke-linejoin:round"),
    (".k-emblem", "fill:var(--k-light)"),
    (".k-crystal .k-body", "fill:var(--k-crystal)"),
    (".k-facet", "fill:var(--k-facet)"),
    (".k-gold .k-body", "fill:var(--k-gold);stroke:none"),
    (".k-crystal .k-body", "stroke:none"),
    (".k-shine", "fill:var(--k-shine)"),
    (".k-treasure .k-edge", "stroke-width:6"),
    *(
        (f".k-{colour} .k-body", f"fill:var(--k-{colour})")
        for colour in ("blue", "brown", "purple", "yellow")
    ),
    (".k-letters", "fill:var(--k-light);font-weight:700;text-anchor:middle"),
    (".k-yellow .k-letters,.k-temple .k-letters", "fill:var(--k-dark)"),
    (".k-mark-edge,.k-mark", "fill:none;stroke-linejoin:round"),
    (".k-mark-edge", "stroke:var(--k-light);stroke-width:11"),
    (".k-mark", "stroke:var(--k-mark);stroke-width:6"),
    (".k-way,.k-way-edge", "fill:none;stroke-linejoin:round;stroke-linecap:round"),
    (".k-way-edge", "stroke:var(--k-light);stroke-width:16"),
    (".k-way", "stroke:var(--k-dark);stroke-width:8"),
    (".k-turn", "text-anchor:end"),
    (".k-plain .k-body", "fill:var(--k-soft)"),
    (".k-winner", "fill:var(--k-mark)"),
)


def style(theme: Theme = "auto") -> str:
    """Return the style sheet of a picture.

    Args:
        theme: `"light"` or `"dark"` has its colours written out; `"auto"` follows the reader's
            `prefers-color-scheme`, and the class `karuba-light` or `karuba-dark` where there is one.

    Raises:
        ValueError: There is no such theme.

    >>> ".karuba-dark .k-page{fill:#14181a}" in style("dark")
    True
    """
    if theme == "auto":
        rules = [f"{selector}{{{declared}}}" for selector, declared in _RULES]
        light, dark = _properties(0), _properties(1)
        chosen = f".karuba-light{{{light}}}\n.karuba-dark{{{dark}}}"
        asked = f"@media (prefers-color-scheme:dark){{.karuba{{{dark}}}}}"
        return "\n".join((f".karuba{{{light}}}", asked, chosen, *rules))
    if theme not in _THEMES:
        raise ValueError(f"no theme {theme!r}: auto, {', '.join(_THEMES)}")
    index = _THEMES.index(theme)
    return "\n".join(
        f"{_within(theme, selector)}{{{_written_out(text, index)}}}" for selector, text in _RULES
    )


def _properties(index: int) -> str:
    return ";".join(f"--k-{name}:{both[index]}" for name, both in COLOURS.items())


def _within(theme: str, selectors: str) -> str:
    """Return selectors that hold in pictures of one theme only: a page may show several."""
    return ",".join(f".karuba-{theme} {selector}" for selector in selectors.split(","))


def _written_out(declared: str, index: int) -> str:
    return re.sub(r"var\(--k-([a-z-]+)\)", lambda found: COLOURS[found[1]][index], declared)


STYLE: Final = style()
"""The style sheet of a page that shows pictures of both themes: give an element the class `karuba`."""
