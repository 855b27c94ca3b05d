"""The notation says what a log of commands says, comes back as it was written, and tells what is wrong."""

import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import Fault, Message, Report, Right, Seal, ShapeFault, encode, validate
from karuba_adapters.normalising import NormalWriter
from karuba_adapters.notation.reading import read_notation
from karuba_adapters.notation.turns import action_text, read_action
from karuba_adapters.notation.writing import NotationWriter
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Event,
    Game,
    GameStarted,
    IllegalCommand,
    Layout,
    Move,
    Pair,
    Pass,
    Place,
    RuleSet,
    Setup,
    apply,
    command_of,
    fold,
    legal_commands,
    preset,
    settle,
    start,
)
from karuba_core.ruleset import PRESETS
from tests.games_kit import BLUE_ROAD, NEAR, Table, setup
from tests.strategies import POOL, histories, legal_in, played, positions, so_often

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = ROOT / "tests" / "games"
RECORDED: Final = sorted(
    file for kind in ("sound", "unfinished", "commands") for file in (GAMES / kind).iterdir()
)
EXAMPLE: Final = ROOT / "docs" / "examples" / "expedition.karuba"
ANA, BEN = "ana", "ben"

Noted = tuple[Message, dict[str, Any] | None]

HEAD: Final = """\
players: ana, ben
leader: ana
layout: Bl 10-30, Br 110-90, Pu 90-110, Ye 30-10
rules: official
"""


def written(records: Iterable[Noted]) -> str:
    out = io.BytesIO()
    writer = NotationWriter(out.write)
    for message, meta in records:
        writer.write(message, meta)
    writer.flush()
    return out.getvalue().decode()


def judged(text: str | bytes) -> tuple[list[Report], list[Right]]:
    """Return the reports of all games of a text, and the records that were found right."""
    said: list[Right] = []
    stream = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    return [*validate(stream, "-", said.append, read_notation)], said


def unsealed(said: Iterable[Right]) -> list[Noted]:
    """Return records as they are written, without seals."""
    return [(right.message, right.meta) for right in said if not isinstance(right.message, Seal)]


def read(text: str | bytes) -> list[Noted]:
    """Return what a text says in which nothing is wrong."""
    reports, said = judged(text)
    assert [report.findings for report in reports] == [()] * len(reports)
    return unsealed(said)


def messages(text: str) -> list[Message]:
    return [message for message, _ in read(text)]


def asked(events: Sequence[Event]) -> list[Message]:
    """Return the opening and the commands of a game of events."""
    commands = (command_of(event) for event in events)
    return [events[0], *(command for command in commands if command is not None)]


def by_seat(records: Iterable[Noted]) -> bytes:
    out = io.BytesIO()
    writer = NormalWriter(out.write)
    for message, meta in records:
        writer.write(message, meta)
    writer.flush()
    return out.getvalue()


def recorded(file: Path) -> list[Noted]:
    """Return the opening and the commands of a recorded game."""
    noted: list[Noted] = []

    def observe(right: Right) -> None:
        command = right.message if isinstance(right.message, Command) else command_of(right.step.events[0])
        if isinstance(right.message, GameStarted) or command is not None:
            noted.append((command or right.message, right.meta))

    with file.open("rb") as stream:
        assert [report.findings for report in validate(stream, "-", observe)] == [()]
    return noted


