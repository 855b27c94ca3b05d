"""The schemas of spec/schema take what the judge takes, and refuse what it refuses by its shape."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # its types are another package

from karuba_adapters import Fault, state_json, validate_file
from karuba_adapters.log_files import read_line
from karuba_adapters.schemas import record_schema, schema_files, state_schema
from karuba_core import CELLS
from tests.strategies import POOL, played, so_often

Keys = tuple[str | int, ...]

GAMES = Path(__file__).parents[1] / "games"
RIGHT_LOGS = sorted(
    path for folder in ("sound", "unfinished", "commands") for path in (GAMES / folder).iterdir()
)
RECORD, STATE = Draft202012Validator(record_schema()), Draft202012Validator(state_schema())
SEAL = {"type": "seal", "records": 9, "digest": "sha256:0"}
OF_EACH_TYPE: tuple[Any, ...] = (None, True, 1, 1.5, "x", ["x"], {"x": 1})


def takes_record(value: object) -> bool:
    """Return whether the schema takes a record; which one it is, is known by its type."""
    return bool(RECORD.is_valid(value))


def judge_takes(value: object) -> bool:
    """Return whether the judge takes the text and the shape of a record."""
    try:
        read_line(json.dumps(value).encode())
    except Fault:
        return False
    return True


def records(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_bytes().splitlines()]


def richest() -> dict[str, dict[str, Any]]:
    """Return a record of each type, the longest that some right logs have of it."""
    found: dict[str, dict[str, Any]] = {"seal": SEAL}
    for log in ("sound/04-3p-stop-casual.jsonl", "commands/04-3p-stop-casual.jsonl"):
        for record in records(GAMES / log):
            found[record["type"]] = max(
                found.get(record["type"], {}), record, key=lambda each: len(str(each))
            )
    return found


RICHEST = richest()
of_each_type = pytest.mark.parametrize("record", RICHEST.values(), ids=RICHEST)


def parts(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Yield every value in a JSON value, itself first, with the keys that lead to it."""
    yield keys, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from parts(inner, (*keys, key))


def altered(value: object, keys: Keys, change: Callable[[Any, Any], None]) -> Any:  # noqa: ANN401 - JSON
    """Return a copy of a JSON value in which something was done to the holder of the last key."""
    copy: Any = json.loads(json.dumps(value))
    inner = copy
    for key in keys[:-1]:
        inner = inner[key]
    change(inner, keys[-1])
    return copy


def put(value: object) -> Callable[[Any, Any], None]:
    def change(holder: Any, key: Any) -> None:  # noqa: ANN401 - JSON
        holder[key] = value

    return change


def drop(holder: Any, key: Any) -> None:  # noqa: ANN401 - JSON
    del holder[key]


# The files


@pytest.mark.parametrize(("name", "text"), schema_files().items(), ids=schema_files())
def test_a_schema_is_one_and_refers_only_to_what_it_has(name: str, text: str) -> None:
    schema = json.loads(text)
    Draft202012Validator.check_schema(schema)
    referred = {value for keys, value in parts(schema) if keys[-1:] == ("$ref",)}

    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert referred == {f"#/$defs/{each}" for each in schema["$defs"]}
    assert schema["$id"].startswith("urn:karuba:"), name


# Records


