#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <variant>

#include "cli/process.hpp"
#include "cli/report/printable.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/npy/header.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

std::string text_of(const number& value) {
  std::string text;
  std::visit([&](auto v) { append_number(text, v); }, value);
  return text;
}

json json_of(const number& value) {
  return std::visit(
      [&](auto v) -> json {
        if (!std::isfinite(static_cast<double>(v))) return text_of(value);
        return v;
      },
      value);
}

void record::add(std::string name, const std::string& text) {
  facts_.push_back({std::move(name), text, text, text_table::align::left});
}

void record::add(std::string name, const number& value) {
  facts_.push_back({std::move(name), text_of(value), json_of(value), text_table::align::right});
}

void record::add_ms(std::string name, double ms) {
  add(std::move(name), std::round(ms * 1e4) / 1e4);
}

void record::add_bool(const std::string& name, bool value) {
  facts_.push_back({name, value ? "yes" : "no", value, text_table::align::left});
}

void record::add_json(std::string name, json value) {
  facts_.push_back({std::move(name), {}, std::move(value), text_table::align::left, true});
}

json record::object() const {
  json object = json::object();
  for (const fact& f : facts_) object.set(f.name, f.value);
  return object;
}

std::string record::text(output_format format) const { return text({*this}, format); }

std::string record::text(const std::vector<record>& records, output_format format) {
  if (format == output_format::json) {
    if (records.size() == 1) return records.front().object().text();
    json list = json::array();
    for (const record& each : records) list.push_back(each.object());
    return json({{"results", std::move(list)}}).text();
  }
  csv_writer csv;
  text_table table;
  std::vector<std::string> names;
  for (const fact& f : records.front().facts_) {
    if (f.json_only) continue;
    names.push_back(f.name);
    table.column(f.name, f.side);
  }
  csv.record(names);
  for (const record& each : records) {
    std::vector<std::string> row;
    for (const fact& f : each.facts_) {
      if (!f.json_only) row.push_back(f.text);
    }
    csv.record(row);
    table.row(std::move(row));
  }
  return format == output_format::csv ? csv.text() : table.text();
}

std::string record::list() const {
  std::size_t widest = 0;
  for (const fact& f : facts_) widest = std::max(widest, f.name.size());
  std::string text;
  for (const fact& f : facts_) {
    if (!f.json_only) text += fmt::format("{:{}}  {}\n", f.name, widest, printable(f.text));
  }
  return text;
}

void finish(phases& work, const std::string& report, const common_options& options,
            output_set& files) {
  files.flush();
  // No output changes before all processes have their results.
  if (processes() != nullptr) processes()->barrier();
  if (!is_first_process()) return;
  const std::string times = work.finish();
  if (files.has_standard_output()) {
    // A closed standard error is not a failure.
    std::fwrite(report.data(), 1, report.size(), stderr);
  } else {
    print(report);
  }
  if (options.time) fmt::print(stderr, "{}", times);
  files.commit();
}

void finish(phases& work, const std::string& report, const common_options& options) {
  output_set none;
  finish(work, report, options, none);
}

void finish(phases& work, const std::string& report, const common_options& options,
            const std::string& output, const std::function<void(output_file&)>& write) {
  work.begin("write");
  output_set files;
  if (!output.empty() && is_first_process()) write(files.add(output));
  finish(work, report, options, files);
}

void write_npy_rows(const output_rows& rows, element_type type, std::span<const std::byte> all,
                    std::int64_t columns) {
  const std::size_t width =
      size_of(type) * static_cast<std::size_t>(std::max<std::int64_t>(columns, 1));
  if (rows.with_header) {
    std::vector<std::int64_t> shape = {static_cast<std::int64_t>(all.size() / width)};
    if (columns != 0) shape.push_back(columns);
    rows.write(evenfold::detail::npy_header_text(type, false, shape));
  }
  const auto part = all.subspan(rows.begin * width, (rows.end - rows.begin) * width);
  rows.write({reinterpret_cast<const char*>(part.data()), part.size()});
}

void finish_rows(phases& work, const std::string& report, const common_options& options,
                 const std::string& output, std::size_t num_rows,
                 const std::function<void(const output_rows&)>& write) {
  work.begin("write");
  output_set files;
  if (!output.empty() && processes() == nullptr) {
    output_file& file = files.add(output);
    write({output, 0, num_rows, true, [&](std::string_view text) { file.write(text); }});
  } else if (!output.empty()) {
    runtime::process_group& all = *processes();
    const int rank = all.rank();
    const auto begin_of = [&](int process) {
      return num_rows * static_cast<std::size_t>(process) / static_cast<std::size_t>(all.size());
    };
    output_file* const file = rank == 0 ? &files.add(output) : nullptr;
    std::string own;
    write({output, begin_of(rank), begin_of(rank + 1), rank == 0,
           [&](std::string_view text) { own += text; }});
    const auto path = runtime::gather(
        all, std::span<const char>(rank == 0 ? file->shared_path() : std::string()));
    if (path.size() == 0) {
      const auto text = runtime::gather(all, std::span<const char>(own));
      if (rank == 0) file->write({text.data(), text.size()});
    } else {
      const std::vector<std::size_t> sizes = runtime::gather(all, own.size());
      const auto offset = std::accumulate(sizes.begin(), sizes.begin() + rank, std::uint64_t{0});
      if (rank == 0) {
        file->write(own);
      } else {
        write_part({path.data(), path.size()}, output, offset, own);
      }
    }
  }
  finish(work, report, options, files);
}

}  // namespace evenfold::cli
