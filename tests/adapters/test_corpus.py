"""A corpus gets the reports of the serial run, whatever lies where, however it is cut, whoever dies."""

import gzip
import io
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask
import fsspec
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import LocalCluster
from fsspec.implementations.local import LocalFileSystem

from karuba_adapters import Limits, Report, report_json, validate, validate_file
from karuba_adapters.corpus import ClusterFault, MissingExtra, validate_corpus
from karuba_adapters.corpus.cluster import _split
from karuba_adapters.corpus.files import pieces_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAMES = Path(__file__).parent.parent / "games"
SOUND = (GAMES / "sound" / "02-2p-stop-casual.jsonl").read_bytes()


@contextmanager
def cluster(**options: Any) -> Iterator[str]:  # noqa: ANN401 - those of LocalCluster
    with LocalCluster(dashboard_address="127.0.0.1:0", threads_per_worker=1, **options) as running:
        yield running.scheduler_address


@pytest.fixture(scope="module")
def threads() -> Iterator[str]:
    """Yield the address of a cluster in this process, which is quick to start and sees its memory."""
    with cluster(n_workers=2, processes=False) as address:
        yield address


def lines(reports: Iterable[Report]) -> list[bytes]:
    return [orjson.dumps(report_json(report)) for report in reports]


def serial(*files: Path) -> list[bytes]:
    return lines(report for file in files for report in validate_file(file))


def as_file(name: str, *logs: bytes) -> list[bytes]:
    """Return the right reports of rows, counted from 0."""
    rows = enumerate(logs)
    return lines(report for row, log in rows for report in validate(io.BytesIO(log), f"{name}#{row}"))


def told(url: str, **options: Any) -> list[tuple[str, str, str]]:  # noqa: ANN401 - those of validate_corpus
    """Return file, verdict and first message of each report."""
    return [
        (each.file, each.verdict, each.findings[0].message if each.findings else "")
        for each in validate_corpus([url], **options)
    ]


class Odd(fsspec.AbstractFileSystem):  # type: ignore[misc] # fsspec has no types
    """Local files, on a system that is not local; what lies beside a file says what becomes of its reader."""

    protocol = "odd"

    def info(self, path: str, **_: object) -> dict[str, object]:
        return {"name": path, "size": Path(path).stat().st_size, "type": "file"}

    def _open(self, path: str, **_: object) -> io.BytesIO:
        for death in Path(path).parent.glob(f"{Path(path).name}.death-*"):
            death.unlink()
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        return OddStream(path)


class OddStream(io.BytesIO):
    def __init__(self, path: str) -> None:
        super().__init__(Path(path).read_bytes())
        self.size = len(self.getvalue()) + Path(f"{path}.longer").exists()
        self._is_torn = Path(f"{path}.torn").exists()

    def read(self, size: int | None = -1, /) -> bytes:
        if self._is_torn and self.tell():
            raise KeyError("no such shard")
        return super().read(1000 if self._is_torn else size)


@pytest.fixture(autouse=True)
def _odd_files() -> None:
    fsspec.register_implementation("odd", Odd, clobber=True)


# What is said


def test_all_recorded_games_get_the_serial_reports_in_order(threads: str) -> None:
    files = sorted(GAMES.rglob("*.jsonl"))
    want = serial(*files)
    for part in (1, 100_000, 1 << 30):
        assert lines(validate_corpus(map(str, files), scheduler=threads, part=part)) == want


