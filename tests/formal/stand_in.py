"""What the model would write, made of the kernel: something right, for tests of the comparison to break."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from karuba_adapters import state_json
from karuba_core import (
    CELLS,
    COLOURS,
    Collect,
    Command,
    Discard,
    Draw,
    Event,
    Game,
    GameEnded,
    GameStarted,
    Mismatch,
    Move,
    Pass,
    Place,
    RoundEnded,
    TileDiscarded,
    check,
    fold,
    legal_commands,
    trace,
    violation,
)
from tests.formal.kernel_graph import Graph

_ENTRIES: Final = (*CELLS, "temple", "g1")


def graph_lines(graph: Graph, vocabulary: Sequence[Command]) -> list[dict[str, Any]]:
    """Return the lines that the explorer would write of a graph."""
    states = enumerate(zip(graph.games, graph.edges, strict=True))
    return [
        {"vocabulary": list(map(variant, vocabulary))},
        *(_line(number, game, edges, vocabulary) for number, (game, edges) in states),
    ]


def write_lines(lines: Sequence[Any], path: Path) -> Path:
    """Write values as JSON Lines, and return where."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def trace_itf(events: Sequence[Event], later: Sequence[Event]) -> dict[str, Any]:
    """Return the trace that a run of the model would give which begins after some events."""
    first = fold(events)
    moments = [{"event": variant(events[0]), "game::state": _state(first)}]
    steps = zip(later, trace(later, first), strict=True)
    moments += [{"event": variant(event), "game::state": _state(step.game)} for event, step in steps]
    return {"#meta": {}, "states": moments}


def vocabulary(players: Sequence[str]) -> Iterator[Command]:
    """Yield commands right and wrong: with every tile, cell and colour, and with some that there are not."""
    yield from map(Draw, range(38))
    for player in (*players, "nobody"):
        yield from (Discard(player), Pass(player))
        yield from (Place(player, cell) for cell in _ENTRIES)
        for colour in (*COLOURS, "green"):
            yield Collect(player, colour)
            yield from (Move(player, colour, (entry,)) for entry in _ENTRIES)
            yield from (Move(player, colour, path) for path in ((), ("temple", "a1"), ("a1", "b1") * 3))


def _line(
    number: int, game: Game, edges: Sequence[tuple[Event, int]], vocabulary: Sequence[Command]
) -> dict[str, Any]:
    legal = list(legal_commands(game))
    long = [command for command in legal if isinstance(command, Move) and len(command.path) > 1]
    walks = long + [
        attrs.evolve(move, path=(move.path[0], entry)) for move in long for entry in ("a1", "temple")
    ]
    return {
        "id": number,
        "state": _state(game),
        "verdicts": [_code(game, command) for command in vocabulary],
        "walks": {"#set": [{"#tup": [variant(walk), _code(game, walk)]} for walk in walks]},
        "records": {
            "#set": [{"#tup": [variant(event), _judged(game, event)]} for event in _records(game, edges)]
        },
        "legal": {"#set": list(map(variant, legal))},
        "edges": [{"event": variant(event), "to": there} for event, there in edges],
    }


def _code(game: Game, command: Command) -> str:
    refused = violation(game, command)
    return "" if refused is None else refused.code


def _records(game: Game, edges: Sequence[tuple[Event, int]]) -> Iterator[Event]:
    """Yield recorded events: what may come next, some of it with a wrong value, and the end of a round."""
    for event, _ in edges:
        yield event
        if isinstance(event, TileDiscarded):
            yield attrs.evolve(event, steps=event.steps + 1)
    yield RoundEnded(game.round + 1, ())


def _judged(game: Game, event: Event) -> str:
    try:
        check(game, event)
    except Mismatch as mismatch:
        return mismatch.violation.code
    return ""


def variant(message: Command | Event) -> dict[str, Any]:
    """Return a command or an event as a variant of the model."""
    match message:
        case GameStarted(setup):
            fields = attrs.asdict(setup)
            rules = fields.pop("rules")
            fields["layout"] = _map(fields["layout"])
            fields |= {"treasures": rules.pop("temple_treasures"), **rules}
        case GameEnded():
            fields = attrs.asdict(message)
            fields["scores"] = _map({score.pop("player"): score for score in fields["scores"]})
        case _:
            fields = attrs.asdict(message)
    return {"tag": type(message).__name__, "value": _itf(fields)}


def _state(game: Game) -> dict[str, Any]:
    shown = state_json(game)
    for island in shown["islands"].values():
        island |= {name: _map(island[name]) for name in ("tiles", "treasures", "adventurers")}
        island["turn"]["adventurer"] = island["turn"]["adventurer"] or ""
    shown |= {name: _map(shown[name]) for name in ("layout", "islands", "temple_treasures", "scores")}
    shown |= {name: shown[name] or "" for name in ("due", "reason")}
    return {name: _itf(value) for name, value in shown.items()}


def _map(value: dict[str, Any]) -> dict[str, Any]:
    return {"#map": [[key, each] for key, each in value.items()]}


def _itf(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value with its integers as ITF writes them."""
    if isinstance(value, dict):
        return {name: _itf(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_itf(each) for each in value]
    return {"#bigint": str(value)} if isinstance(value, int) else value
