// nearest, compared with the haversine formula in long double, also for difficult arrangements of
// places.

#include "evenfold/geo/nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "evenfold/core/random.hpp"
#include "tests/support/contexts.hpp"

namespace evenfold::testing {
namespace {

struct places_on_host {
  std::vector<double> latitudes, longitudes;
  std::vector<std::int32_t> groups;
  std::int32_t num_groups = 0;

  std::int32_t size() const { return static_cast<std::int32_t>(groups.size()); }
  void add(double latitude, double longitude, std::int32_t group) {
    latitudes.push_back(latitude);
    longitudes.push_back(longitude);
    groups.push_back(group);
    num_groups = std::max(num_groups, group + 1);
  }
};

/// sin^2 of half the angle between two places, in long double.
long double exact_haversine(long double lat_a, long double lon_a, long double lat_b,
                            long double lon_b) {
  const long double degree = std::acos(-1.0L) / 180;
  const long double s = std::sin((lat_b - lat_a) * degree / 2);
  const long double t = std::sin((lon_b - lon_a) * degree / 2);
  return s * s + std::cos(lat_a * degree) * std::cos(lat_b * degree) * t * t;
}

/// The great-circle distance on the unit sphere. Beyond a quarter turn it is measured from the
/// antipode, where the formula is as accurate as near zero.
long double distance(const places_on_host& all, std::int32_t a, std::int32_t b) {
  const double lat_a = all.latitudes[a], lon_a = all.longitudes[a];
  const double lat_b = all.latitudes[b], lon_b = all.longitudes[b];
  const long double h = exact_haversine(lat_a, lon_a, lat_b, lon_b);
  if (h <= 0.5L) return 2 * std::asin(std::sqrt(h));
  return std::acos(-1.0L) -
         2 * std::asin(std::sqrt(exact_haversine(lat_a, lon_a, -lat_b, lon_b + 180)));
}

struct answer_on_host {
  std::vector<std::int32_t> neighbours;
  std::vector<double> distances;
  std::vector<std::int32_t> order, group_offsets;
};

template <class Context>
answer_on_host run(Context& ctx, const places_on_host& all, int k, double radius = 1) {
  const auto latitudes = to_context(ctx, all.latitudes);
  const auto longitudes = to_context(ctx, all.longitudes);
  const auto groups = to_context(ctx, all.groups);
  const nearest_places found = nearest(ctx, latitudes.data(), longitudes.data(), groups.data(),
                                       all.size(), all.num_groups, k, radius);
  return {to_host(ctx, found.neighbours), to_host(ctx, found.distances), to_host(ctx, found.order),
          to_host(ctx, found.group_offsets)};
}

/// Compares an answer with all pairs. Neighbours may differ from those of the formula if their
/// distances differ by at most `slack`, the effect of rounding.
void expect_right(const places_on_host& all, int k, const answer_on_host& found) {
  constexpr long double slack = 4e-15L;
  const std::int32_t count = all.size();
  ASSERT_EQ(found.neighbours.size(), static_cast<std::size_t>(count) * k);
  ASSERT_EQ(found.distances.size(), found.neighbours.size());
  std::vector<std::vector<std::int32_t>> members(all.num_groups);
  for (std::int32_t i = 0; i < count; ++i) members[all.groups[i]].push_back(i);

  for (std::int32_t i = 0; i < count; ++i) {
    std::vector<long double> sorted;
    for (const std::int32_t other : members[all.groups[i]]) {
      if (other != i) sorted.push_back(distance(all, i, other));
    }
    const auto first = std::min(sorted.size(), static_cast<std::size_t>(k));
    std::partial_sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(first),
                      sorted.end());
    std::vector<std::int32_t> seen;
    for (int j = 0; j < k; ++j) {
      const std::int32_t other = found.neighbours[static_cast<std::size_t>(i) * k + j];
      const double d = found.distances[static_cast<std::size_t>(i) * k + j];
      if (static_cast<std::size_t>(j) >= sorted.size()) {
        ASSERT_EQ(other, -1) << "place " << i << " has only " << sorted.size() << " others";
        ASSERT_TRUE(std::isinf(d));
        continue;
      }
      ASSERT_TRUE(other >= 0 && other < count && other != i) << "place " << i << ", " << j;
      ASSERT_EQ(all.groups[other], all.groups[i]);
      ASSERT_EQ(std::count(seen.begin(), seen.end(), other), 0) << "twice";
      seen.push_back(other);
      ASSERT_NEAR(d, static_cast<double>(distance(all, i, other)), slack) << i << " to " << other;
      // Near the antipode, chords order distances only up to the square root of the accuracy.
      const long double order_slack = sorted[j] > 3 ? 5e-8L : slack;
      ASSERT_NEAR(d, static_cast<double>(sorted[j]), order_slack)
          << "place " << i << ", neighbour " << j;
    }
  }