@pytest.mark.parametrize(
    "reading", [{"split": True}, {"keep_going": True}, {"limits": Limits(depth=64)}, {}], ids=str
)
def test_logs_are_read_as_asked(threads: str, tmp_path: Path, reading: Any) -> None:  # noqa: ANN401
    begun = b"".join(SOUND.splitlines(keepends=True)[:20])
    deep = begun.replace(b"}\n", b',"meta":' + b"[" * 70 + b"]" * 70 + b"}\n", 1)
    logs = [begun + SOUND, begun + b"x\ny\n" + SOUND, deep]
    pq.write_table(pa.table({"log": logs}), tmp_path / "a.parquet")
    (tmp_path / "b.jsonl").write_bytes(b"".join(logs))
    row_names = [str(tmp_path / f"a.parquet#{row}") for row in range(3)]
    want = [
        report
        for name, log in zip([*row_names, str(tmp_path / "b.jsonl")], [*logs, b"".join(logs)], strict=True)
        for report in validate(io.BytesIO(log), name, **reading)
    ]
    assert lines(validate_corpus([str(tmp_path)], scheduler=threads, **reading)) == lines(want)


def test_urls_are_taken_as_they_are_needed(threads: str, tmp_path: Path) -> None:
    path, taken = tmp_path / "a.jsonl", 0
    path.write_bytes(SOUND)

    def urls() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield str(path)

    reports = validate_corpus(urls(), scheduler=threads, part=1)
    assert [next(reports).verdict for _ in range(30)] == ["valid"] * 30
    assert taken < 60
    reports.close()  # type: ignore[attr-defined]


# Rows


@pytest.mark.parametrize(
    "kind",
    [pa.binary(), pa.large_binary(), pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())],
    ids=str,
)
def test_a_row_is_a_log_however_it_is_stored_and_cut(threads: str, tmp_path: Path, kind: pa.DataType) -> None:
    path = tmp_path / "a.parquet"
    broken = (GAMES / "broken" / "draw-1.jsonl").read_bytes()
    logs = [SOUND, broken, b"", SOUND + broken, "{é".encode(), SOUND, broken]
    table = pa.table(
        {"other": range(len(logs)), "log": pa.array(logs, pa.binary()).cast(pa.string()).cast(kind)}
    )
    pq.write_table(table, path, row_group_size=2)
    for part in (1, 1 << 30):
        assert lines(validate_corpus([str(path)], scheduler=threads, part=part)) == as_file(str(path), *logs)


def test_a_row_group_of_many_rows_is_counted_through(threads: str, tmp_path: Path) -> None:
    path, logs = tmp_path / "a.parquet", [b"%d" % number for number in range(200)]
    pq.write_table(pa.table({"game": logs}), path, row_group_size=150)
    found = lines(validate_corpus([str(path)], scheduler=threads, column="game"))
    assert found == as_file(str(path), *logs)


def test_text_that_is_no_utf_8_and_packed_logs_are_judged_in_rows_too(threads: str, tmp_path: Path) -> None:
    path, logs = tmp_path / "a.parquet", [b'{"\xff":1}', gzip.compress(SOUND)]
    ends = (0, len(logs[0]), len(logs[0]) + len(logs[1]))
    offsets = pa.py_buffer(b"".join(end.to_bytes(4, sys.byteorder) for end in ends))
    text = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"".join(logs)))
    pq.write_table(pa.table({"log": text}), path)
    assert lines(validate_corpus([str(path)], scheduler=threads)) == as_file(str(path), *logs)


def test_a_null_is_unread_and_the_rows_after_it_are_judged(threads: str, tmp_path: Path) -> None:
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"log": [None, SOUND]}), path)
    assert told(path, scheduler=threads) == [
        (f"{path}#0", "unread", 'cannot be read: the column "log" is null'),
        (f"{path}#1", "valid", ""),
    ]


@pytest.mark.parametrize("part", [1, 1 << 30])
def test_a_file_without_such_a_column_is_unread_once(threads: str, tmp_path: Path, part: int) -> None:
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"log": [1, 2, 3], "b": ["", "", ""]}), path, row_group_size=1)
    reason = 'cannot be read: expected one column "game", the columns are log, b'
    assert told(path, scheduler=threads, column="game", part=part) == [(path, "unread", reason)]
    reason = 'cannot be read: expected bytes or text in the column "log", it has int64'
    assert told(path, scheduler=threads, part=part) == [(path, "unread", reason)]


