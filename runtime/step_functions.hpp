#pragma once
// The arithmetic of expressions, for one item. The same text is compiled into the loops for the
// host and, by NVRTC, into kernels, where there are no headers to include.
//
// Integers wrap around; a quotient of integers by 0 is 0, as in NumPy.

#if !defined(__CUDACC_RTC__)
#include <math.h>
#endif

namespace evenfold::steps {

template <class T>
struct unsigned_of {
  using type = T;
};
template <>
struct unsigned_of<signed char> {
  using type = unsigned;
};
template <>
struct unsigned_of<unsigned char> {
  using type = unsigned;
};
template <>
struct unsigned_of<short> {
  using type = unsigned;
};
template <>
struct unsigned_of<unsigned short> {
  using type = unsigned;
};
template <>
struct unsigned_of<int> {
  using type = unsigned;
};
template <>
struct unsigned_of<long> {
  using type = unsigned long;
};
template <>
struct unsigned_of<long long> {
  using type = unsigned long long;
};

/// The type in which T wraps around instead of overflowing: unsigned for integers, of 32 bits or
/// more since C++ computes in no fewer, and T itself for floating-point numbers.
template <class T>
using wrapping = typename unsigned_of<T>::type;

template <class T>
inline constexpr bool is_float = T(1) / T(2) != T(0);
template <class T>
inline constexpr bool is_signed = T(-1) < T(0);

struct add {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
  }
};
struct subtract {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(static_cast<wrapping<T>>(a) - static_cast<wrapping<T>>(b));
  }
};
struct multiply {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
  }
};
struct negative {
  template <class T>
  constexpr T operator()(T a) const {
    if constexpr (is_float<T>) {
      return -a;
    } else {
      return static_cast<T>(wrapping<T>(0) - static_cast<wrapping<T>>(a));
    }
  }
};
struct absolute {
  template <class T>
  constexpr T operator()(T a) const {
    if constexpr (is_float<T>) {
      return ::fabs(a);
    } else {
      return a < 0 ? negative{}(a) : a;
    }
  }
};

/// The quotient, rounded down, as in NumPy.
struct floor_divide {
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (is_float<T>) {
      if (b == 0) return a / b;
      const T rest = ::fmod(a, b);
      T quotient = (a - rest) / b;
      if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
      if (quotient == 0) return ::copysign(T(0), a / b);
      const T floor = ::floor(quotient);
      return quotient - floor > T(0.5) ? floor + 1 : floor;
    } else {
      if (b == 0) return 0;
      if constexpr (is_signed<T>) {
        if (b == -1) return negative{}(a);
      }
      return static_cast<T>(a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));
    }
  }
};

/// The remainder of floor_divide, which has the sign of b.
struct remainder {
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (is_float<T>) {
      const T rest = ::fmod(a, b);
      if (b == 0) return rest;
      if (rest == 0) return ::copysign(T(0), b);
      return (b < 0) != (rest < 0) ? rest + b : rest;
    } else {
      if (b == 0) return 0;
      if constexpr (is_signed<T>) {
        if (b == -1) return 0;
      }
      const T rest = static_cast<T>(a % b);
      return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
    }
  }
};

struct left_shift {
  template <class T>
  constexpr T operator()(T a, T b) const {
    const auto by = static_cast<wrapping<T>>(b);
    return by < 8 * sizeof(T) ? static_cast<T>(static_cast<wrapping<T>>(a) << by) : T(0);
  }
};
struct right_shift {
  template <class T>
  constexpr T operator()(T a, T b) const {
    if (static_cast<wrapping<T>>(b) < 8 * sizeof(T)) return static_cast<T>(a >> b);
    return a < 0 ? static_cast<T>(-1) : T(0);
  }
};

template <int Bytes>
struct bits_of {
  using type = unsigned;
};
template <>
struct bits_of<8> {
  using type = unsigned long long;
};

/// The minimum of IEEE 754-2019: NaN if an operand is NaN, and -0 is less than +0.
struct minimum {
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (is_float<T>) {
      // These two differ only for zeros and NaN; then they are both operands.
      using bits = typename bits_of<sizeof(T)>::type;
      return __builtin_bit_cast(
          T, __builtin_bit_cast(bits, b < a ? b : a) | __builtin_bit_cast(bits, a < b ? a : b));
    } else {
      return b < a ? b : a;
    }
  }
};
struct maximum {
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (is_float<T>) {
      return -minimum{}(-a, -b);
    } else {
      return a < b ? b : a;
    }
  }
};

/// Another type. A floating-point number that 64 bits do not hold becomes the smallest integer.
template <class To>
struct cast {
  template <class From>
  constexpr To operator()(From a) const {
    if constexpr (is_float<From> && !is_float<To>) {
      constexpr From beyond = is_signed<To> ? From(0x1p63) : From(0x1p64);
      if constexpr (is_signed<To>) {
        const bool fits = a < beyond && a >= -beyond;
        return static_cast<To>(fits ? static_cast<long long>(a) : -0x7fffffffffffffffLL - 1);
      } else {
        const bool fits = a < beyond && a > From(-1);
        return static_cast<To>(fits ? static_cast<unsigned long long>(a) : 0ULL);
      }
    } else {
      return static_cast<To>(a);
    }
  }
};

/// Element `index` of a table; negative indices count from the end. Where there is none, `wrong` is
/// set.
template <class T>
T take(const T* table, long long size, long long index, long long* wrong) {
  if (index < 0) index += size;
  if (index >= 0 && index < size) return table[index];
  *wrong = 1;
  return T(0);
}

/// The segment of an item.
inline long long segment_of(const long long* offsets, long long num_segments, long long item) {
  long long first = 0, last = num_segments;
  while (last - first > 1) {
    const long long middle = first + (last - first) / 2;
    if (offsets[middle] <= item) {
      first = middle;
    } else {
      last = middle;
    }
  }
  return first;
}

}  // namespace evenfold::steps
