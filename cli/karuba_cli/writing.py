"""What keeps a log from being written, told as the exit codes say."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import typer

from karuba_cli.inputs import STANDARD_INPUT
from karuba_cli.outputs import Unwritable, warn


@contextmanager
def writing(log: str) -> Iterator[None]:
    """End the verb where the block cannot have or write a log: with 3 where another program has it."""
    from karuba_adapters.plain_text import printable

    try:
        yield
    except TimeoutError:
        warn(printable(f"karuba: {log} is being written by another program"))
        raise typer.Exit(3) from None
    except OSError as error:
        raise Unwritable(printable(f"{log}: {error.strerror}")) from error


def check_replaceable(log: str) -> None:
    """Refuse what would not be the same file after it was replaced by a log."""
    from karuba_adapters.packed import is_packed

    path = Path(log)
    if log == STANDARD_INPUT or (os.path.exists(log) and not os.path.isfile(log)):  # noqa: PTH110, PTH113
        raise typer.BadParameter("--in-place needs a regular file")
    with suppress(OSError), path.open("rb") as stream:  # what cannot be read is told when it is judged
        if is_packed(stream.peek()):
            raise typer.BadParameter("the log is packed, --in-place would unpack it")
