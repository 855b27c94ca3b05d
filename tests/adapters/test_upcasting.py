"""Logs of older formats are read by way of all between: with two made-up ones, since there are none yet."""

import io
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import pytest

from karuba_adapters import Report, validate, write_log
from karuba_adapters.codec import FORMAT
from karuba_adapters.log_files import Line, read_ahead
from karuba_adapters.log_writing import SealMaker
from karuba_adapters.upcasting import OLDER_FORMATS, Upcaster, chained, name_converter, upcast
from tests.games_kit import Table, read_messages, setup

PLAYED = Table(setup()).lay({"a1": 7, "b1": 1}).events


def _as_of_one(fields: dict[str, Any]) -> dict[str, Any]:
    """Format A called a cell a square."""
    return {"cell" if key == "square" else key: value for key, value in fields.items()}


def _as_of_two(fields: dict[str, Any]) -> dict[str, Any]:
    """Format B called the drawing of a tile tile-turned."""
    return {**fields, "type": "tile-drawn"} if fields.get("type") == "tile-turned" else fields


MADE_UP = chained({"made-up/a": ("made-up/b", _as_of_one), "made-up/b": (FORMAT, _as_of_two)})


def written() -> bytes:
    log = io.BytesIO()
    write_log(PLAYED, log)
    return log.getvalue()


def old(name: str) -> bytes:
    """Return the game as the made-up formats wrote it."""
    log = written().replace(FORMAT.encode(), name.encode()).replace(b"tile-drawn", b"tile-turned")
    return log.replace(b'"cell"', b'"square"') if name == "made-up/a" else log


def sealed(log: bytes) -> bytes:
    maker = SealMaker()
    for line in log.splitlines(keepends=True):
        maker.add(line)
    seal = maker.seal()
    return log + b'{"type":"seal","records":%d,"digest":"%s"}\n' % (seal.records, seal.digest.encode())


def judged(log: bytes, older: Mapping[str, Upcaster] = MADE_UP) -> tuple[list[Report], list[object]]:
    """Return the reports, and what the records said."""
    said: list[object] = []

    def read(stream: BinaryIO) -> Iterator[Line]:
        return upcast(read_ahead(stream), older)

    reports = [*validate(io.BytesIO(log), "-", lambda right: said.append(right.message), read=read)]
    return reports, said


# The chain


@pytest.mark.parametrize("name", ["made-up/a", "made-up/b", FORMAT])
def test_a_log_of_any_format_says_the_same(name: str) -> None:
    (report,), said = judged(written() if name == FORMAT else old(name))

    assert report.findings == ()
    assert said == list(PLAYED)


def test_a_format_that_no_step_knows_stays_unknown() -> None:
    (report,), said = judged(old("made-up/a").replace(b"made-up/a", b"made-up/z"))

    assert said == []
    assert [finding.code for finding in report.findings] == ["log/unknown-format"]


def test_each_log_of_a_stream_has_its_own_format() -> None:
    logs = sealed(old("made-up/a")) + sealed(written()) + sealed(old("made-up/b"))
    reports, said = judged(logs)

    assert [report.findings for report in reports] == [(), (), ()]
    assert len(said) == 3 * (len(PLAYED) + 1)


def test_names_of_an_older_format_are_none_of_the_current_one() -> None:
    foreign = written().replace(b'"cell"', b'"square"')
    for log in (foreign, foreign.replace(FORMAT.encode(), b"made-up/z")):
        reports, _ = judged(sealed(old("made-up/a")) + sealed(log))
        assert [len(report.findings) > 0 for report in reports] == [False, True]


def test_a_seal_is_of_the_bytes_that_stand_there() -> None:
    (right,), said = judged(sealed(old("made-up/a")))
    assert (right.findings, len(said)) == ((), len(PLAYED) + 1)

    (wrong,), _ = judged(
        sealed(old("made-up/a")).replace(b"made-up/a", b"made-up/b").replace(b"square", b"cell")
    )
    assert [finding.code for finding in wrong.findings] == ["log/wrong-seal"]


def test_what_is_wrong_in_an_old_record_is_told_at_its_line() -> None:
    lines = old("made-up/a").splitlines(keepends=True)
    for number, wrong, code in (
        (2, b'{"type":"tile-turned"}\n', "shape/missing-field"),
        (3, b'["type"]\n', "shape/wrong-type"),
        (4, b"{", "text/not-json"),
    ):
        (report,), _ = judged(b"".join([*lines[: number - 1], wrong, *lines[number:]]))
        assert {(finding.line, finding.code) for finding in report.findings} == {(number, code)}


# The self-check


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ({"a": ("b", dict)}, "from b on to"),
        ({"a": ("b", dict), "b": ("c", dict), FORMAT: ("d", dict)}, "from c on to"),
        ({"a": ("a", dict)}, "circle"),
        ({"a": ("b", dict), "b": ("c", dict), "c": ("b", dict)}, "circle"),
        ({"a": (FORMAT, dict), "b": ("c", dict), "c": ("b", dict)}, "circle"),
    ],
)
def test_a_chain_with_a_gap_or_a_loop_is_refused(
    steps: Mapping[str, tuple[str, Upcaster]], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        chained(steps)


def test_the_steps_are_gone_in_order_and_each_once() -> None:
    def step(name: str) -> Upcaster:
        return lambda fields: {**fields, "way": [*fields["way"], name]}

    chain = chained({"c": ("d", step("c")), "a": ("b", step("a")), "b": ("c", step("b"))}, "d")

    assert chain["a"]({"way": []}) == {"way": ["a", "b", "c"]}
    assert chain["c"]({"way": []}) == {"way": ["c"]}


def test_the_product_knows_no_older_format() -> None:
    """And lines are handed on as they are."""
    lines = iter([(1, b"", (), None)])

    assert OLDER_FORMATS == {}
    assert upcast(lines) is lines
    assert name_converter(lines) is lines


# What a reader of the current format alone says


def test_an_older_format_is_told_with_what_helps() -> None:
    def told(log: bytes) -> str:
        def read(stream: BinaryIO) -> Iterator[Line]:
            return name_converter(read_ahead(stream), MADE_UP)

        ((finding,),) = [report.findings for report in validate(io.BytesIO(log), read=read)]
        assert (finding.code, finding.line) == ("log/unknown-format", 1)
        return finding.message

    assert "karuba convert" in told(old("made-up/b"))
    assert "made-up/b" in told(old("made-up/b"))
    assert "karuba convert" not in told(written().replace(FORMAT.encode(), b"made-up/z"))


def test_the_game_is_the_one_that_was_written() -> None:
    """A check of these tests: the log that they begin with is right."""
    assert [*read_messages(io.BytesIO(written()))] == list(PLAYED)
