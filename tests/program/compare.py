"""Compares the outputs of two devices. Bytes must be equal, or, with a tolerance, numbers must be close."""

import array
import ast
import io
import json
import math
import re
import zipfile

# Entries of a report about times, and about choices that depend on the device.
OF_THE_DEVICE = {"time_ms", "teps", "gb_per_s", "next_level"}

# Cases whose folds do not follow the canonical order on a GPU yet (docs/design.md, "The order of a fold").
OTHER_ORDER = {
    r"aggregate .*--op (sum|mean|product) --axis (rows|columns)": "sums of rows and columns",
    r"betweenness ": "sums over the edges of a vertex",
    r"spmv ": "sums of the rows of a sparse matrix",
    r"pagerank ": "sums of the rows of a sparse matrix",
    r"convert .*\.(mtx|npz)\b": "sums of the entries of a cell",
}

NUMBER = re.compile(r"((?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan)(?![\w.]))")


def has_other_order(case):
    return any(re.match(pattern, case) for pattern in OTHER_ORDER)


def close(a, b, tolerance):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))


def same_text(a, b, tolerance):
    """None, or the difference of two texts. Numbers with a fraction or an exponent may differ by the
    tolerance, if it is not 0; everything else must be equal."""
    ours, theirs = NUMBER.split(a), NUMBER.split(b)
    if len(ours) != len(theirs):
        return f"{len(ours) // 2} and {len(theirs) // 2} numbers"
    for i, (x, y) in enumerate(zip(ours, theirs)):
        both_integral = x.lstrip("+-").isdigit() and y.lstrip("+-").isdigit()
        is_number = i % 2 == 1 and not both_integral and tolerance != 0
        if x != y and not (is_number and close(float(x), float(y), tolerance)):
            return f"{x.strip()[:60]!r} and {y.strip()[:60]!r}"
    return None


def comparable(value, tolerance):
    """A report without the entries that depend on the device. A residual is the difference of nearly
    equal numbers, so that its tolerance is relative to these numbers, not to the residual."""
    if isinstance(value, list):
        return [comparable(v, tolerance) for v in value]
    if not isinstance(value, dict):
        return value
    kept = {k: comparable(v, tolerance) for k, v in value.items() if k not in OF_THE_DEVICE}
    return kept | {k: round(v, 12) for k, v in kept.items() if k == "residual" and tolerance != 0}


def same_report(a, b, tolerance):
    """None, or the difference of two reports, apart from the widths of the columns of a table."""
    if a.startswith("{") and b.startswith("{"):
        a, b = (json.dumps(comparable(json.loads(text), tolerance), indent=1) for text in (a, b))
    return same_text(*(re.sub("[ ─]+", " ", text) for text in (a, b)), tolerance)


def same_npy(a, b):
    """The relative tolerance is 10^-12 for float64 and 10^-5 for float32."""
    parts = []
    for data in (a, b):
        length = int.from_bytes(data[8:10], "little") + 10
        parts.append((ast.literal_eval(data[10:length].decode()), data[length:]))
    (head, x), (other_head, y) = parts
    if head != other_head:
        return f"{head} and {other_head}"
    code, tolerance = {"<f8": ("d", 1e-12), "<f4": ("f", 1e-5)}.get(head["descr"], ("B", 0))
    x, y = array.array(code, x), array.array(code, y)
    if len(x) != len(y):
        return f"{len(x)} and {len(y)} elements"
    for i, (one, other) in enumerate(zip(x, y)):
        if not close(one, other, tolerance):
            return f"element {i}: {one} and {other}"
    return None


def same_npz(a, b):
    ours, theirs = (zipfile.ZipFile(io.BytesIO(data)) for data in (a, b))
    if ours.namelist() != theirs.namelist():
        return f"{ours.namelist()} and {theirs.namelist()}"
    for name in ours.namelist():
        what = same_npy(ours.read(name), theirs.read(name))
        if what:
            return f"{name}: {what}"
    return None


def same_file(name, a, b, tolerance):
    """None, or the difference of two files of that name."""
    if a == b:
        return None
    if tolerance == 0:
        return f"{name} differs"
    kind = name.rsplit(".", 1)[-1]
    if kind == "npy":
        return same_npy(a, b)
    if kind == "npz":
        return same_npz(a, b)
    if kind in ("csv", "txt", "mtx", "svg"):
        return same_text(a.decode(), b.decode(), tolerance)
    return f"{len(a)} and {len(b)} bytes that are not the same"


def difference(report, files, other_report, other_files, tolerance):
    """None, or the first difference of two reports and of the files, by name, that were written with them."""
    faults = [same_report(report, other_report, tolerance)]
    faults += [same_file(name, files[name], other_files[name], tolerance) for name in files]
    return next(filter(None, faults), None)
