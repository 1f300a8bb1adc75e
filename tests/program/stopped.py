#!/usr/bin/env python3
"""Checks that run.py, when a signal stops it, prints the table of the cases that it has compared.

The program here is a script: it succeeds a few times, then stops run.py, and would go on for long.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SCRIPT = """#!/bin/sh
echo >> {folder}/calls
[ $(wc -l < {folder}/calls) -lt 10 ] && exit
kill -TERM $PPID
exec sleep 600
"""

with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder, "program")
    program.write_text(SCRIPT.format(folder=folder), encoding="utf-8")
    program.chmod(0o755)
    run = pathlib.Path(__file__).with_name("run.py")
    done = subprocess.run([sys.executable, run, program, "--only", "sort", "--jobs", "1"],
                          capture_output=True, text=True, timeout=60, check=False)
lines = done.stdout.splitlines()
print(done.stdout, done.stderr)
assert done.returncode == 1
stopped = re.fullmatch("stopped after ([1-4]) of [0-9]+ cases", lines[-1])
assert stopped, lines
assert re.match(f"sort +{stopped[1]} +{stopped[1]} ", lines[1]), lines
assert lines[-2].endswith(": 0 faults"), lines
