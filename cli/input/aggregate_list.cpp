#include "cli/input/aggregate_list.hpp"

#include <array>

#include "cli/commands/choice.hpp"
#include "cli/input/option_text.hpp"
#include "evenfold/io/text/name_list.hpp"

namespace evenfold::cli {

namespace {

using kind = runtime::aggregate_kind;

struct named_aggregate {
  const char* name;
  wanted_aggregate aggregate;
};

const std::array aggregates{
    named_aggregate{"count", {.kind = kind::count}},
    named_aggregate{"sum", {.kind = kind::sum}},
    named_aggregate{"min", {.kind = kind::smallest}},
    named_aggregate{"max", {.kind = kind::largest}},
    named_aggregate{"mean", {.kind = kind::mean}},
    named_aggregate{"median", {.kind = kind::quantile, .fraction = 0.5}},
    named_aggregate{"variance", {.kind = kind::variance}},
    named_aggregate{"stddev", {.kind = kind::variance, .is_root = true}},
    named_aggregate{"first", {.kind = kind::first}},
    named_aggregate{"last", {.kind = kind::last}},
};

wanted_aggregate aggregate_named(std::string_view name, const option_text& agg) {
  for (const auto& each : aggregates) {
    if (each.name == name) return each.aggregate;
  }
  double percent = 0;
  if (name.starts_with('p') && parse_number(name.substr(1), percent) == std::errc{}) {
    if (percent >= 0 && percent <= 100) return {.kind = kind::quantile, .fraction = percent / 100};
    agg.fail(shown(name) + " is not a percentile; percentiles go from p0 to p100");
  }
  std::vector<std::string> names;
  names.reserve(std::size(aggregates));
  for (const auto& each : aggregates) names.emplace_back(each.name);
  throw option_error(std::string(agg.option) + " " + shown(agg.all),
                     "there is no aggregate " + shown(name) + ", expected one of " +
                         detail::name_list(names, name) + " or a percentile such as p95" +
                         suggested(names, std::string(name)));
}

}  // namespace

std::vector<wanted_aggregate> parse_aggregates(std::string_view text) {
  const option_text agg{"--agg", text,
                        "NAME(COL)[,NAME(COL)...], such as sum(x),count(),p95(\"a column\")", ""};
  std::vector<wanted_aggregate> result;
  for (bool ends = false; !ends;) {
    text = trimmed(text);
    const std::size_t open = text.find_first_of("(,");
    const std::string_view name = trimmed(text.substr(0, open));
    if (name.empty()) agg.fail("the name of an aggregate is missing");
    wanted_aggregate wanted = aggregate_named(name, agg);
    if (open == std::string_view::npos || text[open] == ',') {
      agg.fail("there is no column in parentheses after " + shown(name));
    }
    const std::string_view argument = text.substr(open + 1);
    const std::size_t close = agg.find(argument, ')');
    if (close == std::string_view::npos) agg.fail("the closing parenthesis is missing");
    wanted.written = text.substr(0, open + 1 + close + 1);
    // count(*) is count(), as in SQL; count("*") counts the values of a column.
    const std::string_view inside = trimmed(argument.substr(0, close));
    if (wanted.kind != kind::count || (!inside.empty() && inside != "*")) {
      wanted.column = agg.name(argument.substr(0, close));
    }
    result.push_back(wanted);
    text = trimmed(argument.substr(close + 1));
    ends = text.empty();
    if (ends) break;
    if (text.front() != ',') agg.fail("there is " + shown(text) + " after a closing parenthesis");
    text.remove_prefix(1);
  }
  return result;
}

std::vector<std::string> names_of(const std::vector<wanted_aggregate>& wanted) {
  std::vector<std::string> names;
  for (const wanted_aggregate& each : wanted) {
    if (!each.column.empty()) names.push_back(each.column);
  }
  return names;
}

}  // namespace evenfold::cli
