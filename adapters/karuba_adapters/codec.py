"""A record to an event, a command or a seal, and back: closed fields, strict types, nothing coerced."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Final, NamedTuple, cast, get_args, get_origin

import attrs
import orjson
from cattrs import Converter
from cattrs.cols import homogenous_tuple_structure_factory
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from karuba_adapters.records import Meta, ShapeFault, missing_field, open_record, unknown_field, wrong_type
from karuba_adapters.strict_json import loads
from karuba_core import Command, Event, GameEnded, GameStarted, Score, Setup, Violation
from karuba_core.wording import member_path, shown

FORMAT: Final = "karuba-log/1"
_MOST_FAULTS: Final = 100
_WRITING: Final = orjson.OPT_APPEND_NEWLINE | orjson.OPT_STRICT_INTEGER


@attrs.frozen
class Seal:
    """The last record of a sealed log: how many stand before it, and the digest of their bytes."""

    name: ClassVar = "seal"
    records: int
    digest: str


@attrs.frozen
class Opening(Setup):
    """The fields of an opening: a setup, and the format in which its log is written."""

    format: str


Message = Event | Command | Seal
"""What a record says."""


class _WrongType(Exception):
    """A value of the wrong JSON type, raised where its path is not known yet."""

    def __init__(self, expected: str, value: object) -> None:
        super().__init__(expected, value)
        self.expected = expected
        self.value = value


class _Reader(NamedTuple):
    """How the fields of one type of record are read.

    Attributes:
        width: How many there are.
        read: Reads them where there are as many; stops at the first fault.
        read_in_detail: Reads them and finds all faults.
    """

    width: int
    read: Callable[[dict[str, Any], Any], Message]
    read_in_detail: Callable[[dict[str, Any], Any], Message]


def decode(value: object) -> tuple[Message, Meta]:
    """Return the event, the command or the seal that the JSON value of a line is, and its `meta`.

    Args:
        value: The JSON value; an object is taken over, not copied.

    Raises:
        ShapeFault: Its type is unknown, or its fields are not exactly those of its type, all
            faults at once (`shape/unknown-type`, `shape/missing-field`, `shape/unknown-field`,
            `shape/wrong-type`); or it opens a log of another format (`log/unknown-format`).
    """
    name, meta = open_record(value)
    fields = cast("dict[str, Any]", value)
    reader = _READERS.get(name)
    if reader is None:
        message = f"expected a record of {FORMAT}, got type {shown(name)}"
        raise ShapeFault(Violation("shape/unknown-type", "F-SHAPE-1", "$.type", message))
    if len(fields) == reader.width:  # so that no field is unknown where none is missing
        try:
            return reader.read(fields, None), meta
        except (_WrongType, KeyError, ForbiddenExtraKeysError):
            pass
    try:  # The second reading finds every fault of the record with its path.
        reader.read_in_detail(fields, None)
    except (ClassValidationError, IterableValidationError) as error:
        raise ShapeFault(*islice(_faults(error, "$"), _MOST_FAULTS)) from None
    message = f"a list or an object has a fault beyond its first {_MOST_FAULTS} entries"
    raise ShapeFault(Violation("shape/wrong-type", "F-SHAPE-3", "$", message))


def encode(message: Message, meta: Meta = None) -> bytes:
    r"""Return a record as a line of a log: compact UTF-8 JSON, `type` first, `meta` last, LF at the end.

    Args:
        message: What the record says.
        meta: What to note beside the game: JSON values, its numbers of F-TEXT-5 (F-META-1).

    Raises:
        ShapeFault: `meta`, or a name, is no JSON that a reader takes as it is (`shape/wrong-type`).
        TextFault: `meta` is too deep or too long for a reader.

    >>> from karuba_core import TilePlaced
    >>> encode(TilePlaced("Émile", 7, "a1"), {"at": 5}).decode()
    '{"type":"tile-placed","player":"Émile","tile":7,"cell":"a1","meta":{"at":5}}\n'
    """
    fields = {"type": message.name, **_WRITER.unstructure(message)}
    if meta is not None:
        if type(meta) is not dict:
            raise _unwritable("it is no object")
        fields["meta"] = meta
    try:
        line = orjson.dumps(fields, option=_WRITING)
    except orjson.JSONEncodeError as error:
        raise _unwritable(str(error)) from None
    if meta is not None and cast("dict[str, Any]", loads(line))["meta"] != meta:
        raise _unwritable("it would not be read as it is")  # NaN, say, or a tuple
    return line


def _unwritable(reason: str) -> ShapeFault:
    message = f"no JSON that every reader takes: {reason}"
    return ShapeFault(Violation("shape/wrong-type", "F-SHAPE-3", "$.meta", message))


def _converter(*, detailed: bool) -> Converter:
    """Return a converter that takes JSON types for what they are (F-SHAPE-2, F-SHAPE-3)."""
    converter = Converter(detailed_validation=detailed, forbid_extra_keys=True)
    converter.register_structure_hook(int, _integer)
    converter.register_structure_hook(str, _string)
    converter.register_structure_hook_factory(
        lambda kind: get_origin(kind) is tuple,  # type: ignore[comparison-overlap]  # kind is any type
        lambda kind: _only(list, "a list", homogenous_tuple_structure_factory(kind, converter), cut=detailed),
    )
    converter.register_structure_hook_factory(
        attrs.has, lambda kind: _only(dict, "an object", make_dict_structure_fn(kind, converter))
    )
    return converter


def _integer(value: object, _kind: object) -> int:
    if type(value) is not int:  # a boolean is an int to Python
        raise _WrongType("an integer", value)
    return value


def _string(value: object, _kind: object) -> str:
    if type(value) is not str:
        raise _WrongType("a string", value)
    return value


def _only(
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
            raise _WrongType(expected, value)
        return hook(_first_entries(value) if cut else value, target)

    return strict


def _first_entries(value: Any) -> Any:  # noqa: ANN401 - a list or an object, as it came
    if isinstance(value, dict):
        return dict(islice(value.items(), _MOST_FAULTS))
    return value[:_MOST_FAULTS]


def _scores_reader(converter: Converter) -> Callable[[Any, Any], tuple[Score, ...]]:
    """Return a hook for scores, which a log keys by player."""
    columns = [field for field in attrs.fields(Score) if field.name != "player"]
    points: Any = attrs.make_class("Points", {field.name: attrs.field(type=field.type) for field in columns})
    table = dict[str, points]
    read = converter.get_structure_hook(table)

    def scores(value: object, _kind: object) -> tuple[Score, ...]:
        return tuple(Score(player, *attrs.astuple(row)) for player, row in read(value, table).items())

    return scores


def _readers() -> dict[str, _Reader]:
    """Return the table from a record's type to how its fields are read."""
    quick, detailed = _converter(detailed=False), _converter(detailed=True)
    return {
        kind.name: _Reader(
            len(attrs.fields(Opening if kind is GameStarted else kind)),
            _reader(kind, quick, forbid_extra_keys=False),
            _reader(kind, detailed, forbid_extra_keys=True),
        )
        for kind in (*get_args(Event), *get_args(Command), Seal)
    }


