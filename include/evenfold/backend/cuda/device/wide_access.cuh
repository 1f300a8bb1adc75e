#pragma once
// Vectorized loads and stores: neighbouring values are moved up to 16 bytes at a time, which keeps
// more memory requests in flight than 4 bytes per lane.
//
// The values of function objects whose type tells where they lie (element_of, elementwise) are read
// in packs; any other function is called once per value, in two steps if it has these.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "evenfold/backend/cuda/device/block.cuh"
#include "evenfold/backend/cuda/device/conversion.cuh"
#include "evenfold/core/access.hpp"
#include "evenfold/core/bits.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuple.hpp"

namespace evenfold::device {

inline constexpr std::size_t widest_access = 16;

/// The number of neighbouring values of T that one access moves.
template <class T>
inline constexpr int widest_pack =
    widest_access % sizeof(T) == 0 ? static_cast<int>(widest_access / sizeof(T)) : 1;

/// `Width` neighbouring values.
template <class T, int Width>
struct pack {
  uninitialized<T> value[Width];
};

template <std::size_t Bytes>
struct access_word;
template <>
struct access_word<1> {
  using type = unsigned char;
};
template <>
struct access_word<2> {
  using type = unsigned short;
};
template <>
struct access_word<4> {
  using type = unsigned;
};
template <>
struct access_word<8> {
  using type = uint2;
};
template <>
struct access_word<16> {
  using type = uint4;
};

template <class T, int Width>
inline constexpr bool is_one_access =
    sizeof(T) * Width <= widest_access && widest_access % (sizeof(T) * Width) == 0;

/// Reads a pack. A pack that is one access must be aligned to its size. Plain loads: a matrix that
/// fits the L2 cache stays there, and larger ones are read no faster with a cache hint.
template <int Width, class T>
__device__ pack<std::remove_const_t<T>, Width> load_pack(T* from) {
  pack<std::remove_const_t<T>, Width> result;
  if constexpr (is_one_access<T, Width>) {
    using word = typename access_word<sizeof(T) * Width>::type;
    const word raw = *reinterpret_cast<const word*>(from);
    memcpy(static_cast<void*>(&result), &raw, sizeof(raw));
  } else {
#pragma unroll
    for (int k = 0; k < Width; ++k)
      result.value[k] = uninitialized<std::remove_const_t<T>>(from[k]);
  }
  return result;
}

/// Writes values that are not read again soon. They must be aligned as for load_pack; where they
/// take several accesses, to the size of one.
template <class T, int Width>
__device__ void store_pack(T* to, const pack<T, Width>& values) {
  if constexpr (is_one_access<T, Width>) {
    using word = typename access_word<sizeof(T) * Width>::type;
    word raw;
    memcpy(&raw, static_cast<const void*>(&values), sizeof(raw));
    __stcs(reinterpret_cast<word*>(to), raw);
  } else if constexpr (Width > 1 && Width % widest_pack<T> == 0) {
    constexpr int part = widest_pack<T>;
#pragma unroll
    for (int k = 0; k < Width; k += part) {
      pack<T, part> some;
      memcpy(static_cast<void*>(&some), static_cast<const void*>(values.value + k), sizeof(some));
      store_pack(to + k, some);
    }
  } else {
#pragma unroll
    for (int k = 0; k < Width; ++k) to[k] = values.value[k].value;
  }
}

/// The bytes from byte `shift` on of two neighbouring words of `Words` * 4 bytes each, of which the
/// first comes first in `word`, are moved to its beginning.
template <int Words>
__device__ void shift_words(std::uint32_t (&word)[2 * Words], unsigned shift) {
#pragma unroll
  for (int step = Words / 2; step > 0; step /= 2) {
    const bool moves = (shift / 4 & static_cast<unsigned>(step)) != 0;
#pragma unroll
    for (int k = 0; k < Words + step; ++k) word[k] = moves ? word[k + step] : word[k];
  }
#pragma unroll
  for (int k = 0; k < Words; ++k) word[k] = __funnelshift_r(word[k], word[k + 1], shift * 8);
}

/// How many bytes after a multiple of `bytes` an address is.
template <class T>
EF_HD unsigned bytes_after_multiple(const T* pointer, std::size_t bytes) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pointer) % bytes);
}
template <class T>
EF_HD bool lies_at_multiple(const T* pointer, std::size_t bytes) {
  return bytes_after_multiple(pointer, bytes) == 0;
}
/// The last multiple of `bytes` up to an address.
template <class T>
__device__ T* multiple_up_to(T* pointer, std::size_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) -
                              bytes_after_multiple(pointer, bytes));
}

