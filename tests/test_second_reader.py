"""The judge of spec/judge, written apart from the specification alone, says what the kernel says.

It judges recorded games, vectors, and logs, streams and positions that are made at random, always the same.
`KARUBA_MUTANTS` says how many are made, and `KARUBA_SEED` which.
"""

import io
import json
import os
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from karuba_adapters import Report, encode, validate
from karuba_adapters.referee import answer
from karuba_core import COLOURS, fold
from tests.mutations.catalogue import FAULTS, HARMLESS
from tests.mutations.courses import anything
from tests.mutations.courses import said as decoded
from tests.mutations.draws import OTHER_TYPES, index
from tests.mutations.logs import (
    Change,
    Record,
    as_commands,
    dump,
    event_logs,
    logs,
    mutants,
    seal,
    written,
)
from tests.node_kit import node
from tests.spec.written import vectors

ROOT = Path(__file__).parent.parent
JUDGE = ROOT / "spec" / "judge" / "main.js"
GAMES = ROOT / "tests" / "games"
OPENING = dump(orjson.loads((GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes().splitlines()[0]))

MADE = int(os.environ.get("KARUBA_MUTANTS", "200"))
SEED = int(os.environ.get("KARUBA_SEED", "1"))

Json = dict[str, Any]
Said = tuple[str, int | None, str | None]
"""What counts of a report: the verdict, and the line and the code of the first finding."""

T = TypeVar("T")


# Asking both


def reader(*arguments: object, given: bytes = b"") -> list[Json]:
    """Run the JavaScript judge and return the JSON lines that it writes."""
    asked = [node(), str(JUDGE), *map(str, arguments)]
    done = subprocess.run(asked, input=given, capture_output=True, check=False, timeout=600)
    assert (done.stderr, done.returncode in (0, 1)) == (b"", True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def said_by_reader(files: Sequence[Path]) -> list[list[Said]]:
    """Return what the JavaScript judge says of each log of each file, all in one process."""
    told: dict[str, list[Said]] = {str(file): [] for file in files}
    for report in reader("validate", *files):
        said = told[report["file"]]
        said.append((report["verdict"], report.get("line"), report.get("code")))
        assert report["log"] == len(said)
    return [*told.values()]


def answered_by_reader(requests: Sequence[Json]) -> list[Json]:
    told = reader("referee", given=b"".join(map(dump, requests)))
    assert len(told) == len(requests)
    return told


def said_by_kernel(log: bytes, said: Iterable[Said]) -> list[Said]:
    """Return what the kernel says of each log of a stream; of shape faults, which are free, the one said."""
    reports = [*validate(io.BytesIO(log))]
    free = [*said, *[("", None, None)] * len(reports)]
    return [_first_of(report, code) for report, (_, _, code) in zip(reports, free, strict=False)]


def _first_of(report: Report, wanted: str | None) -> Said:
    if not report.findings:
        return (report.verdict, None, None)
    first = report.findings[0]
    codes = [finding.code for finding in report.findings if finding.line == first.line]
    is_free = first.code.startswith("shape/") and wanted in codes
    return (report.verdict, first.line, wanted if is_free else first.code)


# What is made


def made(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """Return values of a strategy, the same for the same seed."""
    found: list[T] = []

    @seed(SEED)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def gather(value: T) -> None:
        found.append(value)

    gather()
    return found


changes: st.SearchStrategy[Change] = st.sampled_from([*FAULTS.values(), *HARMLESS.values()])
changed_logs = changes.flatmap(mutants)

FRAGMENTS = (
    *(b"\n", b"\r\n", b" \t\n", b"{\n", b"[]\n", b"7\n", b'{"type":5}\n', b'{"type":"karuba"}\n', b"\xff\n"),
    *(b'{"type":"game-started"}\n', b'{"type":"game-started","format":"karuba-log/2"}\n'),
    *(
        b'{"type":"game-started",\n',
        b'{"type":"draw","tile":\n',
        b'{"type":"game-ended"\n',
        b'{"type":"seal",\n',
    ),
    *(b'{"type":"seal","records":1,"digest":""}\n', b'{"type":"game-ended"}\n', b'{"type":"draw"}\n'),
    *(b'{"type":"draw","tile":7}\n', b'{"type":"tile-drawn","round":1,"tile":7}\n'),
    *(b'{"type":"draw","type":"game-started"}\n', b'{"type":"game-started","type":"draw"}\n'),
    *(b'{"meta":{"type":"seal"},"type":"game-started","a":1e999}\n', b'{"type":"game-started","meta":1}\n'),
    *(b'{"type" : "game-started","a":"\\ud800"}\n', b'{"type":["draw"]}\n', b'{"type":{}}\n'),
)


@st.composite
def pieces(draw: st.DrawFn) -> bytes:
    """Draw a log: whole, cut off, sealed, without its opening or with a wrong one; or a line of anything."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(st.sampled_from(FRAGMENTS))
    if kind == 1:
        return draw(changed_logs)
    log = draw(logs)
    if kind == 2:
        return written(log)
    log = log[: draw(st.integers(1, min(9, len(log))))]
    if kind == 3:
        return written(log[1:])
    if kind in (4, 5):
        return written(
            [*log, seal(log) | draw(st.sampled_from([{}, {}, {"records": 0}, {"meta": {}}, {"meta": 1}]))]
        )
    if kind == 6:
        log[0] |= draw(
            st.sampled_from([{"leader": ""}, {"format": "karuba-log/2"}, {"players": []}, {"meta": []}])
        )
    if kind == 7:
        return written(log[:-1]) + draw(st.sampled_from(FRAGMENTS))
    return written(log)


streams = st.lists(pieces(), min_size=2, max_size=6).map(b"".join)

ODD_LINES = (
    *(b'{"a":1,"a":2,"b":NaN}', b'[1e400,{"a":1,"a":1}]', rb'[1e400,{"\ud800":1}]', rb'{"a":"\ud800","a":1}'),
    *(b"[" * 129, b"[" * 129 + b"]" * 129, b"}" * 5 + b"[" * 133, b"}" * 5 + b"[" * 134, b'"' + b"[" * 200),
    *(
        b'\\"' + b"[" * 130,
        b'"\\\\"' + b"[" * 130,
        b'"\\"' + b"[" * 130,
        b'[1,"]",' + b"[" * 128 + b"]" * 129,
    ),
    *(b" \xef\xbb\xbf{}", b"\xef\xbb\xbf", b"{}\xef\xbb\xbf", b'{"\xef\xbb\xbf":1}', b"\xef\xbb\xbf\xff"),
    *(b" " * 2**20, b" " * 2**20 + b"\xff", b'{"type":"draw","tile":7}' + b" " * (2**20 - 24), b"\xc2\xa0"),
    *(
        b'{"type":"draw","tile":7,"meta":{"a":1e-400}}',
        b'{"type":"draw","tile":7.0}',
        b"-",
        b"01",
        b"1.",
        b'"\t"',
    ),
    *(
        b'{"type":"draw","tile":-0}',
        b'{"type":"draw","tile":9007199254740993}',
        b'{"type":"draw","tile":1e300}',
    ),
    b'{"a":"' + b"." * 2**20 + b'","type":"game-started"}',
)
"""Lines with faults of text, several of them with more than one."""


values = st.recursive(
    st.sampled_from(
        ["1", "-0", "1e400", "9007199254740992", '"x"', r'"\ud800"', "1e-400", "NaN", "null", ""]
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]")
        | st.lists(st.tuples(st.sampled_from([*"aab", r"\u0061", r"\udfff"]), inner), max_size=3).map(
            lambda members: "{" + ",".join(f'"{key}":{value}' for key, value in members) + "}"
        )
    ),
    max_leaves=8,
)
"""JSON and nearly JSON, with any number of faults."""


@st.composite
def odd_openings(draw: st.DrawFn) -> bytes:
    """Draw an opening with any number of faults of its setup."""
    number = st.sampled_from([*range(10, 120, 10)] * 3 + [0, 15, 120, -10])
    pair = st.fixed_dictionaries({"beach": number, "jungle": number})
    fields = {
        "players": st.lists(st.sampled_from(["ana", "ben", "chloé", "\x07", "", "d" * 65]), max_size=5),
        "leader": st.sampled_from(["ana", "ben", "zoe"]),
        "layout": st.fixed_dictionaries(dict.fromkeys(COLOURS, pair)),
        "rules": st.fixed_dictionaries(
            {
                "pickup": st.sampled_from(["stop", "landing", "step", "go"]),
                "temple_treasures": st.lists(st.integers(0, 100), max_size=9)
                .map(sorted)
                .map(lambda s: s[::-1])
                | st.sampled_from([[5, 3], [3, 5], [5, 4, 3, 2], []]),
                "separation": st.sampled_from(["edge-3", "edge-4", "value-30", "none"]),
            }
        ),
    }
    opening = json.loads(OPENING)
    for name in draw(st.sets(st.sampled_from([*fields]), min_size=1)):
        opening[name] = draw(fields[name])
    return dump(opening)


OF_A_RECORD = [
    FAULTS[name]
    for name in (
        *("a_value", "a_type_of_value", "a_field_more", "a_field_less", "a_field_by_another_name", "a_list"),
        *("a_record_type", "a_type_that_is_no_string", "a_meta_that_is_no_object", "a_value_of_the_opening"),
        *("a_step_of_a_path", "a_neighbouring_step", "a_longer_path", "a_detour", "a_shorter_path"),
        *("a_temple_on_the_way", "another_adventurer", "another_player", "another_cell", "another_tile"),
    )
]
"""Changes that need no more than some records to be changed."""


@st.composite
def requests(draw: st.DrawFn) -> Json:
    """Draw a question about a position: its state, what is legal there, or what of some record."""
    log = draw(event_logs)
    ends = [place for place, record in enumerate(log) if record["type"] in ("round-ended", "game-ended")]
    walks = [place for place, record in enumerate(log, start=1) if record["type"] == "tile-discarded"]
    given = log[
        : draw(st.integers(1, len(log)) | st.sampled_from([*ends, len(log)]) | st.sampled_from(walks))
    ]
    asked = draw(st.sampled_from(["legal", "state", "near", "changed", "anything", "anything"]))
    if asked in ("legal", "state"):
        return {"id": 1, "given": given, "ask": asked}
    near = log[max(len(given) - 2, 0) : len(given) + 4]
    records: list[Record] = [*near, *as_commands(near), log[draw(index(log))]]
    if asked == "changed":
        records = orjson.loads(dump([log[0], *records]))
        records = [
            line for line in draw(st.sampled_from(OF_A_RECORD))(draw, records) if isinstance(line, dict)
        ]
    if asked == "anything":
        game = fold(decoded(record) for record in given)
        records = [orjson.loads(encode(draw(anything(game))))]
    return {
        "id": 1,
        "given": given,
        "when": draw(st.sampled_from([*records, draw(st.sampled_from(OTHER_TYPES))])),
    }


# The tests


Files = Callable[[Sequence[bytes]], list[Path]]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    def put(contents: Sequence[bytes]) -> list[Path]:
        paths = [tmp_path / f"{number}.jsonl" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        return paths

    return put


def test_it_gives_every_recorded_game_its_verdict() -> None:
    expected: dict[str, Json] = json.loads((GAMES / "expected.json").read_text("utf-8"))
    told = said_by_reader([GAMES / name for name in expected])

    for (name, says), said in zip(expected.items(), told, strict=True):
        ((verdict, line, code),) = said
        assert (name, verdict, line) == (name, says["verdict"], says.get("line"))
        assert "family" not in says or str(code).startswith(f"{says['family']}/")
        assert said == said_by_kernel((GAMES / name).read_bytes(), said)


def test_it_has_the_answers_of_all_vectors() -> None:
    asked = vectors()
    told = answered_by_reader(
        [
            {name: value for name, value in vector.items() if name not in ("rule", "comment", "then")}
            for vector in asked
        ]
    )

    for vector, said in zip(asked, told, strict=True):
        counting = (
            ("id", "events", "code", "error")
            if "when" in vector
            else ("id", "verdict", "line", "code", "error")
        )
        right = {"id": vector["id"], **vector["then"]}
        assert {name: said[name] for name in counting if name in said} == right


MADE_OF = {
    "changed-logs": changed_logs,
    "streams": streams,
    "odd-lines": values.map(lambda line: OPENING + line.encode() + b"\n"),
    "odd-openings": odd_openings(),
}


@pytest.mark.parametrize("strategy", MADE_OF.values(), ids=MADE_OF)
def test_both_judges_say_the_same(strategy: st.SearchStrategy[bytes], files: Files) -> None:
    """Of every log of a stream: F-LOG-6 says where each begins."""
    compare(made(strategy, MADE), files)


def test_both_judges_say_the_same_of_odd_lines(files: Files) -> None:
    """In a log, and between two, where its type tells whose it is."""
    finished = (GAMES / "commands" / "04-3p-stop-casual.jsonl").read_bytes()
    lines = [*FRAGMENTS, *[line + b"\n" for line in ODD_LINES]]
    compare([OPENING + line for line in lines] + [finished + line + finished for line in lines], files)


def compare(contents: list[bytes], files: Files) -> None:
    for content, said in zip(contents, said_by_reader(files(contents)), strict=True):
        assert said == said_by_kernel(content, said), content


def test_both_referees_say_the_same() -> None:
    asked = made(requests(), MADE)
    for request, by_reader in zip(asked, answered_by_reader(asked), strict=True):
        by_kernel = json.loads(answer(dump(request)))
        assert counted(by_reader, by_kernel) == counted(by_kernel, by_kernel), request


def counted(said: Json, by_kernel: Json) -> Json:
    """Return what counts of an answer."""
    if "legal" in said:  # in any order, and moves by any shortest path
        return {"legal": sorted(map(as_ended, said["legal"]))}
    if "code" in said:
        is_free = {said["code"].partition("/")[0], by_kernel.get("code", "").partition("/")[0]} == {"shape"}
        told = {"code": said["code"], "rule": said.get("rule")}
        return {**({"code": "shape"} if is_free else told), "error": "error" in said}
    return said


def as_ended(command: Record) -> str:
    """Return a command, of a path its end and its length alone."""
    path = command.get("path")
    return json.dumps(command if path is None else {**command, "path": [path[-1], len(path)]}, sort_keys=True)
