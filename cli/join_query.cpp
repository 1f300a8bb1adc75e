// Runs the join query. Compiled by the host compiler and, with the CUDA backend, by nvcc as well.
//
// Tables are joined in the order of their keys, and the result is brought into that of the files.

#include "cli/join_query.hpp"

#include <string>

#include "cli/on_context.hpp"
#include "cli/packed_keys.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"

namespace evenfold::cli {

namespace {

struct is_null_key {
  EF_HD bool operator()(std::uint64_t key) const { return key == null_key; }
};

/// Rows of a table in the order of their keys.
struct side {
  std::uint64_t* keys;
  std::int32_t count;
  array<std::int32_t> rows;

  template <context Context>
  side(Context& ctx, std::uint64_t* unsorted, std::int32_t size)
      : keys(unsorted), count(size), rows(row_numbers(ctx, size)) {
    sort_by_key(ctx, keys, rows.data(), count, less{});
  }
};

/// Replaces places in the order of the keys by rows of the file.
template <context Context>
void find_rows(Context& ctx, array<std::int32_t>& places, const side& from) {
  std::int32_t* const place = places.data();
  const std::int32_t* const rows = from.rows.data();
  transform(
      ctx, places.size(), EF_LAMBDA(std::size_t k) {
        if (place[k] >= 0) place[k] = rows[place[k]];
      });
}

template <context Context>
join_answer in_file_order(Context& ctx, array<std::int32_t> rows, const side& left) {
  find_rows(ctx, rows, left);
  sort(ctx, rows.data(), rows.size(), less{});
  return {to_host(ctx, rows), {}};
}

template <context Context>
join_answer in_file_order(Context& ctx, joined_rows<std::int32_t> joined, const side& left,
                          const side& right) {
  find_rows(ctx, joined.left, left);
  find_rows(ctx, joined.right, right);
  // Partners of a left row are in order already; right rows without one, which are last and whose
  // left row is -1, are not.
  std::int32_t* const left_row = joined.left.data();
  const std::size_t num_lonely = transform_reduce(
      ctx, joined.size(),
      EF_LAMBDA(std::size_t k) { return left_row[k] < 0 ? std::size_t{1} : std::size_t{0}; },
      plus{}, std::size_t{0});
  const std::size_t num_matched = joined.size() - num_lonely;
  sort_by_key(ctx, left_row, joined.right.data(), num_matched, less{});
  sort(ctx, joined.right.data() + num_matched, num_lonely, less{});
  return {to_host(ctx, joined.left), to_host(ctx, joined.right)};
}

/// Refuses a result that the context has no memory for, the copies that sorting it takes included.
template <context Context>
void check_room(Context& ctx, std::int64_t rows) {
  constexpr std::int64_t small = std::int64_t{1} << 24;
  constexpr std::size_t row_bytes = 3 * sizeof(std::int32_t[2]);
  if (rows <= small) return;
  const std::size_t available = ctx.available_bytes();
  if (static_cast<std::size_t>(rows) > available / row_bytes) {
    throw allocation_error("the result has " + std::to_string(rows) + " rows, which take " +
                           std::to_string(row_bytes) + " bytes each, but " +
                           std::to_string(available) +
                           " bytes are available, expected a smaller result, or --count");
  }
}

template <context Context>
join_answer joined(Context& ctx, const join_query& query, const on_phase& begin) {
  begin("sort");
  array<std::uint64_t> keys = pack_keys(ctx, query.keys, null_policy::never_match);
  const auto right_count = static_cast<std::int32_t>(keys.size()) - query.left_count;
  const side left(ctx, keys.data(), query.left_count);
  const side right(ctx, keys.data() + query.left_count, right_count);
  begin("join");
  check_room(ctx, join_count(ctx, query.how, left.keys, left.count, right.keys, right.count, less{},
                             is_null_key{}));
  const auto sides = [&](auto join) {
    return join(ctx, left.keys, left.count, right.keys, right.count, less{}, is_null_key{});
  };
  switch (query.how) {
    case join_kind::inner:
      return in_file_order(ctx, sides([](auto&&... all) { return inner_join(all...); }), left,
                           right);
    case join_kind::left:
      return in_file_order(ctx, sides([](auto&&... all) { return left_join(all...); }), left,
                           right);
    case join_kind::right:
      return in_file_order(ctx, sides([](auto&&... all) { return right_join(all...); }), left,
                           right);
    case join_kind::full:
      return in_file_order(ctx, sides([](auto&&... all) { return full_join(all...); }), left,
                           right);
    case join_kind::semi:
      return in_file_order(ctx, sides([](auto&&... all) { return semi_join(all...); }), left);
    default:
      return in_file_order(ctx, sides([](auto&&... all) { return anti_join(all...); }), left);
  }
}

template <context Context>
std::int64_t counted_rows(Context& ctx, const join_query& query, const on_phase& begin) {
  begin("sort");
  array<std::uint64_t> keys = pack_keys(ctx, query.keys, null_policy::never_match);
  std::uint64_t* const left = keys.data();
  std::uint64_t* const right = left + query.left_count;
  const auto right_count = static_cast<std::int32_t>(keys.size()) - query.left_count;
  sort(ctx, left, query.left_count, less{});
  sort(ctx, right, right_count, less{});
  begin("join");
  return join_count(ctx, query.how, left, query.left_count, right, right_count, less{},
                    is_null_key{});
}

}  // namespace

#if defined(__CUDACC__)
namespace gpu_backend {
#else
namespace host_backend {
#endif

join_answer join_tables(const join_query& query, device where, int threads, const on_phase& begin) {
  return on_context(where, threads, begin, [&](auto& ctx) { return joined(ctx, query, begin); });
}

std::int64_t count_joined(const join_query& query, device where, int threads,
                          const on_phase& begin) {
  return on_context(where, threads, begin,
                    [&](auto& ctx) { return counted_rows(ctx, query, begin); });
}

}  // namespace of the backend

}  // namespace evenfold::cli
