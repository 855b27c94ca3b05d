"""Strict reading of one line: what is refused and under which code, and that nothing sound is refused."""

import json
import pickle
import sys
from collections.abc import Callable

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karuba_adapters import strict_json
from karuba_adapters.limits import LIMITS, Limits
from karuba_adapters.strict_json import TextFault, loads
from karuba_core import Violation

Reader = Callable[[bytes], object]

MAX_DEPTH, MAX_LINE = LIMITS.depth, LIMITS.line
LARGEST = 9_007_199_254_740_991
RULES = {
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

# Every line is read through the front door and by the strict reader alone: the two may never differ.
both_readers = pytest.mark.parametrize("read", [loads, strict_json._read_strictly])


def fault(line: bytes, read: Reader = loads) -> Violation:
    with pytest.raises(TextFault) as raised:
        read(line)
    assert str(raised.value) == f"{raised.value.faults[0].message} [{raised.value.faults[0].code}]"
    return raised.value.faults[0]


def outcome(line: bytes, read: Reader = loads) -> str:
    """Name what a reader makes of a line: the code of its fault, or its value with the types told apart."""
    try:
        return repr(read(line))
    except TextFault as found:
        return found.faults[0].code


def nested(levels: int, *, kinds: str = "[", core: str = "") -> str:
    """Nest lists ("[") and objects ("{") in turn around a core."""
    text = core
    for level in range(levels):
        text = f"[{text}]" if kinds[level % len(kinds)] == "[" else f'{{"a":{text}}}' if text else "{}"
    return text


GOOD: list[tuple[str, bytes, object]] = [
    ("record", b'{"type":"tile-placed","tile":35}', {"type": "tile-placed", "tile": 35}),
    ("line-feed", b'{"a":1}\n', {"a": 1}),
    ("carriage-return", b'{"a":1}\r\n', {"a": 1}),
    ("white-space-around", b' \t{"a":1}\t \r\n', {"a": 1}),
    ("white-space-within", b'{ "a" :\t[ 1 , 2 ] }', {"a": [1, 2]}),
    ("empty-object", b"{}", {}),
    ("no-object", b"[]", []),  # whether a record stands there is not a question of the text
    ("scalar", b"null", None),
    ("literals", b"[true,false,null]", [True, False, None]),
    ("key-order", b'{"b":1,"a":2}', {"b": 1, "a": 2}),
    ("same-key-elsewhere", b'{"a":{"a":1},"b":[{"a":2}]}', {"a": {"a": 1}, "b": [{"a": 2}]}),
    ("keys-that-differ-in-case", b'{"a":1,"A":2}', {"a": 1, "A": 2}),
    ("keys-that-differ-in-normal-form", '{"é":1,"e\u0301":2}'.encode(), {"é": 1, "e\u0301": 2}),
    ("escape", rb'{"\u0041":"\u0041\n\/"}', {"A": "A\n/"}),
    ("escaped-controls", rb'["\u0000\u001f\u007f"]', ["\x00\x1f\x7f"]),
    ("escaped-mark", rb'["\ufeff"]', ["\ufeff"]),
    ("surrogate-pair", rb'{"\ud83d\ude00":"\uD83D\uDE00"}', {"\U0001f600": "\U0001f600"}),
    ("escaped-backslash-before-u", rb'["\\ud800"]', [r"\ud800"]),
    ("unicode", '{"ánä":"日本 😀"}'.encode(), {"ánä": "日本 😀"}),
    ("odd-characters", '["\uffff\U0010ffff\u2028\x7f\x85"]'.encode(), ["\uffff\U0010ffff\u2028\x7f\x85"]),
    ("minus-zero", b"[-0]", [0]),
    ("minus-zero-float", b"[-0.0]", [-0.0]),
    ("float-in-meta", b'{"meta":{"x":1.0}}', {"meta": {"x": 1.0}}),
    ("exponents", b"[1e0,1E+2,25e-1,1.5E3]", [1.0, 100.0, 2.5, 1500.0]),
    ("more-digits-than-a-double", b"[0.1000000000000000055511151231257827]", [0.1]),
    ("largest-integer", b'{"a":9007199254740991}', {"a": LARGEST}),
    ("smallest-integer-in-meta", b'{"meta":{"a":[-9007199254740991]}}', {"meta": {"a": [-LARGEST]}}),
    ("largest-integer-beside-a-space", b"[ 9007199254740991,-9007199254740991]", [LARGEST, -LARGEST]),
    ("largest-double", b"[1.7976931348623157e308]", [1.7976931348623157e308]),
    ("smallest-double", b"[5e-324]", [5e-324]),
    ("rounds-to-zero", b"[1e-400,-1e-400]", [0.0, -0.0]),
    ("large-float", b"[9007199254740992.0,1e16]", [9007199254740992.0, 1e16]),
    ("brackets-in-a-string", b'{"a":"' + b"[{" * 500 + b'"}', {"a": "[{" * 500}),
    ("brackets-after-a-quote", rb'["\"' + b"[" * 500 + rb'\\"]', ['"' + "[" * 500 + "\\"]),
    ("brackets-after-backslashes", rb'{"\\":"\\\"' + b"{" * 500 + b'"}', {"\\": '\\"' + "{" * 500}),
    ("128-levels-and-more-brackets", f"[[],{nested(127)}]".encode(), [[], json.loads(nested(127))]),
    ("many-siblings", b"[" + b"{}," * 500 + b"[]]", [*([{}] * 500), []]),
]


@both_readers
@pytest.mark.parametrize(("line", "value"), [pytest.param(*case, id=name) for name, *case in GOOD])
def test_a_sound_line_is_read(line: bytes, value: object, read: Reader) -> None:
    assert repr(read(line)) == repr(value)  # tells 1 from 1.0 and true, and 0.0 from -0.0


BAD: list[tuple[str, bytes, str]] = [
    ("bare-word", b"nope", "text/not-json"),
    ("half-an-object", b'{"a":1', "text/not-json"),
    ("open-string", b'{"a":"b', "text/not-json"),
    ("two-values", b"{} {}", "text/not-json"),
    ("comma-before-the-end", b'{"a":1,}', "text/not-json"),
    ("single-quotes", b"{'a':1}", "text/not-json"),
    ("comment", b"{}//", "text/not-json"),
    ("bare-control-character", b'["a\tb"]', "text/not-json"),
    ("bare-nul", b'{"a":1}\x00', "text/not-json"),
    ("unknown-escape", rb'["\x41"]', "text/not-json"),
    ("short-escape", rb'["\u12"]', "text/not-json"),
    ("leading-zero", b"[01]", "text/not-json"),
    ("plus-sign", b"[+1]", "text/not-json"),
    ("no-fraction", b"[1.]", "text/not-json"),
    ("no-whole", b"[.5]", "text/not-json"),
    ("digit-of-another-script", "[\u0661]".encode(), "text/not-json"),
    ("minus-alone", b"[-]", "text/not-json"),
    ("nan", b'{"meta":NaN}', "text/not-json"),
    ("infinity", b"[Infinity]", "text/not-json"),
    ("minus-infinity", b"[-Infinity]", "text/not-json"),
    ("no-break-space", '{"a":\xa01}'.encode(), "text/not-json"),
    ("no-break-space-alone", "\xa0".encode(), "text/not-json"),
    ("form-feed", b"\x0c", "text/not-json"),
    ("mark-at-the-end", "{}\ufeff".encode(), "text/not-json"),
    ("latin-1", '{"a":"é"}'.encode("latin-1"), "text/not-utf8"),
    ("utf-16", '{"a":1}'.encode("utf-16"), "text/not-utf8"),
    ("cut-character", '{"a":"é'.encode()[:-1], "text/not-utf8"),
    ("overlong", b'["\xc0\x80"]', "text/not-utf8"),
    ("surrogate-as-bytes", b'["\xed\xa0\x80"]', "text/not-utf8"),
    ("beyond-unicode", b'["\xf4\x90\x80\x80"]', "text/not-utf8"),
    ("byte-order-mark", b'\xef\xbb\xbf{"a":1}\n', "text/byte-order-mark"),
    ("byte-order-mark-alone", b"\xef\xbb\xbf\r\n", "text/byte-order-mark"),
    ("byte-order-mark-after-a-space", b" \xef\xbb\xbf{}", "text/byte-order-mark"),
    ("nothing", b"", "text/blank-line"),
    ("line-end-alone", b"\n", "text/blank-line"),
    ("white-space-alone", b" \t\r\n", "text/blank-line"),
    ("high-surrogate", rb'["\ud800"]', "text/lone-surrogate"),
    ("low-surrogate", rb'["\udfff"]', "text/lone-surrogate"),
    ("pair-in-the-wrong-order", rb'["\ude00\ud83d"]', "text/lone-surrogate"),
    ("pair-taken-apart", rb'["\ud83d \ude00"]', "text/lone-surrogate"),
    ("surrogate-in-a-key", rb'{"\ud800":1}', "text/lone-surrogate"),
    ("surrogate-deep-in-meta", rb'{"type":"seal","meta":{"a":[{"b":["\uD800"]}]}}', "text/lone-surrogate"),
    ("doubled-key", b'{"tile":1,"tile":2}', "text/doubled-key"),
    ("doubled-key-same-value", b'{"tile":1,"tile":1}', "text/doubled-key"),
    ("doubled-key-further-on", b'{"a":1,"b":2,"c":3,"a":4}', "text/doubled-key"),
    ("doubled-key-in-meta", b'{"meta":{"a":[{"b":1,"b":2}]}}', "text/doubled-key"),
    ("doubled-key-in-another-writing", rb'{"a":1,"\u0061":2}', "text/doubled-key"),
    ("doubled-pair", '{"😀":1,"\\ud83d\\ude00":2}'.encode(), "text/doubled-key"),
    ("doubled-empty-key", b'{"":1,"":2}', "text/doubled-key"),
    ("54-bits", b'{"tile":9007199254740992}', "text/number-out-of-range"),
    ("54-bits-below-zero", b'{"tile":-9007199254740992}', "text/number-out-of-range"),
    ("54-bits-in-meta", b'{"meta":{"a":[9007199254740992]}}', "text/number-out-of-range"),
    ("17-digits", b"[10000000000000000]", "text/number-out-of-range"),
    ("65-bits", b"[18446744073709551616]", "text/number-out-of-range"),
    ("5000-digits", b"[" + b"7" * 5000 + b"]", "text/number-out-of-range"),
    ("1e400", b'{"meta":1e400}', "text/number-out-of-range"),
    ("minus-1e400", b"[-1E400]", "text/number-out-of-range"),
    ("rounds-to-infinity", b"[1.7976931348623159e308]", "text/number-out-of-range"),
    ("400-digits-and-a-point", b"[" + b"9" * 400 + b".0]", "text/number-out-of-range"),
    ("129-lists", nested(129).encode(), "text/too-deep"),
    ("129-objects", nested(129, kinds="{").encode(), "text/too-deep"),
    ("129-mixed", nested(129, kinds="[{").encode(), "text/too-deep"),
    ("129-in-a-later-member", f'[[],"]]",{nested(128)}]'.encode(), "text/too-deep"),
    ("1025-lists", nested(1025).encode(), "text/too-deep"),
    ("100000-lists", b"[" * 100_000, "text/too-deep"),
    ("100000-objects", b'{"a":' * 100_000, "text/too-deep"),
]


@both_readers
@pytest.mark.parametrize(("line", "code"), [pytest.param(*case, id=name) for name, *case in BAD])
def test_a_faulty_line_is_refused(line: bytes, code: str, read: Reader) -> None:
    found = fault(line, read)

    assert (found.code, found.rule, found.path) == (code, RULES[code], "$")


OF_SEVERAL = [
    (b" " * MAX_LINE + b"\xff", "text/line-too-long"),
    (b"\xef\xbb\xbf\xff", "text/not-utf8"),
    (b"\xef\xbb\xbf" + nested(129).encode(), "text/byte-order-mark"),
    (b"}" + nested(130).encode(), "text/too-deep"),
    (nested(129)[:-1].encode() + b",}", "text/too-deep"),
    (rb'[{"a":1,"a":1},"\ud800",1e400,]', "text/not-json"),
    (rb'[{"a":1,"a":1},"\ud800",1e400,NaN]', "text/not-json"),
    (rb'[1e400,{"a":1,"a":1},"\ud800"]', "text/lone-surrogate"),
    (rb'{"a":"\ud800","a":1}', "text/lone-surrogate"),
    (rb'{"\ud800":1,"\ud800":1}', "text/lone-surrogate"),
    (b'[1e400,{"a":1,"a":1}]', "text/doubled-key"),
    (b'{"a":9007199254740992,"a":1}', "text/doubled-key"),
    (rb'[9007199254740992,"\ud83d\ude00"]', "text/number-out-of-range"),
]


@both_readers
@pytest.mark.parametrize(("line", "code"), OF_SEVERAL, ids=lambda case: repr(case)[:40])
def test_of_several_faults_the_order_of_the_clauses_names_the_first(
    line: bytes, code: str, read: Reader
) -> None:
    if code == "text/line-too-long":  # which the front door alone measures
        read = loads

    assert fault(line, read).code == code


def test_every_code_is_raised_by_some_line() -> None:
    assert {code for _, _, code in BAD} | {"text/line-too-long", "text/too-many-digits"} == set(RULES)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"tile":1,"tile":2}', "the key 'tile' stands twice in one object"),
        (b'  {"tile":35 "a":4}\n', "column 14: expected a comma or a closing bracket, found '\"a\":4}'"),
        (b'{"tile":}', "column 9: expected a JSON value, found '}'"),
        (b'{"tile" 1}', "column 9: expected a colon after the key, found '1}'"),
        (b"{tile:1}", "column 2: expected a key in double quotes, found 'tile:1}'"),
        (b'{"tile":1\r\n', "column 10: expected a comma or a closing bracket, found the end of the line"),
        (b"{} {}", "column 4: expected the end of the line, found '{}'"),
        (b'["a', "column 2: expected a string closed by a double quote, found '\"a'"),
        (b'["\x1b"]', "column 3: expected an escape instead of the bare control character, found '\\x1b\"]'"),
        (rb'["\x"]', "column 3: expected an escape that JSON knows, found '\\\\x\"]'"),
        (rb'["\u12"]', "column 4: expected four hexadecimal digits after \\u, found 'u12\"]'"),
        (b"[-Infinity]", "-Infinity is not JSON; a number is written in digits"),
        (b'["\xff"]', "byte 3 of the line, 0xff, is not UTF-8; a log is UTF-8 text"),
        (b"\xef\xbb\xbf", "the line starts with a byte order mark; a log has none"),
        (b"\n", "the line is blank; every line of a log holds one record"),
        (rb'["a\udc00"]', "half a surrogate pair, '\\udc00', stands alone; write both halves or neither"),
        (
            b"[9007199254740992]",
            "the integer '9007199254740992' is out of range; at most 9007199254740991 either way is read",
        ),
        (b"[1e400]", "the number '1e400' is out of range; what a double can hold is read"),
        (nested(130).encode(), "values nest 130 levels deep; at most 128 are read"),
        (b" " * (MAX_LINE + 1) + b"\n", "the line is longer than 1048576 bytes, the most that are read"),
    ],
)
def test_a_fault_says_what_stood_there_and_what_would_be_right(line: bytes, message: str) -> None:
    found = fault(line)

    assert found.message == message


