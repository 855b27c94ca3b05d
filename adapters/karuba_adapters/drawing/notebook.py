"""Games and islands that a notebook shows as pictures."""

import hashlib
from functools import partial
from typing import Unpack

from attrs import frozen

from karuba_adapters.drawing.board_svg import Look, game_svg, island_svg
from karuba_core import Game


@frozen
class Shown:
    """What notebooks show as a picture.

    Attributes:
        svg: The picture.
    """

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def shown(game: Game, player: str | None = None, **look: Unpack[Look]) -> Shown:
    """Return a game, or one player's island in it, as a value that a notebook shows as a picture.

    Args:
        game: The game, at any time.
        player: Whose island is shown; None for the whole game.
        look: How it is drawn, as `board_svg.game_svg` takes it. Without a prefix, different pictures get
            different ids, and the same picture the same ones.

    Raises:
        KeyError: There is no such player.
        TypeError, ValueError: As for `board_svg.game_svg`.

    >>> from karuba_core import Layout, Pair, Setup, preset, start
    >>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
    >>> game = start(Setup(("ana", "ben"), "ana", layout, preset("official", 2))).game
    >>> shown(game, "ben").svg.count("<svg ")
    2
    """
    draw = partial(game_svg, game) if player is None else partial(island_svg, game, player)
    svg = draw(**look)
    if "prefix" not in look:
        look["prefix"] = f"karuba-{hashlib.sha256(svg.encode()).hexdigest()[:12]}"
        svg = draw(**look)
    return Shown(svg)
