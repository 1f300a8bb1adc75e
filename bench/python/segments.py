"""Ragged rows: folds, sorts and extremes of each row."""

from __future__ import annotations

from typing import Any

import evenfold as ef
import numpy as np
import shapes
from harness import Match, Setting, case, library


def add_segmented_sums(match: Match, use: Setting, values: np.ndarray, offsets: np.ndarray) -> None:
    there, ends = use.place(values, offsets)
    match.add("evenfold segreduce", lambda: ef.segreduce(there, ends))
    if not use.on_gpu:
        begins = offsets[:-1]
        match.add("numpy add.reduceat", lambda: np.add.reduceat(values, begins))
        if awkward := library("awkward"):
            rows = ef.Ragged(values, offsets).to_awkward()
            match.add("awkward sum", lambda: awkward.sum(rows, axis=1))
        if sparse := library("scipy.sparse"):
            matrix = sparse.csr_array(
                (np.ones_like(values), np.arange(values.size), offsets),
                shape=(offsets.size - 1, values.size),
            )
            match.add("scipy csr @ values", lambda: matrix @ values)
    if use.torch is not None:
        tensor, bounds = use.tensors(values, offsets)
        match.add(
            "torch segment_reduce",
            lambda: use.torch.segment_reduce(tensor, "sum", offsets=bounds, initial=0),
        )
    if use.on_gpu and library("cuda.compute"):
        add_cuda_compute(match, there, ends, values.dtype)


def add_cuda_compute(match: Match, values: Any, offsets: Any, dtype: np.dtype) -> None:
    compute = library("cuda.compute")
    out = 0 * values[: len(offsets) - 1]
    zero = np.zeros(1, dtype)

    def run() -> Any:
        compute.segmented_reduce(
            d_in=values,
            d_out=out,
            num_segments=out.shape[0],
            start_offsets_in=offsets[:-1],
            end_offsets_in=offsets[1:],
            op=compute.OpKind.PLUS,
            h_init=zero,
        )
        return out

    match.add("cuda.compute segmented_reduce", run)


@case("segmented sum of 2^26 float32, rows of 1 to 199", ("cpu", "gpu"))
def sums(use: Setting) -> Match:
    match = Match(tolerance=1e-4)
    values = np.random.default_rng(0).random(use.power(26), "float32")
    add_segmented_sums(match, use, values, shapes.uniform(values.size, 100))
    return match


@case("segmented sum of 2^26 float32, half in one row, others of 1 to 4", ("cpu", "gpu"))
def skewed_sums(use: Setting) -> Match:
    # NumPy and others add in float32 one by one, which is wrong in the fourth place for 2^25 items;
    # small integers have no rounding as long as the sums are below 2^24.
    match = Match(tolerance=1e-4)
    values = (np.random.default_rng(0).random(use.power(26)) < 0.25).astype("float32")
    add_segmented_sums(match, use, values, shapes.skewed(values.size))
    return match


def ragged(use: Setting) -> tuple[ef.Ragged, Any]:
    values = np.random.default_rng(0).random(use.power(22))
    rows = ef.Ragged(values, shapes.uniform(values.size, 30))
    awkward = library("awkward")
    return rows, awkward and rows.to_awkward()


@case("sort of each row, 2^22 float64, rows of 1 to 59")
def sorts(use: Setting) -> Match:
    match = Match()
    rows, other = ragged(use)
    awkward = library("awkward")
    match.add("evenfold Ragged.sort", rows.sort, lambda r: r.values)
    if awkward:
        match.add("awkward sort", lambda: awkward.sort(other, axis=1), awkward.flatten)
    row = np.repeat(np.arange(len(rows)), np.diff(rows.offsets))
    match.add("numpy lexsort", lambda: rows.values[np.lexsort((rows.values, row))])
    return match


@case("argmax of each row, 2^22 float64, rows of 1 to 59")
def argmaxes(use: Setting) -> Match:
    match = Match()
    rows, other = ragged(use)
    awkward = library("awkward")
    match.add("evenfold Ragged.argmax", rows.argmax)
    if awkward:
        match.add("awkward argmax", lambda: awkward.argmax(other, axis=1), awkward.to_numpy)
    return match


@case("three largest of each row, 2^22 float64, rows of 1 to 59")
def largest(use: Setting) -> Match:
    match = Match()
    rows, other = ragged(use)
    awkward = library("awkward")
    match.add("evenfold Ragged.topk", lambda: rows.topk(3), lambda r: r.values)
    if awkward:
        match.add(
            "awkward sort, cut",
            lambda: awkward.sort(other, axis=1, ascending=False)[:, :3],
            awkward.flatten,
        )
    return match
