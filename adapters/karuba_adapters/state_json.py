"""`karuba-state/1`: the one JSON form of a state, for showing, comparing and checking games."""

from typing import Any

from karuba_adapters import state_form as form
from karuba_core import CELLS, COLOURS, Game, due, end_reason, scores, winners
from karuba_core.state import CLOSED
from karuba_core.turns import is_open


def state_json(game: Game) -> dict[str, Any]:
    """Return a state in its JSON form: names and numbers of the game, nothing of how they are kept.

    Players key islands and scores; a turn that nothing can follow in is `closed`, however it closed.
    """
    setup, rules, due_event = game.setup, game.setup.rules, due(game)
    state: form.State = {
        "format": form.STATE_FORMAT,
        "players": list(setup.players),
        "leader": setup.leader,
        "layout": {
            colour: {"beach": pair.beach, "jungle": pair.jungle}
            for colour, pair in zip(COLOURS, setup.layout.pairs, strict=True)
        },
        "rules": {
            "pickup": rules.pickup,
            "temple_treasures": list(rules.temple_treasures),
            "separation": rules.separation,
        },
        "phase": game.phase,
        "round": game.round,
        "drawn": list(game.drawn),
        "due": due_event.name if due_event else None,
        "islands": {player: _island(game, player) for player in setup.players},
        "temple_treasures": {colour: list(game.stack(colour)) for colour in COLOURS},
        "awards": _awards(game),
        "scores": _scores(game),
        "reason": end_reason(game),
        "winners": list(winners(game)),
    }
    return dict(state)


def _island(game: Game, player: str) -> form.Island:
    island, turn = game.island(player), game.turn(player)
    if not is_open(game, turn):
        turn = CLOSED
    return {
        "tiles": {cell: tile for cell in CELLS if (tile := island.tile(cell))},
        "treasures": {cell: treasure for cell in CELLS if (treasure := island.treasure(cell))},
        "adventurers": {colour: island.where(colour) for colour in COLOURS},
        "turn": {
            "stage": turn.stage,
            "steps": turn.steps,
            "adventurer": turn.adventurer,
        },
    }


def _awards(game: Game) -> list[form.Award]:
    return [
        {"player": award.player, "temple": award.temple, "token": award.token, "crystals": award.crystals}
        for award in game.awards
    ]


def _scores(game: Game) -> dict[str, form.Points]:
    return {
        score.player: {
            "temples": score.temples,
            "crystals": score.crystals,
            "gold": score.gold,
            "total": score.total,
            "tiles": score.tiles,
        }
        for score in scores(game)
    }
