"""ITF, the JSON of the model's values, and what it says: events, commands and states of the kernel."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import attrs

from karuba_core import (
    Award,
    Command,
    Event,
    GameEnded,
    GameStarted,
    Layout,
    Pair,
    RoundEnded,
    RuleSet,
    Score,
    Setup,
)

_EVENTS: Final = {kind.__name__: kind for kind in get_args(Event)}
_COMMANDS: Final = {kind.__name__: kind for kind in get_args(Command)}


def decode(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value of the model as a plain JSON value.

    Maps become objects, sets and tuples lists, a set in the order of its members' text; a variant
    stays as it is.

    >>> decode({"#map": [["ana", {"#bigint": "5"}]]}), decode({"#set": ["b", "a"]})
    ({'ana': 5}, ['a', 'b'])
    """
    if isinstance(value, list):
        return [decode(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "#bigint" in value:
        return int(value["#bigint"])
    if "#tup" in value:
        return decode(value["#tup"])
    if "#set" in value:
        return sorted(decode(value["#set"]), key=text)
    if "#map" in value:
        return {key: decode(each) for key, each in value["#map"]}
    return {name: decode(each) for name, each in value.items()}


def text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return a text that equal JSON values have in common, and no others."""
    return json.dumps(value, sort_keys=True)


def command(value: Any) -> Command:  # noqa: ANN401 - any JSON value
    """Return the command that a variant of the model is.

    >>> command({"tag": "Move", "value": {"player": "ana", "adventurer": "blue", "path": ["a1"]}})
    Move(player='ana', adventurer='blue', path=('a1',))
    """
    said: Command = _built(_COMMANDS, decode(value))
    return said


def event(value: Any) -> Event:  # noqa: ANN401 - any JSON value
    """Return the event that a variant of the model is."""
    variant = decode(value)
    fields = variant["value"]
    match variant["tag"]:
        case "GameStarted":
            return GameStarted(_setup(fields))
        case "RoundEnded":
            return RoundEnded(fields["round"], tuple(Award(**award) for award in fields["awards"]))
        case "GameEnded":
            scores = tuple(Score(player, **score) for player, score in fields["scores"].items())
            return GameEnded(fields["reason"], scores, tuple(fields["winners"]))
    said: Event = _built(_EVENTS, variant)
    return said


def _built(kinds: Mapping[str, type], variant: dict[str, Any]) -> Any:  # noqa: ANN401 - of one of the kinds
    kind, fields = kinds[variant["tag"]], variant["value"]
    if fields.keys() != {field.name for field in attrs.fields(kind)}:
        raise ValueError(f"not the fields of {kind.__name__}: {sorted(fields)}")
    return kind(**{name: tuple(part) if isinstance(part, list) else part for name, part in fields.items()})


def _setup(fields: dict[str, Any]) -> Setup:
    layout = Layout(**{colour: Pair(**pair) for colour, pair in fields["layout"].items()})
    rules = RuleSet(fields["pickup"], fields["treasures"], fields["separation"])
    return Setup(fields["players"], fields["leader"], layout, rules)


def state(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """Return a state of the model as `karuba-state/1`, which has null where the model has an empty text."""
    shown: dict[str, Any] = decode(value)
    shown |= {name: shown[name] or None for name in ("due", "reason")}
    for island in shown["islands"].values():
        island["turn"]["adventurer"] = island["turn"]["adventurer"] or None
    return shown


def trace(path: Path) -> list[dict[str, Any]]:
    """Return the moments of a trace, each with the model's variables by their short names, undecoded."""
    moments = json.loads(path.read_text(encoding="utf-8"))["states"]
    return [{name.rpartition("::")[2]: value for name, value in moment.items()} for moment in moments]


def lines(path: Path) -> Iterator[Any]:
    """Yield the lines of a graph, undecoded."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
