// backends: host
// Engines of the runtime layer, and the table of element types.

#include "runtime/engine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/arrays.hpp"
#include "runtime/matrices.hpp"
#include "runtime/operation_types.hpp"
#include "runtime/tables.hpp"
#include "support/runtime.hpp"

namespace evenfold::runtime {
namespace {

TEST(runtime_engine, can_be_moved) {
  for (auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const array values = uploaded<double>(*device, {1, 2, 3});
    std::unique_ptr<engine> elsewhere = std::move(device);
    EXPECT_EQ(std::get<double>(elsewhere->arrays().dot(values, values)), 14);
  }
}

TEST(runtime_engine, refuses_the_arrays_of_another_device) {
  const auto all = engines();
  for (const auto& device : all) {
    for (const auto& other : all) {
      if (device == other) continue;
      SCOPED_TRACE(device->name() + " with an array of " + other->name());
      const array there = uploaded<double>(*other, {1, 2, 3});
      if (device->side() == memory_side::host && other->side() == memory_side::host) {
        EXPECT_EQ(std::get<double>(device->arrays().dot(there, there)), 14);
      } else {
        expect_refusal<argument_error>(
            [&] { device->arrays().dot(there, there); },
            {"dot: ", " is an array of " + other->name(), device->name()});
      }
    }
  }
}

TEST(runtime_engine, refuses_devices_that_are_not_there) {
  expect_refusal<device_error>([] { open_gpu(num_gpus()); }, {"open_gpu", "expected"});
  expect_refusal<argument_error>([] { open_cpu(-1); }, {"threads"});
  EXPECT_TRUE(num_gpus() == 0 || knows_gpus());
}

TEST(runtime_engine, tells_what_the_device_is) {
  for (const auto& device : engines()) {
    const device_facts facts = device->facts();
    EXPECT_EQ(facts.device, device->name());
    EXPECT_FALSE(facts.name.empty());
    EXPECT_GE(facts.workers, 1);
    EXPECT_GT(facts.copy_bytes_per_second, 0);
    EXPECT_GT(device->available_bytes(), 0u);
  }
}

TEST(runtime_engine, reports_the_phases_of_long_work) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    std::vector<std::string> phases;
    device->observe([&](std::string name) { phases.push_back(std::move(name)); });
    std::vector<key_column> keys;
    keys.push_back({uploaded<std::uint64_t>(*device, {2, 1, 2, 0, 2}), {}, 2});
    const joined_table_rows rows = device->tables().join(keys, 3, join_kind::inner);
    EXPECT_EQ(to_vector<std::int32_t>(*device, rows.left), (std::vector<std::int32_t>{0, 2}));
    EXPECT_EQ(to_vector<std::int32_t>(*device, rows.right), (std::vector<std::int32_t>{1, 1}));
    EXPECT_EQ(phases, std::vector<std::string>{"join"});
  }
}

TEST(runtime_types, a_combination_that_is_missing_is_an_error) {
  for (const auto& device : engines()) {
    SCOPED_TRACE(device->name());
    const array bytes = uploaded<std::int8_t>(*device, {1, 2});
    const array doubles = uploaded<double>(*device, {1, 2});
    array integers = uploaded<std::int64_t>(*device, {1, 2});
    expect_refusal<type_error>([&] { device->arrays().dot(bytes, bytes); },
                               {"dot: the element type of x is int8",
                                "exists for int64, uint64, float32, float64", "convert"});
    expect_refusal<type_error>([&] { device->arrays().dot(doubles, integers); },
                               {"dot: the element type of y is int64", "exists for float64"});
    expect_refusal<type_error>([&] { device->arrays().saxpy(1, integers, integers); },
                               {"saxpy", "int64", "exists for float32, float64"});
    expect_refusal<type_error>([&] { device->arrays().normal(element_type::boolean, 1, 1, 0, 1); },
                               {"normal", "bool"});
    expect_refusal<type_error>([&] { device->matrices().jacobi(integers, 1, 2, 0, 1, {}); },
                               {"jacobi", "int64"});
    expect_refusal<type_error>([&] { to_vector<float>(*device, doubles); }, {"float64"});
  }
}

/// Each operation works for the element types in its row of the table, and for no others.
TEST(runtime_types, the_table_holds) {
  for (int i = 0; i < num_element_types; ++i) {
    const auto type = static_cast<element_type>(i);
    SCOPED_TRACE(name_of(type));
    const auto works = [&](auto call) {
      try {
        call();
        return true;
      } catch (const type_error&) {
        return false;
      }
    };
    for (const auto& device : engines()) {
      array x = device->allocate(type, 0);
      array y = device->allocate(type, 0);
      array_operations& arrays = device->arrays();
      const auto has = [&](operation what) { return row_of(what).types.has(type); };
      EXPECT_EQ(works([&] { arrays.dot(x, y); }), has(operation::dot));
      EXPECT_EQ(works([&] { arrays.saxpy(1, x, y); }), has(operation::saxpy));
      EXPECT_EQ(works([&] { arrays.normal(type, 3, 1, 0, 1); }), has(operation::normal));
      EXPECT_EQ(works([&] { arrays.uniform(type, 3, 1, 0, 9); }), has(operation::uniform));
      EXPECT_EQ(works([&] { arrays.fold(x, fold_operator::max, fold_strategy::tiled, {}); }),
                has(operation::fold));
      EXPECT_EQ(works([&] {
                  device->matrices().aggregate(x, matrix_shape::row_major(0, 4),
                                               aggregate_operator::sum, aggregate_axis::columns);
                }),
                has(operation::aggregate));
      EXPECT_EQ(works([&] { device->matrices().jacobi(x, 0, 0, 1, 1, {}); }),
                has(operation::jacobi));
    }
  }
  for (std::size_t i = 0; i < operation_table.size(); ++i) {
    EXPECT_EQ(operation_table[i].what, static_cast<operation>(i)) << operation_table[i].name;
  }
}

}  // namespace
}  // namespace evenfold::runtime
