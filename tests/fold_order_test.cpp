// backends: host
// The canonical order of folds: the definition in small cases, the law of partial folds, the number
// of operations that an operand passes through, and its effect on rounding.

#include "evenfold/balance/fold_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "evenfold/backend/reference/canonical_fold.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/random.hpp"
#include "support/bytes.hpp"
#include "support/values.hpp"

namespace evenfold {

namespace testing {

/// Concatenates its operands in brackets.
struct bracket {
  std::string operator()(const std::string& a, const std::string& b) const {
    return "(" + a + b + ")";
  }
};
struct commutative_bracket : bracket {};

}  // namespace testing

template <>
inline constexpr bool is_commutative<testing::commutative_bracket, std::string> = true;

namespace testing {
namespace {

using reference::canonical_fold;

/// The brackets of a fold of [begin, end), in which item i is the last digit of i.
template <class Op = bracket>
std::string brackets(int begin, int end) {
  const auto item = [](int i) { return std::to_string(i % 10); };
  return canonical_fold(begin, end, item, Op{}, std::string("."));
}

TEST(fold_order, folds_fewer_than_16_items_from_left_to_right) {
  EXPECT_EQ(brackets(0, 0), ".");
  EXPECT_EQ(brackets(0, 1), "(.0)");
  EXPECT_EQ(brackets(0, 4), "(.(((01)2)3))");
  EXPECT_EQ(brackets(0, 15), "(.((((((((((((((01)2)3)4)5)6)7)8)9)0)1)2)3)4))");
  EXPECT_EQ(brackets(1, 7), brackets<commutative_bracket>(1, 7));
  EXPECT_EQ(brackets(12, 18), "((.(((23)4)5))(67))");
}

TEST(fold_order, folds_runs_on_their_own_and_then_as_a_tree) {
  const std::string first = "(((((((((((((((01)2)3)4)5)6)7)8)9)0)1)2)3)4)5)";
  const std::string second = "(((((((((((((((67)8)9)0)1)2)3)4)5)6)7)8)9)0)1)";
  const std::string third = "(((((((((((((((23)4)5)6)7)8)9)0)1)2)3)4)5)6)7)";
  EXPECT_EQ(brackets(0, 16), "(." + first + ")");
  EXPECT_EQ(brackets(0, 32), "(.(" + first + second + "))");
  EXPECT_EQ(brackets(0, 35), "((.(" + first + second + "))((23)4))");
  EXPECT_EQ(brackets(0, 48), "(.((" + first + second + ")" + third + "))");
  // The tree of runs 0 and 1 beside run 2, and run 1 alone beside run 2.
  EXPECT_EQ(brackets(13, 49), "((.((((34)5)" + second + ")" + third + "))8)");
  EXPECT_EQ(brackets(16, 48), "(.(" + second + third + "))");
  EXPECT_EQ(brackets(31, 48), "(.(1" + third + "))");
}

TEST(fold_order, folds_groups_from_left_to_right) {
  const auto part = [](int begin, int end) {
    const std::string with_init = brackets(begin, end);
    return with_init.substr(2, with_init.size() - 3);
  };
  EXPECT_EQ(brackets(500, 1030),
            "(((." + part(500, 512) + ")" + part(512, 1024) + ")" + part(1024, 1030) + ")");
  EXPECT_EQ(part(0, 1024), "(" + part(0, 512) + part(512, 1024) + ")");
  EXPECT_EQ(brackets(512, 1536), "((." + part(512, 1024) + ")" + part(1024, 1536) + ")");
}

TEST(fold_order, folds_commuting_items_of_whole_runs_by_even_and_odd_positions) {
  EXPECT_EQ(brackets<commutative_bracket>(0, 16),
            "(.((((08)(42))((20)(64)))(((19)(53))((31)(75)))))");
  EXPECT_EQ(brackets<commutative_bracket>(14, 33),
            "((.((45)((((64)(08))((86)(20)))(((75)(19))((97)(31))))))2)");
}

TEST(fold_order, cuts_a_range_into_parts) {
  const auto parts = [](std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint64_t> ends;
    for (std::uint64_t at = begin; at < end;) {
      ends.push_back(at = detail::fold_part_end(at, end));
    }
    return ends;
  };
  using numbers = std::vector<std::uint64_t>;
  EXPECT_EQ(parts(3, 9), numbers({9}));
  EXPECT_EQ(parts(3, 16), numbers({16}));
  EXPECT_EQ(parts(15, 17), numbers({16, 17}));
  EXPECT_EQ(parts(32, 512), numbers({512}));
  EXPECT_EQ(parts(511, 513), numbers({512, 513}));
  EXPECT_EQ(parts(460, 2145), numbers({512, 1024, 2048, 2144, 2145}));
  EXPECT_EQ(parts(0, 4095), numbers({2048, 3072, 3584, 4080, 4095}));
  EXPECT_EQ(detail::fold_part_middle(460, 512), 480u);
  EXPECT_EQ(detail::fold_part_middle(2048, 2144), 2112u);
  EXPECT_EQ(detail::fold_part_middle(3, 16), 16u);
  EXPECT_EQ(detail::fold_part_middle(1024, 2048), 2048u);
}

TEST(fold_order, cuts_a_range_into_the_largest_blocks) {
  std::vector<int> levels;
  for (std::uint64_t at = 14; at < 603;) {
    levels.push_back(detail::first_fold_level(at, 603));
    at += detail::fold_block_length(levels.back());
  }
  std::vector<int> expected = {0, 0, 1, 2, 3, 4, 5};  // 14 to 512
  expected.insert(expected.end(), {3, 1});            // on to 592
  expected.insert(expected.end(), 11, 0);             // on to 603
  EXPECT_EQ(levels, expected);
  EXPECT_EQ(detail::first_fold_level(0, 511), 5);
  EXPECT_EQ(detail::first_fold_level(0, 512), 6);
  EXPECT_EQ(detail::first_fold_level(0, std::uint64_t{1} << 63), detail::fold_levels - 1);
}

TEST(fold_order, rounds_where_the_definition_says) {
  std::vector<float> x = {1e8f, 3, 5, -1e8f, 0.1f, 7e7f, -7e7f, 1e-3f};
  for (int k = 0; k < 9; ++k) x.push_back(static_cast<float>(k) + 0.3f);
  const auto two = [&](std::size_t k) { return x[k] + x[k + 8]; };
  const auto four = [&](std::size_t k) { return two(k) + two(k + 4); };
  const float run = (four(0) + four(2)) + (four(1) + four(3));
  const float expected = (0.5f + run) + x[16];
  const auto item = [&](int i) { return x[static_cast<std::size_t>(i)]; };
  EXPECT_EQ(canonical_fold(0, 17, item, plus{}, 0.5f), expected);
  EXPECT_NE(std::accumulate(x.begin(), x.end(), 0.5f), expected);
}

/// Matrices whose products are rounded, do not commute, and neither grow nor vanish.
struct rotation {
  float a, b, c, d;

