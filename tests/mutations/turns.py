"""Faults of the rules: what is done in a turn, and what a round and a game come to."""

from typing import Final

from hypothesis import strategies as st

from tests.mutations.draws import index, nearby, neighbours, one_named, one_of, one_part, set_at
from tests.mutations.logs import Change, Record, registering
from tests.naive_judge import CELLS, COLOURS, COMMAND_OF

FAULTS: Final[dict[str, Change]] = {}
fault = registering(FAULTS)


@fault
def a_step_of_a_path(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    path[draw(index(path))] = draw(st.sampled_from([*CELLS, "temple"]))
    return log


@fault
def a_neighbouring_step(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    place = draw(index(path))
    path[place] = draw(st.sampled_from(neighbours(path[place - 1] if place else path[place])))
    return log


@fault
def a_longer_path(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    path.append(draw(st.sampled_from([*neighbours(path[-1]), "temple"])))
    return log


@fault
def a_detour(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    place = draw(index(path))
    path[place:place] = [path[place], draw(st.sampled_from(neighbours(path[place])))]
    return log


@fault
def a_shorter_path(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    del path[draw(index(path))]
    return log


@fault
def a_temple_on_the_way(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path = log[one_named(draw, log, "move")]["path"]
    path.insert(draw(index(path)), "temple")
    return log


@fault
def a_move_in_two(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Right where both halves are one adventurer's, and none of them is empty."""
    place = one_named(draw, log, "move")
    path = log[place]["path"]
    cut = draw(st.integers(0, len(path)))
    second: Record = {**log[place], "path": path[cut:]}
    second["adventurer"] = draw(st.sampled_from([second["adventurer"], *COLOURS]))
    log[place]["path"] = path[:cut]
    return [*log[: place + 1], second, *log[place + 1 :]]


@fault
def another_adventurer(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[one_named(draw, log, "move", "collect")]["adventurer"] = draw(st.sampled_from(COLOURS))
    return log


@fault
def another_player(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = one_named(draw, log, "place", "discard", "move", "collect", "pass")
    log[place]["player"] = draw(st.sampled_from(log[0]["players"]))
    return log


@fault
def another_cell(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[one_named(draw, log, "place", "collect")]["cell"] = draw(st.sampled_from([*CELLS]))
    return log


@fault
def another_tile(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[one_named(draw, log, "draw")]["tile"] = draw(st.integers(-1, 38))
    return log


@fault
def a_tile_before_its_time(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Swap two draws: what follows was right for other tiles."""
    one, other = one_named(draw, log, "draw"), one_named(draw, log, "draw")
    log[one]["tile"], log[other]["tile"] = log[other]["tile"], log[one]["tile"]
    return log


@fault
def one_more_thing_in_a_turn(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """After a record of a player, the player does something else: often the turn is closed."""
    place = one_named(draw, log, "place", "discard", "move", "collect", "pass")
    last = log[place]
    others = [
        record for record in log if record.get("player") == last["player"] and record["type"] != "round-ended"
    ]
    log.insert(place + 1, one_of(draw, others))
    return log


@fault
def a_pass_somewhere(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = one_named(draw, log, "discard", "move", "collect")
    name = "turn-passed" if log[place]["type"] in COMMAND_OF else "pass"
    log.insert(place + 1, {"type": name, "player": log[place]["player"]})
    return log


@fault
def a_pass_for_a_treasure(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """By `landing` a treasure has to be taken; by the others the pass is right, but not its absence later."""
    place = one_named(draw, log, "collect")
    name = "turn-passed" if log[place]["type"] in COMMAND_OF else "pass"
    log[place] = {"type": name, "player": log[place]["player"]}
    return log


@fault
def a_treasure_left(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    del log[one_named(draw, log, "collect")]
    return log


@fault
def a_treasure_taken_without_a_move(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """An adventurer takes what it stands on, or stood on before, right after a discard."""
    place = one_named(draw, log, "discard")
    treasure = log[one_named(draw, log, "collect")]
    log.insert(place + 1, {**treasure, "player": log[place]["player"]})
    return log


@fault
def an_end_before_its_time(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    ends = [record for record in log if record["type"] in ("round-ended", "game-ended")]
    log.insert(draw(st.integers(0, len(log))), one_of(draw, ends))
    return log


@fault
def an_end_that_does_not_come(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    del log[one_named(draw, log, "round-ended", "game-ended")]
    return log


@fault
def the_awards(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    awarded = [record["awards"] for record in log if record.get("awards")]
    awards = one_of(draw, awarded)
    award = awards[draw(index(awards))]
    field = draw(st.sampled_from(sorted(award)))
    award[field] = nearby(draw, log, award[field])
    return log


@fault
def the_result(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    result = log[one_named(draw, log, "game-ended")]
    path, value = one_part(draw, result, int, str)
    set_at(result, path, nearby(draw, log, value))
    return log


@fault
def the_scores_of_others(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    scores = log[one_named(draw, log, "game-ended")]["scores"]
    one, other = one_of(draw, log[0]["players"]), draw(st.sampled_from([*log[0]["players"], "nobody"]))
    scores[other] = scores.pop(one)
    return log
