"""Elements of an SVG picture, put together so that every text and attribute is escaped."""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

Element = ET.Element


def element(tag: str, children: Iterable[Element] = (), *, text: str = "", **attributes: object) -> Element:
    """Return an element with its attributes in the order in which they are given.

    Args:
        tag: Its name.
        children: What is in it.
        text: What is written in it, before its children.
        **attributes: What it has; `class_` stands for `class`, `_` for `-`, and numbers are rounded.

    >>> as_text(element("text", text="a<b", class_="k-name", font_size=1 / 3))
    '<text class="k-name" font-size="0.333333">a&lt;b</text>'
    """
    made = ET.Element(tag, {_name(name): _value(value) for name, value in attributes.items()})
    made.text = text or None
    made.extend(children)
    return made


def group(children: Iterable[Element], *, x: int = 0, y: int = 0, **attributes: object) -> Element:
    """Return a group of elements, moved right and down."""
    made = element("g", children, text="", **attributes)
    if x or y:
        made.set("transform", f"translate({x} {y})")
    return made


def as_text(made: Element) -> str:
    """Return an element as text."""
    return ET.tostring(made, encoding="unicode")


def _name(name: str) -> str:
    return name.removesuffix("_").replace("_", "-")


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
