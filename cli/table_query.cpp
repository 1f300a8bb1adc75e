// Runs the queries on tables. Compiled by the host compiler and, with the CUDA backend, by nvcc as
// well.

#include "cli/table_query.hpp"

#include "cli/on_context.hpp"
#include "cli/packed_keys.hpp"
#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/unique.hpp"

namespace evenfold::cli {

namespace {

/// keys[order[k]].
struct keys_in_order {
  const std::uint64_t* keys;
  const std::int32_t* order;
  EF_HD std::uint64_t operator[](std::int32_t k) const { return keys[order[k]]; }
};

template <context Context>
first_rows first_of_each(Context& ctx, const array<std::uint64_t>& keys) {
  const auto count = static_cast<std::int32_t>(keys.size());
  array<std::int32_t> order(ctx, count);
  array<std::int32_t> begins(ctx, count);
  sort_indices(ctx, keys.data(), order.data(), count, less{});
  const keys_in_order sorted{keys.data(), order.data()};
  const std::int32_t num_runs =
      compact_indices(ctx, count, begins_run<keys_in_order, equal_to>{sorted, {}}, begins.data());
  array<std::int32_t> rows(ctx, num_runs);
  array<std::int32_t> counts(ctx, num_runs);
  const std::int32_t* const begin = begins.data();
  const std::int32_t* const at = order.data();
  std::int32_t* const row = rows.data();
  std::int32_t* const length = counts.data();
  transform(
      ctx, num_runs, EF_LAMBDA(std::int32_t run) {
        // The sort is stable: the first row of a run is the first of the file.
        row[run] = at[begin[run]];
        length[run] = (run + 1 < num_runs ? begin[run + 1] : count) - begin[run];
      });
  sort_by_key(ctx, row, length, num_runs, less{});
  return {to_host(ctx, rows), to_host(ctx, counts)};
}

/// Whether a row meets a condition.
struct meets {
  const std::uint64_t* codes;
  const unsigned char* nulls;  // or nullptr
  comparison op;
  std::uint64_t bound;

  EF_HD bool operator()(std::int32_t row) const {
    if (nulls != nullptr && nulls[row] != 0) return false;
    const std::uint64_t code = codes[row];
    switch (op) {
      case comparison::equal:
        return code == bound;
      case comparison::not_equal:
        return code != bound;
      case comparison::less:
        return code < bound;
      case comparison::less_equal:
        return code <= bound;
      case comparison::greater:
        return code > bound;
      default:
        return code >= bound;
    }
  }
};

/// Of the given rows those that meet a condition.
template <context Context>
array<std::int32_t> rows_that_meet(Context& ctx, const array<std::int32_t>& rows,
                                   const code_condition& condition) {
  const array<std::uint64_t> codes = to_context(ctx, condition.column.codes);
  const array<unsigned char> nulls = to_context(ctx, condition.column.nulls);
  const meets keep{codes.data(), nulls.data(), condition.op, condition.bound};
  const std::int32_t* const row = rows.data();
  const compact_plan plan(
      ctx, static_cast<std::int32_t>(rows.size()),
      EF_LAMBDA(std::int32_t k) { return keep(row[k]); });
  array<std::int32_t> kept(ctx, plan.num_kept());
  std::int32_t* const out = kept.data();
  plan.write(EF_LAMBDA(std::int32_t to, std::int32_t from) { out[to] = row[from]; });
  return kept;
}

template <context Context>
found_places places_of(Context& ctx, const std::uint64_t* keys, std::int32_t num_needles,
                       std::int32_t haystack_count) {
  const std::uint64_t* const haystack = keys + num_needles;
  const std::int32_t first_unsorted = transform_reduce(
      ctx, haystack_count,
      EF_LAMBDA(std::int32_t i) {
        return i > 0 && haystack[i] < haystack[i - 1] ? i : haystack_count;
      },
      minimum{}, haystack_count);
  if (first_unsorted < haystack_count) return {{}, {}, first_unsorted};
  array<std::int32_t> lower(ctx, num_needles);
  array<std::int32_t> upper(ctx, num_needles);
  search<bounds::lower>(ctx, keys, num_needles, haystack, haystack_count, lower.data(), less{});
  search<bounds::upper>(ctx, keys, num_needles, haystack, haystack_count, upper.data(), less{});
  return {to_host(ctx, lower), to_host(ctx, upper), first_unsorted};
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

std::vector<std::int32_t> sorted_rows(const std::vector<key_column>& keys, device where,
                                      int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    begin("sort");
    const array<std::uint64_t> packed = pack_keys(ctx, keys, null_policy::last);
    array<std::int32_t> order(ctx, packed.size());
    sort_indices(ctx, packed.data(), order.data(), static_cast<std::int32_t>(packed.size()),
                 less{});
    return to_host(ctx, order);
  });
}

first_rows unique_rows(const std::vector<key_column>& keys, device where, int threads,
                       const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    begin("unique");
    return first_of_each(ctx, pack_keys(ctx, keys, null_policy::last));
  });
}

std::vector<std::int32_t> filtered_rows(const std::vector<code_condition>& conditions, device where,
                                        int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    begin("filter");
    array<std::int32_t> rows =
        row_numbers(ctx, static_cast<std::int32_t>(conditions.front().column.codes.size()));
    for (const code_condition& condition : conditions) rows = rows_that_meet(ctx, rows, condition);
    return to_host(ctx, rows);
  });
}

found_places search_rows(const std::vector<key_column>& keys, std::int32_t num_needles,
                         device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) {
    begin("search");
    const array<std::uint64_t> packed = pack_keys(ctx, keys, null_policy::last);
    return places_of(ctx, packed.data(), num_needles,
                     static_cast<std::int32_t>(packed.size()) - num_needles);
  });
}

}  // namespace of the backend

}  // namespace evenfold::cli
