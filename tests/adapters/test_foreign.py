"""A log of another shape is read as its mapping file says; what does not fit is told, nothing is left out."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import Message, Report, validate
from karuba_adapters.foreign import LARGEST_DOCUMENT, read_foreign
from karuba_adapters.foreign_shape import ForeignShape
from karuba_adapters.mapping import WrongMapping, read_mapping
from karuba_adapters.queries import NoAnswer, WrongQuery, query
from karuba_core import (
    Collect,
    Discard,
    Draw,
    Event,
    GameStarted,
    Move,
    Pass,
    Place,
    TileDrawn,
    command_of,
    preset,
)
from tests.strategies import Played, so_often, whole_games

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
EXAMPLE = (EXAMPLES / "foreign.toml").read_text("utf-8")
LINES = (EXAMPLES / "foreign.ndjson").read_bytes().splitlines(keepends=True)

OPENING = """
[opening]
players = ["ana", "ben"]
leader = "'ana'"
preset = "official"
layout.blue = { beach = 10, jungle = 60 }
layout.brown = { beach = 50, jungle = 70 }
layout.purple = { beach = 70, jungle = 90 }
layout.yellow = { beach = 100, jungle = 30 }
"""
DRAWS = '[[rule]]\nwrite = { type = "draw", tile = "tile" }\n'
SMALL = f"header = 0\n{OPENING}{DRAWS}"
"""A mapping that takes each record for a draw; all of the opening is in it."""


def read(log: bytes, shape: ForeignShape | str) -> tuple[Report, list[tuple[int, Message, Any]]]:
    """Return the report of a log, and line, message and meta of its records."""
    said: list[tuple[int, Message, Any]] = []
    found = read_mapping(shape) if isinstance(shape, str) else shape
    (report,) = validate(
        io.BytesIO(log),
        "-",
        lambda right: said.append((right.line, right.message, right.meta)),
        read=lambda stream: read_foreign(stream, found),
    )
    return report, said


def messages(log: bytes, shape: ForeignShape | str) -> list[Message]:
    """Return what a log says in which nothing is wrong."""
    report, said = read(log, shape)
    assert report.findings == ()
    return [message for _, message, _ in said]


def finding(log: bytes, shape: ForeignShape | str) -> tuple[int, str, str]:
    """Return line, code and message of the one finding."""
    (found,) = read(log, shape)[0].findings
    return found.line, found.code, found.message


def lines(*records: object) -> bytes:
    return b"".join(orjson.dumps(record) + b"\n" for record in records)


# Whole games

ROUNDS = """
records = "rounds[].[[{card: card}], acts][][]"

[opening]
players = "seats[].who"
leader = { get = "first", by = "seat" }
layout = "layout"
[opening.rules]
pickup = { get = "pickup", by = "pickup" }
temple_treasures = "stack"
separation = "apart"

[lists.seat]
values = "seats[].who"

[tables]
colour = { B = "blue", N = "brown", P = "purple", Y = "yellow" }
pickup = { true = "step", false = "stop" }
column = { 0 = "a", 1 = "b", 2 = "c", 3 = "d", 4 = "e", 5 = "f" }

