"""The command line as a process of its own, in an environment that says nothing of terminals."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="pipes, signals and permissions of POSIX")
UNTOLD: Final = (
    *("PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8"),
    *("COLUMNS", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
)


def environment(**other: str) -> dict[str, str]:
    """Return an environment in which Python buffers and encodes as it does by itself."""
    untouched = {name: value for name, value in os.environ.items() if name not in UNTOLD}
    return {**untouched, "COLUMNS": "100", "TERM": "xterm", **other}


def command(*arguments: object, script: str = "") -> list[str]:
    """Return a command line, with a script before it that may put something else in its place."""
    start = ["-c", f"{script}\nfrom karuba_cli.main import main\nmain()"] if script else ["-m", "karuba_cli"]
    return [sys.executable, *start, *map(str, arguments)]


def karuba(
    *arguments: object, stdin: bytes = b"", script: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command line to its end."""
    return subprocess.run(
        command(*arguments, script=script),
        input=stdin,
        env=environment(**(env or {})),
        capture_output=True,
        check=False,
        timeout=60,
    )
