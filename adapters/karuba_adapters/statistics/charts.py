"""A chart of what many games come to, as one SVG picture (extra `charts`).

The same figures make the same bytes with the same version of matplotlib. Text stays text, nothing is
told by colour alone, and the picture describes itself to those who cannot see it.
"""

import io
from collections.abc import Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from karuba_adapters.statistics.figures import CONFIDENCE
from karuba_adapters.statistics.summaries import Group

_TITLE: Final = "Karuba: totals and winning seats of finished games"

_MOST_BARS: Final = 60

_STYLE: Final[dict[str, Any]] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "font.size": 11,
    "grid.alpha": 0.3,
    "legend.framealpha": 1,
    "legend.fontsize": "small",
    "svg.fonttype": "none",
    "svg.hashsalt": "karuba",
}
_BLUE: Final = "#0072B2"  # two of Okabe and Ito's colours, which all people tell apart
_ORANGE: Final = "#D55E00"


def chart_svg(told: Sequence[Group]) -> bytes:
    """Return a chart with a row for each group: its totals, and beside them its winning seats.

    Args:
        told: The groups as `summaries.groups` returns them; without any, the chart says so.
    """
    paper = io.BytesIO()
    with style.context(["default", _STYLE]):  # whatever the user has configured
        _figure(told).savefig(paper, format="svg", metadata={"Date": None, "Title": _TITLE})
    return _described(paper.getvalue().decode(), told).encode()


def _figure(told: Sequence[Group]) -> Figure:
    figure = Figure(figsize=(10, 0.8 + 2.5 * max(1, len(told))))
    if not told:
        figure.text(0.5, 0.5, "no finished games", ha="center")
        return figure
    rows = figure.subplots(len(told), 2, squeeze=False)
    most = max(max(group.totals) for group in told)
    for (totals, seats), group in zip(rows, told, strict=True):
        _draw_totals(totals, group, most)
        _draw_seats(seats, group)
    return figure


def _draw_totals(axes: Axes, group: Group, most: int) -> None:
    """Draw how many of the players had which total, on a scale that all groups share."""
    step = most // _MOST_BARS + 1
    edges = [edge - 0.5 for edge in range(0, most + step + 1, step)]
    bars = [0.0] * (len(edges) - 1)
    for total, count in group.totals.items():
        bars[total // step] += count / (group.games * group.players)
    axes.stairs(bars, edges, color=_BLUE, fill=True)
    median = group.of_players["total"].median
    axes.axvline(median, color=_ORANGE, linestyle="--", label=f"median {median:g}")
    axes.set_title(f"{_name(group)}: totals")
    axes.set_xlabel("points of a player" + (f", {step} to a bar" if step > 1 else ""))
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylabel("share of players")
    axes.set_ylim(0, 1.3 * max(bars))  # room for the legend
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.legend(loc="upper left")


def _draw_seats(axes: Axes, group: Group) -> None:
    """Draw in how many games the players of each seat won, and how sure that is."""
    shares = [each.share for each in group.seats]
    axes.errorbar(
        [each.seat for each in group.seats],
        [each.share for each in shares],
        [[each.share - each.low for each in shares], [each.high - each.share for each in shares]],
        color=_BLUE,
        fmt="o",
        capsize=5,
        label=f"{CONFIDENCE} % interval",
    )
    axes.axhline(1 / group.players, color=_ORANGE, linestyle="--", label=f"even share, 1 of {group.players}")
    shared = f", {group.shared_wins} shared" if group.shared_wins else ""
    axes.set_title(f"{_name(group)}: wins{shared}")
    axes.set_xlabel("seat")
    axes.set_xlim(0.5, group.players + 0.5)
    axes.set_xticks([each.seat for each in group.seats])
    axes.set_ylabel("share of games")
    axes.set_ylim(-0.04, 1.04)  # so that marks at the ends are seen whole
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.legend(loc="best")


def _name(group: Group) -> str:
    return f"{group.rules}, {group.players} players, {group.games} game{'' if group.games == 1 else 's'}"


def _described(svg: str, told: Sequence[Group]) -> str:
    """Return a picture with its figures in words, where readers of screens look for them."""
    texts = [_in_words(group) for group in told] or ["There are no finished games."]
    title = f"<title>{_TITLE}</title>"
    described = f"{title}\n <desc>{escape(' '.join(texts))}</desc>"
    return svg.replace(title, described, 1).replace("<svg ", '<svg role="img" ', 1)


def _in_words(group: Group) -> str:
    total = group.of_players["total"]
    seats = "; ".join(
        f"seat {each.seat} won {each.share.share:.1%} ({each.share.low:.1%} to {each.share.high:.1%})"
        for each in group.seats
    )
    return (
        f"{_name(group)}: totals {total.min} to {total.max}, half of them {total.q1:g} to {total.q3:g},"
        f" median {total.median:g}; {seats}."
    )
