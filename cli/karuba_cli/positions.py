"""The one log that a verb looks at or goes on from."""

from typing import TYPE_CHECKING

import typer

from karuba_cli.inputs import judged
from karuba_cli.outputs import warn

if TYPE_CHECKING:
    from karuba_adapters import Report, Right


def one_log(name: str) -> "tuple[Report, tuple[Right, ...]]":
    """Return what is said of the log of a file, and its right records; findings go to standard error.

    A game has at most some hundreds of records. Several logs in one file are wrong usage.
    """
    from karuba_adapters import finding_line
    from karuba_adapters.plain_text import printable

    taken: list[Right] = []
    reports = judged([name], taken.append)
    report, records = next(reports), tuple(taken)
    for finding in report.findings:
        warn(finding_line(report.file, finding))
    if next(reports, None) is not None:
        raise typer.BadParameter(printable(f"{name} holds several logs: give one alone"))
    return report, records
