"""Packed logs are judged as what they hold, and no archive uses up memory or is half believed."""

import gzip
import io
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from karuba_adapters import Report, read_events, validate, validate_file
from karuba_adapters.limits import Limits
from karuba_adapters.log_files import numbered_lines
from karuba_adapters.packed import is_packed, unpacked
from karuba_adapters.referee import answer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAMES = Path(__file__).parents[1] / "games"
LOG = (GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes()
LINES = LOG.splitlines(keepends=True)
FAULTY = b"".join(LINES[:9]) + b"nope\n" + b"".join(LINES[9:])
SOME = b"".join(LINES[:40])
MIB = 1 << 20

Pack = Callable[[bytes], bytes]


def gzipped(data: bytes) -> bytes:
    """Return an archive that shows each twenty lines before the next come, as of a game that is played."""
    packer = zlib.compressobj(wbits=31)
    pieces = [packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) for piece in twenties(data)]
    return b"".join([*pieces, packer.flush()])


def zstandard(data: bytes) -> bytes:
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.checksum_flag: 1})
    pieces = [packer.compress(piece, packer.FLUSH_BLOCK) for piece in twenties(data)]
    return b"".join([*pieces, packer.flush()])


def twenties(data: bytes) -> list[bytes]:
    lines = data.splitlines(keepends=True)
    return [b"".join(lines[start : start + 20]) for start in range(0, len(lines), 20)]


PACKS: list[Pack] = [gzipped, zstandard]
both = pytest.mark.parametrize("pack", PACKS, ids=["gzip", "zstd"])


