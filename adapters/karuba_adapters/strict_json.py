"""One line of a log, bytes to JSON value, with nothing let pass that two readers could take differently.

Neither library is strict enough alone. `json` takes doubled keys, NaN, 1e400 as infinity and half a
surrogate pair; `orjson` takes doubled keys and rounds long integers to floats. A line counts only if both
take it: the fast path proves that from `orjson` alone, and `json` with hooks judges every other line and
names the fault.
"""

import json
import math
from collections.abc import Mapping
from itertools import accumulate
from typing import Final, NoReturn

import orjson

from karuba_adapters.limits import LIMITS, Limits
from karuba_adapters.records import Fault
from karuba_core import Violation

_LARGEST_INTEGER: Final = 2**53 - 1
_ECHO: Final = 40
_WHITE_SPACE: Final = " \t\r\n"
_WHITE_BYTES: Final = _WHITE_SPACE.encode()
_WRITING: Final = orjson.OPT_STRICT_INTEGER | orjson.OPT_APPEND_NEWLINE

_CLAUSES: Final[Mapping[str, str]] = {
    "text/not-json": "F-TEXT-1",
    "text/not-utf8": "F-TEXT-2",
    "text/lone-surrogate": "F-TEXT-2",
    "text/blank-line": "F-TEXT-3",
    "text/byte-order-mark": "F-TEXT-3",
    "text/doubled-key": "F-TEXT-4",
    "text/number-out-of-range": "F-TEXT-5",
    "text/too-deep": "F-TEXT-6",
    "text/line-too-long": "F-TEXT-6",
    "text/too-many-digits": "F-TEXT-7",
}

# The standard library's words for what it missed, put so that they follow "expected".
_EXPECTED: Final[Mapping[str, str]] = {
    "Expecting value": "a JSON value",
    "Expecting property name enclosed in double quotes": "a key in double quotes",
    "Expecting ':' delimiter": "a colon after the key",
    "Expecting ',' delimiter": "a comma or a closing bracket",
    "Extra data": "the end of the line",
    "Unterminated string starting at": "a string closed by a double quote",
    "Invalid control character at": "an escape instead of the bare control character",
    "Invalid \\escape": "an escape that JSON knows",
    "Invalid \\uXXXX escape": "four hexadecimal digits after \\u",
}


class TextFault(Fault):
    """A line that is not the text of one JSON value (codes `text/…`)."""


def loads(line: bytes, limits: Limits = LIMITS) -> object:
    """Read the JSON value that stands on one line, with or without its line end.

    Args:
        line: The bytes of the line.
        limits: How long, how deep and how many digits of it are read.

    Raises:
        TextFault: text/line-too-long, text/not-utf8, text/byte-order-mark, text/blank-line, text/too-deep,
            text/not-json, text/lone-surrogate, text/doubled-key, text/too-many-digits or
            text/number-out-of-range.
    """
    if len(line) > limits.line and len(line.removesuffix(b"\n")) > limits.line:
        message = f"the line is longer than {limits.line} bytes, the most that are read"
        raise _fault("text/line-too-long", message)
    try:
        value: object = orjson.loads(line.strip(_WHITE_BYTES))
        back = orjson.dumps(value, None, _WRITING)
        # The same bytes back: no key dropped (F-TEXT-4), no number rounded or beyond 53 bits (F-TEXT-5). The
        # same without all white space is proof enough: keys stay in their order, and no number has any. So
        # few bytes have no room for deeper brackets and their ends; those in strings cost the slow path.
        if (back == line or line.translate(None, _WHITE_BYTES) == back.translate(None, _WHITE_BYTES)) and (
            len(line) <= 2 * limits.depth or line.count(b"[") + line.count(b"{") <= limits.depth
        ):
            return value
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        pass  # the strict reader finds the fault, or finds none
    return _read_strictly(line, limits)