  static rotation from(std::uint64_t bits) {
    const auto part = [&](int k) {
      return static_cast<float>(static_cast<int>(bits >> (16 * k) & 0xffff) - 0x8000) / 0x8000;
    };
    return {part(0), part(1), part(2), part(3)};
  }
  friend rotation operator*(const rotation& x, const rotation& y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
            x.c * y.b + x.d * y.d};
  }
};

template <class Op>
partial_fold<rotation> fold_part(const std::vector<rotation>& values, std::uint64_t begin,
                                 std::uint64_t end, Op op) {
  partial_fold<rotation> part(begin);
  for (std::uint64_t i = begin; i < end; ++i) part.append(values[i], op);
  return part;
}

TEST(partial_fold, of_the_parts_is_that_of_the_whole_wherever_it_is_cut) {
  const random_stream random(11);
  std::uint64_t draw = 0;
  const auto below = [&](std::uint64_t n) { return random.below(draw++, n); };
  const std::vector<rotation> values = random_values<rotation>(5000);
  const rotation init{1, 0.25f, -0.5f, 1};
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint64_t most = trial % 2 == 0 ? 100 : values.size();
    std::vector<std::uint64_t> cuts;
    for (std::uint64_t k = 2 + below(6); k > 0; --k) cuts.push_back(below(most + 1));
    std::sort(cuts.begin(), cuts.end());
    partial_fold<rotation> left(cuts[0]);
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      left.join(fold_part(values, cuts[k - 1], cuts[k], multiplies{}), multiplies{});
    }
    // The same parts, combined from the right.
    partial_fold<rotation> right(cuts.back());
    for (std::size_t k = cuts.size() - 1; k > 0; --k) {
      auto part = fold_part(values, cuts[k - 1], cuts[k], multiplies{});
      part.join(partial_fold<rotation>(right.begin(), right.end(), right.blocks()), multiplies{});
      right = part;
    }
    const auto item = [&](std::uint64_t i) { return values[i]; };
    const rotation expected = canonical_fold(cuts[0], cuts.back(), item, multiplies{}, init);
    ASSERT_TRUE(same_bytes(left.fold(multiplies{}, init), expected)) << trial;
    ASSERT_TRUE(same_bytes(right.fold(multiplies{}, init), expected)) << trial;
    ASSERT_EQ(left.num_blocks(), right.num_blocks());
    ASSERT_EQ(left.end(), cuts.back());
  }
}

