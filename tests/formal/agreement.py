"""The kernel held against the model: traces of games, and graphs of all that can be reached.

python -m tests.formal.agreement POSITION.jsonl GRAPH.jsonl
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import attrs

from karuba_adapters import read_events
from karuba_core import (
    KARUBA,
    Command,
    Event,
    Game,
    GameStarted,
    Mismatch,
    Move,
    check,
    command_of,
    due,
    fold,
    legal_commands,
    start,
    violation,
)
from karuba_core.decider import Violation
from tests.formal import itf
from tests.formal.comparison import Comparison

_NOWHERE: Final = -1
"""In place of the number of a state."""


def check_trace(path: Path, opening: Sequence[Event] = ()) -> Comparison:
    """Replay a trace of the model: the kernel yields every event, and is in the same state after each.

    Args:
        path: An ITF trace with the variables `event` and `state`.
        opening: The events that lead to its first state, where that is not the opening of a game.
    """
    found = Comparison()
    moments = itf.trace(path)
    game = fold(opening) if opening else _opened(itf.event(moments[0]["event"]))
    found.expect_state(0, moments[0]["state"], game)
    for number, moment in enumerate(moments[1:], 1):
        event = itf.event(moment["event"])
        found.counts["events"] += 1
        try:
            game = check(game, event)
        except Mismatch as mismatch:
            found.expect(number, event, "", mismatch.violation.code)
            break
        found.expect_state(number, moment["state"], game)
    return found


def _opened(event: Event) -> Game:
    if not isinstance(event, GameStarted):
        raise TypeError(f"expected a trace from the opening on, got {event.name}")
    return start(event.setup).game


def check_graph(path: Path, opening: Sequence[Event], *, whole: bool = True) -> Comparison:
    """Walk a graph of the model with games of the kernel; everything has to agree in every state.

    Args:
        path: The graph, as `spec/model/explore.js` writes it.
        opening: The events that lead to its first state, `game-started` first.
        whole: Whether the graph has all that can follow; else it has one game, and what may have
            been played instead has no edge.
    """
    lines = itf.lines(path)
    walk = _Walk(fold(opening), [itf.command(each) for each in next(lines)["vocabulary"]])
    for line in lines:
        walk.visit(line)
        if whole:
            walk.compare_edges(line)
    if whole:
        walk.finish()
    return walk.found


class _Walk:
    """A walk through a graph, state by state, in the order of their discovery.

    Args:
        first: The kernel's game in the first state.
        vocabulary: The commands whose verdicts the graph has in every state.
    """

    def __init__(self, first: Game, vocabulary: Sequence[Command]) -> None:
        self.found = Comparison()
        self._vocabulary = vocabulary
        self._games = {0: first}  # of the kernel, in each state that an edge has led to
        self._states = {first: 0}
        self._edges: dict[int, dict[str, int]] = {}  # of each state visited, by the text of the event
        self._actions: dict[int, dict[str, list[str]]] = {}  # the same texts, by player
        self._landings: dict[Game, tuple[int, Command]] = {}  # where long moves lead

    def visit(self, line: Mapping[str, Any]) -> None:
        """Compare one state, all that is asked in it, and all that leads on from it."""
        number = line["id"]
        game = self._games.get(number)
        if game is None:
            self.found.expect(number, "the state", "led to by no edge before", None)
            return
        self.found.expect_state(number, line["state"], game)
        self._compare_verdicts(number, game, zip(self._vocabulary, line["verdicts"], strict=True))
        walks = [pair["#tup"] for pair in line["walks"]["#set"]]
        self._compare_verdicts(number, game, [(itf.command(walk), code) for walk, code in walks])
        self._compare_records(number, game, [pair["#tup"] for pair in line["records"]["#set"]])
        self._compare_legal(number, game, [itf.command(each) for each in line["legal"]["#set"]])
        self._follow(number, game, line["edges"])
        self._compare_due(number, game, line["edges"])

    def _compare_verdicts(self, number: int, game: Game, verdicts: Iterable[tuple[Command, str]]) -> None:
        for command, code in verdicts:
            self.found.counts["verdicts"] += 1
            self.found.expect(number, command, code, _code(game, command))

    def _compare_records(self, number: int, game: Game, records: Iterable[tuple[object, str]]) -> None:
        """Compare what both say of recorded events, right and wrong (R-JUDGE)."""
        for record, code in records:
            self.found.counts["records"] += 1
            event = itf.event(record)
            self.found.expect(number, event, code, _judged(game, event))

    def _compare_legal(self, number: int, game: Game, model: Sequence[Command]) -> None:
        """Compare the legal commands, a move for each adventurer and end; the kernel takes all of both."""
        kernel = tuple(legal_commands(game))
        self.found.counts["legal commands"] += len(kernel)
        self.found.expect(
            number, "what is legal", sorted(map(_likeness, model)), sorted(map(_likeness, kernel))
        )
        for command in model:
            self.found.expect(number, command, "", _code(game, command))
        for command in kernel:
            decided = KARUBA.decide[type(command)](game, command)
            if isinstance(decided, Violation):
                self.found.expect(number, f"{command} is listed", "", decided.code)
            elif _is_long(command):
                self._landings.setdefault(fold([decided], game), (number, command))

    def _follow(self, number: int, game: Game, edges: Sequence[Mapping[str, Any]]) -> None:
        """Go along the edges: the kernel yields each event, and all ways to a state lead to one game."""
        self._edges[number], self._actions[number] = {}, {}
        events = [itf.event(edge["event"]) for edge in edges]
        for edge, event in zip(edges, events, strict=True):
            self.found.counts["edges"] += 1
            key, there = itf.text(edge["event"]), edge["to"]
            self._edges[number][key] = there
            if hasattr(event, "player"):
                self._actions[number].setdefault(event.player, []).append(key)
            try:
                after = check(game, event)
            except Mismatch as mismatch:
                self.found.expect(number, event, "", mismatch.violation.code)
                continue
            known = self._states.setdefault(after, there)
            if known != there:
                self.found.expect(number, f"the state after {event}", there, known)
            if self._games.setdefault(there, after) != after:
                self.found.expect(number, f"state {there}, after {event}", "the one state", "another game")

    def _compare_due(self, number: int, game: Game, edges: Sequence[Mapping[str, Any]]) -> None:
        following = due(game)
        events = [itf.event(edge["event"]) for edge in edges]
        by_itself = [event for event in events if command_of(event) is None]
        self.found.expect(number, "what is due", by_itself, [] if following is None else [following])

    def compare_edges(self, line: Mapping[str, Any]) -> None:
        """Compare what follows a state. A long move leads where single steps lead and need have no edge."""
        number, events = line["id"], [itf.event(edge["event"]) for edge in line["edges"]]
        game = self._games.get(number)
        if game is None:
            return
        commands = [command for event in events if (command := command_of(event)) and not _is_long(command)]
        legal = [command for command in legal_commands(game) if not _is_long(command)]
        self.found.expect(
            number, "what has an edge", sorted(map(_likeness, commands)), sorted(map(_likeness, legal))
        )

    def finish(self) -> None:
        """Compare what can be said only when all states are known."""
        self.found.counts["final states"] = sum(not edges for edges in self._edges.values())
        self.found.expect(_NOWHERE, "all states", sorted(self._edges), sorted(self._games))
        for game, (number, command) in self._landings.items():
            self.found.counts["places where long moves lead"] += 1
            if game not in self._states:
                self.found.expect(number, f"where {command} leads", "no state", "a game")
        for number, actions in self._actions.items():
            for one, other in combinations(actions.values(), 2):
                self._compare_orders(number, one, other)

    def _compare_orders(self, number: int, ones: Sequence[str], others: Sequence[str]) -> None:
        """What two players do leads to one state in either order (R-TURN-6)."""
        edges = self._edges[number]
        for one in ones:
            after_one = self._edges.get(edges[one], {})
            for other in others:
                self.found.counts["pairs of actions"] += 1
                end = after_one.get(other)
                if end is None or end != self._edges.get(edges[other], {}).get(one):
                    self.found.expect(number, f"{one} and {other}", "two ends", "one end in either order")


def _code(game: Game, command: Command) -> str:
    refused = violation(game, command)
    return "" if refused is None else refused.code


def _judged(game: Game, event: Event) -> str:
    try:
        check(game, event)
    except Mismatch as mismatch:
        return mismatch.violation.code
    return ""


def _is_long(command: Command) -> bool:
    return isinstance(command, Move) and len(command.path) > 1


def _likeness(command: Command) -> tuple[object, ...]:
    """Return what of a command tells it from others; of the way that a move takes, its end and its length."""
    if isinstance(command, Move):
        return "move", command.player, command.adventurer, command.path[-1], len(command.path)
    return command.name, *attrs.astuple(command)


DIFFERENT: Final = 3
"""The exit code where there are differences; a kernel that raises ends with another."""


def main() -> None:
    """Print what a comparison finds; the exit code is `DIFFERENT` where there are differences."""
    position, graph = map(Path, sys.argv[1:])
    with position.open("rb") as log:
        found = check_graph(graph, tuple(read_events(log)))  # trusted, so that the model alone judges
    print(found)
    sys.exit(DIFFERENT if found.different else 0)


if __name__ == "__main__":
    main()
