"""A progress bar for long work, on a terminal only, and never in the way of what is written."""

import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Final

from karuba_cli.outputs import flush

if TYPE_CHECKING:
    from rich.progress import Progress

    from karuba_adapters import Report

PATIENCE: Final = 1.0
"""For how many seconds nothing may be seen before the bar appears."""


class Watch:
    """Shows how far the work is once nothing has been seen for a while.

    Args:
        count: Returns how many files there are; it is asked once the work is long.
        is_on: Whether anything may be shown at all.
    """

    def __init__(self, count: Callable[[], int], *, is_on: bool) -> None:
        self._count = count
        self._is_on = is_on and sys.stderr.isatty()
        self._start = self._seen = monotonic()
        self._logs = 0
        self._total: int | None = None
        self._bar: Progress | None = None

    def over(self, reports: "Iterable[Report]") -> "Iterator[Report]":
        """Yield reports as they come, and show how many files they are of."""
        files, file = 0, None
        try:
            for report in reports:
                self._logs += 1
                if report.file != file:
                    files, file = files + 1, report.file
                if self._is_on and (self._bar or monotonic() - self._seen > PATIENCE):
                    self._show(files - 1)
                yield report
        finally:
            self.hide()

    def hide(self) -> None:
        """Clear the bar away, since something is to be written; it comes back after a while."""
        self._seen = monotonic()
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _show(self, files: int) -> None:
        if self._bar is None:
            self._total = self._total or self._count()
            self._bar = _bar(self._total)
            self._bar.start()
        pace = self._logs / max(monotonic() - self._start, 1)
        self._bar.update(self._bar.task_ids[0], completed=files, logs=self._logs, pace=pace)


def _bar(total: int) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    flush()  # what waits there must not come out in the middle of the bar
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files, {task.fields[logs]:,} logs, {task.fields[pace]:,.0f} a second"),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        transient=True,
        redirect_stdout=False,  # what we write goes past them, as bytes
        redirect_stderr=False,
    )
    bar.add_task("", total=total, logs=0, pace=0.0)
    return bar
