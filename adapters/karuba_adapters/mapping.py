"""A mapping file: which record of a foreign log becomes which command, and where its fields are found.

The file is TOML. A text in it is an expression (JMESPath), any other value stands for itself, and a table is
either an object of such parts or, with one of the keys of `LOOK_UP`, a value to be looked up. All that can be
wrong with the file itself is found here, before a log is opened.
"""

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
from attrs import frozen

from karuba_adapters.foreign_shape import Constant, ForeignShape, LookUp, Members, Part, Rule, Table
from karuba_adapters.queries import Query, WrongQuery, query
from karuba_core import COLOURS, Collect, Discard, Draw, Move, Pair, Pass, Place, RuleSet, Setup
from karuba_core.ruleset import PRESETS
from karuba_core.wording import listed, shown

LOOK_UP: Final = ("get", "each", "by")
_COMMANDS: Final = {kind.name: kind for kind in (Draw, Place, Discard, Move, Collect, Pass)}


class WrongMapping(ValueError):
    """A mapping file that says nothing clear; it names the place."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(f"{place}: {what}" if place else what)


def read_mapping(text: str) -> ForeignShape:
    """Return what a mapping file says.

    Raises:
        WrongMapping: It is no TOML, lacks something, or has something that a mapping does not know.
    """
    try:
        file = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer can be too long for Python, too
        raise WrongMapping("", f"no TOML: {error}") from None
    _check_keys("", file, needed=("opening", "rule"), possible=("records", "header", "tables", "lists"))
    records = _query("records", file["records"]) if "records" in file else None
    if records is not None and "header" in file:
        raise WrongMapping("header", "a document, which records names a list of, has no header lines")
    header = file.get("header", 1)
    if type(header) is not int or header < 0:
        raise WrongMapping("header", f"expected how many lines, got {shown(header)}")
    tables = {name: _values(f"tables.{name}", table) for name, table in _items("tables", file)}
    lists = {name: _list(f"lists.{name}", table) for name, table in _items("lists", file)}
    if doubled := sorted(tables.keys() & lists.keys()):
        raise WrongMapping(f"lists.{doubled[0]}", "there is a table of this name, too")
    parts = _Parts({*tables, *lists})
    return ForeignShape(
        records, header, *_opening(parts, file["opening"]), tables, lists, _rules(parts, file)
    )


def _items(place: str, file: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return _table(place, file.get(place, {})).items()


def _table(place: str, value: object) -> Table:
    if not isinstance(value, dict):
        raise WrongMapping(place, f"expected a table, got {shown(value)}")
    return value


def _values(place: str, value: object) -> Table:
    """Return a table of values, in which tables may stand."""
    table = _table(place, value)
    for key, entry in table.items():
        (_values if isinstance(entry, dict) else _json)(f"{place}.{key}", entry)
    return table


def _check_keys(
    place: str, table: object, *, needed: Iterable[str] = (), possible: Iterable[str] = ()
) -> dict[str, Any]:
    """Return a table that has what is needed and nothing that is not known."""
    found = dict(_table(place, table))
    known = [*needed, *possible]
    for key in found:
        if key not in known:
            raise WrongMapping(place, f"there is no {shown(key)}: {listed(known)}")
    for key in needed:
        if key not in found:
            raise WrongMapping(place, f"{key} is missing")
    return found


def _query(place: str, value: object) -> Query:
    if not isinstance(value, str):
        raise WrongMapping(place, f"expected an expression in quotes, got {shown(value)}")
    try:
        return query(value)
    except WrongQuery as error:
        raise WrongMapping(place, f"{shown(value)} is no expression: {error}") from None


def _list(place: str, value: object) -> tuple[Query | None, Query]:
    found = _check_keys(place, value, needed=["values"], possible=["keys"])
    keys = _query(f"{place}.keys", found["keys"]) if "keys" in found else None
    return keys, _query(f"{place}.values", found["values"])


def _opening(parts: "_Parts", value: object) -> tuple[Members, str | None]:
    """Return the fields of the opening, and the preset that stands for its rules."""
    setup = [field.name for field in attrs.fields(Setup)]
    needed = [name for name in setup if name != "rules"]
    found = _check_keys("opening", value, needed=needed, possible=("rules", "preset", "meta"))
    if ("preset" in found) == ("rules" in found):
        raise WrongMapping("opening", "expected either rules or preset")
    preset = found.pop("preset", None)
    if preset is not None and (not isinstance(preset, str) or preset not in PRESETS):
        raise WrongMapping("opening.preset", f"there is no {shown(preset)}: {listed([*PRESETS])}")
    pair = [field.name for field in attrs.fields(Pair)]
    if _is_object(found["layout"]):
        _check_keys("opening.layout", found["layout"], needed=COLOURS)
        for colour, numbers in found["layout"].items():
            if _is_object(numbers):
                _check_keys(f"opening.layout.{colour}", numbers, needed=pair)
    if _is_object(found.get("rules")):
        _check_keys("opening.rules", found["rules"], needed=[field.name for field in attrs.fields(RuleSet)])
    return parts.members("opening", found), preset


def _is_object(value: object) -> bool:
    return isinstance(value, dict) and not any(key in value for key in LOOK_UP)


def _rules(parts: "_Parts", file: Mapping[str, Any]) -> tuple[Rule, ...]:
    rules = file["rule"]
    if not isinstance(rules, list):
        raise WrongMapping("rule", "expected [[rule]], a list of tables")
    return tuple(_rule(parts, f"rule {number}", rule) for number, rule in enumerate(rules, start=1))


def _rule(parts: "_Parts", place: str, value: object) -> Rule:
    found = _check_keys(place, value, possible=("when", "write", "ignore"))
    when = _query(f"{place}, when", found["when"]) if "when" in found else None
    if "write" in found and "ignore" not in found:
        return Rule(place, when, tuple(_commands(parts, place, found["write"])))
    if "write" not in found and found.get("ignore") is True:
        return Rule(place, when, ())
    raise WrongMapping(place, "expected either write or ignore = true")


def _commands(parts: "_Parts", place: str, value: object) -> Iterator[Members]:
    several = value if isinstance(value, list) else [value]
    if not several:
        raise WrongMapping(f"{place}, write", "expected a command, got none; ignore = true writes nothing")
    for number, command in enumerate(several, start=1):
        where = f"{place}, write" if len(several) == 1 else f"{place}, write {number}"
        name = _table(where, command).get("type")
        if not isinstance(name, str) or name not in _COMMANDS:
            raise WrongMapping(f"{where}.type", f"expected one of {', '.join(_COMMANDS)}, got {shown(name)}")
        fields = ["type", *(field.name for field in attrs.fields(_COMMANDS[name]))]
        found = _check_keys(where, command, needed=fields, possible=["meta"])
        members = parts.members(where, {key: part for key, part in found.items() if key != "type"})
        yield Members({"type": Constant(name), **members.parts})


@frozen
class _Parts:
    """Reads the parts of objects; `tables` are the names of all tables."""

    tables: set[str]

    def members(self, place: str, table: Table, *, may_lack: bool = False) -> Members:
        """Return an object, part by part."""
        return Members(
            {
                key: self.part(f"{place}.{key}", value, may_lack=may_lack or key == "meta")
                for key, value in table.items()
            }
        )

    def part(self, place: str, value: object, *, may_lack: bool) -> Part:
        """Return how one value is made."""
        if isinstance(value, str):
            return LookUp(place, _query(place, value), None, None, may_lack)
        if not isinstance(value, dict):
            return Constant(_json(place, value))
        if _is_object(value):
            return self.members(place, value, may_lack=may_lack)
        found = _check_keys(place, value, possible=LOOK_UP)
        each = _query(f"{place}.each", found["each"]) if "each" in found else None
        get = _query(f"{place}.get", found.get("get", "@"))
        by = found.get("by")
        if by is not None and (not isinstance(by, str) or by not in self.tables):
            known = listed(sorted(self.tables)) or "there is none"
            raise WrongMapping(f"{place}.by", f"there is no table {shown(by)}: {known}")
        return LookUp(place, get, each, by, may_lack)


def _json(place: str, value: object) -> object:
    """Return a constant; TOML has some that JSON has not."""
    if isinstance(value, list):
        return [_json(place, entry) for entry in value]
    if not isinstance(value, str | bool | int | float) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        raise WrongMapping(place, f"{value} is no value of a log")
    return value
