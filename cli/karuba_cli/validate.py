"""`karuba validate`: what is right and wrong with logs."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Final

import typer

from karuba_cli import __version__
from karuba_cli.colors import Color, painter
from karuba_cli.engines import check_engine, judged_by_cluster, judged_here, opened_cache
from karuba_cli.inputs import STANDARD_INPUT, count_files, is_among
from karuba_cli.options import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LINE,
    MAX_RECORDS,
    MAX_UNPACKED,
    STANDARD_OUTPUT,
    Cache,
    Colors,
    Column,
    Engine,
    Engines,
    ExitZero,
    Ignore,
    Jobs,
    KeepGoing,
    MaxDepth,
    MaxDigits,
    MaxLine,
    MaxRecords,
    MaxUnpacked,
    Output,
    Paths,
    Preset,
    Quiet,
    ReportFormat,
    Reports,
    Scheduler,
    Select,
    Split,
)
from karuba_cli.outputs import exit_code, put, warn, whole_file
from karuba_cli.progress import Watch

if TYPE_CHECKING:
    from karuba_adapters import Report
    from karuba_adapters.findings import Paint


_VERDICTS: Final = ("valid", "incomplete", "invalid", "unread")


def validate(
    paths: Paths,
    require_finished: Annotated[
        bool, typer.Option("--require-finished", help="Make an unfinished game a finding.")
    ] = False,
    require_seal: Annotated[
        bool, typer.Option("--require-seal", help="Make a log without a seal a finding.")
    ] = False,
    require_rules: Annotated[
        Preset | None,
        typer.Option(help="Make other rules than this preset a finding.", show_default=False),
    ] = None,
    select: Select = None,
    ignore: Ignore = None,
    exit_zero: ExitZero = False,
    report_format: Reports = ReportFormat.TEXT,
    output: Output = STANDARD_OUTPUT,
    color: Colors = Color.AUTO,
    quiet: Quiet = False,
    split: Split = False,
    keep_going: KeepGoing = False,
    max_line: MaxLine = MAX_LINE,
    max_depth: MaxDepth = MAX_DEPTH,
    max_digits: MaxDigits = MAX_DIGITS,
    max_records: MaxRecords = MAX_RECORDS,
    max_unpacked: MaxUnpacked = MAX_UNPACKED,
    jobs: Jobs = None,
    cache: Cache = None,
    engine: Engines = Engine.LOCAL,
    scheduler: Scheduler = None,
    column: Column = None,
) -> None:
    """Judge logs: each record against its text, its shape, and the rules that its log declares.

    A verdict says what a log is, whatever is asked of it: --require-...,
    --select and --ignore change findings and exit code, never a verdict. The
    summary counts an invalid log as invalid where its findings are ignored.
    That a log cannot be read is always told and counted.

    Exit code 0: no findings. 1: findings. 2: wrong usage. 3: some input could not be read.
    """
    from karuba_adapters import chosen, require
    from karuba_adapters.judging import Reading
    from karuba_adapters.limits import Limits

    on_cluster = engine is Engine.DASK
    check_engine(
        on_cluster,
        is_local=(jobs, cache) != (None, None) or STANDARD_INPUT in paths,
        is_far=(scheduler, column) != (None, None),
    )
    to_file = output != STANDARD_OUTPUT
    if to_file and is_among(output, paths):
        raise typer.BadParameter("this file is one of those to judge", param_hint="--output")
    if cache is not None and (is_among(cache, paths) or os.path.realpath(cache) == os.path.realpath(output)):
        raise typer.BadParameter("this file is to be judged or written", param_hint="--cache")
    shares_terminal = not to_file and sys.stdout.isatty()
    watch = Watch(lambda: count_files(paths), is_on=not (quiet or on_cluster))
    tally = _Tally()
    limits = Limits(max_line, max_depth, max_digits, max_records, max_unpacked)
    reading = Reading(limits=limits, split=split, keep_going=keep_going)

    def reports() -> "Iterator[Report]":
        cluster = judged_by_cluster(paths, scheduler, column, reading)
        for found in cluster if on_cluster else judged_here(paths, jobs, known, reading):
            required = require(found, finished=require_finished, sealed=require_seal, rules=require_rules)
            report = chosen(required, select or (), ignore or ())
            tally.add(report)
            yield report

    with (
        opened_cache(cache, reading) as known,
        whole_file(output) if to_file else nullcontext(put) as put_out,
    ):
        for piece in _pieces(report_format, watch.over(reports()), painter(color, to_file=to_file)):
            if shares_terminal:
                watch.hide()
            put_out(piece)
        if report_format is ReportFormat.TEXT and not quiet:
            put_out(tally.summary())
    if to_file and not quiet:
        warn(tally.summary())
    raise typer.Exit(0 if exit_zero and tally.code == 1 else tally.code)


def _pieces(
    report_format: ReportFormat, reports: "Iterable[Report]", paint: "Paint | None"
) -> Iterator[bytes | str]:
    """Return the pieces of what is written: lines of text, or bytes."""
    from karuba_adapters import report_formats

    match report_format:
        case ReportFormat.TEXT:
            return report_formats.text_lines(reports, paint)
        case ReportFormat.JSON:
            return report_formats.json_lines(reports)
        case ReportFormat.GITHUB:
            return report_formats.github_annotations(reports)
        case ReportFormat.SARIF:
            return report_formats.sarif(reports, __version__)
        case ReportFormat.JUNIT:
            return report_formats.junit(reports)


class _Tally:
    """Counts the logs of each verdict while their reports go by."""

    def __init__(self) -> None:
        self.code = 0
        self._verdicts = Counter[str]()
        self._due = Counter[str]()

    def add(self, report: "Report") -> None:
        self.code = max(self.code, exit_code(report))
        self._verdicts[report.verdict] += 1
        if report.verdict == "incomplete" and report.due is not None:
            self._due[report.due] += 1

    def summary(self) -> str:
        """Return how many logs got which verdict, and what is due in those that end before it."""
        verdicts, logs = self._verdicts, self._verdicts.total()
        parts = [f"{verdicts[verdict]} {verdict}" for verdict in _VERDICTS if verdicts[verdict]]
        waiting = ", ".join(f"{name} is due in {count}" for name, count in sorted(self._due.items()))
        return (
            f"{logs} {'log' if logs == 1 else 'logs'}"
            + (f": {', '.join(parts)}" if parts else "")
            + (f"; {waiting}" if waiting else "")
        )