# There and back

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ["x", "a } b", 'say "no"', " x", "{", "|", "#", "a: b", "players", "-0"]
)
JSON = st.recursive(
    TEXTS | st.integers(-9, 9) | st.booleans() | st.none() | st.just(1.5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
METAS = st.none() | st.dictionaries(st.just("note"), TEXTS) | st.dictionaries(TEXTS, JSON, max_size=3)


@given(histories(), st.data())
@so_often(40)
def test_a_game_comes_back_whatever_is_noted_and_wherever_it_is_cut(
    events: tuple[Event, ...], data: st.DataObject
) -> None:
    """All but the order in a round: N-ROUND-3, N-LOSS-1; and its text to the byte: N-FORM-1."""
    metas = data.draw(st.lists(METAS, min_size=1, max_size=5))
    records = [(message, metas[n % len(metas)]) for n, message in enumerate(asked(events))]
    text = written(records)

    reports, said = judged(text)
    assert [report.findings for report in reports] == [()]
    assert by_seat(unsealed(said)) == by_seat(records)
    assert written(unsealed(said)) == text
    happened = [event for right in said for event in right.step.events]
    assert fold(happened) == settle(fold(events)).game


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_recorded_game_comes_back(file: Path) -> None:
    """Whole, and cut somewhere."""
    whole = recorded(file)
    for records in (whole, whole[: 1 + sum(file.name.encode()) % len(whole)]):
        text = written(records)
        assert by_seat(read(text)) == by_seat(records)
        assert messages(text) == sorted_by_round(messages(text))


def sorted_by_round(records: Sequence[Message]) -> list[Message]:
    """Return messages with those of a round by seat."""
    opening = records[0]
    assert isinstance(opening, GameStarted)
    players, rounds = opening.setup.players, 0
    order: list[tuple[int, int]] = []
    for message in records:
        rounds += isinstance(message, Draw)
        order.append((rounds, 1 + players.index(message.player) if hasattr(message, "player") else 0))
    return [records[n] for n in sorted(range(len(records)), key=lambda n: order[n])]


@given(positions(), st.data())
@so_often(80)
def test_every_legal_command_has_a_text_that_says_it_alone(game: Game, data: st.DataObject) -> None:
    """In the midst of a turn, too, which it leaves open."""
    if any(legal_commands(game)):
        command = data.draw(legal_in(game))
        if not isinstance(command, Draw):
            text = action_text(game, (command,))
            assert read_action(game, command.player, text) == (command,)


def test_a_notation_is_short() -> None:
    """A game of four takes less than 3 KB, and a tenth of its log at most."""
    for row in POOL:
        if row[1] == 4:
            events = played(row).events
            text = written((message, None) for message in asked(events))
            assert len(text.encode()) < min(3072, sum(len(encode(event)) for event in events) / 10)


def test_the_examples_are_right_and_canonical() -> None:
    page = (ROOT / "spec" / "notation.md").read_text("utf-8")
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)

    assert written(read(shown)) == shown
    assert EXAMPLE.read_bytes().decode() == written(recorded(EXAMPLE.with_suffix(".jsonl")))


# The header


def opening(text: str) -> GameStarted:
    (message,) = messages(text)
    assert isinstance(message, GameStarted)
    return message


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_preset_is_written_by_its_name(name: str, players: int) -> None:
    """N-HEAD-4."""
    names = ("ana", "ben", "cleo", "dan")[:players]
    layout = Layout(Pair(10, 60), Pair(50, 80), Pair(80, 100), Pair(100, 30))
    text = written([(GameStarted(Setup(names, ANA, layout, preset(name, players))), None)])

    assert f"\nrules: {'official' if name == 'seed-002' else name}\n" in text
    assert opening(text).setup.rules == preset(name, players)
    assert opening(text.replace("rules: official", "RULES :  Seed-002 ")).setup.rules == preset(name, players)


def test_rules_of_ones_own_are_written_out() -> None:
    """N-HEAD-4."""
    rules = RuleSet("step", (9, 9, 4), "value-30")
    layout = Layout(Pair(10, 60), Pair(50, 80), Pair(80, 110), Pair(100, 30))
    text = written([(GameStarted(Setup((ANA, BEN), ANA, layout, rules)), None)])

    assert "\nrules: step, 9 9 4, value-30\n" in text
    assert opening(text).setup == Setup((ANA, BEN), ANA, layout, rules)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ana", "ana"),
        ("Kim D'Or", "Kim D'Or"),
        ("12.", "12."),
        ("b3", "b3"),
        ("-", "-"),
        (" ana", '" ana"'),
        ("a  b", '"a  b"'),
        ("ben, junior", '"ben, junior"'),
        ("a:b", '"a:b"'),
        ("{}", '"{}"'),
        ("a|b", '"a|b"'),
        ('"', '"\\""'),
        ("\\", "\\"),
        ("a\u00a0b", '"a\u00a0b"'),
        ("Жанна 木", "Жанна 木"),
    ],
)
def test_a_name_stands_in_quotes_only_where_it_has_to(name: str, shown: str) -> None:
    """Before an action, too: N-HEAD-2, N-ROUND-2."""
    started = GameStarted(Setup((name, BEN), name, NEAR, preset("official", 2)))
    text = written([(started, None)])

    assert text.startswith(f"players: {shown}, ben\nleader: {shown}\n")
    assert opening(text) == started
    assert messages(f"{text}1. 7 | ben: a1 | {shown}: b2")[2:] == [Place(BEN, "a1"), Place(name, "b2")]


