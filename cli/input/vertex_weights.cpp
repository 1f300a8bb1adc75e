#include "cli/input/vertex_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/input/csv_file.hpp"

namespace evenfold::cli {

std::vector<double> read_vertex_weights(const std::string& file, const csv_form& csv,
                                        const vertex_names& names, const std::string& graph,
                                        int threads) {
  cpu_context ctx(threads);
  const csv_table table = read_csv_file(ctx, file, {.delimiter = csv.delimiter.value_or(',')});
  const std::size_t vertex = table.column("vertex");
  const std::size_t weight = table.column("weight");
  const csv_text_column texts = table.texts(ctx, vertex);
  const number_rule rule{0, std::numeric_limits<double>::max(), "a finite weight of at least 0",
                         csv.nulls};
  const std::vector<double> weights = table.numbers(ctx, weight, rule);
  std::vector<double> result(static_cast<std::size_t>(names.size()));
  std::vector<char> met(result.size());
  for (std::size_t row = 0; row < texts.size(); ++row) {
    if (csv.is_null(table.field(row, vertex)) || csv.is_null(table.field(row, weight))) continue;
    const auto found = names.find(texts[row]);
    if (!found) {
      table.fail(row, vertex,
                 fmt::format("there is no vertex '{}' in {}, expected one of its {} vertices",
                             texts[row], input_name(graph), names.size()));
    }
    const auto v = static_cast<std::size_t>(*found);
    if (met[v]) {
      table.fail(row, vertex,
                 fmt::format("the vertex '{}' occurs twice, expected once", texts[row]));
    }
    met[v] = true;
    result[v] = weights[row];
  }
  if (!result.empty() && std::count(result.begin(), result.end(), 0.) == std::ssize(result)) {
    throw error(
        fmt::format("{}: no vertex has a weight above 0, expected at least one", input_name(file)));
  }
  return result;
}

}  // namespace evenfold::cli
