"""Records become messages only where their shape is exactly right, and are written as they were read."""

import json
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karuba_adapters import Fault, Message, Seal, ShapeFault, decode, encode
from karuba_adapters.codec import FORMAT, decode_at_once
from karuba_adapters.log_files import read_line
from karuba_core import Command, Draw, Event, GameEnded, Score, TilePlaced, TurnPassed, Violation

Keys = tuple[str | int, ...]

KINDS = (*get_args(Event), *get_args(Command), Seal)
OPENING = {
    "type": "game-started",
    "format": "karuba-log/1",
    "players": ["ana", "ben"],
    "leader": "ana",
    "layout": {
        "blue": {"beach": 100, "jungle": 80},
        "brown": {"beach": 50, "jungle": 40},
        "purple": {"beach": 60, "jungle": 10},
        "yellow": {"beach": 10, "jungle": 30},
    },
    "rules": {"pickup": "stop", "temple_treasures": [5, 3], "separation": "edge-3"},
}
POINTS = {"temples": 8, "crystals": 3, "gold": 1, "total": 13, "tiles": 20}
RIGHT: list[dict[str, Any]] = [
    OPENING,
    {"type": "tile-drawn", "round": 1, "tile": 7},
    {"type": "tile-placed", "player": "ana", "tile": 7, "cell": "a1"},
    {"type": "tile-discarded", "player": "ana", "tile": 7, "steps": 4},
    {"type": "adventurer-moved", "player": "ana", "adventurer": "blue", "path": ["a1", "temple"]},
    {"type": "treasure-collected", "player": "ana", "adventurer": "blue", "cell": "a1", "treasure": "gold"},
    {"type": "turn-passed", "player": "ana"},
    {
        "type": "round-ended",
        "round": 1,
        "awards": [
            {"player": "ana", "temple": "blue", "token": 5, "crystals": 0},
            {"player": "ben", "temple": "blue", "token": 3, "crystals": 2},
        ],
    },
    {
        "type": "game-ended",
        "reason": "all-home",
        "scores": {"ana": POINTS, "ben": POINTS},
        "winners": ["ana", "ben"],
    },
    {"type": "draw", "tile": 7},
    {"type": "place", "player": "ana", "cell": "a1"},
    {"type": "discard", "player": "ana"},
    {"type": "move", "player": "ana", "adventurer": "blue", "path": ["a1", "temple"]},
    {"type": "collect", "player": "ana", "adventurer": "blue"},
    {"type": "pass", "player": "ana"},
    {"type": "seal", "records": 9, "digest": "sha256:0"},
]
WORDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    int: "an integer",
    float: "a number that is no integer",
    bool: "a boolean",
    type(None): "null",
}
VALUES: tuple[Any, ...] = (None, True, False, 0, 1, 1.0, -0.0, 0.5, "", "1", [], [1], {}, {"a": 1})

of_each_type = pytest.mark.parametrize("fields", RIGHT, ids=lambda fields: fields["type"])


