"""Layouts and rules from JSON of their own, in the form that an opening has them in."""

from typing import TypeVar

from cattrs.errors import ClassValidationError, IterableValidationError

from karuba_adapters.records import ShapeFault
from karuba_adapters.shapes import WrongType, faults_of, strict_converter
from karuba_adapters.strict_json import TextFault, loads
from karuba_core import Layout, RuleSet, Violation

T = TypeVar("T")


def read_layout(text: bytes) -> Layout:
    """Return the layout that a JSON text is; its numbers are judged when the game starts.

    Args:
        text: An object such as the `layout` of an opening, on as many lines as you like.

    Raises:
        TextFault: It is not the text of one JSON value (`text/…`).
        ShapeFault: Its fields are not those of a layout (`shape/…`).
    """
    return _read(text, Layout, "$.layout")


def read_rules(text: bytes) -> RuleSet:
    """Return the rules that a JSON text is; what they say is judged when the game starts.

    Args:
        text: An object such as the `rules` of an opening, on as many lines as you like.

    Raises:
        TextFault: It is not the text of one JSON value (`text/…`).
        ShapeFault: Its fields are not those of rules (`shape/…`).

    >>> read_rules(b'{"pickup":"stop","temple_treasures":[5,3],"separation":"edge-3"}').separation
    'edge-3'
    """
    return _read(text, RuleSet, "$.rules")


def _read(text: bytes, kind: type[T], path: str) -> T:
    try:
        value = loads(text)
    except TextFault as fault:
        if fault.faults[0].code != "text/blank-line":
            raise
        message = "expected a JSON object, got an empty text"  # not a line of a log
        raise TextFault(Violation("text/blank-line", "F-TEXT-3", path, message)) from None
    try:
        return strict_converter(detailed=True).structure(value, kind)
    except (ClassValidationError, IterableValidationError, WrongType) as error:
        raise ShapeFault(*faults_of(error, path)) from None
