"""Pages that replay games: what is in them, and that nothing in them is more than text."""

import base64
import hashlib
import io
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType
from typing import Any

import attrs
import orjson
import pytest

from karuba_adapters import Right, encode, state_json, validate, write_log
from karuba_adapters.drawing.replay_frames import replay_data
from karuba_adapters.drawing.replay_page import embedded, page_of, replay_page
from karuba_adapters.drawing.replay_words import record_words
from karuba_core import Command, Discard, Draw, Move, Pass, Place
from tests.games_kit import BLUE_ROAD, NEAR, Table, setup

ROOT = Path(__file__).parents[2]
EXPEDITION = ROOT / "docs" / "examples" / "expedition.jsonl"
GAMES = ROOT / "tests" / "games"

Json = dict[str, Any]


def judged(log: bytes) -> tuple[Json, list[Right]]:
    """Return the data of a log's page, with its right records."""
    rights: list[Right] = []
    report = next(validate(io.BytesIO(log), "game.jsonl", rights.append))
    return orjson.loads(orjson.dumps(replay_data(report, rights))), rights


def log_of(table: Table) -> bytes:
    stream = io.BytesIO()
    write_log(table.events, stream)
    return stream.getvalue()


class Parsed(HTMLParser):
    """A page as a browser parses it: its elements, and the texts of those that hold text alone."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open = tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open, []).append(data)
        self.open = ""


def texts(page: str, tag: str) -> list[str]:
    return Parsed(page).texts[tag]


# Frames


@pytest.mark.parametrize(
    "log",
    [
        EXPEDITION,
        GAMES / "sound" / "05-4p-stop-expert.jsonl",
        GAMES / "commands" / "16-3p-step-casual.jsonl",
        GAMES / "unfinished" / "4.jsonl",
    ],
    ids=lambda path: path.name,
)
def test_frames_laid_over_each_other_are_the_state_after_each_record(log: Path) -> None:
    data, rights = judged(log.read_bytes())
    seen: Json = {}
    assert len(data["frames"]) == len(rights)
    for frame, right in zip(data["frames"], rights, strict=True):
        seen |= frame["now"]
        assert frame["line"] == right.line
        assert as_state(seen, len(data["players"])) == of_state(state_json(right.step.game))


def as_state(seen: Json, players: int) -> Json:
    """Return what is seen of a game, in the shape of `of_state`."""
    return {
        "round": seen["round"],
        "drawn": seen["drawn"],
        "stacks": {colour: seen[f"{colour}.stack"] for colour in ("blue", "brown", "purple", "yellow")},
        "islands": [
            {
                "cells": {
                    spot[2:]: told for spot, told in seen.items() if re.fullmatch(rf"{seat}\.[a-f]\d", spot)
                },
                "adventurers": [seen[f"{seat}.{colour}"] for colour in ("blue", "brown", "purple", "yellow")],
                "score": [
                    seen[f"{seat}.{part}"] for part in ("temples", "crystals", "gold", "total", "tiles")
                ],
                "awards": seen[f"{seat}.awards"],
                "wins": seen[f"{seat}.wins"],
            }
            for seat in range(players)
        ],
    }


def of_state(state: Json) -> Json:
    """Return what has to be seen of a state (karuba-state/1)."""
    return {
        "round": state["round"],
        "drawn": [None, *state["drawn"]][-1],
        "stacks": state["temple_treasures"],
        "islands": [
            {
                "cells": {
                    cell: [tile, island["treasures"].get(cell)] for cell, tile in island["tiles"].items()
                },
                "adventurers": [
                    island["adventurers"][colour] for colour in ("blue", "brown", "purple", "yellow")
                ],
                "score": list(state["scores"][player].values()),
                "awards": [
                    [award["temple"], award["token"], award["crystals"]]
                    for award in state["awards"]
                    if award["player"] == player
                ],
                "wins": player in state["winners"],
            }
            for player, island in state["islands"].items()
        ],
    }


def test_a_frame_holds_what_changed_and_nothing_else() -> None:
    data, _ = judged(EXPEDITION.read_bytes())
    assert [frame["now"] for frame in data["frames"][1:6]] == [
        {"round": 1, "drawn": 4, "0.turn": "to play", "1.turn": "to play", "2.turn": "to play"},
        {"1.turn": "done", "1.tiles": 1, "1.b4": [4, "crystal"]},
        {"0.turn": "done", "0.tiles": 1, "0.e5": [4, "crystal"]},
        {"2.turn": "done", "2.tiles": 1, "2.c1": [4, "crystal"]},
        {"0.turn": "", "1.turn": "", "2.turn": ""},
    ]


def test_a_walk_begins_where_the_adventurer_stood() -> None:
    table = Table(setup()).lay(BLUE_ROAD).walk(5, "blue", "a1", "ana").walk(6, "blue", "b1 c1", "ana")
    data, _ = judged(log_of(table))
    walks = [frame["walk"] for frame in data["frames"] if "walk" in frame]
    assert walks == [[0, "blue", ["beach", "a1"]], [0, "blue", ["a1", "b1", "c1"]]]


def test_players_who_share_a_win_are_told_so() -> None:
    table = Table(setup()).homeward()
    table.walk(26, "purple", "d5 e5 f5 temple")
    data, _ = judged(log_of(table))
    last = data["frames"][-1]["now"]
    assert (last["0.turn"], last["1.turn"]) == ("shares the win", "shares the win")
    assert data["waits"] is None


def test_names_are_made_fit_to_be_shown_and_stay_different() -> None:
    names = ("ana\u202e", "ana\\u202e")
    opening = attrs.evolve(setup(), players=names, leader=names[0])
    data, _ = judged(log_of(Table(opening)))
    assert data["players"] == [r"ana\u202e", r"ana\\u202e"]


# Words


def said(*commands: Command, roads: Mapping[str, int] = MappingProxyType({})) -> list[str]:
    """Return what the records say that commands lead to, after some roads were laid."""
    table = Table(setup()).lay(roads)
    before = len(table.events)
    _, rights = judged(log_of(table.do(*commands)))
    names = table.game.setup.players
    return [
        "".join(word if isinstance(word, str) else names[word] for word in record_words(right))
        for right in rights[before:]
    ]


def test_every_event_is_told_in_words() -> None:
    assert said(Draw(3), Place("ben", "a1"), Discard("ana"), Pass("ana")) == [
        "Round 1: tile 3, ES with a crystal",
        "ben places the tile on a1",
        "ana discards the tile for 2 steps",
        "ana passes",
        "Round 1 ends",
    ]
    assert said(Draw(14))[-1] == "Round 1: tile 14, EW with gold"
    walk: list[Command] = [
        Draw(8),
        Discard("ana"),
        Move("ana", "blue", ("a1",)),
        Move("ana", "blue", ("b1", "c1")),
    ]
    assert said(*walk, roads=BLUE_ROAD)[2:] == ["ana moves blue to a1", "ana moves blue over b1 to c1"]
    both: list[Command] = [
        command
        for player in ("ana", "ben")
        for command in (Discard(player), Move(player, "blue", ("a1", "b1", "c1", "temple")))
    ]
    assert said(Draw(8), *both, roads=BLUE_ROAD)[-2:] == [
        "ben moves blue over a1, b1, c1 into its temple",
        "Round 4 ends: ana gets 5 for the blue temple and ben gets 3 and 2 crystals for the blue temple",
    ]


def test_the_opening_the_end_and_treasures_are_told_in_words() -> None:
    _, rights = judged(EXPEDITION.read_bytes())
    assert record_words(rights[0]) == ("The game begins: ", 0, ", ", 1, " and ", 2, "; ", 0, " leads")
    assert "".join(map(str, record_words(rights[142]))) == "0 takes gold on b2"
    assert "".join(map(str, record_words(rights[210]))) == "0 takes a crystal on b1"
    assert "".join(map(str, record_words(rights[212]))) == (
        "The game ends, all four adventurers home: 0 wins"
    )


def test_a_command_tells_all_that_followed_and_a_seal_that_it_is_one() -> None:
    opening = encode(Table(setup()).events[0])
    commands = (Draw(7), Place("ana", "a1"), Place("ben", "a1"))
    log = opening + b"".join(encode(command) for command in commands)
    _, rights = judged(log)
    assert record_words(rights[-1]) == (1, " places the tile on a1", "; ", "Round 1 ends")
    stream = io.BytesIO()
    write_log(Table(setup()).events, stream, sealed=True)
    _, rights = judged(stream.getvalue())
    assert record_words(rights[-1]) == ("The log is sealed",)


# Faults


def test_a_log_at_fault_ends_before_it_and_tells_all_its_findings() -> None:
    opening, draw = EXPEDITION.read_bytes().splitlines(keepends=True)[:2]
    data, rights = judged(opening + draw + b'{"type":"tile-placed","player":1,"cell":2}\n' + draw)
    assert [frame["line"] for frame in data["frames"]] == [1, 2] == [right.line for right in rights]
    assert sorted((finding["line"], finding["code"]) for finding in data["findings"]) == [
        ("3", "shape/missing-field"),
        ("3", "shape/wrong-type"),
        ("3", "shape/wrong-type"),
    ]
    assert set(data["findings"][0]) == {"line", "path", "code", "rule", "message"}
    assert data["verdict"] == "invalid"


def test_a_finding_cannot_move_the_text_round_it() -> None:
    opening = EXPEDITION.read_bytes().splitlines(keepends=True)[0]
    data, _ = judged(opening + '{"type":"\u202e"}\n'.encode())
    assert "\u202e" not in orjson.dumps(data).decode()


def test_what_an_unfinished_game_waits_for_is_told() -> None:
    lines = EXPEDITION.read_bytes().splitlines(keepends=True)
    assert judged(lines[0])[0]["waits"] == "round 1: a tile has to be drawn"
    assert judged(b"".join(lines[:5]))[0]["waits"] == "round-ended is due"


# The page


def test_a_log_of_a_stream_is_chosen_by_its_number() -> None:
    other = Table(setup(layout=NEAR)).events
    stream = io.BytesIO()
    write_log(other, stream)
    two = EXPEDITION.read_bytes() + stream.getvalue()

    def players(log: int) -> list[str]:
        page = replay_page(io.BytesIO(two), "two.jsonl", log)
        return list(orjson.loads(texts(page, "script")[0])["players"])

    assert players(1) == ["ana", "ben", "chloé"]
    assert players(2) == ["ana", "ben"]
    with pytest.raises(LookupError, match=r"two\.jsonl holds 2 logs only"):
        players(3)


def test_a_stream_is_read_as_it_is_asked_for() -> None:
    opening = encode(Table(setup()).events[0])

    def verdict(*, split: bool) -> str:
        page = replay_page(io.BytesIO(opening + opening), "-", split=split)
        return str(orjson.loads(texts(page, "script")[0])["verdict"])

    assert (verdict(split=False), verdict(split=True)) == ("invalid", "incomplete")


HOSTILE = "</title></script><img src=x onerror=a()><!--<script>&\u2028\u2029\"'$title"


def hostile_page() -> str:
    opening = attrs.evolve(setup(), players=(HOSTILE, "ben"), leader="ben")
    return replay_page(io.BytesIO(log_of(Table(opening))), HOSTILE)


def test_nothing_that_a_log_says_ends_the_element_that_it_stands_in() -> None:
    page = hostile_page()
    data, _ = texts(page, "script")
    assert not set("<>&\u2028\u2029") & set(data)
    assert orjson.loads(data)["file"] == HOSTILE.replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")
    parsed = Parsed(page)
    assert [attributes.get("type") for tag, attributes in parsed.elements if tag == "script"] == [
        "application/json",
        None,
    ]
    assert [tag for tag, _ in parsed.elements] == [
        tag for tag, _ in Parsed(replay_page(io.BytesIO(log_of(Table(setup()))), "-")).elements
    ]


def test_data_says_the_same_with_its_escapes() -> None:
    text = '<>&\u2028\u2029"\\é'
    data = embedded({text: [text]})
    assert not set("<>&\u2028\u2029") & set(data)
    assert orjson.loads(data) == {text: [text]}


def test_a_page_allows_its_own_style_and_script_alone() -> None:
    page = hostile_page()
    (policy,) = (
        attributes["content"] or ""
        for tag, attributes in Parsed(page).elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "script-src": digest(texts(page, "script")[1]),
        "style-src": digest(texts(page, "style")[0]),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def test_a_page_asks_for_nothing_and_has_no_code_in_its_attributes() -> None:
    page = hostile_page()
    for tag, attributes in Parsed(page).elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base", "form", "a"}
        for name, value in attributes.items():
            assert name not in {"style", "src", "action", "srcdoc"}
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value
                assert value.startswith("#")
    style, script = texts(page, "style")[0], texts(page, "script")[1]
    assert not re.search(r"url\(|@import", style)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(", script)
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("log", sorted((GAMES / "sound").glob("*-4p-*.jsonl")), ids=lambda path: path.name)
def test_a_page_of_four_players_is_small(log: Path) -> None:
    assert len(replay_page(io.BytesIO(log.read_bytes()), log.name).encode()) < 150_000


def test_every_log_has_its_page() -> None:
    for log in sorted((GAMES / "broken").glob("*-1.jsonl")):
        rights: list[Right] = []
        report = next(validate(io.BytesIO(log.read_bytes()), observe=rights.append))
        assert page_of(report, rights).startswith("<!doctype html>")
