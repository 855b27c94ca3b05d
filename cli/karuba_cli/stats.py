"""`karuba stats`: what the finished games of many logs come to."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from karuba_cli.inputs import count_files, is_among, judged
from karuba_cli.options import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LINE,
    MAX_RECORDS,
    MAX_UNPACKED,
    STANDARD_OUTPUT,
    MaxDepth,
    MaxDigits,
    MaxLine,
    MaxRecords,
    MaxUnpacked,
    Paths,
    Quiet,
    Split,
    output_file,
)
from karuba_cli.outputs import Format, can_show, exit_code, put, tell_findings, whole_file
from karuba_cli.progress import Watch

if TYPE_CHECKING:
    from karuba_adapters.findings import Verdict
    from karuba_adapters.statistics.summaries import Fact

Row = TypeVar("Row")


def _file(option: str, library: str, extra: str) -> Callable[[str | None], str | None]:
    """Return what checks the file of an option that needs a library of an extra."""

    def checked(name: str | None) -> str | None:
        if name is None:
            return None
        if name == STANDARD_OUTPUT:
            raise typer.BadParameter("expected a file: standard output has the report", param_hint=option)
        if find_spec(library) is None:
            message = f"needs {library}: pip install 'karuba-kernel[{extra}]'"
            raise typer.BadParameter(message, param_hint=option)
        return output_file(name)

    return checked


def stats(
    paths: Paths,
    report_format: Annotated[
        Format, typer.Option("--format", help="Text, or one JSON object (karuba-stats/1).")
    ] = Format.TEXT,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Where the report goes: a file, which appears whole or stays as it was; - for standard"
            " output.",
            callback=output_file,
        ),
    ] = STANDARD_OUTPUT,
    games: Annotated[
        str | None,
        typer.Option(
            "--games",
            metavar="FILE",
            help="Write a Parquet table with a row for each finished game (extra parquet).",
            callback=_file("--games", "pyarrow", "parquet"),
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="FILE",
            help="Write a Parquet table with a row for each player of a finished game (extra parquet).",
            callback=_file("--players", "pyarrow", "parquet"),
            show_default=False,
        ),
    ] = None,
    chart: Annotated[
        str | None,
        typer.Option(
            "--chart",
            metavar="FILE",
            help="Draw the totals and the winning seats as an SVG picture (extra charts).",
            callback=_file("--chart", "matplotlib", "charts"),
            show_default=False,
        ),
    ] = None,
    quiet: Quiet = False,
    split: Split = False,
    max_line: MaxLine = MAX_LINE,
    max_depth: MaxDepth = MAX_DEPTH,
    max_digits: MaxDigits = MAX_DIGITS,
    max_records: MaxRecords = MAX_RECORDS,
    max_unpacked: MaxUnpacked = MAX_UNPACKED,
) -> None:
    """Tell what the finished games of logs come to: scores, lengths, treasures, winning seats.

    Logs are judged first. Only the finished games of right logs count; how many logs are left out
    is told, and what is wrong with them goes to standard error. Games are grouped by their rules and
    by the number of players.

    Exit code 0: no findings. 1: findings. 2: wrong usage. 3: some input could not be read.
    """
    import orjson

    from karuba_adapters.limits import Limits
    from karuba_adapters.statistics.game_rows import Course, GameRow, PlayerRow
    from karuba_adapters.statistics.summaries import facts, groups, summary_json
    from karuba_adapters.statistics.summary_text import DRAWN_WITH, summary_text

    _keep_apart({"--output": output, "--games": games, "--players": players, "--chart": chart}, paths)
    limits = Limits(max_line, max_depth, max_digits, max_records, max_unpacked)
    watch = Watch(lambda: count_files(paths), is_on=not quiet)
    course = Course()
    verdicts: Counter[Verdict] = Counter()
    counts: Counter[Fact] = Counter()
    code = 0
    with ExitStack() as files:
        put_report = put if output == STANDARD_OUTPUT else files.enter_context(whole_file(output))
        put_chart = None if chart is None else files.enter_context(whole_file(chart))
        add_game, add_player = _table(files, games, GameRow), _table(files, players, PlayerRow)
        for report in watch.over(judged(paths, course.take, split=split, limits=limits)):
            code = max(code, exit_code(report))
            verdicts[report.verdict] += 1
            if report.findings:
                watch.hide()
                tell_findings(report)
            played = course.end(report)
            if played is not None:
                counts.update(facts(played))
                add_game(played.game)
                for player in played.players:
                    add_player(player)
        told = groups(counts)
        if report_format is Format.JSON:
            put_report(orjson.dumps(summary_json(verdicts, told), option=orjson.OPT_APPEND_NEWLINE))
        elif not quiet:
            is_plain = output == STANDARD_OUTPUT and not can_show(DRAWN_WITH)
            put_report(summary_text(verdicts, told, ascii_only=is_plain))
        if put_chart is not None:
            from karuba_adapters.statistics.charts import chart_svg

            put_chart(chart_svg(told))
    raise typer.Exit(code)


def _keep_apart(outputs: Mapping[str, str | None], paths: Sequence[str]) -> None:
    """Refuse to write over what is read, or two outputs to one file."""
    taken = set[str]()
    for option, name in outputs.items():
        if name in {None, STANDARD_OUTPUT}:
            continue
        if is_among(name, paths):
            raise typer.BadParameter("this file is one of those to judge", param_hint=option)
        place = os.path.realpath(name)
        if place in taken:
            raise typer.BadParameter("another output goes to this file", param_hint=option)
        taken.add(place)


def _table(files: ExitStack, name: str | None, kind: type[Row]) -> Callable[[Row], None]:
    """Return what takes the rows of a Parquet file that is whole when `files` are closed, if it is wanted."""
    if name is None:
        return lambda _: None
    from karuba_adapters.statistics.parquet_tables import writing_parquet

    return files.enter_context(writing_parquet(kind, files.enter_context(whole_file(name))))
