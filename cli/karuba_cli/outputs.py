"""Where output goes: data to standard output, everything else to standard error."""

import errno
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from karuba_adapters import Report


class Format(StrEnum):
    """How a verb writes what it reports."""

    TEXT = "text"
    JSON = "json"


class ClosedPipe(Exception):
    """Nobody reads the output any more."""


class Unwritable(Exception):
    """The system does not let the output be written; it says why."""


def exit_code(report: "Report") -> int:
    """Return the exit code that one report asks for: 0 fine, 1 findings, 3 not read; the highest wins."""
    if report.verdict == "unread":
        return 3
    return 1 if report.findings else 0


def write(data: bytes) -> None:
    """Write data to standard output, the same bytes on every system."""
    _write(sys.stdout, data)


def say(text: str) -> None:
    """Write lines for people to standard output; what the terminal lacks is escaped."""
    _write(sys.stdout, _encoded(sys.stdout, text))


def warn(text: str) -> None:
    """Write lines for people to standard error; what the terminal lacks is escaped."""
    _write(sys.stderr, _encoded(sys.stderr, text))


def can_show(text: str) -> bool:
    """Return whether standard output has all characters of a text."""
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def reopen() -> None:
    """Let what is written to a stream that the caller has closed go nowhere."""
    nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the process
    sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere


def flush() -> None:
    """Write out what waits, so that a closed pipe shows now and not at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            _closed(error)


def abandon() -> None:
    """Let what cannot be written any more go nowhere, so that the process ends quietly."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _encoded(stream: TextIO, text: str) -> bytes:
    return f"{text}\n".encode(stream.encoding, "backslashreplace")


def _write(stream: TextIO, data: bytes) -> None:
    try:
        stream.buffer.write(data)
    except OSError as error:
        _closed(error)


def _closed(error: OSError) -> NoReturn:
    # Windows says EINVAL where other systems say EPIPE.
    if error.errno in (errno.EPIPE, errno.EINVAL):
        raise ClosedPipe from None
    raise Unwritable(error.strerror) from error
