"""What any bytes may be given to: each harness raises only where the product is at fault.

A harness takes bytes and returns nothing. Refusals are values to the readers (findings, faults, answers
that are errors); an exception that none of them promises comes out, and so does a broken promise.
"""

import gzip
import io
import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import orjson
from attrs import evolve

from karuba_adapters import Fault, Finding, LogWriter, Report, Right, encode, report_formats, validate
from karuba_adapters.explanations import explanations
from karuba_adapters.foreign import read_foreign
from karuba_adapters.implied import Implication, with_implied
from karuba_adapters.judging import Reader
from karuba_adapters.limits import Limits
from karuba_adapters.log_files import read_line
from karuba_adapters.mapping import WrongMapping, read_mapping
from karuba_adapters.normalising import NormalWriter
from karuba_adapters.packed import is_packed
from karuba_adapters.plain_text import printable
from karuba_adapters.recovering import TORN, recover
from karuba_adapters.referee import answer
from karuba_adapters.strict_json import _read_strictly, loads
from karuba_cli.conversion import Conversion, Kind, messages_of
from karuba_cli.convert import _reader
from karuba_core import Collect, Game, GameStarted, Pass, settle
from tests import naive_judge

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Harness = Callable[[bytes], None]

HARNESSES: Final[dict[str, Harness]] = {}
"""All harnesses by their names."""

MAPPING_ENDS: Final = b"\n#####\n"
"""Stands between a mapping file and the foreign records in the bytes of `foreign`."""

NAME: Final = "\x1b[2J\u202e\x9b\n%0A::'\"<&>]]>.jsonl"
"""The file that the bytes are said to come from; its name would do something to a terminal."""

_PLAIN: Final = Limits(unpacked=None)


def harness(function: Harness) -> Harness:
    """Keep a harness by its name."""
    HARNESSES[function.__name__] = function
    return function


# Logs


@harness
def log(data: bytes) -> None:
    """A stream of logs, read in every way: all reports are sound, and the ways agree."""
    plain = judged(data)
    kept_on = judged(data, keep_going=True)
    split = judged(data, split=True)
    for reports in (plain, kept_on, split, judged(data, split=True, keep_going=True)):
        check_reports(reports)
    for one, other in zip(plain, kept_on, strict=True):
        assert evolve(one, findings=()) == evolve(other, findings=())
        assert {*one.findings} <= {*other.findings}
        assert one.findings[:1] == other.findings[:1]
    if plain[-1].verdict != "unread":
        check_slices(data, plain, split=False)
        check_slices(data, split, split=True)


@harness
def packed(data: bytes) -> None:
    """The same bytes as they stand, packed, and packed and then cut off."""
    reports = judged(data, limits=_PLAIN)
    check_reports(reports)
    for archive in (gzip.compress(data, 1, mtime=0), zstd.compress(data, 1)):
        assert judged(archive) == reports
        cut = judged(archive[: len(data) % len(archive)])
        check_reports(cut)
        assert cut[-1].verdict in ("unread", "invalid")
    check_reports(judged(data))


@harness
def archive(data: bytes) -> None:
    """An archive, sound or damaged: it is read like any stream, up to its damage."""
    reports = judged(data)
    check_reports(reports)
    for other in (judged(data, keep_going=True), judged(data, split=True)):
        assert (other[-1].verdict == "unread") == (reports[-1].verdict == "unread")


@harness
def judges(data: bytes) -> None:
    """The verdict and the line of the first log are those of the naive judge."""
    if is_packed(data):
        return
    report, *others = judged(data)
    try:
        verdict, line = naive_judge.judge(data)
    except NotImplementedError:  # it reads no second log
        lines = data.split(b"\n")[: others[0].first_line - 1]
        verdict, line = naive_judge.judge(b"\n".join(lines) + b"\n")
    assert (report.verdict, report.findings[0].line if report.findings else 0) == (verdict, line)


def judged(data: bytes, observe: Any = None, **reading: Any) -> list[Report]:  # noqa: ANN401 - passed on
    return [*validate(io.BytesIO(data), NAME, observe, **reading)]


