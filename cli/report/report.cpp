#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <variant>

#include "cli/report/printable.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

std::string text_of(const number& value) {
  std::string text;
  std::visit([&](auto v) { append_number(text, v); }, value);
  return text;
}

nlohmann::ordered_json json_of(const number& value) {
  return std::visit(
      [&](auto v) -> nlohmann::ordered_json {
        if (!std::isfinite(static_cast<double>(v))) return text_of(value);
        return v;
      },
      value);
}

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

struct record::fact {
  std::string name;
  std::string text;
  nlohmann::ordered_json json;
  text_table::align side;
  bool json_only = false;
};

record::record() = default;
record::~record() = default;

void record::add(std::string name, const std::string& text) {
  facts_.push_back({std::move(name), text, text, text_table::align::left});
}

void record::add(std::string name, const number& value) {
  facts_.push_back({std::move(name), text_of(value), json_of(value), text_table::align::right});
}

void record::add_bool(const std::string& name, bool value) {
  facts_.push_back({name, value ? "yes" : "no", value, text_table::align::left});
}

void record::add_json(std::string name, nlohmann::ordered_json value) {
  facts_.push_back({std::move(name), {}, std::move(value), text_table::align::left, true});
}

std::string record::text(output_format format) const {
  if (format == output_format::json) {
    // Not null: where memory is exhausted, a null value that is to become an object crashes.
    auto object = nlohmann::ordered_json::object();
    for (const fact& f : facts_) object[f.name] = f.json;
    return json_text(object);
  }
  csv_writer csv;
  text_table table;
  std::vector<std::string> row;
  for (const fact& f : facts_) {
    if (f.json_only) continue;
    csv.field(f.name);
    table.column(f.name, f.side);
    row.push_back(f.text);
  }
  csv.end_record();
  for (const std::string& text : row) csv.field(text);
  csv.end_record();
  table.row(std::move(row));
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

void finish(phases& work, const std::string& report, const common_options& options) {
  const std::string times = work.finish();
  print(report);
  if (options.time) fmt::print(stderr, "{}", times);
}

}  // namespace evenfold::cli
