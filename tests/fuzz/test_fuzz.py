"""Whatever bytes a reader gets, it answers; `python -m tests.fuzz.run` asks for much longer."""

import gzip
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from karuba_cli.verbs import app
from karuba_core import Draw
from tests.fuzz import corpus
from tests.fuzz.bad_inputs import ASKED, EVENTS, OPENING, REST
from tests.fuzz.harnesses import HARNESSES, MAPPING_ENDS
from tests.fuzz.mutating import ROOT, SEEDS, mutated

INPUTS = 100
FILES = 135


@pytest.mark.parametrize("name", HARNESSES)
@settings(max_examples=INPUTS, deadline=None)
@given(seed=st.integers(0, 2**32), changes=st.integers(0, 3))
def test_changed_logs_are_answered(name: str, seed: int, changes: int) -> None:
    random = Random(seed)
    data = SEEDS[name](random)
    for _ in range(changes):
        data = mutated(data, random)

    HARNESSES[name](data)


@pytest.mark.parametrize("name", HARNESSES)
@settings(max_examples=INPUTS, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_answered(name: str, data: bytes) -> None:
    HARNESSES[name](data)


# A fault in a reader comes out


FOREIGN = (ROOT / "docs" / "examples" / "foreign.toml").read_bytes() + MAPPING_ENDS
FAULTS: dict[str, tuple[str, Any, bytes]] = {
    "log": ("findings.printable", str, OPENING + b"nope"),
    "packed": ("log_files.is_packed", lambda _: False, OPENING),
    "archive": ("packed.zlib.error", ZeroDivisionError, gzip.compress(EVENTS)[:10] + b"\xff" * 50),
    "judges": ("log_order.check", lambda game, _: game, EVENTS.replace(b'"tile":', b'"tile":1', 2)),
    "line": ("strict_json._LARGEST_INTEGER", 2**60, b'{"type":"draw","tile":9007199254740992}'),
    "referee": (
        "referee.legal_commands",
        lambda _: [Draw(99)],
        b'{"id":1,"ask":"legal","given":[%b]}' % OPENING.strip(),
    ),
    "foreign": ("foreign.loads", json.loads, FOREIGN + b"nope"),
    "convert": ("normalising.NormalWriter.flush", lambda _: None, OPENING + REST[0] + REST[1]),
    "implied": ("implied.IllegalCommand", ZeroDivisionError, OPENING + ASKED[1]),
    "recovery": ("recovering._copy", lambda *_: None, OPENING + REST[0][:9]),
}


@pytest.mark.parametrize("name", HARNESSES)
def test_a_fault_in_a_reader_comes_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, fault, data = FAULTS[name]
    HARNESSES[name](data)

    monkeypatch.setattr(f"karuba_adapters.{place}", fault)

    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the fault leads to
        HARNESSES[name](data)


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris, the extra `fuzz`, is not installed")
def test_the_fuzzer_runs_and_counts() -> None:
    command = [sys.executable, "-m", "tests.fuzz.run", "--inputs", "300", "--seconds", "30", "line"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("line: 300 inputs, ")
    assert done.stdout.endswith(" edges, no fault\n")


# A folder of good, bad and hostile logs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    corpus.write(folder, FILES, seed=1)
    return folder


def karuba(*arguments: object) -> tuple[int, bytes]:
    result = CliRunner().invoke(app, ["validate", *map(str, arguments)], catch_exceptions=False)
    return result.exit_code, result.stdout_bytes


def test_a_folder_of_all_kinds_of_logs_gets_the_right_list(folder: Path) -> None:
    code, reports = karuba(folder / "logs", "--format", "json")

    assert code == 3
    expected = (folder / "expected.jsonl").read_bytes()
    assert [*corpus.differences(expected, reports)] == []
    kinds = {json.loads(line)["kind"] for line in expected.splitlines()}
    assert len(kinds) >= len(corpus.MAKERS)


def test_a_difference_to_the_list_is_told(folder: Path) -> None:
    _, reports = karuba(folder / "logs", "--format", "json")
    expected = (folder / "expected.jsonl").read_bytes()
    wrong = reports.replace(b'"verdict":"valid"', b'"verdict":"incomplete"', 1)
    one_less = reports.partition(b"\n")[2]
    other_line = reports.replace(b'"line":', b'"line":1', 1)

    for told in (wrong, one_less, other_line):
        assert len([*corpus.differences(expected, told)]) == 1


@pytest.mark.parametrize("form", ["text", "github", "sarif", "junit"])
def test_no_name_of_a_file_or_a_player_reaches_a_terminal(folder: Path, form: str) -> None:
    code, told = karuba(folder / "logs", "--format", form)

    assert code == 3
    assert told.count(b"\n") > FILES // 2
    assert {char for char in told.decode() if not char.isprintable()} == {"\n"}
