"""Changes that break no log."""

import json
from typing import Any, Final

from hypothesis import strategies as st

from tests.mutations.logs import Change, Line, Record, dump, registering, seal
from tests.mutations.text import METAS_WITHOUT, on_one_line

HARMLESS: Final[dict[str, Change]] = {}
harmless = registering(HARMLESS)


@harmless
def nothing_changed(_draw: st.DrawFn, log: list[Record]) -> list[Record]:
    return log


@harmless
def a_cut(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    return log[: draw(st.integers(1, len(log)))]


@harmless
def a_seal(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log = log[: draw(st.integers(1, len(log)))]
    return [*log, seal(log) | draw(st.sampled_from([{}, {"meta": {}}]))]


@harmless
def a_seal_of_lines_as_they_stand(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    lines = [draw(st.sampled_from([b"", b" "])) + dump(line).replace(b"\n", b"\r\n") for line in log[:9]]
    return [*lines, seal(lines)]


@harmless
def a_meta(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    meta = draw(st.sampled_from(METAS_WITHOUT)).encode()
    return on_one_line(draw, log, lambda line: b'{"meta":' + meta + b"," + line.removeprefix(b"{"))


@harmless
def keys_in_another_order(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    backwards = draw(st.booleans())

    def reordered(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, dict):
            return {key: reordered(value[key]) for key in sorted(value, reverse=backwards)}
        return [reordered(item) for item in value] if isinstance(value, list) else value

    return [reordered(line) for line in log]


@harmless
def other_spaces(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    separators = draw(st.sampled_from([(", ", ": "), (" ,\t", "\r:"), (",", ":  ")]))
    around, end = draw(st.sampled_from([b"", b" ", b"\t\r"])), draw(st.sampled_from([b"\n", b"\r\n", b" \n"]))
    escaped = draw(st.booleans())
    return [
        around + json.dumps(line, separators=separators, ensure_ascii=escaped).encode() + end for line in log
    ]


@harmless
def no_last_line_end(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    *lines, last = log[: draw(st.integers(1, len(log)))]
    return [*lines, dump(last).removesuffix(b"\n")]


@harmless
def minus_nothing(_draw: st.DrawFn, log: list[Record]) -> list[Line]:
    return [dump(line).replace(b":0}", b":-0}").replace(b":0,", b":-0,") for line in log]


@harmless
def other_names(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    players = log[0]["players"]
    names = draw(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=64),
            min_size=len(players),
            max_size=len(players),
            unique=True,
        )
    )
    new = dict(zip(players, names, strict=True))

    def renamed(value: Any, field: str) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, dict):
            return {
                new.get(key, key) if field == "scores" else key: renamed(value[key], key) for key in value
            }
        if isinstance(value, list):
            return [renamed(item, field) for item in value]
        return new[value] if field in ("player", "players", "leader", "winners") else value

    return [renamed(line, "") for line in log]


@harmless
def turns_in_another_order(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Let the players of each round act one after the other, each in the order of the own records."""
    seats = draw(st.permutations(log[0]["players"]))
    ordered: list[Record] = []
    waiting: list[Record] = []
    for line in [*log, {"type": "end"}]:
        if "player" in line:
            waiting.append(line)
        else:
            ordered += sorted(waiting, key=lambda acted: seats.index(acted["player"]))
            ordered.append(line)
            waiting = []
    return ordered[:-1]


@harmless
def a_dawdler(_draw: st.DrawFn, log: list[Record]) -> list[Record]:
    """Split every move into moves of one step."""
    return [
        {**line, "path": [entry]} if entry else line for line in log for entry in line.get("path", [None])
    ]
