"""Threads, signals, forks and the end of the interpreter."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import evenfold as ef


def test_threads():
    values = [np.random.default_rng(i).random(200_000) for i in range(4)]
    results = [None] * len(values)

    def work(i):
        results[i] = [ef.sort(values[i]), ef.scan(values[i])]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(values))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, (in_order, sums) in enumerate(results):
        assert np.array_equal(in_order, np.sort(values[i]))
        assert np.allclose(sums, np.cumsum(values[i]))


def test_few_and_many_elements_in_threads():
    """The calling thread works on few elements, and the thread of the engine on many."""
    values = np.random.default_rng(3).random(20_000)
    wrong = []

    def work(i):
        for size in (1, 100, 4096, 4097, 20_000 - i) * 20:
            some = values[:size]
            if not np.array_equal(ef.sort(some), np.sort(some)):
                wrong.append(size)
            if not np.array_equal(ef.transform(lambda x: x * 2, some), some * 2):
                wrong.append(size)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_interpreter_runs_meanwhile():
    values = np.random.default_rng(0).random(3_000_000)
    done = threading.Event()
    steps = []

    def count():
        while not done.is_set():
            steps.append(None)
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    before = len(steps)
    ef.argsort(values)
    after = len(steps)
    done.set()
    other.join()
    assert after > before


def test_interrupts():
    values = np.random.default_rng(0).integers(0, 1 << 60, 6_000_000)
    timer = threading.Timer(0.05, lambda: signal.raise_signal(signal.SIGINT))
    # Processes in the background ignore the signal by default.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                ef.argsort(values)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert ef.reduce(np.arange(5)) == 10


def test_fork():
    values = np.arange(100_000)
    assert ef.reduce(values) == values.sum()
    child = os.fork()
    if child == 0:
        same = ef.reduce(values) == values.sum() and ef.scan(values)[-1] == values.sum()
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert ef.reduce(values) == values.sum()


def test_fork_with_few_elements():
    few, many = np.arange(100.0), np.arange(100_000)
    assert ef.scan(few)[-1] == few.sum()
    child = os.fork()
    if child == 0:
        same = ef.scan(few)[-1] == few.sum() and ef.scan(many)[-1] == many.sum()
        os._exit(0 if same and ef.reduce(few) == few.sum() else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_fork_while_another_thread_works():
    values = np.random.default_rng(0).random(300_000)
    done = threading.Event()

    def work():
        while not done.is_set():
            ef.argsort(values)

    other = threading.Thread(target=work)
    other.start()
    time.sleep(0.02)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(ef.sort(values), np.sort(values)) else 1)
    assert os.waitpid(child, 0)[1] == 0
    done.set()
    other.join()
    assert np.array_equal(ef.sort(values), np.sort(values))


def test_the_interpreter_ends():
    """Also right after a call, and in the middle of one that was interrupted."""
    program = """
import numpy, evenfold, signal, sys
values = numpy.random.default_rng(0).random(2_000_000)
evenfold.scan(values)
if sys.argv[1] == "interrupted":
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(3))
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    while True:
        evenfold.argsort(values)
"""
    for case, code in [("done", 0), ("interrupted", 3)] * 2:
        run = subprocess.run([sys.executable, "-c", program, case], capture_output=True)
        assert (run.returncode, run.stderr) == (code, b"")
