"""Tracing: a function is called once with symbolic operands, and leaves a list of steps.

The steps are those of runtime/expression.hpp. Numbers and captured arrays are arguments of the
steps, so that another value gives the same steps.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import numpy as np

BOOL, INT64, UINT64, FLOAT64 = map(np.dtype, ("bool", "int64", "uint64", "float64"))

_DTYPES = frozenset(
    [BOOL, INT64, UINT64, FLOAT64, np.dtype("float32")]
    + [np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32)]
)

_NUMBERS = (bool, int, float, np.generic)

Step = tuple[str, str, int, int, int]


class Trace:
    """The steps so far, and the arguments that they refer to."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.numbers: list[int] = []
        self.tables: list[Any] = []
        self.sources: list[str] = []
        #: Whether the function used more of a captured array than its dtype and its elements.
        self.reads_attributes = False
        #: Whether equal numbers are one argument, which makes long traces shorter.
        self.shares_numbers = False
        self._shared: dict[tuple[int, np.dtype[Any]], Value] = {}
        self._known: dict[Step, int] = {}

    def add(self, op: str, dtype: np.dtype[Any], a: int = -1, b: int = -1, c: int = -1) -> Value:
        """The value of a step; the same step is taken once."""
        step = (op, dtype.name, a, b, c)
        if step not in self._known:
            self._known[step] = len(self.steps)
            self.steps.append(step)
        return Value(self, self._known[step], dtype)

    def number(self, value: Any, dtype: np.dtype[Any]) -> Value:
        bits = bits_of(value, dtype)
        if not self.shares_numbers:
            return self.number_of_bits(bits, dtype)
        if (bits, dtype) not in self._shared:
            self._shared[bits, dtype] = self.number_of_bits(bits, dtype)
        return self._shared[bits, dtype]

    def number_of_bits(self, bits: int, dtype: np.dtype[Any]) -> Value:
        self.numbers.append(bits)
        return self.add("scalar", dtype, len(self.numbers) - 1)

    def table(self, array: Any) -> int:
        for i, known in enumerate(self.tables):
            if known is array:
                return i
        self.tables.append(array)
        return len(self.tables) - 1


def bits_of(value: Any, dtype: np.dtype[Any]) -> int:
    """The bytes of a number as an integer."""
    if isinstance(value, int) and dtype.kind in "iu" and not _fits(value, dtype):
        raise OverflowError(f"the number {value} does not fit {dtype}; pass a float, or a smaller one")
    return int.from_bytes(np.asarray(value, dtype).tobytes(), "little")


def _fits(value: int, dtype: np.dtype[Any]) -> bool:
    info = np.iinfo(dtype)
    return bool(info.min <= value <= info.max)


def is_number(value: Any) -> bool:
    return isinstance(value, _NUMBERS) or (isinstance(value, np.ndarray) and value.ndim == 0)


def is_array(value: Any) -> bool:
    """Whether a value is an array that a function can capture."""
    if is_number(value) or isinstance(value, (type, types.ModuleType)):
        return False
    taken = ("__dlpack__", "__cuda_array_interface__", "__arrow_c_array__")
    return any(hasattr(value, name) for name in taken)