@pytest.mark.parametrize("part", [1, 1 << 30])
def test_what_is_no_parquet_is_unread_once(threads: str, tmp_path: Path, part: int) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(SOUND)
    [(file, verdict, message)] = told(str(path), scheduler=threads, part=part)
    assert (file, verdict) == (str(path), "unread")
    assert "arquet" in message
    assert "\n" not in message


@pytest.mark.parametrize("part", [1, 1 << 30])
def test_a_damaged_row_group_does_not_stop_the_next(threads: str, tmp_path: Path, part: int) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"log": [SOUND] * 4}), path, row_group_size=2, compression="zstd")
    chunk = pq.read_metadata(path).row_group(0).column(0)
    data = bytearray(path.read_bytes())
    end = chunk.dictionary_page_offset + chunk.total_compressed_size
    data[chunk.dictionary_page_offset + 40 : end] = bytes(end - chunk.dictionary_page_offset - 40)
    path.write_bytes(data)
    found = told(str(path), scheduler=threads, part=part)
    assert found[0][2].startswith("cannot be read: rows 0 to 1 are damaged: ")
    assert [each[:2] for each in found] == [
        (f"{path}#0", "unread"),
        (f"{path}#2", "valid"),
        (f"{path}#3", "valid"),
    ]


def test_a_large_parquet_file_is_cut_between_its_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    logs = [b"%d" % number * 50_000 for number in range(10)]  # nothing about logs here, but their sizes
    pq.write_table(pa.table({"log": logs}), path, row_group_size=1, compression=None, use_dictionary=False)
    [piece] = pieces_of(str(path))
    pieces = [*_split(piece, "log", 170_000)]
    assert [each.groups for each in pieces] == [range(first, first + 3) for first in (0, 3, 6)] + [
        range(9, 10)
    ]
    assert [*_split(piece, "log", 1 << 30)] == [piece]


# Where logs lie


def test_folders_and_patterns_stand_for_logs_by_name(threads: str, tmp_path: Path) -> None:
    plain = ["b.jsonl", "a/z.jsonl", "a/c/x.jsonl", "a-b/x.jsonl", "gg.jsonl/x.jsonl", ".h.jsonl"]
    for name in (*plain, "c.txt", "a/y.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(SOUND)
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress(SOUND))
    (tmp_path / "e.jsonl.zst").write_bytes(zstd.compress(SOUND))
    pq.write_table(pa.table({"log": [SOUND]}), tmp_path / "f.parquet")

    def named(url: str) -> str:
        found = told(url, scheduler=threads)
        assert {verdict for _, verdict, _ in found} == {"valid"}
        return " ".join(file.removeprefix(f"{tmp_path}/") for file, _, _ in found)

    everything = ".h.jsonl b.jsonl d.jsonl.gz e.jsonl.zst f.parquet#0"
    everything += " a/z.jsonl a/c/x.jsonl a-b/x.jsonl gg.jsonl/x.jsonl"
    assert named(str(tmp_path)) == everything
    assert named(f"{tmp_path}/**") == everything
    assert named(f"{tmp_path}/**/?.jsonl") == "a/c/x.jsonl a/z.jsonl a-b/x.jsonl b.jsonl gg.jsonl/x.jsonl"
    assert named(f"{tmp_path}/**/**/x.jsonl") == "a/c/x.jsonl a-b/x.jsonl gg.jsonl/x.jsonl"
    assert named(f"{tmp_path}/*.jsonl") == "b.jsonl gg.jsonl/x.jsonl"
    assert named(f"{tmp_path}/*/*") == "a/c/x.jsonl a/y.json a/z.jsonl a-b/x.jsonl gg.jsonl/x.jsonl"
    assert named(f"{tmp_path}/.*") == ".h.jsonl"


