"""How the command line is run, and how it ends.

Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 some input could not be read, 70 our fault,
130 interrupted; of several, 70 before 3 before 1. A pipe that is closed ends it quietly with 0.
"""

import errno
import traceback
from contextlib import suppress
from io import StringIO
from typing import Final

import typer

from karuba_cli.outputs import ClosedPipe, Unwritable, abandon, flush, reopen, warn
from karuba_cli.verbs import app

OUR_FAULT: Final = 70


def run() -> int:
    """Run the command line, let nothing that was written wait, and return the exit code."""
    reopen()
    try:
        code = _run()
        flush()
    except ClosedPipe:
        abandon()
        code = 0
    except Unwritable as error:
        abandon()
        with suppress(ClosedPipe, Unwritable):
            warn(f"karuba: the output cannot be written: {error}")
            flush()
        abandon()
        code = OUR_FAULT
    return code


def _run() -> int:
    try:
        code = app(prog_name="karuba", standalone_mode=False)
    except typer.TyperException as error:
        told = StringIO()  # by itself it would go out as UTF-8, whatever the terminal has
        error.show(told)  # type: ignore[attr-defined] # all that are raised have it
        warn(told.getvalue().removesuffix("\n"))
        return error.exit_code
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # while help was printed
            raise ClosedPipe from None
        return end.code if isinstance(end.code, int) else OUR_FAULT
    except (ClosedPipe, Unwritable):
        raise
    except OSError as error:
        if error.errno == errno.ENOSPC:  # while help was printed; what verbs write tells it by itself
            raise Unwritable(error.strerror) from None
        return _our_fault()
    except Exception:  # noqa: BLE001 - whatever it is, it is our fault and has to be told
        return _our_fault()
    return code if isinstance(code, int) else 0


def _our_fault() -> int:
    warn(traceback.format_exc())
    warn("karuba: this is a fault of karuba itself; please report it with the lines above")
    return OUR_FAULT