@pytest.mark.parametrize(
    "line",
    [
        ('{"' + "😀" * 900 + '":1,"' + "😀" * 900 + '":2}').encode(),
        ("[1 " + "\u202e\u2028" * 900).encode(),
        ("[1 \x1b[2J" + "é" * 900).encode(),
        '{"é\u202e":1,"é\u202e":2}'.encode(),
        b"[" + b"7" * 900 + b"]",
        b"[" + b"7" * 900 + b"e900]",
        b'["' + b"\\n" * 900,
    ],
)
def test_a_message_shows_little_of_a_line_and_that_safely(line: bytes) -> None:
    message = fault(line).message

    assert len(message) < 500
    assert message.isascii()
    assert message.isprintable()


def test_a_message_shows_forty_characters() -> None:
    assert f"'{'k' * 40}'..." in fault(f'{{"{"k" * 41}":1,"{"k" * 41}":2}}'.encode()).message
    assert f"'{'k' * 40}' " in fault(f'{{"{"k" * 40}":1,"{"k" * 40}":2}}'.encode()).message


def test_a_fault_comes_back_whole_from_another_process() -> None:
    with pytest.raises(TextFault) as raised:
        loads(b"[NaN]")

    again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - our own bytes

    assert again.faults == raised.value.faults


@both_readers
@pytest.mark.parametrize("kinds", ["[", "{", "[{"])
@pytest.mark.parametrize("core", ["", "1", ' "]}" '])
def test_128_levels_are_read(kinds: str, core: str, read: Reader) -> None:
    line = nested(MAX_DEPTH, kinds=kinds, core=core)

    assert read(line.encode()) == json.loads(line)


