"""What many games come to, as a person would want to read it in a terminal."""

from collections.abc import Mapping
from typing import Final

from rich import box
from rich.table import Table

from karuba_adapters.findings import Verdict
from karuba_adapters.statistics.figures import CONFIDENCE, Spread
from karuba_adapters.statistics.summaries import VERDICTS, Group
from karuba_adapters.text_tables import table_text

DRAWN_WITH: Final = "\u2500"
"""What is beyond ASCII in a summary."""

_WIDTH: Final = 80


def summary_text(verdicts: Mapping[Verdict, int], told: list[Group], *, ascii_only: bool = False) -> str:
    """Return a summary as text, without a line end.

    Args:
        verdicts: How many logs got which verdict; the games of the valid ones are told.
        told: What they come to.
        ascii_only: Whether to use ASCII characters only.
    """
    return "\n\n".join([_logs(verdicts), *(_group(group, ascii_only=ascii_only) for group in told)])


def _logs(verdicts: Mapping[Verdict, int]) -> str:
    left_out = [f"{verdicts[verdict]} {verdict}" for verdict in VERDICTS[1:] if verdicts.get(verdict)]
    return f"{_counted(verdicts.get('valid', 0), 'finished game')}" + (
        f"; left out: {', '.join(left_out)}" if left_out else ""
    )


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def _group(group: Group, *, ascii_only: bool) -> str:
    ends = ", ".join(f"{count} {reason}" for reason, count in group.reasons.items())
    shared = f"; {_counted(group.shared_wins, 'shared win')}" if group.shared_wins else ""
    head = f"{group.rules}, {group.players} players: {_counted(group.games, 'game')} ({ends}{shared})"
    tables = _spreads("of a player", group.of_players), _spreads("of a game", group.of_games), _wins(group)
    return "\n".join([head, *(_drawn(table, ascii_only=ascii_only) for table in tables)])


def _spreads(heading: str, spreads: Mapping[str, Spread]) -> Table:
    table = Table()
    table.add_column(heading, min_width=16)
    for name in ("mean", "min", "q1", "median", "q3", "max"):
        table.add_column(name, justify="right", min_width=6)
    for name, told in spreads.items():
        quartiles = (f"{value:.10g}" for value in (told.min, told.q1, told.median, told.q3, told.max))
        table.add_row(name.replace("_", " "), f"{told.mean:.2f}", *quartiles)
    return table


def _wins(group: Group) -> Table:
    table = Table("seat")
    for name in ("wins", "share", f"{CONFIDENCE} % interval"):
        table.add_column(name, justify="right")
    for each in group.seats:
        interval = f"{each.share.low:.1%} to {each.share.high:.1%}"
        table.add_row(str(each.seat), str(each.wins), f"{each.share.share:.1%}", interval)
    return table


def _drawn(table: Table, *, ascii_only: bool) -> str:
    table.box = box.ASCII if ascii_only else box.SIMPLE
    return table_text(table, _WIDTH)
