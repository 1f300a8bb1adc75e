#pragma once
// gather, scatter, permute: reads or writes elements at a sequence of indices.

#include <concepts>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/access.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

/// out[i] = input[indices[i]] for every i in [0, count).
///
/// - `input`: iterator to more elements than the largest index.
/// - `indices`: iterator to `count` integers, each within `input`; this is not checked. An index
///   may occur more than once.
/// - `out`: iterator to `count` elements; it does not overlap `input`.
///
/// Work O(count); reads each index once and an element for each. No scratch. Deterministic. Does
/// not wait.
///
/// Errors: argument_error for a negative count, or an argument on the wrong side.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: thrust::gather, numpy.take, input[indices] in NumPy.
template <class Tuning = default_tuning, context Context, class Input, class Indices,
          std::integral Size, class Output>
void gather(Context& ctx, Input input, Indices indices, Size count, Output out) {
  detail::check_count("gather", "count", count);
  detail::check_pointer(ctx, "gather", "input", input, count);
  detail::check_pointer(ctx, "gather", "indices", indices, count);
  detail::check_pointer(ctx, "gather", "out", out, count);
  transform<Tuning>(ctx, count, write_result{gathered_element{input, indices}, out});
}

/// out[indices[i]] = input[i] for every i in [0, count).
///
/// - `input`: iterator to `count` elements.
/// - `indices`: iterator to `count` integers, each within `out`, no two of them equal; this is not
///   checked.
/// - `out`: iterator to more elements than the largest index; it does not overlap `input`. Elements
///   without an index keep their values.
///
/// Work O(count); reads each index and each element once and writes each element once. No scratch.
/// Deterministic if no index occurs twice. Does not wait.
///
/// Errors: argument_error for a negative count, or an argument on the wrong side.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: thrust::scatter, numpy.put, out[indices] = input in NumPy.
template <class Tuning = default_tuning, context Context, class Input, class Indices,
          std::integral Size, class Output>
void scatter(Context& ctx, Input input, Indices indices, Size count, Output out) {
  detail::check_count("scatter", "count", count);
  detail::check_pointer(ctx, "scatter", "input", input, count);
  detail::check_pointer(ctx, "scatter", "indices", indices, count);
  detail::check_pointer(ctx, "scatter", "out", out, count);
  using value = element_of<element_t<Input>, Input>;
  using index = element_of<element_t<Indices>, Indices>;
  transform<Tuning>(ctx, count, scatter_result<value, index, Output>{{input}, {indices}, out});
}

/// Permutes `data`: data[i] = the old data[order[i]] for every i in [0, count).
///
/// - `data`: iterator to `count` elements of any trivially copyable type.
/// - `order`: iterator to the integers from 0 to count - 1, each once, as `sort_indices` makes
///   them; this is not checked. It does not overlap `data`.
///
/// Work O(count): a gather and a copy. Scratch: `count` elements. Deterministic. Does not wait.
///
/// Errors: argument_error for a negative count, or an argument on the wrong side; allocation_error,
/// with `data` untouched.
///
/// Example: examples/everyday.cpp.
/// Names elsewhere: data[:] = data[order] in NumPy.
template <class Tuning = default_tuning, context Context, class Data, class Order,
          std::integral Size>
void permute(Context& ctx, Data data, Order order, Size count) {
  detail::check_count("permute", "count", count);
  detail::check_pointer(ctx, "permute", "data", data, count);
  detail::check_pointer(ctx, "permute", "order", order, count);
  using T = element_t<Data>;
  array<T> before(ctx, count);
  transform<Tuning>(ctx, count, write_result{element_of<T, Data>{data}, before.data()});
  transform<Tuning>(ctx, count, write_result{gathered_element{before.data(), order}, data});
}

/// The same for ranges: as many elements are moved as there are indices. The other argument may be
/// of any size, and is not checked.
template <class Tuning = default_tuning, context Context, sequence Input, sized_range Indices,
          sequence Output>
void gather(Context& ctx, const Input& input, const Indices& indices, Output&& out) {
  const std::size_t count = detail::size_of(indices);
  evenfold::gather<Tuning>(ctx, detail::begin_of(input), detail::begin_of(indices), count,
                           detail::output_of("gather", "out", out, count));
}
template <class Tuning = default_tuning, context Context, sequence Input, sized_range Indices,
          sequence Output>
void scatter(Context& ctx, const Input& input, const Indices& indices, Output&& out) {
  const std::size_t count = detail::size_of(indices);
  evenfold::scatter<Tuning>(ctx, detail::input_of("scatter", "input", input, count, "indices"),
                            detail::begin_of(indices), count, detail::begin_of(out));
}
template <class Tuning = default_tuning, context Context, sized_range Data, sequence Order>
void permute(Context& ctx, Data&& data, const Order& order) {
  const std::size_t count = detail::size_of(data);
  evenfold::permute<Tuning>(ctx, detail::begin_of(data),
                            detail::input_of("permute", "order", order, count, "data"), count);
}

}  // namespace evenfold
