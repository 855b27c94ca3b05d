"""Many logs judged at a time, by several processes, and told in their order."""

import io
import os
import stat
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import BinaryIO, Final, Unpack, cast

from attrs import Factory, frozen

from karuba_adapters.findings import Report
from karuba_adapters.judged_cache import Cache
from karuba_adapters.judging import Reading, told_name, unread, validate, validate_file
from karuba_adapters.known_files import Keeper, digest_of, validate_cached
from karuba_adapters.log_files import open_file
from karuba_adapters.parallel.pieces import listed
from karuba_adapters.parallel.splitting import PIECE, Splitter, Submit, Task

_UNDER_WAY: Final = 4  # tasks for each process: some of them wait for an earlier one to be told
_FILES_AT_ONCE: Final = 200


@frozen
class Source:
    """Where logs come from.

    Attributes:
        file: What the reports call it; the name of the file, where there is no stream.
        stream: What is open already, such as standard input.
        hindrance: What keeps it from being read; usually nothing.
    """

    file: str
    stream: BinaryIO | None = None
    hindrance: str | None = None


def validate_sources(
    sources: Iterable[Source],
    jobs: int = 1,
    known: Cache | None = None,
    enough: int = 0,
    **reading: Unpack[Reading],
) -> Iterator[Report]:
    """Yield a report for each log of many files and streams, in order, as if they were judged one by one.

    Where jobs is more than 1, the program that calls this must stand the import of its main module, as
    `multiprocessing` asks of everybody who spawns processes.

    Args:
        sources: Where the logs are; they are looked at only as far ahead as there is work for.
        jobs: How many processes judge at a time; with 1 it is this one.
        known: What was judged before.
        enough: A stream that has no more bytes is judged by this process; where this is not 0, a pipe is,
            too, so that each of its logs is told as it comes.
        reading: How the logs are read.

    Raises:
        WorkLost: A process failed, or was killed. All logs before those that it judged have been yielded.
    """
    if jobs == 1:
        for source in sources:
            yield from _one_by_one(source, known, reading)
        return
    from karuba_adapters.parallel.workers import workers  # noqa: PLC0415 - few need it

    with workers(jobs) as submit:
        yield from in_order(Plan(submit, known, enough, reading=reading).tasks(sources), _UNDER_WAY * jobs)


def _one_by_one(source: Source, known: Cache | None, reading: Reading) -> Iterator[Report]:
    """Return the reports of a source as it is read."""
    if source.hindrance is not None:
        return iter([unread(source.file, source.hindrance)])
    if source.stream is not None:
        return validate(source.stream, source.file, **reading)
    if known is not None:
        return validate_cached(source.file, known, **reading)
    return validate_file(source.file, **reading)


def in_order(tasks: Generator[Task], most: int) -> Iterator[Report]:
    """Yield what comes of tasks, in their order.

    Args:
        tasks: What there is to do.
        most: How many tasks are under way at a time.
    """
    begun: deque[Task] = deque()
    with closing(tasks):
        for task in tasks:
            begun.append(task)
            while begun and (task.is_urgent or len(begun) >= most):
                yield from begun.popleft().reports()
        for task in begun:
            yield from task.reports()