def check_reports(reports: Sequence[Report]) -> None:
    """Hold reports to what their class says of them, and write them in every format."""
    assert reports
    for number, report in enumerate(reports, start=1):
        assert report.log == number
        assert report.first_line >= 1
        assert report.first_line <= report.last_line or (report.verdict == "unread" and not report.records)
        assert bool(report.findings) == (report.verdict in ("invalid", "unread"))
        assert (report.due is None) or report.records
        assert [*report.findings] == sorted(report.findings, key=lambda finding: finding.line)
        for finding in report.findings:
            check_finding(report, finding)
    lines = [report.first_line for report in reports]
    assert lines == sorted({*lines})
    assert all(report.verdict != "unread" for report in reports[:-1])
    check_formats(reports)


def check_finding(report: Report, finding: Finding) -> None:
    told = explanations()[finding.code]
    assert finding.rule in {text.rule for text in told.rules}, finding
    assert finding.line >= report.first_line
    assert finding.path.startswith("$")
    assert finding.message
    assert (report.verdict == "unread") or finding.code != "log/unreadable"


def check_formats(reports: Iterable[Report]) -> None:
    """Nothing that a log says breaks out of a format."""
    reports = [*reports]
    for line in report_formats.text_lines(reports):
        assert line.isprintable(), line
    count = sum(len(report.findings) for report in reports)
    assert len([json.loads(line) for line in report_formats.json_lines(reports)]) == len(reports)
    notes = b"".join(report_formats.github_annotations(reports)).decode()
    assert notes.replace("\n", "").isprintable()
    assert notes.count("\n") == count
    document = orjson.loads(b"".join(report_formats.sarif(reports, "1.0")))
    assert len(document["runs"][0]["results"]) == count
    cases = ET.fromstring(b"".join(report_formats.junit(reports)))  # noqa: S314 - our own
    assert len([*cases.iter("testcase")]) == len(reports)


def check_slices(data: bytes, reports: Sequence[Report], *, split: bool) -> None:
    """Each log alone gets what it got among the others."""
    lines = data.split(b"\n")
    starts = [report.first_line - 1 for report in reports]
    for report, start, stop in zip(reports, starts, [*starts[1:], len(lines)], strict=True):
        text = b"\n".join(lines[start:stop]) + (b"\n" if stop < len(lines) else b"")
        alone = judged(text, limits=_PLAIN, split=split)
        assert len(alone) == 1
        assert (alone[0].verdict, alone[0].records) == (report.verdict, report.records)
        told = [evolve(finding, line=finding.line + start) for finding in alone[0].findings]
        assert [placed(finding) for finding in told] == [placed(finding) for finding in report.findings]


def placed(finding: Finding) -> tuple[int, str, str]:
    return finding.line, finding.path, finding.code


# Lines


@harness
def line(data: bytes) -> None:
    """A line: a message that can be written and read again, or a fault; the short way is as strict."""
    assert outcome(lambda: loads(data)) == outcome(lambda: _read_strictly(data))
    try:
        message, meta = read_line(data)
    except Fault as fault:
        for reason in fault.faults:
            told = explanations()[reason.code]
            assert reason.rule in {text.rule for text in told.rules}, reason
            assert printable(reason.message).isprintable()
        return
    again = encode(message, meta)
    assert read_line(again) == (message, meta)
    assert encode(*read_line(again)) == again


def outcome(read: Callable[[], object]) -> str:
    try:
        return repr(read())  # which tells 1 from 1.0 and true
    except Fault as fault:
        return fault.faults[0].code


# The referee


@harness
def referee(data: bytes) -> None:
    """A request: one line of JSON with its id, the same each time."""
    said = answer(data)
    assert said == answer(data)
    assert said.endswith(b"\n")
    assert said.count(b"\n") == 1
    told = json.loads(said)
    kinds = {"error", "code", "events", "legal", "state", "verdict"}
    assert told.keys() & kinds, told
    try:
        request = loads(data, Limits(line=1 << 22))
    except Fault:
        assert told["id"] is None
        assert "error" in told
        return
    assert told["id"] == (request.get("id") if isinstance(request, dict) else None)
    for command in told.get("legal", ()):
        asked = {"id": 1, "given": request["given"], "when": command}  # type: ignore[index]  # it was answered
        assert "events" in json.loads(answer(orjson.dumps(asked)))
        break


