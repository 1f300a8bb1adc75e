// Errors, arrays, copies, function objects and the CPU team.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "evenfold/core/array.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/optional.hpp"
#include "evenfold/core/tuning.hpp"
#include "evenfold/core/tuple.hpp"
#include "support/contexts.hpp"
#include "support/refusals.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

TEST(error, a_refusal_names_argument_value_rule_and_remedy) {
  try {
    detail::refuse_argument("sort", "count", -3, "a count cannot be negative", "pass the length");
    FAIL() << "nothing was thrown";
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "sort: count is -3, but a count cannot be negative; pass the length");
    EXPECT_NE(dynamic_cast<const argument_error*>(&e), nullptr);
  }
}

TEST(functional, extremes_of_zeros_do_not_depend_on_their_order) {
  EXPECT_EQ(minimum{}(3, 5), 3);
  EXPECT_EQ(maximum{}(3, 5), 5);
  EXPECT_TRUE(std::signbit(minimum{}(-0., 0.)));
  EXPECT_TRUE(std::signbit(minimum{}(0., -0.)));
  EXPECT_FALSE(std::signbit(maximum{}(-0., 0.)));
  EXPECT_FALSE(std::signbit(maximum{}(0., -0.)));
}

struct bit_xor {
  EF_HD constexpr int operator()(int a, int b) const { return a ^ b; }
};

TEST(functional, only_known_operators_on_arithmetic_types_are_taken_to_commute) {
  EXPECT_TRUE((is_commutative<plus, float>));
  EXPECT_TRUE((is_commutative<minimum, std::uint8_t>));
  EXPECT_FALSE((is_commutative<multiplies, matrix2>));
  EXPECT_FALSE((is_commutative<last_nonzero, int>));
  EXPECT_FALSE((is_commutative<bit_xor, int>));
  EXPECT_TRUE((is_commutative<decltype(commutative(bit_xor{})), int>));
  EXPECT_EQ(commutative(bit_xor{})(6, 3), 5);
}

TEST(tuning, default_gives_way_to_a_tuning_of_the_user) {
  struct backends_own {};
  struct users {};
  EXPECT_TRUE((std::is_same_v<detail::tuning_or<default_tuning, backends_own>, backends_own>));
  EXPECT_TRUE((std::is_same_v<detail::tuning_or<users, backends_own>, users>));
}

TEST(tuple, values_are_read_at_an_index) {
  const int whole[] = {1, 2, 3};
  const double half[] = {.5, 1., 1.5};
  const auto values = detail::load_at(make_tuple(&whole[0], &half[0]), 2);
  EXPECT_TRUE((std::is_same_v<decltype(values), const tuple<int, double>>));
  EXPECT_EQ(get<0>(values), 3);
  EXPECT_EQ(get<1>(values), 1.5);
  EXPECT_EQ(tuple_size_v<decltype(detail::load_at(tuple<>{}, 0))>, 0u);
}

// Object files of g++ and of nvcc use this layout; the std::tuple of g++ has the reverse one.
TEST(tuple, elements_lie_in_their_order_and_are_copied_byte_by_byte) {
  using row = tuple<std::uint8_t, std::int64_t, float>;
  static_assert(std::is_trivially_copyable_v<row>);
  static_assert(sizeof(row) == 24);
  const row from{3, 5, 7.f};
  row to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof(row));
  const auto [first, second, third] = to;
  EXPECT_EQ(first, 3);
  EXPECT_EQ(second, 5);
  EXPECT_EQ(third, 7.f);
  EXPECT_LT(static_cast<const void*>(&get<0>(from)), static_cast<const void*>(&get<1>(from)));
  EXPECT_LT(static_cast<const void*>(&get<1>(from)), static_cast<const void*>(&get<2>(from)));
}

TEST(optional, holds_a_value_or_none) {
  static_assert(std::is_trivially_copyable_v<optional<double>>);
  const optional<int> none = nullopt;
  EXPECT_FALSE(none.has_value());
  EXPECT_FALSE(none);
  EXPECT_EQ(none.value_or(3), 3);
  const optional<int> five = 5;
  EXPECT_TRUE(five.has_value());
  EXPECT_EQ(*five, 5);
  EXPECT_EQ(five.value_or(3), 5);
}

template <class T, class Context>
void check_round_trip(Context& ctx) {
  for (const std::int64_t count : {0, 1, 1000}) {
    const std::vector<T> host = random_values<T>(count);
    const array<T> there = to_context(ctx, host);
    ASSERT_EQ(there.size(), host.size());
    ASSERT_EQ(there.empty(), count == 0);
    array<T> second(ctx, count);
    copy(ctx, there.data(), count, second.data());
    const std::vector<T> back = to_host(ctx, second);
    ASSERT_EQ(back.size(), host.size());
    for (std::int64_t i = 0; i < count; ++i) ASSERT_TRUE(back[i] == host[i]);
  }
}

template <class Context>
class core_on : public on<Context> {};
TYPED_TEST_SUITE(core_on, contexts);

TYPED_TEST(core_on, arrays_are_copied_to_a_context_and_back) {
  check_round_trip<char>(this->ctx);
  check_round_trip<double>(this->ctx);
  check_round_trip<triple>(this->ctx);
  check_round_trip<wide>(this->ctx);
}

