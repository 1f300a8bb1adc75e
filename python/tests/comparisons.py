"""What the tests of functions compare results with."""

import numpy as np


def same(found, expected):
    """Whether two arrays have the same dtype and bits; NaN are equal."""
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f")
    if expected.dtype.kind == "f":
        kept = ~np.isnan(expected)
        assert np.array_equal(np.signbit(found[kept]), np.signbit(expected[kept]))
