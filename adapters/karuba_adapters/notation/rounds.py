"""A round on its line, as text and back: `12. 25 | e5 | Bl a2 b2 * | -`.

The players stand by seat: the turns of a round interleave in any order, and in which they did is no part of
the game (R-TURN-6, N-ROUND-3).
"""

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from karuba_adapters.notation.turns import Given, read_turn, turn_text
from karuba_adapters.notation.words import Word, Words, at_column, comment_text, refused, unexpected
from karuba_adapters.records import Fault, Meta
from karuba_core import Command, Draw, Game, IllegalCommand, Violation, apply
from karuba_core.turns import seat_to_play


def read_round(game: Game, line: str) -> Iterator[Given]:
    """Yield the commands of a round, each found right by the rules: the draw, then turn after turn.

    Args:
        game: The game before the round.
        line: The line of the round.

    Raises:
        Fault: It is none, or not the next (`notation/unexpected`, `notation/wrong-round`), or the rules
            refuse what it says (codes `rule/…`); the message begins with the column.
    """
    words = Words(line)
    drawn, mark = _drawn(game, words)
    yield drawn
    game = drawn.game
    named = False
    players: list[str] = []
    while mark.text == "|":
        name = words.name(":")
        named = named if players else name is not None
        if named != (name is not None):
            raise unexpected("N-ROUND-2", name or words.next(), "a name before every action, or before none")
        player = _at_seat(game, len(players), mark) if name is None else _by_name(game, name, players)
        players.append(player)
        action = [*words.action()]
        for given in read_turn(game, player, action):
            game = given.game
            yield given
        mark = action[-1]


def _drawn(game: Game, words: Words) -> tuple[Given, Word]:
    """Return the draw with which a line begins, and the mark after it."""
    number = words.want("number", "N-ROUND-1", "the number of a round")
    if number.said != game.round + 1:
        message = f"expected round {game.round + 1}, found {number.said}"
        raise Fault(at_column(number.column, Violation("notation/wrong-round", "N-ROUND-1", "$", message)))
    words.want(".", "N-ROUND-1", "a full stop")
    tile = words.want("number", "N-ROUND-1", "a tile")
    draw = Draw(tile.said)
    try:
        game = apply(game, draw).game
    except IllegalCommand as illegal:
        raise refused(tile, illegal.violation) from None
    meta, mark = None, words.next()
    if mark.kind == "comment":
        meta, mark = mark.said, words.next()
    if mark.kind not in ("|", "end"):
        raise unexpected("N-ROUND-1", mark, "| or the end")
    return Given(draw, meta, game), mark


def _at_seat(game: Game, index: int, mark: Word) -> str:
    players = game.setup.players
    if index == len(players):
        raise unexpected("N-ROUND-2", evolve(mark, kind="|"), f"the end after {index} players")
    return players[index]


def _by_name(game: Game, name: Word, before: Sequence[str]) -> str:
    """Return the player of a name, who has no action on the line yet."""
    player = str(name.said)
    if player in before:
        raise unexpected("N-ROUND-2", name, "a player without an action on this line")
    refusal = seat_to_play(game, player)
    if isinstance(refusal, Violation):
        raise refused(name, refusal)
    return player


def round_text(
    game: Game, draw: tuple[Draw, Meta], turns: Mapping[str, Sequence[tuple[Command, Meta]]]
) -> tuple[str, Game]:
    """Return the line of a round, and the game after it.

    Args:
        game: The game before it.
        draw: Its draw.
        turns: What each player does, as far as anything is known of it.
    """
    command, meta = draw
    game = apply(game, command).game
    parts = [f"{game.round}. {command.tile}" + ("" if meta is None else f" {comment_text(meta)}")]
    for player in game.setup.players:  # N-ROUND-3
        text, game = turn_text(game, turns.get(player, ()))
        parts.append(text)
    while parts[-1] == ".":  # N-ROUND-2: who stands after the last action has done nothing yet
        parts.pop()
    return " | ".join(parts), game
