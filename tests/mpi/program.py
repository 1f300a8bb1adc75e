#!/usr/bin/env python3
"""Runs the commands of the program under mpirun, and compares them with one process.

    program.py MPIEXEC PROGRAM

Every report but its times, and every output file, has the same bytes on any number of processes.
Failures end all processes with one line of the program on standard error, and change no file.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

mpiexec, program = sys.argv[1:]
failures = 0


def expect(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what)


def launch(*parts):
    """One process for each part, which is a list of arguments."""
    command = [mpiexec]
    for part in parts:
        command += [] if len(command) == 1 else [":"]
        command += ["-n", "1", program, *part]
    return command


def run(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)


def without_times(report):
    return re.sub(r'"(time_ms|teps|gb_per_s|gflops)":[^,}]*', "", report)


def compare(folder):
    graph = str(folder / "graph.txt")
    run([program, "generate", "rmat", "--scale", "9", "--edge-factor", "8", graph])
    weighted = folder / "weighted.csv"
    weighted.write_text("from,to,weight\na,b,0.5\nb,c,0.25\na,c,1\nc,d,0.1\nd,a,3\ne,f,1\n")
    for command in (f"bfs {graph} --source 1 --parents --verify",
                    f"pagerank {graph} --tolerance 1e-9",
                    f"pagerank {weighted} --weighted --dangling self",
                    f"sssp {weighted} --source a --undirected --verify",
                    f"spmv {graph} --alpha 0.3 --transpose"):
        out = folder / "out.csv"
        arguments = [*command.split(), "--format", "json", "--output", str(out)]
        one = run([program, *arguments])
        written = out.read_bytes()
        for ranks in (2, 3, 4):
            out.unlink()
            got = run(launch(*[arguments] * ranks))
            expect(got.returncode == 0, f"{command}: {ranks} processes: {got.stderr}")
            expect(without_times(got.stdout) == without_times(one.stdout),
                   f"{command}: {ranks} processes report {got.stdout}, one reports {one.stdout}")
            expect(got.stderr == "", f"{command}: {ranks} processes write {got.stderr}")
            expect(out.read_bytes() == written, f"{command}: {ranks} processes write other bytes")


def alone(folder):
    """One process that mpirun has started runs every command."""
    graph = str(folder / "graph.txt")
    expect(run(launch(["kcore", graph])).stdout.startswith("vertices"), "kcore in one process")


def refuse(folder):
    good, other, out = (folder / name for name in ("good.txt", "other.txt", "kept.csv"))
    good.write_text("1 2\n2 3\n")
    other.write_text("1 2\n2 3\n3 4\n")
    out.write_text("old\n")
    ranked = ["pagerank", str(good), "--output", str(out)]
    missing = ["pagerank", str(folder / "missing.txt"), "--output", str(out)]
    for parts, status, text in (
            ([missing] * 3, 1, "missing.txt"),
            ([ranked, missing, ranked], 1, "rank 1 has failed: "),
            ([missing, ranked, ranked], 1, "missing.txt"),
            ([ranked, ["pagerank", str(other)]], 1, "is different on rank 0 and rank 1"),
            ([ranked, ["spmv", str(good)]], 1, "all ranks make the same calls"),
            ([["pagerank", str(good), "--output", "/nowhere/out.csv"]] * 2, 1, "/nowhere/out.csv"),
            ([["kcore", str(good)]] * 2, 2, "kcore: this command runs in one process"),
            ([["bfs", str(good), "--source", "1", "--levels"]] * 2, 2, "there are several ranks"),
            ([["pagerank", str(good), "--device", "cpu:2"]] * 2, 2, "the ranks are processes"),
            ([["pagerank", str(good), "--device", "reference"]] * 2, 2, "the ranks are processes"),
            ([["pagerank", "-"]] * 2, 1, "standard input"),
            ([["pagerank"]] * 2, 2, "is required")):
        start = time.monotonic()
        got = run(launch(*parts))
        lines = [line for line in got.stderr.splitlines() if line.startswith("evenfold: ")]
        expect(got.returncode == status, f"{parts}: status {got.returncode}, {got.stderr}")
        expect(len(lines) == 1 and text in lines[0], f"{parts}: {lines}")
        expect(got.stdout == "", f"{parts}: {got.stdout}")
        expect(time.monotonic() - start < 10, f"{parts}: {time.monotonic() - start} s")
        expect(out.read_text() == "old\n", f"{parts}: an output has changed")


def kill(folder):
    """A process that is killed in the middle of the work."""
    graph, out = folder / "graph.txt", folder / "kept.csv"
    out.write_text("old\n")
    endless = ["bfs", str(graph), "--source", "1", "--repeat", "1000000000", "--output", str(out)]
    all_ranks = subprocess.Popen(launch(*[endless] * 3), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    threads = pathlib.Path(f"/proc/{all_ranks.pid}/task").glob("*/children")
    ranks = [int(pid) for children in threads for pid in children.read_text().split()]
    if len(ranks) != 3:
        return expect(False, f"mpirun has {len(ranks)} processes: {all_ranks.communicate()}")
    start = time.monotonic()
    os.kill(ranks[1], signal.SIGKILL)
    try:
        all_ranks.communicate(timeout=10)
        expect(all_ranks.returncode != 0, "mpirun has not noticed a killed rank")
    except subprocess.TimeoutExpired:
        all_ranks.send_signal(signal.SIGTERM)
        expect(False, "10 s after a rank was killed, the others run")
    expect(time.monotonic() - start < 10, "a killed rank")
    expect(out.read_text() == "old\n", "an output has changed after a rank was killed")


with tempfile.TemporaryDirectory() as name:
    compare(pathlib.Path(name))
    alone(pathlib.Path(name))
    refuse(pathlib.Path(name))
    kill(pathlib.Path(name))
print("failed" if failures else "all processes write what one writes", failures or "")
sys.exit(failures > 0)
