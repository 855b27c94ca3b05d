"""What a mapping file says: how values, records and a whole log are made of foreign ones."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import frozen

from karuba_adapters.queries import Query

Table = Mapping[str, Any]
"""From the names of foreign values to values; a table in it is for the next entry of a list."""


@frozen
class Constant:
    """A value that stands for itself."""

    value: Any


@frozen
class LookUp:
    """A value that is found in a foreign record.

    Attributes:
        place: Where the mapping says so.
        get: What to ask; of each entry of a list, where there is `each`.
        each: The list of whose entries a list is made.
        by: The table in which the answer is looked up.
        may_lack: Whether it may be null, as within `meta`.
    """

    place: str
    get: Query
    each: Query | None
    by: str | None
    may_lack: bool


@frozen
class Members:
    """An object, part by part."""

    parts: Mapping[str, "Part"]


Part: TypeAlias = "Constant | LookUp | Members"
"""How a value is made."""


@frozen
class Rule:
    """What becomes of the records for which `when` holds: these commands, or nothing where there are none."""

    place: str
    when: Query | None
    commands: tuple[Members, ...]


@frozen
class ForeignShape:
    """What a mapping file says.

    Attributes:
        records: The list of records in a document; None where each line is a record.
        header: How many lines at the beginning are no moves but tell of the opening.
        opening: The fields of the opening, asked of the document or of the list of header lines.
        preset: The rules of the game by name, where `opening` has none.
        tables: Tables by name.
        lists: Tables whose keys and values the opening tells; without keys they are counted from 0.
        rules: What becomes of a record: the first rule that holds.
    """

    records: Query | None
    header: int
    opening: Members
    preset: str | None
    tables: Mapping[str, Table]
    lists: Mapping[str, tuple[Query | None, Query]]
    rules: tuple[Rule, ...]
