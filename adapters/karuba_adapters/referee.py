"""The referee: a question about a game on one line in, its answer on one line out.

`spec/vectors/README.md` tells the protocol. An answer follows from its request alone: nothing is kept
between two, and what a request gives of a game is judged anew each time.
"""

import base64
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO, Final, TypeVar

import attrs
import orjson

from karuba_adapters.codec import Message, Seal, decode, encode
from karuba_adapters.judging import REFUSALS, reasons, require, validate
from karuba_adapters.limits import LIMITS, Limits
from karuba_adapters.log_files import numbered_lines
from karuba_adapters.log_order import misplaced, opened
from karuba_adapters.records import JSON_TYPES, Fault, wrong_type
from karuba_adapters.state_json import state_json
from karuba_adapters.strict_json import loads
from karuba_core import Command, Event, Game, GameStarted, Step, apply, check, legal_commands
from karuba_core.wording import shown

MAX_REQUEST: Final = 4 * LIMITS.line
"""Bytes of a request that are read, its line feed not counted; a whole game has some 20,000."""

_REQUEST: Final = Limits(line=MAX_REQUEST)
_TEXT: Final = Limits(unpacked=None)
"""A log in a request is text, never packed."""

_ASKS: Final = "expected an id with given and when, given and ask, log, or base64"
_REQUIRED: Final = {"require_finished", "require_rules"}

T = TypeVar("T")


class _BadRequest(ValueError):
    """A request that has no answer; `code` says what is wrong with an event that it gives."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


def answers(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the answer to each line of a stream, before the next line is read.

    Memory is bounded: of a line that is longer than `MAX_REQUEST` the rest is skipped, and its
    answer is an error.

    Raises:
        Unreadable: The stream cannot be read, or no further.
    """
    for _, line in numbered_lines(stream, MAX_REQUEST):
        yield answer(line)


def answer(line: bytes) -> bytes:
    r"""Return the answer to a request; to one that is none, an answer that says so.

    Args:
        line: The request, with or without its line end.

    >>> answer(b'{"id":7,"given":[],"when":{"type":"draw","tile":1}}')
    b'{"id":7,"code":"log/no-opening","rule":"F-LOG-1","path":"$.type","message":"expected game-started first, got draw"}\n'
    """  # noqa: E501 - an answer is one line
    name: Any = None
    try:
        request = _request(line)
        name = request.get("id")
        said = _said(request)
    except _BadRequest as error:
        said = {"error": str(error)} | ({} if error.code is None else {"code": error.code})
    return orjson.dumps({"id": name, **said}, option=orjson.OPT_APPEND_NEWLINE)


def _request(line: bytes) -> dict[str, Any]:
    try:
        request = loads(line, _REQUEST)
    except Fault as fault:
        raise _BadRequest(str(fault)) from None
    if type(request) is not dict:
        raise _BadRequest(wrong_type("$", "an object", request).message)
    return request


def _said(request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request, but for its id."""
    asked = request.keys() - {"id"}
    if "id" in request:
        if asked == {"given", "when"}:
            return _ruling(_game(request), request["when"])
        if asked == {"given", "ask"}:
            return _view(_game(request), request["ask"])
        if asked - _REQUIRED in ({"log"}, {"base64"}):
            return _verdict(request)
    raise _BadRequest(f"{_ASKS}, got {shown(sorted(request))}")


def _member(request: dict[str, Any], name: str, kind: type[T]) -> T:
    value = request[name]
    if not isinstance(value, kind):
        raise _BadRequest(f"{name}: {wrong_type('$', JSON_TYPES[kind], value).message}")
    return value


def _game(request: dict[str, Any]) -> Game | None:
    """Return the game after the events that a request gives, each of them judged; None before its opening."""
    game = None
    for index, record in enumerate(_member(request, "given", list)):
        try:
            message, _ = decode(record)
            if not isinstance(message, Event):
                raise _BadRequest(f"given[{index}]: expected an event, got {message.name}")
            game = _step(game, message).game
        except REFUSALS as error:
            reason = reasons(error)[0]
            raise _BadRequest(f"given[{index}]: {reason.message}", reason.code) from None
    return game


def _ruling(game: Game | None, when: object) -> dict[str, Any]:
    """Return what the rules say of one record: the events that it stands for, or why it is refused."""
    try:
        message, _ = decode(dict(when) if isinstance(when, dict) else when)
        step = _step(game, message)
    except REFUSALS as error:
        return attrs.asdict(reasons(error)[0])
    return {"events": [when] if isinstance(message, Event) else [_record(event) for event in step.events]}


def _step(game: Game | None, message: Message) -> Step[Game, Event]:
    """Return the game after what a record says; only the rules are asked, not the order of a log."""
    if isinstance(message, Seal):
        raise _BadRequest("a seal belongs to a log, not to the rules")
    if game is None:
        return opened(message)
    if isinstance(message, GameStarted):
        raise misplaced("log/second-opening", "F-LOG-3", "expected no other opening: one request, one game")
    if isinstance(message, Event):
        return Step(check(game, message), (message,))
    return apply(game, message)


def _view(game: Game | None, ask: object) -> dict[str, Any]:
    """Return what is asked of a game: its legal commands, or its state."""
    if game is None:
        raise _BadRequest("given: expected an opening first, got no events", "log/no-opening")
    if ask == "legal":
        return {"legal": [_record(command) for command in legal_commands(game)]}
    if ask == "state":
        return {"state": state_json(game)}
    raise _BadRequest(f'ask: expected "legal" or "state", got {shown(ask)}')


def _record(message: Event | Command) -> orjson.Fragment:
    return orjson.Fragment(encode(message).rstrip())


def _verdict(request: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict on the first log of some text, with the place and the code of its first finding."""
    finished = "require_finished" in request and _member(request, "require_finished", bool)
    rules = _member(request, "require_rules", str) if "require_rules" in request else None
    report = next(validate(BytesIO(_log(request)), limits=_TEXT))
    try:
        report = require(report, finished=finished, rules=rules)
    except ValueError as error:  # there is no such preset
        raise _BadRequest(f"require_rules: {error}") from None
    found = ({"line": finding.line, "code": finding.code} for finding in report.findings)
    return {"verdict": report.verdict, **next(found, {})}


def _log(request: dict[str, Any]) -> bytes:
    if "log" in request:
        return _member(request, "log", str).encode()
    text = _member(request, "base64", str)
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise _BadRequest(f"base64: {error}") from None
