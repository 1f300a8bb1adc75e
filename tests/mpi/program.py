#!/usr/bin/env python3
"""Runs the commands of the program under mpirun, and compares them with one process.

    program.py MPIEXEC PROGRAM

Every report but its times, and every output file, has the same bytes on any number of processes.
Failures end all processes with one line of the program on standard error, and change no file.
"""

import gzip
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).parents[1] / "program"))
import checks
from checks import expect, without_times

mpiexec, program = sys.argv[1:]


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


def compare(folder):
    graph = str(folder / "graph.txt")
    run([program, "generate", "rmat", "--scale", "9", "--edge-factor", "8", graph])
    weighted = folder / "weighted.csv"
    weighted.write_text("from,to,weight\na,b,0.5\nb,c,0.25\na,c,1\nc,d,0.1\nd,a,3\ne,f,1\n")
    places = pathlib.Path(__file__).parents[2] / "data" / "capitals.csv"
    for command, output in ((f"bfs {graph} --source 1 --parents --verify", "out.npy"),
                            (f"pagerank {graph} --tolerance 1e-9", "out.csv"),
                            (f"pagerank {weighted} --weighted --dangling self", "out.csv.gz"),
                            (f"sssp {weighted} --source a --undirected --verify --delta 0.2", "out.csv"),
                            (f"nearest {places} --group continent --name name --lat latitude "
                             "--lon longitude --k 3", "out.csv"),
                            (f"spmv {graph} --alpha 0.3 --transpose", "out.mtx")):
        out = folder / output
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
            expect(not list(folder.glob(".evenfold-*")), f"{command}: {ranks} processes leave a file")


def read_parts(folder):
    """Every process reads a part of the file: forms, cuts, duplicates and faults."""
    def lines(count, form):
        return "".join(form(k % 97, k * k % 89, k % 7 + 0.5) for k in range(count))

    files = {
        "words.txt": "# a comment\n\n" + lines(300, lambda a, b, w: f"{a + 1000} {b - 5} {w}\r\n"),
        "header.txt": "from to weight\n" + lines(40, lambda a, b, w: f"{a}\t{b}\t{w}\n"),
        "comma.csv": "from,to,weight\n" + lines(300, lambda a, b, w: f"{a},{b},{w}\n"),
        "null.csv": "from,to\n" + lines(50, lambda a, b, w: f"{a},{b}\n{a},\n"),
        "quotes.csv": 'from,to\n' + lines(50, lambda a, b, w: f'"{a}\n",{b}\n'),
        "texts.txt": lines(60, lambda a, b, w: f"{a} {b}\n") + "x 1\n",
        "one.txt": "1 2",
        "symmetric.mtx": "%%MatrixMarket matrix coordinate real symmetric\n%\n100 100 300\n"
                         + lines(300, lambda a, b, w: f"{max(a, b) + 1} {min(a, b) + 1} {w}\n"),
        "general.mtx": "%%MatrixMarket matrix coordinate pattern general\n100 100 50\n"
                       + lines(50, lambda a, b, w: f"{a + 1} {b + 1}\n"),
        "array.mtx": "%%MatrixMarket matrix array real general\n3 3\n" + "1\n0\n2\n" * 3,
        # More than the beginning that all processes read, so that lines lie between it and a part.
        "long.txt": lines(200000, lambda a, b, w: f"{a + 1000} {b} {w}\n"),
        "bad_first.txt": "1 2\n3\n" + lines(50, lambda a, b, w: f"{a} {b}\n") + "4\n",
        "bad_last.txt": lines(150, lambda a, b, w: f"{a} {b} {w}\n") + "1 2 x\n1 2\n",
        "bad_long.txt": lines(200000, lambda a, b, w: f"{a + 1000} {b} {w}\n") + "1 2\n\n",
        "bad.csv": "from,to\n" + lines(50, lambda a, b, w: f"{a},{b}\n") + "7\n",
        "blank.csv": "from,to\n1,2\n\n" + lines(20, lambda a, b, w: f"{a},{b}\n"),
        "bad.mtx": "%%MatrixMarket matrix coordinate pattern general\n100 100 51\n"
                   + lines(50, lambda a, b, w: f"{a + 1} {b + 1}\n") + "101 1\n",
        "few.mtx": "%%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 2\n3 4\n",
        "many.mtx": "%%MatrixMarket matrix coordinate pattern general\n9 9 1\n1 2\n3 4\n",
        "huge.mtx": "%%MatrixMarket matrix coordinate pattern general\n9999999 9999999 1\n1 2\n",
        "banner.mtx": "%%MatrixMarket matrix coordinate\n",
        "empty.txt": "",
    }
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    (folder / "packed.txt.gz").write_bytes(gzip.compress(files["words.txt"].encode()))
    out = folder / "read.csv"
    for k, name in enumerate([*files, "packed.txt.gz"]):
        options = ["--null", "", "--duplicates", "keep"] if name == "null.csv" else []
        arguments = ["spmv", str(folder / name), *options, "--output", str(out), "--format", "json"]
        one = run([program, *arguments])
        expect((one.returncode == 0) == (not re.match("bad|blank|few|many|huge|banner|empty", name)), one.stderr)
        written = out.read_bytes() if one.returncode == 0 else b""
        ranks = k % 3 + 2
        out.unlink(missing_ok=True)
        got = run(launch(*[arguments] * ranks))
        message = "".join(line for line in got.stderr.splitlines(True) if "evenfold:" in line)
        expect((got.returncode, without_times(got.stdout), message)
               == (one.returncode, without_times(one.stdout), one.stderr),
               f"{name}: {ranks} processes: {got}, one: {one}")
        expect(written == (out.read_bytes() if out.exists() else b""), f"{name}: {ranks} processes")


