"""The referee answers what the rules and the judge of logs say, to each request by itself."""

import base64
import io
import json
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from karuba_adapters import Seal, encode, referee, state_json, validate
from karuba_adapters.referee import MAX_REQUEST, answer, answers
from karuba_core import CELLS, Collect, Command, Discard, Draw, Move, Pass, Place, legal_commands, violation
from tests.games_kit import BLUE_ROAD, Table, setup

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "tests" / "games"
EXPECTED: dict[str, dict[str, Any]] = json.loads((GAMES / "expected.json").read_text("utf-8"))
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
# A game of each pick-up rule, as events and as commands.
PLAYED = ("04-3p-stop-casual.jsonl", "10-3p-landing-casual.jsonl", "16-3p-step-casual.jsonl")

Json = dict[str, Any]


def said(**request: object) -> Json:
    """Return what is answered to a request, but for the id, which has to come back."""
    line = answer(json.dumps({"id": "q", **request}).encode())
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    told: Json = json.loads(line)
    assert told.pop("id") == "q"
    return told


def code(**request: object) -> str:
    """Return the code of a refusal, which says the rest, too."""
    told = said(**request)
    assert list(told) == ["code", "rule", "path", "message"]
    return cast("str", told["code"])


def records(log: Path) -> list[Json]:
    return [json.loads(line) for line in log.read_bytes().splitlines()]


def as_json(*messages: Any) -> list[Json]:  # noqa: ANN401 - events or commands
    return [json.loads(encode(message)) for message in messages]


GAME = records(SOUND)
OPENING = GAME[0]
DRAW = {"type": "draw", "tile": 7}
ROUND_END = next(index for index, record in enumerate(GAME) if record["type"] == "round-ended")


# What the rules say of a record


@pytest.mark.parametrize("name", PLAYED)
def test_every_event_of_a_game_is_answered_with_itself(name: str) -> None:
    events = records(GAMES / "sound" / name)
    for count, event in enumerate(events):
        assert said(given=events[:count], when=event) == {"events": [event]}


@pytest.mark.parametrize("name", PLAYED)
def test_every_command_of_a_game_is_answered_with_its_events(name: str) -> None:
    opening, *commands = records(GAMES / "commands" / name)
    events = [opening]
    for command in commands:
        events += said(given=events, when=command)["events"]

    assert events == records(GAMES / "sound" / name)


def refused_by_the_rules() -> Iterator[str]:
    """Yield the recorded event logs that are refused at one record, for more than its place in the log."""
    for name in EXPECTED:
        (report, *_) = validate(io.BytesIO((GAMES / name).read_bytes()))
        family = report.findings[0].code.partition("/")[0] if report.findings else ""
        if family in ("rule", "mismatch", "shape", "setup") and not name.startswith("commands"):
            yield name


@pytest.mark.parametrize("name", list(refused_by_the_rules()))
def test_a_record_is_refused_as_in_its_log(name: str) -> None:
    log = (GAMES / name).read_bytes()
    first = next(validate(io.BytesIO(log))).findings[0]
    *given, when = [json.loads(line) for line in log.splitlines()[: first.line]]

    assert said(given=given, when=when) == {
        "code": first.code,
        "rule": first.rule,
        "path": first.path,
        "message": first.message,
    }


def tables() -> Iterator[Table]:
    """Yield positions in which many commands are legal and many are not."""
    for pickup in ("stop", "landing", "step"):
        laid = Table(setup(pickup=pickup)).lay({**BLUE_ROAD, "a1": 13})
        yield laid
        yield laid.do(Draw(7))
        yield laid.do(Place("ben", "f5"), Discard("ana"))
        yield laid.do(Move("ana", "blue", ("a1",)))


def commands() -> Iterator[Command]:
    for player in ("ana", "ben", "zoe"):
        yield from (Discard(player), Pass(player), Collect(player, "blue"), Collect(player, "green"))
        yield from (Place(player, cell) for cell in (*CELLS[::7], "g9"))
        ways = (("a1",), ("b1",), ("b1", "c1", "temple"), ("a1", "b1", "c1", "temple"), (), ("temple",))
        yield from (Move(player, colour, way) for colour in ("blue", "brown") for way in ways)
    yield from (Draw(tile) for tile in (7, 8, 13, 37))


def test_a_command_is_refused_as_the_kernel_refuses_it() -> None:
    seen = set()
    for table in tables():
        given = as_json(*table.events)
        for command in commands():
            wrong, told = violation(table.game, command), said(given=given, when=as_json(command)[0])
            assert told.get("code") == (wrong.code if wrong else None)
            assert ("events" in told) == (wrong is None)
            seen.add(told.get("code"))

    assert len(seen) > 10


