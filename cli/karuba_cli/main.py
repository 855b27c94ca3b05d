"""The `karuba` command: its verbs, and how it ends.

Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 some input could not be read, 70 our fault,
130 interrupted; of several, 70 before 3 before 1. A pipe that is closed ends it quietly with 0.
"""

import errno
import sys
import traceback
from contextlib import suppress
from typing import Annotated, Final

import typer

from karuba_cli import __version__
from karuba_cli.convert import convert
from karuba_cli.explain import explain
from karuba_cli.outputs import ClosedPipe, Unwritable, abandon, flush, reopen, warn
from karuba_cli.recover import recover
from karuba_cli.referee import referee
from karuba_cli.replay import replay
from karuba_cli.seal import seal
from karuba_cli.validate import validate

OUR_FAULT: Final = 70

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
for verb in (replay, validate, explain, convert, referee, seal, recover):
    app.command()(verb)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"karuba {__version__}")
        raise typer.Exit


_Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
]


@app.callback()
def karuba(_version: _Version = False) -> None:
    """Replay and judge recorded games of Karuba."""


def main() -> None:
    """Run the command line and end the process with its exit code."""
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
    sys.exit(code)


def _run() -> int:
    try:
        app(prog_name="karuba")
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
    return 0


def _our_fault() -> int:
    warn(traceback.format_exc())
    warn("karuba: this is a fault of karuba itself; please report it with the lines above")
    return OUR_FAULT
