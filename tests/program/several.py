#!/usr/bin/env python3
"""Runs commands as several processes that meet at an address or by a file, without MPI.

    several.py PROGRAM

Reports and output files have the same bytes on any number of processes. A process that does not
come, or is killed, ends the others with an error, and changes no file.
"""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import checks
from checks import expect, without_times

program = sys.argv[1]


def free_address():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{listener.getsockname()[1]}"


def start(place, rank, ranks, arguments, seconds=20):
    variables = {"EVENFOLD_MEET": place, "EVENFOLD_RANK": str(rank), "EVENFOLD_RANKS": str(ranks),
                 "EVENFOLD_MEET_SECONDS": str(seconds)}
    return subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env={**os.environ, **variables})


def ends_of(processes, seconds=30):
    """Status, standard output and standard error of each."""
    ends = []
    for process in processes:
        out, error = process.communicate(timeout=seconds)
        ends.append((process.returncode, out, error))
    return ends


def compare(folder):
    graph = folder / "graph.txt"
    subprocess.run([program, "generate", "rmat", "--scale", "9", "--edge-factor", "8", graph],
                   check=True, capture_output=True)
    for command, output in ((f"bfs {graph} --source 1 --parents --verify", "out.npy"),
                            (f"pagerank {graph} --tolerance 1e-9", "out.csv"),
                            (f"spmv {graph} --alpha 0.3 --transpose", "out.mtx")):
        out = folder / output
        arguments = [*command.split(), "--format", "json", "--output", str(out)]
        one = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
        written = out.read_bytes()
        for ranks in (1, 2, 4):
            for place in (free_address(), f"file:{folder / 'meeting'}"):
                out.unlink()
                ends = ends_of([start(place, rank, ranks, arguments) for rank in range(ranks)])
                what = f"{command}: {ranks} processes at {place}"
                expect([end[0] for end in ends] == [0] * ranks, f"{what}: {ends}")
                expect(without_times(ends[0][1]) == without_times(one.stdout), f"{what}: {ends}")
                expect(all(end[1:] == ("", "") for end in ends[1:]), f"{what}: {ends}")
                expect(out.read_bytes() == written, f"{what}: other bytes")
                expect(not (folder / "meeting").exists(), f"{what}: the file is left")


def fail(folder):
    graph = str(folder / "graph.txt")
    out = folder / "kept.csv"
    out.write_text("as before\n")
    arguments = ["pagerank", graph, "--output", str(out)]
    place = free_address()
    begun = time.monotonic()
    ends = ends_of([start(place, rank, 3, arguments, 1) for rank in (0, 2)])
    expect(all(status == 1 and "only ranks 0, 2 of 3 have come" in error and error.count("\n") == 1
               for status, _, error in ends), f"a rank that does not come: {ends}")

    ends = ends_of([start(place, rank, 3, ["pagerank", "missing.txt"]) for rank in range(3)])
    lines = "".join(end[2] for end in ends)
    expect(all(end[0] == 1 for end in ends) and lines.count("evenfold: error:") == 1 and
           "missing.txt" in lines, f"a file that is not there: {ends}")

    pipe = folder / "pipe"
    os.mkfifo(pipe)
    for killed in (0, 1):
        # Rank 2 reads another file, and waits for nobody before it meets the others.
        processes = [start(place, rank, 3, arguments if rank != killed else ["pagerank", str(pipe)])
                     for rank in range(3)]
        time.sleep(0.5)
        processes[killed].send_signal(signal.SIGKILL)
        ends = ends_of(processes)
        others = [ends[rank] for rank in range(3) if rank != killed]
        expect(all(end[0] == 1 for end in others) and
               any(f"rank {killed} has failed: its process has ended" in end[2] for end in others),
               f"rank {killed} is killed: {ends}")
    expect(time.monotonic() - begun < 20, "the failures take too long")
    expect(out.read_text() == "as before\n", "a failure changes a file")
    expect(not list(folder.glob(".evenfold-*")), "a failure leaves a file")

    for variable, value in (("EVENFOLD_RANK", "x"), ("EVENFOLD_RANKS", "-1"), ("EVENFOLD_RANK", "2"),
                            ("EVENFOLD_MEET", "nowhere")):
        environment = {**os.environ, "EVENFOLD_MEET": place, "EVENFOLD_RANK": "0",
                       "EVENFOLD_RANKS": "2", variable: value}
        got = subprocess.run([program, "pagerank", graph], capture_output=True, text=True,
                             env=environment, timeout=10)
        expect(got.returncode == 1 and got.stderr.count("\n") == 1 and value in got.stderr,
               f"{variable}={value}: {got}")


with tempfile.TemporaryDirectory() as name:
    compare(pathlib.Path(name))
    fail(pathlib.Path(name))
sys.exit(checks.failures > 0)
