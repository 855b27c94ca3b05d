"""`karuba validate`: what is right and wrong with logs."""

from collections import Counter
from enum import StrEnum
from typing import Annotated

import typer

from karuba_cli.inputs import STANDARD_INPUT, judged
from karuba_cli.outputs import Format, exit_code, say, write


class Preset(StrEnum):
    """The named sets of rules that a log may be required to declare."""

    OFFICIAL = "official"
    SEED_000 = "seed-000"
    SEED_001 = "seed-001"
    SEED_002 = "seed-002"


def validate(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders (every *.jsonl below, no linked folders), - for standard input.",
            show_default=False,
        ),
    ],
    report_format: Annotated[
        Format, typer.Option("--format", help="Text, or one JSON object for each log, one a line.")
    ] = Format.TEXT,
    require_finished: Annotated[
        bool, typer.Option("--require-finished", help="Make an unfinished game a finding.")
    ] = False,
    require_rules: Annotated[
        Preset | None,
        typer.Option(help="Make other rules than this preset a finding.", show_default=False),
    ] = None,
) -> None:
    """Judge logs: each record against its text, its shape, and the rules that its log declares.

    Exit code 0: no findings. 1: findings. 2: wrong usage. 3: some input could not be read.
    """
    import orjson

    from karuba_adapters import finding_line, report_json, require

    if paths.count(STANDARD_INPUT) > 1:
        raise typer.BadParameter("standard input can be read once only")
    verdicts: Counter[str] = Counter()
    due: Counter[str] = Counter()
    code = 0
    for judged_report in judged(paths):
        report = require(judged_report, finished=require_finished, rules=require_rules)
        code = max(code, exit_code(report))
        verdicts[report.verdict] += 1
        if report.verdict == "incomplete" and report.due is not None:
            due[report.due] += 1
        if report_format is Format.JSON:
            write(orjson.dumps(report_json(report), option=orjson.OPT_APPEND_NEWLINE))
        else:
            for finding in report.findings:
                say(finding_line(report.file, finding))
    if report_format is Format.TEXT:
        say(_summary(verdicts, due))
    raise typer.Exit(code)


def _summary(verdicts: Counter[str], due: Counter[str]) -> str:
    """Return how many logs got which verdict, and what is due in those that end before it."""
    logs = verdicts.total()
    parts = [f"{verdicts[verdict]} {verdict}" for verdict in ("valid", "incomplete", "invalid", "unread")]
    shown = ", ".join(part for part in parts if not part.startswith("0 "))
    waiting = ", ".join(f"{name} is due in {count}" for name, count in sorted(due.items()))
    return (
        f"{logs} {'log' if logs == 1 else 'logs'}"
        + (f": {shown}" if shown else "")
        + (f"; {waiting}" if waiting else "")
    )
