"""Whether text is coloured, and how."""

import sys
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karuba_adapters.findings import Paint


class Color(StrEnum):
    """When text is coloured."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def painter(color: Color, *, to_file: bool) -> "Paint | None":
    """Return what colours text; None where it stays plain in any case.

    A file gets colours only if somebody asks for them.
    """
    if color is Color.ALWAYS:
        return _painted
    if color is Color.NEVER or to_file:
        return None
    return lambda text, style: _painted(text, style) if _has_colors() else text


@cache
def _has_colors() -> bool:
    """Return whether standard output shows colours and may (NO_COLOR, FORCE_COLOR, TERM)."""
    from rich.console import Console

    console = Console(file=sys.stdout)
    return console.color_system not in {None, "windows"} and not console.no_color


def _painted(text: str, style: str) -> str:
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)
