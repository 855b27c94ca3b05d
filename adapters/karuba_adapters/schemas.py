"""JSON Schemas (2020-12) of records and states, made from the classes that hold them.

A schema says what shape is (F-SHAPE, F-META); text and rules it leaves to the judge.
"""

import inspect
import json
from types import NoneType
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import attrs

from karuba_adapters.codec import FORMAT, Message, Opening
from karuba_adapters.state_form import STATE_FORMAT, State
from karuba_core import GameStarted

Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_LARGEST: Final = 2**53 - 1
_INTEGER: Final = {
    "title": "Integer",
    "description": "A whole number within the range of F-TEXT-5.",
    "$comment": "JSON Schema takes 1.0 for an integer; a log does not (F-SHAPE-3).",
    "type": "integer",
    "minimum": -_LARGEST,
    "maximum": _LARGEST,
}
_SCALARS: Final = {int: "integer", str: "string", NoneType: "null"}


def schema_files() -> dict[str, str]:
    """Return the text of each schema, by the name of its file."""
    schemas = {"record.schema.json": record_schema(), "state.schema.json": state_schema()}
    return {name: json.dumps(schema, indent=2) + "\n" for name, schema in schemas.items()}


def record_schema() -> Schema:
    """Return the schema of a record of karuba-log/1: an event, a command or a seal.

    It knows no vocabulary: a record with the cell `z9` has the right shape, and the rules refuse it.
    """
    shared: Schema = {}
    records = {kind.name: _record(kind, shared) for kind in get_args(Message)}
    return {
        "$schema": _DIALECT,
        "$id": "urn:karuba:log-1:record",
        "title": f"A record of {FORMAT}",
        "description": "A line of a log, an event, a command or a seal, by its shape alone.",
        "oneOf": [_reference(name) for name in records],
        "$defs": records | shared,
    }


def state_schema() -> Schema:
    """Return the schema of karuba-state/1, with its vocabulary and its ranges."""
    shared: Schema = {}
    state = _closed(State, _fields(State, shared))
    return {
        "$schema": _DIALECT,
        "$id": "urn:karuba:state-1",
        **state,
        "title": f"A state of {STATE_FORMAT}",
        "$defs": shared,
    }


def _record(kind: Any, shared: Schema) -> Schema:  # noqa: ANN401 - a class whose `name` a log knows
    fields = {"type": {"const": kind.name}, **_fields(Opening if kind is GameStarted else kind, shared)}
    if kind is GameStarted:
        fields["format"] = {"const": FORMAT}  # F-LOG-2: nothing is known of another format
    record = _closed(kind, fields) | {"title": kind.name}
    record["properties"] = fields | {"meta": {"type": "object"}}  # F-META-1: any record may have it
    return record


def _closed(kind: type, fields: Schema) -> Schema:
    """Return the schema of an object that has exactly these fields (F-SHAPE-2)."""
    return {
        "title": kind.__name__,
        "description": str(inspect.getdoc(kind)).partition("\n")[0],
        "type": "object",
        "properties": fields,
        "required": [*fields],
        "additionalProperties": False,
    }


def _fields(kind: type, shared: Schema) -> Schema:
    """Return the schemas of the fields of an attrs class or of a TypedDict, by their names."""
    if attrs.has(kind):
        return {field.name: _field(field, shared) for field in attrs.fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    return {name: _schema(hint, shared) for name, hint in hints.items()}


def _field(field: "attrs.Attribute[Any]", shared: Schema) -> Schema:
    key = field.metadata.get("keyed_by")
    if key is None:
        return _schema(field.type, shared)
    row = get_args(field.type)[0]  # a log has these rows by one of their columns, which they lack then
    columns = {name: column for name, column in _fields(row, shared).items() if name != key}
    return {"type": "object", "additionalProperties": _shared(_closed(row, columns), shared)}


def _schema(kind: Any, shared: Schema) -> Schema:  # noqa: ANN401 - a type as it stands in an annotation
    """Return the schema of a type; what has a title is kept among the shared ones and referred to."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is int:
        return _shared(_INTEGER, shared)
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    if origin is Annotated:
        base, says = arguments
        plain = {"type": _SCALARS[base]} if base in _SCALARS else _schema(base, shared)
        return _shared(plain | says.keywords, shared)
    if origin is Literal:
        return {"enum": [*arguments]} if arguments[1:] else {"const": arguments[0]}
    if origin in (tuple, list):
        return {"type": "array", "items": _schema(arguments[0], shared)}
    if origin is dict:
        keys, values = (_schema(each, shared) for each in arguments)
        return {"type": "object", "propertyNames": keys, "additionalProperties": values}
    if arguments:  # one of several types
        return {"anyOf": [_schema(each, shared) for each in arguments]}
    return _shared(_closed(kind, _fields(kind, shared)), shared)


def _shared(schema: Schema, shared: Schema) -> Schema:
    if "title" not in schema:
        return schema
    shared[schema["title"]] = schema
    return _reference(schema["title"])


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}
