"""What the command line loads before it answers, and that the list of verbs is right."""

import os
import subprocess
import sys
from importlib import import_module
from inspect import getdoc
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from typer.testing import CliRunner

from karuba_cli import __version__
from karuba_cli.verbs import VERBS, app

ROOT = Path(__file__).parents[2]
SOUND = ROOT / "tests" / "games" / "sound" / "04-3p-stop-casual.jsonl"
BROKEN = ROOT / "tests" / "games" / "broken" / "shape-1.jsonl"

# Runs the command line as the console script does, and tells on standard error what that has loaded.
SCRIPT = """
import sys
before = {*sys.modules}
from karuba_cli.main import main
try:
    main()
finally:
    print(*sorted({*sys.modules} - before), file=sys.stderr)
"""
HEAVY = {"jmespath", "jsonschema", "matplotlib", "pandas", "pyarrow", "rich"}


def loaded(*arguments: object) -> tuple[str, set[str]]:
    """Return what a command line writes, and the modules that it has loaded by its end."""
    texts = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
    result = subprocess.run(texts, capture_output=True, text=True, check=False, timeout=60)
    return result.stdout, set(result.stderr.splitlines()[-1].split())


# The version


def test_the_version_is_told_before_anything_is_loaded() -> None:
    assert loaded("--version") == (f"karuba {__version__}\n", {"karuba_cli", "karuba_cli.main"})


def test_the_version_that_is_told_is_that_of_the_package() -> None:
    assert ProjectMetadata(str(ROOT), PluginManager()).version == __version__


def test_a_version_is_told_on_the_long_way_too() -> None:
    told, names = loaded("--version", "validate")

    assert told == f"karuba {__version__}\n"
    assert "typer" in names


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk of Linux")
def test_a_version_that_cannot_be_written_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        version = [sys.executable, "-m", "karuba_cli", "--version"]
        result = subprocess.run(version, stdout=full, stderr=subprocess.PIPE, check=False)

    assert result.returncode == 70
    assert result.stderr == b"karuba: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_nobody_has_to_read_the_version() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        for stdout in (writing, None):  # a pipe that nobody reads; closed from the start
            result = subprocess.run(
                [sys.executable, "-m", "karuba_cli", "--version"],
                stdout=stdout,
                stderr=subprocess.PIPE,
                check=False,
                preexec_fn=None if stdout else lambda: os.close(1),
            )
            assert (result.returncode, result.stderr) == (0, b"")
    finally:
        os.close(writing)


# The verbs


def test_help_loads_no_verb() -> None:
    told, names = loaded("--help")

    assert told.startswith("Usage: karuba")
    assert not {f"karuba_cli.{verb}" for verb in VERBS} & names
    assert not {*HEAVY, "karuba_core", "karuba_adapters", "pydantic"} & names


def test_help_lists_every_verb_with_the_first_line_of_its_own_help() -> None:
    shown = " ".join(CliRunner().invoke(app, ["--help"]).output.split())

    for verb in VERBS:
        first, _, _ = (getdoc(getattr(import_module(f"karuba_cli.{verb}"), verb)) or "").partition("\n\n")
        assert f" {verb} {' '.join(first.split())}" in shown


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_its_own_help(verb: str) -> None:
    result = CliRunner().invoke(app, [verb, "--help"], prog_name="karuba")

    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: karuba {verb} ")
    assert " ".join(VERBS[verb].split()) in " ".join(result.output.split())


def test_a_mistyped_verb_is_no_verb() -> None:
    result = CliRunner().invoke(app, ["explian", str(SOUND)])

    assert result.exit_code == 2
    assert "No such command 'explian'. Did you mean 'explain'" in result.output


def test_a_verb_loads_no_other_and_nothing_that_it_has_no_use_for() -> None:
    told, names = loaded("validate", SOUND)

    assert told == "1 log: 1 valid\n"
    assert {name for name in VERBS if f"karuba_cli.{name}" in names} == {"validate"}
    assert not {*HEAVY, "filelock"} & names


def test_a_verb_loads_what_it_has_use_for() -> None:
    """The test above can fail: a name is found among what is loaded."""
    _, names = loaded("validate", BROKEN, "--color", "always")

    assert "rich" in names
