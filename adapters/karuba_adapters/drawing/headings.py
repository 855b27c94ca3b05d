"""What stands over a picture: how the game stands, and over each island its player's name and score."""

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len, set_cell_size

from karuba_adapters.drawing import tile_shapes
from karuba_adapters.drawing.elements import Element, element, group
from karuba_adapters.game_words import heading, shown_name, steps_left
from karuba_core import COLOURS, TILES, Game, due, end_reason, scores, winners
from karuba_core.turns import is_open, open_players

GAME_HEIGHT: Final = 130
PLAYER_HEIGHT: Final = 110

_NAME_COLUMNS: Final = 22  # as a terminal counts them
_NAME_WIDTH: Final = 540
_STACK_WIDTH: Final = 170
_STACK_SHOWN: Final = 4
_STAR: Final = "M0 -22L6 -7L21 -7L9 3L14 18L0 9L-14 18L-9 3L-21 -7L-6 -7Z"


def game_heading(game: Game, width: int) -> Element:
    """Return the heading of a game: the tile of the round, how the game stands, and the stacks.

    Args:
        game: The game.
        width: How much room there is.
    """
    return group([*_drawn(game), *_standing(game), *_stacks(game, width)], class_="k-heading")


def player_heading(game: Game, player: str, width: int) -> Element:
    """Return the heading of an island: its player's name, what the turn waits for, and the score.

    Args:
        game: The game.
        player: Whose island it is.
        width: How much room there is.
    """
    name = shown_name(player)
    shapes = [
        element("title", text=name),
        _name(name),
        *_turn(game, player, width),
        group(_score(game, player), y=86, class_="k-score"),
    ]
    return group(shapes, class_="k-player-heading")


def _drawn(game: Game) -> Iterator[Element]:
    if game.drawn:
        number = game.drawn[-1]
        yield tile_shapes.tile(number)
        if printed := TILES[number - 1].treasure:
            yield tile_shapes.treasure(printed)


def _standing(game: Game) -> Iterator[Element]:
    x = 124 if game.drawn else 0
    yield element("text", text=heading(game), class_="k-text k-title", x=x, y=42, font_size=28)
    yield element("text", text=_waits(game), class_="k-text k-soft", x=x, y=82, font_size=26)


def _waits(game: Game) -> str:
    """Return what a game waits for or why it is over, without names."""
    if game.phase == "over":
        tiles = f"all {len(TILES)} tiles played"
        return tiles if end_reason(game) == "tiles-exhausted" else "all four adventurers home"
    if event := due(game):
        return f"{event.name} is due"
    if game.phase == "draw":
        return f"round {game.round + 1}: a tile has to be drawn"
    return f"{len(open_players(game))} of {len(game.setup.players)} turns are open"


def _stacks(game: Game, width: int) -> Iterator[Element]:
    """Yield the temples, each with what is left of its stack, top first."""
    for index, colour in enumerate(COLOURS):
        x = width - (len(COLOURS) - index) * _STACK_WIDTH
        left = [str(token) for token in game.stack(colour)]
        more = ["…"] if len(left) > _STACK_SHOWN else []
        told = " ".join([*left[:_STACK_SHOWN], *more]) or "none"
        shapes = [
            _scaled(tile_shapes.temple(colour), -10, 14, 0.7),
            element("text", text=told, class_="k-text", x=62, y=68, font_size=26),
        ]
        yield group(shapes, x=x, class_="k-stack", data_temple=colour)


def _name(name: str) -> Element:
    """Return a name in a window of its own, beyond which nothing of it is seen, whatever its letters are."""
    short = name if cell_len(name) <= _NAME_COLUMNS else set_cell_size(name, _NAME_COLUMNS - 1).rstrip() + "…"
    text = element("text", text=short, class_="k-text k-name", x=2, y=42, font_size=38)
    return element("svg", [text], width=_NAME_WIDTH, height=56)


def _turn(game: Game, player: str, width: int) -> Iterator[Element]:
    told = _told(game, player)
    if told == "wins":
        yield group([element("path", class_="k-winner", d=_STAR)], x=width - 100, y=30)
    yield element("text", text=told, class_="k-text k-soft k-turn", x=width - 4, y=40, font_size=28)


def _told(game: Game, player: str) -> str:
    if game.phase == "over":
        winning = winners(game)
        return ("wins" if len(winning) == 1 else "shares the win") if player in winning else ""
    turn = game.turn(player)
    if not is_open(game, turn):
        return "turn closed" if game.phase == "turns" else ""
    if turn.stage == "to-play":
        return "to play"
    return steps_left(turn) if turn.adventurer is None else f"{steps_left(turn)}, {turn.adventurer}"


def _score(game: Game, player: str) -> Iterator[Element]:
    """Yield the score in figures, each beside what it counts."""
    score = scores(game)[game.seat(player)]
    parts = (
        (190, tile_shapes.plain_temple(), (0, -35, 0.48), score.temples),
        (320, tile_shapes.treasure("crystal"), (-27, -55, 0.62), score.crystals),
        (430, tile_shapes.treasure("gold"), (-27, -55, 0.62), score.gold),
    )
    points = f"{score.total} point{'' if score.total == 1 else 's'}"
    yield element("text", text=points, class_="k-text k-total", x=2, font_size=28)
    for x, shape, (right, down, factor), count in parts:
        text = element("text", text=str(count), class_="k-text", x=50, font_size=28)
        yield group([_scaled(shape, right, down, factor), text], x=x)
    tiles = f"{score.tiles} tile{'' if score.tiles == 1 else 's'}"
    yield element("text", text=tiles, class_="k-text", x=545, font_size=28)


def _scaled(shape: Element, x: float, y: float, factor: float) -> Element:
    return element("g", [shape], transform=f"translate({x:g} {y:g}) scale({factor:g})")