@pytest.mark.parametrize("log", RIGHT_LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_every_record_of_a_right_log_is_taken(log: Path) -> None:
    taken = [record for record in records(log) if takes_record(record)]

    assert taken == records(log)


def test_each_type_has_its_definition() -> None:
    named = [reference["$ref"].removeprefix("#/$defs/") for reference in record_schema()["oneOf"]]

    assert sorted(named) == sorted(RICHEST)
    assert all(record_schema()["$defs"][name]["title"] == name for name in named)
    assert {kind for kind, record in RICHEST.items() if takes_record(record)} == set(named)


@of_each_type
def test_no_field_of_a_record_may_be_missing(record: dict[str, Any]) -> None:
    fields = [
        keys
        for keys, _ in parts(record)
        if keys and isinstance(keys[-1], str) and keys[:-1] != ("scores",)  # there keys are names
    ]

    assert [keys for keys in fields if takes_record(altered(record, keys, drop))] == []
    assert len(fields) >= len(record)


@of_each_type
@pytest.mark.parametrize("name", ["Meta", "rounds", "type_", ""])
def test_no_field_of_a_record_may_be_unknown(record: dict[str, Any], name: str) -> None:
    """At any depth: `meta`, too, has its one place at the top."""
    objects = [keys for keys, value in parts(record) if isinstance(value, dict) and keys != ("scores",)]
    names = [(*keys, name) for keys in objects] + [(*keys, "meta") for keys in objects if keys]

    assert [keys for keys in names if takes_record(altered(record, keys, put({})))] == []


@of_each_type
def test_a_field_of_a_record_has_one_json_type(record: dict[str, Any]) -> None:
    wrong = [
        (keys, value)
        for keys, right in parts(record)
        for value in OF_EACH_TYPE
        if keys and type(value) is not type(right)
    ]

    assert [each for each in wrong if takes_record(altered(record, each[0], put(each[1])))] == []
    assert len(wrong) >= 6 * len(record)


@of_each_type
@pytest.mark.parametrize("name", [*RICHEST, "Draw", "draw ", "", "__class__"])
def test_a_record_of_another_type_is_taken_where_the_judge_takes_it(
    record: dict[str, Any], name: str
) -> None:
    """Some types have the same fields: a `discard` and a `pass`, say."""
    renamed = {**record, "type": name}

    assert takes_record(renamed) == judge_takes(renamed)


@of_each_type
def test_a_meta_is_any_object(record: dict[str, Any]) -> None:
    for value in OF_EACH_TYPE:
        assert takes_record({**record, "meta": value}) == isinstance(value, dict)
    assert takes_record({**record, "meta": {"type": 1, "meta": [1e300, None, {"": True}]}})


@pytest.mark.parametrize("value", [value for value in OF_EACH_TYPE if not isinstance(value, dict)])
def test_a_record_is_an_object(value: object) -> None:
    assert not takes_record(value)


@pytest.mark.parametrize("written_in", ["karuba-log/2", "karuba-log/1 ", "", None])
def test_an_opening_is_of_this_format(written_in: object) -> None:
    assert not takes_record({**RICHEST["game-started"], "format": written_in})


@pytest.mark.parametrize("number", [2**53 - 1, 2**53, 2**64, 10**30])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_integer_has_the_range_of_the_format(number: int, sign: int) -> None:
    draw = {"type": "draw", "tile": sign * number}

    assert takes_record(draw) == judge_takes(draw) == (number < 2**53)


def test_words_and_tiles_that_no_rule_knows_have_a_right_shape() -> None:
    for record in RICHEST.values():
        for keys, value in parts(record):
            if keys not in {(), ("type",), ("format",)} and isinstance(value, str | int):
                assert takes_record(altered(record, keys, put("z9" if isinstance(value, str) else -99)))


def test_an_integral_float_is_the_one_value_that_only_the_judge_refuses() -> None:
    draw = {"type": "draw", "tile": 1.0}

    assert takes_record(draw)
    assert not judge_takes(draw)


@cache
def of_the_broken_games() -> list[tuple[Path, str, object]]:
    """Return the faults of the broken games that are of one record, with that record."""
    found = []
    for log in sorted((GAMES / "broken").iterdir()):
        for finding in (finding for report in validate_file(log) for finding in report.findings):
            family = finding.code.partition("/")[0]
            if family in ("shape", "rule", "mismatch", "setup"):
                line = log.read_bytes().splitlines()[finding.line - 1]
                found.append((log, family, json.loads(line)))
    return found


def test_of_the_broken_games_those_of_a_wrong_shape_are_refused() -> None:
    families = {family for _, family, _ in of_the_broken_games()}

    assert {"shape", "rule", "mismatch"} <= families
    for log, family, record in of_the_broken_games():
        assert takes_record(record) == (family != "shape"), log.name


NAMES = sorted({str(key) for record in RICHEST.values() for keys, _ in parts(record) for key in keys})
words = st.sampled_from([*RICHEST, "karuba-log/1", "karuba-log/2", "ana", "a1", "z9", "temple", ""])
integers = st.integers(-3, 40) | st.sampled_from([2**53 - 1, 2**53, 1 - 2**53, -(2**53), 10**20])
scalars = st.none() | st.booleans() | integers | st.sampled_from([0.5, -1.5, 1e-9]) | words
values = st.recursive(
    scalars | st.sampled_from([part for record in RICHEST.values() for _, part in parts(record)]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=4,
)


def alike(value: object) -> st.SearchStrategy[Any]:
    """Return other values of the same JSON type, and of much the same inside."""
    if isinstance(value, list) and value:
        return st.lists(st.sampled_from(value), max_size=4)
    if isinstance(value, dict) and value:
        return st.dictionaries(st.sampled_from([*value, "x"]), st.sampled_from([*value.values()]), max_size=4)
    same: dict[type, st.SearchStrategy[Any]] = {str: words, int: integers}
    return same.get(type(value), st.just(value))


@st.composite
def nearly_records(draw: st.DrawFn) -> Any:  # noqa: ANN401 - JSON
    """Draw a record of any type, half of them with a meta, in which up to three values are others.

    Most of these are of the same JSON type as before; some fields are lost, some are new.
    """
    value: Any = draw(st.sampled_from([*RICHEST.values()]))
    value = value | draw(
        st.just({}) | st.fixed_dictionaries({"meta": st.dictionaries(words, values, max_size=2)})
    )
    for _ in range(draw(st.integers(0, 3))):
        keys, old = draw(st.sampled_from([part for part in parts(value) if part[0] != ()]))
        how = draw(st.sampled_from(["alike", "alike", "alike", "alike", "any", "lost", "new"]))
        if how == "lost" and keys != ("type",):
            value = altered(value, keys, drop)
        elif how == "new" and isinstance(old, dict):
            value = altered(value, (*keys, draw(st.sampled_from([*NAMES, "meta", "x"]))), put(draw(values)))
        else:
            value = altered(value, keys, put(draw(alike(old) if how == "alike" else values)))
    return value


@so_often(250)
@given(nearly_records())
def test_near_a_record_the_schema_and_the_judge_agree(value: Any) -> None:  # noqa: ANN401 - JSON
    meta = value.get("meta")
    assume(not any(isinstance(part, int) and abs(part) >= 2**53 for _, part in parts(meta)))

    assert takes_record(value) == judge_takes(value)


# States


@pytest.mark.parametrize("row", POOL[::7], ids=str)
def test_every_state_of_a_game_is_taken(row: Any) -> None:  # noqa: ANN401 - a row of the pool
    """Games of 2 to 4 players, of each pick-up rule: where something is due, at the end, and now and then."""
    states = [json.loads(orjson.dumps(state_json(game))) for game in played(row).games]
    states = [state for number, state in enumerate(states) if state["due"] or number % 5 == 0] + states[-1:]

    assert [state for state in states if not STATE.is_valid(state)] == []
    assert {state["due"] for state in states} == {None, "round-ended", "game-ended"}
    assert {state["phase"] for state in states} == {"draw", "turns", "over"}


@cache
def full_states() -> list[dict[str, Any]]:
    """Return two states of a game that have something everywhere: in a turn after awards, and at the end."""
    states = [json.loads(orjson.dumps(state_json(game))) for game in played(("stop", 3, "planner", 1)).games]
    walking = [
        state
        for state in states
        if state["awards"] and any(island["turn"]["adventurer"] for island in state["islands"].values())
    ]
    return [walking[-1], states[-1]]


BY_NAME = {"islands", "scores"}  # by any name, that is
BY_CELL = {"tiles", "treasures"}
NULLABLE = {"due", "reason", "adventurer"}


def members(state: dict[str, Any]) -> Iterator[tuple[Keys, Any]]:
    """Yield the members of a state, at any depth; of those that are alike, the first."""
    seen = set()
    for keys, value in parts(state):
        alike = tuple(
            key for key in keys if key not in {*state["players"], *CELLS} and not isinstance(key, int)
        )
        if keys and (alike, type(value)) not in seen:
            seen.add((alike, type(value)))
            yield keys, value


def test_no_member_of_a_state_may_be_missing() -> None:
    tried = 0
    for state in full_states():
        for keys, _ in members(state):
            if isinstance(keys[-1], str) and not {*keys[-2:-1]} & (BY_NAME | BY_CELL):
                assert not STATE.is_valid(altered(state, keys, drop)), keys
                tried += 1

    assert tried > 80


@pytest.mark.parametrize("name", ["meta", "Round", "", "z9", "red"])
def test_no_member_of_a_state_may_be_unknown(name: str) -> None:
    for state in full_states():
        assert not STATE.is_valid({**state, name: 1})
        for keys, value in members(state):
            if isinstance(value, dict) and keys[-1] not in BY_NAME:
                like = next(iter(value.values()))
                assert not STATE.is_valid(altered(state, (*keys, name), put(like))), keys


def test_a_member_of_a_state_has_its_json_types() -> None:
    for state in full_states():
        for keys, right in members(state):
            for wrong in OF_EACH_TYPE:
                if type(wrong) is not type(right) and not (wrong is None and keys[-1] in NULLABLE):
                    assert not STATE.is_valid(altered(state, keys, put(wrong))), (keys, wrong)


def test_every_word_of_a_state_but_a_name_is_known() -> None:
    for state in full_states():
        for keys, right in members(state):
            if isinstance(right, str):
                is_name = {"players", "leader", "winners", "player"} & {*keys}
                assert STATE.is_valid(altered(state, keys, put("red"))) == bool(is_name), keys


@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        (("format",), "karuba-state/2"),
        (("phase",), "closed"),
        (("players",), ["ana"]),
        (("players",), ["ana", "ben", "ana"]),
        (("players",), ["ana", "ben", "cleo", "dan", "eve"]),
        (("leader",), ""),
        (("leader",), "a\n"),
        (("leader",), "\x9f"),
        (("leader",), "a" * 65),
        (("layout", "blue", "beach"), 15),
        (("layout", "blue", "beach"), 120),
        (("layout", "blue", "jungle"), 0),
        (("rules", "pickup"), "Stop"),
        (("rules", "separation"), "edge-5"),
        (("rules", "temple_treasures"), [5]),
        (("rules", "temple_treasures"), [1] * 9),
        (("rules", "temple_treasures"), [100, 1]),
        (("round",), 37),
        (("round",), -1),
        (("drawn",), [0]),
        (("drawn",), [37]),
        (("drawn",), [7, 7]),
        (("due",), "tile-drawn"),
        (("islands",), {}),
        (("islands", "ana", "tiles"), {"a6": 1}),
        (("islands", "ana", "tiles"), {"a1": 0}),
        (("islands", "ana", "tiles"), {"a1\n": 1}),
        (("islands", "ana", "treasures"), {"a1": "silver"}),
        (("islands", "ana", "treasures"), {"g1": "gold"}),
        (("islands", "ana", "adventurers", "blue"), "z9"),
        (("islands", "ana", "adventurers", "blue"), "home"),
        (("islands", "ana", "turn", "stage"), "home"),
        (("islands", "ana", "turn", "steps"), 5),
        (("islands", "ana", "turn", "steps"), -1),
        (("islands", "ana", "turn", "adventurer"), "ana"),
        (("temple_treasures", "blue"), [0]),
        (("awards", 0, "temple"), "temple"),
        (("awards", 0, "token"), 0),
        (("awards", 0, "crystals"), -1),
        (("scores",), {}),
        (("scores", "ana", "total"), -1),
        (("scores", "ana", "tiles"), -1),
        (("scores", "ana", "tiles"), 31),
        (("reason",), "over"),
        (("winners",), ["ana", "ana"]),
        (("winners",), ["ana", "ben", "cleo", "dan", "eve"]),
    ],
)
def test_what_no_state_says_is_refused(keys: Keys, wrong: object) -> None:
    assert all(STATE.is_valid(state) for state in full_states())
    assert not any(STATE.is_valid(altered(state, keys, put(wrong))) for state in full_states())


@pytest.mark.parametrize("key", ["islands", "scores"])
def test_two_to_four_play(key: str) -> None:
    state = full_states()[0]
    one = state[key]["ana"]

    taken = [STATE.is_valid({**state, key: dict.fromkeys("abcde"[:count], one)}) for count in range(6)]
    assert taken == [False, False, True, True, True, False]
