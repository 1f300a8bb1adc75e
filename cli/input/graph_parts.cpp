#include "cli/input/graph_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "cli/input/rows.hpp"
#include "cli/process.hpp"
#include "evenfold/io/edge_list/number_vertices.hpp"
#include "evenfold/io/matrix_market/header.hpp"
#include "evenfold/io/npy/zip_reader.hpp"
#include "evenfold/io/text/input_error.hpp"
#include "evenfold/io/text/utf8_text.hpp"

namespace evenfold::cli {

namespace {

/// The facts that a process tells the others about its part.
struct part_facts {
  std::uint64_t file_bytes = 0;
  /// Whether the file can be read in parts, as far as this process has seen.
  std::uint64_t is_cut = 0;
  /// For Matrix Market: the number of entries that the header states, and of those in the part. 0
  /// for edge lists.
  std::int64_t stated = 0, entries = 0;
  /// The length of the message about a fault in the part, or 0.
  std::uint64_t fault_bytes = 0;
};

/// The fault of a part: its line in the text of the part, and the message without the line.
struct part_fault {
  std::size_t line = 0;
  std::string what;
};

struct part_of_process {
  part_facts facts;
  graph_input input;
  /// An edge list, whose vertices are numbered by the names in the part.
  bool is_list = false;
  part_fault fault;
};

part_of_process read_part(cpu_context& ctx, const file_part& file, const graph_options& options) {
  part_of_process result;
  const lines_of_file part = file.part();
  result.facts.file_bytes = part.file_bytes;
  if (!file.is_cut() || file.text().starts_with(detail::zip_magic)) return result;
  try {
    const std::string_view text = detail::utf8_text(file.text(), options.path);
    if (is_matrix_market(text, options.path)) {
      const matrix_market_text source(text, options.path);
      if (source.header().format == matrix_market_format::array) return result;
      result.facts.stated = source.header().entries;
      result.facts.entries = matrix_market_text::count_entries(part.in(source.entries()));
    } else {
      if (part.lines.find('"') != part.lines.npos) return result;
      result.is_list = true;
    }
    result.input = read_text(ctx, text, options, part);
    result.facts.is_cut = result.input.names.are_numbers();
  } catch (const input_error& fault) {
    const std::string prefix = input_name(options.path) + ":" + std::to_string(fault.line()) + ": ";
    result.fault = {fault.line(), std::string(fault.what()).substr(prefix.size())};
    result.facts.is_cut = 1;
    result.facts.fault_bytes = result.fault.what.size();
  }
  return result;
}

/// Throws the fault of process `from` in all processes, with its line in the file.
[[noreturn]] void throw_fault(runtime::process_group& all, const file_part& file, int from,
                              part_fault fault, std::size_t bytes, const std::string& path) {
  const auto lines = runtime::gather(all, file.num_lines());
  const auto before = std::accumulate(lines.begin(), lines.begin() + from, std::size_t{0});
  std::size_t line = file.line_of_file(fault.line, before);
  fault.what.resize(bytes);
  reference_context memory;
  all.broadcast(memory, reinterpret_cast<std::byte*>(&line), sizeof(line), from);
  all.broadcast(memory, reinterpret_cast<std::byte*>(fault.what.data()), bytes, from);
  throw input_error(path, line, fault.what);
}

/// The distinct names of all processes. Each process finds the distinct ones among those with its
/// share of the hash values, so that no process has the names of all at the same time.
vertex_names distinct_names(cpu_context& threads, runtime::process_group& all,
                            const vertex_names& own) {
  const auto processes = static_cast<std::size_t>(all.size());
  const auto owner = [&](std::int32_t v) {
    const std::uint64_t hash = static_cast<std::uint64_t>(own.number(v)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>((hash >> 32) % processes);
  };
  std::vector<std::size_t> sends(processes + 1);
  for (std::int32_t v = 0; v < own.size(); ++v) sends[owner(v) + 1] += sizeof(std::int64_t);
  const auto counts =
      runtime::gather(all, std::span<const std::size_t>(sends).subspan(1, processes));
  std::inclusive_scan(sends.begin(), sends.end(), sends.begin());
  std::vector<std::int64_t> sent(static_cast<std::size_t>(own.size()));
  std::vector<std::size_t> next = sends;
  for (std::int32_t v = 0; v < own.size(); ++v) {
    std::size_t& at = next[owner(v)];
    sent[at / sizeof(std::int64_t)] = own.number(v);
    at += sizeof(std::int64_t);
  }
  std::vector<std::size_t> receives(processes + 1);
  for (std::size_t p = 0; p < processes; ++p) {
    receives[p + 1] = receives[p] + counts[p * processes + static_cast<std::size_t>(all.rank())];
  }
  const auto distinct = [&](const std::int64_t* names, std::size_t count) {
    array<std::int32_t> numbers(threads, count);
    return detail::number_vertices(threads, names, static_cast<std::int64_t>(count),
                                   numbers.data());
  };
  std::vector<std::int64_t> received(receives.back() / sizeof(std::int64_t));
  reference_context memory;
  all.all_to_all_v(memory, reinterpret_cast<const std::byte*>(sent.data()), sends,
                   reinterpret_cast<std::byte*>(received.data()), receives);
  const vertex_names share = distinct(received.data(), received.size());
  received.resize(static_cast<std::size_t>(share.size()));
  for (std::int32_t v = 0; v < share.size(); ++v) {
    received[static_cast<std::size_t>(v)] = share.number(v);
  }
  const auto names = runtime::gather(all, std::span<const std::int64_t>(received));
  return distinct(names.data(), names.size());
}

/// Numbers the vertices of all processes by their names; those of this process are yet numbered by
/// the names in its part.
void number_for_all(cpu_context& threads, runtime::process_group& all, graph_input& input) {
  const vertex_names own = std::move(input.names);
  input.names = distinct_names(threads, all, own);
  // Both ascend.
  std::vector<std::int32_t> number(static_cast<std::size_t>(own.size()));
  for (std::int32_t v = 0, of_all = 0; v < own.size(); ++v) {
    while (input.names.number(of_all) < own.number(v)) ++of_all;
    number[static_cast<std::size_t>(v)] = of_all;
  }
  auto* const rows = static_cast<std::int32_t*>(input.entries.rows.mutable_address());
  auto* const columns = static_cast<std::int32_t*>(input.entries.columns.mutable_address());
  for_each_row(threads, input.entries.rows.size(), [&](std::size_t k) {
    rows[k] = number[static_cast<std::size_t>(rows[k])];
    columns[k] = number[static_cast<std::size_t>(columns[k])];
  });
  input.entries.num_rows = input.entries.num_columns = input.names.size();
}

/// Replaces the entries of each process by those of all.
void gather_entries(runtime::process_group& all, runtime::sparse_entries& entries) {
  entries.rows = kept(runtime::gather(all, entries.rows.host<std::int32_t>()));
  entries.columns = kept(runtime::gather(all, entries.columns.host<std::int32_t>()));
  if (entries.has_values)
    entries.values = kept(runtime::gather(all, entries.values.host<double>()));
  entries.of_all.reset();
}

}  // namespace

std::optional<graph_input> read_in_parts(cpu_context& ctx, const graph_options& options) {
  runtime::process_group& all = *processes();
  const file_part file(ctx, options.path, all.rank(), all.size());
  part_of_process own = read_part(ctx, file, options);
  const std::vector<part_facts> facts = runtime::gather(all, own.facts);
  std::int64_t entries = 0;
  for (std::size_t p = 0; p < facts.size(); ++p) {
    if (facts[p].file_bytes != facts[0].file_bytes) {
      throw error(fmt::format(
          "{}: the file has {} bytes for process 0 and {} for process {}, expected the same file",
          input_name(options.path), facts[0].file_bytes, facts[p].file_bytes, p));
    }
    entries += facts[p].entries;
  }
  const auto all_cut =
      std::all_of(facts.begin(), facts.end(), [](const part_facts& of) { return of.is_cut != 0; });
  if (!all_cut) return std::nullopt;
  for (std::size_t p = 0; p < facts.size(); ++p) {
    if (facts[p].fault_bytes == 0) continue;
    throw_fault(all, file, static_cast<int>(p), std::move(own.fault), facts[p].fault_bytes,
                options.path);
  }
  if (entries != facts[0].stated) return std::nullopt;
  graph_input result = std::move(own.input);
  if (own.is_list) number_for_all(ctx, all, result);
  const auto counts = runtime::gather(all, result.entries.num_nonzeros());
  result.entries.of_all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (options.whole) gather_entries(all, result.entries);
  return result;
}

}  // namespace evenfold::cli
