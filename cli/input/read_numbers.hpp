#pragma once
// Sequences of numbers from files, in the types that the commands compute in.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/options.hpp"
#include "cli/input/number_file.hpp"
#include "cli/input/numbers.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli {

/// Elements [begin, end) of a file, row after row. Commands that need the numbers only once read
/// `piece_size` of them at a time, since 64-bit integers can take eight times the bytes of the
/// file.
numbers piece_of(const number_file& file, std::int64_t begin, std::int64_t end);
/// The same, rounded to float64.
std::vector<double> doubles_of(const number_file& file, std::int64_t begin, std::int64_t end);

inline constexpr std::int64_t piece_size = std::int64_t{1} << 18;

/// Calls f(begin, end) for consecutive pieces of `size` numbers, at least once.
template <class F>
void for_each_piece(std::int64_t size, F f, std::int64_t most = piece_size) {
  std::int64_t begin = 0;
  do {
    const std::int64_t end = std::min(size, begin + most);
    f(begin, end);
    begin = end;
  } while (begin < size);
}

/// The size of the pieces in which a fold reads `size` numbers of the type of `values`:
/// floating-point numbers are one piece, because the order of operations determines the last bits
/// of the result.
inline std::int64_t size_of_folded_pieces(const numbers& values, std::int64_t size) {
  return are_integers(values) ? piece_size : std::max(size, std::int64_t{1});
}

/// The fold of the results for at least one piece.
number fold_of_pieces(runtime::engine& engine, const numbers& results, runtime::fold_operator op);

/// A matrix, row after row.
struct number_matrix {
  numbers values;
  std::int64_t rows, columns;
};

/// Errors: as of number_file.
number_matrix read_numbers(const number_source& source);

/// The options of a command on two files of numbers.
struct pair_options {
  std::string x, y;
  /// For CSV files: the column of x and y, or the columns of x and of y separated by a comma.
  std::string columns;
  csv_form csv{};
};

/// Adds X, Y, --column and the options of CSV files. `options` must live as long as the command.
void add_pair_options(command_spec& command, pair_options& options);

/// Two matrices of one shape.
struct number_pair {
  number_file x, y;

  /// Elements [begin, end) of both, row after row, in one type: the type of the files if both have
  /// the same, else float64.
  std::pair<numbers, numbers> piece(std::int64_t begin, std::int64_t end) const;
};

/// Errors: as of number_file; error for shapes that differ.
number_pair read_pair(const pair_options& options, int threads);

/// The same numbers, rounded to float64.
numbers as_doubles(numbers values);

/// Refuses integers whose sum (or sum of products, where there is a `y` as long as `x`), or some
/// partial sum, might not fit into 64 bits. `what` is the beginning of the message. `sum` is that
/// of the magnitudes in earlier pieces, 0 before the first; those of this piece are added to it.
///
/// Errors: error where the magnitudes add up to 2^63 or more (2^64 where there are no signs).
void expect_sum_fits(const std::string& what, const numbers& x, std::uint64_t& sum);
void expect_dot_fits(const std::string& what, const numbers& x, const numbers& y,
                     std::uint64_t& sum);
/// The same for products. `product` is that of the nonzero magnitudes of earlier pieces, 1 before
/// the first.
void expect_product_fits(const std::string& what, const numbers& x, std::uint64_t& product);

}  // namespace evenfold::cli
