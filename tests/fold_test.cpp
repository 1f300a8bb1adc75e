#include "evenfold/algorithm/fold.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "evenfold/algorithm/fold_invariant.hpp"
#include "support/contexts.hpp"
#include "support/shapes.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

constexpr fold_strategy strategies[] = {fold_strategy::array_folding, fold_strategy::tournament,
                                        fold_strategy::tiled};
constexpr fold_strategy taught[] = {fold_strategy::array_folding, fold_strategy::tournament};

/// 0 to 70, and sizes around those of many tiles.
std::vector<std::int64_t> fold_sizes() {
  std::vector<std::int64_t> result;
  for (std::int64_t n = 0; n <= 70; ++n) result.push_back(n);
  for (const std::int64_t n : {1023, 1024, 1025, 65535, 65537}) result.push_back(n);
  result.push_back(large_size);
  return result;
}

/// The definition, on the host.
template <class T, class Op>
T fold_from_left(const std::vector<T>& values, std::int64_t count, Op op, T init) {
  for (std::int64_t i = 0; i < count; ++i) init = op(init, values[static_cast<std::size_t>(i)]);
  return init;
}

template <class T, class Context, class Op>
void check_every_strategy(Context& ctx, Op op, T init) {
  const std::vector<T> host = random_values<T>(large_size);
  const array<T> input = to_context(ctx, host);
  for (const std::int64_t count : fold_sizes()) {
    const T expected = fold_from_left(host, count, op, init);
    for (const fold_strategy strategy : strategies) {
      if (strategy == fold_strategy::array_folding && !is_commutative<Op, T>) continue;
      ASSERT_TRUE(fold(ctx, input.data(), count, op, init, strategy) == expected)
          << count << " values, strategy " << static_cast<int>(strategy);
    }
  }
  ASSERT_TRUE(to_host(ctx, input) == host) << "the input has been written";
}

/// Value j is 2^j, so that the bits of a sum are the set of the values in it.
template <class Context>
void check_what_cells_hold(Context& ctx) {
  std::vector<std::uint64_t> host;
  for (int j = 0; j < 64; ++j) host.push_back(std::uint64_t{1} << j);
  const array<std::uint64_t> input = to_context(ctx, host);
  for (std::size_t n = 0; n <= 64; ++n) {
    // The residue class of each value.
    std::vector<std::size_t> of(n);
    for (std::size_t j = 0; j < n; ++j) of[j] = j;
    int rounds = 0;
    const auto folding = [&](int round, const array<std::uint64_t>& cells) {
      ASSERT_EQ(round, rounds++);
      const std::size_t classes = (n + (std::size_t{1} << round) - 1) >> round;
      std::vector<std::uint64_t> expected(classes, 0);
      for (std::size_t j = 0; j < n; ++j) expected[of[j] %= classes] |= host[j];
      std::vector<std::uint64_t> found = to_host(ctx, cells);
      found.resize(classes);
      ASSERT_EQ(found, expected) << n << " values, round " << round;
    };
    fold(ctx, input.data(), n, plus{}, std::uint64_t{0}, fold_strategy::array_folding, folding);
    ASSERT_EQ(rounds, num_fold_rounds(n) + 1);

    const auto tournament = [&](int round, const array<std::uint64_t>& cells) {
      const std::vector<std::uint64_t> found = to_host(ctx, cells);
      const std::size_t width = std::size_t{1} << round;
      for (std::size_t b = 0; b < n; b += width) {
        std::uint64_t block = 0;
        for (std::size_t j = b; j < std::min(n, b + width); ++j) block |= host[j];
        ASSERT_EQ(found[b], block) << n << " values, round " << round << ", cell " << b;
      }
    };
    fold(ctx, input.data(), n, plus{}, std::uint64_t{0}, fold_strategy::tournament, tournament);
  }
}

