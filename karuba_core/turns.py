"""When a player's turn is open, and the guards that all commands of a turn share."""

from typing import Final

from karuba_core.board import COLOUR_INDEX
from karuba_core.decider import Violation
from karuba_core.state import CLOSED, WALKING, Island, Position, Turn
from karuba_core.wording import listed, none_of, shown

OPEN_STAGES: Final = frozenset({"to-play", "walking"})
"""The stages of a turn in which something may still be done."""


def is_open(game: Position, turn: Turn) -> bool:
    """Return whether a player has still something to do in this round, of whom this is the turn."""
    return game.phase == "turns" and turn.stage in OPEN_STAGES


def turn_after(game: Position, island: Island, steps: int, adventurer: str) -> Turn:
    """Return the turn of a player after an adventurer has walked or collected.

    It closes by itself with its last step, unless a treasure may still be taken there without a
    step (R-CLOSE-1).

    Args:
        game: The game before.
        island: The island after.
        steps: The steps left, 0 to 4.
        adventurer: The one that acted.
    """
    if steps or (game.setup.rules.pickup != "step" and stands_on_treasure(island, adventurer)):
        return WALKING[steps, adventurer]
    return CLOSED


def open_players(game: Position) -> tuple[str, ...]:
    """Return the players whose turns are open, in seating order."""
    seats = zip(game.setup.players, game.turns, strict=True)
    return tuple([player for player, turn in seats if is_open(game, turn)])


def awaited(game: Position) -> str:
    """Return what the game waits for, in some words: a draw, turns that have to close, or nothing."""
    if game.phase == "over":
        return "the game is over"
    if game.phase == "draw":
        return "a draw is next"
    players = open_players(game)
    turns = "the turn" if len(players) == 1 else "the turns"
    return f"round {game.round} is open and waits for {turns} of {listed([*map(shown, players)])}"


def stands_on_treasure(island: Island, adventurer: str) -> bool:
    """Return whether an adventurer stands on a treasure."""
    return island.treasure_at(island.adventurers[COLOUR_INDEX[adventurer]]) is not None


def seat_to_play(game: Position, player: str) -> int | Violation:
    """Return the seat of a player who may place or discard the tile, or why the player may not."""
    seat = _seat_in_round(game, player)
    # R-TURN-3: the tile is placed or discarded once.
    if not isinstance(seat, int) or game.turns[seat].stage == "to-play":
        return seat
    message = f"{shown(player)} has played the tile of round {game.round} already"
    return Violation("rule/already-played", "R-TURN-3", "$.player", message)


def seat_to_walk(game: Position, player: str) -> int | Violation:
    """Return the seat of a player whose turn after a discard is open, or why there is none."""
    seat = _seat_in_round(game, player)
    if not isinstance(seat, int):
        return seat
    stage = game.turns[seat].stage
    if stage == "walking":
        return seat
    # R-TURN-4: only a discard gives steps.
    if stage == "to-play":
        message = f"{shown(player)} has not discarded the tile of round {game.round}"
        return Violation("rule/not-discarded", "R-TURN-4", "$.player", message)
    # R-TURN-5: a closed turn stays closed.
    message = f"the turn of {shown(player)} in round {game.round} is closed"
    return Violation("rule/turn-closed", "R-TURN-5", "$.player", message)


def _seat_in_round(game: Position, player: str) -> int | Violation:
    if game.phase != "turns":
        # R-END-3: after the end nothing is legal.
        if game.phase == "over":
            return game_over()
        # R-TURN-1: turns belong to a round, and a drawn tile opens it.
        return Violation("rule/no-round", "R-TURN-1", "$", "no round is open: a tile has to be drawn first")
    # R-TURN-2: only the players of this game have turns.
    try:
        return game.setup.players.index(player)
    except ValueError:
        message = none_of(player, game.setup.players)
        return Violation("rule/unknown-player", "R-TURN-2", "$.player", message)


def game_over() -> Violation:
    """Return the refusal of any command after the end (R-END-3)."""
    return Violation("rule/game-over", "R-END-3", "$", "the game is over")


def adventurer_fault(turn: Turn, adventurer: str) -> Violation | None:
    """Return why an adventurer may not act in the turn of its player, if it may not."""
    # R-MOVE-1: the adventurers are the four colours.
    if adventurer not in COLOUR_INDEX:
        message = f"expected one of {', '.join(COLOUR_INDEX)}, got {shown(adventurer)}"
        return Violation("rule/unknown-adventurer", "R-MOVE-1", "$.adventurer", message)
    # R-MOVE-2: one adventurer a turn.
    walking = turn.adventurer
    if walking is not None and walking != adventurer:
        message = f"this turn belongs to the {walking} adventurer; its steps are for no other"
        return Violation("rule/other-adventurer", "R-MOVE-2", "$.adventurer", message)
    return None
