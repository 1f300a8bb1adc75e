#pragma once
// A matrix of numbers from a file of any kind that the program knows: .npy, Matrix Market's array
// format, CSV.

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/commands/options.hpp"
#include "cli/input/csv_form.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/matrix_market/array_reader.hpp"
#include "evenfold/io/npy/reader.hpp"

namespace evenfold::cli {

/// The help text of the file argument of such commands.
inline constexpr const char* about_numbers =
    "Numbers: .npy, .csv or Matrix Market array, also as .gz; - reads standard input";

struct number_source {
  std::string path;
  /// CSV only: the column to read. Empty: all columns, which must be numeric.
  std::string column;
  /// 0: one per core.
  int threads = 0;
  /// CSV only.
  csv_form csv{};
  /// CSV only: a second column to read.
  std::string second{};
  /// CSV only: whether integers that float64 cannot represent are refused in columns that are read
  /// as float64, for commands whose answer is one of the numbers.
  bool exact = false;
  /// CSV only: whether integers that are neither all int64 nor all uint64 are refused, for sums and
  /// products of integers, which are exact.
  bool exact_integers = false;
  /// CSV only: whether nulls are refused, for commands whose answer depends on the positions of the
  /// numbers. Otherwise rows with a null in a column that is read are left out.
  bool all_rows = false;
};

/// Adds FILE, --column and the options of CSV files. `source` must live as long as the command.
void add_number_file_options(command_spec& command, number_source& source,
                             const char* about_column);

/// The numbers of CSV columns, one after the other.
template <class T>
struct csv_numbers {
  std::int64_t rows, columns;
  std::vector<T> values;

  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return visitor(matrix_view<const T>::column_major(values.data(), rows, columns));
  }
};

/// A matrix of numbers from a file. The first bytes tell its kind: the magic of .npy or the banner
/// of Matrix Market; any other file is CSV. The file may be compressed (gzip).
///
/// A CSV column becomes int64 if that represents all its numbers, else uint64 if that does, else
/// double; several columns have one common type. A first line with numbers is data, with a warning
/// unless the source says so.
class number_file {
 public:
  /// Errors: input_error for what the readers refuse, and for a column asked of a file that is not
  /// CSV.
  explicit number_file(const number_source& source);

  /// Calls visitor(matrix_view<const T>) with the numbers on the host, T being their own type:
  /// a signed or unsigned integer of 8 to 64 bits, float or double. Returns what it returns.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(
        [&](const auto& file) -> decltype(auto) {
          return file.visit(std::forward<Visitor>(visitor));
        },
        content_);
  }

  std::int64_t rows() const;
  std::int64_t columns() const;
  std::int64_t size() const { return rows() * columns(); }

  /// The names of the columns; empty if the file has none.
  const std::vector<std::string>& names() const { return names_; }

 private:
  using content = std::variant<npy_file, matrix_market_array, csv_numbers<std::int64_t>,
                               csv_numbers<std::uint64_t>, csv_numbers<double>>;

  content read(const number_source& source);

  std::vector<std::string> names_;
  content content_;
};

}  // namespace evenfold::cli
