"""A folder of mixed good, bad and hostile logs, and what each of them is.

    python -m tests.fuzz.corpus FOLDER N [SEED]

`FOLDER/logs` gets N files, `FOLDER/expected.jsonl` a line for each: its name, how it was made, and the
verdict of each log in it with the line of its first finding. Sound games are known to be right; what was
changed is judged by the naive judge; of the rest it follows from how it was made.
"""

import gzip
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import orjson
from attrs import frozen

from karuba_adapters.packed import is_packed
from tests import naive_judge
from tests.fuzz.mutating import games, mutated
from tests.mutations.logs import SOUND

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Verdict = tuple[str, int]
"""What a log is, and the line of its first finding, 0 where it has none."""

MAKERS: Final[list[Callable[[Random], "Made"]]] = []
SINGLE: Final = 3
"""Of every so many files one is a changed log; the others are spread over the other makers."""


@frozen
class Made:
    """A file of the folder.

    Attributes:
        kind: How it was made.
        data: Its bytes.
        verdicts: Of each log in it.
        stem: What its name begins with.
        end: What its name ends with.
    """

    kind: str
    data: bytes
    verdicts: tuple[Verdict, ...]
    stem: str = ""
    end: str = ".jsonl"


def maker(make: Callable[[Random], Made]) -> Callable[[Random], Made]:
    """Keep a way to make files."""
    MAKERS.append(make)
    return make


def sound(random: Random) -> bytes:
    return random.choice(SOUND).read_bytes()


@maker
def a_sound_game(random: Random) -> Made:
    return Made("sound", sound(random), (("valid", 0),))


@maker
def a_beginning(random: Random) -> Made:
    lines = sound(random).splitlines(keepends=True)
    return Made("beginning", b"".join(lines[: random.randrange(1, len(lines))]), (("incomplete", 0),))


@maker
def a_changed_game(random: Random) -> Made:
    while True:
        data = mutated(sound(random), random)
        if data.rfind(b"game-started") < 20 and not is_packed(data):  # else it may have become two logs
            return Made("changed", data, (naive_judge.judge(data),))


@maker
def a_recorded_fault(random: Random) -> Made:
    data = random.choice(games())
    return Made("recorded", data, (naive_judge.judge(data),))


@maker
def several_logs(random: Random) -> Made:
    """Finished games, and one at the end that has a fault or not."""
    logs = [sound(random) for _ in range(random.randint(1, 4))]
    before = b"".join(logs)
    last = a_changed_game(random)
    verdict, line = last.verdicts[0]
    if not last.data.startswith(b'{"type":"game-started","'):
        return Made("several", before, (("valid", 0),) * len(logs))
    line += before.count(b"\n") if line else 0
    return Made("several", before + last.data, (*[("valid", 0)] * len(logs), (verdict, line)))


@maker
def a_packed_game(random: Random) -> Made:
    """Known by its content, not by its name."""
    made = random.choice((a_sound_game, a_beginning, a_changed_game))(random)
    pack: Callable[[bytes], bytes] = random.choice((gzip.compress, zstd.compress))
    end = random.choice((".jsonl", ".jsonl.gz", ".jsonl.zst"))
    return Made("packed", pack(made.data), made.verdicts, end=end)


@maker
def a_cut_archive(random: Random) -> Made:
    """Noise in `meta` keeps it long, so that the cut is before its end and after its head."""
    pack: Callable[[bytes], bytes] = random.choice((gzip.compress, zstd.compress))
    whole = pack(sound(random))
    data = whole[: random.randint(20, len(whole) - 20)]
    return Made("cut archive", data, (("unread", -1),), end=random.choice((".jsonl.gz", ".jsonl.zst")))


@maker
def nothing(random: Random) -> Made:
    data = random.choice(
        (b"", b"\n", b"\xef\xbb\xbf", b" " * 100, b"\x00" * 100, b"null\n", b"[]", b"{}\n" * 50)
    )
    return Made("nothing", data, (("invalid", 1),))


@maker
def noise(random: Random) -> Made:
    return Made("noise", b"x" + random.randbytes(random.randint(1, 5000)), (("invalid", 1),))


@maker
def a_huge_line(random: Random) -> Made:
    lines = sound(random).splitlines(keepends=True)
    at = random.randrange(1, len(lines))
    filler = random.choice((b" ", b'"', b"[", b"{", b"9", b"\\"))
    lines[at] = filler * random.choice((1_048_577, 1_100_000, 3_000_000)) + b"\n"
    return Made("huge line", b"".join(lines), (("invalid", at + 1),))


@maker
def a_deep_line(random: Random) -> Made:
    lines = sound(random).splitlines(keepends=True)
    at = random.randrange(len(lines))
    depth = random.choice((128, 1000, 100_000))
    opening, closing = random.choice(((b"[", b"]"), (b'{"a":', b"}")))
    deep = opening * depth + b"1" + closing * depth
    lines[at] = lines[at].rstrip().removesuffix(b"}") + b',"meta":{"a":' + deep + b"}}\n"
    return Made("deep line", b"".join(lines), (("invalid", at + 1),))