[[rule]]
when = "card"
write = { type = "draw", tile = "card" }
[[rule]]
when = "put"
[rule.write]
type = "place"
player = { get = "seat", by = "seat" }
cell = "join('', [put.col, to_string(put.row)])"
[[rule]]
when = "walk"
[[rule.write]]
type = "move"
player = { get = "seat", by = "seat" }
adventurer = { get = "walk", by = "colour" }
path = { each = "by", get = "not_null(cell, to)" }
[[rule]]
when = "take"
[rule.write]
type = "collect"
player = { get = "seat", by = "seat" }
adventurer = { get = "take", by = "colour" }
[[rule]]
when = "toss"
write = { type = "discard", player = { get = "seat", by = "seat" } }
[[rule]]
write = { type = "pass", player = { get = "seat", by = "seat" } }
"""


def as_rounds(events: Sequence[Event]) -> bytes:
    """Return a game as one document, which has a list of acts for each round, and seats counted from 0."""
    opening = events[0]
    assert isinstance(opening, GameStarted)
    setup = opening.setup
    rounds: list[Any] = []
    for event in events[1:]:
        command = command_of(event)
        match command:
            case Draw():
                rounds.append({"card": command.tile, "acts": []})
                continue
            case Place():
                act: dict[str, Any] = {"put": {"col": command.cell[0], "row": int(command.cell[1])}}
            case Discard():
                act = {"toss": True}
            case Move():
                by = [{"to" if n % 2 else "cell": cell} for n, cell in enumerate(command.path)]
                act = {"walk": _LETTERS[command.adventurer], "by": by}
            case Collect():
                act = {"take": _LETTERS[command.adventurer]}
            case Pass():
                act = {}
            case None:
                continue
        rounds[-1]["acts"].append({**act, "seat": setup.players.index(command.player)})
    return json.dumps(
        {
            "seats": [{"who": name} for name in setup.players],
            "first": setup.players.index(setup.leader),
            "layout": {
                colour: {"beach": pair.beach, "jungle": pair.jungle}
                for colour, pair in zip(_LETTERS, setup.layout.pairs, strict=True)
            },
            "pickup": setup.rules.pickup == "step",
            "stack": setup.rules.temple_treasures,
            "apart": setup.rules.separation,
            "rounds": rounds,
        },
        indent=1,
    ).encode()


_LETTERS = {"blue": "B", "brown": "N", "purple": "P", "yellow": "Y"}


@given(whole_games("stop", "step"))
@so_often(15)
def test_a_game_of_another_shape_is_the_same_game(game: Played) -> None:
    commands = [command for command in map(command_of, game.events) if command is not None]

    assert messages(as_rounds(game.events), ROUNDS) == [game.events[0], *commands]


def test_the_example_tells_its_game() -> None:
    log = b"".join(LINES[:6])
    opening, *commands = messages(log, EXAMPLE)

    assert isinstance(opening, GameStarted)
    assert opening.setup.players == ("Jana", "Émile")
    assert (opening.setup.leader, opening.setup.rules) == ("Émile", preset("seed-001", 2))
    assert (opening.setup.layout.brown.beach, opening.setup.layout.brown.jungle) == (90, 40)
    assert commands == [Draw(10), Place("Émile", "f2"), Place("Jana", "b4"), Draw(19), Place("Émile", "c1")]


def test_each_record_of_the_log_has_the_line_of_the_foreign_one() -> None:
    walk = [
        {"art": "karte", "nr": 7, "um": "a"},
        {"art": "legen", "wer": 1, "feld": [6, 1]},
        {"art": "legen", "wer": 2, "feld": [1, 5]},
        {"art": "chat"},
        {"art": "karte", "nr": 8},
        {"art": "laufen", "wer": 2, "farbe": "gelb", "schritte": [{"nach": [1, 5]}]},
    ]
    report, said = read(LINES[0] + b" \r\n" + lines(*walk), EXAMPLE)

    assert report.findings == ()
    assert [line for line, _, _ in said] == [1, 3, 4, 5, 7, 8, 8]
    assert said[-2][1:] == (Discard("Émile"), None)
    assert said[-1][1:] == (Move("Émile", "yellow", ("a1",)), None)


def test_a_meta_may_lack_what_it_asks_for() -> None:
    mapping = SMALL.replace(
        'tile = "tile"', 'tile = "tile", meta = { at = "time", who = { get = "by.id", by = "t" } }'
    )
    mapping = mapping.replace("[[rule]]", "[tables.t]\n1 = 'x'\n[[rule]]")
    _, said = read(lines({"tile": 1, "time": 2}), mapping)
    assert said[1][2] == {"at": 2, "who": None}

    mapping = SMALL.replace('tile = "tile"', 'tile = "tile", meta = "note"')
    assert read(lines({"tile": 1, "note": {"a": [1.5]}}), mapping)[1][1][2] == {"a": [1.5]}
    assert read(lines({"tile": 1}), mapping)[1][1][2] is None


def test_without_get_it_is_the_entry_itself_that_is_looked_up() -> None:
    mapping = SMALL.replace('tile = "tile"', 'tile = "tile", meta = { way = { each = "way", by = "t" } }')
    mapping = mapping.replace("[[rule]]", "[tables.t]\n1 = 'x'\n2 = 'y'\n[[rule]]")

    assert read(lines({"tile": 1, "way": [2, 1]}), mapping)[1][1][2] == {"way": ["y", "x"]}


# Forms of input


def test_a_byte_order_mark_and_blank_lines_count_for_nothing() -> None:
    log = b"\xef\xbb\xbf" + lines({"tile": 1}) + b"\n  \r\n"

    assert messages(log, SMALL)[1:] == [Draw(1)]
    document = b'\xef\xbb\xbf\n{"moves": [\n{"tile": 1}\n]\n}\n'
    assert messages(document, SMALL.replace("header = 0", 'records = "moves"'))[1:] == [Draw(1)]


@pytest.mark.parametrize(
    ("header", "count"), [("", 1), ("header = 1", 1), ("header = 2", 2), ("header = 3", 3)]
)
def test_header_lines_are_the_list_that_the_opening_is_asked_of(header: str, count: int) -> None:
    names = ["a", "b", "c", "d"]
    mapping = SMALL.replace("header = 0", header).replace('["ana", "ben"]', '"[].who"')
    mapping = mapping.replace("\"'ana'\"", '"[0].who"')
    log = lines(*({"who": name, "tile": n} for n, name in enumerate(names, start=1)))

    if count == 1:
        what = 'opening.players: expected a list of 2 to 4 players, got ["a"]'
        assert finding(log, mapping) == (1, "log/unmapped", what)
    else:
        _, said = read(log, mapping)
        (line, opening, _), (next_line, command, _) = said[:2]
        assert isinstance(opening, GameStarted)
        assert (line, opening.setup.players) == (count, tuple(names[:count]))
        assert (next_line, command) == (count + 1, Draw(count + 1))


def test_a_game_may_be_told_without_a_record() -> None:
    assert len(messages(b"", SMALL)) == 1
    assert len(messages(b"[]", SMALL.replace("header = 0", 'records = "@"'))) == 1


def test_packed_logs_are_read() -> None:
    import gzip  # noqa: PLC0415 - for this one test

    assert messages(gzip.compress(lines({"tile": 3})), SMALL)[1:] == [Draw(3)]


# What does not fit


@pytest.mark.parametrize(
    ("number", "record", "what"),
    [
        (4, {"art": "zeichnen"}, 'no rule of the mapping is for {"art":"zeichnen"}'),
        (4, [], "no rule of the mapping is for []"),
        (4, {"art": "legen", "wer": 3, "feld": [1, 1]}, "rule 2, write.player: the table player has no 3"),
        (
            4,
            {"art": "legen", "feld": [1, 1]},
            'rule 2, write.player: "wer" finds nothing in {"art":"legen","feld"',
        ),
        (4, {"art": "legen", "wer": 1, "feld": [1, 6]}, "rule 2, write.cell: the table cell has no [1,6]"),
        (
            4,
            {"art": "legen", "wer": 1, "feld": [1]},
            "rule 2, write.cell: the table cell wants more than [1]",
        ),
        (
            4,
            {"art": "legen", "wer": 1, "feld": [1, 1, 1]},
            "rule 2, write.cell: the table cell has no [1,1,1]",
        ),
        (
            4,
            {"art": "legen", "wer": 1, "feld": {}},
            "rule 2, write.cell: {} is nothing that a table can name",
        ),
        (4, {"art": "legen", "wer": 1, "feld": [1.0, 1]}, "rule 2, write.cell: 1.0 is nothing that a table"),
        (
            4,
            {"art": "laufen", "wer": 1, "farbe": "rot"},
            'rule 4, write 2.adventurer: the table colour has no "rot"',
        ),
        (
            4,
            {"art": "laufen", "wer": 1, "farbe": "blau", "schritte": 3},
            "rule 4, write 2.path.each: expected a list",
        ),
    ],
)
def test_a_record_that_does_not_fit_is_told_with_its_line_and_the_place_in_the_mapping(
    number: int, record: object, what: str
) -> None:
    log = b"".join(LINES[: number - 1]) + lines(record) + b"".join(LINES[number:])
    line, code, message = finding(log, EXAMPLE)

    assert (line, code) == (number, "log/unmapped")
    assert what in message


def test_what_was_right_before_is_kept() -> None:
    report, said = read(b"".join(LINES[:5]) + lines({}), EXAMPLE)

    assert (report.findings[0].line, len(said), report.records) == (6, 5, 5)


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"{", "text/not-json"), (b'{"a":1,"a":2}', "text/doubled-key"), (b"[NaN]", "text/not-json")],
)
def test_a_line_that_is_no_json_is_told(line: bytes, code: str) -> None:
    assert finding(b"".join(LINES[:3]) + line + b"\n" + LINES[3], EXAMPLE)[:2] == (4, code)
    assert finding(line + b"\n", EXAMPLE)[:2] == (1, code)
    assert finding(line, ROUNDS)[:2] == (1, code)


def test_a_command_that_breaks_the_rules_is_told_as_of_any_log() -> None:
    assert finding(lines({"tile": 1}, {"tile": 2}), SMALL)[:2] == (2, "rule/round-open")
    assert finding(lines({"tile": 99}), SMALL)[:2] == (1, "rule/unknown-tile")
    assert finding(lines({"tile": "1"}), SMALL)[:2] == (1, "shape/wrong-type")
    assert finding(b"", SMALL.replace("beach = 10", "beach = 11"))[:2] == (1, "setup/number")


def test_the_record_of_a_document_is_told_by_its_number() -> None:
    document = orjson.dumps({"moves": [{"tile": 1}, {"tile": 1}]})
    mapping = SMALL.replace("header = 0", 'records = "moves"')

    assert finding(document, mapping)[:2] == (2, "rule/round-open")
    assert finding(b'{"moves": {}}', mapping) == (
        1,
        "log/unmapped",
        'records: expected a list, "moves" gives {}',
    )


def test_a_condition_that_cannot_be_asked_is_told() -> None:
    mapping = SMALL.replace("[[rule]]", "[[rule]]\nwhen = 'length(tile) > `1`'")

    assert finding(lines({"tile": 1}), mapping)[2].startswith('rule 1, when: "length(tile) > `1`" cannot be')


@pytest.mark.parametrize(
    ("keys", "values", "what"),
    [
        ("[0].k", "[0].v", "lists.t: expected a key for each of 2 values, got 1 keys"),
        ("[0].n", "[0].v", "lists.t.keys: expected a list"),
        ("[0].v", "[0].n", "lists.t.values: expected a list"),
        ("[0].o", "[0].v", "lists.t: {} is nothing that a table can name"),
    ],
)
def test_a_list_that_makes_no_table_is_told(keys: str, values: str, what: str) -> None:
    header = {"k": [1], "v": ["a", "b"], "n": 5, "o": [{}, {}]}
    mapping = f"{OPENING}[lists.t]\nkeys = '{keys}'\nvalues = '{values}'\n{DRAWS}"

    assert finding(lines(header), mapping)[2].startswith(what)


def test_a_document_has_an_end() -> None:
    class Long(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any buffer
            buffer[:] = b" " * len(buffer)
            return len(buffer)

    shape = read_mapping(SMALL.replace("header = 0", 'records = "moves"'))
    ((_, _, faults, _),) = read_foreign(io.BufferedReader(Long()), shape)

    assert isinstance(faults, tuple)
    assert str(LARGEST_DOCUMENT) in faults[0].message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 120) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)
RECORDS = JSON | st.fixed_dictionaries(
    {"art": st.sampled_from(["karte", "legen", "abwerfen", "laufen", "chat", "ende"])},
    optional={
        "nr": JSON | st.integers(1, 36),
        "wer": JSON | st.integers(1, 2),
        "feld": JSON | st.tuples(st.integers(1, 6), st.integers(1, 5)),
        "farbe": JSON | st.sampled_from(["blau", "gelb"]),
        "schritte": JSON | st.lists(st.fixed_dictionaries({"nach": JSON | st.just("tempel")})),
        "um": JSON,
    },
)


@given(st.lists(RECORDS, max_size=5), st.booleans())
@so_often(300)
def test_no_data_is_worse_than_a_finding(records: list[object], has_opening: bool) -> None:
    report, _ = read(LINES[0] * has_opening + lines(*records), EXAMPLE)

    assert report.verdict in ("incomplete", "invalid")
    assert all(found.line <= len(records) + 1 for found in report.findings)


# The mapping file


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("[opening]", "[opening", "no TOML: "),
        (
            "[opening]",
            "[openings]",
            'there is no "openings": opening, rule, records, header, tables and lists',
        ),
        ("[[rule]]", "[rule]", "rule: expected [[rule]], a list of tables"),
        ("header = 0", "header = -1", "header: expected how many lines, got -1"),
        ("header = 0", "header = true", "header: expected how many lines, got true"),
        ("header = 0", 'header = 0\nrecords = "x"', "header: a document"),
        ("header = 0", "records = 5", "records: expected an expression in quotes, got 5"),
        ("header = 0", 'records = "x["', 'records: "x[" is no expression: '),
        ("header = 0", "tables = 5", "tables: expected a table, got 5"),
        ("leader = \"'ana'\"", "", "opening: leader is missing"),
        (
            "leader =",
            "chief =",
            'opening: there is no "chief": players, leader, layout, rules, preset and meta',
        ),
        ('preset = "official"', "", "opening: expected either rules or preset"),
        ('preset = "official"', 'preset = "official"\nrules = "rules"', "opening: expected either"),
        ('"official"', '"house"', 'opening.preset: there is no "house": official, seed-000, '),
        ('"official"', "['official']", 'opening.preset: there is no ["official"]: '),
        (
            'preset = "official"',
            "rules = { pickup = \"'stop'\" }",
            "opening.rules: temple_treasures is missing",
        ),
        (
            "layout.blue",
            "layout.green",
            'opening.layout: there is no "green": blue, brown, purple and yellow',
        ),
        ("jungle = 60", "jungel = 60", 'opening.layout.blue: there is no "jungel": beach and jungle'),
        ("beach = 10,", "beach = 2020-01-01,", "opening.layout.blue.beach: 2020-01-01 is no value of a log"),
        ("beach = 10,", "beach = nan,", "opening.layout.blue.beach: nan is no value of a log"),
        ("[[rule]]", "[tables.t]\na.b = [10:00:00]\n[[rule]]", "tables.t.a.b: 10:00:00 is no value of a log"),
        ("[[rule]]", "[lists.t]\nkeys = 'a'\n[[rule]]", "lists.t: values is missing"),
        (
            "[[rule]]",
            "[tables.t]\n[lists.t]\nvalues = 'a'\n[[rule]]",
            "lists.t: there is a table of this name",
        ),
        ("[[rule]]", "[[rule]]\nif = 'a'", 'rule 1: there is no "if": when, write and ignore'),
        ("[[rule]]", "[[rule]]\nignore = true", "rule 1: expected either write or ignore = true"),
        ("[[rule]]", "[[rule]]\nignore = false\n[[rule]]", "rule 1: expected either write or ignore = true"),
        ("[[rule]]", "[[rule]]\nwhen = 'a'\n[[rule]]", "rule 1: expected either write or ignore = true"),
        ("[[rule]]", "[[rule]]\nwrite = []\n[[rule]]", "rule 1, write: expected a command, got none"),
        ("[[rule]]", "[[rule]]\nwhen = '~'", 'rule 1, when: "~" is no expression: '),
        ('{ type = "draw"', '{ type = "drawn"', "rule 1, write.type: expected one of draw, place, discard, "),
        ('type = "draw", ', "", "rule 1, write.type: expected one of draw, place, discard, "),
        (', tile = "tile"', "", "rule 1, write: tile is missing"),
        ("tile = ", 'cell = "a", tile = ', 'rule 1, write: there is no "cell": type, tile and meta'),
        (
            'tile = "tile"',
            'tile = { get = "tile", by = "t" }',
            'rule 1, write.tile.by: there is no table "t": ',
        ),
        (
            'tile = "tile"',
            'tile = { get = "tile", of = "t" }',
            'rule 1, write.tile: there is no "of": get, each and',
        ),
        ('tile = "tile"', 'tile = { each = "tile[" }', 'rule 1, write.tile.each: "tile[" is no expression: '),
        ('tile = "tile"', 'tile = "tiles(@)"', "there is no function tiles: abs, "),
    ],
)
def test_a_wrong_mapping_is_told_with_the_place(old: str, new: str, what: str) -> None:
    assert old in SMALL
    with pytest.raises(WrongMapping) as error:
        read_mapping(SMALL.replace(old, new))
    assert what in str(error.value)


PIECES = st.recursive(
    st.sampled_from([True, 5, 1.5, "a", "a[", "wer", []]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    "get",
                    "each",
                    "by",
                    "type",
                    "write",
                    "when",
                    "ignore",
                    "meta",
                    "values",
                    "keys",
                    "blue",
                    "preset",
                ]
            ),
            inner,
        )
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["opening", "rule", "records", "header", "tables", "lists"]), PIECES))
@so_often(200)
def test_no_mapping_is_worse_than_wrong(file: dict[str, Any]) -> None:
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in file.items())
    with pytest.raises(WrongMapping):
        read_mapping(text)


def _toml(value: Any) -> str:  # noqa: ANN401 - a value of TOML
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items()) + "}"
    return "[" + ", ".join(map(_toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


@pytest.mark.parametrize("text", ["a = " + "[" * 9999, f"a = {'9' * 9999}"], ids=["deep", "long integer"])
def test_a_mapping_that_python_cannot_read_is_wrong(text: str) -> None:
    with pytest.raises(WrongMapping, match="no TOML"):
        read_mapping(text)


# Expressions


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a[",
        "foo(@)",
        "length()",
        "length(a, b)",
        "merge()",
        "&a",
        "[&a]",
        "{b: &a}",
        "[::0]",
        "(" * 9999,
        "a[?foo(b)]",
        "sort_by(a, &foo(b))",
        f"[{'9' * 9999}]",
    ],
)
def test_what_no_data_can_answer_is_wrong_before_there_is_any(text: str) -> None:
    with pytest.raises(WrongQuery):
        query(text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a", None),
        ("b.c", 5),
        ("merge(b, {c: `6`}).c", 6),
        ("not_null(a, b.c)", 5),
        ("sort_by(d, &e)[0].e", 1),
    ],
)
def test_an_expression_is_answered(text: str, answer: object) -> None:
    assert query(text).answer({"b": {"c": 5}, "d": [{"e": 2}, {"e": 1}]}) == answer


def test_data_of_another_type_has_no_answer() -> None:
    with pytest.raises(NoAnswer, match="length"):
        query("length(a)").answer({"a": 5})


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        *((None, False), (False, False), ("", False), ([], False), ({}, False)),
        *((True, True), (0, True), ("a", True), ([0], True)),
    ],
)
def test_what_is_empty_does_not_hold_and_nought_does(value: object, holds: bool) -> None:
    assert query("a").holds({"a": value}) is holds


def test_a_draw_is_a_draw() -> None:
    """A check of these tests: what the small mapping makes is judged."""
    report, said = read(lines({"tile": 1}), SMALL)

    assert (report.verdict, said[1][1], TileDrawn.name) == ("incomplete", Draw(1), "tile-drawn")
