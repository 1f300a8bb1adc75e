#pragma once
// unique, unique_offsets: the runs of consecutive equal keys.

#include <concepts>
#include <type_traits>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/core/range.hpp"

namespace evenfold {

/// out[r] = the first key of the r-th run of consecutive equal keys; num_runs[0] = the number of
/// runs.
///
/// Arguments as for `reduce_by_key`; work, scratch, promises and errors as for `compact`, also for
/// the forms below. `unique_offsets` also returns where the runs begin.
///
/// Example: examples/reduce_by_key.cpp.
/// Names elsewhere: thrust::unique_copy, cub::DeviceSelect::Unique, std::unique_copy; numpy.unique,
/// which sorts first.
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size,
          class Equal, class Output>
void unique(Context& ctx, Keys keys, Size count, Equal equal, Output out,
            std::type_identity_t<Size>* num_runs) {
  using Key = element_t<Keys>;
  detail::check_equal<Key, Equal>();
  detail::check_count("unique", "count", count);
  detail::check_pointer(ctx, "unique", "keys", keys, count);
  detail::check_pointer(ctx, "unique", "out", out, count);
  detail::check_optional(ctx, "unique", "num_runs", num_runs);
  backend::compact<Tuning>(ctx, count, element_of<Key, Keys>{keys},
                           detail::begins_run<Keys, Equal>{keys, equal},
                           detail::write_to<Output>{out}, num_runs);
}

/// The same, with the number of runs returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size,
          class Equal, class Output>
Size unique(Context& ctx, Keys keys, Size count, Equal equal, Output out) {
  return detail::counted<Size>(
      ctx, [&](Size* runs) { evenfold::unique<Tuning>(ctx, keys, count, equal, out, runs); });
}

/// keys_out[r] = the first key of the r-th run of consecutive equal keys, offsets[r] = the index of
/// that key; num_runs[0] = the number of runs. So the runs are segments: algorithms over segments
/// take `count`, `offsets` and the number of runs.
///
/// - `offsets`: iterator to as many `Size` as there are runs, at most `count`.
///
/// Example: examples/reduce_by_key.cpp.
/// Names elsewhere: cub::DeviceRunLengthEncode::Encode, which gives lengths; numpy.unique with
/// return_index, which sorts first.
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size,
          class Equal, class KeysOut, class Offsets>
void unique_offsets(Context& ctx, Keys keys, Size count, Equal equal, KeysOut keys_out,
                    Offsets offsets, std::type_identity_t<Size>* num_runs) {
  detail::check_equal<element_t<Keys>, Equal>();
  detail::check_count("unique_offsets", "count", count);
  detail::check_pointer(ctx, "unique_offsets", "keys", keys, count);
  detail::check_pointer(ctx, "unique_offsets", "keys_out", keys_out, count);
  detail::check_pointer(ctx, "unique_offsets", "offsets", offsets, count);
  detail::check_optional(ctx, "unique_offsets", "num_runs", num_runs);
  backend::compact<Tuning>(ctx, count, detail::index_item{},
                           detail::keep_value<detail::begins_run<Keys, Equal>>{{keys, equal}},
                           detail::write_run<Keys, KeysOut, Offsets>{keys, keys_out, offsets},
                           num_runs);
}

/// The same, with the number of runs returned to the host. Waits for it.
template <class Tuning = default_tuning, context Context, class Keys, std::integral Size,
          class Equal, class KeysOut, class Offsets>
Size unique_offsets(Context& ctx, Keys keys, Size count, Equal equal, KeysOut keys_out,
                    Offsets offsets) {
  return detail::counted<Size>(ctx, [&](Size* runs) {
    evenfold::unique_offsets<Tuning>(ctx, keys, count, equal, keys_out, offsets, runs);
  });
}

/// The same for a range of keys: the outputs may be ranges that have room for as many elements as
/// `keys` has. The number of runs is a std::size_t.
template <class Tuning = default_tuning, context Context, sized_range Keys, class Equal,
          sequence Output>
void unique(Context& ctx, const Keys& keys, Equal equal, Output&& out, std::size_t* num_runs) {
  const std::size_t count = detail::size_of(keys);
  evenfold::unique<Tuning>(ctx, detail::begin_of(keys), count, equal,
                           detail::output_of("unique", "out", out, count), num_runs);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, class Equal,
          sequence Output>
std::size_t unique(Context& ctx, const Keys& keys, Equal equal, Output&& out) {
  const std::size_t count = detail::size_of(keys);
  return evenfold::unique<Tuning>(ctx, detail::begin_of(keys), count, equal,
                                  detail::output_of("unique", "out", out, count));
}
template <class Tuning = default_tuning, context Context, sized_range Keys, class Equal,
          sequence KeysOut, sequence Offsets>
void unique_offsets(Context& ctx, const Keys& keys, Equal equal, KeysOut&& keys_out,
                    Offsets&& offsets, std::size_t* num_runs) {
  const std::size_t count = detail::size_of(keys);
  evenfold::unique_offsets<Tuning>(ctx, detail::begin_of(keys), count, equal,
                                   detail::output_of("unique_offsets", "keys_out", keys_out, count),
                                   detail::output_of("unique_offsets", "offsets", offsets, count),
                                   num_runs);
}
template <class Tuning = default_tuning, context Context, sized_range Keys, class Equal,
          sequence KeysOut, sequence Offsets>
std::size_t unique_offsets(Context& ctx, const Keys& keys, Equal equal, KeysOut&& keys_out,
                           Offsets&& offsets) {
  const std::size_t count = detail::size_of(keys);
  return evenfold::unique_offsets<Tuning>(
      ctx, detail::begin_of(keys), count, equal,
      detail::output_of("unique_offsets", "keys_out", keys_out, count),
      detail::output_of("unique_offsets", "offsets", offsets, count));
}

}  // namespace evenfold
