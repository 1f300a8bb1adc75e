// The algorithms on tables refuse bad arguments before any work starts: sorting, merging, searching
// and joining.

#include <gtest/gtest.h>

#include <vector>

#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort_columns.hpp"
#include "evenfold/table/join.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"

namespace evenfold::testing {
namespace {

/// Good arguments for all algorithms, and calls in which some of them are replaced.
template <class Context>
struct tables {
  explicit tables(Context& context) : ctx(context) {}

  Context& ctx;
  array<int> input = to_context(ctx, std::vector<int>{1, 2, 3, 4});
  array<int> output = to_context(ctx, std::vector<int>(8, -1));

  struct arguments {
    int* a;
    int* a_values;
    int a_count;
    int* b;
    int* b_values;
    int b_count;
    int* out;
    int* out_values;
  };
  arguments good() {
    return {input.data(),  input.data(), 4, input.data(), input.data(), 4,
            output.data(), output.data()};
  }
  void sorts(const arguments& with) { sort(ctx, with.a, with.a_count, less{}); }
  void sorts_by_key(const arguments& with) {
    sort_by_key(ctx, with.a, with.a_values, with.a_count, less{});
  }
  void sorts_indices(const arguments& with) {
    sort_indices(ctx, with.a, with.out, with.a_count, less{});
  }
  void sorts_columns(const arguments& with) {
    sort_columns(ctx, make_tuple(ascending(with.a), descending(with.a_values)), with.a_count);
  }
  void merges(const arguments& with) {
    merge(ctx, with.a, with.a_values, with.a_count, with.b, with.b_values, with.b_count, with.out,
          with.out_values, less{});
  }
  void searches(const arguments& with) {
    sorted_search<bounds::lower>(ctx, with.a, with.a_count, with.b, with.b_count, with.out, less{});
  }
  void finds_ranges(const arguments& with) {
    sorted_equal_range(ctx, with.a, with.a_count, with.b, with.b_count, with.out, with.out_values,
                       less{});
  }
  void joins(const arguments& with) {
    inner_join(ctx, with.a, with.a_count, with.b, with.b_count, less{});
  }
  void joins_half(const arguments& with) {
    semi_join(ctx, with.a, with.a_count, with.b, with.b_count, less{});
  }
};

template <class Context>
void check_tables(Context& ctx, int* bad) {
  tables<Context> t(ctx);
  using world = tables<Context>;
  const auto refuses = [&](const char* algorithm, const char* argument, auto call, auto member,
                           auto value) {
    auto with = t.good();
    with.*member = value;
    expect_refusal(algorithm, argument, [&] { (t.*call)(with); });
  };
  using args = typename world::arguments;
  refuses("sort", "count", &world::sorts, &args::a_count, -1);
  refuses("sort", "keys", &world::sorts, &args::a, bad);
  refuses("sort_by_key", "count", &world::sorts_by_key, &args::a_count, -1);
  refuses("sort_by_key", "keys", &world::sorts_by_key, &args::a, bad);
  refuses("sort_by_key", "values", &world::sorts_by_key, &args::a_values, bad);
  refuses("sort_indices", "count", &world::sorts_indices, &args::a_count, -1);
  refuses("sort_indices", "keys", &world::sorts_indices, &args::a, bad);
  refuses("sort_indices", "indices", &world::sorts_indices, &args::out, bad);
  refuses("sort_columns", "count", &world::sorts_columns, &args::a_count, -1);
  refuses("sort_columns", "columns", &world::sorts_columns, &args::a, bad);
  refuses("sort_columns", "columns", &world::sorts_columns, &args::a_values, bad);
  refuses("merge", "a_count", &world::merges, &args::a_count, -1);
  refuses("merge", "b_count", &world::merges, &args::b_count, -1);
  refuses("merge", "a_keys", &world::merges, &args::a, bad);
  refuses("merge", "a_values", &world::merges, &args::a_values, bad);
  refuses("merge", "b_keys", &world::merges, &args::b, bad);
  refuses("merge", "b_values", &world::merges, &args::b_values, bad);
  refuses("merge", "out_keys", &world::merges, &args::out, bad);
  refuses("merge", "out_values", &world::merges, &args::out_values, bad);
  refuses("sorted_search", "num_needles", &world::searches, &args::a_count, -1);
  refuses("sorted_search", "haystack_count", &world::searches, &args::b_count, -1);
  refuses("sorted_search", "needles", &world::searches, &args::a, bad);
  refuses("sorted_search", "haystack", &world::searches, &args::b, bad);
  refuses("sorted_search", "out", &world::searches, &args::out, bad);
  refuses("sorted_equal_range", "out_first", &world::finds_ranges, &args::out, bad);
  refuses("sorted_equal_range", "out_counts", &world::finds_ranges, &args::out_values, bad);
  refuses("inner_join", "left_count", &world::joins, &args::a_count, -1);
  refuses("inner_join", "right_count", &world::joins, &args::b_count, -1);
  refuses("inner_join", "left_keys", &world::joins, &args::a, bad);
  refuses("inner_join", "right_keys", &world::joins, &args::b, bad);
  refuses("semi_join", "left_count", &world::joins_half, &args::a_count, -1);
  refuses("semi_join", "right_keys", &world::joins_half, &args::b, bad);
  EXPECT_EQ(to_host(ctx, t.output), std::vector<int>(8, -1));
  EXPECT_EQ(to_host(ctx, t.input), (std::vector<int>{1, 2, 3, 4}));
}

template <class Context>
class argument_tables_on : public on<Context> {};
TYPED_TEST_SUITE(argument_tables_on, contexts);

TYPED_TEST(argument_tables_on, negative_counts_and_pointers_to_the_other_side_are_refused) {
  misplaced<TypeParam::side> number;
  check_tables(this->ctx, number.address());
}

}  // namespace
}  // namespace evenfold::testing
