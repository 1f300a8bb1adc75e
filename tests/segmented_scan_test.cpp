#include "evenfold/algorithm/segmented_scan.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// Compares a result with the definition. Without `init`, the first value of a segment is the first
/// operand.
template <class T, class Offset, class Op>
void expect_scan(const segments_of<Offset>& data, const std::vector<T>& values,
                 const std::vector<T>& got, scan_kind kind, Op op, const T* init) {
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    std::optional<T> running;
    if (init != nullptr) running.emplace(*init);
    for (std::int64_t i = data.begin(s), end = data.end(s); i < end; ++i) {
      const T next = running ? static_cast<T>(op(*running, values[i])) : values[i];
      ASSERT_TRUE(got[i] == (kind == scan_kind::inclusive ? next : *running))
          << "item " << i << " of segment " << s;
      running.emplace(next);
    }
  }
}

template <class T, class Size = std::int64_t, class Offset, class Context, class Op>
void check_segmented_scan(Context& ctx, const segments_of<Offset>& data, Op op, T init) {
  const std::vector<T> host = random_values<T>(data.count);
  const array<T> input = to_context(ctx, host);
  const array<Offset> offsets = to_context(ctx, data.offsets);
  array<T> out(ctx, data.count);
  const Size count = static_cast<Size>(data.count);
  const Size num_segments = static_cast<Size>(data.num_segments());

  segmented_scan<scan_kind::inclusive>(ctx, input.data(), count, offsets.data(), num_segments,
                                       out.data(), op, init);
  expect_scan(data, host, to_host(ctx, out), scan_kind::inclusive, op, &init);
  segmented_scan<scan_kind::exclusive>(ctx, input.data(), count, offsets.data(), num_segments,
                                       out.data(), op, init);
  expect_scan(data, host, to_host(ctx, out), scan_kind::exclusive, op, &init);
  segmented_scan<scan_kind::inclusive>(ctx, input.data(), count, offsets.data(), num_segments,
                                       out.data(), op, no_init{});
  expect_scan<T>(data, host, to_host(ctx, out), scan_kind::inclusive, op, nullptr);

  // The number of its segment as the key of an item.
  std::vector<Offset> segment(static_cast<std::size_t>(data.count));
  for (std::int64_t s = 0; s < data.num_segments(); ++s) {
    for (std::int64_t i = data.begin(s); i < data.end(s); ++i) segment[i] = static_cast<Offset>(s);
  }
  const array<Offset> keys = to_context(ctx, segment);
  scan_by_key<scan_kind::inclusive>(ctx, keys.data(), input.data(), count, out.data(), equal_to{},
                                    op, no_init{});
  expect_scan<T>(data, host, to_host(ctx, out), scan_kind::inclusive, op, nullptr);
  scan_by_key<scan_kind::exclusive>(ctx, keys.data(), input.data(), count, out.data(), equal_to{},
                                    op, init);
  expect_scan(data, host, to_host(ctx, out), scan_kind::exclusive, op, &init);
}

/// Scans by keys of a type, make(k) for the k-th segment that is not empty.
template <class Context, class Make>
void check_keys(Context& ctx, std::int64_t count, Make make) {
  const segments_of<int> data = make_segments<int>(shape::power_law, count);
  const std::vector<int> host = random_values<int>(data.count);
  std::vector<decltype(make(0))> keys;
  for (int s = 0, k = 0; s < data.num_segments(); ++s) {
    if (data.begin(s) == data.end(s)) continue;
    keys.insert(keys.end(), static_cast<std::size_t>(data.end(s) - data.begin(s)), make(k++));
  }
  const auto key_array = to_context(ctx, keys);
  const array<int> input = to_context(ctx, host);
  array<int> out(ctx, data.count);
  const int init = 3;
  scan_by_key<scan_kind::inclusive>(ctx, key_array.data(), input.data(), data.count, out.data(),
                                    equal_to{}, plus{}, init);
  expect_scan(data, host, to_host(ctx, out), scan_kind::inclusive, plus{}, &init);
}

