"""What messages are made of: values as a log writes them, JSON paths, and where two values differ.

All is bounded in length, whatever a log or an embedder puts into a field.
"""

import json
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

import attrs

_NAME_LENGTH: Final = 64
_TEXT_LENGTH: Final = 80
_ENTRIES: Final = 20
_LEVELS: Final = 3
_SHOWN_LENGTH: Final = 200
_LISTED_LENGTH: Final = 1000


def shown(value: object) -> str:
    """Return a value as a message shows it: compact JSON, as in the log, cut to a bounded length.

    >>> print(shown("ana"), shown((5, 3, True, None)), shown({"at": 1.5}))
    "ana" [5,3,true,null] {"at":1.5}
    """
    try:
        text = _written(value, _LEVELS)
    except ValueError:  # Python writes no integer of thousands of digits
        return "a giant integer"
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}..."


def _written(value: Any, levels: int) -> str:  # noqa: ANN401 - any value
    """Return a value as JSON: of a long text its beginning, of a long or deep list its first entries."""
    if attrs.has(type(value)):
        value = {field.name: getattr(value, field.name) for field in attrs.fields(type(value))}
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, int | float):
        return json.dumps(value)
    members: Iterable[tuple[str, Any]]
    if isinstance(value, dict):
        ends, members = "{}", ((f"{_text(str(key))}:", part) for key, part in value.items())
    elif isinstance(value, list | tuple):
        ends, members = "[]", (("", part) for part in value)
    else:  # no JSON: an embedder's own
        return reprlib.repr(value)
    entries = [
        f"{key}{_written(part, levels - 1)}" for key, part in islice(members, _ENTRIES if levels else 0)
    ]
    if len(value) > len(entries):
        entries.append("...")
    return f"{ends[0]}{','.join(entries)}{ends[1]}"


def _text(text: str) -> str:
    """Return a text in the double quotes of JSON, with an escape for all that hides or moves something."""
    written = json.dumps(text[:_TEXT_LENGTH], ensure_ascii=False)
    if not written.isprintable():
        written = "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in written)
    return written if len(text) <= _TEXT_LENGTH else f"{written}..."


def listed(names: Sequence[str]) -> str:
    """Return names, or other short texts, in a row.

    >>> listed(["ana"]), listed(["ana", "ben", "chloé"])
    ('ana', 'ana, ben and chloé')
    """
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def none_of(player: str, players: Iterable[str]) -> str:
    """Return that somebody is none of the players.

    >>> none_of("eve", ("ana", "ben"))
    '"eve" is none of the players, "ana" and "ben"'
    """
    return f"{shown(player)} is none of the players, {listed([*map(shown, players)])}"


def member_path(path: str, name: str) -> str:
    r"""Return the JSON path of an object's member, its name quoted where it is no plain word.

    >>> print(member_path("$.scores", "ana"), member_path("$.scores", "Kim D'Or"))
    $.scores.ana $.scores['Kim D\'Or']
    """
    if len(name) > _NAME_LENGTH:
        name = f"{name[:_NAME_LENGTH]}..."
    if name.isidentifier():
        return f"{path}.{name}"
    quoted = _text(name)[1:-1].replace('\\"', '"').replace("'", "\\'")  # RFC 9535 prefers single quotes
    return f"{path}['{quoted}']"


def told(found: Iterable[tuple[str, Any, Any]]) -> str:
    """Return, in one line, at which paths two values differ, with what was expected and what stood there."""
    parts = [
        f"{path.removeprefix('$.')}: expected {shown(right)}, got {shown(wrong)}"
        for path, right, wrong in found
    ]
    length, count = 0, 0
    for part in parts:
        length += len(part)
        if count and length > _LISTED_LENGTH:
            break
        count += 1
    more = f"; and {len(parts) - count} more" if count < len(parts) else ""
    return "; ".join(parts[:count]) + more


def differences(path: str, right: Any, wrong: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401 - any value
    """Yield path, right and wrong value of every innermost part in which two unequal values differ."""
    has_parts = False
    for step, right_part, wrong_part in _parts(right, wrong):
        if right_part != wrong_part:
            has_parts = True
            yield from differences(f"{path}{step}", right_part, wrong_part)
    if not has_parts:
        yield path, _keys_or_value(right), _keys_or_value(wrong)


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
