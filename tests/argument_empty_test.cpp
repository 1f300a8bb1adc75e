// A call with count 0 reads and writes no pointer. Here, the pointers belong to the other memory
// side, so that every access would be reported. compositions_empty_test.cpp tests the compositions
// in the same way.

#include <gtest/gtest.h>

#include <vector>

#include "evenfold/evenfold.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

struct echo {
  EF_HD int operator()(int i) const { return i; }
  EF_HD int operator()(int i, int, int, const tuple<int>&) const { return i; }
};

struct create {
  EF_HD optional<int> operator()(int i, int, int) const { return i; }
};

struct positive {
  EF_HD bool operator()(int i) const { return i > 0; }
};

/// Writes nowhere.
struct drop {
  EF_HD void operator()(int, int) const {}
};

/// `end` is a pointer that must not be accessed. `one` is memory for a result, which is 7 before
/// each call.
template <class Context>
struct empty_calls {
  Context& ctx;
  int* end;
  array<int> storage = to_context(ctx, std::vector<int>{7});
  int* one = storage.data();

  /// The value of `one` after the call.
  template <class Call>
  int result(Call call) {
    copy(ctx, std::vector<int>{7}.data(), 1, one);
    ctx.synchronize();
    call();
    return to_host(ctx, storage)[0];
  }

  void element_wise() {
    transform(ctx, 0, echo{});
    copy(ctx, static_cast<const int*>(end), 0, end);
    saxpy(ctx, 0, 3, end, end);
    multiply(ctx, end, end, 0, end);
  }

  void folds() {
    EXPECT_EQ(reduce(ctx, end, 0, plus{}, 9), 9);
    EXPECT_EQ(result([&] { reduce(ctx, end, 0, plus{}, 9, one); }), 9);
    EXPECT_EQ(dot(ctx, end, end, 0, 9), 9);
    EXPECT_EQ(result([&] { dot(ctx, end, end, 0, 9, one); }), 9);
    for (const auto strategy :
         {fold_strategy::array_folding, fold_strategy::tournament, fold_strategy::tiled}) {
      EXPECT_EQ(fold(ctx, end, 0, plus{}, 9, strategy), 9);
    }
    inclusive_scan(ctx, end, 0, end, plus{});
    inclusive_scan(ctx, end, 0, end, plus{}, 9);
    exclusive_scan(ctx, end, 0, end, plus{}, 9);
    EXPECT_EQ(result([&] { exclusive_scan(ctx, end, 0, end, plus{}, 9, one); }), 9);
    histogram(ctx, 0, 0, echo{}, end);
    histogram(ctx, 0, 0, echo{}, echo{}, end);
  }

  void segments() {
    const array<int> offsets = to_context(ctx, std::vector<int>{0, 0});
    const int* const off = offsets.data();
    array<int> two(ctx, 2);
    segreduce(ctx, end, 0, off, 2, two.data(), plus{}, 9);
    EXPECT_EQ(to_host(ctx, two), (std::vector<int>{9, 9}));
    segreduce(ctx, end, 0, end, 0, end, plus{}, 9);
    transform_segreduce(ctx, 0, echo{}, end, 0, end, plus{}, 9);
    lbs_segreduce(ctx, 0, echo{}, end, 0, make_tuple(end), end, plus{}, 9);
    transform_lbs(ctx, 0, echo{}, end, 0, make_tuple(end));
    load_balance_search(ctx, 0, end, 0, end);
    load_balance_search(ctx, 0, off, 2, end);
    interval_expand(ctx, end, 0, end, 0, end);
    interval_gather(ctx, end, end, 0, end, 0, end);
    interval_scatter(ctx, end, 0, end, 0, end, end);
    interval_move(ctx, end, end, 0, end, 0, end, end);
    segmented_sort(ctx, end, 0, end, 0, less{});
    segmented_sort(ctx, end, end, 0, off, 2, less{});
    segmented_sort_indices(ctx, end, end, 0, end, 0, less{});
    EXPECT_EQ(result([&] { lbs_workcreate(ctx, 0, create{}, end, 0, end, one); }), 0);
    EXPECT_EQ(lbs_workcreate(ctx, 0, create{}, off, 2, end), 0);
  }

