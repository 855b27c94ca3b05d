"""Processes that judge for this one: what they answer, how they end, and what is told where one is lost."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from karuba_adapters.parallel.workers import WorkLost, workers

Submit = Callable[..., Callable[[], Any]]

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture(scope="module")
def submit() -> Iterator[Submit]:
    with workers(2) as submit:
        yield submit


def test_answers_come_in_whatever_order_they_are_asked_for(submit: Submit) -> None:
    asked = [submit("x", divmod, number, 7) for number in range(20)]

    assert [ask() for ask in reversed(asked)] == [divmod(number, 7) for number in reversed(range(20))]


def test_work_is_done_elsewhere_by_no_more_than_were_asked_for(submit: Submit) -> None:
    asked = [submit("x", os.getpid) for _ in range(20)]

    assert 1 <= len({ask() for ask in asked} - {os.getpid()}) <= 2


def test_a_fault_is_told_with_what_was_judged_and_where_and_the_worker_goes_on(submit: Submit) -> None:
    before, fault, after = (submit(f"log {number}", divmod, 1, number) for number in (1, 0, 2))

    assert after() == (0, 1)
    with pytest.raises(WorkLost, match=r"^log 0 was not judged: ZeroDivisionError") as lost:
        fault()
    assert "Traceback" in str(lost.value.__cause__ and lost.value.__cause__.__cause__)  # that of the worker
    assert before() == (1, 0)


def test_no_memory_is_a_fault_like_any_other(submit: Submit) -> None:
    with pytest.raises(WorkLost, match="MemoryError"):
        submit("x", bytes, sys.maxsize // 2)()


def test_a_worker_that_dies_is_told_and_so_is_what_was_to_be_judged_after_it() -> None:
    with workers(1) as submit:
        assert submit("a", abs, -1)() == 1
        lost, after = submit("b.jsonl", os._exit, 9), submit("c", abs, -3)
        for ask, what in ((lost, "b.jsonl"), (after, "c")):
            with pytest.raises(WorkLost, match=f"^{what} was not judged: a process that judges has died$"):
                ask()
        with pytest.raises(WorkLost, match=r"^d was not judged"):
            submit("d", abs, -1)()


def test_a_worker_that_is_killed_while_it_works_is_noticed() -> None:
    with workers(1) as submit:
        pid = submit("x", os.getpid)()
        asked = submit("b.jsonl", time.sleep, 60)
        (process,) = (child for child in multiprocessing.active_children() if child.pid == pid)
        process.kill()
        with pytest.raises(WorkLost, match=r"^b\.jsonl was not judged"):
            asked()


def test_nobody_is_left_in_the_end() -> None:
    before = {*multiprocessing.active_children()}
    with workers(2) as submit:
        assert {*multiprocessing.active_children()} == before  # without work nobody is started
        submit("x", abs, -1)()
        assert {*multiprocessing.active_children()} > before
    assert {*multiprocessing.active_children()} <= before


PARENT = """
import os, sys, time
from karuba_adapters.parallel.workers import workers
with workers(1) as submit:
    print(submit("x", os.getpid)(), flush=True)
    {then}
"""


@posix
def test_a_worker_ends_when_nobody_can_ask_it_any_more() -> None:
    script = PARENT.format(then="submit('x', time.sleep, 0.2); os.kill(os.getpid(), 9)")
    parent = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)

    assert (
        parent.returncode == -signal.SIGKILL
    )  # and the worker has let go of its output, else it would be read still


@posix
@pytest.mark.parametrize("then", ["submit('x', time.sleep, 1)()", "time.sleep(60)"])
def test_an_interrupt_of_all_is_told_by_one(then: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT.format(then=then)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as parent:
        assert parent.stdout
        assert parent.stderr
        parent.stdout.readline()
        os.killpg(parent.pid, signal.SIGINT)
        assert parent.wait(60) == -signal.SIGINT
        assert parent.stderr.read().count(b"Traceback") == 1


STARTING = """
import multiprocessing, os, signal, time
from karuba_adapters.parallel.workers import workers
with workers(2) as submit:
    asked = [submit("x", abs, -1), submit("x", abs, -1)]
    for _ in range(20):
        for process in multiprocessing.active_children():
            os.kill(process.pid, signal.SIGINT)
        time.sleep(0.01)
    print(*[ask() for ask in asked])
"""


@posix
def test_an_interrupt_while_a_worker_starts_is_not_its_business() -> None:
    parent = subprocess.run([sys.executable, "-c", STARTING], capture_output=True, check=False, timeout=60)

    assert (parent.stdout, parent.stderr) == (b"1 1\n", b"")
