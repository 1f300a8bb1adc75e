"""The functions of the Python package beside those of other libraries, in one run.

    python bench/python [--filter REGEX] [--repeats N] [--threads N] [--quick] [--json FILE]

Libraries that are missing are left out. Results are compared before they are timed; where they
differ, the case is not timed, and the exit status is 1. Contestants run in turns.
"""

import argparse
import os
import re
import sys

parser = argparse.ArgumentParser(prog="python bench/python", description=__doc__.split("\n")[0])
parser.add_argument("--filter", default="", help="only cases whose names match this expression")
parser.add_argument("--repeats", type=int, default=7, help="turns of each contestant (default: 7)")
parser.add_argument(
    "--most-seconds", type=float, default=10, help="no further turns after this time (default: 10)"
)
parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads of the CPU")
parser.add_argument("--device", choices=["cpu", "gpu"], help="only cases on this kind of device")
parser.add_argument("--quick", action="store_true", help="1/256 of the data")
parser.add_argument("--json", help="write the results to a file")
options = parser.parse_args()

# Libraries read these when they are imported.
for variable in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = str(options.threads)

import evenfold as ef  # noqa: E402
import harness  # noqa: E402

for family in ("segments", "sequences", "tables", "sparse", "graphs", "functions", "calls"):
    __import__(family)

devices = [d for d in ef.devices() if d in ("cpu", "gpu:0")]
if options.device:
    devices = [d for d in devices if d.startswith(options.device)]
entries = []
for name, kind, make in harness.CASES:
    if not re.search(options.filter, name):
        continue
    for device in devices:
        if not device.startswith(kind):
            continue
        setting = harness.Setting(device, options.quick)
        with ef.using(threads=options.threads):
            match = make(setting)
            check = harness.run_match(match, setting, options.repeats, options.most_seconds)
        entries.append(harness.entry(name, device, match, check))
        print(f"{name}, {device}: {check}", file=sys.stderr, flush=True)

print(harness.table(entries))
if options.json:
    about = harness.facts(options.repeats, options.threads, options.quick, devices)
    harness.write_json(options.json, about, entries)
sys.exit(any(found["check"] != "right" for found in entries))
