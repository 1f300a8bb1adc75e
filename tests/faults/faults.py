"""Runs every command while calls of the C library fail, or while a signal ends it.

Usage: faults.py fail|kill PROGRAM LIBRARY [--most N] [--commands PART] [--jobs N]

LIBRARY is built from faults.cpp, which lists the kinds of calls. `fail` makes the n-th call of each kind
fail, for n = 1, 2, ...; `kill` sends SIGKILL, and one of the signals that the program handles, at the n-th
call that changes files. If there are more than N calls (default 100; 0: no limit), N of them are chosen,
evenly spread and always the same; of the command `devices`, a quarter as many. PART selects the commands that
contain it. In some runs the output files exist already, in some the file system has no files without a name,
and in some both.

A run that fails must end with status 1 or 2 and one line `evenfold: error: ...`, which warnings may precede.
A run with status 0 must give the results of an undisturbed run. Each output is the old file or the new one,
several outputs are all old or all new, and the folder contains no other files. With status 1 or 2 the outputs
are old, unless the folder could not be flushed to the disk. Only after SIGKILL may some of several outputs be
new, and may one file with a temporary name remain: an old or a new output, which is whole if the file system
has files without a name.
"""

import argparse
import collections
import concurrent.futures
import gzip
import itertools
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OLD = b"what was there before\n"
# The error that can follow when the outputs are in place.
FOLDER_FAILED = rb": was written, but "

parser = argparse.ArgumentParser()
parser.add_argument("mode", choices=["fail", "kill"])
parser.add_argument("program")
parser.add_argument("shim", metavar="LIBRARY")
parser.add_argument("--most", type=int, default=100)
parser.add_argument("--commands", default="")
# Half of the time, a run waits for the disk.
parser.add_argument("--jobs", type=int, default=2 * os.cpu_count())
options = parser.parse_args()

# At each call one of them arrives, in turn.
HANDLED = ["disk:SIGTERM", "disk:SIGINT", "disk:SIGHUP", "disk:SIGQUIT", "disk:SIGXCPU"]
FAULTS = {
    "fail": ["malloc:once", "malloc:forever", "mmap:once", "mmap:forever", "open:once", "open:forever",
             "read:once", "write:once", "write:forever", "fsync:once", "rename:once", "rename:forever",
             "pthread_create:once", "pthread_create:forever"],
    "kill": ["disk:SIGKILL", *HANDLED],
}[options.mode]

# @ precedes the name of an input, > that of an output.
COMMANDS = """
--version
--help
nearest --help
devices --format json
generate normal --rows 30 --columns 4 >out.npy
generate uniform --count 100 --type int64 >out.csv
generate uniform --count 100 --type float32 >out.mtx
generate rmat --scale 6 >out.mtx
generate kronecker --scale 6 >out.csv
generate uniform-graph --vertices 40 --edges 90 >out.txt
generate grid --rows 5 --columns 6 >out.mtx
aggregate @capitals.csv --column latitude --op max
aggregate @x.npy --op mean --axis rows --output >out.npy
aggregate @x.csv.gz --op sum --axis columns --format json --output >out.csv
betweenness @karate.mtx --samples 5 --verify --format json --output >out.csv
bfs @karate.mtx --source 1 --levels --verify --parents --format json --output >out.csv
bfs @edges.txt.gz --source 0 --parents --format json --output >out.npy
components @karate.mtx --verify --format json --output >out.csv
convert @karate.mtx >out.npz --names >names.csv
convert @karate.npz >out.txt --drop-self-loops
convert @edges.txt.gz >out.mtx --symmetrize --names >names.csv
dot @x.npy @x.npy --format json
filter @capitals.csv.gz --where latitude>=60 --output >out.csv
fold @capitals.csv --column latitude --strategy tournament --trace --check --format json
group @capitals.csv --by continent --agg count(),median(latitude) --output >out.csv
histogram @capitals.csv --column latitude --bins 7 --format json --plot >out.svg
info @karate.mtx --format json --plot >out.svg
jacobi --rows 12 --cols 15 --tolerance 1e-3 --output >out.npy --plot >out.png
join @capitals.csv @capitals.csv --on continent --how full --output >out.csv
kcore @karate.mtx --verify --format json --output >out.csv
mst @karate.mtx --verify --format json --output >out.csv
nearest @capitals.csv --group continent --name name --lat latitude --lon longitude --format json --output >out.csv --plot >out.svg
nearest @capitals.csv --group continent --name name --lat latitude --lon longitude --format json --device cpu:3 --output >out.csv
pagerank @eight_pages.mtx --weighted --verify --format json --output >out.csv
pagerank @eight_pages.mtx --weighted --verify --format json --device cpu:3 --output >out.csv
saxpy 0.5 @x.npy @x.npy --output >out.npy
search @capitals.csv @sorted.csv --on latitude
select @capitals.csv --columns name,latitude-longitude --output >out.csv.gz
sort @capitals.csv --by continent,latitude:desc --output >out.csv
spgemm @karate.mtx --by @karate.mtx --format json --output >out.mtx
spmv @karate.mtx --format json --output >out.npy
sssp @eight_pages.mtx --source 1 --verify --parents --format json --output >out.csv
sssp @eight_pages.mtx --source 1 --verify --format json --device cpu:3 --output >out.npy
top @capitals.csv --by latitude:desc -k 3 --per continent --output >out.csv
triangles @karate.mtx --format json --output >out.csv
unique @capitals.csv --by continent --count
"""


