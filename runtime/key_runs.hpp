#pragma once
// Runs of equal keys and the different keys among many, as the operations of sequences.cpp find
// them: functions of a run, keys where NaN are one key, and bins of the codes of keys.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/radix_key.hpp"
#include "evenfold/core/random.hpp"
#include "runtime/elements.hpp"

namespace evenfold::runtime {

/// The length of run r.
struct length_of_run {
  const std::int64_t* begins;
  std::int64_t num_runs, count;
  EF_HD std::int64_t operator()(std::int64_t run) const {
    return (run + 1 < num_runs ? begins[run + 1] : count) - begins[run];
  }
};

/// The first index of run r, and its length.
struct describe_run {
  const std::int64_t* begins;
  const std::int64_t* order;
  std::int64_t num_runs, count;
  std::int64_t* firsts;
  std::int64_t* counts;
  EF_HD void operator()(std::int64_t run) const {
    firsts[run] = order[begins[run]];
    counts[run] = length_of_run{begins, num_runs, count}(run);
  }
};

/// Whether a run begins at position k > 0 of the order, as a number.
struct is_next_run {
  const unsigned char* begins;
  EF_HD std::int64_t operator()(std::int64_t k) const { return k > 0 && begins[k] != 0 ? 1 : 0; }
};

/// Keys where NaN are one key.
template <class Keys>
struct with_one_nan {
  using value_type = typename Keys::value_type;
  Keys keys;
  template <std::integral Size>
  EF_HD constexpr value_type operator[](Size i) const {
    const value_type key = keys[i];
    if constexpr (std::is_floating_point_v<value_type>) {
      constexpr value_type nan = last_key<value_type>;
      if (key != key) return nan;
    }
    return key;
  }
};

/// Whether two keys are equal, where NaN are one key.
struct equal_or_nan {
  template <class Key>
  EF_HD constexpr bool operator()(const Key& a, const Key& b) const {
    return a == b || (a != a && b != b);
  }
};

/// Codes from `low` on have bins.
struct bin_of_code {
  std::uint64_t low;
  EF_HD std::int64_t operator()(std::uint64_t code) const {
    return static_cast<std::int64_t>(code - low);
  }
};
struct is_not_empty {
  const std::int64_t* counts;
  EF_HD bool operator()(std::int64_t bin) const { return counts[bin] > 0; }
};
/// emit: writes the code of a bin and its count.
struct write_bin {
  std::uint64_t low;
  const std::int64_t* counts;
  std::uint64_t* codes;
  std::int64_t* kept_counts;
  EF_HD void operator()(std::int64_t to, std::int64_t bin) const {
    codes[to] = low + static_cast<std::uint64_t>(bin);
    kept_counts[to] = counts[bin];
  }
};

/// The tables of counts are at most as large as a cache.
inline constexpr int most_bin_bits = 20;

/// Whether a sample of keys on the host says that few may be different, or that the range of
/// integers may be small. Of as many different keys as tables count, twice `least_repeats` of the
/// sample are equal to another one on average. The positions are random: keys at equal distances
/// differ also where each is repeated.
template <class T>
bool may_be_few(const T* keys, std::int64_t count) {
  constexpr std::int64_t most = 4096, least_repeats = 32;
  if (count < (std::int64_t{1} << 16)) return true;
  const std::int64_t size = std::min(most, count / 64);
  const random_stream positions(0);
  std::vector<std::uint64_t> sample(static_cast<std::size_t>(size));
  for (std::int64_t k = 0; k < size; ++k) {
    const std::uint64_t bits = positions.bits64(static_cast<std::uint64_t>(k));
    sample[static_cast<std::size_t>(k)] =
        code_of_key<T>{false}(keys[bits % static_cast<std::uint64_t>(count)]);
  }
  std::ranges::sort(sample);
  std::int64_t repeats = 0;
  for (std::size_t k = 1; k < sample.size(); ++k) repeats += sample[k] == sample[k - 1] ? 1 : 0;
  const bool may_have_bins =
      std::is_integral_v<T> && (sample.back() - sample.front()) >> most_bin_bits == 0;
  return repeats >= least_repeats || may_have_bins;
}

/// Replaces zero and NaN among the different keys by those that a stable sort of the keys puts
/// first: the first of the zeros with signs, and the NaN whose bits come first.
template <class T>
void take_first_bits(const T* keys, std::size_t count, T* different, std::size_t num_different) {
  if constexpr (std::is_floating_point_v<T>) {
    T* const end = different + num_different;
    T* const zero = std::find(different, end, T{0});
    if (zero != end) *zero = *std::find(keys, keys + count, T{0});
    T& last = end[-1];
    if (last == last) return;
    const auto is_nan = [](T x) { return x != x; };
    const T* nan = std::find_if(keys, keys + count, is_nan);
    last = *nan;
    while ((nan = std::find_if(nan + 1, keys + count, is_nan)) != keys + count) {
      if (detail::radix_key<less>(*nan) < detail::radix_key<less>(last)) last = *nan;
    }
  }
}

}  // namespace evenfold::runtime
