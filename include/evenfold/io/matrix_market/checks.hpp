#pragma once
// The checks of the sizes in the header of a Matrix Market file, after its entries were counted.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "evenfold/io/matrix_market/entries.hpp"
#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/text/plausible_extent.hpp"

namespace evenfold::detail {

/// If the text has not as many entries as its header states, throws at the first line that is
/// wrong: a line that is not an entry, the first additional entry, or the end of the text.
template <class Value>
void check_matrix_market_count(const matrix_market_text& source, std::int64_t found) {
  const matrix_market_header& header = source.header();
  if (found == header.entries) return;
  const char* const stored = header.format == matrix_market_format::coordinate
                                 ? "as stated for a matrix"
                             : header.symmetry == matrix_market_symmetry::general ? "all elements"
                             : header.symmetry == matrix_market_symmetry::skew_symmetric
                                 ? "the lower triangle without its diagonal"
                                 : "the lower triangle with its diagonal";
  const std::string expected = ", expected " + std::to_string(header.entries) + " entries (" +
                               stored + " of " + std::to_string(header.rows) + " by " +
                               std::to_string(header.columns) + ")";
  matrix_market_entries<Value> entries(source, source.entries(), 0);
  matrix_market_entry<Value> entry;
  for (std::int64_t seen = 0; seen < header.entries; ++seen) {
    if (!entries.next(entry)) {
      source.fail_at(source.entries().substr(source.entries().size()),
                     "the file ends after " + std::to_string(found) + expected);
    }
  }
  entries.next_line();
  source.fail_at(entries.line(), "there is one entry too many" + expected);
}

/// Refuses more rows or columns than are plausible for a file of `bytes` bytes. `remedy` is the end
/// of the message.
inline void check_matrix_market_extents(const matrix_market_text& source, std::size_t bytes,
                                        const char* remedy = "") {
  const std::int64_t rows = source.header().rows, columns = source.header().columns;
  if (std::max(rows, columns) <= plausible_extent(bytes)) return;
  source.fail_at(source.sizes_line(), implausible_extents(rows, columns, bytes) + remedy);
}

}  // namespace evenfold::detail
