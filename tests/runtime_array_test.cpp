// backends: host
// Owning and borrowed arrays of the runtime layer, and what outlives its engine.

#include "runtime/array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/arrays.hpp"
#include "support/runtime.hpp"

namespace evenfold::runtime {
namespace {

TEST(runtime_array, starts_empty) {
  const array none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.is_owning());
  EXPECT_EQ(none.address(), nullptr);
}

TEST(runtime_array, stays_on_the_device_between_operations) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    array_operations& arrays = device->arrays();
    const array x = arrays.uniform(element_type::int64, 1000, 7, -50, 50);
    array y = arrays.normal(element_type::float64, 1000, 7, 1, 0);
    EXPECT_TRUE(x.is_owning());
    EXPECT_EQ(x.side(), device->side());
    const auto on_host = to_vector<std::int64_t>(*device, x);
    EXPECT_EQ(std::get<std::int64_t>(arrays.fold(x, fold_operator::sum, fold_strategy::tiled, {})),
              std::accumulate(on_host.begin(), on_host.end(), std::int64_t{0}));
    EXPECT_EQ(std::get<std::int64_t>(arrays.dot(x, x)),
              std::inner_product(on_host.begin(), on_host.end(), on_host.begin(), std::int64_t{0}));
    const array ones = arrays.normal(element_type::float64, 1000, 8, 1, 0);
    arrays.saxpy(2, ones, y);
    arrays.saxpy(3, ones, y);
    EXPECT_EQ(to_vector<double>(*device, y), std::vector<double>(1000, 6));
  }
}

TEST(runtime_array, a_keeper_is_released_once_and_not_before_the_last_array) {
  int released = 0;
  std::vector<float> memory(3, 1.f);
  array shared;
  {
    array borrowed = array::borrowed(
        std::span<const float>(memory),
        std::shared_ptr<const void>(memory.data(), [&](const void*) { ++released; }));
    EXPECT_FALSE(borrowed.is_owning());
    EXPECT_EQ(borrowed.address(), memory.data());
    array moved = std::move(borrowed);
    EXPECT_EQ(moved.size(), 3u);
    EXPECT_TRUE(borrowed.empty());
    shared = moved.share();
  }
  EXPECT_EQ(released, 0);
  EXPECT_EQ(to_vector<float>(*open_cpu(), shared), memory);
  shared = array();
  EXPECT_EQ(released, 1);
}

TEST(runtime_array, an_engine_that_can_reach_memory_does_not_copy_it) {
  const std::vector<double> values = {1, 2, 3};
  const array host = array::borrowed(std::span(values));
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const array there = device->local(host);
    EXPECT_EQ(there.address() == values.data(), device->side() == memory_side::host);
    EXPECT_NE(device->upload(host).address(), values.data());
    EXPECT_EQ(to_vector<double>(*device, there), values);
  }
}

TEST(runtime_array, memory_given_as_const_is_not_written) {
  for (const auto& device : engines()) {
    if (device->side() != memory_side::host) continue;
    const std::vector<double> constant(4, 1);
    std::vector<double> variable(4, 1);
    const array x = array::borrowed(std::span(constant));
    array y = array::borrowed(std::span(constant));
    expect_refusal<argument_error>([&] { device->arrays().saxpy(1, x, y); }, {"read-only"});
    y = array::borrowed(std::span(variable));
    device->arrays().saxpy(1, x, y);
    EXPECT_EQ(variable, std::vector<double>(4, 2));
    EXPECT_EQ(constant, std::vector<double>(4, 1));
  }
}

TEST(runtime_array, says_so_where_it_outlives_its_engine) {
  const auto all = engines();
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto fresh = engines();
    std::unique_ptr<engine> device = std::move(fresh[i]);
    const std::string name = device->name();
    SCOPED_TRACE(name);
    array kept = uploaded<double>(*device, {1, 2, 3});
    array shared = kept.share();
    device.reset();
    EXPECT_EQ(kept.size(), 3u);
    const std::vector<std::string> parts = {name, "is closed", "download"};
    expect_refusal<closed_engine_error>([&] { kept.address(); }, parts);
    expect_refusal<closed_engine_error>([&] { kept.mutable_address(); }, parts);
    expect_refusal<closed_engine_error>([&] { kept.share(); }, parts);
    if (all[i]->side() == memory_side::host) {
      expect_refusal<closed_engine_error>([&] { all[i]->arrays().dot(shared, shared); }, parts);
    }
    kept = array();
  }
}

TEST(runtime_array, the_first_cell_that_breaks_an_invariant_is_found) {
  using integers = std::vector<std::int64_t>;
  const integers values = {3, 1, 4, 1, 5, 9, 2, 6};
  const auto broken = [&](fold_strategy strategy, const integers& cells) {
    return first_broken_fold_cell(fold_operator::sum, strategy, 2,
                                  array::borrowed(std::span(values)),
                                  array::borrowed(std::span(cells)));
  };
  const auto folding = broken(fold_strategy::array_folding, {14, 18, 0, 0, 0, 0, 0, 0});
  ASSERT_TRUE(folding.has_value());
  EXPECT_EQ(folding->cell, 1u);
  EXPECT_EQ(folding->found, number(std::int64_t{18}));
  EXPECT_EQ(folding->expected, number(std::int64_t{17}));
  const auto tournament = broken(fold_strategy::tournament, {9, 0, 0, 0, 21, 0, 0, 0});
  ASSERT_TRUE(tournament.has_value());
  EXPECT_EQ(tournament->cell, 4u);
  EXPECT_EQ(tournament->expected, number(std::int64_t{22}));
  EXPECT_FALSE(broken(fold_strategy::array_folding, {14, 17, 0, 0, 0, 0, 0, 0}).has_value());
}

}  // namespace
}  // namespace evenfold::runtime
