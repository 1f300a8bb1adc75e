#include "evenfold/algorithm/find.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

struct is_one {
  template <class T>
  EF_HD constexpr bool operator()(const T& value) const {
    return value == T{1};
  }
};

template <class Size, class Context>
void check_find(Context& ctx, const array<std::int8_t>& flags, Size count, Size first, Size ones) {
  const auto* input = flags.data();
  ASSERT_EQ(find_if(ctx, input, count, is_one{}), first);
  ASSERT_EQ(count_if(ctx, input, count, is_one{}), ones);
  ASSERT_EQ(any_of(ctx, input, count, is_one{}), ones > 0);
  ASSERT_EQ(none_of(ctx, input, count, is_one{}), ones == 0);
  ASSERT_EQ(all_of(ctx, input, count, is_one{}), ones == count);
}

template <class Context>
void check_places(Context& ctx, std::int64_t count) {
  for (const std::int64_t at : {std::int64_t{0}, count / 3, count / 2, count - 1}) {
    if (at < 0 || at >= count) continue;
    std::vector<std::int8_t> host(static_cast<std::size_t>(count));
    host[at] = 1;
    host[count - 1] = 1;
    const array<std::int8_t> flags = to_context(ctx, host);
    const std::int64_t ones = at == count - 1 ? 1 : 2;
    check_find<std::int64_t>(ctx, flags, count, at, ones);
    check_find<std::uint32_t>(ctx, flags, static_cast<std::uint32_t>(count),
                              static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(ones));
  }
  const array<std::int8_t> zeros =
      to_context(ctx, std::vector<std::int8_t>(static_cast<std::size_t>(count), 0));
  check_find<std::int64_t>(ctx, zeros, count, count, 0);
  const array<std::int8_t> all_ones =
      to_context(ctx, std::vector<std::int8_t>(static_cast<std::size_t>(count), 1));
  check_find<std::int64_t>(ctx, all_ones, count, 0, count);
}

template <class Context>
class find_on : public on<Context> {};
TYPED_TEST_SUITE(find_on, contexts);

TYPED_TEST(find_on, finds_the_first_wherever_it_is) {
  for (const std::int64_t count : sizes()) check_places(this->ctx, count);
  // Around the borders between the parts that are read one after the other.
  for (const std::int64_t count : {(1 << 16) - 1, 1 << 16, (1 << 16) + 1, (1 << 17) + 1}) {
    check_places(this->ctx, count);
  }
}

TYPED_TEST(find_on, takes_a_count_as_large_as_its_type) {
  const array<std::int8_t> zeros = to_context(this->ctx, std::vector<std::int8_t>(255, 0));
  check_find<std::uint8_t>(this->ctx, zeros, 255, 255, 0);
  std::vector<std::int8_t> host(255, 0);
  host[254] = 1;
  check_find<std::uint8_t>(this->ctx, to_context(this->ctx, host), 255, 254, 1);
}

TYPED_TEST(find_on, answers_for_nothing) {
  const array<std::int8_t> nothing(this->ctx, 0);
  check_find<int>(this->ctx, nothing, 0, 0, 0);
  EXPECT_THROW(find_if(this->ctx, nothing.data(), -1, is_one{}), argument_error);
}

#if !defined(__CUDACC__)
TEST(find_on_reference, reads_little_behind_what_it_finds) {
  reference_context ctx;
  const std::vector<int> input(std::size_t{1} << 20, 0);
  std::int64_t asked = 0;
  const auto tenth = [&](const int& element) {
    ++asked;
    return &element == &input[10];
  };
  EXPECT_EQ(find_if(ctx, input.data(), std::int64_t{1} << 20, tenth), 10);
  EXPECT_LE(asked, 1 << 16);
}
#endif

}  // namespace
}  // namespace evenfold::testing
