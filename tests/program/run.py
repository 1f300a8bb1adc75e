#!/usr/bin/env python3
"""Runs every command of the program on two devices and compares the outcomes.

Usage: run.py PROGRAM [--devices A B] [--beside OTHER] [--root FOLDER] [--only TEXT] [--skip N]
              [--every N] [--jobs N]

Two outcomes are equal if they have the same exit status and the same bytes on standard output, on standard
error and in every file that was written. Times in reports are not compared. The first device has 3 threads,
the second one 1, 2, 3 or 7; cases of cases.folds() are run with each of these numbers. OTHER is the program
on the second device, by default PROGRAM. FOLDER contains data/ and tests/fuzz/. Progress goes to standard
error. SIGINT and SIGTERM end the comparison early; the table then counts the cases that were compared. The
exit status is 1 if a case differs, if the program has a command or an option that no case uses, or if the
comparison ended early.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import cases
import compare
import inputs

OUTCOMES = ["equal", "refused alike", "differ"]
# Of the second device.
THREADS = [1, 2, 3, 7]
# Options that run.py passes to every command, or that do not affect what is compared.
COMMON = {"--help", "--device", "--threads", "--time"}


class Stopped(BaseException):
    """SIGINT or SIGTERM arrived."""


def stop(*_):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


class Tally:
    """Counts the outcomes of cases, and shows on standard error how many there are so far: on a terminal
    after every case, elsewhere every ten seconds."""

    def __init__(self, chosen):
        self.chosen = len(chosen)
        self.counts = {case.split(" ")[0]: collections.Counter() for case in chosen}
        self.done = self.faults = 0
        self.shown = time.monotonic()

    def fault(self, text):
        self.faults += 1
        print(text, flush=True)

    def add(self, case, outcome, fault):
        self.done += 1
        self.counts[case.split(" ")[0]][outcome] += 1
        terminal = sys.stderr.isatty()
        if fault:
            print("\r\033[K" if terminal else "", end="", file=sys.stderr, flush=True)
            self.fault(f"evenfold {case}\n    {fault}")
        if terminal or time.monotonic() - self.shown >= 10:
            self.shown = time.monotonic()
            text = f"{self.done} of {self.chosen} cases, {self.faults} faults"
            print(f"\r{text}\033[K" if terminal else f"{text}\n", end="", file=sys.stderr, flush=True)

    def print_table(self, devices):
        if sys.stderr.isatty():
            print(file=sys.stderr)
        rows = self.counts | {"all": sum(self.counts.values(), collections.Counter())}
        print(f"{'command':20} {'cases':>8} " + " ".join(f"{name:>17}" for name in OUTCOMES))
        for name, row in rows.items():
            print(f"{name:20} {row.total():8} " + " ".join(f"{row[outcome]:17}" for outcome in OUTCOMES))
        print(f"{' beside '.join(devices)}: {self.faults} faults", flush=True)


class Runner:
    def __init__(self, options, folder):
        programs = [options.program, options.beside or options.program]
        self.sides = list(zip(map(os.path.abspath, programs), options.devices))
        self.folder = folder
        self.inputs = folder / "inputs"
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False
        self.folds = set(cases.folds())
        self.copy_inputs(options.root)
        inputs.write_all(self.inputs)

    def copy_inputs(self, root):
        shutil.copytree(root / "data", self.inputs)
        for file in (root / "tests/fuzz/corpus").glob("*/*"):
            target = self.inputs / file.parent.name
            target.mkdir(exist_ok=True)
            for ending in cases.CORPUS_ENDINGS:
                shutil.copy(file, target / f"{file.name}.{ending}")

    def arguments(self, case):
        return [re.sub("^@", f"{self.inputs}/", word) for word in shlex.split(case)]

    def run(self, number, case, program, device, threads):
        """The status, the two outputs, and the files that were written, by name."""
        command = [program, *self.arguments(case), "--device", device, "--threads", str(threads)]
        prefix = f"{number}.{device}."
        with tempfile.TemporaryDirectory(prefix=prefix, dir=self.folder) as folder:
            where = pathlib.Path(folder)
            with self.start(command, where) as process:
                try:
                    outputs = process.communicate(timeout=120)
                except subprocess.TimeoutExpired:
                    process.kill()
                    return "none: it ran for two minutes", "", "", {}
                finally:
                    self.running.discard(process)
            files = {f.name: f.read_bytes() for f in sorted(where.iterdir())}
        out, err = (text.decode(errors="backslashreplace") for text in outputs)
        return process.returncode, out, err, files

    def start(self, command, where):
        """A process in a session of its own, which no signal to the group of run.py reaches."""
        with self.lock:
            if self.stopped:
                raise Stopped
            process = subprocess.Popen(command, cwd=where, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, start_new_session=True)
            self.running.add(process)
            return process

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in list(self.running):
                process.kill()

    def compare(self, number, case):
        """An outcome, and the difference of the two devices if there is one."""
        first, second = self.sides
        ours = self.run(number, case, *first, 3)
        outcomes = []
        for threads in THREADS if case in self.folds else [THREADS[number % len(THREADS)]]:
            outcome, fault = self.compare_with(case, ours, self.run(number, case, *second, threads))
            if fault:
                return outcome, f"{fault} (threads: {threads})"
            outcomes.append(outcome)
        return max(outcomes, key=OUTCOMES.index), None

    def compare_with(self, case, ours, theirs):
        status, out, err, files = ours
        if status not in (0, 1, 2):
            return "differ", f"status {status}: {err}"
        if status != 0 and not re.fullmatch("(evenfold: warning: .*\n)*evenfold: error: .*\n", err):
            return "differ", f"not one line of error: {err!r}"
        if (status, err) != (theirs[0], theirs[2]):
            return "differ", f"status {status}, {err!r} and status {theirs[0]}, {theirs[2]!r}"
        if list(files) != list(theirs[3]):
            return "differ", f"the files {list(files)} and {list(theirs[3])}"
        if case.startswith("devices") or ours == theirs:
            return "refused alike" if status else "equal", None
        fault = compare.difference(out, files, theirs[1], theirs[3])
        return ("differ", fault) if fault else ("equal", None)


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    return done.stdout


def commands_of(program, *command):
    """Every subcommand of `command`, as a list of words: names in its help that a gap follows."""
    names = re.findall(r"^  ([a-z][\w-]*)  ", help_of(program, *command), re.M)
    return [[*command, name] for name in names]


def unused(program, all_cases):
    """The commands and options that no case uses."""
    for command in commands_of(program):
        name = command[0]
        used = {word for case in all_cases if case.split(" ")[0] == name for word in case.split(" ")}
        if not used:
            yield name
        for page in [command, *commands_of(program, name)]:
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", help_of(program, *page), re.M):
                if option not in used | COMMON:
                    yield " ".join([*page, option])


def compare_all(options, chosen, tally):
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(options, pathlib.Path(folder))
        futures = {pool.submit(runner.compare, *numbered): numbered[1] for numbered in enumerate(chosen)}
        try:
            for future in concurrent.futures.as_completed(futures):
                tally.add(futures[future], *future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            runner.stop()
            raise


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--devices", nargs=2, default=["gpu", "cpu"])
    parser.add_argument("--beside")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--only", default="", help="run only the cases that contain this text")
    parser.add_argument("--skip", type=int, default=0,
                        help="leave out this number of cases, such as those that a run compared that was stopped")
    parser.add_argument("--every", type=int, default=1, help="compare one in this number of cases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    chosen = [case for case in cases.all_cases(options.root / "tests/fuzz/corpus") if options.only in case]
    chosen = chosen[options.skip::options.every]
    tally = Tally(chosen)
    stopped = False
    try:
        is_part = options.only or options.skip or options.every > 1
        for what in [] if is_part else unused(options.program, chosen):
            tally.fault(f"no case uses {what}")
        compare_all(options, chosen, tally)
    except Stopped:
        stopped = True
    tally.print_table(options.devices)
    if stopped:
        print(f"stopped after {tally.done} of {len(chosen)} cases")
    return 1 if stopped or tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