class Pieces(io.RawIOBase):
    """A stream that gives no more than some bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__()
        self._data = io.BytesIO(data)
        self._size = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]  # narrower
        piece = self._data.read(min(len(buffer), self._size))
        buffer[: len(piece)] = piece
        return len(piece)


def judged(data: bytes, limits: Limits | None = None) -> list[Report]:
    return [*validate(io.BytesIO(data), limits=limits or Limits())]


def told(data: bytes, limits: Limits | None = None) -> list[tuple[str, int, str]]:
    """Return the verdict, the number of records and the last message of each log."""
    return [
        (report.verdict, report.records, report.findings[-1].message if report.findings else "")
        for report in judged(data, limits)
    ]


@both
@pytest.mark.parametrize(
    "data", [LOG, FAULTY, SOME, LOG * 3 + SOME, SOME * 2, b"", b"\n", b"\xff", LOG + b"\n"], ids=len
)
def test_a_packed_log_is_judged_as_what_it_holds(pack: Pack, data: bytes) -> None:
    """F-FILE-2: what is judged is what it unpacks to."""
    """F-FILE-2, whatever it holds."""
    assert is_packed(pack(data))
    assert judged(pack(data)) == judged(data)


@both
def test_a_packed_file_is_known_by_its_content(pack: Pack, tmp_path: Path) -> None:
    plain, packed = tmp_path / "plain.jsonl.gz", tmp_path / "packed.jsonl"
    plain.write_bytes(LOG + SOME)
    packed.write_bytes(pack(LOG + SOME))

    found = [evolve(report, file="") for report in validate_file(packed)]
    assert found == [evolve(report, file="") for report in validate_file(plain)]
    assert [report.verdict for report in found] == ["valid", "incomplete"]


@settings(max_examples=40, deadline=None)
@given(
    data=st.sampled_from([LOG, FAULTY, LOG + SOME]),
    size=st.integers(8, 400) | st.integers(1000, 100_000),
    cuts=st.lists(st.integers(0, len(LOG)), max_size=4),
    packs=st.lists(st.sampled_from(PACKS), min_size=1, max_size=1) | st.none(),
)
def test_in_whatever_pieces_a_log_comes_it_is_the_same(
    data: bytes, size: int, cuts: list[int], packs: list[Pack] | None
) -> None:
    """Pieces of a stream, and archives of pieces one after another."""
    ends = [0, *sorted(cuts), len(data)]
    parts = [data[start:end] for start, end in pairwise(ends)]
    whole = b"".join(packs[0](part) for part in parts) if packs else data

    assert [*validate(io.BufferedReader(Pieces(whole, size)))] == judged(data)
    assert [*validate(io.BufferedReader(Pieces(whole, size), 50))] == judged(data)


def test_frames_to_skip_may_stand_before_and_between() -> None:
    skipped = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"notes"

    assert is_packed(skipped)
    assert judged(skipped + zstandard(SOME) + skipped + zstandard(LOG[len(SOME) :])) == judged(LOG)


def test_zeros_may_follow_gzip_as_on_a_tape() -> None:
    assert judged(gzip.compress(LOG) + bytes(1000)) == judged(LOG)


def test_what_could_be_a_log_is_never_packed() -> None:
    for first in (b"", b"{", LOG, b"\x1f", b"\x1f\x8b", b"\x28\xb5\x2f", b"P*M", b"BZh9", b"PK\x03\x04"):
        assert not is_packed(first)
    for kind in range(16):
        assert is_packed(bytes([0x50 + kind, 0x2A, 0x4D, 0x18]))
    assert not is_packed(b"\x60\x2a\x4d\x18")
    assert not is_packed(b"\x4f\x2a\x4d\x18")


# What cannot be unpacked


@both
@pytest.mark.parametrize("kept", [0.999, 0.7, 0.3])
def test_of_a_log_that_is_cut_off_all_that_is_there_is_judged(pack: Pack, kept: float) -> None:
    data = b"".join(LINES[:-1])  # so that it does not end before
    archive = pack(data)
    ((verdict, records, message),) = told(archive[: int(len(archive) * kept)])

    assert (verdict, message) == ("unread", "cannot be read: the archive is cut off")
    assert abs(records - kept * len(LINES)) < 30
    assert judged(archive[: int(len(archive) * kept)])[0].findings[-1].line == records + 1


@both
def test_a_fault_before_the_cut_is_told_too(pack: Pack) -> None:
    (report,) = judged(pack(FAULTY)[:-20])

    assert report.verdict == "unread"
    assert [finding.code for finding in report.findings] == ["text/not-json", "log/unreadable"]


@both
def test_a_log_that_was_whole_before_is_judged_if_another_has_begun(pack: Pack) -> None:
    for archive, message in (
        (pack(LOG) + pack(SOME)[:-20], "the archive is cut off"),
        (pack(LOG) * 2 + b"garbage", "the archive is damaged: "),
        (
            pack(LOG) * 2 + b"\n",
            "the archive is ",
        ),  # gzip cannot tell it from the beginning of another archive
    ):
        first, second = told(archive)
        assert first == ("valid", len(LINES), "")
        assert second[0] == "unread"
        assert second[2].startswith(f"cannot be read: {message}")


@both
def test_a_game_is_not_valid_where_its_archive_is_not(pack: Pack) -> None:
    archive = bytearray(pack(LOG))
    archive[-2] ^= 1
    ((verdict, _, message),) = told(bytes(archive))
    assert verdict == "unread"
    assert message.startswith("cannot be read: the archive is damaged: ")


@both
def test_a_changed_byte_is_told(pack: Pack) -> None:
    archive = bytearray(pack(b"".join(LINES[:-1])))
    archive[-2] ^= 1  # of the length, or of the checksum, that ends it
    ((verdict, _, message),) = told(bytes(archive))

    assert verdict == "unread"
    assert message.startswith("cannot be read: the archive is damaged: ")


@settings(max_examples=200, deadline=None)
@given(
    pack=st.sampled_from(PACKS),
    place=st.integers(3, 10_000),
    new=st.binary(max_size=4),
    gone=st.integers(0, 4),
)
def test_any_damage_gives_reports(pack: Pack, place: int, new: bytes, gone: int) -> None:
    archive = pack(LOG)
    place %= len(archive)
    found = judged(archive[:place] + new + archive[place + gone :])

    assert found
    assert {report.verdict for report in found} <= {"valid", "incomplete", "invalid", "unread"}


def test_an_archive_in_an_archive_is_no_log() -> None:
    (report,) = judged(gzip.compress(gzip.compress(LOG)))

    assert [finding.code for finding in report.findings] == ["text/not-utf8"]


def test_a_stream_that_fails_is_not_blamed_on_the_archive() -> None:
    class Failing(io.BytesIO):
        def read1(self, _size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    (report,) = validate(Failing(gzip.compress(SOME)[:5] + b"\n" + gzip.compress(SOME)))
    assert report.findings[-1].message == "cannot be read: Input/output error"


# Traps


@pytest.mark.parametrize("piece", [b" ", b"." * 999 + b"\n"], ids=["one-line", "many-lines"])
@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress], ids=["gzip", "zstd"])
def test_a_bomb_ends_at_the_limit(pack: Pack, piece: bytes) -> None:
    archive = pack(SOME + piece * (16 * MIB // len(piece)))
    limits = Limits(unpacked=4 * MIB)
    assert len(archive) < 100_000

    numbered = numbered_lines(io.BytesIO(archive), unpack=limits.unpacked)
    tracemalloc.start()
    try:
        (report,) = validate(io.BytesIO(archive), limits=limits)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert next(numbered) == (1, LINES[0])
    assert (report.verdict, report.records) == ("unread", 40)
    assert report.findings[-1].message == (
        f"cannot be read: it unpacks to more than {4 * MIB} bytes, the most that are read"
    )
    assert peak < 8 * MIB


@both
def test_what_fits_exactly_is_read(pack: Pack) -> None:
    data = LOG * (MIB // len(LOG)) + SOME
    exact, more = data.ljust(MIB), data.ljust(MIB + 1)

    assert told(pack(exact), Limits(unpacked=MIB)) == told(exact)
    assert told(pack(more), Limits(unpacked=MIB))[-1][0] == "unread"
    assert told(pack(more), Limits(unpacked=MIB + 1)) == told(more)


@pytest.mark.parametrize("more", [0, 1, 70, 5000])
@both
def test_all_lines_below_the_limit_are_judged(pack: Pack, more: int) -> None:
    data = LOG * (2 * MIB // len(LOG))
    found = told(pack(data), Limits(unpacked=MIB + more))

    assert found[-1][0] == "unread"
    assert sum(records for _, records, _ in found) == data[: MIB + more].count(b"\n")


def test_what_is_unpacked_comes_while_more_is_awaited() -> None:
    """A log that is packed and sent while it is played is read as far as it was sent."""

    class Waiting(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(size) or pytest.fail("more was read than was needed")

    packer = zlib.compressobj(wbits=31)
    sent = packer.compress(SOME) + packer.flush(zlib.Z_SYNC_FLUSH)
    stream = unpacked(sent[:10], Waiting(sent[10:]), MIB)

    assert stream.readline() == LINES[0]


# Where else logs are read


@both
def test_events_are_read_from_packed_logs(pack: Pack) -> None:
    assert [*read_events(io.BytesIO(pack(LOG)))] == [*read_events(io.BytesIO(LOG))]


def test_a_packed_stream_may_be_left_as_it_is() -> None:
    (report,) = judged(gzip.compress(LOG)[:50], Limits(unpacked=None))

    assert [finding.code for finding in report.findings] == ["text/not-utf8"]
    assert b"text/not-utf8" in answer(b'{"id":1,"base64":"H4sIAAAAAAAC/w=="}')
