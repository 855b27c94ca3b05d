"""Writing what was judged right in another form, and telling what has no place there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from karuba_cli.outputs import exit_code, warn

if TYPE_CHECKING:
    from karuba_adapters import Fault, LogWriter, Message, Report, Right
    from karuba_adapters.normalising import NormalWriter
    from karuba_adapters.notation.writing import NotationWriter

    Writer = LogWriter | NormalWriter | NotationWriter


class Kind(StrEnum):
    """The two kinds of a log, and the notation, which says what commands say."""

    EVENTS = "events"
    COMMANDS = "commands"
    NOTATION = "notation"


class Conversion:
    """Writes what was judged right.

    `code` is the exit code so far; `implied` counts what was put in, `unsealed` the seals left out.
    """

    def __init__(self, file: str, kind: Kind, writer: "Writer", drop_meta: bool, mark_implied: bool) -> None:
        self.code = 0
        self.implied: Counter[str] = Counter()
        self.unsealed = 0
        self._file = file
        self._kind = kind
        self._writer = writer
        self._drop_meta = drop_meta
        self._mark_implied = mark_implied
        self._is_cut = False
        self._is_stopped = False
        self._line = 1

    def take(self, right: "Right") -> None:
        """Write a record as it is wanted; of a log of which one cannot be written, none after it is."""
        from karuba_adapters import Fault

        if self._is_stopped:
            return
        self._line = right.line
        try:
            self._write(right)
        except Fault as fault:
            self._stop(fault)

    def _stop(self, fault: "Fault") -> None:
        """Tell of a record that no reader would take as it is written: its meta has grown too long, say."""
        from karuba_adapters import Finding, finding_line

        self.code = max(self.code, 1)
        self._is_stopped = True
        for reason in fault.faults:
            text = f"cannot be written: {reason.message}; the rest of the log is left out"
            warn(finding_line(self._file, Finding(self._line, "$", reason.code, reason.rule, text)))

    def _write(self, right: "Right") -> None:
        from karuba_adapters import Seal
        from karuba_adapters.implied import Implied

        if self._is_cut:  # only a seal lets another log begin after one that was cut at its fault
            self._writer.seal()
            self._is_cut = False
        meta = right.meta
        if isinstance(right.message, Seal):
            self._writer.seal(meta)
            if self._kind is Kind.NOTATION and right.text:  # one put in for games in a row is nobody's
                self.unsealed += 1
                if meta is not None and not self._drop_meta:
                    self._tell_lost(right)
            return
        if isinstance(meta, Implied):
            self.implied[right.message.name] += 1
            meta = meta.meta(marked=self._mark_implied)
        messages = messages_of(right, self._kind)
        for index, message in enumerate(messages):
            self._writer.write(message, None if index else meta)
        if meta is not None and not messages and not self._drop_meta:
            self._tell_lost(right)

    def _tell_lost(self, right: "Right") -> None:
        from karuba_adapters import Finding, finding_line

        self.code = max(self.code, 1)
        text = f"{right.message.name} has no command that could keep its meta; --drop-meta drops it"
        lost = Finding(right.line, "$.meta", "log/meta-without-place", "F-META-2", text)
        warn(finding_line(self._file, lost))

    def end(self, report: "Report") -> None:
        """Write what waits still of a log, and take what is said of it."""
        from karuba_adapters import Fault

        if not self._is_stopped:
            try:
                self._writer.flush()
            except Fault as fault:
                self._stop(fault)
        self.code = max(self.code, exit_code(report))
        self._is_cut = self._is_cut or self._is_stopped or bool(report.findings and report.records)
        self._is_stopped = False

    def told(self) -> Iterator[str]:
        """Yield what was put in, and what was left out."""
        from karuba_adapters.plain_text import printable

        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.implied.items()))
        if counts:
            yield printable(f"{self._file}: implied commands put in: {counts}")
        if self.unsealed:
            yield printable(f"{self._file}: seals left out, of which the notation has none: {self.unsealed}")


def messages_of(right: "Right", kind: Kind) -> "Sequence[Message]":
    """Return what a record says, as messages of one kind; the opening belongs to both."""
    from karuba_core import GameStarted, command_of

    events = right.step.events
    if kind is Kind.EVENTS or isinstance(right.message, GameStarted):
        return events
    commands = map(command_of, events)
    return [command for command in commands if command is not None]