def distribute(folder):
    """Every process has some of the rows: shapes, rules for duplicates and refusals."""
    def edge(k):
        return k * 7919 % 1009 * 13 % 101, k * k % 89 if k % 3 else 5

    entries = [(*edge(k), (k % 97 + 1) / 7) for k in range(4000)]
    lists = {
        "many.txt": entries,
        "heavy.txt": [(3, b, w) for _, b, w in entries],
        "column.txt": [(a, 3, w) for a, _, w in entries],
        "same.txt": [(1, 2, w) for _, _, w in entries],
        "loops.txt": [(a, a, w) for a, _, w in entries[:50]],
        "short.txt": entries[:2],
        "negative.txt": [(a, b, 0.5 - w) for a, b, w in entries[:300]],
    }
    for name, rows in lists.items():
        (folder / name).write_text("".join(f"{a} {b} {w!r}\n" for a, b, w in rows))
    out = folder / "rows.csv"
    for k, name in enumerate(lists):
        start = f"--source {lists[name][0][0]}"
        for j, command in enumerate((
                f"bfs {start} --undirected", f"bfs {start}", f"bfs {start} --duplicates keep",
                "pagerank --weighted --duplicates sum", "pagerank --undirected",
                "pagerank --duplicates sum", f"sssp {start}", f"sssp {start} --undirected",
                f"sssp {start} --duplicates keep", "spmv", "spmv --transpose",
                "spmv --duplicates keep", "spmv --duplicates first", "spmv --duplicates refuse",
                "sssp --source 999999", f"bfs {start} --duplicates refuse --undirected")):
            if (j + k) % 2 == 0:
                continue
            operation, *options = command.split()
            arguments = [operation, str(folder / name), *options, "--format", "json",
                         "--output", str(out)]
            out.unlink(missing_ok=True)
            one = run([program, *arguments])
            written = out.read_bytes() if out.exists() else b""
            out.unlink(missing_ok=True)
            ranks = (j + k) // 2 % 3 + 2
            got = run(launch(*[arguments] * ranks))
            message = "".join(line for line in got.stderr.splitlines(True) if "evenfold:" in line)
            expect((got.returncode, without_times(got.stdout), message)
                   == (one.returncode, without_times(one.stdout), one.stderr),
                   f"{name}: {command}: {ranks} processes: {got}, one: {one}")
            expect(written == (out.read_bytes() if out.exists() else b""),
                   f"{name}: {command}: {ranks} processes write other bytes")


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
            ([ranked, ["pagerank", str(other)]], 1, "expected the same file"),
            ([ranked, ["spmv", str(good)]], 1, "all ranks make the same calls"),
            ([["pagerank", str(good), "--output", "/nowhere/out.csv"]] * 2, 1, "/nowhere/out.csv"),
            ([["kcore", str(good)]] * 2, 2, "kcore: this command runs in one process"),
            ([["bfs", str(good), "--source", "1", "--levels"]] * 2, 2, "there are several ranks"),
            ([["pagerank", str(good), "--device", "cpu:2"]] * 2, 2, "each of several processes is a rank"),
            ([["pagerank", str(good), "--device", "reference"]] * 2, 2, "each of several processes is a rank"),
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
        expect(not list(folder.glob(".evenfold-*")), f"{parts}: a temporary file remains")


def kill(folder):
    """A process that is killed in the middle of the work."""
    graph, out = folder / "graph.txt", folder / "kept.csv"
    out.write_text("old\n")
    endless = ["bfs", str(graph), "--source", "1", "--repeat", "2147483647", "--output", str(out)]
    # The times of so many searches would take 16 GB.
    all_ranks = subprocess.Popen(launch(*[endless] * 3), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                       (8 << 30, 8 << 30)))
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
    read_parts(pathlib.Path(name))
    distribute(pathlib.Path(name))
    alone(pathlib.Path(name))
    refuse(pathlib.Path(name))
    kill(pathlib.Path(name))
print("failed" if checks.failures else "all processes write what one writes", checks.failures or "")
sys.exit(checks.failures > 0)