  void lists() {
    EXPECT_EQ(result([&] { compact(ctx, end, 0, positive{}, end, one); }), 0);
    EXPECT_EQ(compact_indices(ctx, 0, positive{}, end), 0);
    EXPECT_EQ(partition(ctx, end, 0, positive{}, end), 0);
    EXPECT_EQ(result([&] { unique(ctx, end, 0, equal_to{}, end, one); }), 0);
    EXPECT_EQ(unique_offsets(ctx, end, 0, equal_to{}, end, end), 0);
    EXPECT_EQ(reduce_by_key(ctx, end, end, 0, equal_to{}, end, end, plus{}, 9), 0);
    bulk_insert(ctx, end, 0, end, end, 0, end);
    EXPECT_EQ(result([&] { bulk_insert(ctx, one, 1, end, end, 0, one); }), 7);
    bulk_remove(ctx, end, 0, end, 0, end);
    EXPECT_EQ(result([&] { bulk_remove(ctx, one, 1, end, 0, one); }), 7);
  }

  void orders() {
    sort(ctx, end, 0, less{});
    sort_by_key(ctx, end, end, 0, less{});
    sort_indices(ctx, end, end, 0, less{});
    sort_columns(ctx, make_tuple(ascending(end), descending(end)), 0);
    sort_indices(ctx, make_tuple(ascending(end), descending(end)), end, 0);
    EXPECT_EQ(result([&] { bucket_sort(ctx, 0, echo{}, echo{}, 0, one, no_order{}, drop{}); }), 0);
  }

  void merges() {
    const array<int> some = to_context(ctx, std::vector<int>{5});
    const int* const b = some.data();
    const int* const none = end;
    merge(ctx, none, 0, none, 0, end, less{});
    merge(ctx, none, none, 0, none, none, 0, end, end, less{});
    EXPECT_EQ(result([&] { merge(ctx, none, 0, b, 1, one, less{}); }), 5);
    EXPECT_EQ(result([&] { merge(ctx, b, 1, none, 0, one, less{}); }), 5);
    sorted_search<bounds::lower>(ctx, none, 0, b, 1, end, less{});
    EXPECT_EQ(result([&] { sorted_search<bounds::lower>(ctx, b, 1, none, 0, one, less{}); }), 0);
    search<bounds::upper>(ctx, none, 0, b, 1, end, less{});
    EXPECT_EQ(result([&] { search<bounds::upper>(ctx, b, 1, none, 0, one, less{}); }), 0);
    sorted_equal_range(ctx, none, 0, none, 0, end, end, less{});
    EXPECT_EQ(result([&] { sorted_equal_range(ctx, b, 1, none, 0, one, one, less{}); }), 0);
    EXPECT_EQ(set_union(ctx, none, 0, b, 1, less{}).size(), 1u);
    EXPECT_EQ(set_intersection(ctx, b, 1, none, 0, less{}).size(), 0u);
    EXPECT_EQ(set_difference(ctx, b, 1, none, 0, less{}).size(), 1u);
    EXPECT_EQ(set_symmetric_difference(ctx, none, 0, none, 0, less{}).size(), 0u);
  }
};

template <class Context>
class argument_empty_on : public on<Context> {
 protected:
  misplaced<Context::side> elsewhere;
  empty_calls<Context> calls{this->ctx, elsewhere.address()};
};
TYPED_TEST_SUITE(argument_empty_on, contexts);

TYPED_TEST(argument_empty_on, element_wise_calls_access_nothing) { this->calls.element_wise(); }
TYPED_TEST(argument_empty_on, folds_and_scans_access_nothing) { this->calls.folds(); }
TYPED_TEST(argument_empty_on, calls_over_segments_access_nothing) { this->calls.segments(); }
TYPED_TEST(argument_empty_on, calls_that_make_lists_access_nothing) { this->calls.lists(); }
TYPED_TEST(argument_empty_on, sorts_access_nothing) { this->calls.orders(); }
TYPED_TEST(argument_empty_on, merges_and_searches_access_nothing) { this->calls.merges(); }

}  // namespace
}  // namespace evenfold::testing
