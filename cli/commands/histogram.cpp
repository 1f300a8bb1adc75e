// evenfold histogram: the number of values of a file in each bin, as a report and as a picture.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/draw/bar_chart.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/plot.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/text/number_text.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::cli::commands::histogram {

namespace {

struct interval {
  double low, high;
};

struct histogram_options {
  common_options common;
  number_source file;
  std::string weights;
  int bins = 10;
  std::optional<interval> range;
  std::vector<double> edges;
  bool round = false;
  bool closed = false;
  std::string plot;
};

std::optional<interval> parsed_range(const std::string& text) {
  const auto colon = text.find(':');
  interval range{};
  if (colon == std::string::npos ||
      parse_number(std::string_view(text).substr(0, colon), range.low) != std::errc{} ||
      parse_number(std::string_view(text).substr(colon + 1), range.high) != std::errc{} ||
      !std::isfinite(range.low) || !std::isfinite(range.high) || !(range.low < range.high)) {
    return std::nullopt;
  }
  return range;
}

/// Refuses options that contradict each other, before anything is read.
void check_options(const histogram_options& options) {
  for (std::size_t i = 0; i < options.edges.size(); ++i) {
    if (!std::isfinite(options.edges[i]) || (i > 0 && !(options.edges[i - 1] < options.edges[i]))) {
      throw option_error(
          "--edges",
          fmt::format(
              "{} is not finite or out of order, expected finite numbers in ascending order",
              options.edges[i]));
    }
  }
  if (options.edges.size() == 1) {
    throw option_error("--edges", "one edge is not enough for a bin, expected at least two");
  }
  if (options.round && options.bins < 2) {
    throw option_error("--bins", "one centre is not enough for --round, expected at least 2");
  }
}

/// From the least to the largest of the numbers in the first columns.
interval extent(const number_file& numbers, std::int64_t columns, const std::string& file) {
  interval range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  numbers.visit([&](const auto& matrix) {
    for (std::int64_t i = 0; i < matrix.rows(); ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        const auto x = static_cast<double>(matrix(i, j));
        if (x < range.low) range.low = x;
        if (x > range.high) range.high = x;
      }
    }
  });
  const bool has_numbers = range.low <= range.high;
  constexpr double limit = std::numeric_limits<double>::max();
  if (!has_numbers || !std::isfinite(range.low) || !std::isfinite(range.high)) {
    throw error(fmt::format(
        "{}: {}, expected {} to cut the range of the numbers into bins, or --range LO:HI",
        input_name(file),
        !has_numbers         ? "there are no numbers"
        : range.high > limit ? "inf is among the numbers"
                             : "-inf is among the numbers",
        has_numbers ? "finite ones" : "at least one"));
  }
  // As numpy.histogram does.
  return range.low < range.high ? range : interval{range.low - 0.5, range.high + 0.5};
}

/// Refuses a range whose bins have edges that a double does not represent.
void check_range(const interval& range, const histogram_options& options) {
  if (range.low < range.high && std::isfinite((range.high - range.low) * options.bins)) return;
  const std::string what = fmt::format("{} to {} cannot be cut into {} bins", text_of(range.low),
                                       text_of(range.high), options.bins);
  if (options.range) throw option_error("--range", what + ", expected a narrower range");
  throw error(fmt::format("{}: the range {}, expected --range LO:HI or --edges",
                          input_name(options.file.path), what));
}

/// The content of every report.
struct outcome {
  const histogram_options& options;
  std::vector<double> edges;
  numbers counts;

  std::size_t bins() const { return edges.size() - 1; }
  bool weighted() const { return counts.index() == 3; }
  const char* unit() const { return weighted() ? "weight" : "count"; }
  number at(std::size_t place) const {
    return std::visit([&](const auto& all) { return number(all[place]); }, counts);
  }
  number of(outlier kind) const { return at(bins() + static_cast<std::size_t>(kind)); }
  std::vector<double> heights() const {
    return std::visit(
        [&](const auto& all) {
          const auto last = all.begin() + static_cast<std::ptrdiff_t>(bins());
          return std::vector<double>(all.begin(), last);
        },
        counts);
  }
  /// The interval of bin b, in mathematical notation.
  std::string label(std::size_t b) const {
    const bool closed = b + 1 == bins() && is_closed();
    return fmt::format("[{:.6g}, {:.6g}{}", edges[b], edges[b + 1], closed ? ']' : ')');
  }
  /// Without a range, the last bin includes the largest number.
  bool is_closed() const {
    return options.closed || (!options.range && options.edges.empty() && !options.round);
  }
};