@frozen
class Plan:
    """What becomes of each source: small files are judged several at a time, others in pieces.

    Attributes:
        submit: Has something judged.
        known: What was judged before.
        enough: A stream that has no more bytes is not worth pieces; where this is not 0, nor is a pipe,
            of which each log is told as it comes.
        size: Bytes of a piece, and of the files that are judged at a time.
        reading: How the logs are read.
    """

    submit: Submit
    known: Cache | None = None
    enough: int = 0
    size: int = PIECE
    reading: Reading = Factory(Reading)

    def tasks(self, sources: Iterable[Source]) -> Generator[Task]:
        """Yield the work, in order; what a source has open stays so until the next one is asked for."""
        batch: list[Source] = []
        size = 0
        for source in sources:
            length = 0 if source.hindrance is not None else _length(source)
            if length is not None and length <= self.size:
                batch.append(source)
                size += length
                if size < self.size and len(batch) < _FILES_AT_ONCE:
                    continue
            if batch:
                yield self._batch(batch)
                batch, size = [], 0
            if length is None or length > self.size:
                yield from (
                    self._file(source.file)
                    if source.stream is None
                    else self._stream(source.stream, source.file)
                )
        if batch:
            yield self._batch(batch)

    def _batch(self, batch: list[Source]) -> Task:
        first = told_name(batch[0].file)
        what = first if len(batch) == 1 else f"{first} or one of the {len(batch) - 1} files after it"
        answer = self.submit(what, judge_files, batch, self.known, self.reading)
        return Task(partial(self._reports, batch, answer))

    def _reports(self, batch: list[Source], answer: Callable[[], "Judged"]) -> Iterator[Report]:
        all_reports, trouble = answer()
        if self.known is not None:
            self.known.trouble = self.known.trouble or trouble
        for source, reports in zip(batch, all_reports, strict=True):
            yield from validate_file(source.file, **self.reading) if reports is None else reports

    def _stream(self, stream: BinaryIO, file: str) -> Iterator[Task]:
        """Yield the work on a stream; of one that is typed, or of an unknown kind, each line is asked for."""
        if isinstance(stream, io.BufferedReader) and not stream.isatty() and self._may_wait_for(stream):
            splitter = Splitter(stream, file, self.submit, self.size, self.enough, **self.reading)
            yield from splitter.tasks()
        else:
            yield Task(partial(validate, stream, file, **self.reading), is_urgent=True)

    def _may_wait_for(self, stream: BinaryIO) -> bool:
        """Return whether more of a stream may be waited for than its next log."""
        return not self.enough or stat.S_ISREG(os.fstat(stream.fileno()).st_mode)

    def _file(self, file: str) -> Iterator[Task]:
        """Yield the work on a file that is large, or no plain file."""
        name = told_name(file)
        digest = None if self.known is None else digest_of(file)
        if self.known is not None and digest is not None:
            reports = self.known.find(digest, name)
            if reports is not None:
                yield Task(partial(iter, reports))
                return
        try:
            keeper = None if self.known is None or digest is None else Keeper(self.known, file)
            stream = cast("io.BufferedReader", open_file(file)) if keeper is None else keeper.stream
        except (OSError, ValueError):
            yield Task(partial(validate_file, file, **self.reading), is_urgent=True)
            return
        with stream:
            if not self._may_wait_for(stream):
                yield Task(partial(validate, stream, name, **self.reading), is_urgent=True)
                return
            for task in Splitter(stream, name, self.submit, self.size, **self.reading).tasks():
                yield task if keeper is None else Task(partial(_noted, keeper, task), task.is_urgent)
            if keeper is not None:
                yield Task(partial(_kept, keeper))


def _noted(keeper: Keeper, task: Task) -> Iterator[Report]:
    return keeper.over(task.reports())


def _kept(keeper: Keeper) -> Iterator[Report]:
    keeper.keep()
    return iter(())


def _length(source: Source) -> int | None:
    """Return how long a plain file is; nothing of what another process might not find by that name."""
    if source.stream is not None:
        return None
    try:
        found = os.lstat(source.file)
    except (OSError, ValueError):
        return 0  # whoever reads it, tells why it cannot be read
    return found.st_size if stat.S_ISREG(found.st_mode) else None


Judged = tuple[list[list[Report] | None], str | None]
"""What is said of each of some files, nothing where it is too much to send; and a trouble with the cache."""


def judge_files(batch: list[Source], known: Cache | None, reading: Reading) -> Judged:
    """Return what is said of some files."""
    judged = [_judge_file(source, known, reading) for source in batch]
    if known is not None:
        known.flush()
    return judged, None if known is None else known.trouble


def _judge_file(source: Source, known: Cache | None, reading: Reading) -> list[Report] | None:
    if source.hindrance is not None:
        return [unread(source.file, source.hindrance)]
    file = source.file
    reports = validate_file(file, **reading) if known is None else validate_cached(file, known, **reading)
    return listed(reports)
