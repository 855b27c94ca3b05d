"""Options that several verbs share, and how what is given to them is understood."""

import os
from enum import StrEnum
from typing import Annotated

import typer

from karuba_cli.colors import Color
from karuba_cli.inputs import STANDARD_INPUT, one_file

STANDARD_OUTPUT = "-"


class ReportFormat(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


class Preset(StrEnum):
    """The named sets of rules."""

    OFFICIAL = "official"
    SEED_000 = "seed-000"
    SEED_001 = "seed-001"
    SEED_002 = "seed-002"


class Engine(StrEnum):
    """What judges: processes of this machine, or a Dask cluster."""

    LOCAL = "local"
    DASK = "dask"


def output_file(name: str) -> str:
    """Return the name of a file to write; what only looks like one would be lost by being replaced."""
    if name != STANDARD_OUTPUT:
        if os.path.isdir(name):  # noqa: PTH112 - takes any name
            raise typer.BadParameter("expected a file, got a folder")
        if os.path.exists(name) and not os.path.isfile(name):  # noqa: PTH110, PTH113 - takes any name
            raise typer.BadParameter("it is no regular file; - is standard output")
    return name


def _cache_file(name: str | None) -> str | None:
    """Return the name of a cache, which is a file or will be one."""
    if name is not None and os.path.exists(name) and not os.path.isfile(name):  # noqa: PTH110, PTH113 - takes any name
        raise typer.BadParameter("expected a file")
    return name


def _known_codes(lists: list[str] | None) -> list[str]:
    """Return the codes and families of some lists, parted by commas; an unknown one is wrong usage."""
    names = [name for each in lists or () for name in parted(each)]
    if names:
        from difflib import get_close_matches

        from karuba_adapters.explanations import explanations
        from karuba_adapters.plain_text import printable

        codes = explanations()
        known = {*codes, *(code.partition("/")[0] for code in codes)}
        for name in names:
            if name not in known:
                likely = get_close_matches(name, sorted(known), 1)  # families, too
                hint = f": did you mean {likely[0]}?" if likely else "; karuba explain lists all of them"
                raise typer.BadParameter(printable(f"no code or family is called {name!r}{hint}"))
    return names


def _once(names: list[str]) -> list[str]:
    """Return the names of what is to be read; what can be read once only stands there once."""
    if names.count(STANDARD_INPUT) > 1:
        raise typer.BadParameter("standard input can be read once only")
    return names


def parted(names: str) -> list[str]:
    """Return names that are parted by commas."""
    return [name.strip() for name in names.split(",")]


Log = Annotated[
    str,
    typer.Argument(
        help="A log of events or of commands; - for standard input.", callback=one_file, show_default=False
    ),
]
Logs = Annotated[
    str,
    typer.Argument(
        help="A file with one log or several; - for standard input.", callback=one_file, show_default=False
    ),
]
Paths = Annotated[
    list[str],
    typer.Argument(
        help="Files, packed or not; folders (every *.jsonl, *.jsonl.gz and *.jsonl.zst below, no linked"
        " folders); patterns such as 'logs/**/*.jsonl'; - for standard input.",
        callback=_once,
        show_default=False,
    ),
]
Reports = Annotated[
    ReportFormat,
    typer.Option(
        "--format",
        help="Lines of text; one JSON object for each log, one a line; annotations for GitHub Actions;"
        " one SARIF 2.1.0 or JUnit XML document.",
    ),
]
Output = Annotated[
    str,
    typer.Option(
        "--output",
        metavar="FILE",
        help="Where it goes: a file, which appears whole or stays as it was (the summary goes"
        " to standard error, too); - for standard output.",
        callback=output_file,
    ),
]
Colors = Annotated[
    Color,
    typer.Option(
        "--color", help="Whether text is coloured; auto: on a terminal, as NO_COLOR and FORCE_COLOR say."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Findings only: no summary, no progress.")]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="CODES",
        help="Show and count these findings only: codes such as rule/cell-occupied or families such as rule,"
        " parted by commas. Can be given again.",
        callback=_known_codes,
        show_default=False,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="CODES",
        help="Neither show nor count these findings, selected or not. Can be given again.",
        callback=_known_codes,
        show_default=False,
    ),
]
ExitZero = Annotated[
    bool,
    typer.Option("--exit-zero", help="End with 0 where findings would make it 1."),
]
Split = Annotated[
    bool,
    typer.Option("--split", help="Let every opening begin the next log, finished or not the one before it."),
]
KeepGoing = Annotated[
    bool,
    typer.Option("--keep-going", help="Check text and shape beyond the first fault of a log; not the rules."),
]
MAX_JOBS = 60
"""As many as `karuba_adapters.parallel.workers` takes, which is not loaded for --help."""

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=1,
        max=MAX_JOBS,
        help="Judge by so many processes, with the same output. By default by one a core, where there is"
        " enough to do.",
        show_default=False,
    ),
]
Cache = Annotated[
    str | None,
    typer.Option(
        "--cache",
        metavar="FILE",
        help="Skip files that were judged before, by their content; a file is made where there is none.",
        callback=_cache_file,
        show_default=False,
    ),
]
Engines = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help="What judges: processes of this machine, or a Dask cluster, which also reads Parquet files and"
        " whatever fsspec knows, such as s3://bucket/games (needs the extra dask).",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="The scheduler of the cluster, such as tcp://host:8786; without one, a cluster is started here.",
        show_default=False,
    ),
]
Column = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="The column of Parquet files that holds the logs; by default log. For the cluster only.",
        show_default=False,
    ),
]
_MIB = 1 << 20

# The least and the most of `karuba_adapters.limits`, which is not loaded for --help.
MaxLine = Annotated[
    int,
    typer.Option(
        "--max-line", metavar="BYTES", min=_MIB, max=1 << 30, help="Read lines of at most so many bytes."
    ),
]
MaxDepth = Annotated[
    int, typer.Option("--max-depth", metavar="LEVELS", min=64, max=254, help="Read JSON nested so deep.")
]
MaxDigits = Annotated[
    int, typer.Option("--max-digits", metavar="N", min=1024, help="Read numbers of at most so many digits.")
]
MaxRecords = Annotated[
    int, typer.Option("--max-records", metavar="N", min=1000, help="Read logs of at most so many records.")
]
MaxUnpacked = Annotated[
    int,
    typer.Option(
        "--max-unpacked", metavar="BYTES", min=_MIB, help="Unpack at most so many bytes of a packed file."
    ),
]
MAX_LINE, MAX_DEPTH, MAX_DIGITS, MAX_RECORDS, MAX_UNPACKED = _MIB, 128, _MIB, 100_000, 1 << 30
"""What is read where nothing else is asked for."""
