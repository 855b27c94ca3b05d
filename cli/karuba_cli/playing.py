"""A game at the terminal: what is asked, what is answered, what is shown."""

import sys
from collections.abc import Callable, Mapping
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from karuba_cli.outputs import can_show, flush, say, write

if TYPE_CHECKING:
    from karuba_adapters.hot_seat import Round
    from karuba_core import Game

Keep = Callable[["Round"], object]
"""Takes each round when it is closed."""


def play_on(game: "Game", keep: Keep, policies: Mapping[str, str], seed: int, *, ascii_only: bool) -> bool:
    """Play round after round; return whether the game is over, or was left."""
    from karuba_adapters.board_text import DRAWN_WITH, game_text
    from karuba_adapters.hot_seat import opened

    ascii_only = ascii_only or not can_show(DRAWN_WITH)
    while game.phase != "over":
        closed = _play_round(opened(game, seed), policies, seed, ascii_only=ascii_only)
        if closed is None:
            return False
        keep(closed)
        game = closed.game
    say("")
    say(game_text(game, ascii_only=ascii_only, width=_width()))
    return True


def _play_round(now: "Round", policies: Mapping[str, str], seed: int, *, ascii_only: bool) -> "Round | None":
    """Return a round when it is closed, None where it was left."""
    from karuba_adapters.hot_seat_text import turn_text
    from karuba_adapters.players import POLICIES

    seen = None
    while (player := now.player) is not None:
        if player in policies:
            now = now.play(POLICIES[policies[player]], seed)
            _tell_act(now, f" ({policies[player]})", ascii_only=ascii_only)
            continue
        if now is not seen:
            say("\n" + turn_text(now, ascii_only=ascii_only, width=_width()))
            seen = now
        answer = _asked(player, ascii_only=ascii_only)
        if answer is None or answer.lower() in ("quit", "q"):
            return None
        now = _answered(now, answer, policies, ascii_only=ascii_only)
    return now


def _answered(now: "Round", answer: str, policies: Mapping[str, str], *, ascii_only: bool) -> "Round":
    """Return the round after an answer, which may only ask for something to be shown."""
    from karuba_adapters import Fault
    from karuba_adapters.board_text import game_text
    from karuba_adapters.hot_seat_text import HELP, points_text, turn_text
    from karuba_adapters.plain_text import printable

    match answer.lower():
        case "":
            pass
        case "help" | "h" | "?":
            say(HELP)
        case "board" | "b":
            say(turn_text(now, ascii_only=ascii_only, width=_width()))
        case "others" | "o":
            say(game_text(now.game, ascii_only=ascii_only, width=_width()))
        case "scores" | "s":
            say(points_text(now.game, ascii_only=ascii_only))
        case "undo" | "u":
            undone = now.undo({*now.game.setup.players} - policies.keys())
            say("There is nothing to undo in this round." if undone is None else "Undone.")
            return undone or now
        case _:
            try:
                acted = now.act(answer)
            except Fault as fault:
                say(printable(str(fault)))
                return now
            if acted is not now:
                _tell_act(acted, "", ascii_only=ascii_only)
            return acted
    return now


def _asked(player: str, *, ascii_only: bool) -> str | None:
    """Return the next line of standard input, None at its end."""
    from karuba_adapters.game_words import shown_name
    from karuba_adapters.plain_text import printable

    prompt = f"{shown_name(player, ascii_only=ascii_only)}> "
    write(prompt.encode(sys.stdout.encoding, "backslashreplace"))
    flush()
    line = b"" if sys.stdin is None else sys.stdin.buffer.readline()
    if not line:
        say("")
        return None
    answer = line.decode(sys.stdin.encoding, "backslashreplace").strip()
    if not sys.stdin.isatty():  # no terminal has shown it
        say(printable(answer))
    return answer


def _tell_act(now: "Round", how: str, *, ascii_only: bool) -> None:
    from karuba_adapters.game_words import shown_name

    act = now.acts[-1]
    say(f"{shown_name(str(act.player), ascii_only=ascii_only)}{how}: {act.text}")


def _width() -> int:
    return get_terminal_size((100, 24)).columns