def test_a_header_is_read_in_any_order_and_colours_in_any_form() -> None:
    """N-HEAD-1, N-HEAD-3, N-TEXT-2."""
    other = """
    Players : ana , "ben"
    RULES:OFFICIAL
    layout: YELLOW 30-10,blue 10 - 30,  pu 90-110, brown 110-90
    Leader: ana"""
    assert opening(other) == opening(HEAD)


def test_tags_are_the_meta_of_the_opening() -> None:
    """N-HEAD-5."""
    tags = 'date: 2026-11-30\nPlace-2:  Essen: {at home} \n{"table":4,"players":["x"]}\n'
    ((_, meta),) = read(HEAD + tags)

    assert meta == {"date": "2026-11-30", "Place-2": "Essen: {at home}", "table": 4, "players": ["x"]}
    assert written([(opening(HEAD), meta)]) == HEAD + tags.replace(
        ":  Essen: {at home} ", ": Essen: {at home}"
    )
    for key in ("players", "Rules", "a b", "2", "", "_a", "²"):
        assert written([(opening(HEAD), {key: "x"})]) == f'{HEAD}{{"{key}":"x"}}\n'
    assert read(HEAD + "{a cold night}\n") == read(HEAD + "note: a cold night")
    for value in ('"x" {y}', "\u00a0x\ty"):
        assert written([(opening(HEAD), {"a": value})]) == f"{HEAD}a: {value}\n"
    for value in ("x\u2028y", "x\x7f"):
        assert written([(opening(HEAD), {"a": value})]) == f'{HEAD}{{"a":"{value}"}}\n'
    assert read(HEAD)[0][1] is None
    assert read(HEAD + "{ }")[0][1] == {}


def test_of_the_meta_of_an_opening_the_tags_come_first() -> None:
    """N-LOSS-1: each kind in its own order."""
    records: list[Noted] = [(opening(HEAD), {"z": 1, "b": "x", "a": "y", "c": 2})]
    ((_, meta),) = read(written(records))
    assert meta is not None
    assert [*meta] == ["b", "a", "z", "c"]


def test_the_grammar_defines_each_word_of_its_own() -> None:
    page = (ROOT / "spec" / "notation.md").read_text("utf-8")
    (grammar,) = re.findall(r"^```abnf\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    bare = re.sub(r'"[^"\n]*"|<[^>\n]*>|\d', "", grammar)
    core = {"ALPHA", "DIGIT", "SP", "CR", "LF"}  # RFC 5234, appendix B
    assert {*re.findall(r"\w+", bare)} - core == {*re.findall(r"^(\w+) +=", bare, re.MULTILINE)}


# Rounds and turns


def round_of(line: str, rules: str = "official") -> list[Message]:
    """Return the commands of a round, the last of a game in which blue and yellow can walk."""
    before = "".join(f"{n}. {tile} | {cell} | {cell}\n" for n, (cell, tile) in enumerate(LAID, start=1))
    text = f"{HEAD.replace('official', rules)}{before}{len(LAID) + 1}. {line}"
    return messages(text)[1 + 3 * len(LAID) :]


LAID: Final = [*BLUE_ROAD.items(), ("a2", 17), ("a3", 11)]
"""Blue goes by a1 b1 c1 home, yellow from its beach to a3, where a crystal lies, and on to a2."""


def discards(*commands: Command) -> list[Message]:
    return [Draw(7), Discard(ANA), *commands]


def blue(way: str) -> Move:
    return Move(ANA, "blue", tuple(way.split()))


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("7", [Draw(7)]),
        ("7 | .", [Draw(7)]),
        ("7|b3|c3", [Draw(7), Place(ANA, "b3"), Place(BEN, "c3")]),
        ("7 | . | B3", [Draw(7), Place(BEN, "b3")]),
        ("7 | ben: c3 | ana: b3", [Draw(7), Place(BEN, "c3"), Place(ANA, "b3")]),
        ("7 | ben: c3", [Draw(7), Place(BEN, "c3")]),
        ("7 | -", discards(Pass(ANA))),
        ("7 | - pass", discards(Pass(ANA))),
        ("7 | - .", discards()),
        ("7 | Bl a1", discards(blue("a1"), Pass(ANA))),
        ("7 | blue a1 .", discards(blue("a1"))),
        ("7 | bLUE a1 PASS", discards(blue("a1"), Pass(ANA))),
        ("7 | bl a1 b1 c1 ^", discards(blue("a1 b1 c1 temple"))),
        ("7 | Bl a1 b1 c1 Temple", discards(blue("a1 b1 c1 temple"))),
        ("7 | Bl a1,b1, c1 b1", discards(blue("a1"), blue("b1"), blue("c1 b1"))),
        ("7 | Ye a3*", discards(Move(ANA, "yellow", ("a3",)), Collect(ANA, "yellow"))),
    ],
)
def test_every_word_says_what_it_says(line: str, commands: list[Message]) -> None:
    """N-ROUND-1, N-ROUND-2, N-TURN-1 to N-TURN-5, N-TEXT-2."""
    assert round_of(line) == commands


