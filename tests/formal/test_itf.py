"""ITF, decoded."""

import pytest

from karuba_adapters import state_json
from karuba_core import (
    AdventurerMoved,
    Award,
    Collect,
    Discard,
    Draw,
    GameEnded,
    GameStarted,
    Move,
    Pass,
    Place,
    RoundEnded,
    Score,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TreasureCollected,
    TurnPassed,
    fold,
    start,
)
from tests.formal import itf
from tests.formal.kernel_graph import POSITIONS, read_position
from tests.formal.stand_in import trace_itf
from tests.games_kit import NEAR, setup


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (5, 5),
        ({"#bigint": "-12"}, -12),
        (True, True),
        ({"#tup": [{"#bigint": "1"}, "a"]}, [1, "a"]),
        ({"#set": ["b", "a", "c"]}, ["a", "b", "c"]),
        ({"#set": [{"x": 2}, {"x": {"#bigint": "1"}}]}, [{"x": 1}, {"x": 2}]),
        ({"#map": []}, {}),
        ({"#map": [["ana", {"#map": [["a1", {"#bigint": "7"}]]}]]}, {"ana": {"a1": 7}}),
        ({"tag": "Draw", "value": {"tile": {"#bigint": "7"}}}, {"tag": "Draw", "value": {"tile": 7}}),
        ([{"n": [{"#bigint": "0"}]}], [{"n": [0]}]),
    ],
)
def test_values(value: object, plain: object) -> None:
    assert itf.decode(value) == plain
    assert type(itf.decode(value)) is type(plain)


@pytest.mark.parametrize(
    ("tag", "fields", "command"),
    [
        ("Draw", {"tile": {"#bigint": "7"}}, Draw(7)),
        ("Place", {"cell": "a1", "player": "ana"}, Place("ana", "a1")),
        ("Discard", {"player": "ana"}, Discard("ana")),
        (
            "Move",
            {"path": ["a1", "temple"], "player": "ana", "adventurer": "blue"},
            Move("ana", "blue", ("a1", "temple")),
        ),
        ("Move", {"path": [], "player": "ana", "adventurer": "blue"}, Move("ana", "blue", ())),
        ("Collect", {"player": "ana", "adventurer": "blue"}, Collect("ana", "blue")),
        ("Pass", {"player": "ana"}, Pass("ana")),
    ],
)
def test_commands(tag: str, fields: object, command: object) -> None:
    assert itf.command({"tag": tag, "value": fields}) == command


AWARD = {"token": {"#bigint": "3"}, "crystals": {"#bigint": "2"}, "player": "ben", "temple": "blue"}
SCORE = {"temples": 8, "crystals": 1, "gold": 2, "total": 13, "tiles": 20}


@pytest.mark.parametrize(
    ("tag", "fields", "event"),
    [
        ("TileDrawn", {"tile": 7, "round": 3}, TileDrawn(3, 7)),
        ("TilePlaced", {"player": "ana", "tile": 7, "cell": "a1"}, TilePlaced("ana", 7, "a1")),
        ("TileDiscarded", {"steps": 4, "tile": 7, "player": "ana"}, TileDiscarded("ana", 7, 4)),
        (
            "AdventurerMoved",
            {"player": "ana", "adventurer": "blue", "path": ["a1"]},
            AdventurerMoved("ana", "blue", ("a1",)),
        ),
        (
            "TreasureCollected",
            {"player": "ana", "adventurer": "blue", "cell": "a1", "treasure": "gold"},
            TreasureCollected("ana", "blue", "a1", "gold"),
        ),
        ("TurnPassed", {"player": "ana"}, TurnPassed("ana")),
        ("RoundEnded", {"round": 3, "awards": []}, RoundEnded(3, ())),
        ("RoundEnded", {"round": 3, "awards": [AWARD]}, RoundEnded(3, (Award("ben", "blue", 3, 2),))),
        (
            "GameEnded",
            {"reason": "all-home", "scores": {"#map": [["ben", SCORE]]}, "winners": ["ben"]},
            GameEnded("all-home", (Score("ben", 8, 1, 2, 13, 20),), ("ben",)),
        ),
        (
            "GameStarted",
            {
                "players": ["ana", "ben"],
                "leader": "ana",
                "layout": {
                    "#map": [
                        ["yellow", {"beach": 30, "jungle": 10}],
                        ["blue", {"beach": 10, "jungle": 30}],
                        ["brown", {"beach": 110, "jungle": 90}],
                        ["purple", {"beach": 90, "jungle": 110}],
                    ]
                },
                "pickup": "stop",
                "treasures": [5, 3],
                "separation": "edge-3",
            },
            GameStarted(setup(2, layout=NEAR)),
        ),
    ],
)
def test_events(tag: str, fields: object, event: object) -> None:
    assert itf.event({"tag": tag, "value": fields}) == event


@pytest.mark.parametrize("fields", [{}, {"player": "ana", "tile": 7}])
def test_other_fields_are_refused(fields: object) -> None:
    with pytest.raises(ValueError, match="Discard"):
        itf.command({"tag": "Discard", "value": fields})


def test_commands_and_events_are_kept_apart() -> None:
    with pytest.raises(KeyError):
        itf.command({"tag": "TurnPassed", "value": {"player": "ana"}})
    with pytest.raises(KeyError):
        itf.event({"tag": "Pass", "value": {"player": "ana"}})


def test_a_state_is_that_of_the_kernel() -> None:
    events = read_position(POSITIONS / "three-step.jsonl")
    shown = trace_itf(events, ())["states"][0]["game::state"]
    assert itf.state(shown) == state_json(fold(events))


def test_an_empty_text_is_null_only_where_the_state_has_null() -> None:
    game = start(setup()).game
    shown = trace_itf(start(setup()).events, ())["states"][0]["game::state"]
    assert shown["due"] == shown["reason"] == ""
    shown["leader"] = ""
    state = itf.state(shown)
    assert state["leader"] == ""
    assert (state["due"], state["reason"]) == (None, None)
    assert state["islands"] == state_json(game)["islands"]
