"""Faults of the rules: what a game opens with."""

from itertools import product
from typing import Final

from hypothesis import strategies as st

from tests.mutations.draws import index, one_of
from tests.mutations.logs import Change, Record, registering
from tests.naive_judge import BEACH, COLOURS, JUNGLE

FAULTS: Final[dict[str, Change]] = {}
fault = registering(FAULTS)


@fault
def the_rules(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    rules = log[0]["rules"]
    rules["pickup"] = draw(st.sampled_from(["stop", "landing", "step"]))
    rules["separation"] = draw(st.sampled_from(["edge-3", "edge-4", "value-30"]))
    return log


@fault
def the_stacks(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Stacks of every size near the limits, most of them right but for their size, or for one value."""
    size = draw(st.sampled_from([0, 1, 2, 3, 4, 5, 7, 8, 9, 10]))
    stack = sorted(draw(st.lists(st.sampled_from([1, 2, 5, 98, 99]), min_size=size, max_size=size)))[::-1]
    if stack and size % 2:
        stack[draw(index(stack))] = draw(st.sampled_from([-1, 0, 1, 99, 100, stack[0], stack[-1]]))
    log[0]["rules"]["temple_treasures"] = stack
    return log[:3]


@fault
def the_layout(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Three quarters of all layouts are wrong; where one is right, the moves after it are not."""
    numbers = st.integers(0, 12).map(lambda number: 10 * number)
    layout = log[0]["layout"]
    for colour in draw(st.lists(st.sampled_from(COLOURS), min_size=1, max_size=4)):
        layout[colour][draw(st.sampled_from(["beach", "jungle"]))] = draw(numbers)
    return log


@fault
def the_distances(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Any pair of numbers for blue, and for the others pairs that are right by every separation."""
    blue = draw(st.sampled_from([*product(BEACH, JUNGLE)]))
    log[0]["rules"]["separation"] = draw(st.sampled_from(["edge-3", "edge-4", "value-30"]))
    pairs, taken = [blue], [pair for pair in FAR_APART if pair[0] != blue[0] and pair[1] != blue[1]]
    for _ in COLOURS[1:]:
        pairs.append(one_of(draw, taken))
        taken = [pair for pair in taken if pair[0] != pairs[-1][0] and pair[1] != pairs[-1][1]]
    log[0]["layout"] = {
        colour: {"beach": beach, "jungle": jungle}
        for colour, (beach, jungle) in zip(COLOURS, pairs, strict=True)
    }
    return log[:3]


FAR_APART = [
    (beach, jungle)
    for beach, jungle in product(BEACH, JUNGLE)
    if abs(beach - jungle) >= 30 and 50 <= beach + jungle <= 190
]


@fault
def the_names(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Names of every length near the limits, with characters on both sides of what is allowed."""
    odd = st.text(st.sampled_from("a\ud7ff\ue000\u202e\x1f \x7e\x7f\x80\x9f\xa0"), max_size=2)
    length = st.sampled_from([0, 1, 63, 64, 65]).map(lambda count: "\U0001f98e" * count)
    players = log[0]["players"]
    players[draw(index(players))] = draw(odd | length | st.sampled_from([*players, "é", "e\u0301"]))
    log[0]["leader"] = draw(st.sampled_from([*players, players[0], log[0]["leader"]]))
    return log[:3]


@fault
def the_number_of_players(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[0]["players"] = list("abcdef")[: draw(st.integers(0, 6))]
    log[0]["leader"] = draw(st.sampled_from("abc"))
    log[0]["rules"]["temple_treasures"] = [1] * draw(st.integers(0, 9))
    return log[:3]
