// For any bytes, the reader returns a table or throws an input_error with a line of the text, and
// the outcome is the same with every size of chunks and number of threads. A result can be written
// and read again.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/io/csv/table.hpp"
#include "evenfold/io/csv/writer.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// The table, written with the quotes that it needs, or the error.
template <class Context>
std::string answer(Context& ctx, std::string_view text, const evenfold::csv_options& options) {
  try {
    const auto table = evenfold::csv_table::read_text(ctx, text, "fuzz", options);
    evenfold::csv_writer writer(options.delimiter);
    if (*options.header) {
      for (const std::string& name : table.columns()) writer.field(name);
      writer.end_record();
    }
    std::vector<evenfold::csv_text_column> columns;
    for (std::size_t c = 0; c < table.num_columns(); ++c) columns.push_back(table.texts(ctx, c));
    for (std::size_t row = 0; row < table.num_rows(); ++row) {
      for (const auto& column : columns) writer.field(column[row]);
      writer.end_record();
    }
    for (std::size_t c = 0; c < table.num_columns(); ++c) {
      try {
        require(table.numbers(ctx, c, {-90, 90, "a latitude"}).size() == table.num_rows());
      } catch (const evenfold::input_error&) {
      }
    }
    return writer.text();
  } catch (const evenfold::input_error& fault) {
    const auto newlines = std::count(text.begin(), text.end(), '\n');
    require(fault.line() >= 1 && fault.line() <= static_cast<std::size_t>(newlines) + 1);
    require(std::string_view(fault.what()).find('\n') == std::string_view::npos);
    return std::string("fault: ") + fault.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr char delimiters[] = {',', ';', '\t', '|'};
  evenfold::csv_options options;
  options.delimiter = delimiters[data[0] & 3];
  options.header = (data[0] & 4) != 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);

  evenfold::reference_context serial;
  evenfold::cpu_context team(2);
  options.chunk_bytes = size;
  const std::string whole = answer(serial, text, options);
  options.chunk_bytes = std::size_t{1} + data[1];
  require(answer(serial, text, options) == whole);
  require(answer(team, text, options) == whole);

  // The result, written and read again, is the same.
  if (!whole.starts_with("fault: ") && !whole.empty()) {
    require(answer(team, whole, options) == whole);
  }
  return 0;
}