def _read_strictly(line: bytes, limits: Limits = LIMITS) -> object:
    """Read a line that the fast path did not vouch for.

    Raises:
        TextFault: every code but text/line-too-long.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} of the line, 0x{line[error.start]:02x}, is not UTF-8"
        raise _fault("text/not-utf8", f"{found}; a log is UTF-8 text") from None
    body = text.lstrip(_WHITE_SPACE)
    if body.startswith("\ufeff"):
        raise _fault("text/byte-order-mark", "the line starts with a byte order mark; a log has none")
    if not body:
        raise _fault("text/blank-line", "the line is blank; every line of a log holds one record")
    # Measured before the parse, which recurses: a deep line must not use up the stack of whoever calls.
    if body.count("[") + body.count("{") > limits.depth and (depth := _depth(body)) > limits.depth:
        raise _fault("text/too-deep", f"values nest {depth} levels deep; at most {limits.depth} are read")
    try:
        value = _parsed(text, limits.digits)
        orjson.loads(line)
    except json.JSONDecodeError as error:  # orjson's own is one, too
        raise _not_json(error) from None
    except UnicodeEncodeError as error:
        found = f"half a surrogate pair, {error.object[error.start]!a}, stands alone"
        raise _fault("text/lone-surrogate", f"{found}; write both halves or neither") from None
    except RecursionError:
        raise _fault("text/too-deep", "values nest deeper than the stack left to the reader") from None
    return value


def _parsed(text: str, most_digits: int) -> object:
    """Read a text that is not too deep; of several faults, raise the one whose clause comes first."""
    try:
        value: object = _DECODER.decode(text)
    except TextFault:  # the reading stopped there, and may have passed by or not reached another fault
        _refuse_half_pairs(text, _GRAMMAR.decode(text))
        _KEYS.decode(text)
        _refuse_long_numbers(text, most_digits)
        raise
    _refuse_half_pairs(text, value)
    _refuse_long_numbers(text, most_digits)
    return value


def _refuse_half_pairs(text: str, value: object) -> None:
    if "\\u" in text:  # only an escape makes a lone surrogate, and that has no UTF-8 form
        json.dumps(value, ensure_ascii=False).encode()


def _refuse_long_numbers(text: str, most: int) -> None:
    """Raise text/too-many-digits where a number has more digits than are read (F-TEXT-7)."""
    if len(text) <= most:
        return

    def count(number: str) -> None:
        if (digits := sum(map(number.count, "0123456789"))) > most:
            message = f"the number {_echo(number)} has {digits} digits; at most {most} are read"
            raise _fault("text/too-many-digits", message)

    json.JSONDecoder(parse_int=str, parse_float=count).decode(text)


def _fault(code: str, message: str) -> TextFault:
    return TextFault(Violation(code, _CLAUSES[code], "$", message))


def _depth(text: str) -> int:
    """Count the levels of nesting, brackets in strings left out: exact wherever the text is JSON."""
    bare = text.replace("\\\\", "").replace('\\"', "")  # now every quote opens or closes a string
    outside = "".join(bare.split('"')[::2])
    return max(accumulate(1 if mark in "[{" else -1 for mark in outside if mark in "[{}]"), default=0)


def _echo(text: str) -> str:
    """Show the beginning of some input, in ASCII alone."""
    return ascii(text) if len(text) <= _ECHO else f"{text[:_ECHO]!a}..."


def _not_json(error: json.JSONDecodeError) -> TextFault:
    """Put the words of a library into the sentence of a finding."""
    text = error.doc.rstrip(_WHITE_SPACE)
    at = min(error.pos, len(text))
    found = _echo(text[at:]) if text[at:] else "the end of the line"
    expected = _EXPECTED.get(error.msg, "JSON (RFC 8259)")
    return _fault("text/not-json", f"column {at + 1}: expected {expected}, found {found}")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of its pairs, keys already decoded, or raise text/doubled-key (F-TEXT-4)."""
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise _fault("text/doubled-key", f"the key {_echo(key)} stands twice in one object")
        members[key] = value
    return members


def _integer(digits: str) -> int:
    """Make an integer, never of too many digits, or raise text/number-out-of-range (F-TEXT-5)."""
    if len(digits) <= len(f"-{_LARGEST_INTEGER}") and abs(number := int(digits)) <= _LARGEST_INTEGER:
        return number
    found = f"the integer {_echo(digits)} is out of range"
    raise _fault("text/number-out-of-range", f"{found}; at most {_LARGEST_INTEGER} either way is read")


def _float(digits: str) -> float:
    """Make a double, a tiny number rounded to zero, or raise text/number-out-of-range (F-TEXT-5)."""
    if math.isinf(number := float(digits)):
        found = f"the number {_echo(digits)} is out of range"
        raise _fault("text/number-out-of-range", f"{found}; what a double can hold is read")
    return number


def _constant(name: str) -> NoReturn:
    """Raise text/not-json: NaN, Infinity and -Infinity are no numbers of JSON (F-TEXT-1)."""
    raise _fault("text/not-json", f"{name} is not JSON; a number is written in digits")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
_GRAMMAR: Final = json.JSONDecoder(
    object_pairs_hook=list, parse_int=str, parse_float=str, parse_constant=_constant
)
"""Refuses what is no JSON, and nothing else; of a doubled key it keeps both members."""

_KEYS: Final = json.JSONDecoder(object_pairs_hook=_object, parse_int=str, parse_float=str)
"""Refuses doubled keys, too."""
