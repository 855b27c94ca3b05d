"""The benchmark runs, and its arithmetic is right; what it measures is no matter of a test."""

import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from tests.bench import page
from tests.bench.compare import Comparison
from tests.bench.comparisons import COMPARISONS
from tests.bench.corpus import corpus, log_of, streams, with_same_players
from tests.bench.counts import instructions
from tests.bench.figures import Figures, Gate, Row, at_least, at_most, read_figures, write_figures
from tests.bench.kernels import KERNELS, Kernel, games_of, in_turn
from tests.bench.measuring import measured, rate, ratios
from tests.bench.pipeline import peer_row
from tests.bench.report import markdown

BENCH = Path(__file__).parent / "bench"
OWN_ROWS = (
    "validate / orjson.loads",
    "decode strictly / orjson.loads",
    "validate / orjson.loads, same players",
    "CPU a record, 10 times the games",
    "peak memory, 10 times the games",
    "history, bytes a state",
    "karuba --version / python -c pass, CPU time",
    "karuba --help / python -c pass, CPU time",
    "small validate / bare Typer command, CPU time",
    "validate --jobs 1 / --jobs 2, wall time",
    "fold / orjson.loads",
    "check / orjson.loads",
    "random play / orjson.loads",
    "orjson.loads itself",
)
EXCUSES = {"not installed", "karuba is not installed", "not on Windows", "not there"}
PEER_ROWS = tuple(f"{compared.ours} : {compared.theirs}" for compared in COMPARISONS)


def run(*arguments: str | Path) -> str:
    """Run the benchmark and return what it prints."""
    return subprocess.run(
        [sys.executable, BENCH / "run.py", *arguments],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"},
    ).stdout