  // The results are ordered by group, then by the last distance, then by row.
  ASSERT_EQ(found.order.size(), all.groups.size());
  ASSERT_EQ(found.group_offsets.size(), static_cast<std::size_t>(all.num_groups));
  const auto last_distance = [&](std::int32_t row) {
    double last = 0;
    for (int j = 0; j < k; ++j) {
      const double d = found.distances[static_cast<std::size_t>(row) * k + j];
      if (!std::isinf(d)) last = d;
    }
    return last;
  };
  std::size_t begin = 0;
  for (std::int32_t g = 0; g < all.num_groups; ++g) {
    ASSERT_EQ(found.group_offsets[g], static_cast<std::int32_t>(begin));
    std::vector<std::int32_t> expected = members[g];
    std::stable_sort(expected.begin(), expected.end(), [&](std::int32_t a, std::int32_t b) {
      return last_distance(a) < last_distance(b);
    });
    for (const std::int32_t row : expected) ASSERT_EQ(found.order[begin++], row) << "group " << g;
  }
}

places_on_host random_places(int count, int num_groups, std::uint64_t seed, double extent = 1) {
  const random_stream random(seed);
  places_on_host all;
  all.num_groups = num_groups;
  for (int i = 0; i < count; ++i) {
    all.add((random.uniform<double>(3 * i) * 180 - 90) * extent,
            (random.uniform<double>(3 * i + 1) * 360 - 180) * extent,
            static_cast<std::int32_t>(random.below(3 * i + 2, num_groups)));
  }
  return all;
}

template <class Context>
class nearest_test : public ::testing::Test {
 protected:
  Context ctx;
};
TYPED_TEST_SUITE(nearest_test, contexts);

TYPED_TEST(nearest_test, random_places_for_each_k) {
  const places_on_host all = random_places(220, 3, 1);
  for (int k = 1; k <= nearest_max_k; ++k) {
    SCOPED_TRACE("k = " + std::to_string(k));
    expect_right(all, k, run(this->ctx, all, k));
  }
}

TYPED_TEST(nearest_test, group_sizes_around_the_blocks) {
  for (const int size : {1, 2, 3, 5, 15, 16, 17, 63, 64, 65, 129, 1023, 1024, 1025}) {
    SCOPED_TRACE("groups of " + std::to_string(size));
    // One more place, so that another group follows.
    places_on_host all = random_places(size + 1, 1, static_cast<std::uint64_t>(size), 0.1);
    all.groups[size / 2] = 1;
    all.num_groups = 2;
    expect_right(all, 3, run(this->ctx, all, 3));
  }
}

TYPED_TEST(nearest_test, one_giant_group_among_many_small_ones) {
  places_on_host all = random_places(1500, 250, 5);
  for (int i = 0; i < 1500; i += 2) all.groups[i] = 7;
  expect_right(all, 4, run(this->ctx, all, 4));
}

TYPED_TEST(nearest_test, no_places_and_empty_groups) {
  places_on_host none;
  expect_right(none, 3, run(this->ctx, none, 3));
  none.num_groups = 5;
  expect_right(none, 3, run(this->ctx, none, 3));

  places_on_host sparse;
  for (const std::int32_t group : {4, 4, 9, 4, 1})
    sparse.add(group, group * 2.0 + sparse.size(), group);
  sparse.num_groups = 13;
  expect_right(sparse, 2, run(this->ctx, sparse, 2));
}

TYPED_TEST(nearest_test, lonely_places) {
  places_on_host all;
  for (int i = 0; i < 100; ++i) all.add(i * 0.5, -i, i);
  expect_right(all, 3, run(this->ctx, all, 3));
}

TYPED_TEST(nearest_test, ties_go_to_the_lower_row) {
  // All places in one spot, in three interleaved groups.
  places_on_host same;
  for (int i = 0; i < 3000; ++i) same.add(47.25, 8.5, i % 3);
  const answer_on_host found = run(this->ctx, same, 3);
  for (std::int32_t i = 0; i < 3000; ++i) {
    std::vector<std::int32_t> expected;
    for (std::int32_t other = i % 3; expected.size() < 3; other += 3) {
      if (other != i) expected.push_back(other);
    }
    for (int j = 0; j < 3; ++j) {
      ASSERT_EQ(found.neighbours[i * 3 + j], expected[j]) << i;
      ASSERT_EQ(found.distances[i * 3 + j], 0);
    }
  }

  // Four places at the same distance from a fifth.
  places_on_host cross;
  cross.add(0, 1, 0);
  cross.add(0, -1, 0);
  cross.add(0, 0, 0);
  cross.add(-1, 0, 0);
  cross.add(1, 0, 0);
  const answer_on_host around = run(this->ctx, cross, 4);
  EXPECT_EQ(
      std::vector<std::int32_t>(around.neighbours.begin() + 8, around.neighbours.begin() + 12),
      (std::vector<std::int32_t>{0, 1, 3, 4}));
}

TYPED_TEST(nearest_test, poles_and_the_date_line) {
  // The pole is the same place for every longitude, and 180 degrees west is 180 degrees east.
  places_on_host all;
  for (const double longitude : {-180.0, -90.0, 0.0, 33.0, 90.0, 180.0}) all.add(90, longitude, 0);
  for (const double latitude : {-45.0, 0.0, 12.5}) {
    all.add(latitude, 180, 1);
    all.add(latitude, -180, 1);
    all.add(latitude, 179.9, 1);
    all.add(latitude, -179.95, 1);
  }
  const answer_on_host found = run(this->ctx, all, 5);
  expect_right(all, 5, found);
  for (int i = 0; i < 6 * 5; ++i) EXPECT_EQ(found.distances[i], 0);
  EXPECT_EQ(found.distances[6 * 5], 0);
  EXPECT_EQ(found.neighbours[6 * 5], 7);
}

TYPED_TEST(nearest_test, distances_from_millimetres_to_antipodes) {
  places_on_host all;
  std::int32_t group = 0;
  for (double angle = 1e-10; angle < 180; angle *= 3) {
    for (const double latitude : {0.0, 37.0, 89.0}) {
      all.add(latitude, 11, group);
      all.add(std::max(-90.0, latitude - angle), 11, group);
      ++group;
    }
  }
  for (const double off : {0.0, 1e-9, 1e-7, 1e-5, 1e-3}) {
    all.add(31.5, -70, group);
    all.add(-31.5 + off, 110, group);
    ++group;
  }
  expect_right(all, 1, run(this->ctx, all, 1));
}

TYPED_TEST(nearest_test, antipodes_have_neighbours) {
  places_on_host all;
  for (int i = 0; i < 6; ++i)
    all.add(i < 3 ? 20.0 : -20.0, i < 3 ? 10 + 1e-6 * i : -170 + 1e-6 * i, 0);
  expect_right(all, 5, run(this->ctx, all, 5));
}

TYPED_TEST(nearest_test, rows_in_any_order_give_the_same_neighbours) {
  const places_on_host all = random_places(900, 5, 11, 0.2);
  std::vector<std::int32_t> shuffle(900);
  std::iota(shuffle.begin(), shuffle.end(), 0);
  const random_stream random(12);
  for (int i = 899; i > 0; --i) std::swap(shuffle[i], shuffle[random.below(i, i + 1)]);
  places_on_host mixed;
  mixed.num_groups = all.num_groups;
  for (const std::int32_t row : shuffle) {
    mixed.add(all.latitudes[row], all.longitudes[row], all.groups[row]);
  }
  const answer_on_host straight = run(this->ctx, all, 3);
  const answer_on_host crossed = run(this->ctx, mixed, 3);
  for (std::int32_t i = 0; i < 900; ++i) {
    for (int j = 0; j < 3; ++j) {
      const std::size_t a = static_cast<std::size_t>(shuffle[i]) * 3 + j;
      const std::size_t b = static_cast<std::size_t>(i) * 3 + j;
      ASSERT_EQ(straight.neighbours[a], shuffle[crossed.neighbours[b]]);
      ASSERT_EQ(straight.distances[a], crossed.distances[b]);
    }
  }
}

TYPED_TEST(nearest_test, repeated_runs_give_the_same_bits) {
  const places_on_host all = random_places(3000, 9, 21);
  const answer_on_host first = run(this->ctx, all, 3);
  for (int trial = 0; trial < 3; ++trial) {
    const answer_on_host again = run(this->ctx, all, 3);
    EXPECT_EQ(again.neighbours, first.neighbours);
    EXPECT_EQ(again.distances, first.distances);
    EXPECT_EQ(again.order, first.order);
  }
}

TYPED_TEST(nearest_test, has_the_same_bits_on_every_backend_and_machine) {
  const places_on_host all = random_places(2000, 7, 51);
  const answer_on_host found = run(this->ctx, all, 5, earth_radius_miles);
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < found.distances.size(); ++i) {
    hash = hash * 0x100000001b3u + detail::bit_cast<std::uint64_t>(found.distances[i]);
    hash = hash * 0x100000001b3u + static_cast<std::uint64_t>(found.neighbours[i]);
  }
  for (const std::int32_t row : found.order) {
    hash = hash * 0x100000001b3u + static_cast<std::uint64_t>(row);
  }
  EXPECT_EQ(hash, 0xd3b0e2e038b01148u);
}

