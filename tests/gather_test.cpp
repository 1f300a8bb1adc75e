#include "evenfold/algorithm/gather.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

/// The numbers from 0 to count - 1 in random order.
template <class Index>
std::vector<Index> shuffled(std::int64_t count) {
  std::vector<Index> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), Index{0});
  const random_stream random(11);
  for (std::int64_t i = count - 1; i > 0; --i) {
    const std::uint64_t other =
        random.bits64(static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(i + 1);
    std::swap(result[i], result[other]);
  }
  return result;
}

template <class T, class Index, class Context>
void check_gather(Context& ctx, std::int64_t count) {
  const std::vector<T> host = random_values<T>(count);
  const std::vector<Index> order = shuffled<Index>(count);
  std::vector<T> gathered = host;
  std::vector<T> scattered = host;
  for (std::int64_t i = 0; i < count; ++i) {
    gathered[i] = host[order[i]];
    scattered[order[i]] = host[i];
  }
  array<T> input = to_context(ctx, host);
  const array<Index> indices = to_context(ctx, order);
  array<T> out(ctx, count);

  gather(ctx, input.data(), indices.data(), count, out.data());
  ASSERT_TRUE(to_host(ctx, out) == gathered) << count;
  scatter(ctx, input.data(), indices.data(), count, out.data());
  ASSERT_TRUE(to_host(ctx, out) == scattered) << count;
  // Scattering is the inverse of gathering.
  gather(ctx, out.data(), indices.data(), count, input.data());
  ASSERT_TRUE(to_host(ctx, input) == host) << count;
  permute(ctx, input.data(), indices.data(), count);
  ASSERT_TRUE(to_host(ctx, input) == gathered) << count;
}

template <class Context>
class gather_on : public on<Context> {};
TYPED_TEST_SUITE(gather_on, contexts);

TYPED_TEST(gather_on, moves_every_element_where_its_index_says) {
  for (const std::int64_t count : sizes()) {
    check_gather<int, std::int32_t>(this->ctx, count);
    check_gather<double, std::int64_t>(this->ctx, count);
    check_gather<triple, std::uint32_t>(this->ctx, count);
  }
  check_gather<std::uint8_t, std::uint8_t>(this->ctx, 200);
  check_gather<wide, int>(this->ctx, 999);
}

TYPED_TEST(gather_on, repeats_and_leaves_out) {
  const array<int> input = to_context(this->ctx, std::vector<int>{10, 11, 12});
  const array<int> indices = to_context(this->ctx, std::vector<int>{2, 0, 2, 2});
  array<int> out = to_context(this->ctx, std::vector<int>{-1, -2, -3, -4});
  gather(this->ctx, input.data(), indices.data(), 4, out.data());
  EXPECT_EQ(to_host(this->ctx, out), (std::vector<int>{12, 10, 12, 12}));

  out = to_context(this->ctx, std::vector<int>{-1, -2, -3, -4});
  scatter(this->ctx, input.data(), indices.data(), 2, out.data());
  EXPECT_EQ(to_host(this->ctx, out), (std::vector<int>{11, -2, 10, -4}));
}

}  // namespace
}  // namespace evenfold::testing