def test_the_quick_benchmark_prints_and_writes_every_row(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    printed = run("--quick", "--json", path)
    figures = read_figures(path)
    assert sorted(row.name for row in figures.rows) == sorted({*OWN_ROWS, *PEER_ROWS})
    for row in figures.rows:
        assert row.name in printed
        assert row.values or row.rate in EXCUSES, row
    assert "figures mean nothing" in printed
    assert {"processor", "cores", "python", "orjson", "chess"} <= figures.machine.keys()
    assert run("--markdown", path) == markdown(figures)


# What is measured


def test_every_peer_says_how_alike_it_is() -> None:
    assert all(len(compared.note) > 40 for compared in COMPARISONS)


def test_a_peer_that_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tests.bench.peers.python_chess", raising=False)
    monkeypatch.setitem(sys.modules, "chess", None)
    compared = COMPARISONS[0]
    assert compared.work(1) is None
    row = peer_row(compared, {compared.ours: (1.0,)})
    assert (row.values, row.rate, row.gate) == ((), "not installed", compared.gate)


def test_a_slip_in_a_peer_is_not_taken_for_a_peer_that_is_not_installed() -> None:
    with pytest.raises(ModuleNotFoundError):
        attrs.evolve(COMPARISONS[0], maker="no_such_module:playing").work(1)


def test_a_peer_twice_as_slow_has_the_ratio_two() -> None:
    compared = COMPARISONS[0]
    row = peer_row(compared, {compared.ours: (0.5, 0.5), compared.maker: (1.0, 1.0)})
    assert (row.values, row.rate) == ((2, 2), "2 events/s : 1 plies/s")


def test_in_the_corpus_every_game_has_players_of_its_own() -> None:
    logs = corpus(35)
    assert len({event.player for log in logs for (_, _, event, *_) in games_of(log)}) == 35  # type: ignore[union-attr]
    players = {game[0].setup.players for log in with_same_players(logs) for game in games_of(log)}  # type: ignore[union-attr]
    assert players == {("ana", "ben", "cleo", "dan")[:count] for count in (2, 3, 4)}


def test_streams_hold_all_logs_in_their_order() -> None:
    logs = [b"%d\n" % number for number in range(60)]
    assert b"".join(streams(logs)) == b"".join(logs)
    assert len(streams(logs)) == 3


def test_each_kernel_counts_the_lines_or_events_of_its_stream() -> None:
    stream = log_of(0) + log_of(1)
    assert {kernel.work(kernel.prepare(stream)) for kernel in KERNELS.values()} == {stream.count(b"\n")}


def test_a_kernel_takes_one_stream_after_the_other() -> None:
    work = in_turn(Kernel(len, lambda length: length), [b"a", b"bb"])
    assert [work() for _ in range(3)] == [1, 2, 1]


# How it is measured


def test_an_item_of_a_side_takes_its_time_over_its_items(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    monkeypatch.setattr("time.process_time", lambda: clock)

    def work(seconds: float, items: int) -> int:
        nonlocal clock
        clock += seconds
        return items

    sides = {"slow": lambda: work(0.5, 1), "quick": lambda: work(0.25, 10)}
    assert measured(sides, 2, 1.0) == {"slow": [0.5, 0.5], "quick": [0.025, 0.025]}


def test_ratios_and_rates() -> None:
    assert ratios([6, 8], [2, 4]) == (3, 2)
    assert rate([0.5, 0.001, 0.002], "lines") == "500 lines/s"


def test_the_count_of_instructions_is_read_from_the_report() -> None:
    assert instructions("==12== \n==12== I   refs:      1,234,567\n") == 1_234_567
    with pytest.raises(ValueError, match="no count"):
        instructions("==12== killed\n")


# What is said of it


@pytest.mark.parametrize(
    ("values", "gate", "aim", "verdict"),
    [
        ([20, 9, 16], at_most(16), 12, "ok"),
        ([20, 9, 17], at_most(16), 12, "broken"),
        ([20, 9, 12], at_most(16), 12, "aim"),
        ([1, 1.6, 9], at_least(1.6), 2.7, "ok"),
        ([1, 1.5, 9], at_least(1.6), 2.7, "broken"),
        ([1, 2.7, 9], at_least(1.6), 2.7, "aim"),
        ([0.95], (0.95, 1.05), None, "ok"),
        ([0.94], (0.95, 1.05), None, "broken"),
        ([1.06], (0.95, 1.05), None, "broken"),
        ([1.0], None, None, ""),
        ([], at_most(16), 12, ""),
    ],
)
def test_a_median_is_held_against_its_gate_and_its_aim(
    values: list[float], gate: Gate | None, aim: float | None, verdict: str
) -> None:
    assert Row("row", tuple(values), gate=gate, aim=aim).verdict == verdict


@pytest.mark.parametrize(
    ("ratios", "is_slower"),
    [
        ([1.06] * 7, True),
        ([1.04] * 7, False),  # less than it matters
        ([0.5] * 7, False),
        ([1.11, 1.12, 1.10, 1.09, 1.13, 1.14, 1.08], True),  # noise of 2 %
        ([1.0, 1.3, 1.1, 1.1, 1.15, 1.2, 1.0], False),  # noise of 10 %: above 1.2 only
        ([1.2, 1.5, 1.3, 1.3, 1.35, 1.4, 1.2], True),
        ([1.0, 1.0, 1.0, 1.0, 1.0, 1.9, 1.9], False),  # two disturbed pairs
    ],
)
def test_a_kernel_is_slower_only_beyond_the_noise(ratios: list[float], is_slower: bool) -> None:
    assert Comparison(ratios).is_slower is is_slower


@pytest.mark.parametrize(
    ("ratios", "is_unclear"),
    [
        ([1.0, 1.01, 0.99, 1.02, 1.0], False),
        ([1.0, 1.3, 1.1, 1.1, 1.15, 1.2, 1.0], True),  # a slow-down of 15 % would hide in it
        ([1.5, 1.9, 1.4, 1.5, 1.6], False),  # slower, noise or not
    ],
)
def test_noise_that_hides_a_slow_down_is_told(ratios: list[float], is_unclear: bool) -> None:
    assert Comparison(ratios).is_unclear is is_unclear


FIGURES = Figures(
    "9 games",
    {"processor": "abacus"},
    (
        Row("cost", (11.0, 13.0, 12.0), "5 lines/s", at_most(16), 12, "As it is."),
        Row("peer", (), "not installed", at_least(2)),
    ),
)


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_figures(tmp_path / "figures.json", FIGURES)
    assert read_figures(tmp_path / "figures.json") == FIGURES
    assert '"median": 12.0,\n      "verdict": "aim"' in (tmp_path / "figures.json").read_text("utf-8")


def test_markdown_shows_what_there_is_of_a_row() -> None:
    shown = markdown(FIGURES).splitlines()
    assert "| cost | 12 | <= 16 | 12.00 | 11.00 .. 13.00 | 5 lines/s | aim |" in shown
    assert "| peer |  | >= 2 |  |  | not installed |  |" in shown
    assert "- *cost*: As it is." in shown


def test_the_page_shows_the_figures_of_the_reference() -> None:
    """Where it does not, `python tests/bench/page.py` puts them in."""
    assert page.PAGE.read_text("utf-8") == page.made_page()


def test_a_page_keeps_all_but_its_figures() -> None:
    old = f"before\n{page.BEGIN}\nold\n{page.END}after\n"
    new = page.with_figures(old, "new\n")
    assert new == old.replace("old\n", "new\n\n")
    assert page.with_figures(new, "new\n") == new
    with pytest.raises(ValueError, match="no markers"):
        page.with_figures("before\n", "new\n")