def test_the_limits_are_those_that_the_format_allows() -> None:
    assert MAX_DEPTH == 128
    assert MAX_LINE == 1_048_576


@pytest.mark.parametrize("gap", ["", " "], ids=["compact", "spaced"])
def test_a_line_of_one_mebibyte_is_read(gap: str) -> None:
    value = ["a" * (MAX_LINE - 4 - len(gap))]
    line = f'[{gap}"{value[0]}"]'.encode()

    assert len(line) == MAX_LINE
    assert loads(line) == loads(line + b"\n") == value


@pytest.mark.parametrize(
    "line",
    [
        b'["' + b"a" * (MAX_LINE - 3) + b'"]',
        b'["' + b"a" * (MAX_LINE - 3) + b'"]\n',
        b'["' + b"a" * (MAX_LINE - 4) + b'"]\r\n',
        b"[]" + b" " * (MAX_LINE - 1) + b"\n",
        b"\xff" * (MAX_LINE + 1),
        b"[" * (MAX_LINE + 1),
    ],
    ids=["bare", "line-feed", "carriage-return", "white-space", "not-utf8", "deep"],
)
def test_a_longer_line_is_too_long_whatever_else_it_is(line: bytes) -> None:
    found = fault(line)

    assert (found.code, found.rule) == ("text/line-too-long", RULES["text/line-too-long"])


