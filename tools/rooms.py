#!/usr/bin/env python3
"""Checks that every include follows the order of the rooms of docs/design.md.

Usage: rooms.py, in the root of the project. Prints every include that breaks the order of the
rooms, and ends with status 1 if there is one. Includes in quotes are the project's own.
"""

import pathlib
import re
import sys

BASE = ["core", "balance"]
BACKENDS = ["backend/reference", "backend/cpu", "backend/cuda"]
COMPOSITIONS = ["matrix", "sparse", "graph", "table", "geo"]
LIBRARY = [*BASE, "contexts.hpp", "algorithm", *COMPOSITIONS]

# Each room, a folder or a header of its own, and the other rooms that its files may include.
ROOMS = {
    "core": [],
    "balance": ["core"],
    "backend/cuda/device": BASE,
    **dict.fromkeys(BACKENDS, [*BASE, "backend/cuda/device"]),
    "contexts.hpp": ["core", *BACKENDS],
    "algorithm": [*BASE, *BACKENDS, "contexts.hpp"],
    **dict.fromkeys(COMPOSITIONS, LIBRARY),
    "io": [*BASE, "contexts.hpp", "algorithm", "matrix", "sparse"],
    "evenfold.hpp": LIBRARY,
    "distributed": LIBRARY,
    "runtime": [*LIBRARY, "io", "distributed"],
    "runtime/host": [*LIBRARY, "io", "distributed", "runtime", "backend/cpu"],
    "cli": ["core", "contexts.hpp", "io", "runtime"],
    "python": ["core", "runtime"],
}


def room_of(path):
    """The innermost room of `path`, written as in an include, or None."""
    path = path.removeprefix("evenfold/")
    inside = [room for room in ROOMS if path == room or path.startswith(room + "/")]
    return max(inside, key=len, default=None)


def breaches(root):
    """A line of text for every include of a room by one that must not include it."""
    for folder in ["include/evenfold", "runtime", "cli", "python"]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".hpp", ".cuh", ".cpp", ".cu"):
                continue
            name = file.relative_to(root).as_posix()
            here = room_of(name.removeprefix("include/"))
            if not here:
                yield f"{name}: it is in no room"
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                include = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                if not include:
                    continue
                there = room_of(include[1])
                if not there:
                    yield f"{name}:{number}: {include[1]} is in no room"
                elif there != here and there not in ROOMS[here]:
                    yield f"{name}:{number}: {here} must not include {there}: {include[1]}"


found = list(breaches(pathlib.Path.cwd()))
print("\n".join([*found, f"{len(found)} includes break the order of the rooms"]))
sys.exit(1 if found else 0)
