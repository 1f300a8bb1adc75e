"""Flat arrays: sorts, searches, prefixes, histograms."""

from __future__ import annotations

import evenfold as ef
import numpy as np
from harness import Match, Setting, case, library


def add_sorts(match: Match, use: Setting, values: np.ndarray) -> None:
    (there,) = use.place(values)
    match.add("evenfold sort", lambda: ef.sort(there))
    if not use.on_gpu:
        match.add("numpy sort", lambda: np.sort(values))
    elif use.cupy is not None:
        match.add("cupy sort", lambda: use.cupy.sort(there))
    if use.torch is not None:
        (tensor,) = use.tensors(values)
        match.add("torch sort", lambda: use.torch.sort(tensor).values)
    if use.on_gpu and use.cupy is not None and (compute := library("cuda.compute")):
        out = use.cupy.empty_like(there)

        def radix_sort() -> object:
            compute.radix_sort(
                d_in_keys=there,
                d_out_keys=out,
                num_items=values.size,
                order=compute.SortOrder.ASCENDING,
            )
            return out

        match.add("cuda.compute radix_sort", radix_sort)


@case("sort of 2^24 float64", ("cpu", "gpu"))
def sort_doubles(use: Setting) -> Match:
    match = Match()
    add_sorts(match, use, np.random.default_rng(0).random(use.power(24)))
    return match


@case("sort of 2^24 int32", ("cpu", "gpu"))
def sort_integers(use: Setting) -> Match:
    match = Match()
    values = np.random.default_rng(0).integers(-(2**31), 2**31, use.power(24), dtype="int32")
    add_sorts(match, use, values)
    return match


@case("argsort of 2^22 float64, stable", ("cpu", "gpu"))
def argsort(use: Setting) -> Match:
    match = Match()
    values = np.random.default_rng(0).random(use.power(22))
    (there,) = use.place(values)
    match.add("evenfold argsort", lambda: ef.argsort(there))
    if not use.on_gpu:
        match.add("numpy argsort", lambda: np.argsort(values, kind="stable"))
    elif use.cupy is not None:
        match.add("cupy argsort", lambda: use.cupy.argsort(there))
    if use.torch is not None:
        (tensor,) = use.tensors(values)
        match.add("torch argsort", lambda: use.torch.argsort(tensor, stable=True))
    return match


@case("unique of 2^22 int64, 2^16 different ones, with counts", ("cpu", "gpu"))
def unique(use: Setting) -> Match:
    match = Match()
    values = np.random.default_rng(0).integers(0, use.power(16), use.power(22))
    (there,) = use.place(values)
    match.add("evenfold unique", lambda: ef.unique(there, return_counts=True))
    if not use.on_gpu:
        match.add("numpy unique", lambda: np.unique(values, return_counts=True))
    elif use.cupy is not None:
        match.add("cupy unique", lambda: use.cupy.unique(there, return_counts=True))
    if use.torch is not None:
        (tensor,) = use.tensors(values)
        match.add("torch unique", lambda: use.torch.unique(tensor, return_counts=True))
    return match


@case("searchsorted of 2^22 float64 in 2^22", ("cpu", "gpu"))
def searchsorted(use: Setting) -> Match:
    match = Match()
    random = np.random.default_rng(0)
    hay, needles = np.sort(random.random(use.power(22))), random.random(use.power(22))
    there, sought = use.place(hay, needles)
    match.add("evenfold searchsorted", lambda: ef.searchsorted(there, sought))
    if not use.on_gpu:
        match.add("numpy searchsorted", lambda: np.searchsorted(hay, needles))
    elif use.cupy is not None:
        match.add("cupy searchsorted", lambda: use.cupy.searchsorted(there, sought))
    if use.torch is not None:
        tensors = use.tensors(hay, needles)
        match.add("torch searchsorted", lambda: use.torch.searchsorted(*tensors))
    return match


@case("inclusive scan of 2^26 float64", ("cpu", "gpu"))
def scan(use: Setting) -> Match:
    match = Match()
    values = np.random.default_rng(0).random(use.power(26))
    (there,) = use.place(values)
    match.add("evenfold scan", lambda: ef.scan(there))
    if not use.on_gpu:
        match.add("numpy cumsum", lambda: np.cumsum(values))
    elif use.cupy is not None:
        match.add("cupy cumsum", lambda: use.cupy.cumsum(there))
    if use.torch is not None:
        (tensor,) = use.tensors(values)
        match.add("torch cumsum", lambda: use.torch.cumsum(tensor, 0))
    return match


@case("sum of 2^26 float64", ("cpu", "gpu"))
def total(use: Setting) -> Match:
    match = Match()
    values = np.random.default_rng(0).random(use.power(26))
    (there,) = use.place(values)
    match.add("evenfold reduce", lambda: ef.reduce(there))
    if not use.on_gpu:
        match.add("numpy sum", lambda: np.sum(values))
    elif use.cupy is not None:
        match.add("cupy sum", lambda: use.cupy.sum(there))
    if use.torch is not None:
        (tensor,) = use.tensors(values)
        match.add("torch sum", lambda: use.torch.sum(tensor))
    return match


@case("histogram of 2^24 float64, 100 bins", ("cpu", "gpu"))
def histogram(use: Setting) -> Match:
    match = Match()
    values = np.random.default_rng(0).random(use.power(24))
    (there,) = use.place(values)
    match.add("evenfold histogram", lambda: ef.histogram(there, 100, range=(0, 1))[0])
    if not use.on_gpu:
        match.add("numpy histogram", lambda: np.histogram(values, 100, range=(0, 1))[0])
    elif use.cupy is not None:
        match.add("cupy histogram", lambda: use.cupy.histogram(there, 100, range=(0, 1))[0])
    return match


@case("100 largest of 2^24 float64", ("cpu", "gpu"))
def top_k(use: Setting) -> Match:
    match = Match()
    values = np.random.default_rng(0).random(use.power(24))
    (there,) = use.place(values)
    match.add("evenfold top_k", lambda: ef.top_k(there, 100).values)
    if not use.on_gpu:
        match.add("numpy partition", lambda: np.sort(np.partition(values, -100)[-100:])[::-1])
    elif use.cupy is not None:
        xp = use.cupy
        match.add("cupy partition", lambda: xp.sort(xp.partition(there, -100)[-100:])[::-1])
    if use.torch is not None:
        (tensor,) = use.tensors(values)
        match.add("torch topk", lambda: use.torch.topk(tensor, 100).values)
    return match
