"""`karuba play`: a game that is played at one terminal, and its log."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from karuba_cli.inputs import STANDARD_INPUT
from karuba_cli.options import Preset, parted
from karuba_cli.outputs import say, warn
from karuba_cli.playing import play_on
from karuba_cli.positions import check_unsealed, new_setup, right_log
from karuba_cli.writing import writing

if TYPE_CHECKING:
    from karuba_adapters.appending import Appender
    from karuba_adapters.hot_seat import Round
    from karuba_cli.playing import Keep
    from karuba_core import Game, Setup


def _log_file(name: str | None) -> str | None:
    """Return the name of a log to write, there or not yet; nothing else can be gone on from."""
    if name is not None and (
        name == STANDARD_INPUT or (os.path.exists(name) and not os.path.isfile(name))  # noqa: PTH110, PTH113 - takes any name
    ):
        raise typer.BadParameter("expected a regular file, which will be written to")
    return name


def play(
    log: Annotated[
        str | None,
        typer.Argument(
            help="The log to write: a new game where there is no such file, or it is empty; else its game"
            " goes on.",
            callback=_log_file,
            show_default="none is written",
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Who plays: 2 to 4 names by seat, parted by commas.", show_default="ana,ben"
        ),
    ] = None,
    policy_for: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=POLICY",
            help="Let a player act by itself, planner or casual. Can be given again.",
            show_default=False,
        ),
    ] = None,
    rules: Annotated[
        Preset | None,
        typer.Option(help="By which rules a new game is played.", show_default=Preset.OFFICIAL.value),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="S",
            help="For the order of the tiles and the layout of a new game.",
            show_default="a new one each time",
        ),
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")] = False,
) -> None:
    """Play a game at this terminal, one player after the other, and write its log round by round.

    Each turn shows the tile, the own island and what may be done; the answer is a number, an action of
    the notation such as b3 or "Bl a2 b2 *", or a word: help tells which. A round is written when it is
    closed, and until then every action can be undone. What comes through a pipe is played as well.

    A log whose game is not over goes on from its last record, with the tiles that were not drawn, in
    the order of the seed's deck; of a game that is over the result is shown.

    Exit code 0: played, or left. 1: findings. 2: wrong usage. 3: the log could not be read, or another
    program writes it.
    """
    from karuba_core import start

    if seed is None:
        from secrets import randbelow

        seed = randbelow(1 << 32)
    names = None if players is None else tuple(parted(players))
    is_there = log is not None and os.path.exists(log) and os.path.getsize(log) > 0  # noqa: PTH110, PTH202 - takes any name
    if log is not None and is_there:
        game = _recorded(log, names, rules)
    else:
        game = start(new_setup(names or ("ana", "ben"), rules or Preset.OFFICIAL, seed)).game
    policies = _policies(policy_for or (), game.setup.players)  # before anything is written
    game, keep = _begun(log, game, is_new=not is_there)
    try:
        is_over = play_on(game, keep, policies, seed, ascii_only=ascii_only)
    except KeyboardInterrupt:
        say("")
        _tell_how_to_go_on(log, seed, policies)
        raise
    if is_over:
        _tell_how_to_look(log)
    else:
        _tell_how_to_go_on(log, seed, policies)


# Where the game comes from, and where it goes


def _recorded(log: str, players: tuple[str, ...] | None, rules: Preset | None) -> "Game":
    """Return the game of a log, which is over or can go on; findings end the verb."""
    from karuba_adapters.continuing import are_commands

    report, records = right_log(log)
    game = records[-1].step.game
    _check_same(game.setup, players, rules)
    if report.verdict != "valid":
        check_unsealed(log, records)
        if are_commands(records):
            message = f"{log} is a log of commands; karuba convert makes one of events of it, which can go on"
            raise typer.BadParameter(_printable(message))
    return game


def _begun(log: str | None, game: "Game", *, is_new: bool) -> "tuple[Game, Keep]":
    """Return the game as its log has it now, and what writes a round to the log; say what is played."""
    from karuba_adapters.appending import Appender

    if log is None:
        say("A new game, of which no log is written. ? helps.")
        return game, lambda _: None
    if game.phase == "over":
        say(_printable(f"The game of {log} is over."))
        return game, lambda _: None
    with _written(log):
        appender = Appender(log, game.setup if is_new else None)
    how = "A new game, written to {} round by round." if is_new else "The game of {} goes on."
    say(_printable(f"{how.format(log)} ? helps."))
    return appender.game, partial(_append, log, appender)


def _check_same(setup: "Setup", players: tuple[str, ...] | None, rules: Preset | None) -> None:
    """Refuse other players or rules than the game has that goes on."""
    from karuba_core import preset
    from karuba_core.wording import listed, shown

    if players not in (None, setup.players):
        message = f"the game of the log has the players {listed([*map(shown, setup.players)])}"
        raise typer.BadParameter(message, param_hint="--players")
    if rules is not None and preset(rules.value, len(setup.players)) != setup.rules:
        raise typer.BadParameter("the game of the log has other rules", param_hint="--rules")


def _append(log: str, appender: "Appender", closed: "Round") -> None:
    with _written(log):
        appender.append(*closed.commands)


@contextmanager
def _written(log: str) -> Iterator[None]:
    """End the verb where the log cannot be written, or where it is not what it was."""
    from karuba_adapters.appending import Conflict, Torn, WrongLog
    from karuba_adapters.judging import REFUSALS

    try:
        with writing(log):
            yield
    except (Conflict, *REFUSALS):  # a refusal comes of another game in its place
        warn(
            _printable(
                f"karuba: another program has written to {log} meanwhile: this round could not be written;"
                " karuba play goes on from what stands there"
            )
        )
        raise typer.Exit(3) from None
    except (Torn, WrongLog) as error:
        warn(_printable(f"karuba: {error}"))
        raise typer.Exit(1) from None


def _policies(chosen: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Return which players act by themselves, and how; anything unknown is wrong usage."""
    from karuba_adapters.players import POLICIES
    from karuba_core.wording import none_of, shown

    found: dict[str, str] = {}
    for each in chosen:
        player, equals, policy = each.rpartition("=")
        message = None
        if not equals:
            message = f"expected NAME=POLICY, got {shown(each)}"
        elif player not in players:
            message = none_of(player, players)
        elif policy not in POLICIES:
            message = f"no policy is called {shown(policy)}: {', '.join(POLICIES)}"
        elif player in found:
            message = f"{shown(player)} has two policies"
        if message is not None:
            raise typer.BadParameter(_printable(message), param_hint="--policy-for")
        found[player] = policy
    return found


def _tell_how_to_go_on(log: str | None, seed: int, policies: Mapping[str, str]) -> None:
    if log is None:
        say("The game was left, and is kept nowhere.")
    else:
        acting = [word for pair in policies.items() for word in ("--policy-for", "=".join(pair))]
        again = shlex.join(["karuba", "play", log, "--seed", str(seed), *acting])
        say(
            _printable(
                f"The game was left. {log} has the rounds that were closed;"
                f" {again} goes on from there, with the same tiles."
            )
        )


def _tell_how_to_look(log: str | None) -> None:
    if log is not None:
        say("")
        named = shlex.quote(log)
        say(_printable(f"karuba replay {named} and karuba show {named} -o page.html show how it went."))


def _printable(text: str) -> str:
    from karuba_adapters.plain_text import printable

    return printable(text)
