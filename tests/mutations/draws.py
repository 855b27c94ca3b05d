"""What changes are made of: places in a log, parts of a record, values that could stand there."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from tests.mutations.logs import Record
from tests.naive_judge import CELLS, COLOURS, COMMAND_OF, EVENT_OF

Keys = tuple[str | int, ...]
T = TypeVar("T")

WORDS = (
    *("stop", "landing", "step", "edge-3", "edge-4", "value-30"),
    *("crystal", "gold", "all-home", "tiles-exhausted", "karuba-log/1", "karuba-log/2"),
)
ODD_STRINGS = ("", "a0", "a6", "g1", "temple", "beach", "red", "silver", "nobody", "a1\u200b", "\x00")
OTHER_TYPES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    0.5,
    "",
    "1",
    "a1",
    [],
    ["a1"],
    {},
    {"a": 1},
)
TYPES = ("game-started", "round-ended", "game-ended", "seal", *EVENT_OF, *COMMAND_OF, "", "Draw", "karuba")


def index(items: Sequence[object]) -> st.SearchStrategy[int]:
    return st.integers(0, len(items) - 1)


def one_of(draw: st.DrawFn, items: Sequence[T]) -> T:
    assume(items)
    return draw(st.sampled_from(items))


def one_named(draw: st.DrawFn, log: Sequence[Record], *names: str) -> int:
    """Draw the place of a record of some kind: the name of a command stands for its event, too."""
    wanted = {*names, *(EVENT_OF.get(name) for name in names)}
    return one_of(draw, [place for place, record in enumerate(log) if record["type"] in wanted])


def parts(value: object, path: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Yield every value in a JSON value, itself first, with the path to it."""
    yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from parts(inner, (*path, key))


def holder(value: Any, path: Keys) -> Any:  # noqa: ANN401 - any JSON value
    """Return the object or list that holds what a path leads to."""
    for key in path[:-1]:
        value = value[key]
    return value


def set_at(value: Any, path: Keys, new: object) -> None:  # noqa: ANN401 - any JSON value
    holder(value, path)[path[-1]] = new


def one_part(draw: st.DrawFn, record: Record, *kinds: type) -> tuple[Keys, Any]:
    """Draw one of the values in a record, of these types where any are named, but for its `type`."""
    return one_of(
        draw,
        [
            (path, value)
            for path, value in parts(record)
            if path not in ((), ("type",)) and (not kinds or type(value) in kinds)
        ],
    )


def nearby(draw: st.DrawFn, log: Sequence[Record], value: int | str) -> int | str:
    """Draw a value of the same type that could stand there as well."""
    if isinstance(value, int):
        return one_of(draw, [value - 1, value + 1, value + 10, value - 10, 0, 1, 36, 37, 2**53 - 1])
    kin: list[Sequence[str]] = [log[0]["players"], COLOURS, [*CELLS, "temple"], WORDS]
    likely = next((strings for strings in kin if value in strings), ())
    return one_of(draw, [*likely, *ODD_STRINGS, value.upper(), f"{value} "])


def neighbours(cell: str) -> list[str]:
    """Return the cells beside a cell; of a temple, all cells."""
    if cell not in CELLS:
        return [*CELLS]
    row, column = CELLS[cell]
    return [name for name, (other, beside) in CELLS.items() if abs(row - other) + abs(column - beside) == 1]