@maker
def many_lines(random: Random) -> Made:
    """After its fault a log goes on and on."""
    line = random.choice((b"\n", b"{}\n", b'{"type":"draw","tile":1}\n', b"nope\n"))
    opening = sound(random).splitlines(keepends=True)[0]
    return Made(
        "many lines", opening + b"null\n" + line * random.choice((10, 1000, 50_000)), (("invalid", 2),)
    )


@maker
def many_keys(random: Random) -> Made:
    """Keys that a hash would like to have elsewhere, or that all stand where none may."""
    opening = sound(random).splitlines(keepends=True)[0]
    count = random.choice((10, 1000, 20_000))
    keys = ",".join(f'"{random.choice(("a", "é", ""))}{number * 2**20}":{number}' for number in range(count))
    where = random.choice(("meta", "other"))
    line = (
        '{"type":"draw","tile":1,"meta":{%s}}\n' if where == "meta" else '{"type":"draw","tile":1,%s}\n'
    ) % keys
    verdict = ("incomplete", 0) if where == "meta" else ("invalid", 2)
    return Made("many keys", opening + line.encode(), (verdict,))


@maker
def an_odd_name(random: Random) -> Made:
    """What a name holds reaches no terminal."""
    stems = (
        "\x1b[2J\x1b[31m",
        "\u202efdp",
        "a\nb",
        "\u2066",
        "%0A::error::",
        "'\"<&>]]>",
        "\x7f\x9b",
        " ",
        "*?[a]",
    )
    made = random.choice((a_sound_game, a_changed_game))(random)
    return Made("odd name", made.data, made.verdicts, stem=random.choice(stems))


@maker
def odd_players(random: Random) -> Made:
    """Names that may stand in a log, and those that may not."""
    name, is_right = random.choice(
        (
            ("\u202efdp\u2066", True),
            ("\x1b[2J", False),
            ("a\nb", False),
            ("\x9b31m", False),
            ("<&\"'>]]>%0A", True),
        )
    )
    first, *rest = sound(random).splitlines(keepends=True)
    opening: dict[str, Any] = orjson.loads(first)
    opening["players"][0] = opening["leader"] = name
    if is_right:
        return Made("odd players", orjson.dumps(opening) + b"\n", (("incomplete", 0),))
    return Made("odd players", orjson.dumps(opening) + b"\n" + b"".join(rest), (("invalid", 1),))


def files(count: int, seed: int) -> Iterator[tuple[str, Made]]:
    """Yield files with their names, which come in this order where they are sorted."""
    random = Random(seed)
    for number in range(count):
        make = a_changed_game if number % SINGLE == 0 else MAKERS[number // 2 % len(MAKERS)]
        made = make(random)
        stem = made.stem if sys.platform != "win32" else ""
        yield f"{number:06}{stem}{made.end}", made


def traps(folder: Path) -> Iterator[str]:
    """Put into a folder what looks like a log and is no file; yield the names of what is told as unread."""
    if sys.platform == "win32":
        return
    os.mkfifo(folder / "fifo.jsonl")
    (folder / "folder.jsonl").mkdir()
    for name, target in (
        ("dangling.jsonl", "nowhere"),
        ("loop.jsonl", "loop.jsonl"),
        ("zero.jsonl", "/dev/zero"),
        ("up", ".."),
        ("up.jsonl", "."),
    ):
        (folder / name).symlink_to(target)
    yield from ("dangling.jsonl", "fifo.jsonl", "loop.jsonl", "zero.jsonl")


def write(folder: Path, count: int, seed: int = 0) -> None:
    """Write the folder of logs, with some traps, and the list of what is expected."""
    logs = folder / "logs"
    logs.mkdir(parents=True)
    with (folder / "expected.jsonl").open("wb") as expected:

        def expect(name: str, kind: str, verdicts: tuple[Verdict, ...]) -> None:
            line = {"file": name, "kind": kind, "verdicts": verdicts}
            expected.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))

        for name, made in files(count, seed):
            (logs / name).write_bytes(made.data)
            expect(name, made.kind, made.verdicts)
        for name in traps(logs):
            expect(name, "trap", (("unread", 1),))


def differences(expected: bytes, reports: bytes) -> Iterator[str]:
    """Yield where the reports of `karuba validate --format json` are not what is expected."""
    told: dict[str, list[Verdict]] = {}
    for line in io.BytesIO(reports):
        report = orjson.loads(line)
        first = report["findings"][0]["line"] if report["findings"] else 0
        told.setdefault(Path(report["file"]).name, []).append((report["verdict"], first))
    for line in io.BytesIO(expected):
        wanted = orjson.loads(line)
        name, verdicts = wanted["file"], [tuple(each) for each in wanted["verdicts"]]
        found = told.pop(name, [])
        if wanted["kind"] == "cut archive":
            found = found[-1:] and [(found[-1][0], -1)]
        if found != verdicts:
            yield f"{name!a} ({wanted['kind']}): expected {verdicts}, found {found}"
    yield from (f"{name!a}: not expected" for name in told)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), int((sys.argv[3:] or ["0"])[0]))
