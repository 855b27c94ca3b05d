"""Rows of finished games and what many of them come to, held against what the JSON of the logs says."""

import hashlib
import io
import json
import random
import statistics
from collections import Counter
from collections.abc import Iterable
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import pytest
from attrs import asdict, evolve
from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import validate, write_log
from karuba_adapters.statistics.figures import share, spread
from karuba_adapters.statistics.game_rows import Course, Played
from karuba_adapters.statistics.summaries import Fact, facts, groups, summary_json
from karuba_adapters.statistics.summary_text import summary_text
from tests.games_kit import Table, setup

GAMES = Path(__file__).parents[1] / "games"
LOGS = sorted((GAMES / "sound").glob("*.jsonl"))
LOG = GAMES / "sound" / "04-3p-stop-casual.jsonl"
COMMANDS = GAMES / "commands" / "04-3p-stop-casual.jsonl"
PRESETS = {("stop", 2): "official", ("stop", 3): "official", ("stop", 4): "official", ("step", 4): "seed-000"}
"""The rules of the logs that are presets, by pick-up and players; all others are custom."""


def played_in(data: bytes, **reading: bool) -> list[Played | None]:
    course = Course()
    reports = validate(io.BytesIO(data), "a.jsonl", course.take, split=reading.get("split", False))
    return [course.end(report) for report in reports]


def only(data: bytes) -> Played:
    [played] = played_in(data)
    assert played is not None
    return played


def counted(records: list[dict[str, Any]], kind: str, player: str | None = None) -> int:
    return sum(each["type"] == kind and player in (None, each.get("player")) for each in records)


ACTS = {
    "placed": "tile-placed",
    "discarded": "tile-discarded",
    "moves": "adventurer-moved",
    "collected": "treasure-collected",
    "passed": "turn-passed",
}


# Rows


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_the_rows_of_a_game_say_what_its_records_say(log: Path) -> None:
    data = log.read_bytes()
    records = [json.loads(line) for line in data.splitlines()]
    opening, end = records[0], records[-1]
    awards = [(n, each) for n, record in enumerate(records) for each in record.get("awards", ())]
    arrivals = Counter((n, each["temple"]) for n, each in awards)
    game, players = asdict(only(data).game), [asdict(row) for row in only(data).players]
    digest = "sha256:" + hashlib.sha256(data).hexdigest()
    size = len(opening["players"])
    rules = PRESETS.get((opening["rules"]["pickup"], size), "custom")
    common = {"file": "a.jsonl", "log": 1, "digest": digest, "rules": rules, "players": size}
    assert game == {
        **common,
        "first_line": 1,
        "pickup": opening["rules"]["pickup"],
        "temple_treasures": tuple(opening["rules"]["temple_treasures"]),
        "separation": opening["rules"]["separation"],
        "leader": opening["leader"],
        "rounds": counted(records, "tile-drawn"),
        "records": len(records),
        "reason": end["reason"],
        "winners": tuple(end["winners"]),
        **{act: counted(records, kind) for act, kind in ACTS.items()},
        "shared_temples": sum(count > 1 for count in arrivals.values()),
    }
    assert players == [
        {
            **common,
            "seat": seat,
            "player": name,
            "is_leader": name == opening["leader"],
            "is_winner": name in end["winners"],
            **end["scores"][name],
            "award_crystals": sum(each["crystals"] for _, each in awards if each["player"] == name),
            "adventurers_home": sum(
                record.get("player") == name and record.get("path", [None])[-1] == "temple"
                for record in records
            ),
            **{act: counted(records, kind, name) for act, kind in ACTS.items()},
        }
        for seat, name in enumerate(opening["players"], 1)
    ]


def test_the_recorded_games_have_all_that_is_counted() -> None:
    """So that none of the figures above is nothing but zeros."""
    played = [only(log.read_bytes()) for log in LOGS]
    assert {each.game.reason for each in played} == {"all-home", "tiles-exhausted"}
    for name in ("passed", "collected", "shared_temples"):
        assert sum(getattr(each.game, name) for each in played) > 0
    assert sum(row.award_crystals for each in played for row in each.players) > 0
    assert {row.adventurers_home for each in played for row in each.players} >= {0, 1, 2, 3, 4}


