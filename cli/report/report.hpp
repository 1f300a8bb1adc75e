#pragma once
// The end of a command: its report in the requested format, and the times of its phases.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/device.hpp"
#include "cli/input/numbers.hpp"
#include "cli/report/json.hpp"
#include "cli/report/output.hpp"
#include "evenfold/core/element_type.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold::cli {

/// The shortest text that reads back as the same number.
std::string text_of(const number& value);
/// As JSON, which has no NaN and no infinity: they are the strings "nan", "inf" and "-inf".
json json_of(const number& value);

/// A report of a few facts, under the same names in every format: a table or CSV of one row, or a
/// JSON object.
class record {
 public:
  void add(std::string name, const std::string& text);
  void add(std::string name, const number& value);
  void add(const std::string& name, std::same_as<bool> auto value) { add_bool(name, value); }
  /// A time in milliseconds, to four decimals.
  void add_ms(std::string name, double ms);
  /// A fact that only JSON reports have.
  void add_json(std::string name, json value);

  std::string text(output_format format) const;
  /// The report of several records, at least one, with facts of the same names: one row per record;
  /// in JSON the list `results`.
  static std::string text(const std::vector<record>& records, output_format format);
  /// The text of a table of one fact per line, for reports of many facts.
  std::string list() const;

 private:
  struct fact {
    std::string name;
    std::string text;
    json value;
    text_table::align side;
    bool json_only = false;
  };
  void add_bool(const std::string& name, bool value);
  json object() const;

  std::vector<fact> facts_;
};

/// Ends the phases, prints the report (on standard error, if standard output is one of the output
/// files) and, with --time, the time of each phase on standard error, and gives the output files
/// their names. Every command calls this last: if the report cannot be printed, the outputs do not
/// change. Of several processes only the first one writes, once all have called this.
void finish(phases& work, const std::string& report, const common_options& options,
            output_set& files);
/// The same without output files.
void finish(phases& work, const std::string& report, const common_options& options);
/// The same with one output file, which `write` fills, in a phase of its own. Nothing is written if
/// the name of the file is empty.
void finish(phases& work, const std::string& report, const common_options& options,
            const std::string& output, const std::function<void(output_file&)>& write);

/// The rows of an output that a process writes, as text or bytes of a file.
struct output_rows {
  std::string name;
  std::size_t begin, end;
  /// Whether the header of the file comes before them.
  bool with_header;
  std::function<void(std::string_view)> write;
};

/// Writes rows of a .npy file of `columns` columns, or of one dimension if that is 0. `all` has the
/// bytes of all rows, whose elements are of one type.
void write_npy_rows(const output_rows& rows, element_type type, std::span<const std::byte> all,
                    std::int64_t columns);
template <class T>
void write_npy_rows(const output_rows& rows, std::span<const T> all, std::int64_t columns = 0) {
  write_npy_rows(rows, element_type_of<T>(), std::as_bytes(all), columns);
}

/// Ends a command as above with one output file of `num_rows` rows. Of several processes each one
/// writes an equal share of the rows, all to the same file, which gets its name when all have done
/// so. One that is compressed, a device or a pipe is written by the first process. Nothing is
/// written if the name of the file is empty.
void finish_rows(phases& work, const std::string& report, const common_options& options,
                 const std::string& output, std::size_t num_rows,
                 const std::function<void(const output_rows&)>& write);

}  // namespace evenfold::cli
