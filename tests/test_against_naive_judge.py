"""Two judges written apart say the same of logs that were changed in one of many ways, verdict and line.

The naive judge shares no code with the kernel. `KARUBA_MUTANTS` says how many logs are changed, and
`--hypothesis-seed` which.
"""

import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import attrs
import orjson
import pytest
from hypothesis import HealthCheck, Phase, assume, event, find, given, note, settings
from hypothesis import strategies as st

from karuba_adapters import decode, encode, validate, write_log
from karuba_adapters.decks import opening
from karuba_adapters.players import casual, planner, play
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Game,
    Island,
    Move,
    Pass,
    Place,
    apply,
    legal_commands,
    preset,
    start,
    violation,
)
from tests.naive_judge import (
    BEACH,
    CELLS,
    COLOURS,
    COMMAND_FIELDS,
    COMMAND_OF,
    EVENT_OF,
    EXITS,
    JUNGLE,
    OPPOSITE,
    SHIFT,
    judge,
)

Record = dict[str, Any]
Line = Record | bytes
"""A record to be written, or the bytes of a line as they are."""

Keys = tuple[str | int, ...]
Change = Callable[[st.DrawFn, list[Record]], Sequence[Line]]
T = TypeVar("T")

MUTANTS = int(os.environ.get("KARUBA_MUTANTS", "1000"))
PLAYED_GAMES = 36
SOUND = sorted((Path(__file__).parent / "games" / "sound").glob("*.jsonl"))
NAMES = ("ana", "Émile", "小明", 'd"\\\u202e')

FAULTS: dict[str, Change] = {}
HARMLESS: dict[str, Change] = {}


def fault(change: Change) -> Change:
    """Register a change that breaks most logs."""
    FAULTS[change.__name__] = change
    return change


def harmless(change: Change) -> Change:
    """Register a change that breaks no log."""
    HARMLESS[change.__name__] = change
    return change


# Logs to change


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


# What changes are made of


def index(items: Sequence[object]) -> st.SearchStrategy[int]:
    return st.integers(0, len(items) - 1)


def one_of(draw: st.DrawFn, items: Sequence[T]) -> T:
    assume(items)
    return draw(st.sampled_from(items))


def one_named(draw: st.DrawFn, log: Sequence[Record], *names: str) -> int:
    """Draw the place of a record of some kind: the name of a command stands for its event, too."""
    wanted = {*names, *(EVENT_OF.get(name) for name in names)}
    return one_of(draw, [place for place, record in enumerate(log) if record["type"] in wanted])