/// Reads a pack at any address, from the two aligned words that contain it. All of both words must
/// be readable, unless the pack is aligned.
template <int Width, class T>
__device__ pack<std::remove_const_t<T>, Width> load_shifted_pack(T* from) {
  constexpr std::size_t bytes = sizeof(T) * Width;
  static_assert(is_one_access<T, Width> && bytes % 8 == 0);
  const unsigned shift = bytes_after_multiple(from, bytes);
  // Words from the start: a pack of bytes would be taken apart and put together byte by byte.
  using access = typename access_word<bytes>::type;
  const auto* const aligned = reinterpret_cast<const access*>(multiple_up_to(from, bytes));
  const access low = aligned[0];
  access high = low;
  if (shift != 0) high = aligned[1];
  constexpr int words = static_cast<int>(bytes / 4);
  std::uint32_t word[2 * words];
  memcpy(word, &low, sizeof(low));
  memcpy(word + words, &high, sizeof(high));
  shift_words<words>(word, shift);
  pack<std::remove_const_t<T>, Width> result;
  memcpy(static_cast<void*>(&result), word, sizeof(result));
  return result;
}

/// How many elements after a whole number of rows of 32 an element lies in memory, so that a warp
/// that begins so much earlier reads or writes whole lines.
template <class T>
__device__ int place_in_row(const T* element) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(element) / sizeof(T) % warp_threads);
}

/// How the values of a function are read; by default with one call per value.
template <class F>
struct reader {
  static constexpr int widest = 1;
  static constexpr std::size_t item_size = 0;
  __device__ static int place_in_row(const F&, std::uint64_t) { return 0; }
};

template <class T, class P>
struct reader<element_of<T, P*>> {
  static constexpr int widest = widest_pack<P>;
  static constexpr int sequences = 1;
  /// The size of what is read for an item.
  static constexpr std::size_t item_size = sizeof(P);
  /// Whether the elements of all sequences have the same size, and nothing else is read.
  static constexpr bool have_one_size = true;
  __device__ static int place_in_row(const element_of<T, P*>& f, std::uint64_t at) {
    return device::place_in_row(f.input + at);
  }
  /// How many bytes after a multiple of `bytes` each sequence begins.
  __device__ static void shifts(const element_of<T, P*>& f, std::size_t bytes,
                                unsigned (&shift)[1]) {
    shift[0] = bytes_after_multiple(f.input, bytes);
  }
  /// The same function of what begins at that multiple.
  __device__ static element_of<T, P*> aligned_down(const element_of<T, P*>& f, std::size_t bytes) {
    return {multiple_up_to(f.input, bytes)};
  }
  /// Whether a pack from element `at` on can be read.
  template <int Width>
  EF_HD static bool aligned(const element_of<T, P*>& f, std::uint64_t at = 0) {
    return lies_at_multiple(f.input + at, sizeof(P) * Width);
  }
  template <int Width>
  __device__ static auto fetch(const element_of<T, P*>& f, std::uint64_t at) {
    return load_pack<Width>(f.input + at);
  }
  template <int Width>
  __device__ static auto fetch_shifted(const element_of<T, P*>& f, std::uint64_t at) {
    return load_shifted_pack<Width>(f.input + at);
  }
  template <class Pack>
  __device__ static T value(const element_of<T, P*>&, const Pack& from, int k) {
    return convert<T>(from.value[k].value);
  }
};

