"""The JSON form of a state says what the naive judge knows of the game, and says each thing in one way."""

import io
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

from karuba_adapters import Right, state_json, validate
from karuba_core import COLOURS, Collect, Command, Discard, Draw, Game, Move, Pass, Place, start
from tests import naive_judge
from tests.games_kit import BLUE_ROAD, Table, setup

GAMES = Path(__file__).parents[1] / "games"
FINISHED = sorted((GAMES / "sound").glob("*-casual.jsonl"))
KEYS = [
    *("format", "players", "leader", "layout", "rules", "phase", "round", "drawn", "due", "islands"),
    *("temple_treasures", "awards", "scores", "reason", "winners"),
]
CLOSED = {"stage": "closed", "steps": 0, "adventurer": None}
CELL_NAMES = {spot: cell for cell, spot in naive_judge.CELLS.items()}


def turn(table: Table, player: str = "ana") -> dict[str, Any]:
    """Return what the state says of a player's turn."""
    said: dict[str, Any] = state_json(table.game)["islands"][player]["turn"]
    return said


def drawn(tile: int = 7, pickup: str = "stop") -> Table:
    """Return a table with a crystal on a1 and blue's road laid, at which a tile was drawn."""
    return Table(setup(pickup=pickup)).lay({**BLUE_ROAD, "a1": 13}).do(Draw(tile))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_state_of_an_opening(players: int) -> None:
    state = json.loads(orjson.dumps(state_json(Table(setup(players)).game)))
    names = ["ana", "ben", "cleo", "dan"][:players]
    stack = {2: [5, 3], 3: [5, 3, 2], 4: [5, 4, 3, 2]}[players]
    points = dict.fromkeys(("temples", "crystals", "gold", "total", "tiles"), 0)
    island = {"tiles": {}, "treasures": {}, "adventurers": dict.fromkeys(COLOURS, "beach"), "turn": CLOSED}

    assert state == {
        "format": "karuba-state/1",
        "players": names,
        "leader": "ana",
        "layout": {
            "blue": {"beach": 10, "jungle": 30},
            "brown": {"beach": 110, "jungle": 90},
            "purple": {"beach": 90, "jungle": 110},
            "yellow": {"beach": 30, "jungle": 10},
        },
        "rules": {"pickup": "stop", "temple_treasures": stack, "separation": "edge-3"},
        "phase": "draw",
        "round": 0,
        "drawn": [],
        "due": None,
        "islands": dict.fromkeys(names, island),
        "temple_treasures": dict.fromkeys(COLOURS, stack),
        "awards": [],
        "scores": dict.fromkeys(names, points),
        "reason": None,
        "winners": [],
    }
    assert list(state) == KEYS


def naive_state(game: naive_judge.Game) -> dict[str, Any]:
    """Return what the naive judge knows, in the words of the state."""

    def place(spot: object) -> object:
        return (
            spot
            if isinstance(spot, str)
            else next(cell for cell, at in naive_judge.CELLS.items() if at == spot)
        )

    def turn(player: str) -> dict[str, Any]:
        found = game.turns.get(player)
        if found is None or found.phase == "closed":
            return CLOSED
        stage = {"choosing": "to-play", "walking": "walking"}[found.phase]
        return {"stage": stage, "steps": found.steps, "adventurer": found.adventurer}

    return {
        "phase": "over" if game.over else "turns" if game.turns else "draw",
        "round": len(game.drawn),
        "drawn": game.drawn,
        "temple_treasures": game.stacks,
        "islands": {
            player: {
                "tiles": {CELL_NAMES[spot]: tile for spot, tile in seat.board.items()},
                "treasures": {CELL_NAMES[spot]: treasure for spot, treasure in seat.lying.items()},
                "adventurers": {colour: place(spot) for colour, spot in seat.where.items()},
                "turn": turn(player),
            }
            for player, seat in game.seats.items()
        },
        "scores": {
            player: {
                "temples": seat.temples,
                "crystals": seat.crystals,
                "gold": seat.gold,
                "total": seat.temples + seat.crystals + 2 * seat.gold,
                "tiles": len(seat.board),
            }
            for player, seat in game.seats.items()
        },
    }


