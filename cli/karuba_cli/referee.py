"""`karuba referee`: what the rules say of a position, asked and answered line by line."""

import sys

import typer

from karuba_cli.outputs import flush, warn, write


def referee() -> None:
    """Answer what the rules say of a position, for programs that play or judge Karuba.

    Requests come on standard input and answers go to standard output, one JSON object a line. A
    request has an id, which its answer repeats, and gives the events of a game so far: then "when"
    is a command or a recorded event to judge, or "ask" is "legal" or "state". Or it has a whole log,
    as "log" or "base64". Each answer is written before the next request is read, so a program can
    keep the process open; a bad request is answered and ends nothing.

    spec/vectors/README.md of the project tells the protocol, with an example.

    Exit code 0: the input has ended. 2: wrong usage. 3: the input could not be read.
    """
    from karuba_adapters.log_files import Unreadable
    from karuba_adapters.referee import answers

    if sys.stdin is None:
        warn("karuba: the input cannot be read: it is closed")
        raise typer.Exit(3)
    try:
        for answer in answers(sys.stdin.buffer):
            write(answer)
            flush()
    except Unreadable as error:
        warn(f"karuba: the input cannot be read: {error.reason}")
        raise typer.Exit(3) from None