# Foreign logs


@harness
def foreign(data: bytes) -> None:
    """A mapping file and foreign records: what is written of them is a right log of commands."""
    text, _, records = data.partition(MAPPING_ENDS)
    try:
        shape = read_mapping(text.decode())
    except (WrongMapping, UnicodeDecodeError):
        return  # of a file that is no text `karuba convert` tells itself

    def read(stream: Any) -> Iterator[Any]:  # noqa: ANN401 - a stream
        return read_foreign(stream, shape)

    def read_more(stream: Any) -> Iterator[Any]:  # noqa: ANN401 - a stream
        return with_implied(read(stream), Implication(passes=True, collects=True))

    for way in (read, read_more):
        check_conversion(records, way)


# Conversions


@harness
def convert(data: bytes) -> None:
    """A log, converted to each kind and normalised: the same game, and what is written is right."""
    check_conversion(data, _reader(None, Implication(passes=False, collects=False)))


@harness
def implied(data: bytes) -> None:
    """A log of commands that leaves out what its program did by itself."""
    check_conversion(data, _reader(None, Implication(passes=True, collects=True)))


def check_conversion(data: bytes, read: Reader) -> None:
    rights: list[Right] = []
    reports = judged(data, observe=rights.append, read=read)
    last = final_games(rights)
    games = [settle(game).game for game in last]  # commands leave out what is due
    for kind in (Kind.EVENTS, Kind.COMMANDS):
        for writer_of in (LogWriter, NormalWriter):
            written = io.BytesIO()
            writer = writer_of(written.write)
            conversion = Conversion("-", kind, writer, drop_meta=True, mark_implied=True)
            for report in validate(io.BytesIO(data), observe=conversion.take, read=read):
                conversion.end(report)
            if isinstance(writer, NormalWriter):
                writer.flush()
            again: list[Right] = []
            found = judged(written.getvalue(), observe=again.append, limits=_PLAIN)
            assert [settle(game).game for game in final_games(again)] == games
            if games:
                ends = games if kind is Kind.COMMANDS else last
                assert [report.verdict for report in found] == [
                    "valid" if game.phase == "over" else "incomplete" for game in ends
                ]
            if writer_of is LogWriter:
                asked = [m for right in rights for m in messages_of(right, kind)]
                assert [right.message for right in again if right.message.name != "seal"] == [
                    m for m in asked if m.name != "seal"
                ]
    assert any(report.findings for report in reports) or all(
        isinstance(right.message, Pass | Collect) or right.text for right in rights
    )


def final_games(rights: Iterable[Right]) -> list[Game]:
    """Return the game of each log after its last right record."""
    games: list[Game] = []
    for right in rights:
        if isinstance(right.message, GameStarted):
            games.append(right.step.game)
        games[-1] = right.step.game
    return games


# Recovery


@harness
def recovery(data: bytes) -> None:
    """A file: it stays as it is, or becomes right; no byte is lost, and it is mended once."""
    with TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder) / "a.jsonl"
        path.write_bytes(data)
        wanted = recover(path, dry_run=True)
        assert path.read_bytes() == data
        done = recover(path)
        assert (done.kept, done.torn, done.lacks_end, done.due) == (
            *(wanted.kept, wanted.torn, wanted.lacks_end, wanted.due),
        )
        after = path.read_bytes()
        if done.is_refused or not done.is_needed:
            assert after == data
            assert {entry.name for entry in path.parent.iterdir()} <= {"a.jsonl", "a.jsonl.lock"}
            return
        assert after.startswith(data[: done.kept])
        if done.torn:
            assert done.saved is not None
            assert data[: done.kept] + done.saved.read_bytes() == data
            assert done.report.findings[0].code in TORN
        else:
            assert data[: done.kept] == data
        reports = judged(after)
        assert not any(report.findings for report in reports)
        assert reports[-1].due is None
        assert not recover(path).is_needed


def _memory() -> str | None:
    """Return a folder in memory, where there is one: a recovery waits for the disk."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a new folder of random name