def rights_of(log: bytes) -> list[Right]:
    rights: list[Right] = []
    assert [report.findings for report in validate(io.BytesIO(log), observe=rights.append)] == [()]
    return rights


@pytest.mark.parametrize("file", FINISHED, ids=lambda file: file.stem)
def test_every_state_of_a_game_is_as_the_naive_judge_sees_it(file: Path) -> None:
    """What is due has happened to the naive judge already, so states in which it is are left out."""
    log = file.read_bytes()
    reading, compared = naive_judge.Reading(), 0
    for right, line in zip(rights_of(log), log.splitlines(), strict=True):
        reading.take(naive_judge.record_of(line), b"")
        if not reading.due and reading.game:
            state, seen = state_json(right.step.game), naive_state(reading.game)
            assert {key: state[key] for key in seen} == seen
            assert state["due"] is None
            compared += 1

    assert compared > 100


def states(file: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each record of a log and the state after it, both as JSON."""
    log = file.read_bytes()
    for right, line in zip(rights_of(log), log.splitlines(), strict=True):
        yield json.loads(line), json.loads(orjson.dumps(state_json(right.step.game)))


@pytest.mark.parametrize("file", FINISHED[:3], ids=lambda file: file.stem)
def test_a_state_tells_its_opening_and_its_awards(file: Path) -> None:
    awards: list[object] = []
    opening: dict[str, Any] = {}
    for record, state in states(file):
        opening = opening or record
        awards += record.get("awards", [])
        assert list(state) == KEYS
        assert {key: state[key] for key in ("players", "leader", "layout", "rules")} == {
            key: opening[key] for key in ("players", "leader", "layout", "rules")
        }
        assert state["awards"] == awards
        assert [*state["islands"]] == [*state["scores"]] == state["players"]
        assert all([*island["adventurers"]] == [*COLOURS] for island in state["islands"].values())

    assert len(awards) > 1


@pytest.mark.parametrize("file", FINISHED[:3], ids=lambda file: file.stem)
def test_a_state_tells_what_is_due_and_how_it_ended(file: Path) -> None:
    told = [*states(file)]
    for (_, state), (following, _) in pairwise(told):
        name = following["type"]
        assert state["due"] == (name if name in ("round-ended", "game-ended") else None)
        assert (state["reason"], state["winners"]) == (None, [])

    last, state = told[-1]
    assert (state["phase"], state["due"]) == ("over", None)
    assert {key: state[key] for key in ("scores", "reason", "winners")} == {
        key: last[key] for key in ("scores", "reason", "winners")
    }


@pytest.mark.parametrize("file", FINISHED[:2], ids=lambda file: file.stem)
def test_a_state_is_json_and_comes_back_the_same(file: Path) -> None:
    for right in rights_of(file.read_bytes()):
        state = state_json(right.step.game)
        text = orjson.dumps(state)
        assert orjson.dumps(json.loads(text)) == text
        assert json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode() == text


# Turns


@pytest.mark.parametrize(
    "commands",
    [
        (Place("ana", "f5"),),
        (Discard("ana"), Pass("ana")),
        (Discard("ana"), Move("ana", "blue", ("a1",)), Pass("ana")),
        (Discard("ana"), Move("ana", "blue", ("a1",)), Collect("ana", "blue")),
        (Discard("ana"), Move("ana", "blue", ("a1", "b1", "a1", "b1"))),
        (Discard("ana"), Move("ana", "blue", ("a1", "b1", "c1", "temple"))),
        (Discard("ana"), Move("ana", "blue", ("a1", "b1")), Move("ana", "blue", ("c1", "temple"))),
    ],
    ids=["placed", "passed", "passed-after-a-move", "collected", "walked", "home", "home-in-two"],
)
def test_a_closed_turn_is_the_same_however_it_closed(commands: tuple[Command, ...]) -> None:
    table = drawn()
    open_turns = [turn(table)]
    for command in commands:
        open_turns.append(turn(table))
        table.do(command)

    assert turn(table) == turn(drawn().do(Place("ana", "e5"))) == CLOSED
    assert CLOSED not in open_turns
    assert turn(table, "ben") == {"stage": "to-play", "steps": 0, "adventurer": None}


def test_an_open_turn_tells_what_is_left_of_it() -> None:
    table = drawn()
    assert turn(table) == {"stage": "to-play", "steps": 0, "adventurer": None}
    assert turn(table.do(Discard("ana"))) == {"stage": "walking", "steps": 4, "adventurer": None}
    table.do(Move("ana", "blue", ("a1",)))
    assert turn(table) == {"stage": "walking", "steps": 3, "adventurer": "blue"}


def test_a_turn_without_steps_is_open_on_a_treasure() -> None:
    commands = (Discard("ana"), Move("ana", "blue", ("a1", "b1", "a1")))

    assert turn(drawn(5).do(*commands)) == {"stage": "walking", "steps": 0, "adventurer": "blue"}
    assert turn(drawn(5, "landing").do(*commands)) == {"stage": "walking", "steps": 0, "adventurer": "blue"}
    assert turn(drawn(5, "step").do(*commands)) == CLOSED


def test_turns_are_closed_while_no_round_is_open() -> None:
    table = drawn().do(Place("ana", "f5"), Discard("ben"))
    assert turn(table, "ben")["stage"] == "walking"
    table.do(Pass("ben"))

    assert [turn(table, player) for player in ("ana", "ben")] == [CLOSED, CLOSED]
    assert state_json(table.game)["phase"] == "draw"


# Treasures


def test_a_treasure_lies_until_it_is_taken() -> None:
    table = drawn()
    assert state_json(table.game)["islands"]["ana"]["treasures"] == {"a1": "crystal"}
    table.do(Discard("ana"), Move("ana", "blue", ("a1",)), Collect("ana", "blue"))
    state = state_json(table.game)

    assert [state["islands"][player]["treasures"] for player in ("ana", "ben")] == [{}, {"a1": "crystal"}]
    assert [state["scores"][player]["crystals"] for player in ("ana", "ben")] == [1, 0]


def test_a_stack_goes_down_with_every_award() -> None:
    """Ana and ben reach one temple in one round, cleo in a later one: of [5, 3, 2] nothing is left."""
    table = Table(setup(3)).lay(BLUE_ROAD)
    stacks: list[Any] = [state_json(table.game)["temple_treasures"]]
    for players in (("ana", "ben"), ("cleo",)):
        table.walk(7 if len(stacks) == 1 else 8, "blue", "a1 b1 c1 temple", *players)
        stacks.append(state_json(table.game)["temple_treasures"])

    full = {colour: [5, 3, 2] for colour in COLOURS}
    assert stacks == [full, {**full, "blue": [2]}, {**full, "blue": []}]
    assert state_json(table.game)["awards"] == [
        {"player": "ana", "temple": "blue", "token": 5, "crystals": 0},
        {"player": "ben", "temple": "blue", "token": 3, "crystals": 2},
        {"player": "cleo", "temple": "blue", "token": 2, "crystals": 0},
    ]
    assert [score["total"] for score in state_json(table.game)["scores"].values()] == [5, 5, 2]


def test_an_award_counts_once_its_round_has_ended() -> None:
    """A log may be cut just before that: the adventurer is home, the stack is full, the end is due."""
    rights = rights_of((GAMES / "sound" / "04-3p-stop-casual.jsonl").read_bytes())
    ended = next(place for place, right in enumerate(rights) if getattr(right.message, "awards", ()))
    before, after = (state_json(game) for game in (game_of(rights, ended - 1), game_of(rights, ended)))

    assert (before["due"], after["due"]) == ("round-ended", None)
    assert before["awards"] == []
    assert before["islands"].keys() == after["islands"].keys()
    assert [island["adventurers"] for island in before["islands"].values()] == [
        island["adventurers"] for island in after["islands"].values()
    ]
    taken = sum(len(stack) for stack in before["temple_treasures"].values()) - len(after["awards"])
    assert sum(len(stack) for stack in after["temple_treasures"].values()) == taken


def game_of(rights: list[Right], place: int) -> Game:
    return rights[place].step.game


def test_a_state_is_taken_apart_from_its_game() -> None:
    game = start(setup()).game
    state_json(game)["temple_treasures"]["blue"].clear()

    assert state_json(game)["temple_treasures"]["blue"] == [5, 3]
