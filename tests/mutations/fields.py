"""Faults of fields: a value, its type, its name."""

from typing import Any, Final

from hypothesis import strategies as st

from tests.mutations.draws import OTHER_TYPES, TYPES, holder, index, nearby, one_of, one_part, parts, set_at
from tests.mutations.logs import Change, Line, Record, dump, registering

FAULTS: Final[dict[str, Change]] = {}
fault = registering(FAULTS)


@fault
def a_value(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    path, value = one_part(draw, changed, int, str)
    set_at(changed, path, nearby(draw, log, value))
    return log


@fault
def a_value_of_the_opening(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    path, value = one_part(draw, log[0], int, str)
    set_at(log[0], path, nearby(draw, log, value))
    return log


@fault
def a_type_of_value(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    path, value = one_part(draw, changed)
    others: list[Any] = [other for other in OTHER_TYPES if type(other) is not type(value)]
    if isinstance(value, int):
        others += [float(value), str(value), [value]]
    set_at(changed, path, draw(st.sampled_from(others)))
    return log


@fault
def a_field_more(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    objects = [value for _, value in parts(changed) if isinstance(value, dict)]
    name = draw(st.sampled_from(["comment", "Meta", "", "steps", "round", "tile", "leader", "player", "é"]))
    one_of(draw, objects).setdefault(name, draw(st.sampled_from(OTHER_TYPES)))
    return log


@fault
def a_field_less(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    fields = [path for path, _ in parts(changed) if path and isinstance(path[-1], str)]
    path = one_of(draw, fields)
    del holder(changed, path)[path[-1]]
    return log


@fault
def a_field_by_another_name(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    changed = log[draw(index(log))]
    path = one_of(draw, [path for path, _ in parts(changed) if path and isinstance(path[-1], str)])
    fields, name = holder(changed, path), str(path[-1])
    fields[draw(st.sampled_from([name.title(), f"{name} ", f"{name}s", ""]))] = fields.pop(name)
    return log


@fault
def a_list(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Lists are players, stacks, paths, awards and winners."""
    lists = [value for record in log for _, value in parts(record) if isinstance(value, list)]
    items = one_of(draw, lists)
    match draw(st.sampled_from(["more", "fewer", "twice", "turned"])):
        case "more":
            items.insert(draw(st.integers(0, len(items))), one_of(draw, [*items, 1, "a1", "temple"]))
        case "fewer":
            del items[one_of(draw, range(len(items)))]
        case "twice":
            items *= 2
        case _:
            items.reverse()
    return log


@fault
def a_record_type(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[draw(index(log))]["type"] = draw(st.sampled_from(TYPES))
    return log


@fault
def a_type_that_is_no_string(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[draw(index(log))]["type"] = draw(
        st.sampled_from([value for value in OTHER_TYPES if not isinstance(value, str)])
    )
    return log


@fault
def a_meta_that_is_no_object(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log[draw(index(log))]["meta"] = draw(
        st.sampled_from([value for value in OTHER_TYPES if not isinstance(value, dict)])
    )
    return log


@fault
def a_meta_further_down(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    inner = [value for record in log for path, value in parts(record) if path and isinstance(value, dict)]
    one_of(draw, inner)["meta"] = {}
    return log


@fault
def a_line_that_is_no_object(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = draw(index(log))
    values = [value for value in OTHER_TYPES if not isinstance(value, dict)]
    return [*log[:place], dump(draw(st.sampled_from([*values, [log[place]]]))), *log[place + 1 :]]
