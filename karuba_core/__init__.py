"""The rules of Karuba: pure functions over frozen values.

>>> from karuba_core import Draw, Layout, Pair, Place, Setup, apply, preset, start
>>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
>>> game = start(Setup(("ana", "ben"), "ana", layout, preset("official", 2))).game
>>> game = apply(game, Draw(7)).game
>>> step = apply(game, Place("ana", "a1"))
>>> step.events
(TilePlaced(player='ana', tile=7, cell='a1'),)
>>> step.game.island("ana").tile("a1"), game.island("ana").tile("a1")
(7, None)
"""

from karuba_core.board import CELLS, COLOURS
from karuba_core.closing import end_reason
from karuba_core.commands import Collect, Command, Discard, Draw, Move, Pass, Place
from karuba_core.decider import Decider, IllegalCommand, Mismatch, Step, Violation
from karuba_core.events import (
    AdventurerMoved,
    Award,
    Event,
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
from karuba_core.kernel import (
    KARUBA,
    apply,
    check,
    command_of,
    due,
    fold,
    rederive,
    settle,
    start,
    trace,
    violation,
)
from karuba_core.legal import legal_commands
from karuba_core.opening import InvalidSetup, Layout, Pair, Setup, setup_violations
from karuba_core.ruleset import RuleSet, preset, preset_name
from karuba_core.scoring import scores, winners
from karuba_core.state import Game, Island, Turn
from karuba_core.tiles import TILES, Tile

__all__ = [
    "CELLS",
    "COLOURS",
    "KARUBA",
    "TILES",
    "AdventurerMoved",
    "Award",
    "Collect",
    "Command",
    "Decider",
    "Discard",
    "Draw",
    "Event",
    "Game",
    "GameEnded",
    "GameStarted",
    "IllegalCommand",
    "InvalidSetup",
    "Island",
    "Layout",
    "Mismatch",
    "Move",
    "Pair",
    "Pass",
    "Place",
    "RoundEnded",
    "RuleSet",
    "Score",
    "Setup",
    "Step",
    "Tile",
    "TileDiscarded",
    "TileDrawn",
    "TilePlaced",
    "TreasureCollected",
    "Turn",
    "TurnPassed",
    "Violation",
    "apply",
    "check",
    "command_of",
    "due",
    "end_reason",
    "fold",
    "legal_commands",
    "preset",
    "preset_name",
    "rederive",
    "scores",
    "settle",
    "setup_violations",
    "start",
    "trace",
    "violation",
    "winners",
]
