// Folds have the same bits wherever grids, tunings and shares cut the items.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "support/contexts.hpp"
#include "support/fold_numbers.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

#if defined(__CUDACC__)

/// Reductions on grids of 1, 2, 3, 7, ... blocks and with the tuning have the bits of the
/// reference.
template <class Tuning, class T, class Op>
void check_grids(Op op, T init) {
  reference_context serial;
  cuda_context ctx;
  const std::vector<T> host = scaled_numbers<T>(400000);
  const array<T> input = to_context(ctx, host);
  for (const int count : {0, 1, 15, 16, 500, 4095, 4096, 4097, 8200, 70001, 262144, 399999}) {
    bit_hash expected;
    expected.add(reduce(serial, host.data() + 1, count, op, init));
    for (const unsigned grid : {0, 1, 2, 3, 7, 129, 5000}) {
      ctx.launch_override.grid = grid;
      bit_hash got;
      got.add(reduce<Tuning>(ctx, input.data() + 1, count, op, init));
      EXPECT_EQ(got.value(), expected.value()) << count << " items, " << grid << " blocks";
    }
  }
}

template <class Tuning>
class cuts_of_tuning : public ::testing::Test {};
using reduce_tunings =
    ::testing::Types<default_tuning, reduce_tuning<32, 16>, reduce_tuning<64, 1>,
                     reduce_tuning<128, 2>, reduce_tuning<256, 4>, reduce_tuning<512, 8>>;
TYPED_TEST_SUITE(cuts_of_tuning, reduce_tunings);

TYPED_TEST(cuts_of_tuning, do_not_change_a_reduction_on_any_grid) {
  check_grids<TypeParam, float>(plus{}, 0.1f);
  check_grids<TypeParam, double>(plus{}, 0.1);
  check_grids<TypeParam, rounded_matrix>(rounded_product{}, {1, 0.25f, -0.5f, 1});
  check_grids<TypeParam, mixed_sums>(add_three_sums{}, {0.1f, 0.1, 0});
}

/// A number that depends on its index alone.
struct number_of_index {
  EF_HD constexpr float operator()(std::int64_t i) const {
    const auto bits = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
    const auto digits = static_cast<float>(static_cast<int>(bits >> 40) - 0x800000);
    return (bits >> 33 & 7) == 0 ? digits * 4096 : digits;
  }
};

TEST(cuts_on_cuda, may_be_chunks_of_any_length) {
  reference_context serial;
  cuda_context ctx;
  // Chunks become longer above 2^25 items.
  for (const std::int64_t count : {(1 << 25) - 1, 1 << 25, (1 << 25) + 4097, 70000019}) {
    bit_hash got, expected;
    got.add(transform_reduce(ctx, count, number_of_index{}, plus{}, 0.1f));
    expected.add(transform_reduce(serial, count, number_of_index{}, plus{}, 0.1f));
    EXPECT_EQ(got.value(), expected.value()) << count << " items";
  }
}

#else

class cuts_of_threads : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(any, cuts_of_threads, ::testing::Values(1, 2, 3, 7, 16));

/// Shares that are cut everywhere: `Tile` is the least that a thread takes.
template <std::size_t Tile>
void check_shares(int threads) {
  reference_context serial;
  cpu_context ctx(threads);
  const std::vector<rounded_matrix> input = scaled_numbers<rounded_matrix>(300);
  const auto bits = [](const auto& results) {
    bit_hash of;
    for (const rounded_matrix& r : results) of.add(r);
    return of.value();
  };
  for (int count = 0; count <= 300; count += count < 70 ? 1 : 23) {
    const auto data = make_segments<int>(shapes[count % std::size(shapes)], count);
    const int items = static_cast<int>(data.count);
    const int num_segments = static_cast<int>(data.num_segments());
    const auto folds = [&]<class Tuning>(auto& on) {
      std::vector<rounded_matrix> results;
      results.push_back(reduce<Tuning>(on, input.data(), items, rounded_product{}, input[0]));
      array<rounded_matrix> scan(on, items);
      inclusive_scan<Tuning>(on, input.data(), items, scan.data(), rounded_product{});
      results.insert(results.end(), scan.begin(), scan.end());
      exclusive_scan<Tuning>(on, input.data(), items, scan.data(), rounded_product{}, input[1]);
      results.insert(results.end(), scan.begin(), scan.end());
      array<rounded_matrix> sums(on, num_segments);
      segreduce<Tuning>(on, input.data(), items, data.offsets.data(), num_segments, sums.data(),
                        rounded_product{}, input[2]);
      results.insert(results.end(), sums.begin(), sums.end());
      return bits(results);
    };
    ASSERT_EQ(folds.template operator()<cpu_tuning<Tile>>(ctx),
              folds.template operator()<default_tuning>(serial))
        << count << " items, " << threads << " threads";
  }
}

TEST_P(cuts_of_threads, do_not_change_a_fold) {
  check_shares<1>(GetParam());
  check_shares<9>(GetParam());
}

#endif

}  // namespace
}  // namespace evenfold::testing