def test_a_line_counts_only_if_orjson_takes_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'["a\tb"]'
    monkeypatch.setattr(strict_json, "_DECODER", json.JSONDecoder(strict=False))
    assert strict_json._DECODER.decode(line.decode()) == ["a\tb"]

    assert fault(line).code == "text/not-json"


def test_a_caller_with_little_stack_left_gets_a_fault() -> None:
    line = nested(100, core="1.00").encode()  # the zeros keep it off the fast path
    depth, frame = 0, sys._getframe()
    while frame.f_back:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()

    sys.setrecursionlimit(depth + 60)
    try:
        code = outcome(line)
    finally:
        sys.setrecursionlimit(limit)

    # Later Pythons count the stack of their C code apart, and can read the line.
    assert code == ("text/too-deep" if sys.version_info < (3, 12) else nested(100, core="1.0"))


@pytest.mark.parametrize(
    ("line", "taken_by"),
    [
        (b'{"a":1,"a":2}', [json.loads, orjson.loads]),
        (b"[18446744073709551616]", [json.loads, orjson.loads]),
        (nested(300).encode(), [json.loads, orjson.loads]),
        (b"[NaN]", [json.loads]),
        (b"[1e400]", [json.loads]),
        (rb'["\ud800"]', [json.loads]),
    ],
)
def test_what_a_library_takes_is_refused(line: bytes, taken_by: list[Reader]) -> None:
    for lenient in taken_by:
        lenient(line)  # else this case shows nothing

    fault(line)