def test_by_step_a_treasure_is_taken_between_and_before_moves() -> None:
    """N-TURN-4."""
    rules = "step, 5 3, edge-3"
    yellow: list[Command] = [
        Move(ANA, "yellow", ("a3",)),
        Collect(ANA, "yellow"),
        Move(ANA, "yellow", ("a2", "a3")),
    ]
    assert round_of("7 | Ye a3 * a2 a3", rules) == discards(*yellow)
    before = round_of("7 | Ye a3 | -\n7. 8 | Ye * a2", rules)
    assert before[-4:] == [Discard(ANA), Collect(ANA, "yellow"), Move(ANA, "yellow", ("a2",)), Pass(ANA)]


def test_a_turn_is_written_as_shortly_as_it_may_be() -> None:
    """N-FORM-1."""
    game = Table(setup()).lay(BLUE_ROAD).do(Draw(7)).game
    whole: dict[tuple[Command, ...], str] = {
        (): ".",
        (Place(ANA, "b3"),): "b3",
        (Discard(ANA),): "- .",
        (Discard(ANA), Pass(ANA)): "-",
        (Discard(ANA), blue("a1"), blue("b1")): "Bl a1, b1 .",
        (Discard(ANA), blue("a1"), Pass(ANA)): "Bl a1",
        (Discard(ANA), blue("a1 b1 c1 temple")): "Bl a1 b1 c1 ^",
    }
    for commands, text in whole.items():
        assert action_text(game, commands) == text
        assert read_action(game, ANA, text) == commands
    walking = apply(apply(game, Discard(ANA)).game, blue("a1")).game
    rest: dict[tuple[Command, ...], str] = {
        (Pass(ANA),): "pass",
        (blue("b1"),): "Bl b1 .",
        (blue("b1"), Pass(ANA)): "Bl b1",
    }
    for commands, text in rest.items():
        assert action_text(walking, commands) == text
        assert read_action(walking, ANA, text) == commands


def test_what_is_no_turn_has_no_text() -> None:
    game = Table(setup()).do(Draw(7)).game
    for commands in ([Draw(8)], [Place(ANA, "a1"), Place(BEN, "a1")]):
        with pytest.raises(ValueError, match="one player"):
            action_text(game, commands)
    with pytest.raises(IllegalCommand):
        action_text(game, [Discard(ANA), Move(ANA, "red", ("a1",))])


# Comments


def test_a_comment_belongs_to_the_command_in_which_or_after_which_it_stands() -> None:
    """N-COMMENT-1, N-COMMENT-2."""
    line = '3. 7 {draw} | Bl {discard} a1 {"on":["a1"]}, b1 {x , y} pass {} | b2 {placed}'
    text = f"{HEAD}\n1. 1 | a1 | a1\n2. 2 | b1 | b1\n{line}\n"

    assert [meta for _, meta in read(text)[-6:]] == [
        *({"note": "draw"}, {"note": "discard"}, {"on": ["a1"]}, {"note": "x , y"}, {}, {"note": "placed"})
    ]
    assert written(read(text)) == text
    within = read(text.replace('{"on":["a1"]}, b1 {x , y}', "{ amid } b1"))
    assert (blue("a1 b1"), {"note": "amid"}) in within