def compact(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def message_of(value: object) -> Message:
    return read_line(compact(value))[0]


def faults(value: object) -> tuple[Violation, ...]:
    with pytest.raises(Fault) as raised:
        message_of(value)
    return raised.value.faults


def faults_in_short(value: object) -> list[tuple[str, str]]:
    return sorted((fault.code, fault.path) for fault in faults(value))


def parts(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Yield every value in a JSON value, itself first, with the keys that lead to it."""
    yield keys, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from parts(inner, (*keys, key))


def path(keys: Keys) -> str:
    return "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)


def altered(fields: dict[str, Any], keys: Keys, *value: object) -> dict[str, Any]:
    """Return a copy of a record with another value somewhere, or with none there."""
    copy: Any = json.loads(json.dumps(fields))
    inner = copy
    for key in keys[:-1]:
        inner = inner[key]
    if value:
        inner[keys[-1]] = value[0]
    else:
        del inner[keys[-1]]
    return dict(copy)


def test_there_is_a_record_of_each_type() -> None:
    assert [fields["type"] for fields in RIGHT] == [kind.name for kind in KINDS]


# Written as read


@of_each_type
def test_a_record_is_written_in_the_order_of_the_format(fields: dict[str, Any]) -> None:
    backwards = dict(reversed(fields.items()))

    assert encode(message_of(fields)) == encode(message_of(backwards)) == compact(fields)


@of_each_type
@pytest.mark.parametrize("meta", [{}, {"type": "draw", "meta": {"a": [1.0, -0.0, 0.5, None, "\u2028"]}}])
def test_a_meta_is_kept_and_written_last(fields: dict[str, Any], meta: dict[str, Any]) -> None:
    message, kept = read_line(compact({"meta": meta, **fields}))
    line = encode(message, kept)

    assert line == compact({**fields, "meta": meta})
    assert repr(json.loads(line)["meta"]) == repr(meta)  # tells 0.0 from -0.0, and 1 from 1.0


@of_each_type
def test_no_meta_is_written_where_none_was_read(fields: dict[str, Any]) -> None:
    message, meta = read_line(compact(fields))

    assert meta is None
    assert b"meta" not in encode(message, meta)


texts = st.text(st.characters(codec="utf-8"), max_size=9) | st.text('"\\\0\n/\u202e\u2028😀', max_size=9)
integers = st.integers(-(2**53) + 1, 2**53 - 1)
metas = st.none() | st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | integers | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)


def values(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - a type as it stands in an annotation
    """Return a strategy for the values of a type: anything that has the right shape, sense or none."""
    if kind is int:
        return integers
    if kind is str:
        return texts
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        key = attrs.astuple if item is not Score else lambda score: score.player
        lists = st.lists(values(item), max_size=4, unique_by=key if attrs.has(item) else None)
        return lists.map(tuple)
    return st.builds(kind, **{field.name: values(field.type) for field in attrs.fields(kind)})


@settings(max_examples=600, deadline=None)
@given(message=st.one_of(*map(values, KINDS)), meta=metas)
def test_what_is_written_is_read_back(message: Message, meta: dict[str, Any] | None) -> None:
    line = encode(message, meta)
    written = json.loads(line)

    again, kept = read_line(line)
    assert (again, kept) == (message, meta)
    assert type(again) is type(message)
    assert list(written) == sorted(written, key=lambda name: (name != "type", name == "meta"))
    assert line == compact(written)
    assert encode(again, kept) == line


# Faults of one field


@of_each_type
def test_every_field_has_one_json_type(fields: dict[str, Any]) -> None:
    tried = 0
    for keys, right in parts(fields):
        for wrong in VALUES:
            if keys and type(wrong) is not type(right):
                (fault,) = faults(altered(fields, keys, wrong))
                assert (fault.code, fault.rule, fault.path) == ("shape/wrong-type", "F-SHAPE-3", path(keys))
                expected, got = WORDS[type(right)], WORDS[type(wrong)]
                assert fault.message.startswith(f"expected {expected}, got {got}")
                tried += 1
    assert tried >= 12 * len(fields)


@of_each_type
def test_no_field_may_be_missing(fields: dict[str, Any]) -> None:
    for keys, _ in parts(fields):
        if keys and isinstance(keys[-1], str) and keys[:-1] != ("scores",):
            (fault,) = faults(altered(fields, keys))
            assert (fault.code, fault.rule, fault.path) == ("shape/missing-field", "F-SHAPE-2", path(keys))


@of_each_type
@pytest.mark.parametrize("name", ["Meta", "rounds", "name", "type_", "a-b", "", "\u202e", "__class__"])
def test_no_field_may_be_unknown(fields: dict[str, Any], name: str) -> None:
    """At any depth: `meta`, too, has its one place at the top."""
    for keys, value in parts(fields):
        if isinstance(value, dict) and keys != ("scores",):
            names = [name, "meta"] if keys else [name]
            for unknown in names:
                member = f".{unknown}" if unknown.isidentifier() else f"[{unknown!r}]"
                (fault,) = faults(altered(fields, (*keys, unknown), {"inner": 1.0}))
                assert (fault.code, fault.rule) == ("shape/unknown-field", "F-SHAPE-2")
                assert fault.path == path(keys) + member


@pytest.mark.parametrize("wrong", [value for value in VALUES if type(value) is not dict])
def test_a_meta_is_an_object(wrong: object) -> None:
    assert faults_in_short({"type": "draw", "tile": 1, "meta": wrong}) == [("shape/wrong-type", "$.meta")]


@pytest.mark.parametrize("number", [b"-0", b"0"])
def test_minus_nothing_is_nothing(number: bytes) -> None:
    message, _ = read_line(b'{"type":"draw","tile":' + number + b"}")

    assert message == Draw(0)
    assert encode(message) == b'{"type":"draw","tile":0}\n'


@pytest.mark.parametrize("number", [b"1.0", b"1e0", b"1E+0", b"10e-1", b"-0.0"])
def test_a_number_written_as_a_float_is_no_integer(number: bytes) -> None:
    with pytest.raises(ShapeFault) as raised:
        read_line(b'{"type":"draw","tile":' + number + b"}")

    assert [(fault.code, fault.path) for fault in raised.value.faults] == [("shape/wrong-type", "$.tile")]


# Several faults, and which of them count

POINTLESS = {**POINTS, "tiles": None}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, [("shape/wrong-type", "$")]),
        (1, [("shape/wrong-type", "$")]),
        ("draw", [("shape/wrong-type", "$")]),
        ([{"type": "draw", "tile": 1}], [("shape/wrong-type", "$")]),
        ({}, [("shape/missing-field", "$.type")]),
        ({"tile": 1}, [("shape/missing-field", "$.type")]),
        ({"meta": 1}, [("shape/missing-field", "$.type"), ("shape/wrong-type", "$.meta")]),
        ({"type": {}, "meta": []}, [("shape/wrong-type", "$.meta"), ("shape/wrong-type", "$.type")]),
        ({"type": None, "tile": "x"}, [("shape/wrong-type", "$.type")]),
        ({"type": ["draw"], "tile": 1}, [("shape/wrong-type", "$.type")]),
        ({"type": "Draw", "tile": 1}, [("shape/unknown-type", "$.type")]),
        ({"type": "draw ", "tile": 1}, [("shape/unknown-type", "$.type")]),
        ({"type": "", "a": 1.5}, [("shape/unknown-type", "$.type")]),
        ({"type": "__class__"}, [("shape/unknown-type", "$.type")]),
        (
            {"type": "draw", "round": 1},
            [("shape/missing-field", "$.tile"), ("shape/unknown-field", "$.round")],
        ),
        (
            {"type": "tile-placed", "player": 1, "tile": "7", "cell": None, "b": 1, "a": 0.5},
            [
                ("shape/unknown-field", "$.a"),
                ("shape/unknown-field", "$.b"),
                ("shape/wrong-type", "$.cell"),
                ("shape/wrong-type", "$.player"),
                ("shape/wrong-type", "$.tile"),
            ],
        ),
        (
            {"type": "move", "player": "ana", "path": ["a1", 2, None, "b1", []], "cell": "a1"},
            [
                ("shape/missing-field", "$.adventurer"),
                ("shape/unknown-field", "$.cell"),
                ("shape/wrong-type", "$.path[1]"),
                ("shape/wrong-type", "$.path[2]"),
                ("shape/wrong-type", "$.path[4]"),
            ],
        ),
        (
            {
                "type": "round-ended",
                "awards": [{}, 7, {"player": "", "temple": "", "token": 1, "crystal": 1}],
            },
            [
                ("shape/missing-field", "$.awards[0].crystals"),
                ("shape/missing-field", "$.awards[0].player"),
                ("shape/missing-field", "$.awards[0].temple"),
                ("shape/missing-field", "$.awards[0].token"),
                ("shape/missing-field", "$.awards[2].crystals"),
                ("shape/missing-field", "$.round"),
                ("shape/unknown-field", "$.awards[2].crystal"),
                ("shape/wrong-type", "$.awards[1]"),
            ],
        ),
        (
            {"type": "game-started", "players": "ana", "layout": {"blue": {"beach": 10}, "red": {}}},
            [
                ("shape/missing-field", "$.format"),
                ("shape/missing-field", "$.layout.blue.jungle"),
                ("shape/missing-field", "$.layout.brown"),
                ("shape/missing-field", "$.layout.purple"),
                ("shape/missing-field", "$.layout.yellow"),
                ("shape/missing-field", "$.leader"),
                ("shape/missing-field", "$.rules"),
                ("shape/unknown-field", "$.layout.red"),
                ("shape/wrong-type", "$.players"),
            ],
        ),
        ({**OPENING, "format": 1}, [("shape/wrong-type", "$.format")]),
        (
            {"type": "game-ended", "reason": 1, "scores": [], "winners": {}},
            [
                ("shape/wrong-type", "$.reason"),
                ("shape/wrong-type", "$.scores"),
                ("shape/wrong-type", "$.winners"),
            ],
        ),
    ],
)
def test_all_faults_of_a_record_are_found(value: object, found: list[tuple[str, str]]) -> None:
    """F-SHAPE-1, F-SHAPE-2, F-SHAPE-3."""
    assert faults_in_short(value) == found


@pytest.mark.parametrize(
    "value",
    [
        {**OPENING, "format": "karuba-log/2"},
        {**OPENING, "format": "karuba-log/1 "},
        {**OPENING, "format": ""},
        {**OPENING, "format": "karuba-log/2", "players": 5, "board": [1.5]},
        {"type": "game-started", "format": "KARUBA-LOG/1"},
    ],
)
def test_of_an_unknown_format_nothing_else_is_said(value: dict[str, Any]) -> None:
    (fault,) = faults(value)

    assert (fault.code, fault.rule, fault.path) == ("log/unknown-format", "F-LOG-2", "$.format")
    assert fault.message == f"expected format karuba-log/1, got {json.dumps(value['format'])}"
    assert FORMAT == "karuba-log/1"


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("ana", ".ana"),
        ("小明", ".小明"),
        ("", "['']"),
        ("a b", "['a b']"),
        ("$.x[0]", "['$.x[0]']"),
        ("it's", "['it\\'s']"),
        ('a"b\\', "['a\"b\\\\']"),
        ("\u202ed\n", "['\\u202ed\\n']"),
        ("player", ".player"),
        ("type", ".type"),
        ("meta", ".meta"),
        ("0", "['0']"),
    ],
)
def test_scores_may_be_keyed_by_any_name(name: str, member: str) -> None:
    fields = {"type": "game-ended", "reason": "", "scores": {name: POINTS}, "winners": []}
    message = message_of(fields)

    assert isinstance(message, GameEnded)
    assert message.scores == (Score(name, **POINTS),)
    assert encode(message) == compact(fields)
    assert faults_in_short({**fields, "scores": {name: {**POINTLESS, "player": name}, "b": 1}}) == sorted(
        [
            ("shape/unknown-field", f"$.scores{member}.player"),
            ("shape/wrong-type", f"$.scores{member}.tiles"),
            ("shape/wrong-type", "$.scores.b"),
        ]
    )


@pytest.mark.parametrize(
    "value",
    [
        {"type": "x" * 100_000},
        {"type": "draw", "tile": "y" * 100_000},
        {"type": "draw", "tile": [[[["z" * 100] * 9] * 9] * 9] * 9},
        {"type": "draw", "tile": {"k" * 100_000: 1}},
        {"type": "draw", "tile": 1, "u" * 100_000: 1},
        {"type": "game-started", "format": "f" * 100_000},
    ],
)
def test_what_is_said_of_a_fault_is_short(value: object) -> None:
    (fault,) = faults(value)

    assert len(fault.message) + len(fault.path) < 1000


def test_a_message_does_not_change_when_its_value_does() -> None:
    path = ["a1"]
    message, _ = decode({"type": "move", "player": "ana", "adventurer": "blue", "path": path})
    path.append("b1")

    assert encode(message) == b'{"type":"move","player":"ana","adventurer":"blue","path":["a1"]}\n'


def test_a_fault_says_all_of_itself() -> None:
    with pytest.raises(ShapeFault) as raised:
        message_of({"type": "draw", "tile": "7", "round": 1})

    text = str(raised.value)
    assert 'expected an integer, got a string: "7" [shape/wrong-type]' in text
    assert "this field is unknown; what is beside the game goes into meta [shape/unknown-field]" in text


def test_names_are_written_as_themselves() -> None:
    line = encode(TilePlaced('"É\\小\u202e\x07', 7, "a1"))

    assert line == '{"type":"tile-placed","player":"\\"É\\\\小\u202e\\u0007","tile":7,"cell":"a1"}\n'.encode()


@pytest.mark.parametrize(
    "meta",
    [
        {"at": float("nan")},
        {"at": float("inf")},
        {"at": 2**53},
        {"at": (1, 2)},
        {"at": "\ud800"},
        {"at": object()},
        {1: 2},
    ],
    ids=["nan", "infinity", "large", "tuple", "surrogate", "object", "key"],
)
def test_a_meta_that_no_reader_would_take_as_it_is_is_not_written(meta: dict[str, Any]) -> None:
    """F-META-1."""
    with pytest.raises(ShapeFault) as raised:
        encode(Draw(7), meta)
    assert [(fault.code, fault.rule, fault.path) for fault in raised.value.faults] == [
        ("shape/wrong-type", "F-SHAPE-3", "$.meta")
    ]


def test_a_name_that_is_no_unicode_is_not_written() -> None:
    with pytest.raises(ShapeFault):
        encode(TurnPassed("\ud800"))


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "round-ended", "round": 1, "awards": [{}] * 30_000},
        {"type": "round-ended", "round": 1, "awards": [0] * 30_000},
        {"type": "pass", "player": "ana"} | {f"x{n}": n for n in range(30_000)},
        {"type": "game-ended", "reason": "", "winners": [], "scores": {f"x{n}": {} for n in range(30_000)}},
    ],
    ids=["objects", "numbers", "fields", "scores"],
)
def test_of_a_crowd_of_faults_the_first_are_told(fields: dict[str, Any]) -> None:
    with pytest.raises(ShapeFault) as raised:
        decode(fields)
    assert len(raised.value.faults) == 100


def test_a_fault_beyond_the_first_entries_is_a_fault() -> None:
    award = {"player": "ana", "temple": "blue", "token": 5, "crystals": 0}
    with pytest.raises(ShapeFault) as raised:
        decode({"type": "round-ended", "round": 1, "awards": [award] * 200 + [{}]})
    assert [fault.code for fault in raised.value.faults] == ["shape/wrong-type"]


# Read at once


@of_each_type
def test_a_line_as_written_is_read_at_once(fields: dict[str, Any]) -> None:
    line = compact(fields)
    assert decode_at_once(line) == message_of(fields)
    assert decode_at_once(line) is not None


@of_each_type
def test_what_is_read_at_once_is_read_alike_with_care(fields: dict[str, Any]) -> None:
    """Whatever is changed of a record: a value, a field too few or too many, its `meta`."""
    changed = [
        altered(fields, keys, *value)
        for keys, _ in parts(fields)
        if keys
        for value in ((), *((value,) for value in VALUES))
    ]
    extra = [{**fields, name: value} for name in ("meta", "x", "player") for value in VALUES]
    for record in (*changed, *extra):
        line = compact(record)
        said = decode_at_once(line)
        try:
            expected = read_line(line)
        except Fault:
            assert said is None, record
        else:
            assert said is None or (said, None) == expected, record


DRAW = b'{"type":"draw","tile":7}\n'


@pytest.mark.parametrize(
    "line",
    [
        *(
            DRAW.rstrip(),
            DRAW.replace(b"\n", b"\r\n"),
            DRAW.replace(b"\n", b" \n"),
            DRAW + b"\n",
            b"\xef\xbb\xbf" + DRAW,
        ),
        *(DRAW.replace(b":", b": "), DRAW.replace(b"a", b"\\u0061"), DRAW.replace(b"7", b'7,"tile":7')),
        *(
            DRAW.replace(b"7", value)
            for value in (b"9007199254740993", b"7.0", b"1e1", b"-0", b'"\xff"', b'"\\ud800"')
        ),
        *(b"nope\n", b"", b"\n", b"[]\n", b"7\n", b'"type"\n', b"null\n", b"{}\n"),
        *(b'{"type":[]}\n', b'{"type":{}}\n', b'{"type":7}\n'),
    ],
)
def test_what_does_not_stand_as_it_is_written_is_not_read_at_once(line: bytes) -> None:
    assert decode_at_once(line) is None
