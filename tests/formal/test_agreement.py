"""The comparison, held against what a model would write that is right, and that is wrong in one thing."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from karuba_core import Discard, Event, Move, apply, fold, trace
from tests.formal.agreement import check_graph, check_trace
from tests.formal.kernel_graph import POSITIONS, Graph, explore, read_position
from tests.formal.stand_in import graph_lines, trace_itf, variant, vocabulary, write_lines

Lines = list[dict[str, Any]]


def nearly_over() -> tuple[Event, ...]:
    """Two of three have to play: ana stands before her temple, ben some steps away from his."""
    events = read_position(POSITIONS / "three-tie.jsonl")
    game = fold(events)
    for command in (
        Discard("ana"),
        Move("ana", "purple", ("f5",)),
        Discard("ben"),
        Move("ben", "purple", ("e5",)),
    ):
        step = apply(game, command)
        game, events = step.game, events + step.events
    return events


OPENING = nearly_over()
GRAPH = explore(OPENING)
VOCABULARY = list(vocabulary(("ana", "ben", "cleo")))[::9]
RIGHT = graph_lines(GRAPH, VOCABULARY)


@pytest.fixture
def lines() -> Lines:
    return copy.deepcopy(RIGHT)


def found_in(lines: Lines, folder: Path) -> list[str]:
    """Return what a comparison finds."""
    found = check_graph(write_lines(lines, folder / "graph.jsonl"), OPENING)
    assert bool(found.different) == bool(found.differences)
    return list(map(str, found.differences))


def state(lines: Lines, has: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Return the first state of a graph that has something."""
    return next(line for line in lines[1:] if has(line))


def edge_tags(line: dict[str, Any]) -> list[str]:
    return [edge["event"]["tag"] for edge in line["edges"]]


def test_a_right_graph_agrees_in_all_that_it_says(lines: Lines, tmp_path: Path) -> None:
    found = check_graph(write_lines(lines, tmp_path / "graph.jsonl"), OPENING)
    assert found.differences == []
    assert found.different == 0
    states, edges, final = GRAPH.counts.values()
    assert (found.counts["states"], found.counts["edges"], found.counts["final states"]) == (
        states,
        edges,
        final,
    )
    walks = sum(len(line["walks"]["#set"]) for line in lines[1:])
    assert found.counts["verdicts"] == states * len(lines[0]["vocabulary"]) + walks
    assert found.counts["legal commands"] == sum(len(line["legal"]["#set"]) for line in lines[1:])
    assert found.counts["pairs of actions"] > 20
    assert found.counts["places where long moves lead"] > 5


@pytest.mark.parametrize("number", [0, 3, len(GRAPH.games) - 1])
def test_another_state_is_found_with_the_place_where_it_differs(
    lines: Lines, number: int, tmp_path: Path
) -> None:
    lines[1 + number]["state"]["scores"]["#map"][1][1]["gold"] = {"#bigint": "7"}
    assert found_in(lines, tmp_path) == [f"state {number}: $.scores.ben.gold: model 7, kernel 0"]


@pytest.mark.parametrize(
    ("before", "after"), [("", "rule/no-way"), ("rule/game-over", ""), ("rule/no-way", "rule/cell-held")]
)
def test_every_verdict_counts(lines: Lines, before: str, after: str, tmp_path: Path) -> None:
    """Refused for legal, legal for refused, and refused by another guard."""
    verdicts = state(lines, lambda line: before in line["verdicts"])["verdicts"]
    verdicts[verdicts.index(before)] = after
    (difference,) = found_in(lines, tmp_path)
    assert difference.endswith(f"model {after!r}, kernel {before!r}")


def test_verdicts_of_walks_count(lines: Lines, tmp_path: Path) -> None:
    walk = state(lines, lambda line: line["walks"]["#set"])["walks"]["#set"][0]["#tup"]
    walk[1] = "rule/cell-held"
    (difference,) = found_in(lines, tmp_path)
    assert "Move" in difference
    assert difference.endswith("model 'rule/cell-held', kernel ''")