@pytest.mark.parametrize(
    ("meta", "shown"),
    [
        ({"note": "a bold step; 1. e4"}, "{a bold step; 1. e4}"),
        ({"note": 'say "no"'}, '{say "no"}'),
        ({"note": "\u00a0a\tb\u200d\ue000\u2003"}, "{\u00a0a\tb\u200d\ue000\u2003}"),
        ({"note": "x\u2028y"}, '{"note":"x\u2028y"}'),
        ({"note": "x\x85y"}, '{"note":"x\x85y"}'),
        ({"note": "x\x1b"}, '{"note":"x\\u001b"}'),
        ({"note": "x\t"}, '{"note":"x\\t"}'),
        ({"note": "a } b"}, '{"note":"a } b"}'),
        ({"note": '"no"'}, '{"note":"\\"no\\""}'),
        ({"note": " x"}, '{"note":" x"}'),
        ({"note": ""}, '{"note":""}'),
        ({"note": "two\nlines"}, '{"note":"two\\nlines"}'),
        ({"note": 1}, '{"note":1}'),
        ({"note": "x", "at": 1.0}, '{"note":"x","at":1.0}'),
        ({"}": '{"'}, '{"}":"{\\""}'),
        ({}, "{}"),
    ],
)
def test_a_meta_is_text_where_it_can_be_and_comes_back(meta: dict[str, Any], shown: str) -> None:
    """N-COMMENT-1, N-FORM-1."""
    records: list[Noted] = [(opening(HEAD), None), (Draw(7), meta)]

    assert written(records) == f"{HEAD}\n1. 7 {shown}\n"
    assert read(written(records)) == records


def test_what_no_reader_would_take_is_not_written() -> None:
    writer = NotationWriter(io.BytesIO().write)
    writer.write(opening(HEAD))
    with pytest.raises(ShapeFault):
        writer.write(Draw(7), {"x": float("nan")})
    with pytest.raises(ValueError, match="tile-drawn"):
        writer.write(apply(start(setup()).game, Draw(7)).events[0])
    writer.write(Draw(7), {"note": "x" * 600_000})
    writer.write(Place(ANA, "a1"), {"note": "x" * 600_000})
    with pytest.raises(Fault, match="text/line-too-long"):
        writer.flush()
    writer.write(opening(HEAD))  # and the next game is written


# Files


def test_games_follow_each_other() -> None:
    """N-TEXT-3: a seal stands after one that is not over."""
    over = written((message, None) for message in asked(played(POOL[0]).events))
    begun = f"{HEAD}\n1. 7 | b3\n"
    text = f"{over}\n{begun}\n{HEAD}\n{over}"
    reports, said = judged(text)

    assert [(report.verdict, report.is_sealed) for report in reports] == [
        ("valid", False),
        ("incomplete", True),
        ("incomplete", True),
        ("valid", False),
    ]
    assert [right.text for right in said if isinstance(right.message, Seal)] == [b"", b""]
    assert written(unsealed(said)) == text


def test_the_next_game_is_read_after_a_fault() -> None:
    """N-TEXT-4: what is right before a fault counts, and nothing of the action in which it is."""
    whole = f"{HEAD}1. 7 | b3 | c3\n"
    reports, said = judged(f"players: a|b\n1. 7\n{HEAD}1. 7 | b3 | - Bl\n2. 8\n{whole}")

    assert [(report.verdict, [f.line for f in report.findings]) for report in reports] == [
        ("invalid", [1]),
        ("invalid", [7]),
        ("incomplete", []),
    ]
    assert [right.message for right in said][1:4] == [Draw(7), Place(ANA, "b3"), opening(HEAD)]
    assert [right.line for right in said] == [3, 7, 7, 9, 13, 13, 13]


def test_a_round_after_the_end_is_told_and_the_next_game_read() -> None:
    over = written((message, None) for message in asked(played(POOL[0]).events))
    last = int(over.splitlines()[-1].partition(".")[0])
    reports, _ = judged(f"{over}{last + 1}. 1\n{HEAD}")

    assert [(report.verdict, [f.code for f in report.findings]) for report in reports] == [
        ("invalid", ["rule/game-over"]),
        ("incomplete", []),
    ]


