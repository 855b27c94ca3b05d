"""`karuba seal`: a log as it stands, with a seal at its end."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Annotated, BinaryIO, Final, cast

import typer

from karuba_cli.inputs import judged
from karuba_cli.options import Logs
from karuba_cli.outputs import exit_code, tell_findings, warn, write
from karuba_cli.writing import check_replaceable, writing

_IN_MEMORY: Final = 1 << 20
_AT_ONCE: Final = 1 << 16


def seal(
    log: Logs,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write the file itself, whole or not at all.")
    ] = False,
) -> None:
    """Seal a log: write it to standard output as it stands, with its number of records and its digest.

    Every record is judged. Of several logs each that has no seal gets one. Where there is a finding,
    a wrong seal too, nothing is written and the finding goes to standard error. A sealed log stays
    as it is. A line feed that the last record lacks is added before the seal; a packed log comes out
    unpacked.

    --in-place waits for programs that append to the log, by LOG.lock beside it.

    Exit code 0: all is sealed. 1: findings. 2: wrong usage. 3: the input could not be read.
    """
    from karuba_adapters.plain_text import printable
    from karuba_adapters.whole_files import lock_of, replacing

    if in_place:
        check_replaceable(log)
    with writing(log), ExitStack() as held:
        copy = cast("BinaryIO", held.enter_context(SpooledTemporaryFile(_IN_MEMORY)))
        if in_place and os.path.exists(log):  # noqa: PTH110 - takes any name
            held.enter_context(lock_of(Path(log), patience=10))
        is_changed = _seal(log, copy)
        if not is_changed:
            warn(printable(f"karuba: {log} is sealed already"))
        copy.seek(0)
        if not in_place:
            while block := copy.read(_AT_ONCE):
                write(block)
        elif is_changed:
            with replacing(Path(log)) as new:
                shutil.copyfileobj(copy, new)


def _seal(log: str, copy: BinaryIO) -> bool:
    """Write the sealed logs; return whether any had no seal. Findings end the verb."""
    from karuba_adapters.sealing import Sealer

    sealer, code = Sealer(copy.write), 0
    for report in judged([log], sealer.take):
        code = max(code, exit_code(report))
        sealer.end(report)
        tell_findings(report)
    if code:
        raise typer.Exit(code)
    return sealer.sealed > 0
