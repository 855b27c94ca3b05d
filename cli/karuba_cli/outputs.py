"""Where output goes: data to standard output or to a file, everything else to standard error."""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TextIO

if TYPE_CHECKING:
    from karuba_adapters import Report

Put = Callable[[bytes | str], None]
"""Takes a piece of output: bytes as they are, or a line of text without its end."""


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


def tell_findings(*reports: "Report") -> None:
    """Write the findings of logs to standard error, a line each."""
    from karuba_adapters import finding_line

    for report in reports:
        for finding in report.findings:
            warn(finding_line(report.file, finding))


def put(piece: bytes | str) -> None:
    """Write data, or a line for people, to standard output."""
    if isinstance(piece, bytes):
        write(piece)
    else:
        say(piece)


@contextmanager
def whole_file(name: str) -> Iterator[Put]:
    """Yield what writes a file that appears whole, or, on any failure or interrupt, stays as it was.

    Raises:
        Unwritable: The system does not let the file be made, written or replaced.
    """
    from karuba_adapters.whole_files import replacing

    try:
        with _ended_by_sigterm(), ExitStack() as stack:
            with _blaming(name):
                stream = stack.enter_context(replacing(Path(name)))
            yield partial(_put_into, stream, name)
            with _blaming(name):
                stack.close()
    except OSError as error:  # what could not be written could not be given up either
        if isinstance(error.__context__, Unwritable):
            raise error.__context__ from None
        raise


def _put_into(stream: BinaryIO, name: str, piece: bytes | str) -> None:
    data = piece if isinstance(piece, bytes) else f"{piece}\n".encode("utf-8", "backslashreplace")
    with _blaming(name):
        stream.write(data)


@contextmanager
def _blaming(name: str) -> Iterator[None]:
    """Tell which file it is that cannot be written."""
    from karuba_adapters.plain_text import printable

    try:
        yield
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise Unwritable(printable(f"{name}: {reason}")) from error


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM, by which machines end what takes too long, leave as tidily as an interrupt does."""
    try:
        before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    except ValueError:  # signals are the main thread's
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


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
