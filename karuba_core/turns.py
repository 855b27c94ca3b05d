"""When a player's turn is open, and the guards that all commands of a turn share."""

from karuba_core.board import COLOUR_INDEX
from karuba_core.decider import Violation
from karuba_core.state import Game, Island
from karuba_core.wording import listed, shown


def is_open(game: Game, island: Island) -> bool:
    """Return whether the player of an island has still something to do in this round.

    A turn is open until the tile is played. After a discard it closes by itself with its last
    step, unless a treasure may still be taken there without a step (R-CLOSE-1).
    """
    turn = island.turn
    if turn.stage == "walking":
        return turn.steps > 0 or (game.setup.rules.pickup != "step" and stands_on_treasure(island))
    return turn.stage == "to-play" and game.phase == "turns"


def open_players(game: Game) -> tuple[str, ...]:
    """Return the players whose turns are open, in seating order."""
    seats = zip(game.setup.players, game.islands, strict=True)
    return tuple(player for player, island in seats if is_open(game, island))


def awaited(game: Game) -> str:
    """Return what the game waits for, in some words: a draw, turns that have to close, or nothing."""
    if game.phase == "over":
        return "the game is over"
    if game.phase == "draw":
        return "a draw is next"
    players = open_players(game)
    turns = "the turn" if len(players) == 1 else "the turns"
    return f"round {game.round} is open and waits for {turns} of {listed([*map(shown, players)])}"


def stands_on_treasure(island: Island) -> bool:
    """Return whether the turn's adventurer, where there is one, stands on a treasure."""
    colour = island.turn.adventurer
    return colour is not None and island.treasure_at(island.adventurers[COLOUR_INDEX[colour]]) is not None


def island_to_play(game: Game, player: str) -> Island | Violation:
    """Return the island of a player who may place or discard the tile, or why the player may not."""
    island = _island_in_round(game, player)
    # R-TURN-3: the tile is placed or discarded once.
    if isinstance(island, Violation) or island.turn.stage == "to-play":
        return island
    message = f"{shown(player)} has played the tile of round {game.round} already"
    return Violation("rule/already-played", "R-TURN-3", "$.player", message)


def island_to_walk(game: Game, player: str) -> Island | Violation:
    """Return the island of a player whose turn after a discard is open, or why there is none."""
    island = _island_in_round(game, player)
    if isinstance(island, Violation):
        return island
    # R-TURN-4: only a discard gives steps.
    if island.turn.stage == "to-play":
        message = f"{shown(player)} has not discarded the tile of round {game.round}"
        return Violation("rule/not-discarded", "R-TURN-4", "$.player", message)
    # R-TURN-5: a closed turn stays closed.
    if not is_open(game, island):
        message = f"the turn of {shown(player)} in round {game.round} is closed"
        return Violation("rule/turn-closed", "R-TURN-5", "$.player", message)
    return island


def _island_in_round(game: Game, player: str) -> Island | Violation:
    # R-TURN-1: turns belong to a round, and a drawn tile opens it.
    if game.phase == "draw":
        return Violation("rule/no-round", "R-TURN-1", "$", "no round is open: a tile has to be drawn first")
    # R-END-3: after the end nothing is legal.
    if game.phase == "over":
        return game_over()
    # R-TURN-2: only the players of this game have turns.
    try:
        return game.islands[game.setup.players.index(player)]
    except ValueError:
        message = f"{shown(player)} is none of the players, {listed([*map(shown, game.setup.players)])}"
        return Violation("rule/unknown-player", "R-TURN-2", "$.player", message)


def game_over() -> Violation:
    """Return the refusal of any command after the end (R-END-3)."""
    return Violation("rule/game-over", "R-END-3", "$", "the game is over")


def adventurer_fault(island: Island, adventurer: str) -> Violation | None:
    """Return why an adventurer may not act in the turn of its player, if it may not."""
    # R-MOVE-1: the adventurers are the four colours.
    if adventurer not in COLOUR_INDEX:
        message = f"expected one of {', '.join(COLOUR_INDEX)}, got {shown(adventurer)}"
        return Violation("rule/unknown-adventurer", "R-MOVE-1", "$.adventurer", message)
    # R-MOVE-2: one adventurer a turn.
    walking = island.turn.adventurer
    if walking is not None and walking != adventurer:
        message = f"this turn belongs to the {walking} adventurer; its steps are for no other"
        return Violation("rule/other-adventurer", "R-MOVE-2", "$.adventurer", message)
    return None