def test_text_is_utf8_with_line_ends_of_either_kind() -> None:
    """N-TEXT-1."""
    text = f"{HEAD}\n1. 7 | b3 {{é}}\n"

    assert read(b"\xef\xbb\xbf \n" + text.replace("\n", " \t\r\n\r\n").encode()) == read(text)


# Faults

START = f"{HEAD}1. 1 | a1 | a1\n"


@pytest.mark.parametrize(
    ("line", "code", "rule", "column"),
    [
        # what stands on the second round's line, by column
        ("1. 7", "notation/wrong-round", "N-ROUND-1", 1),
        ("3. 7", "notation/wrong-round", "N-ROUND-1", 1),
        ("2 7", "notation/unexpected", "N-ROUND-1", 3),
        ("2.", "notation/unexpected", "N-ROUND-1", 3),
        ("2. x", "notation/unexpected", "N-ROUND-1", 4),
        ("2. 1234567890", "notation/unexpected", "N-ROUND-1", 4),
        ("2. 7 b3", "notation/unexpected", "N-ROUND-1", 6),
        ("date: x", "notation/unexpected", "N-ROUND-1", 1),
        ("{x}", "notation/unexpected", "N-ROUND-1", 1),
        ("2. 7 | b3 | ben: c3", "notation/unexpected", "N-ROUND-2", 13),
        ("2. 7 | ana: b3 | c3", "notation/unexpected", "N-ROUND-2", 18),
        ("2. 7 | b3 | c3 | d3", "notation/unexpected", "N-ROUND-2", 16),
        ("2. 7 | b3 |", "notation/unexpected", "N-TURN-1", 12),
        ("2. 7 | red a1", "notation/unexpected", "N-TURN-1", 8),
        ("2. 7 | b3 c3", "notation/unexpected", "N-TURN-1", 11),
        ("2. 7 | - Bl a1", "notation/unexpected", "N-TURN-1", 10),
        ("2. 7 | Bl", "notation/unexpected", "N-TURN-1", 10),
        ("2. 7 | Bl a1,", "notation/unexpected", "N-TURN-1", 14),
        ("2. 7 | Bl a1, *", "notation/unexpected", "N-TURN-1", 15),
        ("2. 7 | b10", "notation/unexpected", "N-TURN-1", 8),
        ("2. 7 | Bl a1 pass .", "notation/unexpected", "N-TURN-1", 19),
        ("2. 7 | b3 .", "notation/unexpected", "N-TURN-1", 11),
        ("2. 7 | ana  m: b3", "notation/unexpected", "N-TURN-1", 8),
        ("2. 7 | ana: b3 | ana: .", "notation/unexpected", "N-ROUND-2", 18),
        ('2. 7 | ana: - . | ben: b1 | "\\u0061na": pass', "notation/unexpected", "N-ROUND-2", 29),
        ("2. 7 | b3 {x", "notation/unexpected", "N-COMMENT-1", 11),
        ("2. 7 | b3 {x{y}}", "notation/unexpected", "N-COMMENT-1", 11),
        ('2. 7 | b3 {"a":"}"', "notation/unexpected", "N-COMMENT-1", 11),
        ("2. 7 | b3 {x} {y}", "notation/unexpected", "N-COMMENT-2", 15),
        ("2. 7 | {x} b3", "notation/unexpected", "N-COMMENT-2", 8),
        ("2. 7 | . {x}", "notation/unexpected", "N-COMMENT-2", 10),
        ("2. 7 | - . {x}", "notation/unexpected", "N-COMMENT-2", 12),
        ('2. 7 {"a":1,}', "text/not-json", "F-TEXT-1", 6),
        ('2. 7 {"a":1,"a":1}', "text/doubled-key", "F-TEXT-4", 6),
        ('2. 7 | "\\x": b3', "text/not-json", "F-TEXT-1", 8),
        # what the rules refuse
        ("2. 37", "rule/unknown-tile", "R-DRAW-2", 4),
        ("2. 1", "rule/tile-drawn", "R-DRAW-3", 4),
        ("2. 7 | a1", "rule/cell-occupied", "R-PLACE-2", 8),
        ("2. 7 | g9", "rule/unknown-cell", "R-PLACE-1", 8),
        ("2. 7 | pass", "rule/not-discarded", "R-TURN-4", 8),
        ("2. 7 | Ana: b3", "rule/unknown-player", "R-TURN-2", 8),
        ("2. 7 | ana: b3 | zed: x", "rule/unknown-player", "R-TURN-2", 18),
        ("2. 7 | ana: b3 | ben: c3 | zed: .", "rule/no-round", "R-TURN-1", 28),
        ("2. 7 | Bl a1 b1", "rule/no-way", "R-MOVE-6", 14),
        ("2. 7 | Bl a1 ^ a1", "rule/beyond-temple", "R-MOVE-4", 16),
        ("2. 7 | Bl a1 Ye a3", "rule/other-adventurer", "R-MOVE-2", 17),
        ("2. 7 | Bl a1 *", "rule/no-treasure", "R-COLLECT-1", 14),
        ("2. 7 | b1 | b1\n3. 8 | . | b2\n4. 9", "rule/round-open", "R-DRAW-1", 4),
    ],
)
def test_a_fault_of_a_round_is_told_with_its_column(line: str, code: str, rule: str, column: int) -> None:
    (report,), said = judged(START + line)
    (found,) = report.findings

    assert (found.code, found.rule, found.path) == (code, rule, "$")
    assert found.line == 6 + line.count("\n")
    assert re.match(r"column (\d+): ", found.message)[1] == str(column)  # type: ignore[index]
    assert said[3].message == Place(BEN, "a1")


