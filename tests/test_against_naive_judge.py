"""Two judges written apart say the same of logs that were changed in one of many ways, verdict and line.

The naive judge shares no code with the kernel. `KARUBA_MUTANTS` says how many logs are changed, and
`--hypothesis-seed` which.
"""

import io
import os

import pytest
from hypothesis import HealthCheck, Phase, event, find, given, note, settings
from hypothesis import strategies as st

from karuba_adapters import validate
from tests.mutations.catalogue import FAULTS, HARMLESS
from tests.mutations.courses import another_course
from tests.mutations.fields import a_value, a_value_of_the_opening
from tests.mutations.logs import Change, mutants
from tests.mutations.openings import the_distances, the_names, the_stacks
from tests.naive_judge import judge

MUTANTS = int(os.environ.get("KARUBA_MUTANTS", "1000"))

RICH = (another_course, a_value, a_value_of_the_opening, the_names, the_distances, the_stacks)
"""Changes with very many outcomes, or with quick ones: each gets eight shares of the logs."""
SHARES = len(FAULTS | HARMLESS) + 7 * len(RICH)


def expected(log: bytes) -> tuple[str, int]:
    """Return the naive judge's verdict on the first log of a stream; it reads no more than one."""
    try:
        return judge(log)
    except NotImplementedError:
        before, _, _ = log.rpartition(b'{"type":"game-started"')
        return expected(before)


def of_each(changes: dict[str, Change]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "change", [pytest.param(change, id=name) for name, change in changes.items()]
    )


def how_often(times: int) -> settings:
    return settings(
        max_examples=max(1, times * MUTANTS // SHARES),
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
        ],
    )


def check(change: Change, data: st.DataObject) -> None:
    """Change a log, and let both judges judge it."""
    log = data.draw(mutants(change))
    report = next(validate(io.BytesIO(log)))
    verdict, line = expected(log)

    event(verdict)
    note(f"line {line}: {log.splitlines()[line - 1 : line]!r}; {report.findings}")
    assert (report.verdict, report.findings[0].line if report.findings else 0) == (verdict, line)
    assert change.__name__ in FAULTS or verdict != "invalid"


@of_each({name: change for name, change in (FAULTS | HARMLESS).items() if change not in RICH})
@how_often(1)
@given(data=st.data())
def test_both_judges_say_the_same(change: Change, data: st.DataObject) -> None:
    check(change, data)


@of_each({change.__name__: change for change in RICH})
@how_often(8)
@given(data=st.data())
def test_both_judges_say_the_same_of_a_rich_choice(change: Change, data: st.DataObject) -> None:
    check(change, data)


@of_each(FAULTS)
def test_each_change_breaks_some_log(change: Change) -> None:
    first = settings(how_often(1), max_examples=100, phases=[Phase.generate], database=None)

    find(mutants(change).map(expected), lambda verdict: verdict[0] == "invalid", settings=first)
