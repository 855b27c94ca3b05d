"""What README says a command prints, it prints; what it says Python returns, it returns."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def console_examples() -> Iterator[tuple[str, str]]:
    """Yield each command that a document shows after `$`, with the output that it shows below."""
    for document in DOCUMENTS:
        for block in re.findall(
            r"^```console\n(.*?)^```$", document.read_text("utf-8"), re.MULTILINE | re.DOTALL
        ):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                yield command, output


@pytest.mark.parametrize(("command", "output"), list(console_examples()))
@pytest.mark.skipif(os.name == "nt", reason="the examples are written for a POSIX shell")
def test_a_command_prints_what_the_document_shows(command: str, output: str) -> None:
    karuba = f"{shlex.quote(sys.executable)} -m karuba_cli"
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'adapters'}:{ROOT / 'cli'}", "COLUMNS": "100"}
    done = subprocess.run(  # noqa: S602 - the documents are ours, and show pipes
        re.sub(r"\bkaruba (?=[a-z])", f"{karuba} ", command),
        shell=True,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    shown = re.escape(output.rstrip("\n")).replace(re.escape("\n...\n"), r"\n.*\n")  # ... leaves lines out
    assert re.fullmatch(shown, done.stdout.rstrip("\n"), re.DOTALL), done.stdout


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python_examples_return_what_the_document_shows(
    document: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(document), module_relative=False, encoding="utf-8")
    assert result.failed == 0


def test_there_are_examples_of_both_kinds() -> None:
    assert len(list(console_examples())) >= 6
    assert (ROOT / "README.md").read_text("utf-8").count(">>> ") >= 10
