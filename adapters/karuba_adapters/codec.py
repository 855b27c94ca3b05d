"""A record to an event, a command or a seal, and back: closed fields, strict types, nothing coerced."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import islice
from typing import Any, ClassVar, Final, cast, get_args

import attrs
import orjson
from cattrs import Converter
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from karuba_adapters.records import Meta, ShapeFault, open_record
from karuba_adapters.shapes import MOST_FAULTS, WrongType, faults_of, only, scores_reader, strict_converter
from karuba_adapters.strict_json import loads
from karuba_core import Command, Event, GameEnded, GameStarted, Score, Setup, Violation
from karuba_core.wording import shown

FORMAT: Final = "karuba-log/1"
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


_KINDS: Final[tuple[Any, ...]] = (*get_args(Event), *get_args(Command), Seal)
_Read = Callable[[dict[str, Any], Any], Message]


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
    if name not in _READERS:
        message = f"expected a record of {FORMAT}, got type {shown(name)}"
        raise ShapeFault(Violation("shape/unknown-type", "F-SHAPE-1", "$.type", message))
    width, read = _READERS[name]
    if len(fields) + 1 == width:  # so that no field is unknown where none is missing
        try:
            return read(fields, None), meta
        except (WrongType, KeyError, ForbiddenExtraKeysError):
            pass
    try:  # The second reading finds every fault of the record with its path.
        _detailed()[name](fields, None)
    except (ClassValidationError, IterableValidationError) as error:
        raise ShapeFault(*islice(faults_of(error, "$"), MOST_FAULTS)) from None
    message = f"a list or an object has a fault beyond its first {MOST_FAULTS} entries"
    raise ShapeFault(Violation("shape/wrong-type", "F-SHAPE-3", "$", message))


def decode_at_once(line: bytes) -> Message | None:
    """Return what a short line says that stands as `encode` writes it, without `meta`; None for any other.

    What is None has to be read with care, by `strict_json.loads` and `decode`; what is not, they read alike:
    no key is dropped and no number rounded where the same bytes come back.
    """
    try:
        value = orjson.loads(line)
        if orjson.dumps(value, None, _WRITING) == line:
            width, read = _READERS[value["type"]]
            if len(value) == width:
                return read(value, None)
    except _NOT_AT_ONCE:
        pass
    return None


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
    fields = {"type": message.name, **_writer().unstructure(message)}
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


@cache
def _detailed() -> Mapping[str, _Read]:
    """Return what reads the fields of a record, by its type, and finds all their faults."""
    converter = strict_converter(detailed=True)
    return {kind.name: _reader(kind, converter, forbid_extra_keys=True) for kind in _KINDS}


def _quick() -> Mapping[str, tuple[int, _Read]]:
    """Return, by a record's type, how many fields it has and what reads them; its first fault stops it."""
    converter = strict_converter(detailed=False)
    return {
        kind.name: (
            1 + len(attrs.fields(Opening if kind is GameStarted else kind)),
            _reader(kind, converter, forbid_extra_keys=False),  # their number tells as much
        )
        for kind in _KINDS
    }


def _reader(kind: type, converter: Converter, *, forbid_extra_keys: bool) -> _Read:
    make = partial(make_dict_structure_fn, converter=converter, _cattrs_forbid_extra_keys=forbid_extra_keys)
    if kind is GameEnded:
        return make(
            kind,
            scores=override(
                struct_hook=only(dict, "an object", scores_reader(converter), cut=forbid_extra_keys)
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


@cache
def _writer() -> Converter:
    writer = Converter()
    for kind in _KINDS:
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


_NOT_AT_ONCE: Final = (
    *(WrongType, KeyError, TypeError, ForbiddenExtraKeysError),
    *(ShapeFault, orjson.JSONDecodeError, orjson.JSONEncodeError),
)
_READERS: Final = _quick()
