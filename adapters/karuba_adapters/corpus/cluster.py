"""Judging more logs than one machine holds: parts of a corpus on the workers of a Dask cluster.

What is said of a log hangs on its bytes and on the options alone, so a part that died with its worker is
judged again elsewhere and gets the same reports. Needs the extra `dask`.
"""

import atexit
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, TypeVar, Unpack

from karuba_adapters.corpus.files import Piece, open_piece, pieces_of, reason_of
from karuba_adapters.corpus.rows import group_sizes, row_reports
from karuba_adapters.findings import Report
from karuba_adapters.judging import Reading, unread, validate

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")

COLUMN: Final = "log"
PART: Final = 16 << 20
"""The bytes of a part: some seconds of work, so that neither its overhead nor its loss is felt."""

_FILE_COST: Final = 1 << 12  # the bytes that a file counts for at least: to open one takes its time, too
_PARTS_A_THREAD: Final = 4  # so that a slow part does not hold up the workers of the next ones
_PATIENCE: Final = 60.0
"""For how many seconds a cluster may have no worker at all."""


class MissingExtra(ImportError):
    """The libraries of the extra `dask` are not installed."""


class ClusterFault(Exception):
    """The cluster cannot be reached, or cannot finish the work; it says why."""


def validate_corpus(
    urls: Iterable[str],
    *,
    scheduler: str | None = None,
    column: str = COLUMN,
    part: int = PART,
    **reading: Unpack[Reading],
) -> Iterator[Report]:
    """Return the reports of all logs of a corpus, lazily and in order: those that `validate` gives.

    A file that ends in `.parquet` holds a log in each row; its reports call the row `FILE#ROW`, counted
    from 0. Any other file is judged as it stands. What cannot be read, a null too, gets the verdict
    `unread`. A file that is no Parquet, and a row group, is judged by one worker, as a stream; what is
    said of all of its part is held at a time.

    Args:
        urls: Files, folders and patterns, as `fsspec` takes them, such as `s3://bucket/games`. Workers
            read them by themselves; credentials come from where `fsspec` looks for them. A folder stands
            for all below it that ends in one of `files.ENDS`.
        scheduler: The address of a scheduler, such as `tcp://host:8786`, whose workers have this package;
            None for a cluster of processes here, one for each core, as long as the work lasts. Those
            import the main module of the program, which has to bear that.
        column: Where a Parquet file has its logs, as bytes or text.
        part: How many bytes of files, packed as they are, or of row groups, unpacked, are judged at once.
        reading: How logs are read, as `validate` takes it.

    Raises:
        MissingExtra: The extra is not installed.
        ClusterFault: While reports are taken: there is no such scheduler, no worker for a minute, or one
            worker after another died over the same part.
    """
    try:
        import distributed  # noqa: F401, PLC0415 - optional
        import fsspec  # noqa: F401, PLC0415 - optional
        import pyarrow.parquet  # noqa: F401, PLC0415 - optional
    except ImportError as error:
        message = "validate_corpus needs the extra dask: pip install 'karuba-kernel[dask]'"
        raise MissingExtra(message) from error
    pieces = (piece for url in urls for found in pieces_of(url) for piece in _split(found, column, part))
    parts = _batched(((piece.size, piece) for piece in pieces), part)
    return _judged(parts, scheduler, column, reading)


def _batched(items: Iterable[tuple[int, T]], most: int) -> Iterator[list[T]]:
    """Yield the items, each given with its bytes, in lists of at most so many, one item at least."""
    batch: list[T] = []
    total = 0
    for size, item in items:
        cost = max(size, _FILE_COST)
        if batch and total + cost > most:
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += cost
    if batch:
        yield batch


def _split(piece: Piece, column: str, most: int) -> Iterator[Piece]:
    """Yield the row groups of a large Parquet file apart; anything else as it is."""
    if not piece.path.endswith(".parquet") or piece.size <= most:
        yield piece
        return
    try:
        with open_piece(piece) as stream:
            sizes = group_sizes(stream, column)
    except Exception:  # noqa: BLE001 - the worker that finds the same tells of it
        yield piece
        return
    for groups in _batched(zip(sizes, range(len(sizes)), strict=True), most):
        size = sum(sizes[group] for group in groups)
        yield Piece(piece.name, piece.files, piece.path, size, range(groups[0], groups[-1] + 1))