def test_a_turn_that_closed_by_itself_is_not_left_open() -> None:
    with pytest.raises(Fault) as refused:
        read_action(Table(setup()).lay(BLUE_ROAD).do(Draw(7)).game, ANA, "Bl a1 b1 c1 ^ .")
    (reason,) = refused.value.faults
    assert (reason.code, reason.rule) == ("notation/unexpected", "N-TURN-5")
    assert reason.message.startswith("column 15: ")


def test_by_landing_no_turn_is_passed_on_a_treasure() -> None:
    """N-TURN-5: a pass that is implied is judged as any; a full stop leaves the turn open."""
    with pytest.raises(AssertionError, match="rule/must-collect"):
        round_of("7 | Ye a3", "landing, 5 3, edge-3")
    assert round_of("7 | Ye a3 .", "landing, 5 3, edge-3") == discards(Move(ANA, "yellow", ("a3",)))


@pytest.mark.parametrize(
    ("old", "new", "code", "rule", "line"),
    [
        ("players: ana, ben\n", "", "notation/header", "N-HEAD-1", 1),
        ("leader: ana\n", "", "notation/header", "N-HEAD-1", 4),  # where the header ends
        ("leader: ana", "leader: ana\nLEADER: ben", "notation/header", "N-HEAD-1", 3),
        ("leader: ana", "leader:", "notation/header", "N-HEAD-1", 2),
        ("leader: ana", "date: x\ndate: y\nleader: ana", "notation/header", "N-HEAD-1", 3),
        ("leader: ana", 'date: x\n{"date":1}\nleader: ana', "notation/header", "N-HEAD-1", 3),
        ("leader: ana", "leader: ana\n; why", "notation/unexpected", "N-HEAD-1", 3),
        ("leader: ana", "leader: ana\n{x} y", "notation/unexpected", "N-HEAD-1", 3),
        ("ana, ben", "ana, ", "notation/unexpected", "N-HEAD-2", 1),
        ("ana, ben", "ana | ben", "notation/unexpected", "N-HEAD-2", 1),
        ("ana, ben", "ana  m, ben", "notation/unexpected", "N-HEAD-2", 1),
        ("leader: ana", "_date: x\nleader: ana", "notation/unexpected", "N-HEAD-1", 2),
        ("leader: ana", "²: x\nleader: ana", "notation/unexpected", "N-HEAD-1", 2),
        ("leader: ana", "leader: ana, ben", "notation/unexpected", "N-HEAD-2", 2),
        ("ana, ben", 'ana, "\\ud800"', "text/lone-surrogate", "F-TEXT-2", 1),
        ("Br 110-90", "Bl 110-90", "notation/unexpected", "N-HEAD-3", 3),
        ("Br 110-90, ", "", "notation/unexpected", "N-HEAD-3", 3),
        ("30-10", "30-10, Bl 10-30", "notation/unexpected", "N-HEAD-3", 3),
        ("30-10", "30 10", "notation/unexpected", "N-HEAD-3", 3),
        ("official", "offical", "notation/unexpected", "N-HEAD-4", 4),
        ("official", "stop, 5 3", "notation/unexpected", "N-HEAD-4", 4),
        ("official", "stop, five, edge-3", "notation/unexpected", "N-HEAD-4", 4),
        ("official", "stopp, 5 3, edge-3", "setup/pickup", "R-SETUP-7", 4),
        ("official", "stop, 3 5, edge-3", "setup/temple-treasures", "R-SETUP-8", 4),
        ("ana, ben", "ana", "setup/player-count", "R-SETUP-1", 1),
        ("leader: ana", "leader: cleo", "setup/leader", "R-SETUP-3", 2),
        ("10-30", "15-30", "setup/number", "R-SETUP-4", 3),
    ],
)
def test_a_fault_of_a_header_is_told_on_its_line(old: str, new: str, code: str, rule: str, line: int) -> None:
    assert HEAD.count(old) == 1
    (report,), said = judged(HEAD.replace(old, new) + "1. 7\n")

    assert said == []
    assert (report.findings[0].code, report.findings[0].rule, report.findings[0].line) == (code, rule, line)
    assert {found.code.partition("/")[0] for found in report.findings} == {code.partition("/")[0]}


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"1. 7 | b3 {\xff}", "text/not-utf8"), (b"1. 7 {" + b"x" * (1 << 20) + b"}", "text/line-too-long")],
)
def test_a_line_that_is_no_text_is_told(line: bytes, code: str) -> None:
    """N-TEXT-1."""
    (report,), _ = judged(HEAD.encode() + line)
    assert [(found.code, found.line) for found in report.findings] == [(code, 5)]


