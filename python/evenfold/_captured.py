"""What a function may use besides its operands: captured arrays, and functions in C++."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ._trace import INT64, Trace, Value, dtype_of, operand, promoted, trace_of


class Captured:
    """A captured array in a function that is traced: indices give values."""

    def __init__(self, trace: Trace, array: Any) -> None:
        self._trace = trace
        self._array = array

    def __getitem__(self, index: Any) -> Value:
        at = index if isinstance(index, Value) else operand(self._trace, index, INT64)
        if at.dtype.kind not in "iu":
            raise TypeError(
                f"a captured array is indexed by {at.dtype}, but indices are integers; use"
                " .astype('int64'), or evenfold.where for a condition"
            )
        dtype = dtype_of(self._array)
        table = self._trace.table(self._array)
        return self._trace.add("take", dtype, table, at.astype(INT64).step)

    def __getattr__(self, name: str) -> Any:
        self._trace.reads_attributes = True
        return getattr(self._array, name)

    def __len__(self) -> int:
        self._trace.reads_attributes = True
        return len(self._array)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "a captured array is used as a whole, but functions are of elements; index the array,"
            " or pass it as an argument"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = __array_ufunc__ = _refuse


class Cpp:
    """A function of elements in C++: the result of `cpp`."""

    def __init__(self, source: str, dtype: Any) -> None:
        self.source = source
        self.dtype = None if dtype is None else np.dtype(dtype)

    def __call__(self, *operands: Any) -> Value:
        if not 1 <= len(operands) <= 3 or not any(isinstance(x, Value) for x in operands):
            raise TypeError("a function in C++ is called with one, two or three elements")
        trace = trace_of(operands)
        steps = [
            x if isinstance(x, Value) else trace.number(x, np.result_type(x)) for x in operands
        ]
        if self.source not in trace.sources:
            trace.sources.append(self.source)
        op = f"cpp{trace.sources.index(self.source)}"
        dtype = promoted(*steps) if self.dtype is None else self.dtype
        return trace.add(op, dtype, *(step.step for step in steps))
