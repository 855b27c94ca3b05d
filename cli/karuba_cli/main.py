"""The `karuba` command. Nothing is imported here that `--version` can do without."""

import sys

from karuba_cli import __version__


def main() -> None:
    """Run the command line and end the process with its exit code."""
    if sys.argv[1:] == ["--version"] and _has_told_version():
        return
    import gc

    from karuba_cli.running import run

    # Looking for garbage costs a sixth of a start: modules are none, and at the end it may stay.
    gc.set_threshold(50_000)
    code = run()
    gc.freeze()
    sys.exit(code)


def _has_told_version() -> bool:
    """Tell the version; where that fails, the long way tells why."""
    try:
        sys.stdout.write(f"karuba {__version__}\n")
        sys.stdout.flush()
    except (AttributeError, OSError):  # standard output is closed, or cannot be written
        return False
    return True