def test_verdicts_of_records_count(lines: Lines, tmp_path: Path) -> None:
    records = state(lines, lambda line: line["records"]["#set"])["records"]["#set"]
    for number, (event, code) in enumerate(pair["#tup"] for pair in records):
        changed = copy.deepcopy(lines)
        line = state(changed, lambda line: line["records"]["#set"])
        line["records"]["#set"][number] = {"#tup": [event, "" if code else "mismatch/value"]}
        assert len(found_in(changed, tmp_path)) == 1, event


def test_one_game_of_a_graph_agrees_without_the_edges_of_others(lines: Lines, tmp_path: Path) -> None:
    game = [lines[0], lines[1]]
    for _ in range(3):
        edge = game[-1]["edges"][0]
        game[-1]["edges"] = [edge]
        game.append(lines[1 + edge["to"]])
    game[-1]["edges"] = game[-1]["edges"][:1]
    path = write_lines(game, tmp_path / "game.jsonl")
    assert check_graph(path, OPENING, whole=False).differences == []
    assert check_graph(path, OPENING).differences != []
    game[2]["verdicts"][0] = "rule/no-way"
    assert check_graph(write_lines(game, path), OPENING, whole=False).different == 1


def test_a_verdict_too_few_is_no_graph(lines: Lines, tmp_path: Path) -> None:
    lines[1]["verdicts"].pop()
    with pytest.raises(ValueError, match="shorter"):
        found_in(lines, tmp_path)


def test_a_legal_command_left_out_is_found(lines: Lines, tmp_path: Path) -> None:
    for line in lines[1::20]:
        if line["legal"]["#set"]:
            taken = line["legal"]["#set"].pop()
            (difference,) = found_in(lines, tmp_path)
            assert difference.startswith(f"state {line['id']}: what is legal")
            line["legal"]["#set"].append(taken)


def test_a_legal_command_too_many_or_twice_is_found(lines: Lines, tmp_path: Path) -> None:
    legal = state(lines, lambda line: line["legal"]["#set"])["legal"]["#set"]
    legal.append(legal[0])
    assert "what is legal" in found_in(lines, tmp_path)[0]
    legal[-1] = variant(Discard("cleo"))
    assert "what is legal" in found_in(lines, tmp_path)[0]


def long_move(lines: Lines) -> list[str]:
    """Return the path of a legal move of several entries."""
    moves = (
        each["value"]["path"]
        for line in lines[1:]
        for each in line["legal"]["#set"]
        if len(each["value"].get("path", ())) == 2 and each["value"]["path"][-1] != "temple"
    )
    path: list[str] = next(moves)
    return path


def test_a_way_longer_than_the_shortest_is_found(lines: Lines, tmp_path: Path) -> None:
    path = long_move(lines)
    path += [path[0], path[1]]
    assert any("what is legal" in difference for difference in found_in(lines, tmp_path))


def test_a_way_where_no_path_leads_is_found_though_end_and_length_are_right(
    lines: Lines, tmp_path: Path
) -> None:
    long_move(lines)[0] = "c1"
    (difference,) = found_in(lines, tmp_path)
    assert difference.endswith("model '', kernel 'rule/no-way'")


@pytest.mark.parametrize("tag", ["TurnPassed", "AdventurerMoved", "RoundEnded", "GameEnded"])
def test_a_lacking_edge_is_found(lines: Lines, tag: str, tmp_path: Path) -> None:
    """One of a single step, or of what is due; its state is reached by other edges or not."""

    def is_single(edge: dict[str, Any]) -> bool:
        return edge["event"]["tag"] == tag and len(edge["event"]["value"].get("path", "1")) == 1

    line = state(lines, lambda line: any(map(is_single, line["edges"])))
    line["edges"].remove(next(filter(is_single, line["edges"])))
    assert any(f"state {line['id']}: what" in difference for difference in found_in(lines, tmp_path))


