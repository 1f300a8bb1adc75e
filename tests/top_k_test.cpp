#include "evenfold/algorithm/top_k.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

struct operator_less {
  template <class T>
  EF_HD constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

/// Compares the first k keys with those of `sorted`, the positions of all keys after a stable sort.
template <class Key, class Context, class Less>
void check_top_k(Context& ctx, const std::vector<Key>& host,
                 const std::vector<std::int64_t>& sorted, std::int64_t k, Less less) {
  const auto count = static_cast<std::int64_t>(host.size());
  const std::int64_t length = std::min(k, count);
  const std::vector<std::int64_t> order(sorted.begin(), sorted.begin() + length);
  std::vector<Key> expected;
  for (const std::int64_t i : order) expected.push_back(host[i]);

  const array<Key> keys = to_context(ctx, host);
  array<Key> out(ctx, length);
  array<std::int64_t> indices(ctx, length);
  top_k(ctx, keys.data(), count, k, out.data(), less);
  ASSERT_TRUE(to_host(ctx, out) == expected) << k << " of " << count;
  top_k_indices(ctx, keys.data(), count, k, indices.data(), less);
  ASSERT_EQ(to_host(ctx, indices), order) << k << " of " << count;

  // The position of a key as its value.
  std::vector<std::int64_t> positions(host.size());
  std::iota(positions.begin(), positions.end(), std::int64_t{0});
  const array<std::int64_t> values = to_context(ctx, positions);
  array<std::int64_t> out_values(ctx, length);
  top_k_by_key(ctx, keys.data(), values.data(), count, k, out.data(), out_values.data(), less);
  ASSERT_TRUE(to_host(ctx, out) == expected) << k << " of " << count;
  ASSERT_EQ(to_host(ctx, out_values), order) << k << " of " << count;
}

template <class Key, class Context, class Less>
void check_top_k(Context& ctx, const std::vector<Key>& host, const std::vector<std::int64_t>& ks,
                 Less less) {
  std::vector<std::int64_t> sorted(host.size());
  std::iota(sorted.begin(), sorted.end(), std::int64_t{0});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::int64_t a, std::int64_t b) { return less(host[a], host[b]); });
  for (const std::int64_t k : ks) {
    check_top_k(ctx, host, sorted, k, less);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

template <class Context>
class top_k_on : public on<Context> {};
TYPED_TEST_SUITE(top_k_on, contexts);

TYPED_TEST(top_k_on, is_the_beginning_of_the_sorted_sequence) {
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{1000},
        std::int64_t{1 << 14}, third_if_sanitized(200000)}) {
    const std::vector<std::int64_t> ks = {0, 1, 2, 16, 1000, 20000, 200000};
    const std::vector<int> keys = random_values<int>(count);
    check_top_k(this->ctx, keys, ks, less{});
    check_top_k(this->ctx, keys, ks, greater{});
  }
}

TYPED_TEST(top_k_on, takes_keys_of_any_type_and_order) {
  check_top_k(this->ctx, random_values<double>(100000), {100}, greater{});
  check_top_k(this->ctx, random_values<std::uint8_t>(100000), {300}, less{});
  check_top_k(this->ctx, random_values<triple>(100000), {100}, operator_less{});
  check_top_k(this->ctx, random_values<wide>(20000), {5}, operator_less{});
}

TYPED_TEST(top_k_on, does_not_mind_how_keys_are_distributed) {
  const std::int64_t count = 300000;
  std::vector<std::int64_t> keys(count);
  std::iota(keys.begin(), keys.end(), std::int64_t{0});
  check_top_k(this->ctx, keys, {1000}, less{});
  check_top_k(this->ctx, keys, {1000}, greater{});
  check_top_k(this->ctx, std::vector<std::int64_t>(count, 7), {1000}, less{});
  // The smallest keys are next to each other, and the other keys are periodic, as the sample is.
  for (std::int64_t i = 0; i < count; ++i) keys[i] = i >= 5000 && i < 5100 ? -i : i % 37;
  check_top_k(this->ctx, keys, {100, 101}, less{});
  check_top_k(this->ctx, keys, {3000}, greater{});
}

TYPED_TEST(top_k_on, puts_nan_behind_all_numbers) {
  const std::int64_t count = 100000;
  std::vector<float> host = random_values<float>(count);
  for (std::int64_t i = 0; i < count; i += 2) host[i] = std::nanf("");
  const array<float> keys = to_context(this->ctx, host);
  for (const std::int64_t k : {std::int64_t{100}, count / 2 + 5}) {
    array<float> out(this->ctx, k);
    top_k(this->ctx, keys.data(), count, k, out.data(), greater{});
    const std::vector<float> got = to_host(this->ctx, out);
    const std::int64_t numbers = std::min(k, count / 2);
    EXPECT_TRUE(std::is_sorted(got.begin(), got.begin() + numbers, std::greater<>()));
    for (std::int64_t j = 0; j < k; ++j) EXPECT_EQ(std::isnan(got[j]), j >= numbers) << j;
  }
}