def parts(value: object, path: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Yield every value in a JSON value, itself first, with the path to it."""
    yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from parts(inner, (*path, key))


def holder(value: Any, path: Keys) -> Any:  # noqa: ANN401 - any JSON value
    """Return the object or list that holds what a path leads to."""
    for key in path[:-1]:
        value = value[key]
    return value


def set_at(value: Any, path: Keys, new: object) -> None:  # noqa: ANN401 - any JSON value
    holder(value, path)[path[-1]] = new


def one_part(draw: st.DrawFn, record: Record, *kinds: type) -> tuple[Keys, Any]:
    """Draw one of the values in a record, of these types where any are named, but for its `type`."""
    return one_of(
        draw,
        [
            (path, value)
            for path, value in parts(record)
            if path not in ((), ("type",)) and (not kinds or type(value) in kinds)
        ],
    )


def nearby(draw: st.DrawFn, log: Sequence[Record], value: int | str) -> int | str:
    """Draw a value of the same type that could stand there as well."""
    if isinstance(value, int):
        return one_of(draw, [value - 1, value + 1, value + 10, value - 10, 0, 1, 36, 37, 2**53 - 1])
    kin: list[Sequence[str]] = [log[0]["players"], COLOURS, [*CELLS, "temple"], WORDS]
    likely = next((strings for strings in kin if value in strings), ())
    return one_of(draw, [*likely, *ODD_STRINGS, value.upper(), f"{value} "])


WORDS = (
    *("stop", "landing", "step", "edge-3", "edge-4", "value-30"),
    *("crystal", "gold", "all-home", "tiles-exhausted", "karuba-log/1", "karuba-log/2"),
)
ODD_STRINGS = ("", "a0", "a6", "g1", "temple", "beach", "red", "silver", "nobody", "a1\u200b", "\x00")
OTHER_TYPES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    0.5,
    "",
    "1",
    "a1",
    [],
    ["a1"],
    {},
    {"a": 1},
)
TYPES = ("game-started", "round-ended", "game-ended", "seal", *EVENT_OF, *COMMAND_OF, "", "Draw", "karuba")


def seal(lines: Sequence[Line]) -> Record:
    digest = hashlib.sha256(written(lines)).hexdigest()
    return {"type": "seal", "records": len(lines), "digest": f"sha256:{digest}"}


# Faults of fields


@fault
def a_value(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    path, value = one_part(draw, changed, int, str)
    set_at(changed, path, nearby(draw, log, value))
    return log


@fault
def a_value_of_the_opening(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path, value = one_part(draw, log[0], int, str)
    set_at(log[0], path, nearby(draw, log, value))
    return log


@fault
def a_type_of_value(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    path, value = one_part(draw, changed)
    others: list[Any] = [other for other in OTHER_TYPES if type(other) is not type(value)]
    if isinstance(value, int):
        others += [float(value), str(value), [value]]
    set_at(changed, path, draw(st.sampled_from(others)))
    return log


@fault
def a_field_more(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    objects = [value for _, value in parts(changed) if isinstance(value, dict)]
    name = draw(st.sampled_from(["comment", "Meta", "", "steps", "round", "tile", "leader", "player", "é"]))
    one_of(draw, objects).setdefault(name, draw(st.sampled_from(OTHER_TYPES)))
    return log


@fault
def a_field_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    fields = [path for path, _ in parts(changed) if path and isinstance(path[-1], str)]
    path = one_of(draw, fields)
    del holder(changed, path)[path[-1]]
    return log


@fault
def a_field_by_another_name(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    path = one_of(draw, [path for path, _ in parts(changed) if path and isinstance(path[-1], str)])
    fields, name = holder(changed, path), str(path[-1])
    fields[draw(st.sampled_from([name.title(), f"{name} ", f"{name}s", ""]))] = fields.pop(name)
    return log


@fault
def a_list(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Lists are players, stacks, paths, awards and winners."""
    lists = [value for record in log for _, value in parts(record) if isinstance(value, list)]
    items = one_of(draw, lists)
    match draw(st.sampled_from(["more", "fewer", "twice", "turned"])):
        case "more":
            items.insert(draw(st.integers(0, len(items))), one_of(draw, [*items, 1, "a1", "temple"]))
        case "fewer":
            del items[one_of(draw, range(len(items)))]
        case "twice":
            items *= 2
        case _:
            items.reverse()
    return log


@fault
def a_record_type(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[draw(index(log))]["type"] = draw(st.sampled_from(TYPES))
    return log


@fault
def a_type_that_is_no_string(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[draw(index(log))]["type"] = draw(
        st.sampled_from([value for value in OTHER_TYPES if not isinstance(value, str)])
    )
    return log


@fault
def a_meta_that_is_no_object(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[draw(index(log))]["meta"] = draw(
        st.sampled_from([value for value in OTHER_TYPES if not isinstance(value, dict)])
    )
    return log


@fault
def a_meta_further_down(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    inner = [value for record in log for path, value in parts(record) if path and isinstance(value, dict)]
    one_of(draw, inner)["meta"] = {}
    return log


@fault
def a_line_that_is_no_object(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = draw(index(log))
    values = [value for value in OTHER_TYPES if not isinstance(value, dict)]
    return [*log[:place], dump(draw(st.sampled_from([*values, [log[place]]]))), *log[place + 1 :]]


# Faults of order


@fault
def a_record_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    del log[draw(index(log))]
    return log


@fault
def a_record_twice(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(index(log))
    log.insert(place, log[place])
    return log


@fault
def neighbours_swapped(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(index(log[1:]))
    log[place], log[place + 1] = log[place + 1], log[place]
    return log


@fault
def records_swapped(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    one, other = draw(index(log)), draw(index(log))
    log[one], log[other] = log[other], log[one]
    return log


@fault
def a_record_elsewhere(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    moved = log.pop(draw(index(log)))
    log.insert(draw(st.integers(0, len(log))), moved)
    return log


@fault
def a_record_elsewhere_too(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log.insert(draw(st.integers(0, len(log))), log[draw(index(log))])
    return log


@fault
def a_record_of_another_game(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    other = draw(logs)
    log.insert(draw(st.integers(0, len(log))), other[draw(index(other))])
    return log


@fault
def another_game_from_here_on(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    other = draw(logs)
    return log[: draw(index(log))] + other[draw(index(other)) :]


@fault
def some_records_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(index(log))
    del log[place : place + draw(st.integers(2, 12))]
    return log


@fault
def one_players_records_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    quiet, since = one_of(draw, log[0]["players"]), draw(index(log))
    return log[:since] + [record for record in log[since:] if record.get("player") != quiet]


@fault
def something_after_the_end(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    return [*log, log[draw(index(log))]]


@fault
def a_record_of_the_other_kind(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    other = draw(event_logs)
    place = one_named(draw, log, *EVENT_OF)
    if log[place]["type"] in COMMAND_OF:
        log[place] = as_command(log[place])
    else:
        log[place] = other[one_named(draw, other, log[place]["type"])]
    return log


@fault
def the_other_kind_from_here_on(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(st.integers(1, len(log)))
    return log[:place] + as_commands(log[place:])


# Faults of the rules


@fault
def a_step_of_a_path(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    path[draw(index(path))] = draw(st.sampled_from([*CELLS, "temple"]))
    return log


@fault
def a_neighbouring_step(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    place = draw(index(path))
    path[place] = draw(st.sampled_from(neighbours(path[place - 1] if place else path[place])))
    return log


@fault
def a_longer_path(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    path.append(draw(st.sampled_from([*neighbours(path[-1]), "temple"])))
    return log


@fault
def a_detour(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    place = draw(index(path))
    path[place:place] = [path[place], draw(st.sampled_from(neighbours(path[place])))]
    return log


@fault
def a_shorter_path(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    del path[draw(index(path))]
    return log


@fault
def a_temple_on_the_way(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    path.insert(draw(index(path)), "temple")
    return log


@fault
def a_move_in_two(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Right where both halves are one adventurer's, and none of them is empty."""
    place = one_named(draw, log, "move")
    path = log[place]["path"]
    cut = draw(st.integers(0, len(path)))
    second: Record = {**log[place], "path": path[cut:]}
    second["adventurer"] = draw(st.sampled_from([second["adventurer"], *COLOURS]))
    log[place]["path"] = path[:cut]
    return [*log[: place + 1], second, *log[place + 1 :]]


@fault
def another_adventurer(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[one_named(draw, log, "move", "collect")]["adventurer"] = draw(st.sampled_from(COLOURS))
    return log


@fault
def another_player(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = one_named(draw, log, "place", "discard", "move", "collect", "pass")
    log[place]["player"] = draw(st.sampled_from(log[0]["players"]))
    return log


@fault
def another_cell(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[one_named(draw, log, "place", "collect")]["cell"] = draw(st.sampled_from([*CELLS]))
    return log


@fault
def another_tile(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[one_named(draw, log, "draw")]["tile"] = draw(st.integers(-1, 38))
    return log


@fault
def a_tile_before_its_time(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Swap two draws: what follows was right for other tiles."""
    one, other = one_named(draw, log, "draw"), one_named(draw, log, "draw")
    log[one]["tile"], log[other]["tile"] = log[other]["tile"], log[one]["tile"]
    return log


@fault
def one_more_thing_in_a_turn(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """After a record of a player, the player does something else: often the turn is closed."""
    place = one_named(draw, log, "place", "discard", "move", "collect", "pass")
    last = log[place]
    others = [
        record for record in log if record.get("player") == last["player"] and record["type"] != "round-ended"
    ]
    log.insert(place + 1, one_of(draw, others))
    return log


@fault
def a_pass_somewhere(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = one_named(draw, log, "discard", "move", "collect")
    name = "turn-passed" if log[place]["type"] in COMMAND_OF else "pass"
    log.insert(place + 1, {"type": name, "player": log[place]["player"]})
    return log


@fault
def a_pass_for_a_treasure(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """By `landing` a treasure has to be taken; by the others the pass is right, but not its absence later."""
    place = one_named(draw, log, "collect")
    name = "turn-passed" if log[place]["type"] in COMMAND_OF else "pass"
    log[place] = {"type": name, "player": log[place]["player"]}
    return log


@fault
def a_treasure_left(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    del log[one_named(draw, log, "collect")]
    return log


@fault
def a_treasure_taken_without_a_move(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """An adventurer takes what it stands on, or stood on before, right after a discard."""
    place = one_named(draw, log, "discard")
    treasure = log[one_named(draw, log, "collect")]
    log.insert(place + 1, {**treasure, "player": log[place]["player"]})
    return log


@fault
def an_end_before_its_time(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    ends = [record for record in log if record["type"] in ("round-ended", "game-ended")]
    log.insert(draw(st.integers(0, len(log))), one_of(draw, ends))
    return log


@fault
def an_end_that_does_not_come(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    del log[one_named(draw, log, "round-ended", "game-ended")]
    return log


@fault
def the_awards(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    awarded = [record["awards"] for record in log if record.get("awards")]
    awards = one_of(draw, awarded)
    award = awards[draw(index(awards))]
    field = draw(st.sampled_from(sorted(award)))
    award[field] = nearby(draw, log, award[field])
    return log


@fault
def the_result(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    result = log[one_named(draw, log, "game-ended")]
    path, value = one_part(draw, result, int, str)
    set_at(result, path, nearby(draw, log, value))
    return log


@fault
def the_scores_of_others(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    scores = log[one_named(draw, log, "game-ended")]["scores"]
    one, other = one_of(draw, log[0]["players"]), draw(st.sampled_from([*log[0]["players"], "nobody"]))
    scores[other] = scores.pop(one)
    return log


@fault
def the_rules(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    rules = log[0]["rules"]
    rules["pickup"] = draw(st.sampled_from(["stop", "landing", "step"]))
    rules["separation"] = draw(st.sampled_from(["edge-3", "edge-4", "value-30"]))
    return log


@fault
def the_stacks(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Stacks of every size near the limits, most of them right but for their size, or for one value."""
    size = draw(st.sampled_from([0, 1, 2, 3, 4, 5, 7, 8, 9, 10]))
    stack = sorted(draw(st.lists(st.sampled_from([1, 2, 5, 98, 99]), min_size=size, max_size=size)))[::-1]
    if stack and size % 2:
        stack[draw(index(stack))] = draw(st.sampled_from([-1, 0, 1, 99, 100, stack[0], stack[-1]]))
    log[0]["rules"]["temple_treasures"] = stack
    return log[:3]


@fault
def the_layout(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Three quarters of all layouts are wrong; where one is right, the moves after it are not."""
    numbers = st.integers(0, 12).map(lambda number: 10 * number)
    layout = log[0]["layout"]
    for colour in draw(st.lists(st.sampled_from(COLOURS), min_size=1, max_size=4)):
        layout[colour][draw(st.sampled_from(["beach", "jungle"]))] = draw(numbers)
    return log


@fault
def the_distances(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Any pair of numbers for blue, and for the others pairs that are right by every separation."""
    blue = draw(st.sampled_from([*product(BEACH, JUNGLE)]))
    log[0]["rules"]["separation"] = draw(st.sampled_from(["edge-3", "edge-4", "value-30"]))
    pairs, taken = [blue], [pair for pair in FAR_APART if pair[0] != blue[0] and pair[1] != blue[1]]
    for _ in COLOURS[1:]:
        pairs.append(one_of(draw, taken))
        taken = [pair for pair in taken if pair[0] != pairs[-1][0] and pair[1] != pairs[-1][1]]
    log[0]["layout"] = {
        colour: {"beach": beach, "jungle": jungle}
        for colour, (beach, jungle) in zip(COLOURS, pairs, strict=True)
    }
    return log[:3]


FAR_APART = [
    (beach, jungle)
    for beach, jungle in product(BEACH, JUNGLE)
    if abs(beach - jungle) >= 30 and 50 <= beach + jungle <= 190
]


@fault
def the_names(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Names of every length near the limits, with characters on both sides of what is allowed."""
    odd = st.text(st.sampled_from("a\ud7ff\ue000\u202e\x1f \x7e\x7f\x80\x9f\xa0"), max_size=2)
    length = st.sampled_from([0, 1, 63, 64, 65]).map(lambda count: "\U0001f98e" * count)
    players = log[0]["players"]
    players[draw(index(players))] = draw(odd | length | st.sampled_from([*players, "é", "e\u0301"]))
    log[0]["leader"] = draw(st.sampled_from([*players, players[0], log[0]["leader"]]))
    return log[:3]


@fault
def the_number_of_players(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[0]["players"] = list("abcdef")[: draw(st.integers(0, 6))]
    log[0]["leader"] = draw(st.sampled_from("abc"))
    log[0]["rules"]["temple_treasures"] = [1] * draw(st.integers(0, 9))
    return log[:3]


# Playing on


@fault
def another_course(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Cut a game and play on by commands, most of them legal, some nearly so."""
    commands = as_commands(log)
    del commands[draw(st.integers(1, len(commands) - 1)) :]
    game = start(said(log[0]).setup).game
    for asked in commands[1:]:
        game = apply(game, said(asked)).game
    for _ in range(draw(st.integers(1, 25))):
        if game.phase == "over":
            break
        command = draw(anything_legal(game) if draw(st.integers(0, 9)) else anything(game))
        commands.append(orjson.loads(encode(command)))
        if violation(game, command) is not None:
            break
        game = apply(game, command).game
    return commands


@fault
def a_treasure_of_another_adventurer(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """One has moved, and another takes what it has stood on since an earlier turn."""
    ways = [
        (place, {"type": "collect", "player": asked["player"], "adventurer": colour})
        for place, asked, game in replayed(log, "move")
        for island in [game.island(asked["player"])]
        for colour in COLOURS
        if colour != asked["adventurer"] and island.where(colour) in CELLS
        if island.treasure(island.where(colour)) and island.turn.stage == "walking"
    ]
    return inserted(draw, log, ways)


@fault
def a_way_over_another_adventurer(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Onto its cell or beyond, by roads that are there."""
    ways = [
        (place, {"type": "move", "player": asked["player"], "adventurer": colour, "path": way})
        for place, asked, game in replayed(log, "discard")
        for island in [game.island(asked["player"])]
        for colour in COLOURS
        for way in roads(game, island, colour)
        if any(island.where(other) in way for other in COLOURS if other != colour)
    ]
    return inserted(draw, log, ways)


@fault
def a_path_beyond_the_temple(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """The way out is the way in, and steps are left for it, so the path has no other fault."""
    ways = [
        (
            place,
            {
                "type": "move",
                "player": asked["player"],
                "adventurer": colour,
                "path": [*way, "temple", last],
            },
        )
        for place, asked, game in replayed(log, "discard")
        for island in [game.island(asked["player"])]
        for colour in COLOURS
        for way in [[], *roads(game, island, colour)]
        for last in (way or [island.where(colour)])[-1:]
        if leads_home(game, island, colour, last) and len(way) + 2 <= island.turn.steps
    ]
    return inserted(draw, log, ways)


def leads_home(game: Game, island: Island, adventurer: str, cell: str) -> bool:
    spot, side = JUNGLE[getattr(game.setup.layout, adventurer).jungle]
    return CELLS.get(cell) == spot and side in EXITS.get(island.tile(cell) or 0, "")


def replayed(log: list[Record], kind: str) -> Iterator[tuple[int, Record, Game]]:
    """Yield each command of a kind with the game after it and the place of what comes next."""
    game = start(said(log[0]).setup).game
    for place, asked in enumerate(as_commands(log)[1:], start=2):
        game = apply(game, said(asked)).game
        if asked["type"] == kind:
            yield place, asked, game


def inserted(draw: st.DrawFn, log: list[Record], ways: list[tuple[int, Record]]) -> list[Record]:
    """Return the commands of a log with one more of several, each at its place."""
    place, command = one_of(draw, ways)
    commands = as_commands(log)
    return [*commands[:place], command, *commands[place:]]


def roads(game: Game, island: Island, adventurer: str) -> Iterator[list[str]]:
    """Yield the ways that an adventurer could go with the steps of the turn if it were alone."""
    here = island.where(adventurer)
    spot, side = BEACH[getattr(game.setup.layout, adventurer).beach]
    first = next(name for name, cell in CELLS.items() if cell == spot)
    is_open = here == "beach" and side in EXITS.get(island.tile(first) or 0, "")
    ways = [[first]] if is_open else [[cell] for cell in joined(island, here)]
    for _ in range(island.turn.steps):
        yield from ways
        ways = [[*way, cell] for way in ways for cell in joined(island, way[-1])]


def said(fields: Record) -> Any:  # noqa: ANN401 - the message of whatever type it is
    return decode({**fields})[0]


def neighbours(cell: str) -> list[str]:
    """Return the cells beside a cell; of a temple, all cells."""
    if cell not in CELLS:
        return [*CELLS]
    row, column = CELLS[cell]
    return [name for name, (other, beside) in CELLS.items() if abs(row - other) + abs(column - beside) == 1]


def anything_legal(game: Game) -> st.SearchStrategy[Command]:
    """Draw a legal command, and rather one of a rare kind."""
    by_kind: dict[type, list[Command]] = {}
    for command in legal_commands(game):
        by_kind.setdefault(type(command), []).append(command)
    return st.sampled_from([*by_kind.values()]).flatmap(st.sampled_from)


@st.composite
def anything(draw: st.DrawFn, game: Game) -> Command:
    """Draw a command that may be legal or not; a path follows roads, mostly."""
    kind = draw(st.sampled_from([Move, Move, Move, Move, Collect, Collect, Pass, Place, Discard, Draw]))
    player = draw(st.sampled_from(game.setup.players))
    if kind is Draw:
        return Draw(draw(st.integers(0, 37)))
    if kind is Place:
        return Place(player, draw(st.sampled_from([*CELLS])))
    if kind in (Discard, Pass):
        return (Discard if kind is Discard else Pass)(player)
    island = game.island(player)
    spots = {colour: island.where(colour) for colour in COLOURS}
    if kind is Collect:
        rich = [colour for colour, spot in spots.items() if spot in CELLS and island.treasure(spot)]
        return Collect(player, one_of(draw, [*rich, *rich, *rich, *COLOURS]))
    adventurer = draw(st.sampled_from(COLOURS))
    path = [spots[adventurer]]
    if path == ["beach"]:
        first, _ = BEACH[getattr(game.setup.layout, adventurer).beach]
        path.append(next(name for name, cell in CELLS.items() if cell == first))
    for _ in range(draw(st.integers(1, 4))):
        roads = joined(island, path[-1]) if draw(st.integers(0, 9)) else []
        path.append(draw(st.sampled_from(roads or neighbours(path[-1]))))
    return Move(player, adventurer, tuple(path[1:] + ["temple"] * draw(st.integers(0, 1))))


def joined(island: Island, cell: str) -> list[str]:
    """Return the cells to which a road leads from a cell, held or not."""
    here = EXITS.get(island.tile(cell) or 0, "") if cell in CELLS else ""
    return [
        beside
        for side in here
        for beside, spot in CELLS.items()
        if spot == (CELLS[cell][0] + SHIFT[side][0], CELLS[cell][1] + SHIFT[side][1])
        and OPPOSITE[side] in EXITS.get(island.tile(beside) or 0, "")
    ]


# Faults of seals


@fault
def a_wrong_seal(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log = log[: draw(st.integers(1, len(log)))]
    wrong = seal(log)
    count, digest = wrong["records"], wrong["digest"]
    wrong |= draw(
        st.sampled_from(
            [
                {"records": count - 1},
                {"records": count + 1},
                {"records": float(count)},
                {"records": count == 1},
                {"digest": digest[:-1] + ("0" if digest[-1] != "0" else "1")},
                {"digest": digest.upper()},
                {"digest": digest.removeprefix("sha256:")},
                {"digest": digest + " "},
                {"digest": seal([])["digest"]},
                {"algorithm": "sha256"},
            ]
        )
    )
    return [*log, wrong]


@fault
def a_seal_and_more(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(st.integers(1, len(log)))
    sealed = [*log[:place], seal(log[:place])]
    return sealed + one_of(draw, [log[place:] or log[1:], [seal(sealed)], sealed[-1:], log[1:2]])


@fault
def a_seal_of_other_bytes(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    """Change how the lines are written after they are sealed: each stays right, the seal does not."""
    place = draw(index(log))
    end = draw(st.sampled_from([b"\r\n", b" \n"]))
    rewritten = draw(st.sampled_from([b" ", b""])) + dump(log[place]).replace(b"\n", end)
    return [*log[:place], rewritten, *log[place + 1 :], seal(log)]


@fault
def a_change_under_a_seal(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    change = draw(st.sampled_from([a_value, a_record_less, a_record_twice, neighbours_swapped]))
    sealed = seal(log)
    return [*(line for line in change(draw, log) if not isinstance(line, bytes)), sealed]


# Faults of the text


def on_one_line(draw: st.DrawFn, log: list[Record], change: Callable[[bytes], bytes]) -> list[Line]:
    """Change the bytes of one line, its line end left out."""
    place = draw(index(log))
    line = change(dump(log[place]).removesuffix(b"\n"))
    return [*log[:place], line + b"\n", *log[place + 1 :]]


@fault
def a_doubled_key(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    def double(line: bytes) -> bytes:
        keys = [
            b'"type":',
            b'"player":',
            b'"\\u0074ype":',
            b'"beach":10,"beach":',
            b'"meta":{"a":1,"\\u0061":',
        ]
        key = draw(st.sampled_from(keys))
        end = b"}" if b"meta" in key else b""
        return line.removesuffix(b"}") + b"," + key + draw(st.sampled_from([b"1", b'"draw"'])) + end + b"}"

    return on_one_line(draw, log, double)


METAS_WITH_A_FAULT = (
    *('{"a":NaN}', '{"a":Infinity}', '[{"a":-Infinity}]', '{"a":01}', '{"a":+1}', '{"a":1.}', "{'a':1}"),
    *(r'{"a":"\ud800"}', r'{"\udfff":[]}', r'{"a":["\ude00\ud83d"]}', r'{"a":"\x41"}', '{"a":"\t"}'),
    *('{"a":9007199254740992}', '{"a":-9007199254740992}', '{"a":1e400}', '{"a":' + "9" * 5000 + "}"),
    *('{"a":1,"b":{"c":1,"c":1}}', '{"a":1,}', '{"a":1', "{} {}", "{}//", "{}\ufeff", "{}\x00", "{}\xa0"),
)
METAS_WITHOUT = (
    *('{"a":1.5e300}', '{"a":9007199254740991}', '{"a":-0.0}', '{"a":1e-400}', '{"":{"":[null,true]}}'),
    *(r'{"a":"\ud83d\ude00\u0000"}', '{ "a" : [ ] }', '{"a":{"b":1},"b":1}', '{"é":1,"e\u0301":1}', "{}"),
)


@fault
def a_meta_with_a_fault(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    meta = draw(st.sampled_from(METAS_WITH_A_FAULT)).encode()
    return on_one_line(draw, log, lambda line: line.removesuffix(b"}") + b',"meta":' + meta + b"}")


@fault
def a_number_in_another_form(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = one_of(draw, [at for at, line in enumerate(log) if any(type(v) is int for _, v in parts(line))])
    path, number = one_part(draw, log[place], int)
    form = draw(
        st.sampled_from(["{}.0", "{}e0", "{}E+0", "0{}", "+{}", "-{}", '"{}"', "{}00000000000000000"])
    )
    set_at(log[place], path, "the number")
    line = dump(log[place]).replace(b'"the number"', form.format(number).encode())
    return [*log[:place], line, *log[place + 1 :]]


@fault
def a_mark_or_a_blank(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    blanks = st.sampled_from(
        [b"\n", b"\r\n", b" \t\n", b"\xef\xbb\xbf\n", b"\xef\xbb\xbf", b"\xa0\n", b"\x0c\n"]
    )
    lines: list[Line] = [*log]
    lines.insert(draw(st.integers(0, len(log))), draw(blanks))
    return lines


@fault
def a_byte(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    """Change, take out or add one byte somewhere."""

    def flip(line: bytes) -> bytes:
        at = draw(st.integers(0, len(line) - 1))
        new = draw(
            st.sampled_from([b"", b"\n", b"\r", b'"', b"0", b",", b" ", b"\\", b"}", b"\xff", b"\x00"])
        )
        return line[:at] + new + line[at + draw(st.integers(0, 1)) :]

    return on_one_line(draw, log, flip)


@fault
def a_line_cut_off(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = draw(index(log))
    line = dump(log[place])
    return [*log[:place], line[: draw(st.integers(0, len(line)))]]


@fault
def two_records_on_a_line(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = draw(index(log[1:]))
    between = draw(st.sampled_from([b"", b" ", b"\r", b",", b"\x0b", b"\x85", b"\xe2\x80\xa8"]))
    joined = dump(log[place]).removesuffix(b"\n") + between + dump(log[place + 1])
    return [*log[:place], joined, *log[place + 2 :]]


@fault
def a_deep_meta(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    """128 levels are read, the record being the first and the meta the second."""
    levels = draw(st.sampled_from([125, 126, 127, 128, 200, 2000]))
    meta = b'{"a":' + b"[" * levels + b"]" * levels + b"}"
    return on_one_line(draw, log, lambda line: line.removesuffix(b"}") + b',"meta":' + meta + b"}")


@fault
def a_long_line(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    length = 2**20 + draw(st.sampled_from([-1, 0, 1, 2, 3]))
    filler = draw(st.sampled_from([b" ", b"\r"]))
    return on_one_line(draw, log, lambda line: line.ljust(length, filler))


# Changes that break nothing


@harmless
def nothing_changed(_draw: st.DrawFn, log: list[Record]) -> list[Record]:
    return log


@harmless
def a_cut(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    return log[: draw(st.integers(1, len(log)))]


@harmless
def a_seal(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log = log[: draw(st.integers(1, len(log)))]
    return [*log, seal(log) | draw(st.sampled_from([{}, {"meta": {}}]))]


@harmless
def a_seal_of_lines_as_they_stand(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    lines = [draw(st.sampled_from([b"", b" "])) + dump(line).replace(b"\n", b"\r\n") for line in log[:9]]
    return [*lines, seal(lines)]


@harmless
def a_meta(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    meta = draw(st.sampled_from(METAS_WITHOUT)).encode()
    return on_one_line(draw, log, lambda line: b'{"meta":' + meta + b"," + line.removeprefix(b"{"))


@harmless
def keys_in_another_order(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    backwards = draw(st.booleans())

    def reordered(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, dict):
            return {key: reordered(value[key]) for key in sorted(value, reverse=backwards)}
        return [reordered(item) for item in value] if isinstance(value, list) else value

    return [reordered(line) for line in log]


@harmless
def other_spaces(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    separators = draw(st.sampled_from([(", ", ": "), (" ,\t", "\r:"), (",", ":  ")]))
    around, end = draw(st.sampled_from([b"", b" ", b"\t\r"])), draw(st.sampled_from([b"\n", b"\r\n", b" \n"]))
    escaped = draw(st.booleans())
    return [
        around + json.dumps(line, separators=separators, ensure_ascii=escaped).encode() + end for line in log
    ]


@harmless
def no_last_line_end(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    *lines, last = log[: draw(st.integers(1, len(log)))]
    return [*lines, dump(last).removesuffix(b"\n")]


@harmless
def minus_nothing(_draw: st.DrawFn, log: list[Record]) -> list[Line]:
    return [dump(line).replace(b":0}", b":-0}").replace(b":0,", b":-0,") for line in log]


@harmless
def other_names(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    players = log[0]["players"]
    names = draw(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=64),
            min_size=len(players),
            max_size=len(players),
            unique=True,
        )
    )
    new = dict(zip(players, names, strict=True))

    def renamed(value: Any, field: str) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, dict):
            return {
                new.get(key, key) if field == "scores" else key: renamed(value[key], key) for key in value
            }
        if isinstance(value, list):
            return [renamed(item, field) for item in value]
        return new[value] if field in ("player", "players", "leader", "winners") else value

    return [renamed(line, "") for line in log]


@harmless
def turns_in_another_order(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Let the players of each round act one after the other, each in the order of the own records."""
    seats = draw(st.permutations(log[0]["players"]))
    ordered: list[Record] = []
    waiting: list[Record] = []
    for line in [*log, {"type": "end"}]:
        if "player" in line:
            waiting.append(line)
        else:
            ordered += sorted(waiting, key=lambda acted: seats.index(acted["player"]))
            ordered.append(line)
            waiting = []
    return ordered[:-1]


@harmless
def a_dawdler(_draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Split every move into moves of one step."""
    return [
        {**line, "path": [entry]} if entry else line for line in log for entry in line.get("path", [None])
    ]


# The tests


def expected(log: bytes) -> tuple[str, int]:
    """Return the naive judge's verdict on the first log of a stream; it reads no more than one."""
    try:
        return judge(log)
    except NotImplementedError:
        before, _, _ = log.rpartition(b'{"type":"game-started"')
        return expected(before)


RICH = (another_course, a_value, a_value_of_the_opening, the_names, the_distances, the_stacks)
"""Changes with very many outcomes, or with quick ones: each gets eight shares of the logs."""
SHARES = len(FAULTS | HARMLESS) + 7 * len(RICH)


def of_each(changes: dict[str, Change]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "change", [pytest.param(change, id=name) for name, change in changes.items()]
    )


def how_often(times: int) -> settings:
    return settings(
        max_examples=max(1, times * MUTANTS // SHARES),
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
        ],
    )


def check(change: Change, data: st.DataObject) -> None:
    """Change a log, and let both judges judge it."""
    log = data.draw(mutants(change))
    report = next(validate(io.BytesIO(log)))
    verdict, line = expected(log)

    event(verdict)
    note(f"line {line}: {log.splitlines()[line - 1 : line]!r}; {report.findings}")
    assert (report.verdict, report.findings[0].line if report.findings else 0) == (verdict, line)
    assert change.__name__ in FAULTS or verdict != "invalid"


@of_each({name: change for name, change in (FAULTS | HARMLESS).items() if change not in RICH})
@how_often(1)
@given(data=st.data())
def test_both_judges_say_the_same(change: Change, data: st.DataObject) -> None:
    check(change, data)


@of_each({change.__name__: change for change in RICH})
@how_often(8)
@given(data=st.data())
def test_both_judges_say_the_same_of_a_rich_choice(change: Change, data: st.DataObject) -> None:
    check(change, data)


@of_each(FAULTS)
def test_each_change_breaks_some_log(change: Change) -> None:
    first = settings(how_often(1), max_examples=100, phases=[Phase.generate], database=None)

    find(mutants(change).map(expected), lambda verdict: verdict[0] == "invalid", settings=first)
