#include "cli/input/read_numbers.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "cli/commands/options.hpp"
#include "cli/input/column_list.hpp"
#include "evenfold/core/error.hpp"

namespace evenfold::cli {

namespace {

template <class T>
std::uint64_t magnitude(T value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

/// Checks a sequence of integers: total(values, most) updates the largest magnitude that a result
/// can have, and returns whether it fits into 64 bits.
template <class Total>
void expect_fits(const std::string& what, const numbers& x, const char* rule, std::uint64_t& most,
                 Total total) {
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        if constexpr (std::is_integral_v<T>) {
          const bool fits = total(values, most);
          if (fits && most <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return;
          throw error(
              fmt::format("{} might not fit into 64 bits, expected {} less than 2^{}, or "
                          "floating-point numbers",
                          what, rule, std::numeric_limits<T>::digits));
        }
      },
      x);
}

/// Elements [begin, end) of a matrix, row after row.
template <class To, class T>
std::vector<To> piece_as(matrix_view<const T> matrix, std::int64_t begin, std::int64_t end) {
  if (matrix.is_contiguous()) return {matrix.data() + begin, matrix.data() + end};
  std::vector<To> piece;
  piece.reserve(static_cast<std::size_t>(end - begin));
  for (std::int64_t k = begin; k < end; ++k) {
    piece.push_back(static_cast<To>(matrix(k / matrix.columns(), k % matrix.columns())));
  }
  return piece;
}

}  // namespace

numbers piece_of(const number_file& file, std::int64_t begin, std::int64_t end) {
  return file.visit([&]<class T>(matrix_view<const T> matrix) -> numbers {
    return piece_as<computed_in<T>>(matrix, begin, end);
  });
}

std::vector<double> doubles_of(const number_file& file, std::int64_t begin, std::int64_t end) {
  return file.visit([&](const auto& matrix) { return piece_as<double>(matrix, begin, end); });
}

number_matrix read_numbers(const number_source& source) {
  const number_file file(source);
  return {piece_of(file, 0, file.size()), file.rows(), file.columns()};
}

void add_pair_options(command_spec& command, pair_options& options) {
  command.add_option("X", options.x, about_numbers)->required()->type_name("");
  command.add_option("Y", options.y, "A file of as many numbers")->required()->type_name("");
  command
      .add_option("--column", options.columns,
                  "For CSV files: the column, or the column of X and the column of Y")
      ->type_name("C[,D]");
  add_csv_options(command, options.csv, null_rule::refuse);
}

number_pair read_pair(const pair_options& options, int threads) {
  const std::vector<std::string> columns = parse_pair_columns(options.columns);
  const auto read = [&](const std::string& path, const std::string& column) {
    return number_file(
        {.path = path, .column = column, .threads = threads, .csv = options.csv, .all_rows = true});
  };
  number_pair pair{read(options.x, columns.front()), read(options.y, columns.back())};
  const auto& [x, y] = pair;
  if (x.rows() != y.rows() || x.columns() != y.columns()) {
    throw error(fmt::format("{}: the file has {} x {} numbers, expected {} x {}, as {} has",
                            input_name(options.y), y.rows(), y.columns(), x.rows(), x.columns(),
                            input_name(options.x)));
  }
  return pair;
}

std::pair<numbers, numbers> number_pair::piece(std::int64_t begin, std::int64_t end) const {
  if (piece_of(x, 0, 0).index() == piece_of(y, 0, 0).index()) {
    return {piece_of(x, begin, end), piece_of(y, begin, end)};
  }
  return {doubles_of(x, begin, end), doubles_of(y, begin, end)};
}

number fold_of_pieces(runtime::engine& engine, const numbers& results, runtime::fold_operator op) {
  if (count_of(results) > 1) {
    return engine.arrays().fold(engine.local(as_array(results)), op, fold_strategy::tiled, {});
  }
  return std::visit([](const auto& all) { return number(all.front()); }, results);
}

numbers as_doubles(numbers values) {
  if (std::holds_alternative<std::vector<double>>(values)) return values;
  return std::visit(
      [](const auto& all) { return numbers(std::vector<double>(all.begin(), all.end())); }, values);
}

void expect_sum_fits(const std::string& what, const numbers& x, std::uint64_t& sum) {
  expect_fits(what, x, "magnitudes that add up to", sum,
              [](const auto& values, std::uint64_t& most) {
                bool fits = true;
                for (const auto value : values) {
                  fits = fits && !__builtin_add_overflow(most, magnitude(value), &most);
                }
                return fits;
              });
}

void expect_product_fits(const std::string& what, const numbers& x, std::uint64_t& product) {
  expect_fits(what, x, "magnitudes other than 0 that multiply to", product,
              [](const auto& values, std::uint64_t& most) {
                bool fits = true;
                for (const auto value : values) {
                  // A part of the values may lack the 0 that makes the whole product 0.
                  if (value == 0) continue;
                  fits = fits && !__builtin_mul_overflow(most, magnitude(value), &most);
                }
                return fits;
              });
}

void expect_dot_fits(const std::string& what, const numbers& x, const numbers& y,
                     std::uint64_t& sum) {
  expect_fits(what, x, "magnitudes of the products that add up to", sum,
              [&y]<class T>(const std::vector<T>& values, std::uint64_t& most) {
                const auto& others = std::get<std::vector<T>>(y);
                bool fits = true;
                for (std::size_t i = 0; i < values.size(); ++i) {
                  std::uint64_t product;
                  fits = fits &&
                         !__builtin_mul_overflow(magnitude(values[i]), magnitude(others[i]),
                                                 &product) &&
                         !__builtin_add_overflow(most, product, &most);
                }
                return fits;
              });
}

}  // namespace evenfold::cli
