"""`karuba simulate`: games that are played by a policy, new ones or on from a log."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karuba_cli.inputs import one_file
from karuba_cli.options import STANDARD_OUTPUT, Preset, parted
from karuba_cli.outputs import whole_file, write
from karuba_cli.positions import check_unsealed, new_setup, right_log
from karuba_cli.writing import writing

if TYPE_CHECKING:
    from karuba_adapters.players import Policy

_LinesOf = Callable[[int], Iterator[bytes]]
"""Plays the game of a seed and yields the lines of its log."""


def _output_folder(name: str) -> str:
    """Return the name of a folder to write to, there or not yet."""
    if name != STANDARD_OUTPUT and os.path.lexists(name) and not os.path.isdir(name):  # noqa: PTH112 - takes any name
        raise typer.BadParameter("expected a folder, got a file")
    return name


def simulate(
    log: Annotated[
        str | None,
        typer.Argument(
            help="A log of events or of commands to go on from; - for standard input.",
            callback=lambda name: None if name is None else one_file(name),
            show_default="a new game",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games to play.")] = 1,
    seed: Annotated[
        int, typer.Option(min=0, metavar="S", help="They are played by the seeds from S on.")
    ] = 0,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Who plays a new game: 2 to 4 names by seat, parted by commas.",
            show_default="ana,ben",
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="POLICIES", help="How they play, planner or casual: one for all, or one for each seat."
        ),
    ] = "planner",
    rules: Annotated[
        Preset | None,
        typer.Option(help="By which rules a new game is played.", show_default=Preset.OFFICIAL.value),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Where the logs go: a folder, one file a game by its seed, such as game-000007.jsonl, which"
            " must not be there yet; - for standard output.",
            callback=_output_folder,
        ),
    ] = STANDARD_OUTPUT,
) -> None:
    """Play games by a policy, from a seed or on from a log, and write their sealed logs.

    A seed stands for its game, byte for byte, on every machine: its layout, its deck and every choice
    follow from it, however many games are played.

    The records of a log to go on from stay as they are. What is due comes first, then the tiles
    that were not drawn, in the order of the seed's deck; a log of commands goes on with commands. A
    log that is sealed, or whose game is over, cannot go on.

    Exit code 0: all is written. 1: findings. 2: wrong usage. 3: the input could not be read.
    """
    if log is None:
        lines_of = _new(players or "ana,ben", rules or Preset.OFFICIAL, policy)
    elif players is None and rules is None:
        lines_of = _on_from(log, policy)
    else:
        raise typer.BadParameter("a log to go on from has its players and its rules already")
    seeds = range(seed, seed + games)
    if output != STANDARD_OUTPUT:
        _write_files(Path(output), seeds, lines_of)
        return
    for each in seeds:
        for line in lines_of(each):
            write(line)


def _new(players: str, rules: Preset, policy: str) -> _LinesOf:
    """Return how new games are played; players who cannot play are wrong usage."""
    from karuba_adapters.simulating import simulated

    names = parted(players)
    new_setup(names, rules, 0)  # before anything is written
    chosen = _policy(policy, len(names))
    return lambda seed: simulated(new_setup(names, rules, seed), seed, chosen)


def _on_from(log: str, policy: str) -> _LinesOf:
    """Return how the game of a log goes on; findings end the verb."""
    from karuba_adapters.plain_text import printable
    from karuba_adapters.simulating import simulated_on

    report, records = right_log(log)
    if report.verdict == "valid":
        raise typer.BadParameter(printable(f"the game of {log} is over: there is nothing left to play"))
    check_unsealed(log, records)
    chosen = _policy(policy, len(records[0].step.game.setup.players))
    return lambda seed: simulated_on(records, seed, chosen)


def _policy(names: str, seats: int) -> "Policy":
    """Return the policy of a table; an unknown one, or too few or too many, are wrong usage."""
    from karuba_adapters.plain_text import printable
    from karuba_adapters.players import POLICIES, by_seat

    chosen = parted(names)
    for name in chosen:
        if name not in POLICIES:
            message = printable(f"no policy is called {name!r}: {', '.join(POLICIES)}")
            raise typer.BadParameter(message, param_hint="--policy")
    if len(chosen) not in (1, seats):
        message = f"expected one policy, or one for each of {seats} players, got {len(chosen)}"
        raise typer.BadParameter(message, param_hint="--policy")
    return by_seat([POLICIES[name] for name in chosen] * (seats // len(chosen)))


def _write_files(folder: Path, seeds: range, lines_of: _LinesOf) -> None:
    """Write a file for each seed; where one is there already, none."""
    from karuba_adapters.plain_text import printable

    files = {seed: folder / f"game-{seed:06}.jsonl" for seed in seeds}
    for file in files.values():
        if os.path.lexists(file):
            message = printable(f"{file} is there already: no game was played")
            raise typer.BadParameter(message, param_hint="--output")
    with writing(str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
    for seed, file in files.items():
        with whole_file(str(file)) as put:
            for line in lines_of(seed):
                put(line)
