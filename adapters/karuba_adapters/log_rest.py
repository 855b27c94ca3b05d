"""The rest of a log after its first fault: where it ends, by types alone, and what is told of it still.

What is skipped is not even decoded, unless its bytes may tell where the log ends.
"""

import re
from collections.abc import Iterator
from typing import Final

import orjson
from attrs import frozen

from karuba_adapters.codec import Seal
from karuba_adapters.limits import Limits
from karuba_adapters.log_files import Line, Skim
from karuba_adapters.log_order import KINDS, Log
from karuba_core import GameEnded, GameStarted, Violation

_KIND_OF_NAME: Final = {kind.name: word for kind, word in KINDS.items() if word in ("event", "command")}
_LAST_NAMES: Final = (GameEnded.name, Seal.name)
_TYPE: Final = re.compile(rb'"type"[ \t\r]*:[ \t\r]*"([^"]*)"')
_SEARCHED: Final = 1 << 20
_SECOND_OPENING: Final = Violation(
    "log/second-opening",
    "F-LOG-3",
    "$.type",
    "the log before it has neither ended nor been sealed: this one is not judged",
)

_UNJUDGED: Final = Violation(
    "log/rules-not-judged",
    "F-LOG-10",
    "$",
    "from here on, beyond the first fault, text and shape alone are judged, not the rules",
)


@frozen
class RestReader:
    """How the rest of a log is read.

    Attributes:
        skim: Tells whoever reads the lines which of them are of no use.
        limits: How much is read of a log, and of its rest.
        split: Whether every opening begins another log.
        keep_going: Whether faults of text and shape are told still.
    """

    skim: Skim
    limits: Limits
    split: bool
    keep_going: bool

    def next_opening(
        self, log: Log, line: Line, faults: tuple[Violation, ...], lines: Iterator[Line]
    ) -> Line | None:
        """Note the faults of a line, read the rest of its log and return the next opening (F-LOG-6).

        An event log ends, right or wrong, where a `game-ended` or a seal stands; a command log has
        no last record of its own, so it ends at the next opening.
        """
        log.note(line[0], *faults)
        name = name_of(line)
        kind = log.kind or _KIND_OF_NAME.get(name)
        has_ended = log.is_closed or name in _LAST_NAMES
        checks, is_cut = self.keep_going, False
        second = faults[0].code != _SECOND_OPENING.code  # of several, the first one is told
        unjudged = _UNJUDGED if checks else None
        last = log.first_line + self.limits.records - 1
        self.skim.stop, self.skim.left = last + 1, self.limits.unpacked
        self._want(checks, kind)
        for following in lines:
            number, text, message, _ = following
            name = name_of(following)
            if name == GameStarted.name and (self.split or has_ended or kind == "command"):
                self.skim.tells = None
                return following
            if not checks:
                self.skim.pass_by(number, text)
            if name != GameStarted.name:
                has_ended = has_ended or name in _LAST_NAMES
                kind = kind or _KIND_OF_NAME.get(name)
            if number > last and not is_cut:
                log.note(number, _too_many(self.limits.records))
                checks, is_cut = False, True
            if unjudged is not None and not is_cut:
                log.note(number, unjudged)
                unjudged = None
            if checks and isinstance(message, tuple):
                log.note(number, *message)
            if name == GameStarted.name and second and not is_cut:
                log.note(number, _SECOND_OPENING)
                second = False
            self._want(checks, kind)
        return None

    def _want(self, checks: bool, kind: str | None) -> None:
        """Tell which lines are of use: all that are checked, or those that may tell the kind or the end."""
        self.skim.tells = None if checks else _may_tell_the_kind if kind is None else _may_tell_the_end


# Without an escape, what a line says stands in its bytes.


def _may_tell_the_kind(text: bytes) -> bool:
    return b'"type"' in text or b"\\" in text


def _may_tell_the_end(text: bytes) -> bool:
    return b'"game-' in text or b'"seal"' in text or b"\\" in text


def _too_many(records: int) -> Violation:
    message = f"the log has more than {records} records, the most that are read: the rest of it is skipped"
    return Violation("log/too-many-records", "F-LOG-9", "$", message)


def name_of(line: Line) -> str:
    """Return the type that a line has, or seems to have where it is faulty; nothing where it has none."""
    _, text, message, _ = line
    if not isinstance(message, tuple):
        return message.name
    if message[0].code.startswith("text/"):  # no record, but it may have been one (F-LOG-6)
        found = _TYPE.search(text, 0, _SEARCHED)
        return found[1].decode("utf-8", "replace") if found else ""
    value = orjson.loads(text or b"null")
    name = value.get("type") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""
