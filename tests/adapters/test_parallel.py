"""Many files judged at a time are told as if they were judged one by one."""

import gzip
import io
import os
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from karuba_adapters import Report, unread, validate, validate_file
from karuba_adapters.judged_cache import Cache
from karuba_adapters.judging import Reading
from karuba_adapters.parallel.pieces import judge_piece
from karuba_adapters.parallel.sources import Plan, Source, in_order, judge_files, validate_sources
from karuba_adapters.parallel.splitting import Submit
from karuba_adapters.parallel.workers import WorkLost
from tests.parallel_kit import at_once

GAMES = Path(__file__).parents[1] / "games"
EVENTS = (GAMES / "sound" / "02-2p-stop-casual.jsonl").read_bytes()
OPENING = EVENTS[: EVENTS.index(b"\n") + 1]
posix = pytest.mark.skipif(os.name != "posix", reason="files of POSIX")
SIZE = 2 * len(EVENTS)


def later(what: str, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:  # noqa: ANN401 - any function
    """Call a function when it is asked, as late as a worker may."""
    del what
    return lambda: function(*arguments)


def one_by_one(sources: list[Source], **reading: Any) -> Iterator[Report]:  # noqa: ANN401 - as `validate` takes it
    for source in sources:
        if source.hindrance is not None:
            yield unread(source.file, source.hindrance)
        elif source.stream is not None:
            yield from validate(source.stream, source.file, **reading)
        else:
            yield from validate_file(source.file, **reading)


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Source]:
    """Files of all kinds, in the current folder, small and large by `SIZE`."""
    monkeypatch.chdir(tmp_path)
    contents = {
        "empty": b"",
        "one": EVENTS,
        "bad": OPENING + b"nope\n" + EVENTS,
        "large": EVENTS * 3 + OPENING + EVENTS * 4 + b"nope\n",
        "packed": gzip.compress(EVENTS * 9),
        "cut": gzip.compress(os.urandom(SIZE) + EVENTS)[:-9],
        "uncut": (b"n" * 2000 + b"\n") * 60,
        "two": EVENTS * 2,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    sources = [*map(Source, [*contents, "folder", "missing", "no\0name", *contents])]
    if os.name == "posix":
        (tmp_path / "link").symlink_to("large")
        (tmp_path / os.fsdecode(b"\xff")).write_bytes(EVENTS * 3)
        sources += map(Source, ["link", os.fsdecode(b"\xff"), "one"])
    sources.insert(4, Source("folder", hindrance="somebody said so"))
    return sources


@pytest.mark.parametrize("most", [1, 9])
@pytest.mark.parametrize("submit", [at_once, later])
@pytest.mark.parametrize("reading", [{}, {"split": True, "keep_going": True}])
@pytest.mark.parametrize("is_cached", [False, True])
def test_files_are_told_in_order(
    sources: list[Source], most: int, submit: Submit, reading: Reading, is_cached: bool
) -> None:
    known = Cache("cache", **reading) if is_cached else None
    for _ in range(2):
        plan = Plan(submit, known, size=SIZE, reading=reading)
        assert [*in_order(plan.tasks(sources), most)] == [*one_by_one(sources, **reading)]
        if known is not None:
            assert known.trouble is None
            known.flush()


def test_processes_tell_the_same(sources: list[Source]) -> None:
    sources = [*sources, *map(Source, ["big", "one"])]
    Path("big").write_bytes((EVENTS * 9 + OPENING) * 30)

    assert [*validate_sources(sources, 2)] == [*one_by_one(sources)]


def test_a_stream_has_its_place_among_files(sources: list[Source]) -> None:
    def with_stream(stream: io.BufferedIOBase) -> list[Source]:
        return [*sources[:3], Source("-", stream), *sources[3:]]  # type: ignore[arg-type]  # it is read alone

    expected = [*one_by_one(with_stream(io.BytesIO(EVENTS * 9)))]
    raw = Path("nine")
    raw.write_bytes(EVENTS * 9)
    for stream in io.BytesIO(EVENTS * 9), raw.open("rb"):
        with stream:
            plan = Plan(later, size=SIZE)
            assert [*in_order(plan.tasks(with_stream(stream)), 5)] == expected


class Typed(io.BufferedReader):
    """Standard input as it is on a terminal."""

    def isatty(self) -> bool:
        return True


def test_what_is_typed_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(EVENTS * 9)
    noting = Noting()
    with Typed(io.FileIO(path)) as stream:
        assert len([*in_order(Plan(noting, size=SIZE).tasks([Source("-", stream)]), 2)]) == 9
    assert noting.work == []


class Noting:
    """Notes what work there is, and how much is begun before the first is asked for."""

    def __init__(self) -> None:
        self.work: list[tuple[str, Callable[..., Any], int]] = []

    def __call__(self, what: str, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:  # noqa: ANN401 - any function
        self.work.append((what, function, len(arguments[0])))
        return later(what, function, *arguments)


def test_small_files_go_together_and_large_ones_in_pieces(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(EVENTS)
    large.write_bytes(EVENTS * 5)
    noting = Noting()
    names = [str(small)] * 7 + [str(large)] + [str(small)]
    reports = [*in_order(Plan(noting, size=SIZE).tasks(map(Source, names)), 100)]

    assert len(reports) == 13
    assert [(function, count) for _, function, count in noting.work if function is judge_files] == [
        (judge_files, count) for count in (2, 2, 2, 1, 1)
    ]
    assert sum(size for _, function, size in noting.work if function is judge_piece) == len(EVENTS) * 5
    assert noting.work[0][0] == f"{small} or one of the 1 files after it"
    assert noting.work[4][0] == f"{large} from byte 0 on"


def test_names_are_looked_at_when_there_is_work_for_them(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.write_bytes(EVENTS)
    asked: list[int] = []

    def sources() -> Iterator[Source]:
        for number in range(1000):
            asked.append(number)
            yield Source(str(small))

    next(in_order(Plan(later, size=SIZE).tasks(sources()), 4))
    assert len(asked) == 8


def test_what_is_small_and_holds_very_many_logs_is_not_sent_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("karuba_adapters.parallel.pieces._MOST", 10)
    path = tmp_path / "many"
    for logs in 10, 11:
        path.write_bytes(gzip.compress(OPENING * logs))
        ((judged,), _) = judge_files([Source(str(path))], None, {"split": True})
        assert (judged is None) == (logs == 11)
        plan = Plan(later, reading={"split": True})
        assert [*in_order(plan.tasks([Source(str(path))]), 2)] == [*validate_file(path, split=True)]


@posix
def test_what_only_this_process_can_open_is_read_by_it(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(EVENTS)
    noting = Noting()
    with path.open("rb") as stream:
        name = f"/dev/fd/{stream.fileno()}"
        (report,) = in_order(Plan(noting).tasks([Source(name)]), 1)

    assert (report.file, report.verdict) == (name, "valid")
    assert [function for _, function, _ in noting.work] == [judge_piece]


def test_what_was_judged_before_a_fault_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(EVENTS)
    begun = count(1)

    def failing(what: str, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:  # noqa: ANN401 - any function
        return lost if next(begun) == 3 else later(what, function, *arguments)

    def lost() -> None:
        raise WorkLost("gone", has_died=True)

    reports = in_order(Plan(failing, size=len(EVENTS)).tasks([Source(str(path))] * 5), 4)
    assert [report.verdict for report in islice(reports, 2)] == ["valid"] * 2
    with pytest.raises(WorkLost, match="gone"):
        next(reports)


def test_a_pipe_is_told_log_by_log_where_nobody_asked_for_processes() -> None:
    """By default nothing waits for more of a pipe than the next log."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb") as end:
        end.write(EVENTS * 3)
        end.flush()
        plan = Plan(at_once, enough=1 << 24)
        reports = in_order(plan.tasks([Source("-", stream)]), 4)
        assert next(reports).verdict == "valid"  # though the pipe is open still
        end.close()
        assert len([*reports]) == 2
