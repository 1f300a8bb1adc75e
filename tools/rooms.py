#!/usr/bin/env python3
"""Checks that no include runs up the rooms of docs/design.md.

Usage: rooms.py, in the root of the project. Prints every include that breaks the order of the
rooms, and ends with status 1 if there is one.
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
    "cli": ["core", "contexts.hpp", "io", "runtime"],
}


def room_of(path):
    """The innermost room of `path`, written as in an include; None for other headers."""
    if not path.startswith(("evenfold/", "runtime/", "cli/")):
        return None
    path = path.removeprefix("evenfold/")
    inside = [room for room in ROOMS if path == room or path.startswith(room + "/")]
    return max(inside, key=len, default=None)


def upward(root):
    """A line of text for every include of a room by one that must not include it."""
    for folder in ["include/evenfold", "runtime", "cli"]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".hpp", ".cuh", ".cpp", ".cu"):
                continue
            name = file.relative_to(root).as_posix()
            here = room_of(name.removeprefix("include/"))
            for number, line in enumerate(file.read_text().splitlines(), 1):
                include = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
                there = room_of(include[1]) if include else None
                if here and there and there != here and there not in ROOMS[here]:
                    yield f"{name}:{number}: {here} must not include {there}: {include[1]}"


found = list(upward(pathlib.Path.cwd()))
print("\n".join([*found, f"{len(found)} includes break the order of the rooms"]))
sys.exit(1 if found else 0)
