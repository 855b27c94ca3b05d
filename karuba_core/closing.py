"""How turns, rounds and the game close: passing, what is due, and the awards of a round."""

from collections.abc import Iterator
from typing import Final

from karuba_core.board import COLOURS
from karuba_core.commands import Pass
from karuba_core.decider import Violation
from karuba_core.events import Award, GameEnded, RoundEnded, TurnPassed
from karuba_core.scoring import GOLD_VALUE, scores, top_players
from karuba_core.state import CLOSED, TO_PLAY, P, Position
from karuba_core.tiles import TILE_NUMBERS
from karuba_core.turns import OPEN_STAGES, seat_to_walk, stands_on_treasure
from karuba_core.wording import listed, shown

_UNPAID: Final = {number: RoundEnded(number, ()) for number in range(1, 1 + len(TILE_NUMBERS))}
"""How every round ends in which nobody reaches a temple, by its number: most do, so none is made anew."""


def decide_pass(game: Position, command: Pass | TurnPassed) -> TurnPassed | Violation:
    """Return the passed turn, or why it cannot be passed (R-PASS-1)."""
    seat = seat_to_walk(game, command.player)
    if not isinstance(seat, int):
        return seat
    walker = game.turns[seat].adventurer
    # R-PASS-2: by `landing`, whoever moved onto a treasure takes it.
    if (
        game.setup.rules.pickup == "landing"
        and walker is not None
        and stands_on_treasure(game.islands[seat], walker)
    ):
        message = f"the {walker} adventurer stands on a treasure: it takes it or moves on"
        return Violation("rule/must-collect", "R-PASS-2", "$", message)
    return TurnPassed(command.player)


def evolve_pass(game: P, passed: TurnPassed) -> P:
    """Close the turn; what steps are left lapse."""
    seat = game.setup.players.index(passed.player)
    return game.with_turn(seat, CLOSED)


def legal_pass(game: Position, player: str) -> Iterator[Pass]:
    """Yield the pass of a player where it is legal."""
    command = Pass(player)
    if isinstance(decide_pass(game, command), TurnPassed):
        yield command


def due(game: Position) -> RoundEnded | GameEnded | None:
    """Return the event that has to follow by itself, if any.

    The round ends when all its turns are closed (R-CLOSE-2), and the game with a round
    that brought a player's four adventurers home (R-END-1) or used the last tile (R-END-2).
    """
    if game.phase == "turns":
        stages = [turn.stage for turn in game.turns]
        if not OPEN_STAGES.isdisjoint(stages):
            return None
        if "home" not in stages and game.round in _UNPAID:
            return _UNPAID[game.round]
        return RoundEnded(game.round, _awards(game))
    reason = ending(game)
    if game.phase == "draw" and reason is not None:
        final = scores(game)
        return GameEnded(reason, final, top_players(final))
    return None


def end_reason(game: Position) -> str | None:
    """Return why the game is over, `"all-home"` or `"tiles-exhausted"`; None before the end."""
    return ending(game) if game.phase == "over" else None


def ending(game: Position) -> str | None:
    """Return why the game ends with its last round, `"all-home"` or `"tiles-exhausted"`, if it does."""
    if len(game.awards) >= len(COLOURS):  # four home are four awards
        for island in game.islands:
            if island.is_home:
                return "all-home"
    return "tiles-exhausted" if game.round == len(TILE_NUMBERS) else None


def _awards(game: Position) -> tuple[Award, ...]:
    """Return what the players get who reached a temple in this round, by colour, then by seat."""
    arrived: dict[str | None, list[str]] = {}
    for player, turn in zip(game.setup.players, game.turns, strict=True):
        if turn.stage == "home":
            arrived.setdefault(turn.adventurer, []).append(player)
    awards: list[Award] = []
    for temple in COLOURS:
        if temple in arrived:
            awards += _awards_of(game, temple, arrived[temple])
    return tuple(awards)


def _awards_of(game: Position, temple: str, arrived: list[str]) -> list[Award]:
    """Return the awards of one temple.

    The k who arrived take the top k of the stack, in seating order (R-AWARD-1), and all get
    the value of the first, made up with crystals (R-AWARD-2).
    """
    tokens = game.stack(temple)
    return [
        Award(player, temple, token, tokens[0] - token)
        for player, token in zip(arrived, tokens, strict=False)
    ]


def because_of_round(game: Position, right: RoundEnded, wrong: RoundEnded) -> str:
    """Return which round it is, or who reached which temple in it."""
    if right.round != wrong.round:
        return f"round {right.round} is open"
    arrived: dict[str, list[str]] = {}
    for award in right.awards:
        arrived.setdefault(award.temple, []).append(shown(award.player))
    arrivals = [
        f"{listed(players)} reached the {temple} temple, {shown(game.stack(temple))} left"
        for temple, players in arrived.items()
    ]
    return f"in round {right.round} {listed(arrivals) or 'nobody reached a temple'}"


def because_of_game(game: Position, right: GameEnded, wrong: GameEnded) -> str:
    """Return what the reason of the end, a score or the winners follow from, whichever differs first."""
    if right.reason != wrong.reason:
        seats = zip(game.setup.players, game.islands, strict=True)
        home = [shown(player) for player, island in seats if island.is_home]
        return f"{listed(home)} brought all four home" if home else f"round {game.round} was the last"
    recorded = {score.player: score for score in wrong.scores}
    for score in right.scores:
        if score.player in recorded and score != recorded[score.player]:
            awards = [award for award in game.awards if award.player == score.player]
            tokens = shown([award.token for award in awards])
            made_up = sum(award.crystals for award in awards)
            crystals = f"crystals: {score.crystals - made_up} collected, {made_up} from awards"
            return f"{shown(score.player)} has tokens {tokens}, {crystals}; gold counts {GOLD_VALUE}"
    return "the highest total wins, then the most tiles" if right.winners != wrong.winners else ""


def evolve_round(game: P, ended: RoundEnded) -> P:
    """Pay out the awards; every player's turn is fresh for the next round."""
    return game.with_round(game.drawn, (TO_PLAY,) * len(game.turns), game.awards + ended.awards, "draw")


def evolve_game(game: P, _ended: GameEnded) -> P:
    """Close the game."""
    return game.with_round(game.drawn, game.turns, game.awards, "over")