def test_a_long_move_needs_no_edge(lines: Lines, tmp_path: Path) -> None:
    for line in lines[1:]:
        line["edges"] = [edge for edge in line["edges"] if len(edge["event"]["value"].get("path", "1")) == 1]
    assert found_in(lines, tmp_path) == []


def test_an_edge_too_many_is_found(lines: Lines, tmp_path: Path) -> None:
    lines[-1]["edges"].append(copy.deepcopy(lines[1]["edges"][0]))
    assert any("rule/game-over" in difference for difference in found_in(lines, tmp_path))


def changed(value: dict[str, Any], name: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each object and member of that name in a value."""
    for key, each in value.items():
        if key == name:
            yield value, key
        for part in each if isinstance(each, list) else [each]:
            if isinstance(part, dict):
                yield from changed(part, name)


@pytest.mark.parametrize(
    ("tag", "field", "wrong"),
    [
        ("RoundEnded", "round", 35),
        ("RoundEnded", "token", 4),
        ("RoundEnded", "crystals", 1),
        ("RoundEnded", "player", "dan"),
        ("GameEnded", "reason", "tiles-exhausted"),
        ("GameEnded", "winners", []),
        ("AdventurerMoved", "path", ["a1"]),
    ],
)
def test_a_wrong_field_of_an_event_is_found(
    lines: Lines, tag: str, field: str, wrong: object, tmp_path: Path
) -> None:
    line = state(lines, lambda line: tag in edge_tags(line))
    edge = line["edges"][edge_tags(line).index(tag)]
    holder, key = next(changed(edge["event"]["value"], field))
    holder[key] = wrong
    assert any(f"state {line['id']}: " in difference for difference in found_in(lines, tmp_path))


def test_awards_in_another_order_are_found(lines: Lines, tmp_path: Path) -> None:
    def has_tie(line: dict[str, Any]) -> bool:
        return any(len(edge["event"]["value"].get("awards", ())) > 1 for edge in line["edges"])

    state(lines, has_tie)["edges"][0]["event"]["value"]["awards"].reverse()
    assert any("mismatch/value" in difference for difference in found_in(lines, tmp_path))


def test_an_edge_to_another_state_is_found(lines: Lines, tmp_path: Path) -> None:
    edges = state(lines, lambda line: line["id"] > 2 and len(line["edges"]) > 1)["edges"]
    edges[0]["to"], edges[1]["to"] = edges[1]["to"], edges[0]["to"]
    assert any("the state after" in difference for difference in found_in(lines, tmp_path))


def test_two_states_that_are_one_game_are_found(lines: Lines, tmp_path: Path) -> None:
    """A state that several edges lead to gets a twin, to which the last of them leads instead."""
    edges = [edge for line in lines[1:] for edge in line["edges"]]
    number = next(edge["to"] for edge in edges if sum(edge["to"] == other["to"] for other in edges) > 1)
    twin = copy.deepcopy(lines[1 + number]) | {"id": len(lines) - 1}
    [edge for edge in edges if edge["to"] == number][-1]["to"] = twin["id"]
    lines.append(twin)
    assert any("the state after" in difference for difference in found_in(lines, tmp_path))


def test_two_games_that_are_one_state_are_found(lines: Lines, tmp_path: Path) -> None:
    final = [line["id"] for line in lines[1:] if not line["edges"]]
    for line in lines[1:]:
        for edge in line["edges"]:
            edge["to"] = final[0] if edge["to"] == final[1] else edge["to"]
    assert any("another game" in difference for difference in found_in(lines, tmp_path))


def test_a_state_without_its_line_is_found(lines: Lines, tmp_path: Path) -> None:
    del lines[-1]
    (difference,) = found_in(lines, tmp_path)
    assert "all states" in difference


def test_a_state_that_no_edge_leads_to_is_found(lines: Lines, tmp_path: Path) -> None:
    lines.append(copy.deepcopy(lines[-1]) | {"id": len(lines) - 1})
    assert found_in(lines, tmp_path) == [
        f"state {len(lines) - 2}: the state: model 'led to by no edge before', kernel None"
    ]


def test_a_long_move_that_leads_out_of_the_graph_is_found(tmp_path: Path) -> None:
    """No single steps at all: then the graph lacks what is reached by them, and by the long moves."""
    graph = explore(OPENING)
    bare = Graph(graph.games[:1], ((),))
    found = check_graph(write_lines(graph_lines(bare, VOCABULARY), tmp_path / "graph.jsonl"), OPENING)
    assert any("where Move" in str(difference) for difference in found.differences)


def test_turns_that_do_not_meet_are_found(lines: Lines, tmp_path: Path) -> None:
    """R-TURN-6: after one player's pass, and there alone, the long moves of the other have no edge."""
    after = lines[1 + next(e["to"] for e in lines[1]["edges"] if e["event"]["tag"] == "TurnPassed")]
    after["edges"] = [e for e in after["edges"] if len(e["event"]["value"].get("path", "1")) == 1]
    differences = found_in(lines, tmp_path)
    assert differences
    assert all("in either order" in difference for difference in differences)


def test_only_the_first_few_differences_are_told_and_all_are_counted(lines: Lines, tmp_path: Path) -> None:
    for line in lines[1:]:
        line["state"]["round"] = 1
    found = check_graph(write_lines(lines, tmp_path / "graph.jsonl"), OPENING)
    assert found.different == len(lines) - 1
    assert len(found.differences) == 10


def some_trace() -> dict[str, Any]:
    """Return a trace to the end of the game."""
    later: list[Event] = []
    number = 0
    while GRAPH.edges[number]:
        event, number = GRAPH.edges[number][0]
        later.append(event)
    return trace_itf(OPENING, later)


def found_in_trace(value: object, folder: Path, opening: tuple[Event, ...] = OPENING) -> list[str]:
    path = folder / "trace.itf.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return list(map(str, check_trace(path, opening).differences))


def test_a_right_trace_agrees(tmp_path: Path) -> None:
    value = some_trace()
    path = tmp_path / "trace.itf.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    found = check_trace(path, OPENING)
    assert (found.different, found.counts["states"]) == (0, len(value["states"]))
    assert found.counts["events"] == len(value["states"]) - 1 > 3


def test_a_trace_without_a_position_begins_with_the_opening(tmp_path: Path) -> None:
    value = trace_itf(OPENING[:1], OPENING[1:])
    assert found_in_trace(value, tmp_path, ()) == []
    assert found_in_trace(some_trace(), tmp_path, ()) != []
    with pytest.raises(TypeError, match="from the opening on"):
        found_in_trace({"states": value["states"][1:]}, tmp_path, ())


def test_every_state_of_a_trace_counts(tmp_path: Path) -> None:
    for number, moment in enumerate(some_trace()["states"]):
        value = some_trace()
        value["states"][number]["game::state"]["leader"] = "ben" if moment else ""
        assert found_in_trace(value, tmp_path) == [f"state {number}: $.leader: model 'ben', kernel 'ana'"]


def test_an_event_that_the_kernel_does_not_yield_ends_a_trace(tmp_path: Path) -> None:
    value = some_trace()
    value["states"][1]["event"] = variant(list(trace(OPENING))[1].events[0])
    (difference,) = found_in_trace(value, tmp_path)
    assert difference.startswith("state 1: TileDrawn")
    assert difference.endswith("model '', kernel 'rule/round-open'")


def test_the_graph_of_a_position_stops_at_its_limit() -> None:
    with pytest.raises(ValueError, match="more than 5"):
        explore(OPENING, 5)
    assert attrs.asdict(explore(OPENING, len(GRAPH.games)), recurse=False) == attrs.asdict(
        GRAPH, recurse=False
    )