/// A bar of at most `longest` columns, to an eighth of one.
std::string bar(double share, int longest) {
  const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0)) return "";
  // A bar that is not empty stays visible.
  const int length = std::max(1, static_cast<int>(std::lround(share * 8 * longest)));
  std::string text;
  for (int i = 0; i < length / 8; ++i) text += "█";
  return text + eighths[length % 8];
}

std::string as_table(const outcome& found) {
  const std::vector<double> heights = found.heights();
  const double tallest = *std::max_element(heights.begin(), heights.end());
  text_table table;
  table.column(found.options.file.column.empty() ? "bin" : found.options.file.column,
               text_table::align::left);
  table.column(found.unit(), text_table::align::right);
  table.column("", text_table::align::left);
  for (std::size_t b = 0; b < heights.size(); ++b) {
    table.row({found.label(b), text_of(found.at(b)), bar(heights[b] / tallest, 48)});
  }
  table.row({"below", text_of(found.of(outlier_below))});
  table.row({"above", text_of(found.of(outlier_above))});
  table.row({"not a number", text_of(found.of(outlier_nan))});
  return table.text();
}

std::string as_csv(const outcome& found) {
  csv_writer csv;
  const auto line = [&](double low, double high, const number& value) {
    csv.record({text_of(low), text_of(high), text_of(value)});
  };
  csv.record({"low", "high", found.unit()});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  line(-infinity, found.edges.front(), found.of(outlier_below));
  for (std::size_t b = 0; b < found.bins(); ++b) {
    line(found.edges[b], found.edges[b + 1], found.at(b));
  }
  line(found.edges.back(), infinity, found.of(outlier_above));
  line(nan, nan, found.of(outlier_nan));
  return csv.text();
}

std::string as_json(const outcome& found) {
  json counts = json::array();
  for (std::size_t b = 0; b < found.bins(); ++b) counts.push_back(json_of(found.at(b)));
  const json object = {{"edges", found.edges},
                       {"counts", std::move(counts)},
                       {"below", json_of(found.of(outlier_below))},
                       {"above", json_of(found.of(outlier_above))},
                       {"nan", json_of(found.of(outlier_nan))},
                       {"closed", found.is_closed()}};
  return object.text();
}

std::string as_picture(const outcome& found, std::size_t count) {
  const std::vector<double> heights = found.heights();
  const std::string& column = found.options.file.column;
  const std::string file = found.options.file.path.substr(found.options.file.path.rfind('/') + 1);
  return draw_bars({.edges = found.edges,
                    .heights = heights,
                    .title = column.empty() ? file : fmt::format("{} ({})", column, file),
                    .subtitle = fmt::format(
                        "{} number{} in {} bin{}; {}below: {}, above: {}, not a number: {}", count,
                        count == 1 ? "" : "s", found.bins(), found.bins() == 1 ? "" : "s",
                        found.weighted() ? "weight " : "", text_of(found.of(outlier_below)),
                        text_of(found.of(outlier_above)), text_of(found.of(outlier_nan))),
                    .x_label = column.empty() ? "value" : column,
                    .y_label = found.weighted() ? "sum of " + found.options.weights : "count"});
}

/// A column, rounded to float64.
std::vector<double> column_of(const number_file& file, std::int64_t column) {
  return file.visit([&](const auto& matrix) {
    std::vector<double> values(static_cast<std::size_t>(matrix.rows()));
    for (std::int64_t i = 0; i < matrix.rows(); ++i) {
      values[static_cast<std::size_t>(i)] = static_cast<double>(matrix(i, column));
    }
    return values;
  });
}

