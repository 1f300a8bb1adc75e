#pragma once
// Reports of one number per vertex: all numbers in a file, and the highest ones in a report.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/edge_list/vertex_names.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold::cli {

/// The numbers of the vertices under the name of their column.
struct vertex_numbers {
  const char* name;
  const std::vector<double>& values;
  const vertex_names& vertices;
};

/// The report of a few facts and of the `most` highest numbers; of equal ones, the names come in
/// order. A table of the highest numbers stands below the one of the facts, and alone as CSV; in
/// JSON it is the member `top`. `cell` is the text of a number in a table.
std::string ranking_report(record facts, const vertex_numbers& ranked, std::int64_t most,
                           output_format format, const std::function<std::string(double)>& cell);

/// Writes the numbers of some vertices: .csv with their names, .npy in the order of the names.
void write_ranking(const output_rows& rows, const vertex_numbers& ranked);

}  // namespace evenfold::cli
