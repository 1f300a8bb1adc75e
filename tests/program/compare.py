"""Compares the outputs of two devices, byte by byte, but for what depends on the device."""

import json
import re

# Entries of a report about times, and about choices that depend on the device.
OF_THE_DEVICE = {"time_ms", "teps", "gb_per_s", "next_level"}


def comparable(value):
    """A report without the entries that depend on the device."""
    if isinstance(value, list):
        return [comparable(v) for v in value]
    if not isinstance(value, dict):
        return value
    return {k: comparable(v) for k, v in value.items() if k not in OF_THE_DEVICE}


def same_report(a, b):
    """None, or the difference of two reports, apart from the widths of the columns of a table."""
    if a.startswith("{") and b.startswith("{"):
        a, b = (json.dumps(comparable(json.loads(text)), indent=1) for text in (a, b))
    a, b = (re.sub("[ ─]+", " ", text).splitlines() for text in (a, b))
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} lines"
    return next((f"{x.strip()[:60]!r} and {y.strip()[:60]!r}" for x, y in zip(a, b) if x != y), None)


def difference(report, files, other_report, other_files):
    """None, or the first difference of two reports and of the files, by name, that were written with them."""
    names = (f"{name} differs" for name in files if files[name] != other_files[name])
    return same_report(report, other_report) or next(names, None)