TEST(partial_fold, without_an_initial_value_begins_with_the_first_block) {
  const std::vector<rotation> values = random_values<rotation>(20);
  const auto part = fold_part(values, 0, 20, multiplies{});
  const auto item = [&](std::uint64_t i) { return values[i]; };
  const rotation head =
      canonical_fold(std::uint64_t{0}, std::uint64_t{16}, item, multiplies{}, rotation{1, 0, 0, 1});
  const rotation rest =
      canonical_fold(std::uint64_t{16}, std::uint64_t{20}, item, multiplies{}, head);
  EXPECT_TRUE(same_bytes(part.fold(multiplies{}), rest));
}

TEST(partial_fold, holds_the_longest_range_of_blocks) {
  partial_fold<std::uint64_t> part(1);
  const auto append = [&](int level) {
    part.append_block(level, detail::fold_block_length(level), plus{});
  };
  for (int k = 0; k < 15; ++k) append(0);
  for (int level = 1; level < detail::fold_levels - 1; ++level) append(level);
  for (int level = detail::fold_levels - 1; level-- > 1;) append(level);
  for (int k = 0; k < 15; ++k) append(0);
  EXPECT_EQ(part.end(), (std::uint64_t{1} << 63) - 1);
  EXPECT_EQ(part.fold(plus{}), part.end() - part.begin());
  EXPECT_EQ(part.num_blocks(), partial_fold<std::uint64_t>::capacity - 1);
  // The last item completes a block of every level.
  append(0);
  EXPECT_EQ(part.end(), std::uint64_t{1} << 63);
  EXPECT_EQ(part.fold(plus{}), part.end() - 1);
}

/// The largest number of operations that an operand passes through.
struct deeper {
  int operator()(int a, int b) const { return std::max(a, b) + 1; }
};
int depth(int begin, int end) {
  return canonical_fold(
      begin, end, [](int) { return 0; }, deeper{}, 0);
}

/// The bound of docs/folds.md on the operations that an operand of [begin, end) passes through.
int documented_depth(int begin, int end) {
  const int k = std::bit_width(static_cast<unsigned>(end - begin)) - 1;
  return std::max(23, 2 * k + 6);
}

TEST(fold_order, lets_an_operand_pass_through_few_operations) {
  for (const int begin : {0, 1, 5, 16, 63, 497, 511, 513}) {
    for (int n = 1; n <= 20000; n += n < 2000 ? 1 : 97) {
      ASSERT_LE(depth(begin, begin + n), documented_depth(begin, begin + n)) << begin << " " << n;
    }
  }
  EXPECT_EQ(depth(0, 4096), 15 + 5 + 3 + 1);
  EXPECT_EQ(depth(0, 4095), 15 + 5 + 2 + 1 + 4);
  EXPECT_EQ(depth(0, 511), 15 + 5 + 1 + 1);
}