TYPED_TEST(top_k_on, takes_zeros_of_both_signs_as_equal) {
  std::vector<float> keys(100000, 0.f);
  for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = -0.f;
  keys[77777] = -1;
  check_top_k(this->ctx, keys, {100}, less{});
  check_top_k(this->ctx, keys, {100}, greater{});
}

#if defined(__CUDACC__)
// Inputs of which a GPU samples the first or the last keys, in a block and in the whole grid.
TYPED_TEST(top_k_on, does_not_rely_on_its_sample) {
  constexpr std::uint64_t of_block = device::first_keys_sizes::threads;
  constexpr std::uint64_t of_grid = device::first_keys_sizes::sampled * device::warp_threads;
  constexpr std::uint64_t each = device::first_keys_sizes::each;
  struct sampled {
    std::uint64_t count, shares, each;
  };
  for (const sampled& of :
       {sampled{5000, of_block, each}, {300000, of_block, each}, {3000000, of_grid, 1}}) {
    for (const bool has_first_keys : {true, false}) {
      std::vector<int> keys = random_values<int>(static_cast<std::int64_t>(of.count));
      for (std::uint64_t s = 0; s < of.shares; ++s) {
        const std::uint64_t first = device::sampled_index(of.count - of.each + 1, s, of.shares);
        for (std::uint64_t j = 0; j < of.each; ++j) {
          keys[first + j] = has_first_keys ? std::numeric_limits<int>::min() + static_cast<int>(s)
                                           : std::numeric_limits<int>::max();
        }
      }
      check_top_k(this->ctx, keys, {1, 100, 1000}, less{});
    }
  }
}

// Inputs whose first keys all lie in the units that a GPU reads last, which the bound that it lists
// first keys by does not know.
TYPED_TEST(top_k_on, does_not_rely_on_the_keys_that_it_reads_first) {
  using sizes = device::first_few_sizes;
  const device::unit_turns turns{1031, 1};
  std::vector<int> keys = random_values<int>(std::int64_t{turns.count()} * sizes::unit);
  for (unsigned turn = 0; turn < turns.pairs(); ++turn) {
    const unsigned unit = turns.unit_of(turn);
    EXPECT_EQ(turns.turn_of(unit), turn);
    std::fill_n(keys.begin() + std::int64_t{unit} * sizes::unit, sizes::unit,
                std::numeric_limits<int>::max());
  }
  keys.resize(keys.size() - 100);
  check_top_k(this->ctx, keys, {16}, less{});
}

// Of equal keys, all in a tile are as good as its first one, and more are read again than are
// ranked at once.
TYPED_TEST(top_k_on, takes_the_first_of_many_equal_keys) {
  const auto count = static_cast<std::int64_t>(device::first_few_sizes::least_keys) + 77;
  std::vector<std::uint8_t> keys(count, 7);
  check_top_k(this->ctx, keys, {16}, less{});
  for (std::int64_t i = count / 3; i < count; i += count / 3) keys[i] = 6;
  check_top_k(this->ctx, keys, {16}, less{});
}

TEST(unit_turns, name_the_tiles_of_a_lane) {
  using sizes = device::first_few_sizes;
  for (const auto [units, blocks] : {std::pair{1031u, 3u}, {1000u, 1000u}, {97u, 4u}, {1u, 1u}}) {
    const device::unit_turns turns(units, blocks);
    for (unsigned turn = 0; turn < units; turn += 7) {
      const unsigned first = turn / blocks / turns.rounds_of_lane() * turns.rounds_of_lane();
      for (unsigned j = 0; j < turns.rounds_of_lane(); ++j) {
        const unsigned other = (first + j) * blocks + turn % blocks;
        const unsigned warp = turn % sizes::warps;
        EXPECT_EQ(
            turns.tile_of_lane(turns.unit_of(turn) * sizes::warps + warp, j),
            other < units ? turns.unit_of(other) * sizes::warps + warp : device::unit_turns::none);
      }
    }
  }
}

#endif

TYPED_TEST(top_k_on, takes_keys_from_the_input_whatever_the_order_says) {
  const std::int64_t count = 100000;
  const std::vector<std::int64_t> host = random_values<std::int64_t>(count);
  const array<std::int64_t> keys = to_context(this->ctx, host);
  array<std::int64_t> indices(this->ctx, 50);
  top_k_indices(this->ctx, keys.data(), count, 50, indices.data(), random_answer{});
  std::vector<std::int64_t> got = to_host(this->ctx, indices);
  std::sort(got.begin(), got.end());
  EXPECT_TRUE(std::adjacent_find(got.begin(), got.end()) == got.end());
  EXPECT_GE(got.front(), 0);
  EXPECT_LT(got.back(), count);
}

TYPED_TEST(top_k_on, refuses_a_negative_k) {
  const array<int> keys(this->ctx, 3);
  array<int> out(this->ctx, 3);
  EXPECT_THROW(top_k(this->ctx, keys.data(), 3, -1, out.data(), less{}), argument_error);
}

}  // namespace
}  // namespace evenfold::testing
