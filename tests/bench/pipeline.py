"""The pipeline, its parts and its peers: all measured in turns, so that what slows one slows the others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tests.bench.comparisons import COMPARISONS, Comparison
from tests.bench.corpus import streams, with_same_players
from tests.bench.figures import Row, at_most
from tests.bench.kernels import KERNELS, Kernel, fold_all, games_of, in_turn
from tests.bench.measuring import Scale, Work, measured, rate, ratios
from tests.bench.random_play import random_games

PARSE: Final = "orjson.loads"
SAME: Final = ", same players"

Costs = Mapping[str, Sequence[float]]
"""The seconds an item of each side, in every round."""


def pipeline_rows(logs: Sequence[bytes], scale: Scale) -> list[Row]:
    """Measure everything that is measured by CPU time in this process."""
    ours = our_sides(logs, scale.games)
    made = {compared.maker: compared.work(scale.peer_games) for compared in COMPARISONS}
    peers = {maker: work for maker, work in made.items() if work is not None}
    cost = measured({**ours, **peers}, scale.rounds, scale.seconds)
    return [*own_rows(cost), *(peer_row(compared, cost) for compared in COMPARISONS), *parts(cost)]


def our_sides(logs: Sequence[bytes], games: int) -> dict[str, Work]:
    """Return the work of ours; what begins with events has those of some games."""
    read, shared = streams(logs), streams(with_same_players(logs))
    replayed = streams(logs[:games])
    return {
        **{name: in_turn(KERNELS[name], read) for name in (PARSE, "validate", "decode")},
        **{name + SAME: in_turn(KERNELS[name], shared) for name in (PARSE, "validate")},
        **{name: in_turn(KERNELS[name], replayed) for name in ("fold", "check")},
        "decode and fold": in_turn(Kernel(bytes, lambda stream: fold_all(games_of(stream))), read),
        "random play": random_games(),
    }


def own_rows(cost: Costs) -> Iterator[Row]:
    """Return what has a gate of its own, and validation where a reader may remember most."""
    for name, measure, gate, aim, note in (
        (
            "validate",
            "validate / orjson.loads",
            16,
            12,
            "Every game has its own players; 8 would be great.",
        ),
        ("decode", "decode strictly / orjson.loads", 8, 6, "To records with their lines, unjudged."),
    ):
        values = ratios(cost[name], cost[PARSE])
        yield Row(measure, values, rate(cost[name], "lines"), at_most(gate), aim, note)
    same = cost["validate" + SAME]
    note = "The same games, as if four people had played them all: more lines are alike."
    values = ratios(same, cost[PARSE + SAME])
    yield Row("validate / orjson.loads" + SAME, values, rate(same, "lines"), note=note)


def peer_row(compared: Comparison, cost: Costs) -> Row:
    """Return how many times as much as a peer we do in a second."""
    name = f"{compared.ours} : {compared.theirs}"
    gate, aim, note = compared.gate, compared.aim, compared.note
    if compared.maker not in cost:
        return Row(name, (), "not installed", gate, aim, note)
    ours, theirs = cost[compared.ours], cost[compared.maker]
    beside = f"{rate(ours, 'events')} : {rate(theirs, compared.unit)}"
    return Row(name, ratios(theirs, ours), beside, gate, aim, note)


def parts(cost: Costs) -> Iterator[Row]:
    """Return the parts of the pipeline by themselves, for information."""
    for name in ("fold", "check", "random play"):
        yield Row(f"{name} / orjson.loads", ratios(cost[name], cost[PARSE]), rate(cost[name], "events"))
    yield Row("orjson.loads itself", ratios(cost[PARSE], cost[PARSE]), rate(cost[PARSE], "lines"))
