#pragma once
// The cases of sequences and tables. cases.hpp says what a case is.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "bench/scaling/inputs.hpp"
#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/histogram.hpp"
#include "evenfold/distributed/join.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/scan.hpp"
#include "evenfold/distributed/segreduce.hpp"
#include "evenfold/distributed/sort.hpp"
#include "evenfold/table/join.hpp"

namespace bench {

struct reduce_case {
  static constexpr const char* name = "reduce";

  struct single {
    single(local_context& c, std::uint64_t count) : ctx(c), x(make(c, count, fractions{})) {}
    void prepare() {}
    void run() { sum = ef::reduce(ctx, x.data(), x.size(), ef::plus{}, 0.f); }
    std::vector<float> result() { return {sum}; }
    local_context& ctx;
    ef::array<float> x;
    float sum = 0;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count) : ctx(c), x(make_sharded(c, count, fractions{})) {}
    void prepare() {}
    void run() { sum = ef::reduce(ctx, x, ef::plus{}, 0.f); }
    std::vector<float> result() { return {sum}; }
    std::uint64_t first() const { return 0; }
    Context& ctx;
    ef::sharded<float> x;
    float sum = 0;
  };
};

struct scan_case {
  static constexpr const char* name = "inclusive_scan";

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c), x(make(c, count, fractions{})), out(c, count) {}
    void prepare() {}
    void run() { ef::inclusive_scan(ctx, x.data(), x.size(), out.data(), ef::plus{}); }
    std::vector<float> result() { return ef::to_host(ctx, out); }
    local_context& ctx;
    ef::array<float> x, out;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c), x(make_sharded(c, count, fractions{})), out(c, x.map()) {}
    void prepare() {}
    void run() { ef::inclusive_scan(ctx, x, out, ef::plus{}); }
    std::vector<float> result() { return ef::to_host(ctx.local(), out.local()); }
    std::uint64_t first() const { return out.local_begin(); }
    Context& ctx;
    ef::sharded<float> x, out;
  };
};

struct histogram_case {
  static constexpr const char* name = "histogram";
  static constexpr int bins = 256;

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c), x(make(c, count, keys{})), counts(c, bins) {}
    void prepare() {}
    void run() {
      ef::histogram(ctx, std::uint64_t{x.size()}, bins, ef::elementwise(upper_byte{}, x.data()),
                    counts.data());
    }
    std::vector<std::uint64_t> result() { return ef::to_host(ctx, counts); }
    local_context& ctx;
    ef::array<std::uint32_t> x;
    ef::array<std::uint64_t> counts;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count) : ctx(c), x(make_sharded(c, count, keys{})) {}
    void prepare() {}
    void run() { counts = ef::histogram(ctx, x, bins, upper_byte{}); }
    std::vector<std::uint64_t> result() { return ef::to_host(ctx.local(), counts); }
    std::uint64_t first() const { return 0; }
    Context& ctx;
    ef::sharded<std::uint32_t> x;
    ef::array<std::uint64_t> counts;
  };
};

struct segreduce_case {
  static constexpr const char* name = "segreduce";

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c),
          x(make(c, count, small_integers{})),
          offsets(make(c, count / items_per_segment, segment_begins{count / items_per_segment})),
          out(c, offsets.size()) {}
    void prepare() {}
    void run() {
      ef::segreduce(ctx, x.data(), std::uint64_t{x.size()}, offsets.data(), offsets.size(),
                    out.data(), ef::plus{}, 0.f);
    }
    std::vector<float> result() { return ef::to_host(ctx, out); }
    local_context& ctx;
    ef::array<float> x;
    ef::array<std::int64_t> offsets;
    ef::array<float> out;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c),
          segments(c, count,
                   make_sharded(c, count / items_per_segment,
                                segment_begins{count / items_per_segment})),
          x(c, segments.items()) {
      transform(c, x, small_integers{});
    }
    void prepare() {}
    void run() { out = ef::segreduce(ctx, x, segments, ef::plus{}, 0.f); }
    std::vector<float> result() { return ef::to_host(ctx.local(), out.local()); }
    std::uint64_t first() const { return out.local_begin(); }
    Context& ctx;
    ef::sharded_segments<std::int64_t> segments;
    ef::sharded<float> x, out;
  };
};

template <class Keys>
struct sort_case {
  using key = typename Keys::type;
  static constexpr const char* name = sizeof(key) == 4 ? "sort_32" : "sort_64";

  struct single {
    single(local_context& c, std::uint64_t count) : ctx(c), x(make(c, count, Keys{})) {}
    void prepare() { x = make(ctx, x.size(), Keys{}); }
    void run() { ef::sort(ctx, x.data(), x.size(), ef::less{}); }
    std::vector<key> result() { return ef::to_host(ctx, x); }
    local_context& ctx;
    ef::array<key> x;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count) : ctx(c), x(make_sharded(c, count, Keys{})) {}
    void prepare() { transform(ctx, x, Keys{}); }
    void run() { ef::sort(ctx, x, ef::less{}); }
    std::vector<key> result() { return ef::to_host(ctx.local(), x.local()); }
    std::uint64_t first() const { return x.local_begin(); }
    Context& ctx;
    ef::sharded<key> x;
  };
};

/// An inner join. With `halves` and `numbers` every left row has one partner, and the first half of
/// the right rows has two each, so that the ranks exchange many rows.
template <class LeftKeys, class RightKeys>
struct join_case {
  static constexpr const char* name =
      std::is_same_v<LeftKeys, halves> ? "inner_join_shifted" : "inner_join_random";

  struct single {
    single(local_context& c, std::uint64_t count)
        : ctx(c), left(make(c, count / 2, LeftKeys{})), right(make(c, count / 2, RightKeys{})) {}
    void prepare() {}
    void run() {
      rows = ef::inner_join(ctx, left.data(), left.size(), right.data(), right.size(), ef::less{});
    }
    std::vector<std::int64_t> result() { return ef::to_host(ctx, rows.right); }
    local_context& ctx;
    ef::array<std::uint32_t> left, right;
    ef::joined_rows<std::int64_t> rows;
  };
  template <class Context>
  struct distributed {
    distributed(Context& c, std::uint64_t count)
        : ctx(c),
          left(make_sharded(c, count / 2, LeftKeys{})),
          right(make_sharded(c, count / 2, RightKeys{})) {}
    void prepare() {}
    void run() { rows = ef::inner_join(ctx, left, right, ef::less{}); }
    std::vector<std::int64_t> result() { return ef::to_host(ctx.local(), rows.right.local()); }
    std::uint64_t first() const { return rows.right.local_begin(); }
    Context& ctx;
    ef::sharded<std::uint32_t> left, right;
    ef::sharded_joined_rows rows;
  };
};

}  // namespace bench