@pytest.mark.parametrize("when", [None, True, 1, 1.5, "draw", [], [DRAW]], ids=repr)
def test_any_value_may_be_asked_about(when: object) -> None:
    assert code(given=[], when=when) == code(given=GAME, when=when) == "shape/wrong-type"


def test_a_wrong_shape_comes_before_the_rules_and_the_first_fault_counts() -> None:
    for given in ([], [OPENING], GAME):
        assert code(given=given, when={}) == "shape/missing-field"
        assert code(given=given, when={"type": "skip"}) == "shape/unknown-type"
        assert code(given=given, when={**DRAW, "round": 1}) == "shape/unknown-field"
        assert code(given=given, when={**OPENING, "format": "karuba-log/2"}) == "log/unknown-format"
    told = said(given=[], when={**OPENING, "players": ["", "ana"], "leader": "ben"})
    assert (told["code"], told["path"]) == ("setup/player-name", "$.players[0]")


def test_without_an_opening_there_is_no_game() -> None:
    for when in (DRAW, GAME[1], GAME[-1]):
        assert code(given=[], when=when) == "log/no-opening"


def test_a_second_opening_is_none_also_after_the_end() -> None:
    for given in ([OPENING], GAME[:9], GAME):
        assert code(given=given, when=OPENING) == "log/second-opening"


def test_after_the_end_the_rules_are_asked_and_not_the_log() -> None:
    for when in (DRAW, {"type": "pass", "player": "ana"}, GAME[1], GAME[2]):
        assert code(given=GAME, when=when) == "rule/game-over"


def test_what_is_due_comes_first() -> None:
    given = GAME[:ROUND_END]

    assert code(given=given, when=DRAW) == "rule/event-due"
    assert code(given=given, when=GAME[ROUND_END + 1]) == "mismatch/overdue"
    assert said(given=given, when=GAME[ROUND_END]) == {"events": [GAME[ROUND_END]]}


def test_a_seal_has_no_place_here() -> None:
    (seal,) = as_json(Seal(0, f"sha256:{'0' * 64}"))
    for given in ([], GAME):
        assert said(given=given, when=seal) == {"error": "a seal belongs to a log, not to the rules"}


def test_a_record_keeps_its_meta_and_no_event_gets_one() -> None:
    meta = {"at": 5, "": [None, 1.5, "é"]}

    assert said(given=[], when={**OPENING, "meta": meta}) == {"events": [{**OPENING, "meta": meta}]}
    given = [{**OPENING, "meta": meta}]
    assert said(given=given, when={**GAME[1], "meta": meta}) == {"events": [{**GAME[1], "meta": meta}]}
    drawn = {"type": "tile-drawn", "round": 1, "tile": 7}
    assert said(given=given, when={**DRAW, "meta": meta}) == {"events": [drawn]}


# What is given


def test_an_event_that_is_given_is_judged() -> None:
    wrong = {**GAME[1], "round": 2}
    told = said(given=[OPENING, wrong, GAME[2]], when=DRAW)

    assert told == {
        "error": "given[1]: round: expected 1, got 2 (no round went before)",
        "code": "mismatch/value",
    }
    for ask in ("legal", "state"):
        assert said(given=[OPENING, wrong], ask=ask) == told


@pytest.mark.parametrize(
    ("given", "place", "wrong"),
    [
        ([GAME[1]], 0, "log/no-opening"),
        ([{**OPENING, "leader": "zoe"}], 0, "setup/leader"),
        ([{**OPENING, "players": ["", "ana"], "leader": "zoe"}], 0, "setup/player-name"),
        ([OPENING, OPENING], 1, "log/second-opening"),
        ([*GAME, OPENING], len(GAME), "log/second-opening"),
        ([*GAME, GAME[1]], len(GAME), "rule/game-over"),
        ([OPENING, {}], 1, "shape/missing-field"),
        ([OPENING, GAME[1], 7], 2, "shape/wrong-type"),
        ([OPENING, DRAW], 1, None),
        ([OPENING, *as_json(Seal(1, f"sha256:{'0' * 64}"))], 1, None),
    ],
)
def test_what_is_no_next_event_is_told_with_its_place(given: object, place: int, wrong: str | None) -> None:
    asks: list[Json] = [{"when": DRAW}, {"when": {}}, {"ask": "state"}]
    for ask in asks:
        told = said(given=given, **ask)
        assert told.pop("error").startswith(f"given[{place}]: ")
        assert told == ({} if wrong is None else {"code": wrong})


def test_what_is_given_can_be_asked_for() -> None:
    for table in tables():
        given = as_json(*table.events)
        legal = as_json(*legal_commands(table.game))
        assert said(given=given, ask="legal") == {"legal": legal}
        assert said(given=given, ask="state") == {"state": state_json(table.game)}
    assert said(given=GAME, ask="legal") == {"legal": []}
    assert said(given=GAME[:ROUND_END], ask="legal") == {"legal": []}
    assert said(given=GAME[:ROUND_END], ask="state")["state"]["due"] == "round-ended"