template <class T, class Context, class Op>
void check_invariants(Context& ctx, const std::vector<T>& host, Op op, T init) {
  const array<T> input = to_context(ctx, host);
  for (const fold_strategy strategy : taught) {
    if (strategy == fold_strategy::array_folding && !is_commutative<Op, T>) continue;
    int rounds = 0;
    fold(ctx, input.data(), host.size(), op, init, strategy, [&](int round, const array<T>& cells) {
      const std::vector<T> now = to_host(ctx, cells);
      const auto broken =
          first_broken_cell(strategy, round, host.data(), now.data(), now.size(), op);
      ASSERT_FALSE(broken.has_value())
          << host.size() << " values, round " << round << ", cell " << broken->cell;
      ++rounds;
    });
    ASSERT_EQ(rounds, num_fold_rounds(host.size()) + 1);
  }
}

template <class Context>
void check_invariants_of_fractions(Context& ctx) {
  for (const std::int64_t n : {0, 1, 2, 3, 5, 8, 11, 31, 64, 70, 1000, 4099}) {
    check_invariants(ctx, random_fractions<float>(n), plus{}, 0.f);
    check_invariants(ctx, random_fractions<double>(n), multiplies{}, 1.);
    check_invariants(ctx, random_values<matrix2>(n), multiplies{}, matrix2(1, 0, 0, 1));
  }
  std::vector<float> odd = random_fractions<float>(70);
  odd[3] = std::numeric_limits<float>::quiet_NaN();
  odd[40] = std::numeric_limits<float>::infinity();
  odd[69] = -0.f;
  check_invariants(ctx, odd, plus{}, 0.f);
}

/// Adds, but never beyond 40.
struct leaky_plus {
  EF_HD int operator()(int a, int b) const { return a + b > 40 ? 40 : a + b; }
};

template <class Context>
void check_broken_operator(Context& ctx) {
  const std::vector<int> host = {3, 1, 4, 1, 5, 9, 2, 6, 50, 3, 5};
  const array<int> input = to_context(ctx, host);
  std::vector<broken_cell<int>> found;
  std::vector<int> rounds;
  fold(ctx, input.data(), 11, leaky_plus{}, 0, fold_strategy::tournament,
       [&](int round, const array<int>& cells) {
         const std::vector<int> now = to_host(ctx, cells);
         const auto broken = first_broken_cell(fold_strategy::tournament, round, host.data(),
                                               now.data(), now.size(), plus{});
         if (broken) {
           found.push_back(*broken);
           rounds.push_back(round);
         }
       });
  ASSERT_EQ(rounds, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(found[0].cell, 8u);
  EXPECT_EQ(found[0].found, 40);
  EXPECT_EQ(found[0].expected, 53);
  EXPECT_EQ(found[3].cell, 0u);
  EXPECT_EQ(found[3].expected, 89);
}

/// Something changes the array between two rounds.
template <class Context>
void check_corrupted_cell(Context& ctx, fold_strategy strategy, std::size_t victim,
                          std::size_t named) {
  const std::vector<double> host = random_fractions<double>(11);
  const array<double> input = to_context(ctx, host);
  std::vector<broken_cell<double>> found;
  std::vector<int> rounds;
  fold(ctx, input.data(), 11, plus{}, 0., strategy, [&](int round, const array<double>& cells) {
    const std::vector<double> now = to_host(ctx, cells);
    if (const auto broken =
            first_broken_cell(strategy, round, host.data(), now.data(), now.size(), plus{})) {
      found.push_back(*broken);
      rounds.push_back(round);
    }
    if (round == 1) {
      const double other = now[victim] + 1;
      copy(ctx, &other, 1, const_cast<double*>(cells.data()) + victim);
    }
  });
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(rounds[0], 2);
  EXPECT_EQ(found[0].cell, named);
  EXPECT_NEAR(found[0].found, found[0].expected + 1, 1e-9);
}

template <class Context>
void check_sign_of_zero(Context& ctx) {
  const std::vector<float> host = {-0.f, -0.f};
  const std::vector<float> plain = {0.f, -0.f};
  const auto broken =
      first_broken_cell(fold_strategy::array_folding, 1, host.data(), plain.data(), 2, plus{});
  ASSERT_TRUE(broken.has_value()) << "-0 + -0 is -0, in every bit";
  const array<float> input = to_context(ctx, host);
  for (const fold_strategy strategy : strategies) {
    EXPECT_TRUE(std::signbit(fold(ctx, input.data(), 2, plus{}, -0.f, strategy)));
  }
}

template <class Call>
void expect_message(Call call, const std::string& expected) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << expected;
  } catch (const argument_error& e) {
    EXPECT_EQ(std::string(e.what()), expected);
  }
}