/// digits 2^exponent, where `digits` has as many random bits as T holds.
template <class T>
struct scaled_number {
  std::int64_t digits;
  int exponent;

  static scaled_number from(const random_stream& random, std::uint64_t i) {
    constexpr int bits = std::numeric_limits<T>::digits;
    const auto digits = static_cast<std::int64_t>(random.bits64(2 * i) >> (64 - bits));
    const std::uint64_t rest = random.bits64(2 * i + 1);
    return {rest % 3 == 0 ? -digits : digits, static_cast<int>(rest >> 8 & 15)};
  }
  T value() const { return std::ldexp(static_cast<T>(digits), exponent); }
};

/// Holds the sums of all such numbers exactly.
__extension__ using exact_sum = __int128;

template <class T>
void check_errors(int count) {
  const random_stream random(7);
  std::vector<T> x;
  std::vector<exact_sum> exact = {0}, magnitude = {0};
  for (int i = 0; i < count; ++i) {
    const auto number = scaled_number<T>::from(random, static_cast<std::uint64_t>(i));
    const exact_sum value = static_cast<exact_sum>(number.digits) << number.exponent;
    x.push_back(number.value());
    exact.push_back(exact.back() + value);
    magnitude.push_back(magnitude.back() + (value < 0 ? -value : value));
  }
  const auto item = [&](int i) { return x[static_cast<std::size_t>(i)]; };
  for (const int begin : {0, 1, 15, 100, 777, 4096}) {
    for (int end = begin + 1; end <= count; end += (end - begin) / 2 + 1) {
      const T sum = canonical_fold(begin, end, item, plus{}, T{0});
      // An integer, and so is the sum.
      const exact_sum error = static_cast<exact_sum>(sum) - (exact[end] - exact[begin]);
      const auto size = static_cast<double>(error < 0 ? -error : error);
      const double unit = std::numeric_limits<T>::epsilon() / 2;
      ASSERT_LE(size, documented_depth(begin, end) * unit *
                          static_cast<double>(magnitude[end] - magnitude[begin]))
          << begin << " " << end;
    }
  }
}

TEST(fold_order, has_errors_below_the_documented_bound) {
  check_errors<float>(200000);
  check_errors<double>(200000);
  // Sums from left to right do not: each of these additions to 1 is rounded down.
  const int n = 1 << 16;
  const double unit = std::numeric_limits<double>::epsilon() / 2;
  const auto item = [&](int i) { return i == 0 ? 1. : unit; };
  double sequential = 0;
  for (int i = 0; i < n; ++i) sequential += item(i);
  const double exact = 1 + (n - 1) * unit;
  const double bound = documented_depth(0, n) * unit * exact;
  EXPECT_GT(exact - sequential, 100 * bound);
  EXPECT_LE(std::abs(exact - canonical_fold(0, n, item, plus{}, 0.)), bound);
}

TEST(fold_order, loses_few_roundings) {
  // Multiples of 2^-20 below 1, whose sums are exact in double.
  const int n = 1 << 20;
  std::vector<float> x;
  const random_stream random(3);
  for (int i = 0; i < n; ++i) {
    x.push_back(
        std::ldexp(static_cast<float>(random.bits32(static_cast<std::uint64_t>(i)) >> 12), -20));
  }
  const double exact = std::accumulate(x.begin(), x.end(), 0.);
  const auto item = [&](int i) { return x[static_cast<std::size_t>(i)]; };
  const double ours = canonical_fold(0, n, item, plus{}, 0.f);
  const double sequential = std::accumulate(x.begin(), x.end(), 0.f);
  const double rounding = std::ldexp(1., -24);
  EXPECT_LE(std::abs(ours - exact), depth(0, n) * rounding * exact);
  EXPECT_GT(std::abs(sequential - exact), 100 * std::abs(ours - exact));
}

}  // namespace
}  // namespace testing

}  // namespace evenfold