TYPED_TEST(core_on, arrays_are_moved_not_copied) {
  EXPECT_FALSE((std::is_copy_constructible_v<array<int>>));
  array<int> first(this->ctx, 10);
  int* const data = first.data();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 256, 0u);
  array<int> second = std::move(first);
  EXPECT_EQ(second.data(), data);
  array<int> third(this->ctx, 3);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.size(), 10u);
  EXPECT_EQ(third.side(), TypeParam::side);
}

TYPED_TEST(core_on, arrays_refuse_sizes_that_cannot_be) {
  EXPECT_THROW(array<int>(this->ctx, -1), argument_error);
  EXPECT_THROW(array<double>(this->ctx, std::numeric_limits<std::int64_t>::max() / 4),
               argument_error);
}

TYPED_TEST(core_on, exhausted_memory_is_an_allocation_error_with_the_size) {
  const auto poor = make_poor_context<TypeParam>();
  EXPECT_EQ(array<int>(*poor, 0).data(), nullptr);
  try {
    array<double>(*poor, 1234);
    FAIL() << "nothing was thrown";
  } catch (const allocation_error& e) {
    EXPECT_NE(std::string(e.what()).find("1234 elements of 8 bytes"), std::string::npos)
        << e.what();
  }
}

TYPED_TEST(core_on, contexts_can_be_moved_and_their_arrays_stay) {
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<TypeParam>);
  EXPECT_TRUE(std::is_nothrow_move_assignable_v<TypeParam>);
  TypeParam third = open_context<TypeParam>();  // before the arrays whose memory it takes over
  TypeParam first = open_context<TypeParam>();
  first.check_arguments = false;
  const std::vector<int> host = random_values<int>(1000);
  array<int> values = to_context(first, host);
  TypeParam second = std::move(first);
  EXPECT_FALSE(second.check_arguments);
  EXPECT_EQ(to_host(second, values), host);
  values = to_context(second, std::vector<int>{1, 2, 3});
  third = std::move(second);
  array<int> more = to_context(third, host);
  EXPECT_EQ(to_host(third, values), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(to_host(third, more), host);
}

TYPED_TEST(core_on, counts_that_no_address_space_holds_are_refused) {
  expect_refusal("f", "count", [] { detail::check_count("f", "count", std::int8_t{-1}); });
  expect_refusal("f", "count", [] { detail::check_count("f", "count", std::uint64_t{1} << 63); });
  EXPECT_NO_THROW(detail::check_count("f", "count", (std::uint64_t{1} << 63) - 1));
  EXPECT_NO_THROW(detail::check_count("f", "count", std::numeric_limits<std::uint32_t>::max()));
}

TYPED_TEST(core_on, copies_refuse_null_pointers_unless_nothing_is_copied) {
  array<int> some(this->ctx, 3);
  const int* const from = nullptr;
  int* const to = nullptr;
  expect_refusal("copy", "from", [&] { copy(this->ctx, from, 3, some.data()); });
  expect_refusal("copy", "to", [&] { copy(this->ctx, some.data(), 3, to); });
  EXPECT_NO_THROW(copy(this->ctx, from, 0, to));
}

TEST(check_pointer, may_ask_the_driver_while_another_thread_opens_a_device) {
  const auto before = detail::side_of_address.load();
  reference_context ctx;
  const int number = 0;
  std::thread opens([] {
    for (int i = 0; i < 1000; ++i) {
      detail::side_of_address.store([](const void*) { return memory_side::either; });
    }
  });
  for (int i = 0; i < 1000; ++i) detail::check_pointer(ctx, "f", "number", &number, 1);
  opens.join();
  EXPECT_NE(detail::side_of_address.load(), nullptr);
  detail::side_of_address.store(before);
}

#if !defined(__CUDACC__)
TEST(cpu_context, hands_out_equal_chunks_that_cover_everything_once) {
  for (const int threads : {1, 2, 3, 7}) {
    cpu_context ctx(threads);
    EXPECT_EQ(ctx.threads(), threads);
    for (const std::size_t count : {0, 1, 2, 3, 100, 101}) {
      std::vector<int> visits(count, 0);
      ctx.parallel(count, [&](std::size_t begin, std::size_t end) {
        EXPECT_LT(begin, end);
        EXPECT_LE(end - begin, detail::ceil_div(count, threads));
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_EQ(visits, std::vector<int>(count, 1));
    }
  }
}

TEST(cpu_context, rethrows_the_first_exception_by_chunk_after_all_have_ended) {
  cpu_context ctx(4);
  std::vector<int> ended(4, 0);
  try {
    ctx.parallel(4, [&](std::size_t begin, std::size_t) {
      ended[begin] = 1;
      if (begin % 2 == 1) throw std::runtime_error(std::to_string(begin));
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "1");
  }
  EXPECT_EQ(ended, std::vector<int>(4, 1));
}

TEST(cpu_context, works_within_a_parallel_region_of_the_caller) {
  std::vector<int> visits(1000, 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    cpu_context ctx(3);
    ctx.parallel(visits.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
  }
  EXPECT_EQ(visits, std::vector<int>(1000, 1));
}

TEST(cpu_context, refuses_a_team_of_negative_size) {
  EXPECT_THROW(cpu_context(-1), argument_error);
}
#endif

}  // namespace
}  // namespace evenfold::testing
