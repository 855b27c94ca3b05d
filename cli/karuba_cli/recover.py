"""`karuba recover`: a log whose last write did not end, made right again."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karuba_cli.inputs import STANDARD_INPUT, one_file
from karuba_cli.outputs import exit_code, say, warn
from karuba_cli.writing import writing

if TYPE_CHECKING:
    from karuba_adapters.recovering import Recovery


def recover(
    log: Annotated[str, typer.Argument(help="A file.", callback=one_file, show_default=False)],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what is needed, write nothing.")] = False,
) -> None:
    """Mend a log that a crash has cut: a torn last line is cut away, and what is due is written.

    The torn bytes are saved in LOG.torn-1, or the next number that is free. A last record that is
    whole but for its line feed gets it. The log is judged before and after and replaced whole; one
    that is wrong anywhere else stays as it is, and its finding is told. It waits for programs that
    append to the log, by LOG.lock beside it.

    Exit code 0: the log is right, or was mended. 1: findings. 2: wrong usage. 3: the input could not
    be read.
    """
    from karuba_adapters.plain_text import printable
    from karuba_adapters.recovering import recover as mend

    if log == STANDARD_INPUT:
        raise typer.BadParameter("expected a file, got standard input")
    with writing(log):
        recovery = mend(Path(log), dry_run=dry_run)
    for line in _told(recovery):
        say(printable(line))
    if recovery.is_refused:
        raise typer.Exit(exit_code(recovery.report))
    if dry_run and recovery.is_needed:
        warn("karuba: nothing was written (--dry-run)")


def _told(recovery: "Recovery") -> Iterator[str]:
    """Yield what a log needs, or why it stays as it is, a line each."""
    from karuba_adapters import finding_line

    report = recovery.report
    if recovery.is_refused:
        yield from (finding_line(report.file, finding) for finding in report.findings)
        return
    line = report.last_line
    if recovery.torn:
        saved = recovery.saved or "a file beside it"
        yield f"{report.file}:{line}: torn: {len(recovery.torn)} bytes are cut away and saved in {saved}"
    elif recovery.lacks_end:
        yield f"{report.file}:{line}: its line feed is written"
    for number, event in enumerate(recovery.due, line + (not recovery.torn)):
        yield f"{report.file}:{number}: {event.name}, which was due, is written"
    if not recovery.is_needed:
        yield f"{report.file}: nothing to mend"
