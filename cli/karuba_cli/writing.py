"""What keeps a log from being written, told as the exit codes say."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

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
