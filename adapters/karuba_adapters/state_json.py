"""`karuba-state/1`: the one JSON form of a state, for showing, comparing and checking games."""

from typing import Any, Final

import attrs

from karuba_core import CELLS, COLOURS, Game, Island, due, end_reason, scores, winners
from karuba_core.turns import is_open

STATE_FORMAT: Final = "karuba-state/1"


def state_json(game: Game) -> dict[str, Any]:
    """Return a state in its JSON form: names and numbers of the game, nothing of how they are kept.

    Players key islands and scores; a turn that nothing can follow in is `closed`, however it closed.
    """
    setup, players = game.setup, game.setup.players
    due_event = due(game)
    return {
        "format": STATE_FORMAT,
        "players": list(players),
        "leader": setup.leader,
        "layout": attrs.asdict(setup.layout),
        "rules": attrs.asdict(setup.rules) | {"temple_treasures": list(setup.rules.temple_treasures)},
        "phase": game.phase,
        "round": game.round,
        "drawn": list(game.drawn),
        "due": due_event.name if due_event else None,
        "islands": {player: _island(game, game.island(player)) for player in players},
        "temple_treasures": {colour: list(game.stack(colour)) for colour in COLOURS},
        "awards": [attrs.asdict(award) for award in game.awards],
        "scores": {
            score.player: attrs.asdict(score, filter=attrs.filters.exclude("player"))
            for score in scores(game)
        },
        "reason": end_reason(game),
        "winners": list(winners(game)),
    }


def _island(game: Game, island: Island) -> dict[str, Any]:
    turn = island.turn if is_open(game, island) else None
    return {
        "tiles": {cell: tile for cell in CELLS if (tile := island.tile(cell))},
        "treasures": {cell: treasure for cell in CELLS if (treasure := island.treasure(cell))},
        "adventurers": {colour: island.where(colour) for colour in COLOURS},
        "turn": {
            "stage": turn.stage if turn else "closed",
            "steps": turn.steps if turn else 0,
            "adventurer": turn.adventurer if turn else None,
        },
    }