class Value:
    """An element that is not known yet, in a function that is traced."""

    __slots__ = ("_trace", "dtype", "step")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, trace: Trace, step: int, dtype: np.dtype[Any]) -> None:
        self._trace = trace
        self.step = step
        self.dtype = dtype

    @property
    def trace(self) -> Trace:
        return self._trace

    def astype(self, dtype: Any) -> Value:
        """The value as another dtype; a fraction is cut off."""
        wanted = np.dtype(dtype)
        if wanted not in _DTYPES:
            raise TypeError(f"a value cannot become {wanted}; pass one of {_dtype_names()}")
        if wanted == self.dtype:
            return self
        return self._trace.add("cast", wanted, self.step)

    def __repr__(self) -> str:
        return f"<an element of {self.dtype} in a function that is traced>"

    # What cannot be traced.

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "the function branches on the value of an element, which is not known when the function"
            " is traced; use evenfold.where(condition, a, b) for if, min and max, and & | ~ for"
            " and, or, not"
        )

    def _refuse_number(self, *_: Any) -> NoReturn:
        raise TypeError(
            "the function needs the value of an element, which is not known when the function is"
            " traced; use functions of NumPy such as numpy.sqrt instead of those of math,"
            " .astype(...) instead of int() and float(), and name captured arrays in the function"
            " itself"
        )

    __float__ = __int__ = __index__ = __complex__ = __array__ = __len__ = _refuse_number
    __iter__ = __getitem__ = _refuse_number

    # Operators.

    def __add__(self, other: Any) -> Value:
        return binary("add", self, other)

    def __radd__(self, other: Any) -> Value:
        return binary("add", other, self)

    def __sub__(self, other: Any) -> Value:
        return binary("subtract", self, other)

    def __rsub__(self, other: Any) -> Value:
        return binary("subtract", other, self)

    def __mul__(self, other: Any) -> Value:
        return binary("multiply", self, other)

    def __rmul__(self, other: Any) -> Value:
        return binary("multiply", other, self)

    def __truediv__(self, other: Any) -> Value:
        return binary("divide", self, other)

    def __rtruediv__(self, other: Any) -> Value:
        return binary("divide", other, self)

    def __floordiv__(self, other: Any) -> Value:
        return binary("floor_divide", self, other)

    def __rfloordiv__(self, other: Any) -> Value:
        return binary("floor_divide", other, self)

    def __mod__(self, other: Any) -> Value:
        return binary("remainder", self, other)

    def __rmod__(self, other: Any) -> Value:
        return binary("remainder", other, self)

    def __pow__(self, other: Any) -> Value:
        return power(self, other)

    def __rpow__(self, other: Any) -> Value:
        return power(other, self)

    def __and__(self, other: Any) -> Value:
        return binary("bit_and", self, other)

    def __rand__(self, other: Any) -> Value:
        return binary("bit_and", other, self)

    def __or__(self, other: Any) -> Value:
        return binary("bit_or", self, other)

    def __ror__(self, other: Any) -> Value:
        return binary("bit_or", other, self)

    def __xor__(self, other: Any) -> Value:
        return binary("bit_xor", self, other)

    def __rxor__(self, other: Any) -> Value:
        return binary("bit_xor", other, self)

    def __lshift__(self, other: Any) -> Value:
        return binary("left_shift", self, other)

    def __rlshift__(self, other: Any) -> Value:
        return binary("left_shift", other, self)

    def __rshift__(self, other: Any) -> Value:
        return binary("right_shift", self, other)

    def __rrshift__(self, other: Any) -> Value:
        return binary("right_shift", other, self)

    def __eq__(self, other: Any) -> Value:  # type: ignore[override]
        return compared("equal", self, other)

    def __ne__(self, other: Any) -> Value:  # type: ignore[override]
        return ~compared("equal", self, other)

    def __lt__(self, other: Any) -> Value:
        return compared("less", self, other)

    def __le__(self, other: Any) -> Value:
        return compared("less_equal", self, other)

    def __gt__(self, other: Any) -> Value:
        return compared("less", other, self)

    def __ge__(self, other: Any) -> Value:
        return compared("less_equal", other, self)

    def __pos__(self) -> Value:
        return self

    def __neg__(self) -> Value:
        if self.dtype == BOOL:
            raise TypeError("a bool has no negative; use ~")
        return computed("negative", self.dtype, self)

    def __abs__(self) -> Value:
        return self if self.dtype.kind in "bu" else computed("absolute", self.dtype, self)

    def __invert__(self) -> Value:
        if self.dtype.kind == "f":
            raise TypeError("~ is for integers and bool, but the operand is a floating-point number")
        return computed("invert", self.dtype, self)

    # Functions of NumPy.

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Any:
        from ._ufuncs import called_ufunc

        return called_ufunc(ufunc, method, operands, options)

    def __array_function__(self, f: Any, _: Any, operands: Any, options: Any) -> Any:
        from ._ufuncs import called_function

        return called_function(f, operands, options)


