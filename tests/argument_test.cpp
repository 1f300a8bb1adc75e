// Bad arguments are refused before any work starts, and the message names the algorithm and the
// argument. If memory is exhausted, an error says so, and the outputs are unchanged.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// One argument of each kind in a context. `bad` is an address that this context cannot use.
template <class Context>
struct world {
  explicit world(Context& c) : ctx(c) {}

  Context& ctx;
  array<int> input = to_context(ctx, std::vector<int>{4, 1, 3, 2});
  array<int> output = to_context(ctx, std::vector<int>{-1, -1, -1, -1});
  array<int> offsets = to_context(ctx, std::vector<int>{0, 2});
  int* in = input.data();
  int* out = output.data();
  const int* off = offsets.data();
};

struct echo {
  EF_HD int operator()(int i) const { return i; }
  EF_HD int operator()(int i, int, int) const { return i; }
  EF_HD int operator()(int i, int, int, const tuple<int>&) const { return i; }
};

template <class Context>
void check_negative_counts(Context& ctx) {
  world<Context> w(ctx);
  const auto refuses = [](const char* algorithm, auto call) {
    expect_refusal(algorithm, "count", call);
  };
  refuses("transform", [&] { transform(ctx, -1, echo{}); });
  refuses("transform_reduce", [&] { transform_reduce(ctx, -1, echo{}, plus{}, 0); });
  refuses("transform_reduce", [&] { transform_reduce(ctx, -1, echo{}, plus{}, 0, w.out); });
  refuses("reduce", [&] { reduce(ctx, w.in, -1, plus{}, 0); });
  refuses("reduce", [&] { reduce(ctx, w.in, -1, plus{}, 0, w.out); });
  refuses("inclusive_scan", [&] { inclusive_scan(ctx, w.in, -1, w.out, plus{}); });
  refuses("inclusive_scan", [&] { inclusive_scan(ctx, w.in, -1, w.out, plus{}, 0); });
  refuses("exclusive_scan", [&] { exclusive_scan(ctx, w.in, -1, w.out, plus{}, 0); });
  refuses("transform_scan",
          [&] { transform_scan<scan_kind::inclusive>(ctx, -1, echo{}, w.out, plus{}, 0); });
  refuses("transform_lbs", [&] { transform_lbs(ctx, -1, echo{}, w.off, 2); });
  refuses("load_balance_search", [&] { load_balance_search(ctx, -1, w.off, 2, w.out); });
  refuses("interval_expand", [&] { interval_expand(ctx, w.in, -1, w.off, 2, w.out); });
  refuses("segreduce", [&] { segreduce(ctx, w.in, -1, w.off, 2, w.out, plus{}, 0); });
  refuses("transform_segreduce",
          [&] { transform_segreduce(ctx, -1, echo{}, w.off, 2, w.out, plus{}, 0); });
  refuses("lbs_segreduce", [&] { lbs_segreduce(ctx, -1, echo{}, w.off, 2, w.out, plus{}, 0); });
  refuses("segmented_sort", [&] { segmented_sort(ctx, w.in, -1, w.off, 2, less{}); });
  refuses("segmented_sort", [&] { segmented_sort(ctx, w.in, w.out, -1, w.off, 2, less{}); });
  refuses("segmented_sort_indices",
          [&] { segmented_sort_indices(ctx, w.in, w.out, -1, w.off, 2, less{}); });
  EXPECT_EQ(to_host(ctx, w.output), std::vector<int>(4, -1));
}

/// Calls every algorithm over segments with these segments, and expects every call to refuse them.
template <class Context>
void check_segments(Context& ctx, const char* argument, int count, const int* off, int segments) {
  world<Context> w(ctx);
  const auto refuses = [&](const char* algorithm, auto call) {
    expect_refusal(algorithm, argument, call);
  };
  refuses("transform_lbs", [&] { transform_lbs(ctx, count, echo{}, off, segments); });
  refuses("load_balance_search", [&] { load_balance_search(ctx, count, off, segments, w.out); });
  refuses("interval_expand", [&] { interval_expand(ctx, w.in, count, off, segments, w.out); });
  refuses("segreduce", [&] { segreduce(ctx, w.in, count, off, segments, w.out, plus{}, 0); });
  refuses("transform_segreduce",
          [&] { transform_segreduce(ctx, count, echo{}, off, segments, w.out, plus{}, 0); });
  refuses("lbs_segreduce", [&] {
    lbs_segreduce(ctx, count, echo{}, off, segments, make_tuple(w.in), w.out, plus{}, 0);
  });
  refuses("segmented_sort", [&] { segmented_sort(ctx, w.in, count, off, segments, less{}); });
  refuses("segmented_sort",
          [&] { segmented_sort(ctx, w.in, w.out, count, off, segments, less{}); });
  refuses("segmented_sort_indices",
          [&] { segmented_sort_indices(ctx, w.in, w.out, count, off, segments, less{}); });
  EXPECT_EQ(to_host(ctx, w.output), std::vector<int>(4, -1));
}

