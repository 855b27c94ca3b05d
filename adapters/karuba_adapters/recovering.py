"""Mending a log whose last write did not end; nothing is lost by it, and nothing else is mended."""

import os
import shutil
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final

from attrs import evolve, field, frozen

from karuba_adapters.codec import Seal, encode
from karuba_adapters.findings import Report
from karuba_adapters.judging import Right, unread, validate
from karuba_adapters.limits import LIMITS
from karuba_adapters.packed import is_packed
from karuba_adapters.whole_files import check_regular, lock_of, replacing, sync_folder
from karuba_core import Event, settle

TORN: Final = ("text/not-json", "text/not-utf8")
"""What a line has that was cut: the beginning of an object is never JSON. All else is another's fault."""

_COPIED_AT_ONCE: Final = 1 << 16


@frozen
class Recovery:
    """What a log needs, or needed, to be right to its end.

    Attributes:
        report: What is said of its last log as it stood, or of the first one that is wrong.
        kept: How many of its bytes are right and stay as they are.
        torn: The bytes of a torn last line, which are cut away.
        lacks_end: Whether its last record is whole but for its line feed, which is written.
        due: The events that are due and are written.
        saved: The file that holds the torn bytes now.
    """

    report: Report
    kept: int = 0
    torn: bytes = field(default=b"", repr=False)
    lacks_end: bool = False
    due: tuple[Event, ...] = ()
    saved: Path | None = None

    @property
    def is_refused(self) -> bool:
        """Whether the log is wrong in another way, or cannot be read, and stays as it is."""
        return bool(self.report.findings) and not self.torn

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to mend."""
        return bool(self.torn or self.lacks_end or self.due)


def recover(path: Path, *, dry_run: bool = False, patience: float = 10.0) -> Recovery:
    """Cut a torn last line away from a log, and write the events that are due; return what was done.

    The torn bytes are saved beside the log first, then the log is replaced whole. A log that is
    wrong anywhere else stays as it is.

    Args:
        path: The file, with one log or several.
        dry_run: Whether to look only.
        patience: How many seconds to wait for writers; after them there is a `TimeoutError`.

    Raises:
        OSError: The system does not let it be written.
    """
    found = _examine(path)
    if dry_run or found.is_refused or not found.is_needed:
        return found
    with lock_of(path, patience):  # what a writer was about to write may stand there now
        found = _examine(path)
        if found.is_refused or not found.is_needed:
            return found
        if found.torn:
            found = evolve(found, saved=_save(path.resolve(), found.torn))
        with replacing(path) as new:
            with path.open("rb") as old:
                _copy(old, new, found.kept)
            new.write(b"\n" * found.lacks_end + b"".join(map(encode, found.due)))
            new.seek(0)
            for report in validate(new, str(path)):
                if report.findings:
                    raise RuntimeError(f"the mended log would be wrong: {report.findings[0]}")
    return found


def _examine(path: Path) -> Recovery:
    """Return what a log needs."""
    name = str(path)
    try:
        check_regular(path)
        with path.open("rb") as stream:
            if is_packed(stream.peek()):
                return Recovery(unread(name, "it is packed: a log is mended as plain text"))
            return _needs(stream, name)
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        return Recovery(unread(name, getattr(error, "strerror", None) or str(error)))


def _needs(stream: BinaryIO, name: str) -> Recovery:
    last: Right | None = None
    kept = 0

    def take(right: Right) -> None:
        nonlocal last, kept
        last, kept = right, kept + len(right.text)

    for report in validate(stream, name, take):
        if report.findings:
            break
    if last is None:  # not even an opening is right: what would be left is no log
        return Recovery(report)
    torn = b""
    if report.findings:
        stream.seek(kept)
        torn = stream.read(LIMITS.line + 2)
        if report.findings[0].code not in TORN or b"\n" in torn:  # its line feed is written last
            return Recovery(report, kept)
    due = () if isinstance(last.message, Seal) else settle(last.step.game).events
    return Recovery(report, kept, torn, not last.text.endswith(b"\n"), due)


def _save(path: Path, torn: bytes) -> Path:
    """Save bytes beside a log, on disk, in a file that is not there yet."""
    for number in count(1):
        beside = path.with_name(f"{path.name}.torn-{number}")
        try:
            stream = beside.open("xb")
        except FileExistsError:
            continue
        with stream:
            shutil.copymode(path, beside)
            stream.write(torn)
            stream.flush()
            os.fsync(stream.fileno())
        break
    sync_folder(path.parent)
    return beside


def _copy(old: BinaryIO, new: BinaryIO, size: int) -> None:
    while size and (block := old.read(min(size, _COPIED_AT_ONCE))):
        new.write(block)
        size -= len(block)
