// For any bytes, the reader returns a graph or throws an input_error with a line of the text, and
// the outcome is the same with every size of chunks and number of threads. A result can be written
// and read again.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "evenfold/contexts.hpp"
#include "evenfold/io/edge_list/reader.hpp"
#include "evenfold/io/edge_list/writer.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// The edges as CSV with a header, or the error.
template <class Value, class Context>
std::string answer(Context& ctx, std::string_view text, const std::string& name,
                   const evenfold::edge_list_options& options) {
  try {
    const auto list =
        evenfold::read_edge_list<Value>(ctx, evenfold::edge_list_text(ctx, text, name, options));
    std::string previous;
    for (std::int32_t v = 0; v < list.names.size(); ++v) {
      require(list.names.find(list.names.name(v)) == v);
      if (!list.names.are_numbers()) require(v == 0 || previous < list.names.name(v));
      previous = list.names.name(v);
    }
    return "a,b,c\n" + evenfold::detail::edge_lines_of(list.edges.view(), list.names, 0,
                                                       list.edges.num_nonzeros, true);
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
  evenfold::edge_list_options options;
  if ((data[0] & 1) != 0) options.columns = {"2", "1"};
  if ((data[0] & 2) != 0) options.columns = {"from", "to", "weight"};
  if ((data[0] & 4) != 0) options.header = (data[0] & 8) != 0;
  const std::string name = (data[0] & 16) != 0 ? "fuzz.csv" : "fuzz";
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);

  evenfold::reference_context serial;
  evenfold::cpu_context team(2);
  options.chunk_bytes = size;
  const std::string whole = answer<double>(serial, text, name, options);
  const std::string plain = answer<evenfold::pattern>(serial, text, name, options);
  options.chunk_bytes = std::size_t{1} + data[1];
  require(answer<double>(serial, text, name, options) == whole);
  require(answer<double>(team, text, name, options) == whole);
  require(answer<evenfold::pattern>(team, text, name, options) == plain);

  // The result, written and read again, is the same.
  evenfold::edge_list_options written;
  written.header = true;
  if (!whole.starts_with("fault: ")) {
    require(answer<double>(team, whole, "w.csv", written) == whole);
  }
  return 0;
}