texts = st.text(st.characters(codec="utf-8"), max_size=8) | st.text('[]{}"\\,: u', max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-LARGEST, LARGEST)
    | st.sampled_from([LARGEST, -LARGEST])
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
line_ends = st.sampled_from([b"", b"\n", b"\r\n", b" \t\r\n"])


@settings(max_examples=300, deadline=None)
@given(
    value=values,
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", "\r:  ")]),
    ensure_ascii=st.booleans(),
    end=line_ends,
)
def test_what_json_writes_is_read_back(
    *, value: object, separators: tuple[str, str], ensure_ascii: bool, end: bytes
) -> None:
    line = json.dumps(value, separators=separators, ensure_ascii=ensure_ascii).encode() + end

    assert repr(loads(line)) == repr(value)


@settings(max_examples=200, deadline=None)
@given(value=values, end=line_ends)
def test_what_orjson_writes_is_read_back(value: object, end: bytes) -> None:
    line = orjson.dumps(value) + end

    assert repr(loads(line)) == repr(strict_json._read_strictly(line)) == repr(value)


def levels(value: object) -> int:
    """Count the levels of a value the plain way."""
    match value:
        case dict():
            return 1 + max(map(levels, value.values()), default=0)
        case list():
            return 1 + max(map(levels, value), default=0)
        case _:
            return 0


