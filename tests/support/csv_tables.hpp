#pragma once
// The content of CSV tables, and the error of one that is refused.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"

namespace evenfold::testing {

using table_of_texts = std::vector<std::vector<std::string>>;

/// The meaning of every field, by row.
inline table_of_texts meanings(const csv_table& table) {
  reference_context ctx;
  table_of_texts result(table.num_rows(), std::vector<std::string>(table.num_columns()));
  for (std::size_t column = 0; column < table.num_columns(); ++column) {
    const csv_text_column texts = table.texts(ctx, column);
    EXPECT_EQ(texts.size(), table.num_rows());
    for (std::size_t row = 0; row < texts.size(); ++row) result[row][column] = texts[row];
  }
  return result;
}

/// The error of a reader, or an empty text.
template <class Read>
std::string fault_of(Read&& read) {
  try {
    read();
  } catch (const input_error& fault) {
    return fault.what();
  }
  return {};
}

}  // namespace evenfold::testing
