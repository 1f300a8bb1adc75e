#!/usr/bin/env python3
"""Runs every command of the program on two devices and compares the outcomes.

Usage: run.py PROGRAM [--devices A B] [--beside OTHER] [--root FOLDER] [--only TEXT] [--jobs N]

Two outcomes are equal if they have the same exit status and the same bytes on standard output, on standard
error and in every file that was written. Numbers that are not integers may have a relative difference of
10^-12 (10^-5 if they are computed in float32), because a device may fold in another order. Times in reports
are not compared. OTHER is the program on the second device, by default PROGRAM. FOLDER contains data/ and
tests/fuzz/. The exit status is 1 if a case differs, or if the program has a command or an option that no
case uses.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import cases
import compare
import inputs

OUTCOMES = ["equal", "within tolerance", "refused alike", "differ"]
# Options that run.py passes to every command, or that do not affect what is compared.
COMMON = {"--help", "--device", "--threads", "--time"}


class Runner:
    def __init__(self, options, folder):
        programs = [options.program, options.beside or options.program]
        self.sides = list(zip(map(os.path.abspath, programs), options.devices, "ab"))
        self.folder = folder
        self.inputs = folder / "inputs"
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

    def run(self, number, case, program, device, side):
        """The status, the two outputs, and the files that were written, by name."""
        where = self.folder / f"{number}.{side}"
        where.mkdir()
        command = [program, *self.arguments(case), "--device", device, "--threads", "3"]
        try:
            done = subprocess.run(command, cwd=where, capture_output=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return "none: it ran for two minutes", "", "", {}
        files = {f.name: f.read_bytes() for f in sorted(where.iterdir())}
        shutil.rmtree(where)
        out, err = (text.decode(errors="backslashreplace") for text in (done.stdout, done.stderr))
        return done.returncode, out, err, files

    def compare(self, number, case):
        """An outcome, and the difference of the two if there is one."""
        ours, theirs = (self.run(number, case, *side) for side in self.sides)
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
        tolerance = 1e-5 if re.search("@f[24]_|float32", case) else 1e-12
        faults = [compare.same_report(out, theirs[1], tolerance)]
        faults += [compare.same_file(name, files[name], theirs[3][name], tolerance) for name in files]
        faults = [fault for fault in faults if fault]
        if faults:
            return "differ", faults[0]
        exact = compare.same_report(out, theirs[1], 0) is None and files == theirs[3]
        return "equal" if exact else "within tolerance", None


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--devices", nargs=2, default=["gpu", "cpu"])
    parser.add_argument("--beside")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--only", default="", help="run only the cases that contain this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")

    chosen = [case for case in cases.all_cases(options.root / "tests/fuzz/corpus") if options.only in case]
    counts = collections.defaultdict(collections.Counter)
    faults = 0
    for what in [] if options.only else unused(options.program, chosen):
        faults += 1
        print(f"no case uses {what}")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(options, pathlib.Path(folder))
        results = pool.map(runner.compare, range(len(chosen)), chosen)
        for case, (outcome, fault) in zip(chosen, results):
            counts[case.split(" ")[0]][outcome] += 1
            if fault:
                faults += 1
                print(f"evenfold {case}\n    {fault}", flush=True)

    counts["all"] = sum(counts.values(), collections.Counter())
    print(f"{'command':20} {'cases':>8} " + " ".join(f"{name:>17}" for name in OUTCOMES))
    for name, row in counts.items():
        print(f"{name:20} {row.total():8} " + " ".join(f"{row[outcome]:17}" for outcome in OUTCOMES))
    print(f"{' beside '.join(options.devices)}: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
