"""JSON values to attrs classes by cattrs, strictly: types for what they are, no field too few or too many."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, get_origin

import attrs
from cattrs import Converter
from cattrs.cols import homogenous_tuple_structure_factory
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError
from cattrs.gen import make_dict_structure_fn

from karuba_adapters.records import missing_field, unknown_field, wrong_type
from karuba_core import Score, Violation
from karuba_core.wording import member_path

MOST_FAULTS: Final = 100
"""The faults of a record that are told, and the entries of a list or an object that are searched for them."""

_STRING: Final = {str}


class WrongType(Exception):
    """A value of the wrong JSON type, raised where its path is not known yet."""

    def __init__(self, expected: str, value: object) -> None:
        super().__init__(expected, value)
        self.expected = expected
        self.value = value


def strict_converter(*, detailed: bool) -> Converter:
    """Return a converter that takes JSON types for what they are (F-SHAPE-2, F-SHAPE-3)."""
    converter = Converter(detailed_validation=detailed, forbid_extra_keys=True)
    converter.register_structure_hook(int, _integer)
    converter.register_structure_hook(str, _string)
    converter.register_structure_hook_factory(
        lambda kind: get_origin(kind) is tuple,  # type: ignore[comparison-overlap]  # kind is any type
        lambda kind: only(list, "a list", homogenous_tuple_structure_factory(kind, converter), cut=detailed),
    )
    if not detailed:
        converter.register_structure_hook_func(lambda kind: kind == tuple[str, ...], _strings)
    converter.register_structure_hook_factory(
        attrs.has, lambda kind: only(dict, "an object", make_dict_structure_fn(kind, converter))
    )
    return converter


def _integer(value: object, _kind: object) -> int:
    if type(value) is not int:  # a boolean is an int to Python
        raise WrongType("an integer", value)
    return value


def _string(value: object, _kind: object) -> str:
    if type(value) is not str:
        raise WrongType("a string", value)
    return value


def _strings(value: object, _kind: object) -> tuple[str, ...]:
    """Read a list of strings, such as every path is, at once."""
    if type(value) is not list or not {*map(type, value)} <= _STRING:
        raise WrongType("a list of strings", value)
    return tuple(value)


def only(
    kind: type, expected: str, hook: Callable[[Any, Any], Any], *, cut: bool = False
) -> Callable[[Any, Any], Any]:
    """Return a hook that takes lists or objects, and nothing that Python would let pass for one.

    Args:
        kind: The type to take, `list` or `dict`.
        expected: What a message calls it.
        hook: What it is for.
        cut: Whether to look at the first entries only, so that a line of a hundred thousand
            faults costs no more than one of a hundred.
    """

    def strict(value: Any, target: object) -> Any:  # noqa: ANN401 - whatever the hook makes
        if type(value) is not kind:
            raise WrongType(expected, value)
        return hook(_first_entries(value) if cut else value, target)

    return strict


def _first_entries(value: Any) -> Any:  # noqa: ANN401 - a list or an object, as it came
    if isinstance(value, dict):
        return dict(islice(value.items(), MOST_FAULTS))
    return value[:MOST_FAULTS]


def scores_reader(converter: Converter) -> Callable[[Any, Any], tuple[Score, ...]]:
    """Return a hook for scores, which a log keys by player."""
    columns = [field for field in attrs.fields(Score) if field.name != "player"]
    points: Any = attrs.make_class("Points", {field.name: attrs.field(type=field.type) for field in columns})
    table = dict[str, points]
    read = converter.get_structure_hook(table)

    def scores(value: object, _kind: object) -> tuple[Score, ...]:
        return tuple(Score(player, *attrs.astuple(row)) for player, row in read(value, table).items())

    return scores


def faults_of(error: Exception, path: str) -> Iterator[Violation]:
    """Yield every fault of a record from what the detailed reading raised."""
    if isinstance(error, (ClassValidationError, IterableValidationError)):
        noted, plain = error.group_exceptions()
        for inner, note in noted:
            yield from faults_of(inner, _deeper(path, note))
        for inner in plain:
            yield from faults_of(inner, path)
    elif isinstance(error, ForbiddenExtraKeysError):
        for name in sorted(error.extra_fields)[:MOST_FAULTS]:
            yield unknown_field(member_path(path, name))
    elif isinstance(error, WrongType):
        yield wrong_type(path, error.expected, error.value)
    elif isinstance(error, KeyError):
        yield missing_field(path)
    else:
        raise error  # none of the record's faults


def _deeper(path: str, note: Any) -> str:  # noqa: ANN401 - one of two notes of cattrs
    place = getattr(note, "name", None) or note.index
    return member_path(path, place) if isinstance(place, str) else f"{path}[{place}]"
