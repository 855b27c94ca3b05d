"""Parquet tables and charts: what they hold, what stands in their columns, and that they say no more."""

import io
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pyarrow as pa
import pytest
from attrs import evolve
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from pyarrow import parquet

from karuba_adapters import validate_file
from karuba_adapters.statistics import charts, parquet_tables
from karuba_adapters.statistics.game_rows import Course, GameRow, Played, PlayerRow
from karuba_adapters.statistics.parquet_tables import writing_parquet
from karuba_adapters.statistics.summaries import Group, facts, groups

LOGS = sorted((Path(__file__).parents[1] / "games" / "sound").glob("*.jsonl"))[:4]
"""Two games of two players, and two of three."""
HOSTILE = ["", "a\x00b\n\u202e", "\\ud800", "🏝️" * 50, "'; drop table games; --", '"']
SVG = "{http://www.w3.org/2000/svg}"


def text_list() -> Any:  # noqa: ANN401 - a type of Arrow, which has none for mypy
    return pa.list_(pa.field("element", pa.string(), nullable=False))


def int_list() -> Any:  # noqa: ANN401 - the same
    return pa.list_(pa.field("element", pa.int64(), nullable=False))


TEXTS = ("file", "digest", "rules", "pickup", "separation", "leader", "reason", "player")
OTHERS = {
    "is_leader": pa.bool_(),
    "is_winner": pa.bool_(),
    "winners": text_list(),
    "temple_treasures": int_list(),
}
COLUMNS = {
    GameRow: "file log first_line digest rules pickup temple_treasures separation players leader rounds"
    " records reason winners placed discarded moves collected passed shared_temples",
    PlayerRow: "file log digest rules players seat player is_leader is_winner total temples crystals"
    " award_crystals gold tiles adventurers_home placed discarded moves collected passed",
}


@cache
def many_played() -> tuple[Played, ...]:
    course = Course()
    ends = [course.end(report) for log in LOGS for report in validate_file(log, course.take)]
    return tuple(played for played in ends if played is not None)


def told(many: Iterable[Played]) -> list[Group]:
    return groups(Counter(fact for played in many for fact in facts(played)))


def written(kind: type[Any], rows: Iterable[Any]) -> bytes:
    stream = io.BytesIO()
    with writing_parquet(kind, stream.write) as add:
        for row in rows:
            add(row)
    return stream.getvalue()


# Parquet


@pytest.mark.parametrize("kind", COLUMNS)
def test_the_columns_are_the_documented_ones(kind: type[Any]) -> None:
    expected = [
        pa.field(name, pa.string() if name in TEXTS else OTHERS.get(name, pa.int64()), nullable=False)
        for name in COLUMNS[kind].split()
    ]
    assert parquet.read_schema(io.BytesIO(written(kind, []))).equals(pa.schema(expected))


def test_a_table_holds_its_rows_in_order_in_groups_of_which_one_at_a_time_is_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parquet_tables, "ROWS_AT_ONCE", 4)
    rows = [row for played in many_played() for row in played.players]
    data = io.BytesIO(written(PlayerRow, rows[:10]))
    metadata = parquet.ParquetFile(data).metadata
    assert [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)] == [4, 4, 2]
    assert [PlayerRow(**row) for row in parquet.read_table(data).to_pylist()] == rows[:10]
    whole = io.BytesIO(written(PlayerRow, rows[:8]))
    assert parquet.ParquetFile(whole).metadata.num_row_groups == 2


def test_lists_and_names_of_any_kind_come_back() -> None:
    game = many_played()[0].game
    rows = [evolve(game, file=name, leader=name, winners=(name, *HOSTILE)) for name in HOSTILE]
    read = parquet.read_table(io.BytesIO(written(GameRow, rows))).to_pylist()
    lists = ("winners", "temple_treasures")
    assert [GameRow(**{**row, **{name: tuple(row[name]) for name in lists}}) for row in read] == rows