template <class Context>
void check_refusals(Context& ctx) {
  const array<matrix2> input = to_context(ctx, random_values<matrix2>(4));
  const array<int> numbers = to_context(ctx, std::vector<int>{1, 2, 3});
  int calls = 0;
  const auto count_calls = [&](int, const auto&) { ++calls; };
  const std::string commute =
      "fold: strategy is array_folding, but it changes the order of operands, and the operator is "
      "not declared to commute; take tournament or tiled, or specialise is_commutative<Op, T> if "
      "it does";
  expect_message(
      [&] {
        fold(ctx, input.data(), 4, multiplies{}, matrix2(1, 0, 0, 1), fold_strategy::array_folding,
             count_calls);
      },
      commute);
  expect_message(
      [&] {
        fold(ctx, numbers.data(), 0, last_nonzero{}, 0, fold_strategy::array_folding, count_calls);
      },
      commute);
  expect_message(
      [&] { fold(ctx, numbers.data(), -1, plus{}, 0, fold_strategy::tiled, count_calls); },
      "fold: count is -1, but a count cannot be negative; pass the number of elements");
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(fold(ctx, numbers.data(), 3, plus{}, 0, fold_strategy::tiled, count_calls), 6);
  EXPECT_EQ(calls, 0) << "tiled has no rounds";
}

template <class Context>
class fold_on : public on<Context> {};
TYPED_TEST_SUITE(fold_on, contexts);

TYPED_TEST(fold_on, every_strategy_at_every_size) {
  check_every_strategy<int>(this->ctx, plus{}, 3);
  check_every_strategy<double>(this->ctx, minimum{}, 100.);
}

TYPED_TEST(fold_on, keeps_the_order_of_operands) {
  check_every_strategy<matrix2>(this->ctx, multiplies{}, matrix2(1, 1, 0, 1));
}

TYPED_TEST(fold_on, cells_hold_residue_classes_and_blocks) { check_what_cells_hold(this->ctx); }

TYPED_TEST(fold_on, invariants_hold_in_every_bit) { check_invariants_of_fractions(this->ctx); }

TYPED_TEST(fold_on, a_broken_operator_is_caught_and_named) { check_broken_operator(this->ctx); }

TYPED_TEST(fold_on, a_corrupted_cell_is_caught_and_named) {
  check_corrupted_cell(this->ctx, fold_strategy::array_folding, 1, 1);
  check_corrupted_cell(this->ctx, fold_strategy::array_folding, 5, 2);
  check_corrupted_cell(this->ctx, fold_strategy::tournament, 8, 8);
  check_corrupted_cell(this->ctx, fold_strategy::tournament, 6, 4);
}

TYPED_TEST(fold_on, keeps_the_sign_of_zero) { check_sign_of_zero(this->ctx); }

TYPED_TEST(fold_on, refuses_what_it_cannot_do) { check_refusals(this->ctx); }

TEST(first_broken_cell, refuses_tiled) {
  const int one = 1;
  expect_message([&] { first_broken_cell(fold_strategy::tiled, 0, &one, &one, 1, plus{}); },
                 "first_broken_cell: strategy is tiled, but it has no rounds; take array_folding "
                 "or tournament");
}

TEST(num_fold_rounds, is_the_logarithm_rounded_up) {
  EXPECT_EQ(num_fold_rounds(0), 0);
  EXPECT_EQ(num_fold_rounds(1), 0);
  EXPECT_EQ(num_fold_rounds(2), 1);
  EXPECT_EQ(num_fold_rounds(8), 3);
  EXPECT_EQ(num_fold_rounds(9), 4);
  EXPECT_EQ(num_fold_rounds(std::int64_t{1} << 40), 40);
}

}  // namespace
}  // namespace evenfold::testing