/// Passes `bad`, a null pointer or a pointer to the other memory side, instead of each pointer in
/// turn.
template <class Context>
void check_bad_pointer(Context& ctx, int* bad) {
  world<Context> w(ctx);
  expect_refusal("transform_reduce", "out",
                 [&] { transform_reduce(ctx, 4, echo{}, plus{}, 0, bad); });
  expect_refusal("reduce", "input", [&] { reduce(ctx, bad, 4, plus{}, 0); });
  expect_refusal("reduce", "out", [&] { reduce(ctx, w.in, 4, plus{}, 0, bad); });
  expect_refusal("inclusive_scan", "input", [&] { inclusive_scan(ctx, bad, 4, w.out, plus{}); });
  expect_refusal("inclusive_scan", "out", [&] { inclusive_scan(ctx, w.in, 4, bad, plus{}); });
  expect_refusal("exclusive_scan", "input", [&] { exclusive_scan(ctx, bad, 4, w.out, plus{}, 0); });
  if (bad != nullptr) {  // a null total is allowed
    expect_refusal("exclusive_scan", "total",
                   [&] { exclusive_scan(ctx, w.in, 4, w.out, plus{}, 0, bad); });
  }
  expect_refusal("transform_lbs", "cached",
                 [&] { transform_lbs(ctx, 4, echo{}, w.off, 2, make_tuple(bad)); });
  expect_refusal("load_balance_search", "out", [&] { load_balance_search(ctx, 4, w.off, 2, bad); });
  expect_refusal("interval_expand", "values",
                 [&] { interval_expand(ctx, bad, 4, w.off, 2, w.out); });
  expect_refusal("interval_expand", "out", [&] { interval_expand(ctx, w.in, 4, w.off, 2, bad); });
  expect_refusal("segreduce", "input", [&] { segreduce(ctx, bad, 4, w.off, 2, w.out, plus{}, 0); });
  expect_refusal("segreduce", "out", [&] { segreduce(ctx, w.in, 4, w.off, 2, bad, plus{}, 0); });
  expect_refusal("transform_segreduce", "out",
                 [&] { transform_segreduce(ctx, 4, echo{}, w.off, 2, bad, plus{}, 0); });
  expect_refusal("lbs_segreduce", "cached", [&] {
    lbs_segreduce(ctx, 4, echo{}, w.off, 2, make_tuple(bad), w.out, plus{}, 0);
  });
  expect_refusal("segmented_sort", "keys", [&] { segmented_sort(ctx, bad, 4, w.off, 2, less{}); });
  expect_refusal("segmented_sort", "values",
                 [&] { segmented_sort(ctx, w.in, bad, 4, w.off, 2, less{}); });
  expect_refusal("segmented_sort_indices", "indices",
                 [&] { segmented_sort_indices(ctx, w.in, bad, 4, w.off, 2, less{}); });
  check_segments(ctx, "offsets", 4, bad, 2);
  EXPECT_EQ(to_host(ctx, w.output), std::vector<int>(4, -1));
  EXPECT_EQ(to_host(ctx, w.input), (std::vector<int>{4, 1, 3, 2}));
}

template <class Context>
void check_exhausted_memory(Context& ctx) {
  constexpr int count = 100000;
  const auto poor = make_poor_context<Context>();
  const std::vector<int> host = random_values<int>(count);
  const std::vector<int> untouched(count, -1);
  array<int> input = to_context(ctx, host);
  array<int> output = to_context(ctx, untouched);
  const array<int> offsets = to_context(ctx, std::vector<int>{0, 1000});
  int* in = input.data();
  int* out = output.data();
  const int* off = offsets.data();
  ctx.synchronize();
  if constexpr (Context::side == memory_side::host) {  // a CUDA context already has this scratch
    EXPECT_THROW(inclusive_scan(*poor, in, count, out, plus{}, 0, out), allocation_error);
    EXPECT_THROW(segreduce(*poor, in, count, off, 2, out, plus{}, 0), allocation_error);
    EXPECT_THROW(reduce(*poor, in, count, plus{}, 0, out), allocation_error);
  }
  EXPECT_THROW(segmented_sort(*poor, in, count, off, 2, less{}), allocation_error);
  EXPECT_THROW(segmented_sort(*poor, in, out, count, off, 2, less{}), allocation_error);
  EXPECT_THROW(segmented_sort_indices(*poor, in, out, count, off, 2, less{}), allocation_error);
  poor->synchronize();
  EXPECT_EQ(to_host(ctx, input), host);
  EXPECT_EQ(to_host(ctx, output), untouched);
}

