#!/usr/bin/env python3
"""Checks the table of docs/algorithms.md against the tree.

Usage: algorithms.py, in the root of the project. Prints every name in the table that stands for no
file or function, and every public header without a row, and ends with status 1 if there is one.
"""

import pathlib
import re
import sys

INCLUDE = pathlib.Path("include/evenfold")

# For each column whose names stand for files: patterns of these, and whether one of them is enough.
FILES = {
    "header": (["include/evenfold/{}"], False),
    "backends": (
        [
            "include/evenfold/backend/reference/{}.hpp",
            "include/evenfold/backend/cpu/{}.hpp",
            "include/evenfold/backend/cuda/launch/{}.cuh",
            "include/evenfold/backend/cuda/device/{}.cuh",
        ],
        False,
    ),
    "command": (["cli/commands/{}.cpp"], False),
    "test": (["tests/{}_test.cpp"], False),
    "example": (["examples/{}.cpp", "examples/{}.cu"], True),
    "bench": (["bench/{}_bench.cpp", "bench/{}_bench.cu"], True),
}


def rows():
    """The rows of the table: for each column the text of its cell."""
    lines = pathlib.Path("docs/algorithms.md").read_text().splitlines()
    cells = [re.split(r"\s*\|\s*", line)[1:-1] for line in lines if line.startswith("|")]
    columns = next(row for row in cells if {"functions", *FILES} <= set(row))
    return [dict(zip(columns, row)) for row in cells[cells.index(columns) + 2 :]]


def names(cell):
    return re.findall(r"`([^`]*)`", cell)


def missing_files(column, cell):
    patterns, one_is_enough = FILES[column]
    if column == "backends" and "`" in cell and not cell.startswith("`"):
        patterns = ["include/evenfold/algorithm/{}.hpp"]  # a composition: the algorithms it calls
    for name in names(cell):
        paths = [pattern.format(name) for pattern in patterns]
        missing = [path for path in paths if not pathlib.Path(path).is_file()]
        if one_is_enough and len(missing) < len(paths):
            continue
        yield from (f"there is no file {path}" for path in missing)


def missing_functions(row):
    headers = [INCLUDE / name for name in names(row["header"])]
    text = "\n".join(path.read_text() for path in headers if path.is_file())
    includes = re.findall(r'#include "(evenfold/[^"]*)"', text)
    for path in [pathlib.Path("include", name) for name in includes]:
        text += path.read_text() if path.is_file() else ""
    for function in names(row["functions"]):
        if not re.search(rf"\b{function}\b", text):
            yield f"`{function}` is not declared there"
    for operation in names(row["runtime"]):
        family, _, name = operation.partition("::")
        header = pathlib.Path(f"runtime/{family}.hpp")
        if not header.is_file() or not re.search(rf"\b{name}\(", header.read_text()):
            yield f"{header} has no operation `{name}`"


def public_headers():
    """Those of algorithm/, and the compositions that evenfold.hpp includes."""
    everything = (INCLUDE / "evenfold.hpp").read_text()
    folders = "matrix|sparse|graph|table|geo"
    yield from re.findall(rf'#include "evenfold/((?:{folders})/[^"]*)"', everything)
    yield from (f"algorithm/{path.name}" for path in (INCLUDE / "algorithm").glob("*.hpp"))


table = rows()
found = []
for row in table:
    problems = [problem for column in FILES for problem in missing_files(column, row[column])]
    problems += missing_functions(row)
    found += [f"docs/algorithms.md: {row['header']}: {problem}" for problem in problems]
listed = {name for row in table for name in names(row["header"])}
for header in sorted(set(public_headers()) - listed):
    found.append(f"docs/algorithms.md: no row has the header {header}")
print("\n".join([*found, f"{len(table)} rows in the table of algorithms, {len(found)} faults"]))
sys.exit(1 if found else 0)