@pytest.mark.parametrize(
    "text", ["", " ", "b3 | c3", "b3 {x}", "b3\n", "\ud800", "{", '{"\ud800":1}', "Bl b1", "x"]
)
def test_an_action_that_is_none_is_refused_with_its_column(text: str) -> None:
    with pytest.raises(Fault, match=r"^column \d+: "):
        read_action(Table(setup()).do(Draw(7)).game, ANA, text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "notation/unexpected"),
        ("b3", "rule/already-played"),
        ("-", "rule/already-played"),
        ("Ye a3", "rule/other-adventurer"),
        ("*", "notation/unexpected"),
        ("pass {x}", "notation/unexpected"),
    ],
)
def test_the_rest_of_a_turn_is_walks_or_a_pass(text: str, code: str) -> None:
    game = Table(setup()).lay(BLUE_ROAD).do(Draw(7), Discard(ANA), blue("a1")).game
    with pytest.raises(Fault, match=code):
        read_action(game, ANA, text)


def test_an_empty_file_is_no_game() -> None:
    for text in ("", " \n\n"):
        (report,), _ = judged(text)
        assert [found.code for found in report.findings] == ["log/no-opening"]


WORDS = st.sampled_from(
    [
        *(
            "players: ",
            "ana",
            "ben",
            "leader: ",
            "rules: ",
            "Bl",
            "a1",
            "pass",
            '{"a":1}',
            "{x}",
            "1",
            "2. 8 ",
        ),
        *'^*.-{}"\\[:,| é\n\r\t\x00\u2028',
    ]
)


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 12), WORDS), min_size=1, max_size=5))
@so_often(150)
def test_whatever_text_is_read_gets_a_verdict(changes: list[tuple[int, int, str]]) -> None:
    text = EXAMPLE.read_text("utf-8")[:400]
    for at, length, word in changes:
        text = text[:at] + word + text[at + length :]
    reports, said = judged(text)

    assert {report.verdict for report in reports} <= {"valid", "incomplete", "invalid"}
    again = written(unsealed(said))
    assert again == "" or written(unsealed(judged(again)[1])) == again


@given(st.lists(WORDS, max_size=8).map("".join))
@so_often(150)
def test_whatever_text_an_action_is_it_is_read_or_refused(text: str) -> None:
    game = Table(setup()).lay(BLUE_ROAD).do(Draw(7)).game
    try:
        commands = read_action(game, ANA, text)
    except Fault as fault:
        assert str(fault).startswith("column ")  # noqa: PT017 - it may be read, too
    else:
        assert read_action(game, ANA, action_text(game, commands)) == commands