def _reader(
    kind: type, converter: Converter, *, forbid_extra_keys: bool
) -> Callable[[dict[str, Any], Any], Message]:
    make = partial(make_dict_structure_fn, converter=converter, _cattrs_forbid_extra_keys=forbid_extra_keys)
    if kind is GameEnded:
        return make(
            kind,
            scores=override(
                struct_hook=_only(dict, "an object", _scores_reader(converter), cut=forbid_extra_keys)
            ),
        )
    if kind is not GameStarted:
        return make(kind)
    read_opening = make(Opening)

    def opening(fields: dict[str, Any], _kind: object) -> GameStarted:
        written_in = fields.get("format")
        if type(written_in) is str and written_in != FORMAT:  # nothing else is known of its shape
            message = f"expected format {FORMAT}, got {shown(written_in)}"
            raise ShapeFault(Violation("log/unknown-format", "F-LOG-2", "$.format", message))
        given = read_opening(fields, Opening)
        return GameStarted(Setup(given.players, given.leader, given.layout, given.rules))

    return opening


def _faults(error: Exception, path: str) -> Iterator[Violation]:
    """Yield every fault of a record from what the detailed reading raised."""
    if isinstance(error, (ClassValidationError, IterableValidationError)):
        noted, plain = error.group_exceptions()
        for inner, note in noted:
            yield from _faults(inner, _deeper(path, note))
        for inner in plain:
            yield from _faults(inner, path)
    elif isinstance(error, ForbiddenExtraKeysError):
        for name in sorted(error.extra_fields)[:_MOST_FAULTS]:
            yield unknown_field(member_path(path, name))
    elif isinstance(error, _WrongType):
        yield wrong_type(path, error.expected, error.value)
    elif isinstance(error, KeyError):
        yield missing_field(path)
    else:
        raise error  # none of the record's faults


def _deeper(path: str, note: Any) -> str:  # noqa: ANN401 - one of two notes of cattrs
    place = getattr(note, "name", None) or note.index
    return member_path(path, place) if isinstance(place, str) else f"{path}[{place}]"


def _writer() -> Converter:
    writer = Converter()
    for kind in (*get_args(Event), *get_args(Command), Seal):
        writer.register_unstructure_hook(kind, make_dict_unstructure_fn(kind, writer))
    writer.register_unstructure_hook(
        GameStarted, lambda event: {"format": FORMAT, **writer.unstructure(event.setup)}
    )
    scores = override(unstruct_hook=_scores_by_player)
    writer.register_unstructure_hook(GameEnded, make_dict_unstructure_fn(GameEnded, writer, scores=scores))
    return writer


def _scores_by_player(scores: tuple[Score, ...]) -> dict[str, dict[str, int]]:
    rows = (attrs.asdict(score) for score in scores)
    return {row.pop("player"): row for row in rows}


_READERS: Final = _readers()
_WRITER: Final = _writer()
