"""The game that a verb looks at or goes on from: of the log of a file, of one of several, or a new one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import typer

from karuba_cli.inputs import judged
from karuba_cli.outputs import exit_code, tell_findings, warn

if TYPE_CHECKING:
    from karuba_adapters import Report, Right
    from karuba_adapters.limits import Limits
    from karuba_cli.options import Preset
    from karuba_core import Setup


def one_log(name: str) -> "tuple[Report, tuple[Right, ...]]":
    """Return what is said of the log of a file, and its right records; findings go to standard error.

    A game has at most some hundreds of records. Several logs in one file are wrong usage.
    """
    from karuba_adapters.plain_text import printable

    taken: list[Right] = []
    reports = judged([name], taken.append)
    report, records = next(reports), tuple(taken)
    tell_findings(report)
    if next(reports, None) is not None:
        raise typer.BadParameter(printable(f"{name} holds several logs: give one alone"))
    return report, records


def right_log(name: str) -> "tuple[Report, tuple[Right, ...]]":
    """Return the same of a log that has to be right; findings end the verb."""
    report, records = one_log(name)
    if report.findings:
        raise typer.Exit(exit_code(report))
    return report, records


def check_unsealed(name: str, records: "Sequence[Right]") -> None:
    """Refuse to go on from a log that is sealed."""
    from karuba_adapters import Seal
    from karuba_adapters.plain_text import printable

    if isinstance(records[-1].message, Seal):
        raise typer.BadParameter(printable(f"{name} is sealed: no record may follow its seal"))


def one_of_several(
    name: str, number: int, limits: "Limits", take: "Callable[[Report, list[Right]], None]"
) -> "list[Report]":
    """Return what is said of one log of a file, and of what cannot be read; none such is wrong usage.

    Args:
        name: The file.
        number: Which of its logs, 1 for the first.
        limits: How much is read.
        take: Takes what is said of the log, and its right records, before the next log is read.
    """
    from karuba_adapters.plain_text import printable

    told: list[Report] = []
    last = 0
    rights: list[Right] = []  # the records of one game; a game has at most some hundreds
    for report in judged([name], rights.append, limits=limits):
        last = report.log
        if last == number:
            take(report, rights)
        if last == number or report.verdict == "unread":
            told.append(report)
        rights.clear()
    if not told:
        raise typer.BadParameter(printable(f"{name} holds {last} logs only"), param_hint="--log")
    if last > number:
        warn(printable(f"karuba: {name} holds {last} logs: this is log {number}, --log shows another"))
    return told


def up_to(at: int | None, report: "Report", rights: "list[Right]") -> "list[Right]":
    """Return the records up to one; of a log with a fault, the last right one stands for what comes later."""
    if at is not None and at > len(rights) and not report.findings:
        raise typer.BadParameter(f"the log has {len(rights)} records only", param_hint="--at")
    return rights[:at]


def new_setup(players: "Sequence[str]", rules: "Preset", seed: int) -> "Setup":
    """Return the setup of a new game with a layout of its seed; players who cannot play are wrong usage."""
    from karuba_adapters.decks import opening
    from karuba_core import preset, setup_violations

    readings = preset(rules.value, min(max(len(players), 2), 4))  # too few or too many are told below
    setup = opening(players, seed, readings)
    for fault in setup_violations(setup):
        raise typer.BadParameter(fault.message, param_hint="--players")
    return setup