# What is said of a log


@pytest.mark.parametrize("name", EXPECTED)
def test_a_log_gets_its_verdict(name: str) -> None:
    data = (GAMES / name).read_bytes()
    told = said(base64=base64.b64encode(data).decode())

    says = EXPECTED[name]
    assert (told.pop("verdict"), told.pop("line", None)) == (says["verdict"], says.get("line"))
    first = next(validate(io.BytesIO(data))).findings[:1]
    assert told == ({"code": first[0].code} if first else {})


def test_text_and_bytes_of_a_log_are_the_same() -> None:
    for text in (SOUND.read_text("utf-8"), "", "\ufeff{}", "1\r\n", '{"a":1,"a":1}'):
        assert said(log=text) == said(base64=base64.b64encode(text.encode()).decode())
    assert said(base64="/w==")["code"] == "text/not-utf8"


def test_of_several_logs_the_first_is_judged() -> None:
    text = SOUND.read_text("utf-8")

    assert said(log=text + "nope") == {"verdict": "invalid", "line": len(GAME) + 1, "code": "text/not-json"}
    assert said(log=text + text + "nope") == said(log=text) == {"verdict": "valid"}


def test_more_can_be_required_of_a_log() -> None:
    text = SOUND.read_text("utf-8")
    cut = "".join(text.splitlines(keepends=True)[:5])
    other = {"line": 1, "code": "log/other-rules"}
    unfinished = {"line": 5, "code": "log/unfinished"}

    assert said(log=cut, require_finished=False) == {"verdict": "incomplete"}
    assert said(log=cut, require_finished=True) == {"verdict": "incomplete", **unfinished}
    assert said(log=text, require_finished=True, require_rules="official") == {"verdict": "valid"}
    assert said(log=text, require_rules="seed-001") == {"verdict": "valid", **other}
    assert said(log=cut, require_rules="seed-000", require_finished=True) == {
        "verdict": "incomplete",
        **other,
    }


# What is no request


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"", "text/blank-line"),
        (b" \n", "text/blank-line"),
        (b"nope", "text/not-json"),
        (b'{"id":1,"log":""} {}', "text/not-json"),
        (b'{"id":1,"log":"\xff"}', "text/not-utf8"),
        (b'\xef\xbb\xbf{"id":1,"log":""}', "text/byte-order-mark"),
        (b'{"id":1,"id":1,"log":""}', "text/doubled-key"),
        (b'{"id":1,"given":[],"when":{"type":"draw","tile":1,"tile":1}}', "text/doubled-key"),
        (b'{"id":9007199254740992,"log":""}', "text/number-out-of-range"),
        (b'{"id":1,"log":"\\ud800"}', "text/lone-surrogate"),
        (b'{"id":%b1%b,"log":""}' % (b"[" * 128, b"]" * 128), "text/too-deep"),
        (b"[]", "expected an object, got a list"),
        (b"7", "expected an object, got an integer"),
        (b"null", "expected an object, got null"),
    ],
)
def test_a_line_that_is_no_object_is_an_error_without_id(line: bytes, error: str) -> None:
    told = json.loads(answer(line))

    assert told.keys() == {"id", "error"}
    assert told["id"] is None
    assert error in told["error"]


ASKS = "expected an id with given and when, given and ask, log, or base64"


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({}, ASKS),
        ({"given": []}, ASKS),
        ({"when": DRAW}, ASKS),
        ({"ask": "legal"}, ASKS),
        ({"given": [OPENING], "when": DRAW, "ask": "legal"}, ASKS),
        ({"given": [], "log": ""}, ASKS),
        ({"log": "", "base64": ""}, ASKS),
        ({"require_finished": True}, ASKS),
        ({"given": [], "when": DRAW, "require_finished": True}, ASKS),
        ({"given": [OPENING], "when": DRAW, "why": 1}, ASKS),
        ({"log": "", "file": "-"}, ASKS),
        ({"given": None, "when": DRAW}, "given: expected a list, got null"),
        ({"given": {}, "ask": "state"}, "given: expected a list, got an object"),
        ({"given": [], "ask": "state"}, "given: expected an opening first"),
        ({"given": [OPENING], "ask": "score"}, 'ask: expected "legal" or "state", got "score"'),
        ({"given": [OPENING], "ask": ["legal"]}, 'ask: expected "legal" or "state", got ["legal"]'),
        ({"log": 7}, "log: expected a string, got an integer"),
        ({"base64": None}, "base64: expected a string, got null"),
        ({"base64": "e30"}, "base64: "),
        ({"base64": "e3?0="}, "base64: "),
        ({"base64": "é"}, "base64: "),
        ({"log": "", "require_finished": 1}, "require_finished: expected a boolean, got an integer"),
        ({"log": "", "require_finished": None}, "require_finished: expected a boolean, got null"),
        ({"log": "", "require_rules": None}, "require_rules: expected a string, got null"),
        ({"log": "", "require_rules": ["official"]}, "require_rules: expected a string, got a list"),
        ({"log": "", "require_rules": "house"}, "require_rules: no preset 'house'"),
    ],
)
def test_a_bad_request_is_an_error_with_its_id(asked: Json, error: str) -> None:
    told = said(**asked)

    assert told.pop("error").startswith(error)
    assert told in ({}, {"code": "log/no-opening"})


