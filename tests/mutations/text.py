"""Faults of seals, and of the text of a line."""

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from tests.mutations.draws import index, one_of, one_part, parts, set_at
from tests.mutations.fields import a_value
from tests.mutations.logs import Change, Line, Record, dump, registering, seal
from tests.mutations.order import a_record_less, a_record_twice, neighbours_swapped

FAULTS: Final[dict[str, Change]] = {}
fault = registering(FAULTS)


@fault
def a_wrong_seal(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    log = log[: draw(st.integers(1, len(log)))]
    wrong = seal(log)
    count, digest = wrong["records"], wrong["digest"]
    wrong |= draw(
        st.sampled_from(
            [
                {"records": count - 1},
                {"records": count + 1},
                {"records": float(count)},
                {"records": count == 1},
                {"digest": digest[:-1] + ("0" if digest[-1] != "0" else "1")},
                {"digest": digest.upper()},
                {"digest": digest.removeprefix("sha256:")},
                {"digest": digest + " "},
                {"digest": seal([])["digest"]},
                {"algorithm": "sha256"},
            ]
        )
    )
    return [*log, wrong]


@fault
def a_seal_and_more(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    place = draw(st.integers(1, len(log)))
    sealed = [*log[:place], seal(log[:place])]
    return sealed + one_of(draw, [log[place:] or log[1:], [seal(sealed)], sealed[-1:], log[1:2]])


@fault
def a_seal_of_other_bytes(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    """Change how the lines are written after they are sealed: each stays right, the seal does not."""
    place = draw(index(log))
    end = draw(st.sampled_from([b"\r\n", b" \n"]))
    rewritten = draw(st.sampled_from([b" ", b""])) + dump(log[place]).replace(b"\n", end)
    return [*log[:place], rewritten, *log[place + 1 :], seal(log)]


@fault
def a_change_under_a_seal(draw: st.DrawFn, log: list[Record]) -> list[Record]:
    change = draw(st.sampled_from([a_value, a_record_less, a_record_twice, neighbours_swapped]))
    sealed = seal(log)
    return [*(line for line in change(draw, log) if not isinstance(line, bytes)), sealed]


# The text


def on_one_line(draw: st.DrawFn, log: list[Record], change: Callable[[bytes], bytes]) -> list[Line]:
    """Change the bytes of one line, its line end left out."""
    place = draw(index(log))
    line = change(dump(log[place]).removesuffix(b"\n"))
    return [*log[:place], line + b"\n", *log[place + 1 :]]


@fault
def a_doubled_key(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    def double(line: bytes) -> bytes:
        keys = [
            b'"type":',
            b'"player":',
            b'"\\u0074ype":',
            b'"beach":10,"beach":',
            b'"meta":{"a":1,"\\u0061":',
        ]
        key = draw(st.sampled_from(keys))
        end = b"}" if b"meta" in key else b""
        return line.removesuffix(b"}") + b"," + key + draw(st.sampled_from([b"1", b'"draw"'])) + end + b"}"

    return on_one_line(draw, log, double)


METAS_WITH_A_FAULT = (
    *('{"a":NaN}', '{"a":Infinity}', '[{"a":-Infinity}]', '{"a":01}', '{"a":+1}', '{"a":1.}', "{'a':1}"),
    *(r'{"a":"\ud800"}', r'{"\udfff":[]}', r'{"a":["\ude00\ud83d"]}', r'{"a":"\x41"}', '{"a":"\t"}'),
    *('{"a":9007199254740992}', '{"a":-9007199254740992}', '{"a":1e400}', '{"a":' + "9" * 5000 + "}"),
    *('{"a":1,"b":{"c":1,"c":1}}', '{"a":1,}', '{"a":1', "{} {}", "{}//", "{}\ufeff", "{}\x00", "{}\xa0"),
)
METAS_WITHOUT = (
    *('{"a":1.5e300}', '{"a":9007199254740991}', '{"a":-0.0}', '{"a":1e-400}', '{"":{"":[null,true]}}'),
    *(r'{"a":"\ud83d\ude00\u0000"}', '{ "a" : [ ] }', '{"a":{"b":1},"b":1}', '{"é":1,"e\u0301":1}', "{}"),
)


@fault
def a_meta_with_a_fault(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    meta = draw(st.sampled_from(METAS_WITH_A_FAULT)).encode()
    return on_one_line(draw, log, lambda line: line.removesuffix(b"}") + b',"meta":' + meta + b"}")


@fault
def a_number_in_another_form(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = one_of(draw, [at for at, line in enumerate(log) if any(type(v) is int for _, v in parts(line))])
    path, number = one_part(draw, log[place], int)
    form = draw(
        st.sampled_from(["{}.0", "{}e0", "{}E+0", "0{}", "+{}", "-{}", '"{}"', "{}00000000000000000"])
    )
    set_at(log[place], path, "the number")
    line = dump(log[place]).replace(b'"the number"', form.format(number).encode())
    return [*log[:place], line, *log[place + 1 :]]


@fault
def a_mark_or_a_blank(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    blanks = st.sampled_from(
        [b"\n", b"\r\n", b" \t\n", b"\xef\xbb\xbf\n", b"\xef\xbb\xbf", b"\xa0\n", b"\x0c\n"]
    )
    lines: list[Line] = [*log]
    lines.insert(draw(st.integers(0, len(log))), draw(blanks))
    return lines


@fault
def a_byte(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    """Change, take out or add one byte somewhere."""

    def flip(line: bytes) -> bytes:
        at = draw(st.integers(0, len(line) - 1))
        new = draw(
            st.sampled_from([b"", b"\n", b"\r", b'"', b"0", b",", b" ", b"\\", b"}", b"\xff", b"\x00"])
        )
        return line[:at] + new + line[at + draw(st.integers(0, 1)) :]

    return on_one_line(draw, log, flip)


@fault
def a_line_cut_off(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = draw(index(log))
    line = dump(log[place])
    return [*log[:place], line[: draw(st.integers(0, len(line)))]]


@fault
def two_records_on_a_line(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    place = draw(index(log[1:]))
    between = draw(st.sampled_from([b"", b" ", b"\r", b",", b"\x0b", b"\x85", b"\xe2\x80\xa8"]))
    joined = dump(log[place]).removesuffix(b"\n") + between + dump(log[place + 1])
    return [*log[:place], joined, *log[place + 2 :]]


@fault
def a_deep_meta(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    """128 levels are read, the record being the first and the meta the second."""
    levels = draw(st.sampled_from([125, 126, 127, 128, 200, 2000]))
    meta = b'{"a":' + b"[" * levels + b"]" * levels + b"}"
    return on_one_line(draw, log, lambda line: line.removesuffix(b"}") + b',"meta":' + meta + b"}")


@fault
def a_long_line(draw: st.DrawFn, log: list[Record]) -> list[Line]:
    length = 2**20 + draw(st.sampled_from([-1, 0, 1, 2, 3]))
    filler = draw(st.sampled_from([b" ", b"\r"]))
    return on_one_line(draw, log, lambda line: line.ljust(length, filler))
