"""Progress, Ctrl-C, threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import masing


def test_progress_is_told_and_may_end_the_search(examples: Path) -> None:
    seen: list[tuple[int, float]] = []

    def progress(evaluations: int, error: float) -> bool:
        seen.append((evaluations, error))
        return len(seen) >= 3

    result = masing.fit(examples / "bushing/triangle.csv", "rt", progress=progress)
    assert len(seen) >= 3 and not result.converged
    assert result.stop == "interrupted" and "rt.k0" in result.parameters


def test_an_exception_of_the_callback_is_raised(examples: Path) -> None:
    def progress(evaluations: int, error: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        masing.fit(examples / "bushing/triangle.csv", "rt", progress=progress)


INTERRUPTED = """
import signal, sys, threading, masing
# Whoever runs the tests in the background of a shell makes them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
begun = threading.Event()
def tell(evaluations, error):
    if not begun.is_set():
        begun.set()
        print("begun", flush=True)
try:
    masing.fit(sys.argv[1], "rt", progress=tell)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_raises_keyboard_interrupt(examples: Path) -> None:
    file = examples / "bushing/triangle.csv"
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED, file], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"
        assert process.wait(timeout=60) == 0


def test_fits_in_two_threads(examples: Path) -> None:
    file = examples / "joint/medium.csv"
    alone = masing.fit(file, "dahl", threads=1)
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: masing.fit(file, "dahl", threads=1), range(4)))
    assert all(other["parameters"] == alone["parameters"] for other in both)


def test_other_threads_run_during_a_fit(examples: Path) -> None:
    done = threading.Event()
    counted = 0

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            done.wait(1e-4)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        masing.fit(examples / "joint/medium.csv", "dahl")
        during = counted
    finally:
        done.set()
        counter.join()
    # Without the lock released, the counter would stand still for the whole fit.
    assert during > 10