def test_a_log_of_commands_tells_the_same_game() -> None:
    asked, told = only(COMMANDS.read_bytes()), only(LOG.read_bytes())
    assert asked.game.records == len(COMMANDS.read_bytes().splitlines()) < told.game.records
    assert asked.game == evolve(told.game, digest=asked.game.digest, records=asked.game.records)
    assert asked.players == tuple(evolve(row, digest=asked.game.digest) for row in told.players)


def test_a_game_is_the_same_sealed_or_not() -> None:
    data = LOG.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    seal = b'{"type":"seal","records":%d,"digest":"sha256:%s"}\n' % (data.count(b"\n"), digest.encode())
    assert only(data + seal) == only(data)


def test_what_was_seen_of_a_log_that_does_not_count_goes_into_no_other() -> None:
    data = LOG.read_bytes()
    lines = data.splitlines(keepends=True)
    cut, wrong = b"".join(lines[:-1]), b"".join(lines[:80]) + b"{}\n"
    first, second, third = played_in(cut + wrong + data, split=True)
    assert (first, second) == (None, None)
    whole = only(data)
    lines_before = (cut + wrong).count(b"\n")
    assert third is not None
    assert third.game == evolve(whole.game, log=3, first_line=lines_before + 1)
    assert third.players == tuple(evolve(row, log=3) for row in whole.players)


def test_a_fault_after_the_end_leaves_a_game_out() -> None:
    assert played_in(LOG.read_bytes() + b"{}\n") == [None]


# Figures


@given(st.lists(st.integers(0, 400), min_size=2, max_size=40))
def test_quartiles_are_those_of_the_inclusive_method(numbers: list[int]) -> None:
    told = spread(Counter(numbers))
    assert [told.q1, told.median, told.q3] == pytest.approx(statistics.quantiles(numbers, method="inclusive"))
    assert (told.min, told.max) == (min(numbers), max(numbers))
    assert told.mean == pytest.approx(statistics.mean(numbers))


def test_one_number_is_all_its_quartiles() -> None:
    assert asdict(spread({7: 1})) == dict.fromkeys(("mean", "min", "q1", "median", "q3", "max"), 7)


@pytest.mark.parametrize(
    ("count", "size", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (15, 148, 0.0624, 0.1605)],
)
def test_intervals_are_the_published_ones(count: int, size: int, low: float, high: float) -> None:
    told = share(count, size)
    assert (told.share, round(told.low, 4), round(told.high, 4)) == (count / size, low, high)


@given(st.integers(1, 10_000).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size))))
def test_the_ends_of_an_interval_are_the_shares_that_the_score_test_just_allows(
    case: tuple[int, int],
) -> None:
    count, size = case
    told = share(count, size)
    assert 0 <= told.low <= told.share <= told.high <= 1
    for end in {told.low, told.high} - {0.0, 1.0}:
        reach = statistics.NormalDist().inv_cdf(0.975) * sqrt(end * (1 - end) / size)
        assert isclose(abs(end - count / size), reach, abs_tol=1e-9)


# Summaries


def counts_of(many: Iterable[Played]) -> Counter[Fact]:
    return Counter(fact for played in many for fact in facts(played))


def test_a_group_tells_of_its_games_alone() -> None:
    many = [only(log.read_bytes()) for log in LOGS]
    told = groups(counts_of(many))
    keys = [(group.rules, group.players) for group in told]
    assert set(keys) == {(each.game.rules, each.game.players) for each in many}
    assert len(keys) == len(set(keys))
    for group in told:
        games = [
            each for each in many if (each.game.rules, each.game.players) == (group.rules, group.players)
        ]
        rows = [row for each in games for row in each.players]
        assert group.games == len(games)
        assert group.reasons == Counter(each.game.reason for each in games)
        assert group.shared_wins == sum(len(each.game.winners) > 1 for each in games)
        assert group.totals == Counter(row.total for row in rows)
        for name, spread_told in group.of_games.items():
            assert spread_told == spread(Counter(getattr(each.game, name) for each in games)), name
        for name, spread_told in group.of_players.items():
            assert spread_told == spread(Counter(getattr(row, name) for row in rows)), name
        for seat, each_seat in enumerate(group.seats, 1):
            wins = sum(row.is_winner for row in rows if row.seat == seat)
            assert (each_seat.seat, each_seat.wins, each_seat.share) == (seat, wins, share(wins, len(games)))