@pytest.mark.parametrize("room", [0, 4, 100])
def test_what_cannot_be_written_is_told_as_its_writer_tells_it(room: int) -> None:
    class Full(Exception):
        pass

    left = [room]

    def write(data: bytes) -> None:
        left[0] -= len(data)
        if left[0] < 0:
            raise Full

    with pytest.raises(Full), writing_parquet(GameRow, write) as add:
        add(many_played()[0].game)


# Charts


def drawn(groups_told: list[Group], monkeypatch: pytest.MonkeyPatch) -> Figure:
    """Return the figure of a chart before it becomes SVG."""
    figures: list[Figure] = []
    save = Figure.savefig

    def noting(figure: Figure, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as they are
        figures.append(figure)
        save(figure, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", noting)
    charts.chart_svg(groups_told)
    return figures[0]


def test_the_same_games_draw_the_same_bytes_whatever_the_user_has_configured() -> None:
    groups_told = told(many_played())
    first = charts.chart_svg(groups_told)
    with mpl.rc_context(
        {"font.size": 30, "svg.hashsalt": None, "svg.fonttype": "path", "lines.linewidth": 9}
    ):
        assert charts.chart_svg(groups_told) == first
    assert b"<dc:date>" not in first


def test_a_chart_says_in_text_what_it_shows() -> None:
    root = ET.fromstring(charts.chart_svg(told(many_played())))  # noqa: S314 - our own
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    described = root.findtext(f"{SVG}desc") or ""
    texts = Counter(element.text for element in root.iter(f"{SVG}text"))
    for group in told(many_played()):
        name = f"{group.rules}, {group.players} players, {group.games} games"
        total, first = group.of_players["total"], group.seats[0].share
        assert f"{name}: totals {total.min} to {total.max}" in described
        assert f"seat 1 won {first.share:.1%} ({first.low:.1%} to {first.high:.1%})" in described
        assert texts[f"{name}: totals"] == 1
    rows = len(told(many_played()))
    for axis in ("points of a player", "share of players", "seat", "share of games", "95 % interval"):
        assert texts[axis] == rows


def test_the_bars_hold_every_player_however_far_totals_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stacks may hold tokens up to 99, so that totals reach some hundreds."""
    played = many_played()[0]
    first, *others = played.players
    far = evolve(played, players=(evolve(first, total=399), *(evolve(row, total=0) for row in others)))
    for many in ([played], [played, far]):
        groups_told = told(many)
        figure = drawn(groups_told, monkeypatch)
        bars = [patch.get_data() for patch in figure.axes[0].patches if isinstance(patch, StepPatch)]
        [(values, edges, _)] = bars
        numbers = [row.total for each in many for row in each.players]
        assert len(values) <= 61
        assert sum(values) == pytest.approx(1)
        for value, low, high in zip(values, edges[:-1], edges[1:], strict=True):
            assert value == pytest.approx(sum(low < number < high for number in numbers) / len(numbers))


def test_marks_and_intervals_stand_at_their_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    groups_told = told(many_played())
    axes = drawn(groups_told, monkeypatch).axes
    assert len(axes) == 2 * len(groups_told)
    for group, seats in zip(groups_told, axes[1::2], strict=True):
        [container] = seats.containers
        marks, _, (bars,) = container.lines  # type: ignore[attr-defined]  # of an errorbar
        assert [*marks.get_xdata()] == [each.seat for each in group.seats]
        assert [*marks.get_ydata()] == [each.share.share for each in group.seats]
        ends = [(low, high) for (_, low), (_, high) in bars.get_segments()]
        assert ends == [pytest.approx((each.share.low, each.share.high)) for each in group.seats]


def test_a_chart_of_no_games_says_so() -> None:
    svg = charts.chart_svg([]).decode()
    assert "There are no finished games." in svg
    assert ">no finished games</text>" in svg