TYPED_TEST(nearest_test, radius_is_the_unit) {
  const places_on_host all = random_places(50, 1, 31);
  const answer_on_host unit = run(this->ctx, all, 2);
  const answer_on_host miles = run(this->ctx, all, 2, earth_radius_miles);
  for (std::size_t i = 0; i < unit.distances.size(); ++i) {
    EXPECT_DOUBLE_EQ(miles.distances[i], unit.distances[i] * 3958.76);
  }
}

TYPED_TEST(nearest_test, wrong_arguments_are_refused) {
  places_on_host all = random_places(10, 2, 41);
  EXPECT_THROW(run(this->ctx, all, 0), argument_error);
  EXPECT_THROW(run(this->ctx, all, -1), argument_error);
  EXPECT_THROW(run(this->ctx, all, nearest_max_k + 1), argument_error);
  all.groups[3] = 2;
  EXPECT_THROW(run(this->ctx, all, 1), argument_error);
  all.groups[3] = -1;
  EXPECT_THROW(run(this->ctx, all, 1), argument_error);
  EXPECT_THROW(
      nearest(this->ctx, static_cast<const double*>(nullptr), static_cast<const double*>(nullptr),
              static_cast<const std::int32_t*>(nullptr), -1, 0, 1, 1.0),
      argument_error);
}

