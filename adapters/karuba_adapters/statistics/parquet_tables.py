"""Rows of games and of players as Parquet tables, for DuckDB, pandas and the like (extra `parquet`)."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import pyarrow as pa
from attrs import fields
from pyarrow import parquet

Row = TypeVar("Row")

ROWS_AT_ONCE: Final = 1 << 14
"""How many rows are held, and make a row group."""


def _list_of(kind: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", kind, nullable=False))  # the name by which Parquet calls it


_TYPES: Final[dict[Any, pa.DataType]] = {
    bool: pa.bool_(),
    int: pa.int64(),
    str: pa.string(),
    tuple[int, ...]: _list_of(pa.int64()),
    tuple[str, ...]: _list_of(pa.string()),
}


def schema(kind: type[Any]) -> pa.Schema:
    """Return the columns of a kind of row: its fields in order, none of them ever null."""
    return pa.schema([pa.field(field.name, _TYPES[field.type], nullable=False) for field in fields(kind)])


@contextmanager
def writing_parquet(kind: type[Row], write: Callable[[bytes], object]) -> Iterator[Callable[[Row], None]]:
    """Give what takes the rows of one table, whose file is complete when the block ends.

    Args:
        kind: The class of the rows, `GameRow` or `PlayerRow`.
        write: Takes the bytes of the file, piece by piece; no piece is ever written over.
    """
    columns = schema(kind)
    rows: list[Row] = []
    with parquet.ParquetWriter(pa.PythonFile(_Sink(write), mode="w"), columns) as writer:

        def write_group() -> None:
            arrays = [pa.array([getattr(row, each.name) for row in rows], each.type) for each in columns]
            writer.write_batch(pa.record_batch(arrays, schema=columns))
            rows.clear()

        def add(row: Row) -> None:
            rows.append(row)
            if len(rows) == ROWS_AT_ONCE:
                write_group()

        yield add
        if rows:
            write_group()


class _Sink(io.RawIOBase):
    """A binary file of which only the end is ever written, as Arrow wants one."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:  # noqa: ANN401 - whatever holds bytes
        self._write(bytes(data))
        return len(data)
