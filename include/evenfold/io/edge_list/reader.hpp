#pragma once
// Reads graphs from edge lists in parallel. Vertices may have any names.
//
// Idea: names are read as integers. If one of them is not an integer, all are read again, as texts.
// Then they are numbered in their order (number_vertices.hpp).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "evenfold/core/array.hpp"
#include "evenfold/io/edge_list/number_vertices.hpp"
#include "evenfold/io/edge_list/text.hpp"
#include "evenfold/io/edge_list/vertex_names.hpp"
#include "evenfold/io/text/file_text.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/sparse/coo.hpp"

namespace evenfold {

/// Edges between named vertices, on the host. Entry k, from row to column, is edge k of the file.
template <class Value>
struct edge_list {
  coo<Value, std::int32_t, std::int64_t> edges;
  vertex_names names;
};

namespace detail {

/// Whether `text` is an integer of 64 bits in its usual form: without plus, leading zeros or -0, so
/// that append_number writes the same text.
inline bool parse_usual_integer(std::string_view text, std::int64_t& value) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool zero = digits.starts_with('0');
  if (zero && text.size() > 1) return false;
  return !text.starts_with('+') && parse_number(text, value) == std::errc{};
}

/// The weight of record i of `records`. Errors: input_error if it is not a number, or NaN.
template <class Value, class Records>
Value parse_weight(const Records& records, std::int64_t i, std::string_view text) {
  Value value{};
  const std::errc status = parse_number(text, value);
  if (status == std::errc{} && value == value) return value;
  records.fail(i, text,
               shown(text) + " is the weight of an edge" +
                   (status == std::errc::result_out_of_range ? " and out of range" : "") +
                   ", expected a number; if the column has no weights, name the two other columns");
}

}  // namespace detail

/// The edges of a text, with weights of type Value: a floating-point number or an integer (1 if the
/// text has no weights), or `pattern`, which ignores weights.
///
/// The vertices are numbered in the order of their names: integers by value if all names are
/// integers of 64 bits without plus or leading zeros; else texts by their bytes.
///
/// Work O(bytes) in two passes and that of number_vertices, in a third pass if names are texts;
/// span O(bytes / workers + chunks). Memory: 16 bytes per edge (48 if names are texts) besides the
/// result. Deterministic: the result depends neither on the chunks nor on the number of workers.
///
/// Errors: input_error, with the line, for a text that edge_list_text refuses, an empty name, and a
/// weight that is not a number; argument_error for more than 2^31 - 1 vertices; allocation_error.
template <class Value, context Context>
edge_list<Value> read_edge_list(Context& ctx, const edge_list_text& text) {
  static_assert(Context::side == memory_side::host, "files are read on the host");
  const std::int64_t count = text.size();
  edge_list<Value> result{{ctx, 0, 0, count}, {}};
  array<std::int32_t> numbers(ctx, 2 * count);
  text.visit([&](const auto& records) {
    array<std::int64_t> ends(ctx, 2 * count);
    std::atomic<bool> all_integers = true;
    records.for_each(ctx, [&](std::int64_t i, const detail::edge_fields& fields) {
      if (fields.from.empty() || fields.to.empty()) {
        records.fail(i, fields.from, "an end of the edge has no name, expected the names of both");
      }
      const auto at = static_cast<std::size_t>(i);
      if (!detail::parse_usual_integer(fields.from, ends[2 * at]) ||
          !detail::parse_usual_integer(fields.to, ends[2 * at + 1])) {
        all_integers.store(false, std::memory_order_relaxed);
      }
      if constexpr (!is_pattern<Value>) {
        result.edges.values[at] =
            text.weighted() ? detail::parse_weight<Value>(records, i, fields.weight) : Value{1};
      }
    });
    if (all_integers) {
      result.names = detail::number_vertices(ctx, ends.data(), 2 * count, numbers.data());
    } else {
      std::vector<std::string_view> texts(static_cast<std::size_t>(2 * count));
      records.for_each(ctx, [&](std::int64_t i, const detail::edge_fields& fields) {
        texts[static_cast<std::size_t>(2 * i)] = fields.from;
        texts[static_cast<std::size_t>(2 * i + 1)] = fields.to;
      });
      result.names = detail::number_vertices(ctx, texts, numbers.data());
    }
  });
  transform(ctx, static_cast<std::size_t>(count), [&](std::size_t i) {
    result.edges.rows[i] = numbers[2 * i];
    result.edges.columns[i] = numbers[2 * i + 1];
  });
  result.edges.num_rows = result.edges.num_columns = result.names.size();
  return result;
}

/// The same for a file, which is read as file_text does.
///
/// Example: examples/graph_files.cpp.
/// Names elsewhere: networkx.read_weighted_edgelist, snap.LoadEdgeListStr.
template <class Value, context Context>
edge_list<Value> read_edge_list(Context& ctx, const std::string& path,
                                const edge_list_options& options = {}) {
  const file_text file(ctx, path);
  return read_edge_list<Value>(ctx, edge_list_text(ctx, file.text(), path, options));
}

}  // namespace evenfold
