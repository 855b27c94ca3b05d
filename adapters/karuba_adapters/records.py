"""The envelope of every record: a type, `meta` that is nobody's business, and the fields."""

from collections.abc import Mapping
from typing import Any, Final

from karuba_core import Violation
from karuba_core.wording import shown

Meta = dict[str, Any] | None
"""What a writer noted beside the game; the rules ignore it, every reader keeps it (F-META-1)."""

_NONE: Final[dict[str, Any]] = {}
JSON_TYPES: Final[Mapping[type, str]] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    int: "an integer",
    float: "a number that is no integer",
    bool: "a boolean",
    type(None): "null",
}


class Fault(ValueError):
    """A line that cannot stand in its log; `faults` says why, all of it."""

    def __init__(self, *faults: Violation) -> None:
        super().__init__(*faults)
        self.faults = faults

    def __str__(self) -> str:
        return "; ".join(f"{fault.message} [{fault.code}]" for fault in self.faults)


class ShapeFault(Fault):
    """A record of the wrong shape (codes `shape/…`)."""


def open_record(value: object) -> tuple[str, Meta]:
    """Take the envelope off a record: return its type and its `meta`, and leave its other fields.

    Args:
        value: The JSON value of a line; an object is left with the fields of its type alone.

    Raises:
        ShapeFault: It is no object, has no type, or its type or `meta` is of the wrong JSON type
            (`shape/wrong-type`, `shape/missing-field`).
    """
    if type(value) is not dict:
        raise ShapeFault(wrong_type("$", "an object", value))
    kind = value.pop("type", _NONE)
    meta = value.pop("meta", _NONE)
    if type(kind) is str and type(meta) is dict:
        return kind, None if meta is _NONE else meta
    faults = []
    if kind is _NONE:
        faults.append(missing_field("$.type"))
    elif type(kind) is not str:
        faults.append(wrong_type("$.type", "a string", kind))
    if type(meta) is not dict:
        faults.append(wrong_type("$.meta", "an object", meta))
    raise ShapeFault(*faults)


def wrong_type(path: str, expected: str, value: object) -> Violation:
    """Return the fault of a value of the wrong JSON type (F-SHAPE-3)."""
    found = JSON_TYPES[type(value)]
    message = f"expected {expected}, got {found}" + ("" if value is None else f": {shown(value)}")
    return Violation("shape/wrong-type", "F-SHAPE-3", path, message)


def missing_field(path: str) -> Violation:
    """Return the fault of a field that is not there (F-SHAPE-2)."""
    return Violation("shape/missing-field", "F-SHAPE-2", path, "this field is missing")


def unknown_field(path: str) -> Violation:
    """Return the fault of a field that the format does not know (F-SHAPE-2)."""
    message = "this field is unknown; what is beside the game goes into meta"
    return Violation("shape/unknown-field", "F-SHAPE-2", path, message)
