"""What messages are made of: values cut to a bounded length, JSON paths, and where two values differ."""

import reprlib
from collections.abc import Iterator
from typing import Any, Final

import attrs

_NAME_LENGTH: Final = 64
_SHOWN_LENGTH: Final = 200
_BRIEF: Final = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = 80
_BRIEF.maxlevel = 2


def shown(value: object) -> str:
    """Return a value as a message shows it: its `repr`, cut to a bounded length."""
    try:
        text = _BRIEF.repr(value)
    except ValueError:  # Python writes no integer of thousands of digits
        return "a giant integer"
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}..."


def member_path(path: str, name: str) -> str:
    """Return the JSON path of an object's member, its name quoted where it is no plain word.

    >>> member_path("$.scores", "ana"), member_path("$.scores", "chloé 2")
    ('$.scores.ana', "$.scores['chloé 2']")
    """
    if len(name) > _NAME_LENGTH:
        return f"{path}[{shown(name)}]"
    return f"{path}.{name}" if name.isidentifier() else f"{path}[{name!r}]"


def first_difference(path: str, right: Any, wrong: Any) -> tuple[str, Any, Any]:  # noqa: ANN401 - any value
    """Return path, right and wrong value of the innermost part in which two unequal values differ first."""
    for step, right_part, wrong_part in _parts(right, wrong):
        if right_part != wrong_part:
            return first_difference(f"{path}{step}", right_part, wrong_part)
    return path, _keys_or_value(right), _keys_or_value(wrong)


def _keys_or_value(value: Any) -> Any:  # noqa: ANN401 - any value
    return list(value) if isinstance(value, dict) else value


def _parts(right: Any, wrong: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401 - any value
    """Yield the step of the JSON path to each part of two values, with both, where they have like parts."""
    if type(right) is not type(wrong):
        return
    if attrs.has(type(right)):
        fields = attrs.fields(type(right))
        yield from ((f".{field.name}", _part(right, field), _part(wrong, field)) for field in fields)
    elif isinstance(right, dict) and right.keys() == wrong.keys():
        yield from ((member_path("", key), value, wrong[key]) for key, value in right.items())
    elif isinstance(right, tuple) and len(right) == len(wrong):
        yield from ((f"[{index}]", *pair) for index, pair in enumerate(zip(right, wrong, strict=True)))


def _part(value: Any, field: "attrs.Attribute[Any]") -> Any:  # noqa: ANN401 - any value
    """Return a field's value; items that a log keys by one of their fields come as a table."""
    part, key = getattr(value, field.name), field.metadata.get("keyed_by")
    if key is None:
        return part
    table = {getattr(item, key): item for item in part}
    return table if len(table) == len(part) else part  # a key that stands twice hides nothing
