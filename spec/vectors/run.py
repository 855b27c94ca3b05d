"""Ask a program all vectors: `python run.py [--vectors FOLDER] PROGRAM [ARGUMENT ...]`.

Exit code 0: all agree. 1: some differ. 2: wrong usage, or the program does not start, is silent or dies.
"""
# ruff: noqa: INP001, T201, S603 - a script that prints, and runs the program that it is given

import json
import os
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

PATIENCE = 10  # seconds for an answer
COMPARED = ("id", "events", "verdict", "line", "code", "error")  # what counts of an answer
text = partial(json.dumps, sort_keys=True)  # the same for equal values


def _main(words: list[str]) -> int:
    folder = Path(__file__).parent
    if words[:1] == ["--vectors"]:
        folder, words = Path(*words[1:2]), words[2:]
    files = sorted(folder.glob("*.json"))
    vectors = [vector for file in files for vector in json.loads(file.read_text("utf-8"))["vectors"]]
    if not vectors or not words:
        _stop(f"there are no vectors in {folder}" if words else f"{__doc__}")
    try:
        program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        _stop(f"the program does not start: {error}")
    differ = 0
    for vector in vectors:
        rule, _, then = (vector.pop(name) for name in ("rule", "comment", "then"))
        line = _answer(program, vector)
        if not line:
            program.kill()
            _stop(f"{vector['id']}: no answer; the program has died, or is silent for {PATIENCE} seconds")
        wanted, got = text({"id": vector["id"], **then}), _compared(line)
        if got != wanted:
            differ += 1
            print(f"{vector['id']} ({rule})\n  expected {wanted}\n  got      {got}")
    print(f"{len(vectors)} vectors: {len(vectors) - differ} agree, {differ} differ")
    return 1 if differ else 0


def _answer(program: Any, request: object) -> bytes:  # noqa: ANN401 - a process with both pipes
    """Return the line that answers a request, nothing where there is none in time."""
    lines = []

    def exchange() -> None:  # in a thread, since it may wait for ever, to write as well as to read
        with suppress(OSError):  # of a program that has died
            program.stdin.write(f"{text(request)}\n".encode())
            program.stdin.flush()
            lines.append(program.stdout.readline())

    thread = Thread(target=exchange, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return lines[0] if lines else b""


def _compared(line: bytes) -> str:
    """Return what counts of an answer, or all of it where it is no object of JSON."""
    with suppress(ValueError, AttributeError):
        return text({name: part for name, part in json.loads(line).items() if name in COMPARED})
    return ascii(line)


def _stop(reason: str) -> NoReturn:
    print(reason, file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(2)  # past a thread that may still wait for the program


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
