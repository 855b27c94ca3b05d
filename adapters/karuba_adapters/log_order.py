"""The order of a log: what may stand where in it, and what is said of it in the end."""

from collections.abc import Iterator
from typing import Any, Final, get_args

from attrs import Factory, define

from karuba_adapters.codec import Message, Seal
from karuba_adapters.findings import Finding, Report, Verdict
from karuba_adapters.log_writing import SealMaker
from karuba_adapters.records import Fault
from karuba_core import (
    Command,
    Event,
    Game,
    GameStarted,
    Step,
    Violation,
    due,
    preset_name,
    start,
)
from karuba_core.decider import apply, check
from karuba_core.kernel import AT_TABLE
from karuba_core.table import Table, table_of
from karuba_core.wording import shown

KINDS: Final = {
    **dict.fromkeys(get_args(Event), "event"),
    **dict.fromkeys(get_args(Command), "command"),
    GameStarted: "opening",
    Seal: "seal",
}
"""What each kind of message is to a log."""

MOST_FINDINGS: Final = 1000
"""Findings of one log that are listed; of more, only their number is told (F-LOG-10)."""


@define
class Log:
    """One log while it is read.

    Attributes:
        table: Where its game is played on; none before a right opening.
        kind: Of its records after the opening: `"event"` or `"command"`.
        is_closed: Whether the next opening begins another log (F-LOG-3).
        unlisted: How many findings there are beyond those that are listed.
        unlisted_from: The line of the first of them.
    """

    first_line: int
    last_line: int = 0
    table: Table | None = None
    kind: str | None = None
    is_closed: bool = False
    is_sealed: bool = False
    seal: SealMaker = Factory(SealMaker)
    findings: list[Finding] = Factory(list)
    unlisted: int = 0
    unlisted_from: int = 0

    def accept(self, message: Any) -> tuple[Event, ...]:  # noqa: ANN401 - a Message; its kind tells which
        """Take what the next record says, if it is right there; return the events that it stands for."""
        table = self.table
        if table is None:
            step = opened(message)
            self.table = table_of(step.game)
            return step.events
        kind = KINDS[type(message)]
        if kind != self.kind or self.is_closed:
            self._check_place(kind, message)
            if kind == "seal":
                return self._close(message)
        if kind == "event":
            check(AT_TABLE, table, message)
            events: tuple[Event, ...] = (message,)
        else:
            events = apply(AT_TABLE, table, message).events
        self.is_closed = table.phase == "over"
        return events

    @property
    def game(self) -> Game | None:
        """The game after the records that were found right; none before a right opening."""
        return None if self.table is None else self.table.game()

    def _check_place(self, kind: str, message: Message) -> None:
        """Refuse a record where none like it may stand; the first one after the opening settles the kind."""
        if self.is_sealed:
            raise misplaced("log/after-seal", "F-SEAL-2", "the log is sealed: only another log follows")
        if kind == "opening":
            raise misplaced(
                "log/second-opening", "F-LOG-3", "the game before it is not finished: this one is not judged"
            )
        if kind == "seal":
            return
        if self.is_closed:
            raise misplaced("log/after-end", "F-LOG-4", "the game is over: only a seal follows")
        if self.kind is not None:
            wanted = f"expected another {self.kind}, got {message.name}"
            raise misplaced("log/mixed-kinds", "F-LOG-5", wanted)
        self.kind = kind

    def _close(self, seal: Seal) -> tuple[Event, ...]:
        right = self.seal.seal()
        for field in ("records", "digest"):
            if getattr(seal, field) != getattr(right, field):
                wanted = f"expected {getattr(right, field)}, got {shown(getattr(seal, field))}"
                raise Fault(Violation("log/wrong-seal", "F-SEAL-1", f"$.{field}", wanted))
        self.is_sealed = self.is_closed = True
        return ()

    def note(self, line: int, *faults: Violation) -> None:
        """Keep what is wrong with a line."""
        for fault in faults:
            if len(self.findings) < MOST_FINDINGS:
                self.findings.append(Finding(line, fault.path, fault.code, fault.rule, fault.message))
            else:
                self.unlisted_from = self.unlisted_from or line
                self.unlisted += 1

    def report(self, file: str, number: int) -> Report:
        """Return what is said of the log."""
        game = self.game
        verdict: Verdict = "valid" if game and game.phase == "over" else "incomplete"
        due_event = due(game) if game else None
        return Report(
            file=file,
            log=number,
            first_line=self.first_line,
            last_line=self.last_line,
            verdict="invalid" if self.findings else verdict,
            rules=preset_name(game.setup.rules, len(game.setup.players)) if game else None,
            records=self.seal.records,
            due=due_event.name if due_event else None,
            is_sealed=self.is_sealed,
            findings=(*self.findings, *self._more()),
        )

    def _more(self) -> Iterator[Finding]:
        if self.unlisted:
            message = f"{self.unlisted} more findings of this log are not listed"
            yield Finding(self.unlisted_from, "$", "log/more-findings", "F-LOG-10", message)


def opened(message: Message) -> Step[Game, Event]:
    """Return the game that the first record of a log opens, with its opening.

    Raises:
        Fault: It is no opening (`log/no-opening`).
        InvalidSetup: The opening breaks the rules (codes `setup/…`).
    """
    if not isinstance(message, GameStarted):
        raise misplaced("log/no-opening", "F-LOG-1", f"expected game-started first, got {message.name}")
    return start(message.setup)


def misplaced(code: str, clause: str, message: str) -> Fault:
    """Return the fault of a record that stands where none of its type may."""
    return Fault(Violation(code, clause, "$.type", message))
