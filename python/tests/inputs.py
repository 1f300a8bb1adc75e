"""Random arrays for tests of properties."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
quick = settings(max_examples=40, deadline=None)


def numbers(dtypes, max_side=60, dims=1):
    shapes = hnp.array_shapes(min_dims=dims, max_dims=dims, min_side=0, max_side=max_side)
    dtype = st.sampled_from(dtypes).map(np.dtype)
    return dtype.flatmap(lambda d: hnp.arrays(d, shapes))
