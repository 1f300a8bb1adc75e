// Algorithms whose number of results depends on the data refuse bad arguments before any work
// starts: compact, compact_indices, partition, unique, reduce_by_key, lbs_workcreate.

#include <gtest/gtest.h>

#include <vector>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/lbs_workcreate.hpp"
#include "evenfold/algorithm/reduce_by_key.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

struct keep_all {
  EF_HD bool operator()(int) const { return true; }
};

struct create_all {
  EF_HD optional<int> operator()(int i, int, int) const { return i; }
};

template <class Context>
void check_lists(Context& ctx, int* bad) {
  array<int> input = to_context(ctx, std::vector<int>{1, 2, 3, 4});
  array<int> output = to_context(ctx, std::vector<int>(4, -1));
  const array<int> offsets = to_context(ctx, std::vector<int>{0, 2});
  int* const in = input.data();
  int* const out = output.data();
  const int* const off = offsets.data();

  const auto compacts = [&](int* from, int count, int* to, int* num) {
    return [=, &ctx] { compact(ctx, from, count, keep_all{}, to, num); };
  };
  expect_refusal("compact", "count", compacts(in, -1, out, out));
  expect_refusal("compact", "input", compacts(bad, 4, out, out));
  expect_refusal("compact", "out", compacts(in, 4, bad, out));
  expect_refusal("compact", "num_kept", compacts(in, 4, out, bad));

  const auto partitions = [&](int* from, int count, int* to, int* num) {
    return [=, &ctx] { partition(ctx, from, count, keep_all{}, to, num); };
  };
  expect_refusal("partition", "count", partitions(in, -1, out, out));
  expect_refusal("partition", "input", partitions(bad, 4, out, out));
  expect_refusal("partition", "out", partitions(in, 4, bad, out));
  expect_refusal("partition", "num_kept", partitions(in, 4, out, bad));

  const auto uniques = [&](int* keys, int count, int* keys_out, int* at, int* num) {
    return [=, &ctx] { unique_offsets(ctx, keys, count, equal_to{}, keys_out, at, num); };
  };
  expect_refusal("unique_offsets", "count", uniques(in, -1, out, out, out));
  expect_refusal("unique_offsets", "keys", uniques(bad, 4, out, out, out));
  expect_refusal("unique_offsets", "keys_out", uniques(in, 4, bad, out, out));
  expect_refusal("unique_offsets", "offsets", uniques(in, 4, out, bad, out));
  expect_refusal("unique_offsets", "num_runs", uniques(in, 4, out, out, bad));

  const auto reduces = [&](int* keys, int* values, int count, int* keys_out, int* to, int* num) {
    return [=, &ctx] {
      reduce_by_key(ctx, keys, values, count, equal_to{}, keys_out, to, plus{}, 0, num);
    };
  };
  expect_refusal("reduce_by_key", "count", reduces(in, in, -1, out, out, out));
  expect_refusal("reduce_by_key", "keys", reduces(bad, in, 4, out, out, out));
  expect_refusal("reduce_by_key", "values", reduces(in, bad, 4, out, out, out));
  expect_refusal("reduce_by_key", "keys_out", reduces(in, in, 4, bad, out, out));
  expect_refusal("reduce_by_key", "out", reduces(in, in, 4, out, bad, out));
  expect_refusal("reduce_by_key", "num_runs", reduces(in, in, 4, out, out, bad));

  const auto creates = [&](int count, const int* at, int segments, int* to, int* num) {
    return [=, &ctx] { lbs_workcreate(ctx, count, create_all{}, at, segments, to, num); };
  };
  expect_refusal("lbs_workcreate", "count", creates(-1, off, 2, out, out));
  expect_refusal("lbs_workcreate", "num_segments", creates(4, off, 0, out, out));
  expect_refusal("lbs_workcreate", "offsets", creates(4, bad, 2, out, out));
  expect_refusal("lbs_workcreate", "out", creates(4, off, 2, bad, out));
  expect_refusal("lbs_workcreate", "num_created", creates(4, off, 2, out, bad));

  EXPECT_EQ(to_host(ctx, output), std::vector<int>(4, -1));
  EXPECT_EQ(to_host(ctx, input), (std::vector<int>{1, 2, 3, 4}));
}

template <class Context>
class argument_lists_on : public on<Context> {};
TYPED_TEST_SUITE(argument_lists_on, contexts);

TYPED_TEST(argument_lists_on, negative_counts_and_pointers_to_the_other_side_are_refused) {
  misplaced<TypeParam::side> number;
  check_lists(this->ctx, number.address());
}

}  // namespace
}  // namespace evenfold::testing
