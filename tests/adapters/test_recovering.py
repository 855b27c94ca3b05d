"""Mending a torn log: its longest right prefix stays, nothing is lost, and nothing else is touched."""

import json
import os
from pathlib import Path

import pytest

from karuba_adapters import recovering, validate_file
from karuba_adapters.recovering import Recovery, recover
from karuba_adapters.whole_files import lock_of, replacing

GAMES = Path(__file__).parents[1] / "games"
LOG = (GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes()
LINES = LOG.splitlines(keepends=True)
COMMANDS = (GAMES / "commands" / "04-3p-stop-casual.jsonl").read_bytes()
ENDING = next(n for n, line in enumerate(LINES) if b"round-ended" in line)
"""How many records stand before the first end of a round, which is due then."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def beside(path: Path) -> dict[str, bytes]:
    """Return what lies in the folder of a log, but for the log and its lock."""
    return {
        other.name: other.read_bytes()
        for other in path.parent.iterdir()
        if other.name not in (path.name, f"{path.name}.lock")
    }


def mended(path: Path, log: bytes) -> Recovery:
    """Write a log and recover it; it is right then, and a second time there is nothing to do."""
    path.write_bytes(log)
    recovery = recover(path)
    assert not recovery.is_refused
    assert not any(report.findings for report in validate_file(path))
    now = path.read_bytes()
    assert not recover(path).is_needed
    assert path.read_bytes() == now
    return recovery


# A torn last line


@pytest.mark.parametrize(("first", "end"), [(2, 3), (ENDING - 1, ENDING + 1)])
def test_cut_anywhere_the_longest_right_beginning_stays(tmp_path: Path, first: int, end: int) -> None:
    """Cut at every byte of an append; what is due after the whole records of it is written again."""
    for size in sizes(first, end):
        path = tmp_path / str(size) / "game.jsonl"
        path.parent.mkdir()
        mended(path, LOG[:size])

        whole = whole_records(size)
        torn = LOG[len(b"".join(LINES[:whole])) : size]
        assert path.read_bytes() == b"".join(LINES[: end if whole > first else first])
        assert beside(path) == ({"game.jsonl.torn-1": torn} if torn else {})


def test_cut_anywhere_in_the_last_append_of_a_game_it_is_known_what_helps(path: Path) -> None:
    for size in sizes(len(LINES) - 3, len(LINES)):
        path.write_bytes(LOG[:size])
        recovery = recover(path, dry_run=True)

        whole = whole_records(size)
        right = b"".join(LINES[:whole])
        assert recovery.torn == LOG[len(right) : size]
        assert recovery.lacks_end == (len(right) > size)
        assert recovery.kept == min(len(right), size)
        lacking = [json.loads(line)["type"] for line in LINES[whole:] if whole > len(LINES) - 3]
        assert [event.name for event in recovery.due] == lacking


def sizes(first: int, end: int) -> range:
    """Return how long the log is after each byte of some lines."""
    return range(len(b"".join(LINES[:first])) + 1, len(b"".join(LINES[:end])) + 1)


def whole_records(size: int) -> int:
    """Return how many records the beginning of the log has, the last perhaps without its line feed."""
    return LOG[: size + 1].count(b"\n")


@pytest.mark.parametrize("torn", [b"\0" * 4096, LINES[9][:30] + b"\0\0\0", b"\xc3", b"{"])
def test_what_was_never_a_record_is_torn(path: Path, torn: bytes) -> None:
    """As a loss of power leaves it."""
    recovery = mended(path, b"".join(LINES[:9]) + torn)

    assert (recovery.torn, recovery.report.last_line) == (torn, 10)
    assert path.read_bytes() == b"".join(LINES[:9])
    assert beside(path) == {"game.jsonl.torn-1": torn}


@pytest.mark.parametrize(
    "typed", [b"{\n", LINES[9].replace(b"}\n", b",}\n"), LINES[9][:30] + b"\r\n", b'"\xff"\n']
)
def test_a_line_that_somebody_has_ended_is_not_torn(path: Path, typed: bytes) -> None:
    """A writer's line feed comes last: with it the line was written whole, and is somebody's mistake."""
    log = b"".join(LINES[:9]) + typed
    path.write_bytes(log)
    assert recover(path).is_refused
    assert path.read_bytes() == log
    assert beside(path) == {}


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_what_was_nobody_elses_business_stays_so(path: Path) -> None:
    path.write_bytes(b"".join(LINES[:9]) + b"{")
    path.chmod(0o600)
    recover(path)
    assert {
        file.stat().st_mode & 0o777 for file in path.parent.glob("game.jsonl*") if file.suffix != ".lock"
    } == {0o600}


def test_a_right_log_needs_no_lock(path: Path) -> None:
    """So it can lie where nothing may be written."""
    path.write_bytes(LOG)
    assert not recover(path).is_needed
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_torn_command_is_cut_away_and_nothing_is_due(path: Path) -> None:
    lines = COMMANDS.splitlines(keepends=True)
    recovery = mended(path, b"".join(lines[:-1]) + lines[-1][:10])

    assert recovery.due == ()
    assert path.read_bytes() == b"".join(lines[:-1])


def test_a_torn_seal_is_cut_away(path: Path) -> None:
    mended(path, LOG + b'{"type":"seal","records":')
    assert path.read_bytes() == LOG


def test_of_several_logs_the_last_can_be_torn(path: Path) -> None:
    mended(path, LOG + LOG[:-3])
    assert path.read_bytes() == LOG + LOG
    mended(path, LOG + LINES[0][:50])
    assert path.read_bytes() == LOG


def test_torn_bytes_are_never_overwritten(path: Path) -> None:
    for lost in (3, 4, 5):
        path.write_bytes(b"".join(LINES[:9])[:-lost])
        assert recover(path).saved == path.with_name(f"game.jsonl.torn-{lost - 2}")
    saved = beside(path)
    assert saved == {f"game.jsonl.torn-{lost - 2}": LINES[8][:-lost] for lost in (3, 4, 5)}


# Whole to the last byte but one, and what is due


def test_a_last_record_without_its_line_feed_is_kept(path: Path) -> None:
    recovery = mended(path, b"".join(LINES[:9])[:-1])

    assert (recovery.lacks_end, recovery.torn) == (True, b"")
    assert path.read_bytes() == b"".join(LINES[:9])
    assert beside(path) == {}


@pytest.mark.parametrize("end", ["", "\n"])
def test_what_is_due_is_written(path: Path, end: str) -> None:
    recovery = mended(path, b"".join(LINES[:ENDING]).rstrip() + end.encode())

    assert [event.name for event in recovery.due] == ["round-ended"]
    assert path.read_bytes() == b"".join(LINES[: ENDING + 1])


def test_the_end_of_round_and_game_is_written(path: Path) -> None:
    recovery = mended(path, b"".join(LINES[:-2]))

    assert [event.name for event in recovery.due] == ["round-ended", "game-ended"]
    assert path.read_bytes() == LOG


# Right, or wrong in another way


def test_a_right_log_stays_the_same_file(path: Path) -> None:
    for log in (LOG, LOG[: len(LINES[0])], COMMANDS, LOG + LOG):
        path.write_bytes(log)
        before = path.stat().st_ino
        recovery = recover(path)
        assert (recovery.is_needed, recovery.is_refused) == (False, False)
        assert (path.read_bytes(), path.stat().st_ino) == (log, before)


def test_nothing_is_due_after_a_seal(path: Path) -> None:
    import hashlib  # noqa: PLC0415 - of this test alone

    log = b"".join(LINES[:ENDING])
    seal = b'{"type":"seal","records":%d,"digest":"sha256:%s"}\n'
    path.write_bytes(log + seal % (ENDING, hashlib.sha256(log).hexdigest().encode()))

    assert not recover(path).is_needed


@pytest.mark.parametrize(
    ("log", "code"),
    [
        (b"".join(LINES[:8]) + LINES[8][:-5] + b"\n" + LINES[9], "text/not-json"),
        (b"".join(LINES[:8]) + LINES[7] + LINES[9][:20], "rule/"),
        (b"".join(LINES[:8]) + LINES[7].rstrip(), "rule/"),
        (b"".join(LINES[:8]) + LINES[7] + LINES[-1] + LOG[:-5], "rule/"),
        (b"".join(LINES[:8]) + b"{}", "shape/missing-field"),
        (b"".join(LINES[:8]) + b"\n", "text/blank-line"),
        (b"".join(LINES[:8]) + b" ", "text/blank-line"),
        (LINES[0] + b'{"type":"draw","tile":7,"tile":7}', "text/doubled-key"),
        (LINES[0] + b'{"type":"draw","tile":7}' + b" " * (1 << 20), "text/line-too-long"),
        (LINES[0] + b'{"type":"seal","records":2,"digest":"sha256:"}\n', "log/wrong-seal"),
        (LINES[0][:-2], "text/not-json"),
        (b"", "log/no-opening"),
        (LINES[1], "log/no-opening"),
    ],
)
def test_what_is_wrong_in_another_way_stays_as_it_is(path: Path, log: bytes, code: str) -> None:
    path.write_bytes(log)
    recovery = recover(path)

    assert recovery.is_refused
    assert recovery.report.findings[0].code.startswith(code)
    assert path.read_bytes() == log
    assert beside(path) == {}


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, tmp_path / "\0"):
        recovery = recover(path)
        assert (recovery.is_refused, recovery.report.verdict) == (True, "unread")
    assert list(tmp_path.iterdir()) == []


def test_a_packed_log_stays_packed(path: Path) -> None:
    import gzip  # noqa: PLC0415 - of this test alone

    path.write_bytes(packed := gzip.compress(LOG[:-5]))
    recovery = recover(path)

    assert (recovery.is_refused, recovery.report.verdict) == (True, "unread")
    assert path.read_bytes() == packed


# Whole or not at all


def test_a_dry_run_writes_nothing(path: Path) -> None:
    path.write_bytes(log := b"".join(LINES[:ENDING]) + LINES[ENDING][:9])
    recovery = recover(path, dry_run=True)

    assert (recovery.torn, len(recovery.due), recovery.saved) == (LINES[ENDING][:9], 1, None)
    assert [other.name for other in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == log


def test_a_recovery_waits_for_writers_and_then_gives_up(path: Path) -> None:
    path.write_bytes(log := LOG[:-5])
    with lock_of(path, 1), pytest.raises(TimeoutError):
        recover(path, patience=0.05)
    assert path.read_bytes() == log


def test_a_recovery_that_fails_has_saved_and_not_replaced(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path.write_bytes(log := b"".join(LINES[:9])[:-4])
    with monkeypatch.context() as patch:
        patch.setattr(recovering, "_copy", fail)
        with pytest.raises(OSError, match="No space"):
            recover(path)
    assert path.read_bytes() == log
    assert beside(path) == {"game.jsonl.torn-1": LINES[8][:-4]}


def test_a_mended_log_that_were_wrong_would_not_be_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovering, "_copy", lambda old, new, size: new.write(old.read(size - 2)))
    path.write_bytes(log := b"".join(LINES[:9])[:-4])

    with pytest.raises(RuntimeError, match="would be wrong"):
        recover(path)
    assert path.read_bytes() == log


def test_a_file_is_replaced_whole_or_not_at_all(path: Path) -> None:
    path.write_bytes(b"before")
    path.chmod(0o640)
    mode = path.stat().st_mode
    with pytest.raises(ZeroDivisionError), replacing(path) as stream:
        stream.write(b"%d" % (1 // 0))
    assert (path.read_bytes(), beside(path)) == (b"before", {})

    with replacing(path) as stream:
        stream.write(b"after")
        assert path.read_bytes() == b"before"
    assert (path.read_bytes(), path.stat().st_mode, beside(path)) == (b"after", mode, {})


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_goes_on_pointing_at_what_was_replaced(path: Path) -> None:
    link = path.parent / "folder" / "link.jsonl"
    link.parent.mkdir()
    link.symlink_to(path)
    path.write_bytes(b"".join(LINES[:9])[:-4])
    recovery = recover(link)

    assert link.is_symlink()
    assert path.read_bytes() == b"".join(LINES[:8])
    assert recovery.saved == path.with_name("game.jsonl.torn-1")