@settings(max_examples=200, deadline=None)
@given(value=values, ensure_ascii=st.booleans())
def test_the_depth_of_a_line_is_that_of_its_value(*, value: object, ensure_ascii: bool) -> None:
    assert strict_json._depth(json.dumps(value, ensure_ascii=ensure_ascii)) == levels(value)


pieces = st.sampled_from(
    [
        *(b"{", b"}", b"[", b"]", b",", b":", b'"', b'"a"', b'"a":'),
        *(b" ", b"\n", b"\x00", b"\xff", b"\xef\xbb\xbf"),
        *(b"1", b"-0", b"1.5", b"1e400", b"9007199254740992", b"null", b"NaN"),
        *(b"\\", rb"\u0061", rb"\ud83d", rb"\ude00"),
    ]
)
lines = (
    st.binary(max_size=40)
    | st.lists(pieces, max_size=12).map(b"".join)
    | st.lists(pieces, max_size=6).map(lambda inner: b"[" + b",".join(inner) + b"]")
    | st.lists(pieces, max_size=6).map(lambda inner: b'{"a":["' + b"".join(inner) + b'"]}')
)


@settings(max_examples=600, deadline=None)
@given(line=lines)
def test_any_bytes_are_read_alike_by_all_or_refused(line: bytes) -> None:
    verdict = outcome(line)

    assert outcome(line, strict_json._read_strictly) == verdict
    if verdict not in RULES:
        assert repr(json.loads(line)) == repr(orjson.loads(line)) == verdict


@st.composite
def doubled(draw: st.DrawFn) -> str:
    """Write an object that has one key twice, in the same or another writing, somewhere deep in a value."""
    key = draw(texts)
    members = draw(st.dictionaries(texts.filter(lambda other: other != key), values, max_size=3))
    written = [f"{json.dumps(name)}:{json.dumps(value)}" for name, value in members.items()]
    for ensure_ascii in draw(st.tuples(st.booleans(), st.booleans())):
        place = draw(st.integers(0, len(written)))
        written.insert(place, f"{json.dumps(key, ensure_ascii=ensure_ascii)}:{json.dumps(draw(scalars))}")
    text = f"{{{','.join(written)}}}"
    for kind in draw(st.lists(st.sampled_from("[{"), max_size=100)):
        text = f"[0,{text}]" if kind == "[" else f'{{"meta":{text},"b":[]}}'
    return text


@settings(max_examples=300, deadline=None)
@given(line=doubled())
def test_a_doubled_key_is_found_at_any_depth(line: str) -> None:
    assert fault(line.encode()).code == "text/doubled-key"


# Limits that somebody has set


FEW_DIGITS = Limits(digits=1024)


def read_few(line: bytes) -> object:
    return loads(line, FEW_DIGITS)


@pytest.mark.parametrize(
    "number",
    ["0." + "1" * 1023, "-0." + "1" * 1023, "1" * 1000 + "e-" + "9" * 24, "0." + "1" * 1019 + "E+0010"],
    ids=lambda number: number[:6],
)
def test_numbers_have_as_many_digits_as_a_reader_takes(number: str) -> None:
    assert read_few(f'{{"meta":[{number}]}}'.encode()) == {"meta": [float(number)]}
    more = number.replace("1", "11", 1) if "e" not in number else number + "9"
    found = fault(f'{{"meta":[{more}]}}'.encode(), read_few)

    assert (found.code, found.rule) == ("text/too-many-digits", "F-TEXT-7")
    assert found.message.endswith(" has 1025 digits; at most 1024 are read")
    assert loads(f"[{more}]".encode()) == [float(more)]


def test_digits_in_strings_and_of_integers_count_for_nothing() -> None:
    assert read_few(b'{"1' + b"1" * 2000 + b'":"' + b"7" * 2000 + b'"}')
    assert fault(b"[" + b"7" * 2000 + b"]", read_few).code == "text/number-out-of-range"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"[1e400,0." + b"1" * 1024 + b"]", "text/too-many-digits"),
        (b"[9007199254740992,0." + b"1" * 1024 + b"]", "text/too-many-digits"),
        (b"[" + b"9" * 1024 + b".5]", "text/too-many-digits"),
        (b"[0." + b"1" * 1024 + b',{"a":1,"a":1}]', "text/doubled-key"),
        (b"[0." + b"1" * 1024 + b',"\\ud800"]', "text/lone-surrogate"),
        (b"[0." + b"1" * 1024 + b",]", "text/not-json"),
    ],
    ids=lambda case: repr(case)[-30:],
)
def test_of_several_faults_too_many_digits_come_before_a_number_out_of_range(line: bytes, code: str) -> None:
    assert fault(line, read_few).code == code


