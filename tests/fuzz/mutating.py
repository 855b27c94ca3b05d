"""Seeds for the harnesses, made of the recorded games, and changes to them; both follow from a `Random`."""

import gzip
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import orjson

from tests.fuzz.harnesses import MAPPING_ENDS

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROOT: Final = Path(__file__).parents[2]
LONGEST: Final = 1 << 15
"""Bytes of an input; what needs more is a case of its own, not found by chance."""

TOKENS: Final = (
    *(
        b'{"type":"',
        b'"meta":{',
        b"\\ud800",
        b"\\u0000",
        b"\xef\xbb\xbf",
        b"\r",
        b"\n",
        b"\n\n",
        b"NaN",
        b"1e999",
    ),
    *(
        b"-0",
        b"1.0",
        b"9007199254740992",
        b"null",
        b"true",
        b'"temple"',
        b'"beach"',
        b"[" * 130,
        b"{}",
        b"\x00",
    ),
    *(
        b"\x1f\x8b\x08",
        b"\x28\xb5\x2f\xfd",
        b"\xff",
        b'"seal"',
        b'"game-started"',
        b'"game-ended"',
        b'"pass"',
    ),
    *(b"\xe2\x80\xae", b"\x1b[2J", b"||", b"@", b"*.*", b"[?a==`1`]", b"&", b"\xc2\x85", b"karuba-log/2"),
)


@cache
def games() -> tuple[bytes, ...]:
    """Return the recorded games, right and wrong ones."""
    paths = sorted((ROOT / "tests" / "games").rglob("*.jsonl"))
    return tuple(path.read_bytes() for path in paths)


def beginning(random: Random) -> bytes:
    """Return a game or its beginning, mostly a short one: of those more can be tried."""
    lines = random.choice(games()).splitlines(keepends=True) or [b""]
    if random.random() < 0.1:
        return b"".join(lines)
    return b"".join(lines[: random.randint(1, random.choice((10, 40, len(lines))))])


def _line(random: Random) -> bytes:
    return random.choice(random.choice(games()).splitlines(keepends=True) or [b""])


def _log(random: Random) -> bytes:
    return b"".join(beginning(random) for _ in range(random.choice((1, 1, 1, 2, 3))))


def _archive(random: Random) -> bytes:
    data = _log(random)
    pack: Callable[[bytes], bytes] = random.choice((gzip.compress, zstd.compress))
    whole = pack(data) + random.choice((b"", b"", pack(data), b"\x00" * 9, data))
    return whole if random.random() < 0.5 else whole[: random.randint(0, len(whole))]


def _request(random: Random) -> bytes:
    lines = beginning(random).splitlines()
    records: list[Any] = []
    for text in lines[: random.randint(0, 60)]:
        try:
            records.append(orjson.loads(text))
        except orjson.JSONDecodeError:
            break
    kind = random.randrange(4)
    if kind == 0:
        return orjson.dumps({"id": 1, "given": records, "ask": random.choice(("legal", "state"))})
    if kind == 1:
        return orjson.dumps({"id": "a", "given": records[:-1], "when": records[-1:] and records[-1]})
    if kind == 2:
        return orjson.dumps({"id": [1], "log": b"\n".join(lines).decode("utf-8", "replace")})
    return orjson.dumps({"id": None, "base64": "e30=", "require_finished": True, "require_rules": "official"})


def _foreign(random: Random) -> bytes:
    examples = ROOT / "docs" / "examples"
    lines = (examples / "foreign.ndjson").read_bytes().splitlines(keepends=True)
    mapping = (examples / "foreign.toml").read_bytes()
    return mapping + MAPPING_ENDS + b"".join(lines[: random.randint(0, len(lines))])


def _torn(random: Random) -> bytes:
    data = _log(random)
    return data[: random.randint(0, len(data))]


SEEDS: Final[dict[str, Callable[[Random], bytes]]] = {
    "log": _log,
    "packed": _log,
    "archive": _archive,
    "judges": beginning,
    "line": _line,
    "referee": _request,
    "foreign": _foreign,
    "convert": _log,
    "implied": _log,
    "recovery": _torn,
}
"""How a seed for each harness is made."""


# Changes


def mutated(data: bytes, random: Random) -> bytes:
    """Return bytes changed in some ways: of bytes, of lines, of values."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        data = random.choice(_CHANGES)(data, random)
    return data[:LONGEST]


def _a_byte(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + bytes([random.randrange(256)]) + data[at + random.randint(0, 1) :]


def _a_slice_less(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + data[at + random.choice((1, 4, 40, 400)) :]


def _a_slice_twice(data: bytes, random: Random) -> bytes:
    at, to = sorted(random.randint(0, len(data)) for _ in range(2))
    return data[:to] + data[at:to][:1000] + data[to:]


def _a_token(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(TOKENS) + data[at + random.choice((0, 0, 1, 5)) :]


def _lines(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(one, lines[other])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines.insert(one, _line(random).rstrip(b"\n"))
    return b"\n".join(lines)


def _a_value(data: bytes, random: Random) -> bytes:
    """Put a value that stands somewhere in place of another one, in a line that is JSON."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    try:
        value: Any = orjson.loads(lines[at])
        other: Any = orjson.loads(random.choice([*lines, _line(random)]))
        lines[at] = orjson.dumps(_replaced(value, _part(other, random), random))
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return data
    return b"\n".join(lines)


def _part(value: Any, random: Random) -> Any:  # noqa: ANN401 - any JSON value
    while isinstance(value, dict | list) and value and random.random() < 0.9:
        value = random.choice([*value.values()] if isinstance(value, dict) else value)
    return random.choice(
        (value, value, value, 0, -1, 37, "", None, [], {}, 1.5, "nobody", "x\x1b[31m\n\u202e")
    )


def _replaced(value: Any, new: Any, random: Random) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict | list) or not value or random.random() < 0.1:
        return new
    if isinstance(value, list):
        at = random.randrange(len(value))
        return [*value[:at], _replaced(value[at], new, random), *value[at + 1 :]]
    key = random.choice([*value])
    if random.random() < 0.1:
        return {(str(new) if name == key else name): entry for name, entry in value.items()}
    return {**value, key: _replaced(value[key], new, random)}


_CHANGES: Final = (
    _a_byte,
    _a_slice_less,
    _a_slice_twice,
    _a_token,
    _lines,
    _lines,
    _a_value,
    _a_value,
    _a_value,
)