struct matrix_product {
  EF_HD constexpr matrix2 operator()(const matrix2& a, const matrix2& b) const { return a * b; }
};

template <class Context>
class segmented_scan_on : public on<Context> {};
TYPED_TEST_SUITE(segmented_scan_on, contexts);

TYPED_TEST(segmented_scan_on, scans_segments_of_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count : {0, 1, 2, 5000, 70000}) {
      check_segmented_scan<int>(this->ctx, make_segments<int>(kind, count), plus{}, 3);
    }
  }
}

TYPED_TEST(segmented_scan_on, scans_floating_point_numbers_of_every_shape) {
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    for (const std::int64_t count :
         {std::int64_t{300}, std::int64_t{5000}, third_if_sanitized(70000)}) {
      const segments_of<int> data = make_segments<int>(kind, count);
      check_segmented_scan<float>(this->ctx, data, plus{}, 3);
      check_segmented_scan<double>(this->ctx, data, plus{}, 3);
    }
  }
}

TYPED_TEST(segmented_scan_on, scans_many_items) {
  check_segmented_scan<int>(this->ctx, make_segments<int>(shape::power_law, 500003), plus{}, 3);
}

TYPED_TEST(segmented_scan_on, scans_parts_with_many_and_with_few_segments) {
  for (const std::int64_t count : {std::int64_t{300'000}, third_if_sanitized(9'000'001)}) {
    segments_of<int> data{count, {}};
    for (int begin = 0, k = 0; begin < count; begin += ++k % 40'000 < 39'000 ? k % 3 : 700)
      data.offsets.push_back(begin);
    check_segmented_scan<int>(this->ctx, data, plus{}, 3);
  }
}

TYPED_TEST(segmented_scan_on, scans_so_many_short_segments_that_a_gpu_marks_them_first) {
  segments_of<int> data{third_if_sanitized(8'400'003), {}};
  for (int begin = 0, k = 0; begin < data.count; begin += k++ % 5) data.offsets.push_back(begin);
  check_segmented_scan<double>(this->ctx, data, plus{}, 3);
}

TYPED_TEST(segmented_scan_on, scans_segments_at_every_size) {
  for (const std::int64_t count : sizes()) {
    check_segmented_scan<std::int64_t>(
        this->ctx, make_segments<std::int64_t>(shape::uniform, count), plus{}, 3);
  }
}

TYPED_TEST(segmented_scan_on, passes_over_many_empty_segments) {
  segments_of<int> data{4000, {}};
  data.offsets.assign(400000, 0);
  for (int i = 5; i < 3000; i += 1 + i % 3)
    data.offsets.insert(data.offsets.end(), 100 + i % 97, i);
  data.offsets.insert(data.offsets.end(), 100000, 4000);
  check_segmented_scan<int>(this->ctx, data, plus{}, 3);
}

/// The bits of the scans of numbers whose sums are rounded.
template <class T, class Context>
std::vector<T> bits_of_scans(Context& ctx, const segments_of<int>& data) {
  std::vector<T> host(static_cast<std::size_t>(data.count));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = T{1} / static_cast<T>(1 + i % 97);
  const array<T> input = to_context(ctx, host);
  const array<int> offsets = to_context(ctx, data.offsets);
  array<T> out(ctx, data.count);
  const int count = static_cast<int>(data.count);
  const int num_segments = static_cast<int>(data.num_segments());
  std::vector<T> bits;
  const auto append = [&] {
    const std::vector<T> got = to_host(ctx, out);
    bits.insert(bits.end(), got.begin(), got.end());
  };
  const auto scan = [&]<scan_kind Kind>(auto op, auto init) {
    segmented_scan<Kind>(ctx, input.data(), count, offsets.data(), num_segments, out.data(), op,
                         init);
    append();
  };
  scan.template operator()<scan_kind::inclusive>(plus{}, no_init{});
  scan.template operator()<scan_kind::inclusive>(plus{}, T{3});
  scan.template operator()<scan_kind::exclusive>(plus{}, T{3});
  scan.template operator()<scan_kind::inclusive>(add_any{}, no_init{});
  scan.template operator()<scan_kind::exclusive>(add_any{}, T{3});
  return bits;
}

TYPED_TEST(segmented_scan_on, folds_in_the_canonical_order) {
  reference_context reference;
  for (const shape kind : shapes) {
    SCOPED_TRACE(::testing::PrintToString(kind));
    const segments_of<int> data = make_segments<int>(kind, third_if_sanitized(100000));
    const std::vector<float> floats = bits_of_scans<float>(reference, data);
    const std::vector<double> doubles = bits_of_scans<double>(reference, data);
    EXPECT_EQ(bits_of_scans<float>(this->ctx, data), floats);
    EXPECT_EQ(bits_of_scans<double>(this->ctx, data), doubles);
    for (auto& other : equal_contexts<TypeParam>()) {
      EXPECT_EQ(bits_of_scans<float>(*other, data), floats);
    }
  }
}

TYPED_TEST(segmented_scan_on, keeps_the_order_of_operands) {
  for (const shape kind : shapes) {
    check_segmented_scan(this->ctx, make_segments<int>(kind, 20000), matrix_product{},
                         matrix2(1, 2, 3, 4));
    check_segmented_scan<int>(this->ctx, make_segments<int>(kind, 20000), last_nonzero{}, 5);
  }
  // A GPU has smaller tiles for up to 57344, and up to 262144 items of 16 bytes.
  for (const int count : {60000, 270000}) {
    check_segmented_scan(this->ctx, make_segments<int>(shape::power_law, count), matrix_product{},
                         matrix2(1, 2, 3, 4));
  }
}

TYPED_TEST(segmented_scan_on, takes_values_of_any_size) {
  const segments_of<int> data = make_segments<int>(shape::power_law, 5000);
  check_segmented_scan<std::int8_t, std::uint32_t>(this->ctx, data, maximum{}, 0);
  check_segmented_scan<double>(this->ctx, data, plus{}, 0.5);
  check_segmented_scan<triple>(this->ctx, data, plus{}, triple{1, 2, 3});
}

TYPED_TEST(segmented_scan_on, takes_keys_of_any_size) {
  for (const std::int64_t count : {1, 31, 700, 5000, 70000}) {
    check_keys(this->ctx, count, [](int k) { return static_cast<std::uint8_t>(k % 251); });
    check_keys(this->ctx, count, [](int k) { return static_cast<double>(-k); });
    check_keys(this->ctx, count, [](int k) { return triple{k % 2, 5, 7}; });
    check_keys(this->ctx, count, [](int k) { return wide(k); });
  }
}

TYPED_TEST(segmented_scan_on, computes_in_the_type_of_init) {
  const array<std::uint8_t> input = to_context(this->ctx, std::vector<std::uint8_t>{200, 200, 200});
  const array<int> offsets = to_context(this->ctx, std::vector<int>{0, 1});
  array<int> out(this->ctx, 3);
  segmented_scan<scan_kind::inclusive>(this->ctx, input.data(), 3, offsets.data(), 2, out.data(),
                                       plus{}, 0);
  EXPECT_EQ(to_host(this->ctx, out), (std::vector<int>{200, 200, 400}));
}

TYPED_TEST(segmented_scan_on, refuses_items_without_a_segment) {
  array<int> input(this->ctx, 3);
  array<int> out(this->ctx, 3);
  EXPECT_THROW(segmented_scan<scan_kind::inclusive>(this->ctx, input.data(), 3, out.data(), 0,
                                                    out.data(), plus{}, 0),
               argument_error);
  EXPECT_THROW(scan_by_key<scan_kind::inclusive>(this->ctx, input.data(), input.data(), -1,
                                                 out.data(), equal_to{}, plus{}, 0),
               argument_error);
}

}  // namespace
}  // namespace evenfold::testing
