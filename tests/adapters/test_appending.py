"""Appending to a log that is being played: what is acknowledged stands there, and nothing else does."""

import errno
import gzip
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from karuba_adapters import Fault, LogWriter, appending, read_events, validate_file, write_log
from karuba_adapters.appending import Appender, Conflict, Torn, WrongLog
from karuba_adapters.recovering import recover
from karuba_adapters.whole_files import lock_of, replacing
from karuba_core import Draw, IllegalCommand, InvalidSetup, Pass, Place, start
from tests.games_kit import setup
from tests.writer import COMMANDS, GAME, OPENING

ROOT = Path(__file__).parents[2]
RECORDED = GAME.read_bytes()
LINES = RECORDED.splitlines(keepends=True)
KILLS = int(os.environ.get("KARUBA_KILLS", "10"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return what was brought to disk: the bytes of each file at that time, b"" for a folder."""
    happened: list[bytes] = []
    fsync = os.fsync

    def noted(opened: int) -> None:
        name = Path(f"/proc/self/fd/{opened}")
        happened.append(name.read_bytes() if name.is_file() else b"")
        fsync(opened)

    monkeypatch.setattr(os, "fsync", noted)
    return happened


def sealed(log: bytes) -> bytes:
    stream = io.BytesIO()
    write_log(read_events(io.BytesIO(log)), stream, sealed=True)
    return stream.getvalue()


def play(appender: Appender, records: int = len(LINES)) -> None:
    """Append until the log has as many records, or a round's end more."""
    while appender.records < records:
        appender.append(COMMANDS[appender.records], expected=appender.records)


# One writer


def test_a_game_is_written_as_it_is_recorded(path: Path) -> None:
    play(Appender(path, OPENING.setup))

    assert path.read_bytes() == RECORDED


def test_the_step_of_an_append_is_what_was_written(path: Path) -> None:
    appender = Appender(path, setup())
    step = appender.append(Draw(7))

    assert (step.game, appender.records) == (appender.game, 2)
    assert [event.name for event in step.events] == ["tile-drawn"]


def test_a_reader_sees_each_append_when_it_returns(path: Path) -> None:
    appender = Appender(path, OPENING.setup)
    while appender.records < 60:
        play(appender, appender.records + 1)
        assert path.read_bytes() == b"".join(LINES[: appender.records])


def test_a_game_goes_on_in_another_writer(path: Path) -> None:
    play(Appender(path, OPENING.setup), 50)
    play(Appender(path, OPENING.setup), 90)
    play(Appender(str(path)))

    assert path.read_bytes() == RECORDED


@pytest.mark.parametrize("command", [Place("ana", "a1"), Draw(99), Pass("nobody")])
def test_a_refused_command_writes_nothing(path: Path, command: Draw) -> None:
    appender = Appender(path, setup())
    before = path.read_bytes()

    with pytest.raises(IllegalCommand):
        appender.append(command)
    assert path.read_bytes() == before
    appender.append(Draw(7))


def test_after_the_end_a_command_is_refused_by_the_rules(path: Path) -> None:
    appender = Appender(path, OPENING.setup)
    play(appender)

    with pytest.raises(IllegalCommand) as refused:
        appender.append(Draw(7))
    assert refused.value.violation.code == "rule/game-over"


def test_meta_goes_to_the_event_of_the_command(path: Path) -> None:
    appender = Appender(path, OPENING.setup)
    play(appender, next(n for n in COMMANDS if b"round-ended" in LINES[n + 1]))
    appender.append(COMMANDS[appender.records], meta={"at": 5})

    *_, answer, ending = path.read_bytes().splitlines()
    assert answer.endswith(b',"meta":{"at":5}}')
    assert b"round-ended" in ending
    assert b"meta" not in ending


def test_a_meta_that_is_no_json_writes_nothing(path: Path) -> None:
    appender = Appender(path, setup())
    before = path.read_bytes()

    with pytest.raises(Fault):
        appender.append(Draw(7), meta={"at": float("nan")})
    assert (path.read_bytes(), appender.records) == (before, 1)


# Beginning


def test_no_log_and_no_setup_is_no_game(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Appender(path)
    assert not path.exists()


def test_a_bad_setup_leaves_no_file(path: Path) -> None:
    with pytest.raises(InvalidSetup):
        Appender(path, setup().__class__(("ana",), "ana", setup().layout, setup().rules))
    assert list(path.parent.iterdir()) == []


def test_an_empty_file_is_begun_or_refused(path: Path) -> None:
    path.touch()
    with pytest.raises(WrongLog, match="log/no-opening"):
        Appender(path)
    assert Appender(path, setup()).records == 1


def test_the_log_of_another_game_is_not_gone_on_with(path: Path) -> None:
    Appender(path, setup(2))
    before = path.read_bytes()

    with pytest.raises(ValueError, match="another setup"):
        Appender(path, setup(3))
    assert path.read_bytes() == before


# What stands there


@pytest.mark.parametrize(
    ("log", "code", "line"),
    [
        (LINES[0] + LINES[2], "rule/", 2),
        (LINES[0] + b"{}\n", "shape/missing-field", 2),
        (b"\n", "text/blank-line", 1),
        (LINES[1], "log/no-opening", 1),
        (RECORDED + RECORDED, "log/second-opening", len(LINES) + 1),
        (LINES[0] + LINES[0], "log/second-opening", 2),
        (sealed(RECORDED) + RECORDED, "log/second-opening", len(LINES) + 2),
        (LINES[0] + b'{"type":"seal","records":1,"digest":"sha256:0"}\n', "log/wrong-seal", 2),
    ],
)
def test_a_wrong_log_is_refused(path: Path, log: bytes, code: str, line: int) -> None:
    path.write_bytes(log)

    with pytest.raises(WrongLog) as refused:
        Appender(path)
    assert refused.value.finding.code.startswith(code)
    assert refused.value.finding.line == line
    assert f"{path}:{line}: {code}" in str(refused.value)
    assert path.read_bytes() == log


@pytest.mark.parametrize("lost", [1, 2, 30])
def test_a_torn_log_is_refused_with_what_helps(path: Path, lost: int) -> None:
    path.write_bytes(b"".join(LINES[:9])[:-lost])

    with pytest.raises(Torn, match=r"game\.jsonl:9: .*`karuba recover`"):
        Appender(path)


def test_a_log_that_lacks_what_is_due_is_refused_with_what_helps(path: Path) -> None:
    due = next(n for n, line in enumerate(LINES) if b"round-ended" in line)
    path.write_bytes(b"".join(LINES[:due]))

    with pytest.raises(Torn, match=r"round-ended is due: .*`karuba recover`"):
        Appender(path)


def test_nothing_is_appended_after_a_seal(path: Path) -> None:
    with path.open("wb") as stream:
        write_log((*start(setup()).events,), stream, sealed=True)
    before = path.read_bytes()

    with pytest.raises(Fault, match="sealed"):
        Appender(path).append(Draw(7))
    assert path.read_bytes() == before


def test_no_event_is_appended_to_commands(path: Path) -> None:
    with path.open("wb") as stream:
        write_log((*start(setup()).events, Draw(7)), stream)
    before = path.read_bytes()

    with pytest.raises(Fault, match="commands"):
        Appender(path).append(Place("ana", "a1"))
    assert path.read_bytes() == before


# Several writers


def test_the_second_of_two_gets_a_conflict(path: Path) -> None:
    first, second = Appender(path, setup()), Appender(path, setup())
    first.append(Draw(7), expected=1)
    before = path.read_bytes()

    with pytest.raises(Conflict) as conflict:
        second.append(Draw(8), expected=1)
    assert (conflict.value.expected, conflict.value.found) == (1, 2)
    assert path.read_bytes() == before
    assert (second.records, second.game) == (2, first.game)
    second.append(Place("ana", "a1"), expected=2)
    first.append(Place("ben", "a1"), expected=3)


def test_without_a_number_a_writer_means_what_it_knows(path: Path) -> None:
    first, second = Appender(path, setup()), Appender(path, setup())
    first.append(Draw(7))

    with pytest.raises(Conflict):
        second.append(Draw(8))


def test_a_number_too_high_is_a_conflict_too(path: Path) -> None:
    with pytest.raises(Conflict) as conflict:
        Appender(path, setup()).append(Draw(7), expected=2)
    assert (conflict.value.expected, conflict.value.found) == (2, 1)


def test_a_conflict_comes_before_what_the_rules_say(path: Path) -> None:
    first, second = Appender(path, setup()), Appender(path, setup())
    first.append(Draw(7))

    with pytest.raises(Conflict):
        second.append(Draw(7), expected=1)


def test_a_writer_waits_for_the_lock_and_then_gives_up(path: Path) -> None:
    appender = Appender(path, setup(), patience=0.05)
    before = path.read_bytes()
    with lock_of(path, 1), pytest.raises(TimeoutError):
        appender.append(Draw(7))
    assert path.read_bytes() == before

    waiting = Appender(path, patience=20)
    with lock_of(path, 1):
        thread = threading.Thread(target=waiting.append, args=(Draw(7),))
        thread.start()
        thread.join(0.2)
        assert path.read_bytes() == before
    thread.join(20)
    assert waiting.records == 2


def test_a_log_torn_by_another_is_not_appended_to(path: Path) -> None:
    appender = Appender(path, setup())
    with path.open("ab") as other:
        other.write(b'{"type":"tile-')
    before = path.read_bytes()

    with pytest.raises(Torn):
        appender.append(Draw(7))
    assert path.read_bytes() == before
    recover(path)
    appender.append(Draw(7))


def test_what_another_writes_is_judged(path: Path) -> None:
    appender = Appender(path, setup())
    with path.open("ab") as other:
        LogWriter(other.write).write(Draw(99))

    with pytest.raises(WrongLog, match="rule/"):
        appender.append(Draw(7))


def test_a_replaced_log_is_read_anew(path: Path) -> None:
    """An event appended to the file that was replaced would be lost."""
    appender = Appender(path, OPENING.setup)
    play(appender, 20)
    with replacing(path) as stream:
        stream.write(b"".join(LINES[:31]))

    with pytest.raises(Conflict):
        appender.append(COMMANDS[appender.records])
    play(appender)
    assert path.read_bytes() == RECORDED


def test_a_log_replaced_by_a_longer_one_is_read_anew(path: Path) -> None:
    appender = Appender(path, setup())
    appender.append(Draw(7))
    other = Appender(path.with_name("other.jsonl"), setup())
    other.append(Draw(36))
    other.append(Place("ana", "a1"))
    path.with_name("other.jsonl").replace(path)

    with pytest.raises(Conflict):
        appender.append(Place("ben", "a1"))
    assert appender.game == other.game


def test_a_log_that_was_cut_is_read_anew(path: Path) -> None:
    appender = Appender(path, OPENING.setup)
    play(appender, 20)
    path.write_bytes(b"".join(LINES[:9]))

    with pytest.raises(Conflict):
        appender.append(COMMANDS[appender.records])
    assert appender.records == 9


def test_another_log_of_the_same_size_in_its_place_is_read_anew(path: Path) -> None:
    """Neither size nor number of the file tells one log from another; its bytes do."""
    appender = Appender(path, setup())
    appender.append(Draw(7))
    data = path.read_bytes()
    with path.open("r+b") as stream:  # the same file
        stream.write(data.replace(b'"tile":7}', b'"tile":8}'))

    with pytest.raises(Conflict, match="found others: nothing was written"):
        appender.append(Place("ana", "a1"))  # it was meant for the game that is gone
    assert path.read_bytes() == data.replace(b'"tile":7}', b'"tile":8}')
    assert appender.game.drawn == bytes([8])
    appender.append(Place("ana", "a1"))
    assert validated(path) == "incomplete"


def test_a_line_too_long_is_not_taken_for_torn(path: Path) -> None:
    appender = Appender(path, setup())
    with path.open("ab") as stream:
        stream.write(b" " * ((1 << 20) + 9))
    with pytest.raises(WrongLog, match="text/line-too-long"):
        appender.append(Draw(7))


def validated(path: Path) -> str:
    (report,) = validate_file(path)
    return report.verdict


@pytest.mark.parametrize("meta", [[1], "x", False, 7])
def test_a_meta_that_is_no_object_writes_nothing(path: Path, meta: Any) -> None:  # noqa: ANN401 - of any type
    appender = Appender(path, setup())
    before = path.read_bytes()
    with pytest.raises(Fault, match="shape/wrong-type"):
        appender.append(Draw(7), meta=meta)
    assert path.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_what_is_no_regular_file_is_left_alone(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(OSError, match="no regular file"):
        Appender(path, setup())
    with pytest.raises(OSError, match="no regular file"), replacing(path) as stream:
        stream.write(b"lost")
    assert path.is_fifo()


def test_no_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Appender(tmp_path / "none" / "game.jsonl", setup())
    assert list(tmp_path.iterdir()) == []


def test_a_packed_log_is_not_torn(path: Path) -> None:
    path.write_bytes(gzip.compress(b"".join(LINES[:9])))
    with pytest.raises(OSError, match="packed"):
        Appender(path)


def test_a_log_that_is_gone_is_not_made_again(path: Path) -> None:
    appender = Appender(path, setup())
    path.unlink()

    with pytest.raises(FileNotFoundError):
        appender.append(Draw(7))
    assert not path.exists()


def test_writers_by_way_of_a_link_share_the_lock(path: Path) -> None:
    appender = Appender(path, setup(), patience=0.05)
    link = path.with_name("link.jsonl")
    try:
        link.symlink_to(path)
    except OSError:
        pytest.skip("this system makes no links")

    with lock_of(link, 1), pytest.raises(TimeoutError):
        appender.append(Draw(7))
    Appender(link).append(Draw(7))
    assert path.read_bytes().count(b"\n") == 2


# The disk


def full(written: int) -> Callable[[FileIO, bytes], int]:
    """Return a write that gets no further than some bytes, as on a full disk."""

    def write(stream: FileIO, data: bytes) -> int:
        return os.write(stream.fileno(), data[:written])

    return write


@pytest.mark.parametrize("written", [0, 1, 40])
def test_what_does_not_fit_is_taken_back(path: Path, monkeypatch: pytest.MonkeyPatch, written: int) -> None:
    appender = Appender(path, setup())
    before = path.read_bytes()
    with monkeypatch.context() as patch:

        class Full(FileIO):
            write = full(written)  # type: ignore[assignment]

        patch.setattr(appending, "FileIO", Full)
        with pytest.raises(OSError) as failed:  # noqa: PT011 - its number is asked below
            appender.append(Draw(7))
    assert failed.value.errno == errno.ENOSPC
    assert (path.read_bytes(), appender.records) == (before, 1)
    appender.append(Draw(7))


def test_all_events_of_a_command_are_one_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[bytes] = []

    class Noted(FileIO):
        def write(self, data: bytes) -> int:  # type: ignore[override]
            writes.append(data)
            return super().write(data)

    monkeypatch.setattr(appending, "FileIO", Noted)
    play(Appender(path, OPENING.setup))

    assert len(writes) == len(COMMANDS)
    assert b"".join(writes) == b"".join(LINES[1:])


def test_an_interrupt_after_the_write_is_told_by_the_next_append(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    appender = Appender(path, setup())
    with monkeypatch.context() as patch:

        def interrupted(_: int) -> None:
            raise KeyboardInterrupt

        patch.setattr(appender, "_durable", True)
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            appender.append(Draw(7))

    with pytest.raises(Conflict) as conflict:
        appender.append(Draw(7))
    assert conflict.value.found == 2


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="asks Linux which file was brought to disk")
def test_durable_means_that_the_disk_has_it(path: Path, synced: list[bytes]) -> None:
    appender = Appender(path, OPENING.setup, durable=True)
    assert synced == [LINES[0], b""], "the file, and then that its folder has it"
    synced.clear()

    play(appender, 4)
    assert synced == [b"".join(LINES[:n]) for n in (2, 3, 4)]


def test_what_is_not_asked_to_be_durable_waits_for_no_disk(path: Path, synced: list[bytes]) -> None:
    appender = Appender(path, OPENING.setup)
    synced.clear()

    play(appender, 9)
    assert synced == []


# Processes


class Writer:
    """A process that appends the game (see `tests.writer`)."""

    def __init__(self, path: Path, *manners: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.writer", str(path), *manners],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready" + os.linesep.encode()

    def begin(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def end(self, *, kill_after: float | None = None) -> list[int]:
        """Wait for the end, or bring it about; return how many records were acknowledged at each append."""
        with self._process:
            if kill_after is not None:
                threading.Event().wait(kill_after)
                self._process.kill()
            assert self._process.stdout is not None
            told = self._process.stdout.read()
            assert kill_after is not None or self._process.wait() == 0
        return [int(line) for line in told.splitlines(keepends=True) if line.endswith(b"\n")]


def test_of_two_that_append_at_once_one_wins_each_number(path: Path) -> None:
    Appender(path, OPENING.setup)
    writers = [Writer(path, "shy"), Writer(path, "shy")]
    for writer in writers:
        writer.begin()
    first, second = (writer.end() for writer in writers)

    assert first
    assert second
    assert len(first) + len(second) == len(COMMANDS)
    assert {*first, *second} == {*list(COMMANDS)[1:], len(LINES)}
    assert path.read_bytes() == RECORDED


def test_what_was_acknowledged_outlives_a_killed_writer(tmp_path: Path) -> None:
    """A writer is killed at any moment, `KARUBA_KILLS` times; another goes on after each recovery."""
    random = Random()
    path, torn, lasting, games = tmp_path / "0.jsonl", 0, 1, 0
    for kill in range(KILLS):
        writer = Writer(path, *(("torn",) if kill % 2 else ()), *(("durable",) if kill % 3 else ()))
        writer.begin()
        acknowledged = writer.end(kill_after=random.random() * 0.05)
        lasting = max([lasting, *acknowledged])

        log = path.read_bytes()
        assert RECORDED.startswith(log)
        torn += not log.endswith(b"\n")
        recovery = recover(path)
        assert not recovery.is_refused
        assert [report.findings for report in validate_file(path)] == [()]
        assert path.read_bytes().count(b"\n") >= lasting
        assert RECORDED.startswith(path.read_bytes())
        if path.read_bytes() == RECORDED:
            games += 1
            path, lasting = tmp_path / f"{games}.jsonl", 1
    print(f"{KILLS} kills: {torn} torn logs, {games} games finished")


def test_of_several_commands_all_are_written_or_none(path: Path) -> None:
    appender = Appender(path, setup())
    before = path.read_bytes()

    with pytest.raises(IllegalCommand):
        appender.append(Draw(7), Place("ana", "b3"), Place("ana", "b4"))
    assert (appender.records, path.read_bytes()) == (1, before)

    step = appender.append(Draw(7), Place("ana", "b3"), Place("ben", "b3"), meta={"by": "hand"})
    assert [event.name for event in step.events][-2:] == ["tile-placed", "round-ended"]
    assert (appender.records, appender.game) == (5, step.game)
    assert path.read_bytes().count(b"meta") == 1