template <class F, class... P>
struct reader<elementwise<F, P*...>> {
  static constexpr int widest = [] {
    int least = static_cast<int>(widest_access);
    ((least = widest_pack<P> < least ? widest_pack<P> : least), ...);
    return least;
  }();
  using inputs = std::index_sequence_for<P...>;
  static constexpr int sequences = sizeof...(P);
  static constexpr std::size_t item_size = (sizeof(P) + ...);
  static constexpr bool have_one_size = ((sizeof(P) * sizeof...(P) == item_size) && ...);

  __device__ static void shifts(const elementwise<F, P*...>& f, std::size_t bytes,
                                unsigned (&shift)[sizeof...(P)]) {
    shifts(f, bytes, shift, inputs{});
  }
  __device__ static elementwise<F, P*...> aligned_down(const elementwise<F, P*...>& f,
                                                       std::size_t bytes) {
    return aligned_down(f, bytes, inputs{});
  }
  /// That of the first sequence.
  __device__ static int place_in_row(const elementwise<F, P*...>& f, std::uint64_t at) {
    return device::place_in_row(get<0>(f.inputs) + at);
  }
  template <int Width>
  EF_HD static bool aligned(const elementwise<F, P*...>& f, std::uint64_t at = 0) {
    return aligned<Width>(f, at, inputs{});
  }
  template <int Width>
  __device__ static auto fetch(const elementwise<F, P*...>& f, std::uint64_t at) {
    return fetch<Width>(f, at, inputs{});
  }
  template <int Width>
  __device__ static auto fetch_shifted(const elementwise<F, P*...>& f, std::uint64_t at) {
    return fetch_shifted<Width>(f, at, inputs{});
  }
  template <class Packs>
  __device__ static decltype(auto) value(const elementwise<F, P*...>& f, const Packs& from, int k) {
    return value(f, from, k, inputs{});
  }

 private:
  template <std::size_t... I>
  __device__ static void shifts(const elementwise<F, P*...>& f, std::size_t bytes, unsigned* shift,
                                std::index_sequence<I...>) {
    ((shift[I] = bytes_after_multiple(get<I>(f.inputs), bytes)), ...);
  }
  template <std::size_t... I>
  __device__ static elementwise<F, P*...> aligned_down(const elementwise<F, P*...>& f,
                                                       std::size_t bytes,
                                                       std::index_sequence<I...>) {
    return elementwise<F, P*...>(f.f, multiple_up_to(get<I>(f.inputs), bytes)...);
  }
  template <int Width, std::size_t... I>
  EF_HD static bool aligned(const elementwise<F, P*...>& f, std::uint64_t at,
                            std::index_sequence<I...>) {
    return (lies_at_multiple(get<I>(f.inputs) + at, sizeof(P) * Width) && ...);
  }
  template <int Width, std::size_t... I>
  __device__ static auto fetch(const elementwise<F, P*...>& f, std::uint64_t at,
                               std::index_sequence<I...>) {
    return tuple<pack<std::remove_const_t<P>, Width>...>(
        load_pack<Width>(get<I>(f.inputs) + at)...);
  }
  template <int Width, std::size_t... I>
  __device__ static auto fetch_shifted(const elementwise<F, P*...>& f, std::uint64_t at,
                                       std::index_sequence<I...>) {
    return tuple<pack<std::remove_const_t<P>, Width>...>(
        load_shifted_pack<Width>(get<I>(f.inputs) + at)...);
  }
  template <class Packs, std::size_t... I>
  __device__ static decltype(auto) value(const elementwise<F, P*...>& f, const Packs& from, int k,
                                         std::index_sequence<I...>) {
    return f.f(get<I>(from).value[k].value...);
  }
};

template <class T, class F, class P>
struct reader<with_previous<T, F, P*>> {
  static constexpr int widest = widest_pack<P>;
  static constexpr int sequences = 1;
  static constexpr std::size_t item_size = sizeof(P);
  static constexpr bool have_one_size = false;
  __device__ static int place_in_row(const with_previous<T, F, P*>& f, std::uint64_t at) {
    return device::place_in_row(f.input + at);
  }

