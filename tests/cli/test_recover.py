"""`karuba recover`: what it says and with which code it ends."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters.whole_files import lock_of
from karuba_cli.verbs import app

GAMES = Path(__file__).parents[1] / "games"
LOG = (GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes()
LINES = LOG.splitlines(keepends=True)
ENDING = next(n for n, line in enumerate(LINES) if b"round-ended" in line)


def karuba(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(part) for part in arguments], catch_exceptions=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def test_a_right_log_needs_nothing(path: Path) -> None:
    path.write_bytes(LOG)
    result = karuba("recover", path)

    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{path}: nothing to mend\n", "")


def test_all_that_is_done_is_told_with_its_line(path: Path) -> None:
    path.write_bytes(b"".join(LINES[:ENDING]) + LINES[ENDING][:9])
    result = karuba("recover", path)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"{path}:{ENDING + 1}: torn: 9 bytes are cut away and saved in {path}.torn-1\n"
        f"{path}:{ENDING + 1}: round-ended, which was due, is written\n"
    )
    assert path.read_bytes() == b"".join(LINES[: ENDING + 1])
    assert Path(f"{path}.torn-1").read_bytes() == LINES[ENDING][:9]


def test_a_line_feed_is_told_and_what_is_due_comes_after_it(path: Path) -> None:
    path.write_bytes(b"".join(LINES[:ENDING])[:-1])
    result = karuba("recover", path)

    assert result.stdout == (
        f"{path}:{ENDING}: its line feed is written\n"
        f"{path}:{ENDING + 1}: round-ended, which was due, is written\n"
    )


def test_a_dry_run_says_the_same_and_that_nothing_was_written(path: Path) -> None:
    path.write_bytes(log := LOG[:-9])
    result = karuba("recover", "--dry-run", path)

    assert (result.exit_code, result.stderr) == (0, "karuba: nothing was written (--dry-run)\n")
    assert f":{len(LINES)}: torn: " in result.stdout
    assert path.read_bytes() == log


def test_a_log_that_is_wrong_elsewhere_stays_with_its_finding(path: Path) -> None:
    path.write_bytes(log := b"".join(LINES[:8]) + LINES[8][:-5] + b"\n" + LINES[9])
    result = karuba("recover", path)

    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}:9: text/not-json: ")
    assert path.read_bytes() == log


def test_what_cannot_be_read_is_told(path: Path) -> None:
    result = karuba("recover", path)

    assert result.exit_code == 3
    assert result.stdout.startswith(f"{path}:1: log/unreadable: ")


def test_only_a_file_can_be_mended(tmp_path: Path) -> None:
    for name in ("-", tmp_path):
        assert karuba("recover", name).exit_code == 2


def test_a_log_that_another_program_writes_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(log := LOG[:-9])
    monkeypatch.setattr(
        "karuba_adapters.recovering.lock_of", lambda path, patience: lock_of(path, patience / 200)
    )
    with lock_of(path, 1):
        result = karuba("recover", path)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == f"karuba: {path} is being written by another program\n"
    assert path.read_bytes() == log


def test_names_reach_no_terminal_unescaped(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J.jsonl"
    try:
        path.write_bytes(LOG[:-9])
    except OSError:
        pytest.skip("this system has no such names")
    assert "\x1b" not in karuba("recover", path).output
    assert "\x1b" not in karuba("seal", path).stderr
