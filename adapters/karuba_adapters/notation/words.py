"""The words of the notation: what stands on a line, one after another, each with its column."""

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeGuard

import orjson
from attrs import define, evolve, frozen

from karuba_adapters.records import Fault
from karuba_adapters.strict_json import TextFault, loads
from karuba_core import COLOURS, Violation
from karuba_core.moving import TEMPLE
from karuba_core.wording import shown

COLOUR_WORDS: Final[Mapping[str, str]] = MappingProxyType({colour: colour[:2].title() for colour in COLOURS})
"""How the colours are written: as on a drawn island."""

_NOTE: Final = "note"
_MARKS: Final = {mark: mark for mark in ("*", "^", ",", "-", ".", "|", "pass")} | {TEMPLE: "^"}
_COLOURS: Final = {colour[:length]: colour for colour in COLOURS for length in (2, None)}
_WORD: Final = re.compile(r"[ \t]*(\w+|[^\w \t]|$)")
_CELL: Final = re.compile("[a-z][0-9]")
_NUMBER: Final = re.compile("[0-9]{1,9}")
_NAME: Final = re.compile(r'[ \t]*("(?:[^"\\]|\\.)*+"|[^\s,:|{}"]++(?: [^\s,:|{}"]++)*+)[ \t]*')
_PLAIN_NAME: Final = re.compile(r'[^\s,:|{}"]+(?: [^\s,:|{}"]+)*')
_PLAIN_TEXT: Final = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]+")
_JSON_BEGINS: Final = re.compile(r'\{[ \t]*["}]')
_STRING_OR_BRACE: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|[{}]')


@frozen
class Word:
    """One word of a line.

    Attributes:
        kind: A mark such as `*`, `cell`, `colour`, `number`, `name`, `comment`, `end`, or `unknown`.
        text: How it stands there; nothing at the end of the line.
        column: Where it stands, 1 for the first character.
        said: A cell or `temple`, a colour, a number, a name, a meta; of a mark nothing.
    """

    kind: str
    text: str
    column: int
    said: Any = None


@define
class Words:
    """The words of a line, read from left to right; where there is no more, the end comes again and again."""

    text: str
    at: int = 0

    def next(self) -> Word:
        """Return the next word.

        Raises:
            Fault: A comment does not end, or is no JSON (`notation/unexpected`, `text/…`).
        """
        found = _WORD.match(self.text, self.at)
        assert found is not None, "all text has a word, or its end"  # noqa: S101 - as the pattern says
        if found[1] == "{":
            return self._comment(found.start(1))
        self.at = found.end()
        kind, said = _meaning(found[1].lower())  # N-TEXT-2
        return Word(kind, found[1], found.start(1) + 1, said)

    def want(self, kind: str, clause: str, what: str) -> Word:
        """Return the next word, which has to be of a kind.

        Raises:
            Fault: It is of another (`notation/unexpected`).
        """
        word = self.next()
        if word.kind != kind:
            raise unexpected(clause, word, what)
        return word

    def action(self) -> Iterator[Word]:
        """Yield the words up to a bar or the end; what stands for both is the last, an `end`."""
        while (word := self.next()).kind not in ("|", "end"):
            yield word
        yield evolve(word, kind="end")

    def name(self, before: str = "") -> Word | None:
        """Return the name that stands next, if it does and if a mark follows it, which is read, too.

        Raises:
            Fault: It is no JSON string (`text/…`).
        """
        found = _NAME.match(self.text, self.at)
        if found is None or not self.text.startswith(before, found.end()):
            return None
        self.at, column = found.end() + len(before), found.start(1) + 1
        text = found[1]
        return Word("name", text, column, _json(text, column) if text[0] == '"' else text)

    def _comment(self, start: int) -> Word:
        """Return a comment: a JSON object, or text up to its bracket (N-COMMENT-1)."""
        is_json = _JSON_BEGINS.match(self.text, start)
        end = _object_end(self.text, start) if is_json else self.text.find("}", start) + 1
        text, column = self.text[start : end or None], start + 1
        if not end or (not is_json and "{" in text[1:]):
            raise unexpected("N-COMMENT-1", Word("comment", text, column), "a comment that ends: {…}")
        self.at = end
        return Word(
            "comment", text, column, _json(text, column) if is_json else {_NOTE: text[1:-1].strip(" \t")}
        )


def _meaning(text: str) -> tuple[str, Any]:
    """Return the kind of a word in lower case, and what it says."""
    if not text:
        return "end", None
    if text in _MARKS:
        return _MARKS[text], TEMPLE if _MARKS[text] == "^" else None
    if text in _COLOURS:
        return "colour", _COLOURS[text]
    if _CELL.fullmatch(text):
        return "cell", text  # whether there is such a cell, the rules say
    return ("number", int(text)) if _NUMBER.fullmatch(text) else ("unknown", None)


def _object_end(text: str, start: int) -> int:
    """Return where a JSON object ends, 0 where it does not."""
    depth = 0
    for found in _STRING_OR_BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return 0


def _json(text: str, column: int) -> object:
    try:
        return loads(text.encode("utf-8", "surrogatepass"))
    except TextFault as fault:
        raise Fault(*(at_column(column, reason, "in the JSON here, ") for reason in fault.faults)) from None


def at_column(column: int, reason: Violation, what: str = "") -> Violation:
    """Return a reason told of a column, and not of a field, and perhaps of what stands there."""
    return evolve(reason, path="$", message=f"column {column}: {what}{reason.message}")


def refused(word: Word, reason: Violation) -> Fault:
    """Return the fault of a command that the rules refuse, told of the word where it shows."""
    return Fault(at_column(word.column, reason, f"{_shown(word)}: "))


def unexpected(clause: str, word: Word, expected: str) -> Fault:
    """Return the fault of a word that stands where another has to."""
    message = f"expected {expected}, found {_shown(word)}"
    return Fault(at_column(word.column, Violation("notation/unexpected", clause, "$", message)))


def _shown(word: Word) -> str:
    return "the end" if word.kind == "end" else shown(word.text)


def name_text(name: str) -> str:
    """Return how a name is written: as it is where nothing could be mistaken, else as a JSON string.

    >>> print(name_text("Kim D'Or"), name_text("ben, junior"))
    Kim D'Or "ben, junior"
    """
    return name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def is_plain(value: object) -> TypeGuard[str]:
    """Return whether a value is text that may stand as it is, on one line (N-FORM-1)."""
    return isinstance(value, str) and _PLAIN_TEXT.fullmatch(value) is not None and value == value.strip(" \t")


def comment_text(meta: dict[str, Any]) -> str:
    """Return how a meta is written: a plain note as text, all else as JSON (N-COMMENT-1).

    >>> print(comment_text({"note": 'a "bold" step'}), comment_text({"at": 5}))
    {a "bold" step} {"at":5}
    """
    note = meta.get(_NOTE)
    if len(meta) == 1 and is_plain(note) and not set("{}") & set(note) and note[0] != '"':
        return f"{{{note}}}"
    return orjson.dumps(meta, option=orjson.OPT_STRICT_INTEGER).decode()