def test_a_request_without_id_is_an_error() -> None:
    told = json.loads(answer(b'{"log":""}'))

    assert told.keys() == {"id", "error"}
    assert told["id"] is None


@pytest.mark.parametrize(
    "name",
    [None, True, False, 0, -7, 2**53 - 1, 1.5, 1e300, "", "é\u2028\n", [], {}, [{"a": [1, None]}]],
    ids=repr,
)
def test_an_id_comes_back_as_it_is(name: object) -> None:
    for asked in ({"log": ""}, {"given": [OPENING], "when": DRAW}, {"given": [7], "ask": "state"}, {}):
        told = json.loads(answer(json.dumps({**asked, "id": name}).encode()))
        assert json.dumps(told["id"]) == json.dumps(name)
        assert len(told) > 1


# Lines


def test_a_line_end_changes_nothing() -> None:
    request = json.dumps({"id": 1, "given": [OPENING], "when": DRAW}).encode()

    assert answer(request) == answer(request + b"\n") == answer(request + b"\r\n") == answer(b" " + request)


def test_requests_are_answered_by_themselves_and_in_order() -> None:
    asked: list[Json] = [{"given": GAME[:count], "when": GAME[count]} for count in range(0, len(GAME), 40)]
    asked += [{"given": GAME[:count], "ask": "state"} for count in (1, ROUND_END, len(GAME))]
    asked += [{"given": [OPENING, OPENING], "when": 1}, {"log": "nope"}, {"nothing": 1}]
    lines = [json.dumps({"id": number, **request}).encode() + b"\n" for number, request in enumerate(asked)]
    alone = {line: answer(line) for line in lines}

    for seed in range(3):
        random.Random(seed).shuffle(lines)
        assert [*answers(io.BytesIO(b"".join(lines)))] == [alone[line] for line in lines]


def test_an_answer_comes_before_the_next_request_is_read() -> None:
    line = b'{"id":1,"log":""}\n'
    stream = io.BytesIO(line * 3)
    told = answers(stream)

    for count in (1, 2, 3):
        next(told)
        assert stream.tell() == count * len(line)
    assert [*told] == []


def test_a_request_may_be_as_long_as_it_is_said() -> None:
    def padded(length: int) -> bytes:
        return b'{"id":1,"log":""}'.ljust(length) + b"\n"

    long, too_long, last = map(
        json.loads, answers(io.BytesIO(b"".join(map(padded, (MAX_REQUEST, MAX_REQUEST + 1, 99)))))
    )
    assert long == last == {"id": 1, "verdict": "invalid", "line": 1, "code": "log/no-opening"}
    assert too_long["id"] is None
    assert "text/line-too-long" in too_long["error"]


class Endless(io.RawIOBase):
    """A line of many times the longest request, made while it is read."""

    def __init__(self) -> None:
        self.left = 8 * MAX_REQUEST

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - a buffer
        size = min(len(buffer), self.left)
        buffer[:size] = b" " * size
        self.left -= size
        return size


def test_a_request_of_any_length_takes_bounded_memory() -> None:
    stream = cast("BinaryIO", io.BufferedReader(Endless()))
    tracemalloc.start()
    try:
        assert len([*answers(stream)]) == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5 * MAX_REQUEST


# Ours


@pytest.mark.parametrize("fault", [ZeroDivisionError, ValueError, KeyError])
def test_a_fault_of_ours_is_no_answer(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def boom(_: object) -> None:
        raise fault

    monkeypatch.setattr(referee, "state_json", boom)
    with pytest.raises(fault):
        said(given=[OPENING], ask="state")


def test_the_session_in_the_readme_is_what_is_said() -> None:
    text = (ROOT / "spec" / "vectors" / "README.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith(("> ", "< "))]

    assert len(lines) >= 6
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        assert (asked[0], told[0]) == (">", "<")
        assert answer(asked[2:].encode()).decode() == told[2:] + "\n"
