"""`karuba seal`, and seals that `karuba validate` is asked to require."""

import gzip
import hashlib
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import validate
from karuba_adapters.sealing import Sealer
from karuba_adapters.whole_files import lock_of
from karuba_cli.verbs import app

GAMES = Path(__file__).parents[1] / "games"
LOG = (GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes()
LINES = LOG.splitlines(keepends=True)
COMMANDS = (GAMES / "commands" / "04-3p-stop-casual.jsonl").read_bytes()
SPACED = b"".join(json.dumps(json.loads(line)).encode() + b" \r\n" for line in LINES[:9])
BROKEN = b"".join(LINES[:8]) + LINES[7]


def karuba(*arguments: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, [str(part) for part in arguments], input=stdin, catch_exceptions=False)


def sealed(log: bytes) -> bytes:
    """Return a log with the seal that the format wants (F-SEAL-1)."""
    digest = hashlib.sha256(log).hexdigest().encode()
    return log + b'{"type":"seal","records":%d,"digest":"sha256:%s"}\n' % (log.count(b"\n"), digest)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (LOG, sealed(LOG)),
        (LINES[0], sealed(LINES[0])),
        (COMMANDS, sealed(COMMANDS)),
        (SPACED, sealed(SPACED)),
        (LOG[:-1], sealed(LOG)),
        (LOG + LOG, sealed(LOG) * 2),
        (sealed(LOG) + LOG, sealed(LOG) * 2),
        (LOG + sealed(LOG), sealed(LOG) * 2),
        (sealed(SPACED) + LOG[:-1], sealed(SPACED) + sealed(LOG)),
    ],
)
def test_each_log_without_a_seal_gets_one(path: Path, log: bytes, expected: bytes) -> None:
    path.write_bytes(log)
    result = karuba("seal", path)
    assert (result.exit_code, result.stderr, result.stdout_bytes) == (0, "", expected)
    assert path.read_bytes() == log
    assert karuba("seal", "-", stdin=log).stdout_bytes == expected

    result = karuba("seal", "--in-place", path)
    assert (result.exit_code, result.output) == (0, "")
    assert path.read_bytes() == expected
    assert karuba("validate", "--require-seal", path).exit_code == 0


@pytest.mark.parametrize("log", [sealed(LOG), sealed(LOG)[:-1], sealed(SPACED) + sealed(COMMANDS)])
def test_a_sealed_log_stays_as_it_is(path: Path, log: bytes) -> None:
    path.write_bytes(log)
    before = path.stat().st_ino
    result = karuba("seal", path)
    assert (result.exit_code, result.stdout_bytes) == (0, log)
    assert result.stderr == f"karuba: {path} is sealed already\n"

    result = karuba("seal", "--in-place", path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"karuba: {path} is sealed already\n"
    assert (path.read_bytes(), path.stat().st_ino) == (log, before)


@pytest.mark.parametrize(
    ("log", "code", "line"),
    [
        (BROKEN, "rule/", 9),
        (b"", "log/no-opening", 1),
        (sealed(LOG).replace(b"sha256:", b"sha256:0"), "log/wrong-seal", len(LINES) + 1),
        (sealed(LOG) + LINES[-1], "log/after-seal", len(LINES) + 2),
        (LOG + BROKEN, "rule/", len(LINES) + 9),
    ],
)
@pytest.mark.parametrize("options", [[], ["--in-place"]])
def test_with_a_finding_nothing_is_written(
    path: Path, log: bytes, code: str, line: int, options: list[str]
) -> None:
    path.write_bytes(log)
    result = karuba("seal", *options, path)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{path}:{line}: {code}")
    assert path.read_bytes() == log


def test_a_wrong_log_gets_no_seal() -> None:
    written: list[bytes] = []
    sealer = Sealer(written.append)
    for report in validate(io.BytesIO(LOG + BROKEN), observe=sealer.take):
        sealer.end(report)

    assert b"".join(written) == sealed(LOG) + b"".join(LINES[:8])
    assert sealer.sealed == 1


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    for options in ([], ["--in-place"]):
        result = karuba("seal", *options, tmp_path / "missing.jsonl")
        assert (result.exit_code, result.stdout) == (3, "")
        assert "log/unreadable" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_only_a_regular_file_is_written_in_place(tmp_path: Path) -> None:
    for name in ("-", tmp_path):
        assert karuba("seal", "--in-place", name, stdin=LOG).exit_code == 2


def test_a_packed_log_is_sealed_unpacked_and_not_in_place(path: Path) -> None:
    path.write_bytes(packed := gzip.compress(LOG))

    assert karuba("seal", path).stdout_bytes == sealed(LOG)
    assert karuba("seal", "--in-place", path).exit_code == 2
    assert path.read_bytes() == packed


def test_a_log_that_another_program_writes_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(LOG)
    monkeypatch.setattr(
        "karuba_adapters.whole_files.lock_of", lambda path, patience: lock_of(path, patience / 200)
    )
    with lock_of(path, 1):
        result = karuba("seal", "--in-place", path)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == f"karuba: {path} is being written by another program\n"
    assert path.read_bytes() == LOG


# Seals required


@pytest.mark.parametrize(("log", "last"), [(LOG, len(LINES)), (LOG[:-1], len(LINES)), (SPACED, 9)])
def test_a_right_log_without_a_seal_is_a_finding_where_one_is_required(log: bytes, last: int) -> None:
    result = karuba("validate", "--require-seal", "-", stdin=log)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"-:{last}: log/unsealed: ")
    assert "(F-SEAL-3)" in result.stdout
    assert karuba("validate", "-", stdin=log).exit_code == 0


def test_each_log_has_to_have_its_own_seal() -> None:
    result = karuba("validate", "--require-seal", "-", stdin=sealed(LOG) + LOG + sealed(LOG))

    assert result.stdout.count("log/unsealed") == 1
    assert result.stdout.startswith(f"-:{2 * len(LINES) + 1}: log/unsealed")


def test_a_wrong_log_gets_no_second_finding_for_its_seal() -> None:
    assert "log/unsealed" not in karuba("validate", "--require-seal", "-", stdin=BROKEN).stdout


def test_a_cut_tail_shows_where_a_seal_is_required() -> None:
    """What a seal is for: all that is left is right."""
    result = karuba("validate", "--require-seal", "-", stdin=b"".join(LINES[:50]))
    assert result.exit_code == 1
