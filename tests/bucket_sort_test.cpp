#include "evenfold/algorithm/bucket_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// A value of 24 bytes that contains its original index.
struct tagged {
  std::int64_t number;
  std::int64_t tag[2];
};

struct make_tagged {
  const std::int64_t* numbers;
  template <class Size>
  EF_HD tagged operator()(Size i) const {
    return {numbers[i], {static_cast<std::int64_t>(i), -static_cast<std::int64_t>(i)}};
  }
};

struct number_of {
  EF_HD std::int64_t operator()(const tagged& t) const { return t.number; }
};

struct write_tag {
  std::int64_t* out;
  template <class Size>
  EF_HD void operator()(Size k, const tagged& t) const {
    out[k] = t.tag[0] + (t.tag[0] + t.tag[1]);
  }
};

/// Results that can be read.
struct keep_tagged {
  tagged* out;
  template <class Size>
  EF_HD void operator()(Size k, const tagged& t) const {
    out[k] = t;
  }
  template <class Size>
  EF_HD tagged read(Size k) const {
    return out[k];
  }
};

enum class spread { even, skewed, one_bucket, ascending, descending };

/// Items whose buckets and numbers follow a pattern; numbers are below `limit`.
template <class Bucket>
struct items {
  std::vector<Bucket> buckets;
  std::vector<std::int64_t> numbers;

  items(std::int64_t count, std::int64_t num_buckets, std::int64_t limit, spread kind) {
    const std::vector<std::uint64_t> bits = random_bits(2 * count, 7);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t draw = bits[2 * i];
      const auto even = static_cast<std::int64_t>(draw % static_cast<std::uint64_t>(num_buckets));
      const std::int64_t bucket = kind == spread::even         ? even
                                  : kind == spread::skewed     ? (draw >> 40) % 4 ? even % 3 : even
                                  : kind == spread::one_bucket ? num_buckets / 2
                                  : kind == spread::ascending
                                      ? i * num_buckets / count
                                      : num_buckets - 1 - i * num_buckets / count;
      buckets.push_back(static_cast<Bucket>(bucket));
      numbers.push_back(
          static_cast<std::int64_t>(bits[2 * i + 1] % static_cast<std::uint64_t>(limit)));
    }
  }
};

template <class Bucket, class Offset, class Context, class Order>
void check_bucket_sort(Context& ctx, const items<Bucket>& data, Bucket num_buckets, Order order) {
  const auto count = static_cast<Offset>(data.buckets.size());
  std::vector<std::int64_t> expected(data.buckets.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t i, std::int64_t j) {
    if (data.buckets[i] != data.buckets[j]) return data.buckets[i] < data.buckets[j];
    return !std::same_as<Order, no_order> && data.numbers[i] < data.numbers[j];
  });
  const array<Bucket> buckets = to_context(ctx, data.buckets);
  const array<std::int64_t> numbers = to_context(ctx, data.numbers);
  std::vector<Offset> first(static_cast<std::size_t>(num_buckets) + 1);
  for (const Bucket b : data.buckets) ++first[static_cast<std::size_t>(b) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  const auto sort = [&](const auto& write) {
    array<Offset> offsets(ctx, first.size());
    bucket_sort(ctx, count, element_of<Bucket, const Bucket*>{buckets.data()},
                make_tagged{numbers.data()}, num_buckets, offsets.data(), order, write);
    EXPECT_EQ(to_host(ctx, offsets), first);
  };
  array<std::int64_t> out(ctx, count);
  sort(write_tag{out.data()});
  EXPECT_EQ(to_host(ctx, out), expected);

  array<tagged> kept(ctx, count);
  sort(keep_tagged{kept.data()});
  std::vector<std::int64_t> tags;
  for (const tagged& t : to_host(ctx, kept)) tags.push_back(t.tag[0]);
  EXPECT_EQ(tags, expected);
}

template <class Context>
using bucket_sort_test = on<Context>;
TYPED_TEST_SUITE(bucket_sort_test, contexts);

constexpr spread spreads[] = {spread::even, spread::skewed, spread::one_bucket, spread::ascending,
                              spread::descending};

// Counts around the sizes of 11-bit digits, of bins of several buckets, and of parts of 2^15 items.
TYPED_TEST(bucket_sort_test, orders_buckets_of_any_size) {
  for (const std::int64_t count : {0, 1, 2, 1000, 40000}) {
    for (const int num_buckets : {1, 2, 3000, 70000}) {
      for (const spread kind : spreads) {
        SCOPED_TRACE(::testing::Message() << count << " items, " << num_buckets << " buckets, "
                                          << static_cast<int>(kind));
        const std::int64_t limit = kind == spread::skewed ? 5 : std::int64_t{1} << 40;
        const items<int> data(count, num_buckets, limit, kind);
        check_bucket_sort<int, int>(this->ctx, data, num_buckets,
                                    number_order<number_of, std::int64_t>{{}, limit});
        check_bucket_sort<int, int>(this->ctx, data, num_buckets, no_order{});
      }
    }
  }
}

TYPED_TEST(bucket_sort_test, sorts_what_fits_no_cache) {
  for (const spread kind : {spread::even, spread::skewed, spread::one_bucket}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const items<std::int64_t> data(third_if_sanitized(300000), 40000, 3000, kind);
    check_bucket_sort<std::int64_t, std::int64_t>(this->ctx, data, std::int64_t{40000},
                                                  number_order<number_of, std::int64_t>{{}, 3000});
  }
}

// On a CPU each bucket is sorted on its own, if the limit of its numbers is at most 2^25: up to 64
// values are ranked, more are sorted by digits of up to 9 bits.
TYPED_TEST(bucket_sort_test, orders_short_buckets_and_long_ones) {
  constexpr std::int64_t most = 1 << 25;
  for (const std::int64_t limit :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{1} << 9, most, most + 1}) {
    for (const std::int64_t length : {1, 8, 9, 16, 17, 63, 64, 65, 150}) {
      for (const std::int64_t num_buckets : {1, 300}) {
        SCOPED_TRACE(::testing::Message() << limit << ", " << num_buckets << " of " << length);
        const items<std::int64_t> data(length * num_buckets, num_buckets, limit, spread::ascending);
        check_bucket_sort<std::int64_t, int>(this->ctx, data, num_buckets,
                                             number_order<number_of, std::int64_t>{{}, limit});
      }
    }
  }
  for (const spread kind : {spread::even, spread::skewed, spread::descending}) {
    const items<int> data(40000, 3000, most, kind);
    check_bucket_sort<int, int>(this->ctx, data, 3000,
                                number_order<number_of, std::int64_t>{{}, most});
  }
}

TYPED_TEST(bucket_sort_test, refuses_bad_arguments) {
  array<signed char> narrow(this->ctx, 4);
  array<std::int64_t> out(this->ctx, 4);
  const auto call = [&](int count, int num_buckets) {
    bucket_sort(this->ctx, count, element_of<int, const int*>{nullptr}, make_tagged{nullptr},
                num_buckets, narrow.data(), no_order{}, write_tag{out.data()});
  };
  expect_refusal("bucket_sort", "count", [&] { call(-1, 1); });
  expect_refusal("bucket_sort", "num_buckets", [&] { call(1, -1); });
  expect_refusal("bucket_sort", "num_buckets", [&] { call(1, 0); });
  expect_refusal("bucket_sort", "count", [&] { call(128, 1); });
  call(0, 0);
  EXPECT_EQ(to_host(this->ctx, narrow)[0], 0);
}

}  // namespace
}  // namespace evenfold::testing