# On the cluster


def _judged(
    parts: Iterator[Sequence[Piece]], scheduler: str | None, column: str, reading: Reading
) -> Iterator[Report]:
    """Have parts judged, so many at a time that no worker waits, and yield their reports in order."""
    with _client(scheduler) as client:
        waiting: deque[tuple[str, Future[list[Report]]]] = deque()
        for part in parts:
            with _scheduler_there():
                future = client.submit(_judge, part, column, reading, pure=False)
                most = _PARTS_A_THREAD * (1 + sum(client.nthreads().values()))
            waiting.append((part[0].name, future))
            while len(waiting) > most:
                yield from _result(client, *waiting.popleft())
        while waiting:
            yield from _result(client, *waiting.popleft())


@contextmanager
def _scheduler_there() -> Iterator[None]:
    """Tell that the scheduler is gone, which shows in several ways."""
    from distributed import CancelledError  # noqa: PLC0415 - optional

    try:
        yield
    except (CancelledError, OSError) as error:
        raise ClusterFault(f"the scheduler is gone: {reason_of(error)}") from error


@contextmanager
def _client(scheduler: str | None) -> "Iterator[Client]":
    from distributed import Client, LocalCluster  # noqa: PLC0415 - optional
    from distributed.utils import LoopRunner  # noqa: PLC0415 - optional

    with ExitStack() as stack:
        if scheduler is None:
            cluster = LocalCluster(threads_per_worker=1, dashboard_address="127.0.0.1:0")
            client = Client(stack.enter_context(cluster), set_as_default=False)
        else:
            LoopRunner().run_sync(_knock, scheduler)
            client = Client(scheduler, set_as_default=False)
        stack.enter_context(client)
        # Reports that were not taken to their end are given up last of all, when no thread answers any more.
        atexit.register(client.close)
        stack.callback(atexit.unregister, client.close)
        yield client


async def _knock(scheduler: str) -> None:
    """Connect to a scheduler once: a client that cannot would leave a traceback behind at the end."""
    from distributed import Security  # noqa: PLC0415 - optional
    from distributed.comm.core import connect  # noqa: PLC0415 - optional

    try:
        comm = await connect(scheduler, **Security().get_connection_args("client"))
        await comm.close()
    except (OSError, ValueError) as error:  # a wrong address is a ValueError
        raise ClusterFault(f"no cluster at {scheduler}: {reason_of(error)}") from error


@_scheduler_there()
def _result(client: "Client", name: str, future: "Future[list[Report]]") -> list[Report]:
    """Wait for the reports of a part, which begins with a file of this name, as long as there are workers."""
    from distributed import KilledWorker  # noqa: PLC0415 - optional

    while True:
        try:
            return future.result(timeout=_PATIENCE)
        except TimeoutError:
            if not client.nthreads():
                message = f"the cluster has had no worker for {_PATIENCE:.0f} seconds"
                raise ClusterFault(message) from None
        except KilledWorker as error:
            deaths = error.allowed_failures + 1
            message = f"{deaths} workers, one after another, have died over the part that begins with {name}"
            raise ClusterFault(message) from error


# On a worker


def _judge(part: Sequence[Piece], column: str, reading: Reading) -> list[Report]:
    """Return the reports of a part."""
    return [report for piece in part for report in _reports(piece, column, reading)]


def _reports(piece: Piece, column: str, reading: Reading) -> Iterator[Report]:
    if piece.hindrance is not None:
        yield unread(piece.name, piece.hindrance)
        return
    try:
        stream = open_piece(piece)
    except Exception as error:  # noqa: BLE001 - a file system may raise anything
        yield unread(piece.name, reason_of(error))
        return
    with stream:
        if piece.path.endswith(".parquet"):
            yield from row_reports(stream, piece.name, column, piece.groups, reading)
        else:
            yield from validate(stream, piece.name, **reading)