def test_groups_come_in_the_order_of_the_presets_and_of_the_players() -> None:
    game = only(LOG.read_bytes())
    keys = [(rules, n) for rules in ("official", "seed-000", "seed-001", "custom") for n in (2, 3, 4)]
    many = [evolve(game, game=evolve(game.game, rules=rules, players=n)) for rules, n in keys]
    random.Random(1).shuffle(many)
    assert [(group.rules, group.players) for group in groups(counts_of(many))] == keys


def test_the_counts_of_two_parts_add_up_to_those_of_the_whole() -> None:
    many = [only(log.read_bytes()) for log in LOGS]
    assert counts_of(many[:7]) + counts_of(many[7:]) == counts_of(many)
    assert groups(counts_of(many[:7]) + counts_of(many[7:])) == groups(counts_of(many))


def tied() -> Played:
    """Return a game in which both players do the same in all rounds, until all four are home."""
    table = Table(setup())
    table.homeward()
    table.walk(26, "purple", "d5 e5 f5 temple")
    stream = io.BytesIO()
    write_log(table.events, stream)
    return only(stream.getvalue())


def test_a_shared_win_counts_for_each_of_the_winners() -> None:
    """Both share all four temples, 5 and 3 by the rules, the second made up with two crystals each."""
    played = tied()
    assert (played.game.winners, played.game.shared_temples) == (("ana", "ben"), 4)
    assert [(row.temples, row.crystals, row.award_crystals) for row in played.players] == [
        (20, 2, 0),
        (12, 10, 8),
    ]
    [group] = groups(counts_of([played]))
    assert group.shared_wins == 1
    assert [(each.wins, each.share.share) for each in group.seats] == [(1, 1.0), (1, 1.0)]


def test_json_is_complete_and_plain() -> None:
    told = json.loads(json.dumps(summary_json({"valid": 1, "unread": 2}, groups(counts_of([tied()])))))
    assert told["format"] == "karuba-stats/1"
    assert told["logs"] == {"valid": 1, "incomplete": 0, "invalid": 0, "unread": 2}
    [group] = told["groups"]
    assert list(group) == [
        "rules", "players", "games", "reasons", "shared_wins", "of_games", "of_players", "totals", "seats",
    ]  # fmt: skip
    assert list(group["of_games"]) == [
        "rounds", "records", "discarded", "moves", "collected", "passed", "shared_temples",
    ]  # fmt: skip
    assert list(group["of_players"]) == [
        "total", "temples", "adventurers_home", "crystals", "award_crystals", "gold", "tiles",
    ]  # fmt: skip
    assert list(group["of_players"]["total"]) == ["mean", "min", "q1", "median", "q3", "max"]
    assert (group["reasons"], group["totals"]) == ({"all-home": 1}, {"22": 2})
    assert group["seats"][1] == {
        "seat": 2,
        "wins": 1,
        "share": 1.0,
        "low": pytest.approx(0.2065, abs=1e-4),
        "high": 1.0,
    }


# Text


def test_text_tells_what_is_left_out() -> None:
    assert summary_text({"valid": 1}, []) == "1 finished game"
    told = summary_text({"invalid": 1, "unread": 3, "incomplete": 2}, [])
    assert told == "0 finished games; left out: 2 incomplete, 1 invalid, 3 unread"


def test_text_shows_the_figures_of_a_group_and_ascii_is_ascii() -> None:
    told = groups(counts_of([tied(), only(LOG.read_bytes())]))
    text, plain = summary_text({"valid": 2}, told), summary_text({"valid": 2}, told, ascii_only=True)
    rows = [line.split() for line in text.split("\n")]
    assert "official, 2 players: 1 game (1 all-home; 1 shared win)" in text
    assert ["total", "22.00", *["22"] * 5] in rows
    assert ["2", "1", "100.0%", "20.7%", "to", "100.0%"] in rows
    assert ["shared", "temples", "4.00", *["4"] * 5] in rows
    assert plain.isascii()
    assert max(map(len, text.split("\n"))) <= 80