def dtype_of(array: Any) -> np.dtype[Any]:
    """The dtype of an array of any library, as NumPy names it."""
    name = str(getattr(array, "dtype", None) or np.asarray(array).dtype).rpartition(".")[2]
    dtype = np.dtype(name)
    if dtype not in _DTYPES:
        raise TypeError(
            f"an array has the dtype {name}, but functions are of {_dtype_names()}; convert it"
            " outside of the function, such as with astype"
        )
    return dtype


def _dtype_names() -> str:
    return "integers of up to 64 bits, float32, float64 and bool"


def promoted(*operands: Any) -> np.dtype[Any]:
    """The dtype that NumPy promotes operands to."""
    kinds = [x.dtype if isinstance(x, Value) else x for x in operands]
    for kind in kinds:
        if not (isinstance(kind, np.dtype) or is_number(kind)):
            what = "an array as a whole" if is_array(kind) else repr(kind)
            raise TypeError(
                f"the function combines an element with {what}; operands are elements and numbers;"
                " index the array, or pass it as an argument"
            )
    dtype: np.dtype[Any] = np.result_type(*kinds)
    if dtype not in _DTYPES:
        raise TypeError(f"the operands give {dtype}; functions are of {_dtype_names()}")
    return dtype


def operand(trace: Trace, x: Any, dtype: np.dtype[Any]) -> Value:
    """An operand in a dtype."""
    if not isinstance(x, Value):
        return trace.number(x, dtype)
    if x._trace is not trace:
        raise ValueError(
            "the function uses an element of another call; a function must not keep its operands"
        )
    return x.astype(dtype)


def trace_of(operands: Iterable[Any]) -> Trace:
    return next(x._trace for x in operands if isinstance(x, Value))


def computed(
    op: str, dtype: np.dtype[Any], *operands: Any, result: np.dtype[Any] | None = None
) -> Value:
    """A step whose operands are promoted to a dtype."""
    trace = trace_of(operands)
    steps = [operand(trace, x, dtype).step for x in operands]
    return trace.add(op, result or dtype, *steps)


def binary(op: str, a: Any, b: Any) -> Value:
    dtype = promoted(a, b)
    if op == "divide" and dtype.kind != "f":
        dtype = FLOAT64
    if dtype == BOOL:
        if op == "subtract":
            raise TypeError("bools cannot be subtracted; use ^ or .astype('int64')")
        same = {"add": "bit_or", "maximum": "bit_or", "multiply": "bit_and", "minimum": "bit_and"}
        op = same.get(op, op)
        if op not in ("bit_and", "bit_or", "bit_xor"):
            dtype = np.dtype("int8")
    if dtype.kind == "f" and (op.startswith("bit_") or op.endswith("_shift")):
        raise TypeError(
            f"{op} is for integers and bool, but an operand is a floating-point number; compare it"
            " first"
        )
    return computed(op, dtype, a, b)


def compared(op: str, a: Any, b: Any) -> Value:
    return computed(op, promoted(a, b), a, b, result=BOOL)


def power(a: Any, b: Any) -> Value:
    dtype = promoted(a, b)
    if dtype.kind == "f":
        # As NumPy has them.
        short: dict[float, Callable[[Value], Value]] = {
            2: lambda x: x * x,
            1: lambda x: x,
            0.5: lambda x: computed("sqrt", dtype, x),
            -1: lambda x: 1 / x,
        }
        if is_number(b) and float(b) in short:
            return short[float(b)](a.astype(dtype))
        return computed("power", dtype, a, b)
    if not isinstance(b, (int, np.integer)) or b < 0:
        raise TypeError(
            "an integer has powers whose exponents are numbers, not elements, and not negative; use"
            " .astype('float64') for others"
        )
    base: Value = a.astype(np.dtype("int8") if dtype == BOOL else dtype)
    result: Value | None = None
    exponent = int(b)
    while exponent > 0:
        if exponent % 2:
            result = base if result is None else result * base
        exponent //= 2
        base = base * base if exponent > 0 else base
    return base._trace.number(1, base.dtype) if result is None else result
