#include "evenfold/algorithm/transform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

template <class Size, class Context>
void check_visits(Context& ctx, std::int64_t count) {
  array<std::uint64_t> sums(ctx, count + 1);
  const std::vector<std::uint64_t> before(static_cast<std::size_t>(count + 1), 5);
  copy(ctx, before.data(), before.size(), sums.data());
  std::uint64_t* p = sums.data();
  transform(
      ctx, static_cast<Size>(count),
      EF_LAMBDA(Size i) { p[i] += 3 * static_cast<std::uint64_t>(i) + 1; });
  const std::vector<std::uint64_t> after = to_host(ctx, sums);
  for (std::int64_t i = 0; i < count; ++i) {
    ASSERT_EQ(after[i], 5 + 3 * static_cast<std::uint64_t>(i) + 1) << "of " << count;
  }
  ASSERT_EQ(after[count], 5u) << "one past the end was visited";
}

template <class Context, class T>
void check_values(Context& ctx, T) {
  const std::vector<T> host = random_values<T>(5001);
  const array<T> input = to_context(ctx, host);
  array<T> output(ctx, host.size());
  const T* from = input.data();
  T* to = output.data();
  transform(
      ctx, 5001, EF_LAMBDA(int i) { to[5000 - i] = from[i]; });
  const std::vector<T> result = to_host(ctx, output);
  for (int i = 0; i < 5001; ++i) ASSERT_TRUE(result[5000 - i] == host[i]);
}

template <class T, class Context>
void check_sequence(Context& ctx, std::int64_t count) {
  const std::vector<T> host = random_values<T>(count + 1);
  array<T> input = to_context(ctx, host);
  array<double> output(ctx, count);
  // Also from an address that no wide access can start at.
  for (const int shift : {0, 1}) {
    const T* from = input.data() + shift;
    transform(
        ctx, from, count, output.data(), EF_LAMBDA(const T& x) { return 0.5 * x; });
    const std::vector<double> result = to_host(ctx, output);
    for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(result[i], 0.5 * host[i + shift]);
  }
  transform(
      ctx, input.data(), count, input.data(),
      EF_LAMBDA(const T& x) { return static_cast<T>(x + x); });
  const std::vector<T> doubled = to_host(ctx, input);
  for (std::int64_t i = 0; i < count; ++i) {
    ASSERT_EQ(doubled[i], static_cast<T>(host[i] + host[i]));
  }
  ASSERT_EQ(doubled[count], host[count]) << "one past the end was written";
}

template <class Context>
class transform_on : public on<Context> {};
TYPED_TEST_SUITE(transform_on, contexts);

TYPED_TEST(transform_on, visits_every_index_once) {
  for (const std::int64_t count : sizes()) {
    check_visits<int>(this->ctx, count);
    check_visits<std::int64_t>(this->ctx, count);
    check_visits<std::uint32_t>(this->ctx, count);
  }
}

TYPED_TEST(transform_on, moves_values_of_any_size) {
  check_values(this->ctx, std::int8_t{});
  check_values(this->ctx, double{});
  check_values(this->ctx, triple{});
  check_values(this->ctx, wide{0});
}

TYPED_TEST(transform_on, maps_a_sequence_to_another_or_to_itself) {
  for (const std::int64_t count : sizes()) {
    check_sequence<std::int8_t>(this->ctx, count);
    check_sequence<float>(this->ctx, count);
    check_sequence<std::int64_t>(this->ctx, count);
  }
}

#if defined(__CUDACC__)
TEST(transform_on_cuda, gives_the_same_whatever_the_launch) {
  cuda_context ctx;
  for (const launch_shape shape :
       {launch_shape{1, 1}, {1, 32}, {3, 96}, {1, 1024}, {0, 64}, {7, 0}}) {
    ctx.launch_override = shape;
    check_visits<int>(ctx, 2049);
    check_visits<std::int64_t>(ctx, 100);
  }
}
#endif

}  // namespace
}  // namespace evenfold::testing
