"""`karuba diff`: where two logs part."""

from shutil import get_terminal_size
from typing import Annotated

import typer

from karuba_cli.inputs import STANDARD_INPUT, one_file
from karuba_cli.options import Log
from karuba_cli.outputs import Format, exit_code, say, write
from karuba_cli.positions import one_log


def diff(
    a: Log,
    b: Annotated[
        str,
        typer.Argument(
            help="Another, of either kind; - for standard input.", callback=one_file, show_default=False
        ),
    ],
    normalise: Annotated[
        bool,
        typer.Option(
            "--normalise",
            help="Order what the players of a round do by seat first, so that it makes no difference.",
        ),
    ] = False,
    meta: Annotated[bool, typer.Option("--meta", help="Make a meta that differs a difference.")] = False,
    report_format: Annotated[
        Format, typer.Option("--format", help="Text, or one JSON object (karuba-diff/1).")
    ] = Format.TEXT,
) -> None:
    """Tell where two logs part: the first records that differ, and in what the games differ after them.

    Records are compared by the events that they stand for, so a log of events and one of commands can
    be the same. How a record is written makes no difference, nor does a seal. A log that breaks the
    rules is compared up to the fault, which goes to standard error.

    The JSON object has "same"; "alike", the number of events before the logs part; "a" and "b", each with
    its "file", "verdict", and the "line" and "record" that differ, null where the log has no more; and
    "fields" and "state", lists of what differs in the records and in the games after them, each by its
    "path", with both values, null where there is none.

    Exit code 0: the logs are the same. 1: they differ, or findings. 2: wrong usage. 3: some input could
    not be read.
    """
    import orjson

    from karuba_adapters.divergence_text import comparison_text
    from karuba_adapters.diverging import compared, comparison_json, told_by

    if a == b == STANDARD_INPUT:
        raise typer.BadParameter("standard input can be read once only")
    (report, records), (other_report, other_records) = one_log(a), one_log(b)
    reports = report, other_report
    code = max(map(exit_code, reports))
    if not (records and other_records):  # without an opening on either side there is nothing to compare
        raise typer.Exit(code)
    comparison = compared(
        told_by(records, normal=normalise), told_by(other_records, normal=normalise), meta=meta
    )
    if report_format is Format.JSON:
        value = comparison_json(comparison, reports, meta=meta)
        write(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))
    else:
        width = get_terminal_size((100, 24)).columns
        say(comparison_text(comparison, reports, meta=meta, width=width))
    raise typer.Exit(max(code, int(comparison.is_parted)))
