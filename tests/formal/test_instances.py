"""Positions, and the modules that are made of them."""

import pytest

from karuba_core import (
    AdventurerMoved,
    Award,
    GameEnded,
    GameStarted,
    RoundEnded,
    Score,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TreasureCollected,
    TurnPassed,
)
from tests.formal import sizes
from tests.formal.instances import module_name, position_module, recorded_module
from tests.formal.kernel_graph import POSITIONS, explore, read_position
from tests.games_kit import setup

EVENTS = (
    GameStarted(setup(2, pickup="step")),
    TileDrawn(1, 17),
    TilePlaced("ana", 17, "a1"),
    TileDiscarded("ben", 17, 2),
    AdventurerMoved("ben", "blue", ("a1", "temple")),
    TreasureCollected("ben", "blue", "a1", "gold"),
    TurnPassed("ben"),
    RoundEnded(1, ()),
    RoundEnded(2, (Award("ana", "blue", 5, 0), Award("ben", "blue", 3, 2))),
    GameEnded("all-home", (Score("ana", 5, 1, 2, 10, 20), Score("ben", 3, 2, 0, 5, 21)), ("ana", "ben")),
)
SETUP = (
    '{ players: ["ana", "ben"], leader: "ana", layout: Map('
    '"blue" -> { beach: 10, jungle: 30 }, "brown" -> { beach: 110, jungle: 90 }, '
    '"purple" -> { beach: 90, jungle: 110 }, "yellow" -> { beach: 30, jungle: 10 }), '
    'pickup: "step", treasures: [5, 3], separation: "edge-3" }'
)
LISTED = """[
    TileDrawn({ round: 1, tile: 17 }),
    TilePlaced({ player: "ana", tile: 17, cell: "a1" }),
    TileDiscarded({ player: "ben", tile: 17, steps: 2 }),
    AdventurerMoved({ player: "ben", adventurer: "blue", path: ["a1", "temple"] }),
    TreasureCollected({ player: "ben", adventurer: "blue", cell: "a1", treasure: "gold" }),
    TurnPassed({ player: "ben" }),
    RoundEnded({ round: 1, awards: [] }),
    RoundEnded({ round: 2, awards: [{ player: "ana", temple: "blue", token: 5, crystals: 0 }, \
{ player: "ben", temple: "blue", token: 3, crystals: 2 }] }),
    GameEnded({ reason: "all-home", scores: Map("ana" -> \
{ temples: 5, crystals: 1, gold: 2, total: 10, tiles: 20 }, "ben" -> \
{ temples: 3, crystals: 2, gold: 0, total: 5, tiles: 21 }), winners: ["ana", "ben"] })
  ]"""


def module(opening: str, recorded: str) -> str:
    return f"""\
module two_stop {{
  import types.* from "../types"
  pure val setup: Setup = {SETUP}
  pure val opening: List[Event] = {opening}
  pure val recorded: List[Event] = {recorded}
  import machine(SETUP = setup, OPENING = opening, RECORDED = recorded).* from "../machine"
}}
"""


def test_a_position_is_where_the_model_starts() -> None:
    assert position_module("two_stop", EVENTS) == module(LISTED, "[]")


def test_a_recorded_game_is_what_the_model_follows() -> None:
    assert recorded_module("two_stop", EVENTS) == module("[]", LISTED)


def test_a_game_without_its_opening_has_no_module() -> None:
    with pytest.raises(TypeError, match="game-started"):
        position_module("two_stop", EVENTS[1:])


def test_a_name_that_quint_cannot_write_is_refused() -> None:
    with pytest.raises(ValueError, match="quotation"):
        position_module("two_stop", (*EVENTS, TurnPassed('a"b')))


def test_modules_are_named_as_quint_allows() -> None:
    assert module_name("three-by-step") == "three_by_step"


def test_the_positions_show_together_what_there_is_to_show() -> None:
    lacking = set(sizes.SHOWN)
    for path in POSITIONS.glob("*.jsonl"):
        lacking -= sizes.shown(explore(read_position(path), 3000)).keys()
    assert lacking == set()


def test_every_position_is_in_the_table_and_the_other_way() -> None:
    table = (POSITIONS / "README.md").read_text(encoding="utf-8")
    listed = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert listed == {path.stem for path in POSITIONS.glob("*.jsonl")}
