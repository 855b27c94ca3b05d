"""A log of another program, read by a mapping as a log of commands.

What a record says is put together by the mapping and then read as strictly as any line of a log. A record
that the mapping does not fit ends the log: nothing is left out that the mapping does not say to ignore.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO, Final

import orjson
from attrs import asdict, define, evolve, frozen

from karuba_adapters.codec import FORMAT, decode
from karuba_adapters.foreign_shape import Constant, ForeignShape, LookUp, Members, Part, Table
from karuba_adapters.limits import LIMITS
from karuba_adapters.log_files import Line, numbered_lines
from karuba_adapters.queries import NoAnswer, Query
from karuba_adapters.records import Fault
from karuba_adapters.strict_json import loads
from karuba_core import GameStarted, Violation, preset
from karuba_core.wording import shown

LARGEST_DOCUMENT: Final = 1 << 23
"""Bytes of a document that are read; it is held in memory, which lines are not."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

Fields = dict[str, Any]


class Misfit(Exception):
    """Data that a mapping does not fit."""


def read_foreign(stream: BinaryIO, shape: ForeignShape) -> Iterator[Line]:
    """Yield the lines of the log of commands that a foreign log stands for, up to its first fault.

    Each has the number of the foreign line, or, in a document, of the record in its list.

    Args:
        stream: JSON Lines, in which blank lines count for nothing, or one JSON document.
        shape: What its mapping file says.

    Raises:
        Unreadable: Where the stream cannot be read further.
    """
    source = _Source(stream)
    try:
        if shape.records is None:
            records = source.lines()
            document: object = _header(records, shape.header)
        else:
            document = source.document()
            records = source.entries(shape.records, document)
        reader = _Reader(shape, _tables(shape, document))
        yield _line(source.number, reader.opening(document))
        for record in records:
            for fields in reader.commands(record):
                yield _line(source.number, fields)
    except Misfit as misfit:
        unmapped = Violation("log/unmapped", "F-LOG-11", "$", str(misfit))
        yield source.number, b"", (unmapped,), None
    except Fault as fault:
        yield source.number, b"", fault.faults, None


def _line(number: int, fields: Fields) -> Line:
    """Return a record as the line of a log that it would be, read as strictly as any."""
    try:
        text = orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_STRICT_INTEGER)
    except orjson.JSONEncodeError as error:
        raise Misfit(f"no log can hold {shown(fields)}: {error}") from None
    message, meta = decode(loads(text))
    return number, text, message, meta


@define
class _Source:
    """Where foreign records come from; `number` is that of the last one."""

    stream: BinaryIO
    number: int = 1

    def lines(self) -> Iterator[object]:
        """Yield the value of each line."""
        for number, line in numbered_lines(self.stream, LIMITS.line, LIMITS.unpacked):
            text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
            if text.strip():
                self.number = number
                yield loads(text)

    def document(self) -> object:
        """Return the value of all lines together."""
        text = bytearray()
        for _, line in numbered_lines(self.stream, LARGEST_DOCUMENT, LIMITS.unpacked):
            text += line
            if len(text) > LARGEST_DOCUMENT:
                raise Misfit(f"the document is longer than {LARGEST_DOCUMENT} bytes, the most that are read")
        return loads(bytes(text.removeprefix(_BYTE_ORDER_MARK)), evolve(LIMITS, line=LARGEST_DOCUMENT))

    def entries(self, records: Query, document: object) -> Iterator[object]:
        """Yield the entries of the list of records in a document."""
        for number, record in enumerate(_list("records", records, document), start=1):
            self.number = number
            yield record


def _header(lines: Iterator[object], size: int) -> list[object]:
    header = [*islice(lines, size)]
    if len(header) < size:
        raise Misfit(f"expected {size} lines of header, the log has {len(header)} lines")
    return header


def _tables(shape: ForeignShape, document: object) -> Mapping[str, Table]:
    """Return all tables of a mapping: its own, and those that the opening tells."""
    tables = dict(shape.tables)
    for name, (keys, values) in shape.lists.items():
        place = f"lists.{name}"
        entries = _list(f"{place}.values", values, document)
        named = range(len(entries)) if keys is None else _list(f"{place}.keys", keys, document)
        if len(named) != len(entries):
            raise Misfit(f"{place}: expected a key for each of {len(entries)} values, got {len(named)} keys")
        tables[name] = {_key(place, key): entry for key, entry in zip(named, entries, strict=True)}
    return tables


def _answer(place: str, query: Query, value: object) -> object:
    try:
        return query.answer(value)
    except NoAnswer as error:
        raise Misfit(f"{place}: {error}") from None


def _list(place: str, query: Query, value: object) -> list[object]:
    answer = _answer(place, query, value)
    if not isinstance(answer, list):
        raise Misfit(f"{place}: expected a list, {shown(query.text)} gives {shown(answer)}")
    return answer


def _key(place: str, value: object) -> str:
    """Return how a table names a value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int):
        return str(value)
    raise Misfit(f"{place}: {shown(value)} is nothing that a table can name")


@frozen
class _Reader:
    """Puts records of a log together from foreign ones."""

    shape: ForeignShape
    tables: Mapping[str, Table]

    def opening(self, document: object) -> Fields:
        """Return the opening of the game."""
        fields = self._members(self.shape.opening, document)
        if self.shape.preset is not None:
            players = fields["players"]
            try:
                rules = preset(self.shape.preset, len(players) if isinstance(players, list) else 0)
            except ValueError:
                what = f"expected a list of 2 to 4 players, got {shown(players)}"
                raise Misfit(f"opening.players: {what}") from None
            fields["rules"] = asdict(rules)
        return {"type": GameStarted.name, "format": FORMAT, **fields}

    def commands(self, record: object) -> Iterator[Fields]:
        """Yield the commands that a foreign record stands for; none where it is to be ignored."""
        for rule in self.shape.rules:
            if rule.when is None or _holds(rule.place, rule.when, record):
                yield from (self._members(command, record) for command in rule.commands)
                return
        raise Misfit(f"no rule of the mapping is for {shown(record)}")

    def _members(self, members: Members, value: object) -> Fields:
        fields = {key: self._part(part, value) for key, part in members.parts.items()}
        if "meta" in fields and fields["meta"] is None:
            del fields["meta"]
        return fields

    def _part(self, part: Part, value: object) -> object:
        if isinstance(part, Constant):
            return part.value
        if isinstance(part, Members):
            return self._members(part, value)
        if part.each is None:
            return self._found(part, value)
        return [self._found(part, entry) for entry in _list(f"{part.place}.each", part.each, value)]

    def _found(self, part: LookUp, value: object) -> object:
        answer = _answer(part.place, part.get, value)
        if answer is None and not part.may_lack:
            raise Misfit(f"{part.place}: {shown(part.get.text)} finds nothing in {shown(value)}")
        return answer if part.by is None or answer is None else self._looked_up(part.place, part.by, answer)

    def _looked_up(self, place: str, name: str, value: object) -> object:
        """Return what a table says of a value; a list leads through tables in tables, entry by entry."""
        found: Any = self.tables[name]
        for key in value if isinstance(value, list) else [value]:
            named = _key(place, key)
            if not isinstance(found, Mapping) or named not in found:
                raise Misfit(f"{place}: the table {name} has no {shown(value)}")
            found = found[named]
        if isinstance(found, Mapping):
            raise Misfit(f"{place}: the table {name} wants more than {shown(value)}")
        return found


def _holds(place: str, query: Query, value: object) -> bool:
    try:
        return query.holds(value)
    except NoAnswer as error:
        raise Misfit(f"{place}, when: {error}") from None
