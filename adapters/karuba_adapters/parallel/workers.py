"""Other processes that do work for this one: the standard library's pool, and what it leaves open.

By themselves its workers would outlive a process that is killed, and each would print a traceback where
all are interrupted.
"""

import gc
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Thread
from typing import Any, Final

MOST: Final = 60
"""Workers at most: Windows waits for no more of them at a time."""


class WorkLost(Exception):
    """A worker failed, or ended without an answer; the message tells what it judged.

    Attributes:
        has_died: Whether a process was lost, perhaps by no fault of what it did.
    """

    def __init__(self, message: str, *, has_died: bool) -> None:
        super().__init__(message)
        self.has_died = has_died


@contextmanager
def workers(count: int) -> Iterator[Callable[..., Callable[[], Any]]]:
    """Give what has functions called by other processes, which are started when there is work for them.

    It takes what a function judges, for people, the function of a module, and its arguments, which are
    pickled; it returns what waits for the answer and raises `WorkLost` where there will be none.
    The processes are spawned, which is safe and the same on all systems: nothing of this one is copied.

    Args:
        count: How many processes there may be, from 1 to `MOST`.
    """
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_begin)
    try:
        yield partial(_submit, pool)
    finally:
        with _interrupts_held():  # a second one would leave workers behind that wait for ever
            pool.shutdown(cancel_futures=True)


def _submit(
    pool: ProcessPoolExecutor,
    what: str,
    function: Callable[..., Any],
    *arguments: Any,  # noqa: ANN401 - of any function
) -> Callable[[], Any]:
    try:
        with _interrupts_held():
            future = pool.submit(function, *arguments)
    except BrokenProcessPool as error:
        future = Future()
        future.set_exception(error)
    return partial(_answer, future, what)


def _answer(future: "Future[Any]", what: str) -> Any:  # noqa: ANN401 - what the function returns
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise WorkLost(f"{what} was not judged: a process that judges has died", has_died=True) from error
    except Exception as error:
        raise WorkLost(f"{what} was not judged: {error!r}", has_died=False) from error


def _begin() -> None:
    """Begin a worker: whoever asks is interrupted, too, and ends it; and where nobody can ask, it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000)  # judging leaves no cycles behind, and modules are no garbage
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let an interrupt wait; a process that is started meanwhile inherits that: it is deaf from its start."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it lets interrupts in again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