def test_names_are_those_that_the_user_gave(
    threads: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a[1]" / "b").mkdir(parents=True)
    (tmp_path / "a[1]" / "b" / "x.jsonl").write_bytes(SOUND)
    for url, name in {
        "a[1]": "a[1]/b/x.jsonl",
        "a[1]/": "a[1]/b/x.jsonl",
        "a[1]/b/x.jsonl": "a[1]/b/x.jsonl",
        "**/*.jsonl": "a[1]/b/x.jsonl",
        f"{tmp_path}/a*/b/*": f"{tmp_path}/a[1]/b/x.jsonl",
    }.items():
        assert told(url, scheduler=threads) == [(name, "valid", "")], url


def test_other_file_systems_are_read_too(threads: str, tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe({"/karuba/a.jsonl": SOUND, "/karuba/b/c.jsonl": gzip.compress(SOUND)})
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("in/a.jsonl", SOUND)
    stream = io.BytesIO()
    pq.write_table(pa.table({"log": [SOUND, SOUND]}), stream, row_group_size=1)
    memory.pipe("/karuba/d.parquet", stream.getvalue())
    names = ["a.jsonl", "d.parquet#0", "d.parquet#1", "b/c.jsonl"]
    want = [(f"memory://karuba/{name}", "valid", "") for name in names]
    assert told("memory://karuba", scheduler=threads) == want
    assert told("memory://karuba/*.parquet", scheduler=threads, part=1) == want[1:3]
    for url in ("zip://*/*.jsonl", "zip://in", "zip://in/a.jsonl"):
        found = told(f"{url}::{tmp_path}/z.zip", scheduler=threads)
        assert found == [(f"zip://in/a.jsonl::{tmp_path}/z.zip", "valid", "")]


def test_what_cannot_be_read_is_unread_and_stops_nothing(threads: str, tmp_path: Path) -> None:
    for name in ("sound", "torn", "longer"):
        (tmp_path / f"{name}.jsonl").write_bytes(SOUND)
        (tmp_path / f"{name}.jsonl.{name}").touch()
    urls = [f"odd://{tmp_path}/{name}.jsonl" for name in ("sound", "torn", "longer", "none")]
    found = [
        *validate_corpus(
            [*urls, "nowhere://a", f"{tmp_path}/no/*.jsonl", f"{tmp_path}/none.jsonl"], scheduler=threads
        )
    ]
    assert [report.verdict for report in found] == ["valid", *["unread"] * 6]
    torn, longer, none, *_ = found[1:]
    assert (torn.findings[0].line, torn.records) == (SOUND[:1000].count(b"\n") + 1, SOUND[:1000].count(b"\n"))
    assert "no such shard" in torn.findings[0].message
    assert longer.findings[0].message == "cannot be read: the file has become shorter while it was read"
    assert none.findings[0].message == "cannot be read: No such file or directory"
    assert lines(found[-1:]) == serial(tmp_path / "none.jsonl")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_nobody_waits_for_a_pipe_or_walks_in_circles(threads: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").symlink_to("a.jsonl")
    (tmp_path / "c.jsonl").symlink_to("none")
    (tmp_path / "d").symlink_to(tmp_path)
    no_file = "cannot be read: it is no regular file"
    gone = "cannot be read: No such file or directory"
    want = [("a.jsonl", no_file), ("b.jsonl", no_file), ("c.jsonl", gone)]
    for url in (str(tmp_path), f"{tmp_path}/*.jsonl", f"{tmp_path}/**/*.jsonl"):
        found = told(url, scheduler=threads)
        assert found == [(f"{tmp_path}/{name}", "unread", reason) for name, reason in want]
    [(_, _, message)] = told(f"{tmp_path}/d/../e*", scheduler=threads)
    assert message == "cannot be read: there is no such file, and nothing matches the pattern"
    (tmp_path / "empty").mkdir()
    [(file, _, message)] = told(f"{tmp_path}/empty", scheduler=threads)
    assert file == f"{tmp_path}/empty"
    assert message == "cannot be read: no *.jsonl, *.jsonl.gz, *.jsonl.zst or *.parquet lies below"


def test_a_folder_that_cannot_be_listed_is_told(
    threads: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("a/x.jsonl", "b/x.jsonl", "c/x.jsonl"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(SOUND)
    lists = LocalFileSystem.ls

    def ls(self: Any, path: str, **options: Any) -> Any:  # noqa: ANN401 - as fsspec has it
        if path == (tmp_path / "b").as_posix():
            raise PermissionError(13, "Permission denied", path)
        return lists(self, path, **options)

    monkeypatch.setattr(LocalFileSystem, "ls", ls)
    denied = (f"{tmp_path}/b", "unread", "cannot be read: Permission denied")
    sound = [(f"{tmp_path}/{name}/x.jsonl", "valid", "") for name in "ac"]
    assert told(str(tmp_path), scheduler=threads) == [sound[0], denied, sound[1]]
    assert told(f"{tmp_path}/*/*.jsonl", scheduler=threads) == [sound[0], denied, sound[1]]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such names")
def test_a_name_that_is_no_unicode_is_told_as_by_the_serial_run(threads: str, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.jsonl")
    path.write_bytes(SOUND)
    for url in (str(tmp_path), str(path), f"{tmp_path}/*"):
        assert lines(validate_corpus([url], scheduler=threads)) == serial(path)


# What becomes of the cluster


def test_killed_workers_change_nothing_until_one_part_kills_one_after_another(tmp_path: Path) -> None:
    files = sorted(GAMES.rglob("*.jsonl"))[:60]
    for number, file in enumerate(files):
        (tmp_path / f"{number:02}.jsonl").write_bytes(file.read_bytes())
    urls = [f"odd://{path}" for path in sorted(tmp_path.iterdir())]
    want = [
        report
        for url in urls
        for report in validate(io.BytesIO(Path(url.removeprefix("odd://")).read_bytes()), url)
    ]
    death = tmp_path / "31.jsonl.death-1"
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}), cluster(n_workers=3) as address:
        death.touch()
        assert lines(validate_corpus(urls, scheduler=address, part=100_000)) == lines(want)
        assert not death.exists()
        for number in (1, 2):
            (tmp_path / f"31.jsonl.death-{number}").touch()
        with pytest.raises(ClusterFault, match=r"2 workers, one after another, have died .* odd:///"):
            lines(validate_corpus(urls, scheduler=address, part=100_000))


def test_a_cluster_that_is_not_there_goes_away_or_has_no_workers_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("karuba_adapters.corpus.cluster._PATIENCE", 0.1)
    with cluster(n_workers=0, processes=False) as address, pytest.raises(ClusterFault, match="no worker"):
        next(validate_corpus(["a"], scheduler=address))
    with dask.config.set({"distributed.comm.timeouts.connect": "100ms"}):
        with cluster(n_workers=1, processes=False) as address:
            reports = validate_corpus(["a"] * 50, scheduler=address, part=1)
            next(reports)
        with pytest.raises(ClusterFault, match="the scheduler is gone"):
            list(reports)
        for address in ("tcp://127.0.0.1:1", "nowhere", "nowhere://a"):
            with pytest.raises(ClusterFault, match="no cluster at"):
                next(validate_corpus(["a"], scheduler=address))


ABANDONED = """
from distributed import LocalCluster
from karuba_adapters.corpus import validate_corpus
with LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster:
    reports = validate_corpus(["none"] * 50, scheduler=cluster.scheduler_address, part=1)
    next(reports)
    raise SystemExit(7)
"""


def test_a_program_that_takes_no_more_reports_ends() -> None:
    assert subprocess.run([sys.executable, "-c", ABANDONED], check=False, timeout=30).returncode == 7


@pytest.mark.parametrize("name", ["distributed", "fsspec", "pyarrow.parquet"])
def test_a_missing_extra_is_told_at_once(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=r"pip install 'karuba-kernel\[dask\]'"):
        validate_corpus([])
