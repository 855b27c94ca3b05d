"""Logs in Parquet files: each row holds one, as bytes or text, in one column."""

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Final

from karuba_adapters.corpus.files import reason_of
from karuba_adapters.findings import Report
from karuba_adapters.judging import Reading, unread, validate

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

_PAGES_AT_ONCE: Final = 1 << 20
_ROWS_AT_ONCE: Final = 64


def group_sizes(stream: BinaryIO, column: str) -> list[int]:
    """Return the bytes of each row group, unpacked; raise whatever keeps its rows from being judged."""
    table = _table(stream, column)
    return [table.metadata.row_group(group).total_byte_size for group in range(table.num_row_groups)]


def row_reports(
    stream: BinaryIO, file: str, column: str, groups: Iterable[int] | None, reading: Reading
) -> Iterator[Report]:
    """Yield the reports of the rows of a Parquet file; a damaged row group does not stop the next.

    Args:
        stream: The file.
        file: What the reports call it; a row is `FILE#ROW`, counted from 0.
        column: Where it has its logs, as bytes or text.
        groups: The row groups to judge; None for all that there are.
        reading: How logs are read, as `validate` takes it.
    """
    try:
        table = _table(stream, column)
    except Exception as error:  # noqa: BLE001 - of Arrow's many kinds
        yield unread(file, reason_of(error))
        return
    rows = [table.metadata.row_group(group).num_rows for group in range(table.num_row_groups)]
    for group in range(len(rows)) if groups is None else groups:
        row, end = sum(rows[:group]), sum(rows[: group + 1])
        try:
            for log in _logs(table, group, column):
                name = f"{file}#{row}"
                if log is None:
                    yield unread(name, f'the column "{column}" is null')
                else:
                    yield from validate(io.BytesIO(log), name, **reading)
                row += 1
        except _Damaged as error:
            yield unread(f"{file}#{row}", f"rows {row} to {end - 1} are damaged: {error}")


class _Damaged(Exception):
    """A row group cannot be read any further."""


def _logs(table: "ParquetFile", group: int, column: str) -> Iterator[bytes | None]:
    """Yield the logs of a row group, some rows in memory at a time; text as it stands, UTF-8 or not."""
    import pyarrow as pa  # noqa: PLC0415 - optional

    batches = table.iter_batches(_ROWS_AT_ONCE, row_groups=[group], columns=[column])
    while True:
        try:
            batch = next(batches, None)
            logs = None if batch is None else batch.column(0).cast(pa.large_binary())
        except Exception as error:
            raise _Damaged(reason_of(error)) from error
        if logs is None:
            return
        yield from (log.as_py() for log in logs)


def _table(stream: BinaryIO, column: str) -> "ParquetFile":
    """Open a Parquet file that has this column of bytes or text.

    Raises:
        ValueError: It has none; Arrow raises much else where it is no Parquet file.
    """
    import pyarrow as pa  # noqa: PLC0415 - optional
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 - optional

    table = ParquetFile(stream, buffer_size=_PAGES_AT_ONCE, pre_buffer=False)  # page by page
    fields = table.schema_arrow.names
    if fields.count(column) != 1:
        raise ValueError(f'expected one column "{column}", the columns are {", ".join(fields) or "none"}')
    kind = table.schema_arrow.field(column).type
    try:
        pa.array([], kind).cast(pa.large_binary())
    except pa.ArrowNotImplementedError:
        raise ValueError(f'expected bytes or text in the column "{column}", it has {kind}') from None
    return table