/// The counts (uint64) or the sums of weights (double): those of the bins, then outlier_kinds more.
numbers counts_of(runtime::engine& engine, const number_file& file,
                  const std::vector<double>& weights, const runtime::binning& bins) {
  const auto of = [&](const std::vector<double>& values) {
    const runtime::array there = engine.local(runtime::array::borrowed(std::span(values)));
    const runtime::array of_weights = engine.local(runtime::array::borrowed(std::span(weights)));
    return downloaded(engine, engine.arrays().histogram(there, of_weights, bins));
  };
  // The order of a sum of weights determines its last bits.
  if (!weights.empty()) return of(column_of(file, 0));
  std::vector<std::uint64_t> counts;
  for_each_piece(file.size(), [&](std::int64_t begin, std::int64_t end) {
    const auto more = std::get<std::vector<std::uint64_t>>(of(doubles_of(file, begin, end)));
    counts.resize(more.size());
    std::transform(counts.begin(), counts.end(), more.begin(), counts.begin(), std::plus());
  });
  return counts;
}

void run(const histogram_options& options) {
  expect_separate_files({{"FILE", options.file.path}}, {{"--plot", options.plot}});
  check_options(options);
  phases work;
  work.begin("read");
  number_source source = options.file;
  command_engine device(options.common, {source.path});
  source.threads = device.host_threads();
  source.second = options.weights;
  const number_file file(source);
  const bool weighted = !options.weights.empty();
  const std::int64_t columns = weighted ? 1 : file.columns();
  const std::vector<double> weights = weighted ? column_of(file, 1) : std::vector<double>();

  outcome found{options, options.edges, {}};
  runtime::binning bins = runtime::bin_edges{options.edges, found.is_closed()};
  if (options.edges.empty()) {
    const interval range = options.range ? *options.range : extent(file, columns, source.path);
    check_range(range, options);
    const regular_bins regular =
        options.round ? rounding_bins(range.low, range.high, options.bins, found.is_closed())
                      : even_bins(range.low, range.high, options.bins, found.is_closed());
    for (std::int32_t k = 0; k <= regular.bins; ++k) found.edges.push_back(regular.edge(k));
    bins = regular;
  }
  runtime::engine& engine = device.open(work);
  work.begin("histogram");
  found.counts = counts_of(engine, file, weights, bins);

  work.begin("report");
  const std::string report = options.common.format == output_format::table ? as_table(found)
                             : options.common.format == output_format::csv ? as_csv(found)
                                                                           : as_json(found);
  output_set files;
  if (!options.plot.empty()) {
    write_plot(files.add(options.plot),
               as_picture(found, static_cast<std::size_t>(file.rows() * columns)));
  }
  finish(work, report, options.common, files);
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<histogram_options>();
  command_spec* const command =
      program.add_subcommand("histogram", "Histogram: how many numbers of a file lie in each bin");
  command->footer(
      "A bin includes its lower edge and excludes its upper edge. Numbers below the first\n"
      "edge, numbers above the last edge, and NaN are counted separately. Without --range the\n"
      "bins reach from the smallest to the largest number, and the last bin includes its\n"
      "upper edge, so that every number is in a bin. For example:\n"
      "  evenfold histogram flights.csv --column delay --bins 40 --range -60:180 --plot delay.svg");
  add_number_file_options(*command, options->file, "For a CSV file: the column to count");
  option_spec* const bins = command->add_option("--bins", options->bins, "Number of bins")
                                ->type_name("N")
                                ->check(within(1, 1 << 20))
                                ->capture_default_str();
  option_spec* const range =
      command
          ->add_text_option(
              "--range",
              [options](const std::string& text) { options->range = parsed_range(text); },
              "The first and the last edge; with --round, the first and the last centre")
          ->type_name("LO:HI")
          ->check([](const std::string& text) {
            return parsed_range(text) ? std::string()
                                      : "'" + text +
                                            "' is not a range, expected two numbers in ascending "
                                            "order, such as 0:100";
          });
  option_spec* const round =
      command->add_flag("--round", options->round,
                        "Round each number to the nearest of N centres (halves are rounded up)\n"
                        "instead of cutting the range into N bins");
  command->add_list_option("--edges", options->edges, "The edges of the bins, in ascending order")
      ->type_name("E0,E1,...")
      ->excludes(bins)
      ->excludes(range)
      ->excludes(round);
  command->add_flag("--closed", options->closed, "Include the upper edge in the last bin");
  command
      ->add_option("--weights", options->weights,
                   "For a CSV file: sum the numbers of this column in each bin instead of counting")
      ->type_name("COL")
      ->needs("--column");
  add_plot_option(*command, options->plot, "Draw the histogram to this file");
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::histogram
