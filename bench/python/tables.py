"""Groups and joins."""

from __future__ import annotations

import evenfold as ef
import numpy as np
from harness import Match, Setting, case, library


@case("sum per key, 2^22 float64, 2^16 int64 keys")
def group_sums(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    keys = random.integers(0, use.power(16), use.power(22))
    values = random.random(keys.size)

    def ours() -> tuple[np.ndarray, np.ndarray]:
        found = ef.group_by(keys, values)
        return found.keys, found.rows.sum()

    match.add("evenfold group_by, sum", ours)
    if pandas := library("pandas"):
        frame = pandas.DataFrame({"k": keys, "v": values})
        match.add(
            "pandas groupby, sum",
            lambda: frame.groupby("k").v.sum(),
            lambda r: (r.index.to_numpy(), r.to_numpy()),
        )
    if polars := library("polars"):
        data = polars.DataFrame({"k": keys, "v": values})
        match.add(
            "polars group_by, sum, sort",
            lambda: data.group_by("k").agg(polars.col("v").sum()).sort("k"),
            lambda r: (r["k"].to_numpy(), r["v"].to_numpy()),
        )
    match.add(
        "numpy bincount of small keys",
        lambda: np.bincount(keys, values),
        lambda sums: (np.unique(keys), sums[np.unique(keys)]),
    )
    return match


@case("median per key, 2^22 float64, 2^16 int64 keys")
def group_medians(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    keys = random.integers(0, use.power(16), use.power(22))
    values = random.random(keys.size)

    def ours() -> np.ndarray:
        rows = ef.group_by(keys, values).rows.sort()
        first, lengths = rows.offsets[:-1], np.diff(rows.offsets)
        return (rows.values[first + (lengths - 1) // 2] + rows.values[first + lengths // 2]) / 2

    match.add("evenfold group_by, sort", ours)
    if pandas := library("pandas"):
        frame = pandas.DataFrame({"k": keys, "v": values})
        match.add("pandas groupby, median", lambda: frame.groupby("k").v.median())
    if polars := library("polars"):
        data = polars.DataFrame({"k": keys, "v": values})
        match.add(
            "polars group_by, median, sort",
            lambda: data.group_by("k").agg(polars.col("v").median()).sort("k"),
            lambda r: r["v"].to_numpy(),
        )
    return match


def sorted_pairs(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.lexsort((right, left))
    return left[order], right[order]


@case("inner join of 2^20 and 2^20 int64 keys, 1 to 1 on average")
def join(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    rows = use.power(20)
    left, right = random.integers(0, rows, rows), random.integers(0, rows, rows)
    match.add("evenfold join", lambda: ef.join(left, right), lambda r: sorted_pairs(*r))
    if pandas := library("pandas"):
        a = pandas.DataFrame({"k": left, "a": np.arange(rows)})
        b = pandas.DataFrame({"k": right, "b": np.arange(rows)})
        match.add(
            "pandas merge",
            lambda: a.merge(b, on="k"),
            lambda r: sorted_pairs(r["a"].to_numpy(), r["b"].to_numpy()),
        )
    if polars := library("polars"):
        c = polars.DataFrame({"k": left, "a": np.arange(rows)})
        d = polars.DataFrame({"k": right, "b": np.arange(rows)})
        match.add(
            "polars join",
            lambda: c.join(d, on="k"),
            lambda r: sorted_pairs(r["a"].to_numpy(), r["b"].to_numpy()),
        )
    return match


@case("order of 2^20 rows by int32, then float64")
def sort_columns(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    first = random.integers(0, 1000, use.power(20), dtype="int32")
    second = random.random(first.size)
    match.add("evenfold sort_columns", lambda: ef.sort_columns([first, second]))
    match.add("numpy lexsort", lambda: np.lexsort((second, first)))
    if polars := library("polars"):
        data = polars.DataFrame({"a": first, "b": second})
        match.add(
            "polars arg_sort_by",
            lambda: data.select(polars.arg_sort_by("a", "b"))["a"].to_numpy(),
        )
    return match