TEST(great_circle, known_distances) {
  const auto miles = [](double lat_a, double lon_a, double lat_b, double lon_b) {
    return earth_radius_miles * great_circle_angle(lat_a, lon_a, lat_b, lon_b);
  };
  const double degree = earth_radius_miles * std::acos(-1.0) / 180;
  EXPECT_NEAR(miles(0, 0, 0, 90), 90 * degree, 1e-9);
  EXPECT_NEAR(miles(0, 0, 0, 180), 180 * degree, 1e-9);
  EXPECT_NEAR(miles(90, 17, -90, 3), 180 * degree, 1e-9);
  EXPECT_NEAR(miles(10, 20, 10, 20), 0, 0);
  EXPECT_NEAR(miles(51.5, 0, 51.5 + 1e-6, 0), 1e-6 * degree, 1e-12);
}

TEST(great_circle, functions_are_accurate_to_a_unit_in_the_last_place) {
  const auto expect_near = [](double got, long double exact, double x) {
    const double unit = std::nextafter(std::fabs(got), 9) - std::fabs(got);
    EXPECT_LE(std::fabs(static_cast<double>(got - exact)), unit) << x;
  };
  const random_stream random(61);
  for (int i = 0; i < 3000; ++i) {
    const double x = std::ldexp(2 * random.uniform<double>(i) - 1, -(i % 30));
    const double angle = x * 0.7853981633974483;
    expect_near(detail::portable_sin(angle), std::sin(static_cast<long double>(angle)), angle);
    expect_near(detail::portable_cos(angle), std::cos(static_cast<long double>(angle)), angle);
    expect_near(detail::portable_asin(x / 2), std::asin(static_cast<long double>(x / 2)), x / 2);
  }
}

TEST(great_circle, sines_are_exact_at_quarters) {
  for (int quarter = -8; quarter <= 8; ++quarter) {
    double sine, cosine;
    sincos_degrees(90.0 * quarter, sine, cosine);
    EXPECT_EQ(std::abs(sine), quarter % 2 == 0 ? 0 : 1);
    EXPECT_EQ(std::abs(cosine), quarter % 2 == 0 ? 1 : 0);
  }
  for (double degrees = -720; degrees <= 720; degrees += 0.37) {
    double sine, cosine;
    sincos_degrees(degrees, sine, cosine);
    const long double radians = degrees * (std::acos(-1.0L) / 180);
    EXPECT_NEAR(sine, static_cast<double>(std::sin(radians)), 4e-16);
    EXPECT_NEAR(cosine, static_cast<double>(std::cos(radians)), 4e-16);
  }
}

}  // namespace
}  // namespace evenfold::testing
