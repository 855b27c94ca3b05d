"""Logs to change: recorded games and games of our players, as events or as commands."""

import hashlib
import io
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
import orjson
from hypothesis import strategies as st

from karuba_adapters import write_log
from karuba_adapters.decks import opening
from karuba_adapters.players import casual, planner, play
from karuba_core import preset
from tests.naive_judge import COMMAND_FIELDS, COMMAND_OF

Record = dict[str, Any]
Line = Record | bytes
"""A record to be written, or the bytes of a line as they are."""

Change = Callable[[st.DrawFn, list[Record]], Sequence[Line]]
"""What is done to a log; it may change the records that it is given."""

PLAYED_GAMES = 36
SOUND = sorted((Path(__file__).parents[1] / "games" / "sound").glob("*.jsonl"))
NAMES = ("ana", "Émile", "小明", 'd"\\\u202e')


def registering(changes: dict[str, Change]) -> Callable[[Change], Change]:
    """Return a decorator that keeps changes by their names."""

    def register(change: Change) -> Change:
        changes[change.__name__] = change
        return change

    return register


@cache
def played(seed: int) -> bytes:
    """Return a game of our players; the seed settles rules and stacks, too."""
    random = Random(seed)
    players = 2 + seed % 3
    rules = attrs.evolve(
        preset("official", players),
        pickup=("stop", "landing", "step")[seed // 3 % 3],
        separation=random.choice(("edge-3", "edge-4", "value-30")),
        temple_treasures=tuple(
            sorted((random.choice((1, 2, 5, 99)) for _ in range(random.randint(players, 8))), reverse=True)
        ),
    )
    written = io.BytesIO()
    write_log(play(opening(NAMES[:players], seed, rules), seed, (planner, casual)[seed // 9 % 2]), written)
    return written.getvalue()


def as_command(record: Record) -> Record:
    """Return what was asked for where this happened; an opening stays what it is."""
    if record["type"] not in COMMAND_OF:
        return record
    command = COMMAND_OF[record["type"]]
    return {"type": command, **{name: record[name] for name in COMMAND_FIELDS[command]}}


def as_commands(log: Sequence[Record]) -> list[Record]:
    return [as_command(record) for record in log if record["type"] not in ("round-ended", "game-ended")]


event_logs = (st.sampled_from(SOUND).map(Path.read_bytes) | st.integers(0, PLAYED_GAMES - 1).map(played)).map(
    lambda log: [orjson.loads(line) for line in log.splitlines()]
)
logs = event_logs | event_logs.map(as_commands)


def written(lines: Sequence[Line]) -> bytes:
    return b"".join(line if isinstance(line, bytes) else dump(line) for line in lines)


def dump(value: object) -> bytes:
    return orjson.dumps(value) + b"\n"


@st.composite
def mutants(draw: st.DrawFn, change: Change) -> bytes:
    return written(change(draw, draw(logs)))


def seal(lines: Sequence[Line]) -> Record:
    digest = hashlib.sha256(written(lines)).hexdigest()
    return {"type": "seal", "records": len(lines), "digest": f"sha256:{digest}"}
