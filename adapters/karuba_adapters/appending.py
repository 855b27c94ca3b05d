"""Appending to the log of a game that is being played, by one program or by several.

The file is the truth. Each append takes the lock of the log, reads what others have written since,
decides its command on that, and writes all its events in one write. Nothing stays open or locked
in between, so `karuba recover` and `karuba seal --in-place`, which take the lock too, can replace
the file, and there is nothing to close.

What others read is always a beginning of the log. One who reads while a write is under way can see
a part of it; who follows a game takes what ends with a line feed, and the rest later.

Tested on Linux with ext4, with processes that were killed. Not tested: Windows, macOS, shares of a
network, a loss of power. On macOS a disk may keep in its own memory what it says to have written.
"""

import errno
import os
from io import FileIO
from pathlib import Path

from karuba_adapters.codec import encode
from karuba_adapters.findings import Finding, finding_line
from karuba_adapters.judging import REFUSALS, reasons
from karuba_adapters.limits import LIMITS
from karuba_adapters.log_files import Unreadable, numbered_lines, read_line
from karuba_adapters.log_order import Log, misplaced
from karuba_adapters.log_writing import digest_of
from karuba_adapters.packed import is_packed
from karuba_adapters.records import Meta
from karuba_adapters.whole_files import check_regular, lock_of, replacing
from karuba_core import Command, Event, Game, GameStarted, Setup, Step, apply, due, start


class Conflict(Exception):
    """Another writer was first: the log has another number of records than was expected, or other ones.

    Attributes:
        expected: How many records the caller took the log to have.
        found: How many it has.
    """

    def __init__(self, expected: int, found: int) -> None:
        records = f"found {found}" if found != expected else "found others"
        super().__init__(f"expected {expected} records in the log, {records}: nothing was written")
        self.expected = expected
        self.found = found


class Torn(Exception):
    """A writer was ended in the middle of its write: `karuba recover` has to mend the log first."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{path}:{line}: {what}: a write did not end; `karuba recover` mends the log")


class WrongLog(Exception):
    """What stands there is no log to append to.

    Attributes:
        finding: What is wrong, and where.
    """

    def __init__(self, path: Path, finding: Finding) -> None:
        super().__init__(finding_line(str(path), finding))
        self.finding = finding


class Appender:
    """Appends the events of commands to the log of one game.

    Any number of writers may append to one log, each through an Appender of its own; an Appender
    is for one thread. Whoever writes to the file in another way is not held off by the lock.

    Args:
        path: The event log. Where there is none, or an empty file, `setup` begins one.
        setup: Players, leader, layout and rules; a log that is there has to have the same.
        durable: Whether an append returns only once its events are on the disk, as far as the
            system tells. Otherwise they outlive this process, but perhaps not a loss of power.
        patience: How many seconds to wait for other writers; after them there is a `TimeoutError`.

    Raises:
        InvalidSetup: `setup` breaks the rules.
        Torn: A write to the log did not end.
        WrongLog: There is no right log of one game.
        ValueError: The log has another setup.
        OSError: The system does not let it be read or created.
    """

    def __init__(
        self, path: Path | str, setup: Setup | None = None, *, durable: bool = False, patience: float = 10.0
    ) -> None:
        self._path = Path(path).resolve()
        check_regular(self._path)
        self._lock = lock_of(self._path, patience)
        self._durable = durable
        self._log = Log(1)
        self._size = 0
        opening = None if setup is None else encode(start(setup).events[0])
        with self._lock:
            if opening is not None and not (self._path.exists() and self._path.stat().st_size):
                with replacing(self._path) as stream:
                    stream.write(opening)
            self._catch_up()
        if setup is not None and self.game.setup != setup:
            raise ValueError(f"{self._path} is the log of a game with another setup")

    @property
    def game(self) -> Game:
        """The game after the records that this writer knows."""
        game = self._log.game
        if game is None:
            message = "the file is empty: expected game-started first"
            raise WrongLog(self._path, Finding(1, "$", "log/no-opening", "F-LOG-1", message))
        return game

    @property
    def records(self) -> int:
        """How many records this writer knows, the opening the first."""
        return self._log.seal.records

    def append(
        self, command: Command, *following: Command, expected: int | None = None, meta: Meta = None
    ) -> Step[Game, Event]:
        """Write the event of a command and all that is due after it; return the game after them.

        Of several commands all are written, in one write, or none. One that is refused, in any way, has
        written nothing. After an `OSError` or an
        interrupt its events may stand there or not: the next append reads what does.

        Args:
            command: What a player asks for.
            following: What is asked for after it.
            expected: How many records the log has to have before; those that this writer knows,
                unless given.
            meta: What to note beside the event of the first command.

        Raises:
            IllegalCommand: The rules refuse it.
            Conflict: Another writer was first; `game` and `records` are now those after its records.
            Fault: No event may stand there, as after a seal, or `meta` cannot be written.
            Torn: A write of another writer did not end.
            WrongLog: What another has written is not right.
            OSError: The system does not let it be written.
        """
        expected = self.records if expected is None else expected
        with self._lock:
            known = self._log
            self._catch_up()
            if self.records != expected or self._log is not known:
                raise Conflict(expected, self.records)
            if self._log.is_sealed:
                raise misplaced("log/after-seal", "F-SEAL-2", "the log is sealed: nothing follows")
            if self._log.kind == "command":
                raise misplaced("log/mixed-kinds", "F-LOG-5", "a log of commands takes no events")
            step = apply(self.game, command)
            for each in following:
                further = apply(step.game, each)
                step = Step(further.game, step.events + further.events)
            first, *others = step.events
            lines = [encode(first, meta), *map(encode, others)]
            self._write(b"".join(lines))
            for line in lines:
                self._take(line)
        return step

    def _catch_up(self) -> None:
        """Read and judge what others have written; all of it where what was known stands there no more."""
        with self._path.open("rb") as stream:
            if digest_of(stream.read(self._size)) != self._log.seal.seal().digest:
                self._log, self._size = Log(1), 0
            stream.seek(self._size)
            if not self._size and is_packed(stream.peek()):
                raise OSError(
                    errno.EINVAL, "it is packed: a log is appended to as plain text", str(self._path)
                )
            try:
                for _, line in numbered_lines(stream):
                    if not line.endswith(b"\n") and len(line) <= LIMITS.line:
                        raise Torn(self._path, self.records + 1, "the last line has no end")
                    self._take(line)
            except Unreadable as error:
                raise OSError(error.reason) from error
        if (event := due(self.game)) is not None and not self._log.is_sealed:
            raise Torn(self._path, self.records + 1, f"{event.name} is due")

    def _take(self, line: bytes) -> None:
        """Take a line that stands in the log now."""
        try:
            message, _ = read_line(line)
            if isinstance(message, GameStarted) and self._log.table is not None:
                raise misplaced("log/second-opening", "F-LOG-3", "expected the log of one game alone")
            self._log.accept(message)
        except REFUSALS as error:
            why = reasons(error)[0]
            finding = Finding(self.records + 1, why.path, why.code, why.rule, why.message)
            raise WrongLog(self._path, finding) from None
        self._log.seal.add(line)
        self._size += len(line)

    def _write(self, data: bytes) -> None:
        """Write all of it or nothing, at the end."""
        with FileIO(self._path, "ab") as stream:
            try:
                _write_at_once(stream, data)
            except OSError:
                stream.truncate(self._size)  # where that fails too, the log is torn
                raise
            if self._durable:
                os.fsync(stream.fileno())


def _write_at_once(stream: FileIO, data: bytes) -> None:
    if stream.write(data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
