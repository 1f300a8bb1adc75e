// backends: host
// The runtime layer: arrays whose element type is known at run time, and engines.

#include "runtime/arrays.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engine.hpp"

namespace evenfold::runtime {
namespace {

template <class T>
array borrowed(const std::vector<T>& values, std::shared_ptr<const void> keeper = nullptr) {
  return array::borrowed(std::span<const T>(values), std::move(keeper));
}

const std::vector<std::int64_t> eight = {3, 1, 4, 1, 5, 9, 2, 6};

TEST(runtime_array, a_keeper_is_released_once_by_the_last_array) {
  int released = 0;
  {
    array shared;
    {
      const array values =
          borrowed(eight, std::shared_ptr<const void>(nullptr, [&](const void*) { ++released; }));
      shared = values.share();
    }
    EXPECT_EQ(released, 0);
    EXPECT_EQ(shared.size(), 8u);
  }
  EXPECT_EQ(released, 1);
}

TEST(runtime_array, read_only_memory_is_not_written) {
  array values = borrowed(eight);
  EXPECT_EQ(values.address(), eight.data());
  EXPECT_THROW(values.mutable_address(), argument_error);
}

TEST(runtime_array, one_that_outlives_its_engine_can_only_be_destroyed) {
  array left;
  {
    const auto device = open_cpu(2);
    left = device->upload(borrowed(eight));
    EXPECT_EQ(to_vector<std::int64_t>(*device, left), eight);
  }
  EXPECT_THROW(left.address(), closed_engine_error);
}

TEST(runtime_engine, arrays_stay_between_operations) {
  const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6};
  for (auto open : {+[] { return open_cpu(2); }, +[] { return open_reference(); }}) {
    const auto device = open();
    const array x = device->upload(borrowed(values));
    array y = device->upload(borrowed(values));
    device->arrays().saxpy(2, x, y);
    EXPECT_EQ(device->arrays().dot(x, y), number{3. * (9 + 1 + 16 + 1 + 25 + 81 + 4 + 36)})
        << device->name();
    EXPECT_EQ(device->arrays().fold(y, fold_operator::max, fold_strategy::tiled, {}), number{27.})
        << device->name();
  }
}

TEST(runtime_engine, moves_with_its_arrays) {
  auto device = open_cpu(1);
  const array values = device->upload(borrowed(eight));
  const std::unique_ptr<engine> moved = std::move(device);
  EXPECT_EQ(to_vector<std::int64_t>(*moved, values), eight);
}

TEST(runtime_engine, refuses_element_types_that_an_operation_does_not_have) {
  const auto device = open_cpu(1);
  const array flags = device->allocate(element_type::boolean, 4);
  EXPECT_THROW(device->arrays().dot(flags, flags), type_error);
  EXPECT_THROW(to_vector<float>(*device, borrowed(eight)), type_error);
}

TEST(runtime_fold, the_check_finds_the_first_broken_cell) {
  using integers = std::vector<std::int64_t>;
  const auto broken = [&](fold_strategy strategy, const integers& cells) {
    return first_broken_fold_cell(fold_operator::sum, strategy, 2, borrowed(eight),
                                  borrowed(cells));
  };
  const auto folding = broken(fold_strategy::array_folding, {14, 18, 0, 0, 0, 0, 0, 0});
  ASSERT_TRUE(folding);
  EXPECT_EQ(folding->cell, 1u);
  EXPECT_EQ(folding->found, number{std::int64_t{18}});
  EXPECT_EQ(folding->expected, number{std::int64_t{17}});
  const auto tournament = broken(fold_strategy::tournament, {9, 0, 0, 0, 21, 0, 0, 0});
  ASSERT_TRUE(tournament);
  EXPECT_EQ(tournament->cell, 4u);
  EXPECT_EQ(tournament->expected, number{std::int64_t{22}});
  EXPECT_FALSE(broken(fold_strategy::array_folding, {14, 17, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace evenfold::runtime