  /// A pack, and the element before it unless it is the first.
  template <class Pack>
  struct elements {
    Pack own;
    uninitialized<std::remove_const_t<P>> previous;
    bool is_first;
  };

  template <int Width>
  EF_HD static bool aligned(const with_previous<T, F, P*>& f, std::uint64_t at = 0) {
    return lies_at_multiple(f.input + at, sizeof(P) * Width);
  }
  template <int Width>
  __device__ static auto fetch(const with_previous<T, F, P*>& f, std::uint64_t at) {
    return with_one_before(f, at, load_pack<Width>(f.input + at));
  }
  template <int Width>
  __device__ static auto fetch_shifted(const with_previous<T, F, P*>& f, std::uint64_t at) {
    return with_one_before(f, at, load_shifted_pack<Width>(f.input + at));
  }
  template <class Elements>
  __device__ static T value(const with_previous<T, F, P*>& f, const Elements& from, int k) {
    const auto& element = from.own.value[k].value;
    if (k == 0 && from.is_first) return static_cast<T>(element);
    return static_cast<T>(f.f(element, k == 0 ? from.previous.value : from.own.value[k - 1].value));
  }

 private:
  /// The lane before has just read that element, so that it comes from L1.
  template <class Pack>
  __device__ static auto with_one_before(const with_previous<T, F, P*>& f, std::uint64_t at,
                                         const Pack& own) {
    const bool is_first = at == 0;
    return elements<Pack>{
        own, uninitialized<std::remove_const_t<P>>(f.input[is_first ? 0 : at - 1]), is_first};
  }
};

/// Whether a function reads its values from one sequence in memory.
template <class F>
inline constexpr bool is_one_sequence = false;
template <class F>
  requires requires { reader<F>::sequences; }
inline constexpr bool is_one_sequence<F> = reader<F>::sequences == 1;

/// The number of neighbouring values of F that a lane reads at once if it reads `Items` values of a
/// tile.
template <class F, int Items>
inline constexpr int tile_pack = detail::greatest_common_divisor(reader<F>::widest, Items);

/// Reads the Threads * Items values of a tile from `base`, a multiple of their number, on. Thread t
/// of the Threads gets packs t, Threads + t, ... of tile_pack values whatever their alignment. All
/// loads are issued before the first value is used.
template <int Threads, int Items, class T, class Size, class F>
__device__ void load_tile(std::uint64_t base, const F& f, unsigned thread,
                          uninitialized<T> (&loaded)[Items]) {
  constexpr int width = tile_pack<F, Items>;
  constexpr int packs = Items / width;
  const auto index = [&](int j) { return base + (j * Threads + thread) * width; };
  if constexpr (width > 1) {
    if (reader<F>::template aligned<width>(f)) {
      decltype(reader<F>::template fetch<width>(f, base)) raw[packs];
#pragma unroll
      for (int j = 0; j < packs; ++j) raw[j] = reader<F>::template fetch<width>(f, index(j));
#pragma unroll
      for (int j = 0; j < Items; ++j) {
        loaded[j] =
            uninitialized<T>(static_cast<T>(reader<F>::value(f, raw[j / width], j % width)));
      }
      return;
    }
  }
  const auto item = [&](int j) { return static_cast<Size>(index(j / width) + j % width); };
  if constexpr (reads_then_writes<F, Size>) {
    decltype(f.read(Size{})) raw[Items];
#pragma unroll
    for (int j = 0; j < Items; ++j) raw[j] = f.read(item(j));
#pragma unroll
    for (int j = 0; j < Items; ++j) {
      loaded[j] = uninitialized<T>(static_cast<T>(f.write(item(j), raw[j])));
    }
  } else {
#pragma unroll
    for (int j = 0; j < Items; ++j) loaded[j] = uninitialized<T>(static_cast<T>(f(item(j))));
  }
}

}  // namespace evenfold::device
