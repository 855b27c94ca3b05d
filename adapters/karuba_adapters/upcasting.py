"""Logs of older formats: their records become records of the current one, version by version.

A record is changed before the strict decoder sees it, and the bytes of its line are kept: a seal is judged by
what stands in the file. In all formats an opening has the type `game-started` and names the `format`, which
holds up to the next opening.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve

from karuba_adapters.codec import FORMAT, decode
from karuba_adapters.log_files import Line
from karuba_adapters.records import Fault
from karuba_adapters.strict_json import loads
from karuba_core import GameStarted

Fields = dict[str, Any]

Upcaster = Callable[[Fields], Fields]
"""Makes of a record of one format one of a newer format.

What it does not know, or does not find, it leaves as it is: the decoder tells what is wrong with that.
"""


def chained(
    steps: Mapping[str, tuple[str, Upcaster]], newest: str = FORMAT
) -> MappingProxyType[str, Upcaster]:
    """Return for each older format how a record of it becomes one of the newest.

    Args:
        steps: For each older format the next one, and how a record gets there.
        newest: Where all steps have to lead.

    Raises:
        ValueError: They do not: there is a gap, or a loop.

    >>> sorted(chained({"a/0": ("a/1", dict), "a/1": ("a/2", dict)}, "a/2"))
    ['a/0', 'a/1']
    """
    return MappingProxyType({old: _whole_way(old, steps, newest) for old in steps})


def _whole_way(old: str, steps: Mapping[str, tuple[str, Upcaster]], newest: str) -> Upcaster:
    upcasters: list[Upcaster] = []
    here = old
    while here != newest:
        if here not in steps:
            raise ValueError(f"no step leads from {here} on to {newest}")
        if len(upcasters) == len(steps):
            raise ValueError(f"the steps from {old} lead round in a circle")
        here, upcaster = steps[here]
        upcasters.append(upcaster)

    def upcast(fields: Fields) -> Fields:
        fields = reduce(lambda record, upcaster: upcaster(record), upcasters, fields)
        return {**fields, "format": newest} if fields.get("type") == GameStarted.name else fields

    return upcast


OLDER_FORMATS: Final = chained({})
"""The formats before the current one, none yet; `chained` proves at the start that all lead to it."""


def upcast(lines: Iterator[Line], older: Mapping[str, Upcaster] = OLDER_FORMATS) -> Iterator[Line]:
    """Return the lines of a stream with all records of older formats read as records of the current one.

    Args:
        lines: The lines as they were read by the current format.
        older: What `chained` made of the steps between the formats.
    """
    return _upcast(lines, older) if older else lines


def _upcast(lines: Iterator[Line], older: Mapping[str, Upcaster]) -> Iterator[Line]:
    upcaster: Upcaster | None = None
    for line in lines:
        number, text, message, _ = line
        if isinstance(message, GameStarted):
            upcaster = None
        elif (written_in := _unknown_format(line)) is not None:
            upcaster = older.get(written_in)
        yield line if upcaster is None else _read_by(upcaster, number, text)


def _read_by(upcaster: Upcaster, number: int, text: bytes) -> Line:
    try:
        value = loads(text)
        message, meta = decode(upcaster(value) if isinstance(value, dict) else value)
    except Fault as fault:
        return number, text, fault.faults, None
    return number, text, message, meta


def name_converter(lines: Iterator[Line], older: Mapping[str, Upcaster] = OLDER_FORMATS) -> Iterator[Line]:
    """Return the lines of a stream; the fault of an opening of an older format names `karuba convert`.

    Args:
        lines: The lines as they were read by the current format.
        older: What `chained` made of the steps between the formats.
    """
    return (_with_converter(line, older) for line in lines) if older else lines


def _with_converter(line: Line, older: Mapping[str, Upcaster]) -> Line:
    number, text, message, meta = line
    if not isinstance(message, tuple) or _unknown_format(line) not in older:
        return line
    told = f"{message[0].message}; karuba convert brings it up to date"
    return number, text, (evolve(message[0], message=told),), meta


def _unknown_format(line: Line) -> str | None:
    """Return the format that an opening names, where it is not the current one."""
    _, text, message, _ = line
    if not isinstance(message, tuple) or message[0].code != "log/unknown-format":
        return None
    value = loads(text)
    return str(value["format"]) if isinstance(value, dict) else None