@pytest.mark.parametrize("depth", [64, 100, 200, 254])
@pytest.mark.parametrize("core", ["1", "1.00", '"] "'])
@pytest.mark.parametrize("kinds", ["[", "{", "[{"])
def test_values_nest_as_deep_as_a_reader_takes(depth: int, core: str, kinds: str) -> None:
    """Up to the ceiling, what is read can be written again."""
    limits = Limits(depth=depth)
    line = nested(depth, kinds=kinds, core=core)

    value = loads(line.encode(), limits)
    assert value == json.loads(line)
    assert orjson.loads(orjson.dumps(value)) == value
    found = fault(nested(depth + 1, kinds=kinds, core=core).encode(), lambda deep: loads(deep, limits))
    assert (found.code, found.message) == (
        "text/too-deep",
        f"values nest {depth + 1} levels deep; at most {depth} are read",
    )


def test_deeper_than_the_ceiling_nothing_is_written() -> None:
    with pytest.raises(orjson.JSONEncodeError):
        orjson.dumps(json.loads(nested(255)))


def test_lines_are_as_long_as_a_reader_takes() -> None:
    limits = Limits(line=MAX_LINE + 1)
    line = b" " * (MAX_LINE - 1) + b"[]"

    assert loads(line, limits) == []
    assert fault(line).code == "text/line-too-long"
    assert fault(b" " + line, lambda longer: loads(longer, limits)).code == "text/line-too-long"


@pytest.mark.parametrize(
    "wrong",
    [
        {"line": MAX_LINE - 1},
        {"line": (1 << 30) + 1},
        {"depth": 63},
        {"depth": 255},
        {"digits": 1023},
        {"records": 999},
        {"unpacked": MAX_LINE - 1},
    ],
    ids=str,
)
def test_no_limit_is_below_what_the_format_promises(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limits(**wrong)


# Spaced JSON


def test_spaced_json_takes_the_fast_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_json, "_read_strictly", lambda *_: pytest.fail("it was read slowly"))
    value = {"type": "draw", "tile": 7, "meta": {"a b": ["c  d", 1.5, None, True, {}]}}

    assert loads(json.dumps(value).encode()) == value
    assert loads(json.dumps(value, indent="\t").replace("\n", "\r").encode()) == value


spaced_pieces = st.sampled_from(
    ["1", " 1 ", "1.5", "1 .5", "-0", '"a"', '"a "', '" a"', '"a":', '"a " :', '"":']
)


@settings(max_examples=500, deadline=None)
@given(
    members=st.lists(spaced_pieces, max_size=6),
    separators=st.tuples(*[st.sampled_from([",", ", ", " ,", "\t,\r", " "])] * 6),
    brackets=st.sampled_from(["[]", "{}"]),
)
def test_no_space_hides_what_the_strict_reader_sees(
    members: list[str], separators: tuple[str, ...], brackets: str
) -> None:
    inner = "".join(map("".join, zip(members, separators, strict=False))).rstrip(", \t\r")
    line = f"{brackets[0]} {inner} {brackets[1]}".encode()

    assert outcome(line) == outcome(line, strict_json._read_strictly)


@settings(max_examples=500, deadline=None)
@given(
    keys=st.lists(st.sampled_from(["a", "a ", " a", "b", ""]), max_size=5),
    gap=st.sampled_from([" ", "  ", "\t"]),
    value=st.sampled_from(["1", '" 1"', "{ }", '{"a" :1 }']),
)
def test_keys_that_differ_in_spaces_differ(keys: list[str], gap: str, value: str) -> None:
    line = ("{" + f",{gap}".join(f'"{key}":{gap}{value}' for key in keys) + "}").encode()

    expected = "text/doubled-key" if len(set(keys)) < len(keys) else repr(json.loads(line))
    assert outcome(line) == expected