template <class Context>
class argument_on : public on<Context> {};
TYPED_TEST_SUITE(argument_on, contexts);

TYPED_TEST(argument_on, negative_counts_are_refused) { check_negative_counts(this->ctx); }

TYPED_TEST(argument_on, items_without_a_segment_are_refused) {
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0});
  check_segments(this->ctx, "num_segments", 4, offsets.data(), 0);
  check_segments(this->ctx, "num_segments", 4, offsets.data(), -1);
}

TYPED_TEST(argument_on, a_first_segment_that_does_not_begin_at_0_is_refused_where_that_is_free) {
  if (TypeParam::side == memory_side::device) GTEST_SKIP() << "reading an offset would wait";
  const std::vector<int> offsets = {1, 2};
  check_segments(this->ctx, "offsets[0]", 4, offsets.data(), 2);
}

TYPED_TEST(argument_on, a_last_segment_that_begins_behind_the_items_is_refused_where_that_is_free) {
  if (TypeParam::side == memory_side::device) GTEST_SKIP() << "reading an offset would wait";
  const std::vector<int> beyond = {0, 5};
  check_segments(this->ctx, "offsets[1]", 4, beyond.data(), 2);
  const std::vector<int> negative = {0, 2, -1};
  check_segments(this->ctx, "offsets[2]", 4, negative.data(), 3);
}

TEST(argument, offsets_and_positions_that_decrease_are_refused_by_a_reference_context) {
  reference_context ctx;
  const std::vector<int> offsets = {0, 3, 1, 4};
  check_segments(ctx, "offsets[2]", 4, offsets.data(), 4);
  std::vector<int> out(8);
  expect_refusal("bulk_insert", "positions[2]", [&] {
    bulk_insert(ctx, offsets.data(), 4, offsets.data(), offsets.data(), 4, out.data());
  });
}

TYPED_TEST(argument_on, null_pointers_to_something_are_refused_whether_sides_are_checked_or_not) {
  check_bad_pointer(this->ctx, nullptr);
  this->ctx.check_arguments = false;
  check_bad_pointer(this->ctx, nullptr);
}

TYPED_TEST(argument_on, pointers_to_the_other_side_are_refused) {
  misplaced<TypeParam::side> number;
  check_bad_pointer(this->ctx, number.address());
}

TYPED_TEST(argument_on, pointers_are_not_checked_when_checking_is_off) {
  if (TypeParam::side == memory_side::device) GTEST_SKIP() << "the kernel would fault";
  misplaced<TypeParam::side> number;
  this->ctx.check_arguments = false;
  EXPECT_NO_THROW(reduce(this->ctx, number.address(), 1, plus{}, 0));
}

TYPED_TEST(argument_on, indices_too_narrow_for_the_positions_are_refused) {
  constexpr int count = 300;
  array<int> keys = to_context(this->ctx, random_values<int>(count));
  array<std::uint8_t> indices(this->ctx, count);
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0});
  expect_refusal("segmented_sort_indices", "count", [&] {
    segmented_sort_indices(this->ctx, keys.data(), indices.data(), count, offsets.data(), 1,
                           less{});
  });
  segmented_sort_indices(this->ctx, keys.data(), indices.data(), 256, offsets.data(), 1, less{});
}

TYPED_TEST(argument_on, no_items_and_no_segments_are_fine) {
  world<TypeParam> w(this->ctx);
  transform_lbs(this->ctx, 0, echo{}, w.off, 0);
  segreduce(this->ctx, w.in, 0, w.off, 0, w.out, plus{}, 0);
  segmented_sort(this->ctx, w.in, 0, w.off, 0, less{});
  segmented_sort_indices(this->ctx, w.in, w.out, 0, w.off, 0, less{});
  interval_expand(this->ctx, w.in, 0, w.off, 0, w.out);
  EXPECT_EQ(to_host(this->ctx, w.output), std::vector<int>(4, -1));
}

// The reference backend needs no scratch for most of these.
TEST(argument, exhausted_memory_is_reported_and_leaves_outputs_alone) {
  const auto ctx = make_context<default_context>();
  check_exhausted_memory(*ctx);
}

}  // namespace
}  // namespace evenfold::testing