class Command:
    def __init__(self, line, inputs):
        words = line.split()
        self.text = line
        self.outputs = [word[1:] for word in words if word[0] == ">"]
        self.arguments = [os.path.join(inputs, word[1:]) if word[0] == "@" else word.lstrip(">")
                          for word in words]
        # It measures the bandwidth of the memory in each run, which takes 100 times as long as other commands.
        self.most = -(-options.most // 4) if words[0] == "devices" else options.most
        if not words[0].startswith("-") and "--help" not in words:
            self.arguments += ["--threads", "2"]


Outcome = collections.namedtuple("Outcome", "status out err files")


class Server:
    """A process that forks before main for each run; see faults.cpp."""

    def __init__(self):
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = theirs.fileno()
            self.process = subprocess.Popen(
                [options.program], stdin=subprocess.DEVNULL, pass_fds=[number],
                env={**os.environ, "LD_PRELOAD": options.shim, "EVENFOLD_FAULT_SERVER": str(number)})

    def run(self, folder, fault, named, arguments):
        """The status and what the program writes to its two outputs."""
        out, err = os.pipe(), os.pipe()
        words = [folder, fault, named, options.program, *arguments]
        socket.send_fds(self.socket, ["".join(word + "\0" for word in words).encode()], [out[1], err[1]])
        os.close(out[1])
        os.close(err[1])
        # What is written fits the pipe of the errors.
        with open(out[0], "rb") as output, open(err[0], "rb") as errors:
            texts = output.read(), errors.read()
        status, = struct.unpack("i", self.socket.recv(4))
        return os.waitstatus_to_exitcode(status), *texts

    def close(self):
        self.socket.close()
        self.process.wait()


class Servers:
    """One for each thread."""

    def __init__(self):
        self.of_thread = threading.local()
        self.all = []

    def open(self):
        self.of_thread.server = Server()
        self.all.append(self.of_thread.server)

    def close(self):
        for server in self.all:
            server.close()


def run_alone(command, folder, environment):
    done = subprocess.run([options.program, *command.arguments], cwd=folder, timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          env={**os.environ, "LD_PRELOAD": options.shim, **environment})
    return done.returncode, done.stdout, done.stderr


def run(command, start, with_old):
    """Runs the program in a folder of its own: start(folder) gives its status and its two outputs."""
    folder = tempfile.mkdtemp(dir=scratch)
    for name in command.outputs if with_old else []:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(OLD)
    try:
        status, out, err = start(folder)
        files = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
        return Outcome(status, untimed(out), err, files)
    finally:
        shutil.rmtree(folder)


def untimed(text):
    """The text without the parts that differ from run to run."""
    return re.sub(rb'"(ms|time_ms|teps|gb_per_s)": [-+.e0-9]+', rb'"\1": 0', text)


def undisturbed(command):
    """The outcome of the undisturbed command, and its number of calls of each kind."""
    counts = os.path.join(scratch, "counts")
    outcome = run(command, lambda folder: run_alone(command, folder, {"EVENFOLD_FAULT_COUNTS": counts}), False)
    with open(counts, encoding="utf-8") as file:
        calls = {kind: int(count) for kind, count in (line.split() for line in file)}
    assert outcome.status == 0, (command.text, outcome.err)
    assert sorted(outcome.files) == sorted(command.outputs), (command.text, outcome.files.keys())
    # The file and its folder are both flushed to the disk.
    assert calls["fsync"] == 2 * len(command.outputs), (command.text, calls)
    return outcome, calls


def spread(calls, offset, most):
    """The numbers of the calls that fail: all, or at most `most` of them."""
    if most == 0 or calls <= most:
        return range(1, calls + 1)
    return [1 + int((k + offset) * calls / most) for k in range(most)]


def complaints(command, clean, got, fault, with_old, named):
    """The errors in the outcome of a disturbed run."""
    old = {name: OLD for name in command.outputs} if with_old else {}
    if fault.endswith("SIGKILL"):
        yield from complaints_of_killed(command, clean, got, old, named)
        return
    if got.files not in (old, clean.files):
        yield f"files are neither old nor new: {sorted(got.files)}"
    if fault in HANDLED and got.status == -signal.Signals[fault.removeprefix("disk:")]:
        if got.err:
            yield f"ended by a signal with the message {got.err}"
    elif got.status == 0:
        # `devices` leaves out what the system does not report about the machine.
        whole = got.out == clean.out or command.text.startswith("devices")
        if got.files != clean.files or not whole or got.err != clean.err:
            yield f"says 0, but did not do its work: {got.err}"
    elif got.status not in (1, 2):
        yield f"status {got.status}: {got.err}"
    elif not re.fullmatch(rb"(evenfold: warning: [^\n]+\n)*evenfold: error: [^\n]+\n", got.err):
        yield f"status {got.status} with the message {got.err}"
    elif got.files != old and not re.search(FOLDER_FAILED, got.err):
        yield f"the outputs are new, with the message {got.err}"


def complaints_of_killed(command, clean, got, old, named):
    if got.status not in (0, -signal.SIGKILL):
        yield f"status {got.status}"
    for name in command.outputs:
        if got.files.get(name) not in (old.get(name), clean.files[name]):
            yield f"{name} is neither old nor new"
    whole = [OLD, *clean.files.values()]
    for name in got.files.keys() - set(command.outputs):
        if not name.startswith(".evenfold-") or not (named or got.files[name] in whole):
            yield f"{name} is left over"
        elif got.status == 0:
            yield f"{name} is left over though nothing has failed"


def variants(call):
    """Pairs of bools: whether outputs exist already, and whether the file system has no nameless files."""
    if options.mode == "kill":
        return itertools.product([False, True], repeat=2)
    return [(call % 2 == 0, call // 2 % 2 == 0)]


def try_one(job):
    command, clean, fault, call, (with_old, named) = job
    kind, way = fault.split(":")
    environment = {"EVENFOLD_FAULT": f"{kind}:{call}:{way}"}
    if named:
        environment["EVENFOLD_FAULT_NAMED"] = "1"

    def start(folder):
        return servers.of_thread.server.run(folder, environment["EVENFOLD_FAULT"], "1" if named else "",
                                            command.arguments)

    got = run(command, start, with_old)
    status = got.status
    if status == -signal.SIGALRM:
        wrong = ["does not end"]
    else:
        wrong = list(complaints(command, clean, got, fault, with_old, named or not HAS_NAMELESS))
    words = " ".join(f"{name}={value}" for name, value in environment.items())
    return fault, status, [f"{words} {command.text}: {complaint}" for complaint in wrong]


def has_nameless_files():
    try:
        os.close(os.open(scratch, os.O_TMPFILE | os.O_WRONLY))
        return True
    except OSError:
        return False


def make_inputs(folder):
    def program(*arguments):
        subprocess.run([options.program, *arguments], cwd=folder, check=True, capture_output=True)

    for name in ["capitals.csv", "karate.mtx", "eight_pages.mtx"]:
        shutil.copy(os.path.join(ROOT, "data", name), folder)
    program("generate", "normal", "--rows", "20", "--columns", "3", "x.npy")
    program("generate", "normal", "--rows", "20", "--columns", "3", "x.csv")
    program("generate", "uniform-graph", "--vertices", "40", "--edges", "90", "edges.txt")
    program("convert", "karate.mtx", "karate.npz")
    program("sort", "capitals.csv", "--by", "latitude", "--output", "sorted.csv")
    for name in ["capitals.csv", "x.csv", "edges.txt"]:
        with open(os.path.join(folder, name), "rb") as plain:
            with gzip.open(os.path.join(folder, name + ".gz"), "wb") as packed:
                packed.write(plain.read())


def names_of_commands():
    """The commands in the help, each of which begins a line."""
    text = subprocess.run([options.program, "--help"], capture_output=True, check=True,
                          text=True).stdout
    return re.findall(r"^  ([a-z]+)  ", text, re.MULTILINE)


# SIGQUIT and SIGXCPU would leave the memory of the program in its folder.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
scratch = tempfile.mkdtemp(prefix="evenfold-faults.")
HAS_NAMELESS = has_nameless_files()
try:
    inputs = os.path.join(scratch, "inputs")
    os.mkdir(inputs)
    make_inputs(inputs)
    commands = [Command(line, inputs) for line in COMMANDS.strip().splitlines()
                if options.commands in line]
    jobs = []
    for position, command in enumerate(commands):
        clean, calls = undisturbed(command)
        for fault in FAULTS:
            chosen = spread(calls[fault.split(":")[0]], position / len(commands), command.most)
            if fault in HANDLED:
                chosen = chosen[(HANDLED.index(fault) + position) % len(HANDLED)::len(HANDLED)]
            jobs += [(command, clean, fault, call, variant)
                     for call in chosen for variant in variants(call)]
    missing = set(names_of_commands()) - {line.split()[0] for line in COMMANDS.strip().splitlines()}
    assert not missing, f"no line of COMMANDS runs {missing}"
    statuses = collections.defaultdict(collections.Counter)
    wrong = []
    servers = Servers()
    with concurrent.futures.ThreadPoolExecutor(options.jobs, initializer=servers.open) as pool:
        for fault, status, complaint in pool.map(try_one, jobs):
            statuses[fault][status] += 1
            wrong += complaint
    servers.close()
finally:
    shutil.rmtree(scratch, ignore_errors=True)

for fault, counter in statuses.items():
    seen = ", ".join(f"status {status}: {count}" for status, count in sorted(counter.items(), key=str))
    print(f"{fault:22} {sum(counter.values()):6} runs  {seen}")
print(f"{len(commands)} commands, {len(jobs)} runs, {len(wrong)} wrong")
for line in wrong[:60]:
    print(line)
sys.exit(1 if wrong or not jobs else 0)
