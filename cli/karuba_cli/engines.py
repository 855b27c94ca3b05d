"""Who judges: this process, several of this machine, or a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import typer

from karuba_cli.inputs import are_long, judged, sources, usable_cores
from karuba_cli.options import MAX_JOBS
from karuba_cli.outputs import warn

if TYPE_CHECKING:
    from karuba_adapters import Report
    from karuba_adapters.judged_cache import Cache as JudgedCache
    from karuba_adapters.judging import Reading

_WORTH_WORKERS: Final = 16 << 20
"""Bytes of logs that take about twice as long to judge as some processes to start."""


def judged_here(
    paths: list[str], jobs: int | None, known: "JudgedCache | None", reading: "Reading"
) -> "Iterator[Report]":
    """Return the reports of all logs, by as many processes as are asked for, or are worth it."""
    enough = 0
    if jobs is None:
        jobs = min(usable_cores(), MAX_JOBS) if are_long(paths, _WORTH_WORKERS) else 1
        enough = _WORTH_WORKERS
    if jobs == 1 and known is None:
        return judged(paths, **reading)
    return _judged_by_several(paths, jobs, known, enough, reading)


def _judged_by_several(
    paths: list[str], jobs: int, known: "JudgedCache | None", enough: int, reading: "Reading"
) -> "Iterator[Report]":
    """Yield the reports of all logs; a process that has died ends the work, and is told."""
    from karuba_adapters.parallel import validate_sources
    from karuba_adapters.parallel.workers import WorkLost
    from karuba_adapters.plain_text import printable
    from karuba_cli.running import OUR_FAULT

    try:
        yield from validate_sources(sources(paths), jobs, known, enough, **reading)
    except WorkLost as error:
        if not error.has_died:
            raise
        warn(printable(f"karuba: {error}"))
        raise typer.Exit(OUR_FAULT) from None


def check_engine(on_cluster: bool, *, is_local: bool, is_far: bool) -> None:
    """Refuse what only the other engine knows."""
    if on_cluster and is_local:
        raise typer.BadParameter("a cluster takes no --jobs, no --cache and no standard input")
    if is_far and not on_cluster:
        raise typer.BadParameter("--scheduler and --column are for --engine dask")


def judged_by_cluster(
    urls: list[str], scheduler: str | None, column: str | None, reading: "Reading"
) -> "Iterator[Report]":
    """Yield the reports of all logs; what is wrong with the cluster ends the work, and is told."""
    from karuba_adapters.corpus import COLUMN, ClusterFault, MissingExtra, validate_corpus
    from karuba_adapters.plain_text import printable
    from karuba_cli.running import OUR_FAULT

    try:
        yield from validate_corpus(
            urls, scheduler=scheduler, column=COLUMN if column is None else column, **reading
        )
    except MissingExtra as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from None
    except ClusterFault as error:
        warn(printable(f"karuba: {error}"))
        raise typer.Exit(OUR_FAULT) from None


@contextmanager
def opened_cache(cache: str | None, reading: "Reading") -> "Iterator[JudgedCache | None]":
    """Open a cache; what is wrong with it is told once, in the end, and changes no verdict."""
    if cache is None:
        yield None
        return
    from karuba_adapters.judged_cache import Cache as JudgedCache
    from karuba_adapters.judged_cache import NoCache
    from karuba_adapters.plain_text import printable

    try:
        known = JudgedCache(cache, **reading)
    except NoCache as error:
        raise typer.BadParameter(printable(f"{cache}: {error}"), param_hint="--cache") from None
    try:
        yield known
    finally:
        known.close()
        if known.trouble is not None:
            warn(printable(f"karuba: the cache {cache} was not used throughout: {known.trouble}"))
