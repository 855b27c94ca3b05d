"""How a game is set up, as the header of a notation and back."""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from attrs import Factory, define

from karuba_adapters.notation.words import (
    COLOUR_WORDS,
    Words,
    at_column,
    comment_text,
    is_plain,
    name_text,
    unexpected,
)
from karuba_adapters.records import Fault, Meta
from karuba_core import COLOURS, Layout, Pair, RuleSet, Setup, Violation, preset, preset_name
from karuba_core.ruleset import PRESETS

FIRST: Final = "players"
"""The key of the line with which every game begins (N-HEAD-1)."""

_KEY: Final = re.compile(r"[ \t]*(\w+(?:-\w+)*)[ \t]*:[ \t]*")
_RULES: Final = re.compile(r"([\w-]+)[ \t]*,[ \t]*([0-9]{1,9}(?:[ \t]+[0-9]{1,9})*)[ \t]*,[ \t]*([\w-]+)")
_ROUND: Final = "a line of a header such as date: 2026-11-30, or a round such as 12. 25 | b3"


def key_of(line: str) -> str | None:
    """Return the key of a line of a header, None of any other."""
    found = _KEY.match(line)
    if found is None or not found[1][0].isalpha():  # N-HEAD-5
        return None
    return found[1].lower() if found[1].lower() in _READERS else found[1]


@define
class Header:
    """A header while it is read.

    Attributes:
        first_line: The line where it begins.
        meta: Its tags.
    """

    first_line: int
    meta: Meta = None
    _said: dict[str, Any] = Factory(dict)
    _lines: dict[str, int] = Factory(dict)

    def take(self, number: int, line: str) -> None:
        """Take the next line.

        Raises:
            Fault: It is none of a header, or it stands there already (`notation/header`,
                `notation/unexpected`, `text/…`).
        """
        found, key = _KEY.match(line), key_of(line)
        if not self._said and key != FIRST:
            raise _wrong(1, "a game begins with its players, such as players: ana, ben")
        if found is None or key is None:
            self._note(_comment(Words(line)), 1)
            return
        value = line[found.end() :].rstrip(" \t")
        if not value:
            raise _wrong(found.end() + 1, f"{key} says nothing")
        if key not in _READERS:
            self._note({key: value}, found.start(1) + 1)
            return
        if key in self._said:
            raise _wrong(found.start(1) + 1, f"there is a line {key} already")
        self._said[key] = _READERS[key](Words(line, found.end()), len(self._said.get(FIRST, ())))
        self._lines[key] = number

    def _note(self, members: Mapping[str, Any], column: int) -> None:
        """Keep what a header tells beside the game (N-HEAD-5)."""
        self.meta = {} if self.meta is None else self.meta
        for key, value in members.items():
            if key in self.meta:
                raise _wrong(column, f"there is a tag {key} already")
            self.meta[key] = value

    def setup(self) -> Setup:
        """Return the setup, not judged yet.

        Raises:
            Fault: A line is missing (`notation/header`).
        """
        missing = [key for key in _READERS if key not in self._said]
        if missing:
            raise _wrong(1, f"the header lacks {', '.join(missing)}")
        return Setup(**self._said)

    def line_of(self, fault: Violation) -> int:
        """Return the line that a fault of the setup is about."""
        found = re.match(r"\$\.(\w+)", fault.path)
        return self._lines.get(found[1], self.first_line) if found else self.first_line


def _comment(words: Words) -> dict[str, Any]:
    meta: dict[str, Any] = words.want("comment", "N-HEAD-1", _ROUND).said
    words.want("end", "N-HEAD-1", "the end of the line")
    return meta


def _players(words: Words, _players: int) -> tuple[str, ...]:
    """Return the players in seating order (N-HEAD-2)."""
    names = [_name(words)]
    while (mark := words.next()).kind == ",":
        names.append(_name(words))
    if mark.kind != "end":
        raise unexpected("N-HEAD-2", mark, "a comma or the end of the line")
    return tuple(names)


def _leader(words: Words, _players: int) -> str:
    name = _name(words)
    words.want("end", "N-HEAD-2", "the end of the line")
    return name


def _name(words: Words) -> str:
    name = words.name()
    if name is None:
        raise unexpected("N-HEAD-2", words.next(), "a name")
    return str(name.said)


def _layout(words: Words, _players: int) -> Layout:
    """Return the numbers of the colours, beach and jungle (N-HEAD-3)."""
    pairs: dict[str, Pair] = {}
    for left in range(len(COLOURS) - 1, -1, -1):
        colour = words.want("colour", "N-HEAD-3", "a colour")
        if colour.said in pairs:
            raise unexpected("N-HEAD-3", colour, "another colour")
        beach = words.want("number", "N-HEAD-3", "a beach number").said
        words.want("-", "N-HEAD-3", "-")
        pairs[colour.said] = Pair(beach, words.want("number", "N-HEAD-3", "a jungle number").said)
        words.want("," if left else "end", "N-HEAD-3", "a comma" if left else "the end of the line")
    return Layout(**pairs)


def _rules(words: Words, players: int) -> RuleSet:
    """Return a preset, or the rules that are written out (N-HEAD-4)."""
    value = words.text[words.at :].rstrip(" \t").lower()
    if value in PRESETS:
        return preset(value, min(max(players, 2), 4))  # how many may play, the rules say
    found = _RULES.fullmatch(value)
    if found is None:
        known = ", ".join(PRESETS)
        raise unexpected("N-HEAD-4", words.next(), f"one of {known}, or rules such as stop, 5 3 2, edge-3")
    return RuleSet(found[1], map(int, found[2].split()), found[3])


_READERS: Final[Mapping[str, Callable[[Words, int], Any]]] = MappingProxyType(
    {FIRST: _players, "leader": _leader, "layout": _layout, "rules": _rules}
)
"""The lines that every header has, each with what reads it; how many play is known after the first."""


def _wrong(column: int, message: str) -> Fault:
    return Fault(at_column(column, Violation("notation/header", "N-HEAD-1", "$", message)))


def header_lines(setup: Setup, meta: Meta) -> Iterator[str]:
    r"""Yield the lines of a header; what of its meta is no plain text stands in a comment.

    >>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
    >>> setup = Setup(("ana", "ben"), "ana", layout, preset("official", 2))
    >>> print(*header_lines(setup, {"date": "2026-11-30", "at": 5}), sep="\n")
    players: ana, ben
    leader: ana
    layout: Bl 10-60, Br 50-70, Pu 70-90, Ye 100-30
    rules: official
    date: 2026-11-30
    {"at":5}
    """
    rules = setup.rules
    written = preset_name(rules, len(setup.players))
    if written == "custom":
        written = f"{rules.pickup}, {' '.join(map(str, rules.temple_treasures))}, {rules.separation}"
    pairs = zip(COLOUR_WORDS.values(), setup.layout.pairs, strict=True)
    yield f"{FIRST}: {', '.join(map(name_text, setup.players))}"
    yield f"leader: {name_text(setup.leader)}"
    yield f"layout: {', '.join(f'{colour} {pair.beach}-{pair.jungle}' for colour, pair in pairs)}"
    yield f"rules: {written}"
    if meta is not None:
        tags = {key: value for key, value in meta.items() if _is_tag(key, value)}
        yield from (f"{key}: {value}" for key, value in tags.items())
        if not tags or len(tags) < len(meta):
            yield comment_text({key: value for key, value in meta.items() if key not in tags})


def _is_tag(key: str, value: object) -> bool:
    return key_of(f"{key}:") == key and key not in _READERS and is_plain(value)
