#pragma once
// How a command ends: its report in the form that was asked for, and the times of its phases.

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/device.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"

namespace evenfold::cli {

/// The shortest text that reads back as the same number.
std::string text_of(const number& value);
/// As JSON, which knows no NaN and no infinity: they are strings, "nan", "inf" and "-inf".
nlohmann::ordered_json json_of(const number& value);
/// As reports have it: indented, with a replacement character for what is no UTF-8.
std::string json_text(const nlohmann::ordered_json& value);

/// A report of a few facts, under the same names in every format: a table or CSV of one row, or a
/// JSON object.
class record {
 public:
  void add(std::string name, const std::string& text) {
    facts_.push_back({std::move(name), text, text, text_table::align::left});
  }
  void add(std::string name, const number& value) {
    facts_.push_back({std::move(name), text_of(value), json_of(value), text_table::align::right});
  }
  void add(std::string name, std::same_as<bool> auto value) {
    facts_.push_back({std::move(name), value ? "yes" : "no", value, text_table::align::left});
  }
  /// For JSON alone.
  void add_json(std::string name, nlohmann::ordered_json value) {
    facts_.push_back({std::move(name), {}, std::move(value), text_table::align::left, true});
  }

  std::string text(output_format format) const;

 private:
  struct fact {
    std::string name;
    std::string text;
    nlohmann::ordered_json json;
    text_table::align side;
    bool json_only = false;
  };
  std::vector<fact> facts_;
};

/// Ends the phases, prints the report, and says on standard error how long each phase took, if that
/// was asked for. The last thing that a command does.
void finish(phases& work, const std::string& report, const common_options& options);

}  // namespace evenfold::cli
