"""Orders and joins of rows, with NumPy and pandas as oracles."""

import numpy as np
import pandas
import pytest

import evenfold as ef


def test_sort_columns():
    generator = np.random.default_rng(4)
    columns = [generator.integers(0, 4, 500).astype(t) for t in ("int8", "float64", "uint64")]
    assert np.array_equal(ef.sort_columns(columns), np.lexsort(columns[::-1]))


@pytest.mark.parametrize("how", ["inner", "left", "right", "full", "semi", "anti"])
def test_join(how):
    generator = np.random.default_rng(5)
    left = [generator.integers(0, 6, 40), generator.integers(0, 2, 40).astype("float32")]
    right = [generator.integers(0, 6, 30), generator.integers(0, 2, 30).astype("float32")]
    ours = ef.join(left, right, how)
    keys = [list(zip(*(column.tolist() for column in side))) for side in (left, right)]
    pairs = [(i, j) for i, a in enumerate(keys[0]) for j, b in enumerate(keys[1]) if a == b]
    lonely_left = [i for i in range(40) if i not in {i for i, _ in pairs}]
    lonely_right = [j for j in range(30) if j not in {j for _, j in pairs}]
    if how in ("semi", "anti"):
        kept = lonely_left if how == "anti" else sorted({i for i, _ in pairs})
        assert ours.left.tolist() == kept
        return
    expected = list(pairs)
    if how in ("left", "full"):
        expected += [(i, -1) for i in lonely_left]
    if how in ("right", "full"):
        expected += [(-1, j) for j in lonely_right]
    assert sorted(zip(ours.left.tolist(), ours.right.tolist())) == sorted(expected)
    tables = (
        pandas.DataFrame({"a": side[0], "b": side[1], name: np.arange(side[0].size)})
        for name, side in (("left", left), ("right", right))
    )
    merged = next(tables).merge(next(tables), how="outer" if how == "full" else how)
    rows = merged[["left", "right"]].fillna(-1).astype("int64").to_numpy()
    assert sorted(map(tuple, rows.tolist())) == sorted(expected)
