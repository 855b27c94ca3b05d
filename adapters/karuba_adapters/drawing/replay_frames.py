"""A judged log as frames: what each record says, and what is seen to change with it.

What is seen of a game is a flat table, from the name of a spot (`0.total`, `0.b3`, `blue.stack`) to
what it shows. A frame holds the spots that changed, so whoever puts the frames up to a record over
each other sees the game after it, forwards and backwards, and needs no rule for that.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from karuba_adapters.drawing.replay_words import record_words
from karuba_adapters.findings import Report
from karuba_adapters.game_words import outcome, shown_name, steps_left
from karuba_adapters.judging import Right
from karuba_adapters.plain_text import printable
from karuba_core import CELLS, COLOURS, AdventurerMoved, Game, scores, winners
from karuba_core.turns import is_open


def replay_data(report: Report, rights: Sequence[Right]) -> dict[str, Any]:
    """Return all that a page shows of a log, as JSON values.

    Args:
        report: What is said of the log.
        rights: Its records that were found right, in their order; a fault stands after the last of them.
    """
    game = rights[-1].step.game if rights else None
    names = {player: shown_name(player) for player in game.setup.players} if game else {}
    return {
        "file": printable(report.file),
        "log": report.log,
        "verdict": report.verdict,
        "rules": report.rules,
        "players": [*names.values()],
        "frames": _frames(rights),
        "findings": [
            {field: printable(str(said)) for field, said in attrs.asdict(finding).items()}
            for finding in report.findings
        ],
        "waits": outcome(game, names) if game and game.phase != "over" else None,
    }


def seen(game: Game) -> dict[str, Any]:
    """Return what is seen of a game, by the name of its spot; spots of a player begin with the seat."""
    spots: dict[str, Any] = {
        "round": game.round,
        "drawn": game.drawn[-1] if game.drawn else None,
        **{f"{colour}.stack": list(game.stack(colour)) for colour in COLOURS},
    }
    for seat, score in enumerate(scores(game)):
        island = game.islands[seat]
        awards = [award for award in game.awards if award.player == score.player]
        own = {
            **{part: getattr(score, part) for part in ("total", "temples", "crystals", "gold", "tiles")},
            "awards": [[award.temple, award.token, award.crystals] for award in awards],
            "turn": _turn(game, seat),
            "wins": score.player in winners(game),
            **{colour: island.where(colour) for colour in COLOURS},
            **{cell: [island.tile(cell), island.treasure(cell)] for cell in CELLS if island.tile(cell)},
        }
        spots.update({f"{seat}.{spot}": shown for spot, shown in own.items()})
    return spots


def _frames(rights: Sequence[Right]) -> list[dict[str, Any]]:
    frames, before = [], dict[str, Any]()
    for right in rights:
        after = seen(right.step.game)
        frame = {"line": right.line, "says": record_words(right), "now": _changed(before, after)}
        for event in right.step.events:
            if isinstance(event, AdventurerMoved):
                seat, colour = right.step.game.seat(event.player), event.adventurer
                frame["walk"] = [seat, colour, [before[f"{seat}.{colour}"], *event.path]]
        frames.append(frame)
        before = after
    return frames


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spots that show something else after than before; none of them ever goes away."""
    return {spot: shown for spot, shown in after.items() if spot not in before or before[spot] != shown}


def _turn(game: Game, seat: int) -> str:
    """Return where a player stands in the round, or that the player has won."""
    turn = game.turns[seat]
    if game.phase != "turns":
        winning = winners(game)
        won = "wins" if len(winning) == 1 else "shares the win"
        return won if game.setup.players[seat] in winning else ""
    if not is_open(game, turn):
        return "done"
    if turn.stage == "to-play":
        return "to play"
    return steps_left(turn)
