"""A cache of verdicts tells what the judge would tell, or nothing."""

import io
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from karuba_adapters import Limits, Report, judged_cache, known_files, validate, validate_file
from karuba_adapters.judged_cache import Cache, NoCache
from karuba_adapters.known_files import Keeper, digest_of, validate_cached

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "02-2p-stop-casual.jsonl"
LOGS = [
    SOUND,
    *sorted(GAMES.glob("broken/*"))[:20],
    *sorted(GAMES.glob("unfinished/*")),
    *sorted(GAMES.glob("commands/*"))[:1],
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_bytes(SOUND.read_bytes() + b"nope\n")
    return path


def filled(path: Path, *logs: Path, **reading: Any) -> None:  # noqa: ANN401 - as `validate` takes it
    with closing(Cache(path, **reading)) as known:
        for log in logs:
            assert [*validate_cached(str(log), known, **reading)] == [*validate_file(log, **reading)]
        assert known.trouble is None


def found(path: Path, log: Path, **reading: Any) -> list[Report] | None:  # noqa: ANN401 - as `validate` takes it
    digest = digest_of(str(log))
    assert digest is not None
    with closing(Cache(path, **reading)) as known:
        reports = known.find(digest, str(log))
        assert known.trouble is None
        return reports


def test_what_was_kept_is_the_same(path: Path) -> None:
    filled(path, *LOGS)

    for log in LOGS:
        assert found(path, log) == [*validate_file(log)]


def test_what_is_known_is_not_judged(path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [*validate_file(log)]
    filled(path, log)
    monkeypatch.setattr(known_files, "validate", None)
    with closing(Cache(path)) as known:
        assert [*validate_cached(str(log), known)] == expected


def test_a_file_is_known_by_its_bytes_not_by_its_name(path: Path, log: Path) -> None:
    filled(path, log)
    other = log.with_name("b.jsonl")
    other.write_bytes(log.read_bytes())
    log.write_bytes(log.read_bytes() + b"\n")

    assert found(path, other) == [evolve(report, file=str(other)) for report in validate_file(other)]
    assert found(path, log) is None


READINGS: list[dict[str, Any]] = [
    {},
    {"split": True},
    {"keep_going": True},
    {"limits": Limits(depth=64)},
    {"limits": Limits(line=1 << 21)},
    {"limits": Limits(digits=1 << 21)},
    {"limits": Limits(records=1000)},
    {"limits": Limits(unpacked=None)},
]


@pytest.mark.parametrize("reading", READINGS)
def test_what_was_read_otherwise_is_not_known(path: Path, log: Path, reading: dict[str, Any]) -> None:
    filled(path, log, **reading)

    assert [other for other in READINGS if found(path, log, **other) is not None] == [reading]


def test_what_is_read_as_always_is_known_however_that_is_said(path: Path, log: Path) -> None:
    filled(path, log)
    assert found(path, log, limits=Limits(), split=False, keep_going=False) is not None


def test_what_another_judge_said_is_not_known(path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = []
    for code in b"1", b"2", b"1":
        monkeypatch.setattr(judged_cache, "_contents", lambda name, _, code=code: [(name, code)])
        judged_cache._judge_digest.cache_clear()
        known.append(found(path, log) is not None)
        filled(path, log)
    judged_cache._judge_digest.cache_clear()

    assert known == [False, False, True]


@pytest.mark.parametrize("part", ["karuba_core", "karuba_adapters"])
def test_each_package_that_judges_counts(
    path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    filled(path, log)
    contents = judged_cache._contents

    def changed(name: str, place: Any) -> Iterator[tuple[str, bytes]]:  # noqa: ANN401 - passed on
        return iter([(name, b"")]) if name == part else contents(name, place)

    monkeypatch.setattr(judged_cache, "_contents", changed)
    judged_cache._judge_digest.cache_clear()
    assert found(path, log) is None
    judged_cache._judge_digest.cache_clear()


@pytest.mark.parametrize("other", ["attrs", "backports.zstd", "cattrs", "orjson", None])
def test_what_the_judge_stands_on_counts(
    path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, other: str | None
) -> None:
    filled(path, log)
    version = judged_cache._version
    with monkeypatch.context() as patch:
        if other is None:
            patch.setattr("platform.python_version", str)
        patch.setattr(judged_cache, "_version", lambda name: "0" if name == other else version(name))
        judged_cache._judge_digest.cache_clear()
        assert found(path, log) is None
    judged_cache._judge_digest.cache_clear()


def test_all_code_that_judges_counts() -> None:
    from importlib.resources import files  # noqa: PLC0415 - as the cache does

    names = {
        name
        for part in ("karuba_core", "karuba_adapters")
        for name, _ in judged_cache._contents(part, files(part))
    }
    root = Path(__file__).parents[2]
    there = {f"karuba_core/{path.name}" for path in (root / "karuba_core").glob("*.py")}
    there |= {f"karuba_adapters/{path.name}" for path in (root / "adapters" / "karuba_adapters").glob("*.*")}
    assert names >= there
    assert not any("__pycache__" in name for name in names)


# What is not kept


def test_a_file_that_could_not_be_read_to_its_end_is_not_kept(path: Path, tmp_path: Path) -> None:
    import gzip  # noqa: PLC0415 - once

    log = tmp_path / "cut.gz"
    log.write_bytes(gzip.compress(SOUND.read_bytes())[:-9])
    filled(path, log, tmp_path / "missing", tmp_path)
    assert found(path, log) is None


def test_a_file_that_changes_is_kept_as_it_was_judged(
    path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look for it in the cache and the judging, it became another."""
    before = log.read_bytes()
    later = SOUND.read_bytes()
    own = Cache.find

    def changing(known: Cache, digest: bytes, file: str) -> list[Report] | None:
        log.write_bytes(later)
        return own(known, digest, file)

    with monkeypatch.context() as patch, closing(Cache(path)) as known:
        patch.setattr(Cache, "find", changing)
        assert [report.verdict for report in validate_cached(str(log), known)] == ["valid"]
    assert [report.verdict for report in found(path, log) or ()] == ["valid"]
    log.write_bytes(before)
    assert found(path, log) is None


def test_whoever_stops_halfway_keeps_nothing(path: Path, tmp_path: Path) -> None:
    log = tmp_path / "long.jsonl"
    log.write_bytes(SOUND.read_bytes() * 20)
    with closing(Cache(path)) as known:
        next(validate_cached(str(log), known))
    assert found(path, log) is None


def test_what_was_said_of_half_a_file_is_not_kept(path: Path, log: Path) -> None:
    with closing(Cache(path)) as known:
        keeper = Keeper(known, str(log))
        with keeper.stream as stream:
            half = io.BytesIO(stream.read1(1000))
            assert [*keeper.over(validate(half, "x"))]
        keeper.keep()
        known.flush()
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("SELECT count(*) FROM judged").fetchone() == (0,)


def test_very_many_findings_are_not_kept(path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for most in 1, 2:
        monkeypatch.setattr(known_files, "_MOST", most)
        filled(path, log)
        assert (found(path, log) is not None) == (most == 2)


# Files that are no cache, or a bad one


@pytest.mark.parametrize(
    "content",
    [b"x", b"x" * 511, b"x" * 512, b"nope\n" * 1000, SOUND.read_bytes(), b"SQLite format 3\0" + b"x" * 5000],
)
def test_another_file_is_no_cache_and_stays(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(NoCache):
        Cache(path)
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_no_cache_and_stays(path: Path) -> None:
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE judged (key BLOB PRIMARY KEY, reports BLOB NOT NULL) WITHOUT ROWID")
    content = path.read_bytes()
    with pytest.raises(NoCache):
        Cache(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE judged SET reports = replace(reports, 'invalid', 'valid')",
        "UPDATE judged SET reports = CAST(replace(CAST(reports AS TEXT), 'invalid', 'valid') AS BLOB)",
        "UPDATE judged SET reports = substr(reports, 1, 100)",
        "UPDATE judged SET reports = x''",
        "UPDATE judged SET reports = 7",
        "DELETE FROM judged",
    ],
)
def test_a_row_that_was_changed_is_not_known_and_is_put_right(path: Path, log: Path, change: str) -> None:
    filled(path, log)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute(change)
    assert found(path, log) is None
    filled(path, log)
    assert found(path, log) is not None


def test_a_row_of_another_file_is_not_known(path: Path, log: Path) -> None:
    filled(path, log)
    filled(path, SOUND)
    with closing(sqlite3.connect(path)) as base, base:
        one, two = base.execute("SELECT reports FROM judged")
        base.execute("UPDATE judged SET reports = CASE reports WHEN ? THEN ? ELSE ? END", (*one, *two, *one))
    assert found(path, log) is None


def test_a_cache_that_cannot_be_opened_is_told_and_done_without(path: Path, log: Path) -> None:
    with closing(Cache(path / "no" / "cache")) as known:
        assert [*validate_cached(str(log), known)] == [*validate_file(log)]
        assert known.trouble == "unable to open database file"


@pytest.mark.parametrize("statement", ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
def test_a_cache_that_is_locked_is_told_and_done_without(
    path: Path, log: Path, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judged_cache, "_PATIENCE", 0.01)
    filled(path, SOUND)
    with closing(sqlite3.connect(path)) as other:
        other.execute(statement)
        with closing(Cache(path)) as known:
            assert [*validate_cached(str(log), known)] == [*validate_file(log)]
            known.flush()
            assert known.trouble == "database is locked"
            # Who writes, locks out who writes, not who reads.
            assert (known.find(digest_of(str(SOUND)) or b"", "x") is None) == (statement == "BEGIN EXCLUSIVE")
    filled(path, log)


def test_a_cache_that_lies_under_a_name_of_sqlite_is_a_file(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    filled(Path(":memory:"), log)
    assert found(Path(":memory:"), log) is not None


def test_several_may_write_one_cache(path: Path, log: Path) -> None:
    with closing(Cache(path)) as one, closing(Cache(path)) as two:
        for known, name in ((one, log), (two, SOUND)):
            for _ in validate_cached(str(name), known):
                pass
        one.flush()
        two.flush()
        assert (one.trouble, two.trouble) == (None, None)
    assert found(path, log)
    assert found(path, SOUND)


# What lies beside it


@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_a_file_that_the_library_would_remove_is_left_alone(path: Path, end: str) -> None:
    beside = path.with_name(path.name + end)
    beside.write_bytes(b"precious")
    with pytest.raises(NoCache):
        Cache(path)
    assert (beside.read_bytes(), path.exists()) == (b"precious", False)


def test_an_empty_database_of_another_program_is_not_taken_over(path: Path) -> None:
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA application_id = 99")
        base.commit()
    before = path.read_bytes()
    with pytest.raises(NoCache):
        Cache(path)
    assert path.read_bytes() == before


def test_a_row_of_nothing_is_no_row(path: Path, log: Path) -> None:
    filled(path, log)
    with closing(sqlite3.connect(path)) as base:
        base.execute("ALTER TABLE judged RENAME TO old")
        base.execute("CREATE TABLE judged (key BLOB PRIMARY KEY, reports)")
        base.execute("INSERT INTO judged SELECT key, NULL FROM old")
        base.commit()
    assert found(path, log) is None
