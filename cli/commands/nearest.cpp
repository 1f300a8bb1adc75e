// evenfold nearest: for each place the k nearest other places of its group, and the most remote
// places of each group.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/draw/map.hpp"
#include "cli/input/csv_file.hpp"
#include "cli/input/csv_form.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/process.hpp"
#include "cli/report/output.hpp"
#include "cli/report/plot.hpp"
#include "cli/report/report.hpp"
#include "evenfold/io/csv/writer.hpp"
#include "evenfold/io/text/dictionary.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/places.hpp"

namespace evenfold::cli::commands::nearest {

namespace {

// evenfold::nearest_max_k, which the operation checks once more.
constexpr int largest_k = 16;

struct nearest_options {
  common_options common;
  std::string file, group, name, latitude, longitude;
  std::string unit = "mi";
  std::string output, plot;
  csv_form csv;
  int k = 3;
  int per_group = 1;
};

/// As evenfold::nearest_places.
struct nearest_answer {
  std::vector<std::int32_t> neighbours;
  std::vector<double> distances;
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> group_offsets;
};

/// The file and the answer.
struct places {
  csv_table table;
  csv_text_column all_names, all_groups;
  std::vector<std::string_view> names;
  dictionary groups;
  std::vector<double> latitudes, longitudes;
  nearest_answer answer;
  int k = 0;

  const std::int32_t* neighbours(std::int32_t row) const {
    return answer.neighbours.data() + std::size_t{static_cast<std::uint32_t>(row)} * k;
  }
  const double* distances(std::int32_t row) const {
    return answer.distances.data() + std::size_t{static_cast<std::uint32_t>(row)} * k;
  }
  /// The number of neighbours of a place: k, or all other places of a small group.
  int num_neighbours(std::int32_t row) const {
    return static_cast<int>(std::find(neighbours(row), neighbours(row) + k, -1) - neighbours(row));
  }
  std::string_view group(std::int32_t row) const { return groups.values[groups.ids[row]]; }
  /// The rows of a group in ascending order of the last distance.
  std::span<const std::int32_t> members(std::size_t g) const {
    const auto begin = static_cast<std::size_t>(answer.group_offsets[g]);
    const auto end = g + 1 < answer.group_offsets.size()
                         ? static_cast<std::size_t>(answer.group_offsets[g + 1])
                         : answer.order.size();
    return std::span(answer.order).subspan(begin, end - begin);
  }
  double last_distance(std::int32_t row) const {
    const int found = num_neighbours(row);
    return found == 0 ? 0 : distances(row)[found - 1];
  }
};

places read_places(cpu_context& ctx, const nearest_options& options) {
  csv_table table =
      read_csv_file(ctx, options.file,
                    {.delimiter = options.csv.delimiter.value_or(','),
                     .header = options.csv.header,
                     .asked = {options.group, options.name, options.latitude, options.longitude}});
  if (table.header().is_guess()) warn_of_guess(options.file, table.header());
  const std::size_t group = table.column(options.group);
  const std::size_t name = table.column(options.name);
  const std::size_t latitude = table.column(options.latitude);
  const std::size_t longitude = table.column(options.longitude);
  if (table.num_rows() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw input_error(options.file, fmt::format("the table has {} places, expected fewer than 2^31",
                                                table.num_rows()));
  }
  const null_texts& nulls = options.csv.nulls;
  const auto latitudes =
      table.numbers(ctx, latitude, {-90, 90, "a latitude in degrees from -90 to 90", nulls});
  const auto longitudes =
      table.numbers(ctx, longitude, {-180, 180, "a longitude in degrees from -180 to 180", nulls});
  places result{std::move(table), {}, {}, {}, {}, {}, {}, {}, options.k};
  result.all_names = result.table.texts(ctx, name);
  result.all_groups = result.table.texts(ctx, group);
  std::vector<std::string_view> groups;
  for (std::size_t row = 0; row < latitudes.size(); ++row) {
    const auto is_null = [&](std::size_t column) {
      return options.csv.is_null(result.table.field(row, column));
    };
    if (is_null(group) || is_null(name) || is_null(latitude) || is_null(longitude)) continue;
    result.names.push_back(result.all_names[row]);
    groups.push_back(result.all_groups[row]);
    result.latitudes.push_back(latitudes[row]);
    result.longitudes.push_back(longitudes[row]);
  }
  result.groups = encode(ctx, groups);
  return result;
}

nearest_answer run_query(const places& input, const nearest_options& options,
                         runtime::engine& engine, phases& work) {
  const double radius = options.unit == "km" ? earth_radius_kilometres : earth_radius_miles;
  const auto num_groups = static_cast<std::int32_t>(input.groups.values.size());
  work.begin("copy in");
  const auto there = [&](const auto& all) {
    return engine.local(runtime::array::borrowed(std::span(all)));
  };
  const runtime::array latitudes = there(input.latitudes);
  const runtime::array longitudes = there(input.longitudes);
  const runtime::array groups = there(input.groups.ids);
  engine.synchronize();
  work.begin("query");
  const runtime::nearest_result found =
      engine.places().nearest(latitudes, longitudes, groups, num_groups, options.k, radius);
  engine.synchronize();
  work.begin("copy out");
  return {runtime::to_vector<std::int32_t>(engine, found.neighbours),
          runtime::to_vector<double>(engine, found.distances),
          runtime::to_vector<std::int32_t>(engine, found.order),
          runtime::to_vector<std::int32_t>(engine, found.group_offsets)};
}

/// The rows of the most remote places of each group, the farthest first; ties are in the order of
/// the file.
std::vector<std::int32_t> most_remote(const places& all, int per_group) {
  std::vector<std::int32_t> rows;
  for (std::size_t g = 0; g < all.groups.values.size(); ++g) {
    const auto members = all.members(g);
    std::vector<std::int32_t> sorted(members.begin(), members.end());
    const auto wanted = std::min<std::size_t>(sorted.size(), static_cast<std::size_t>(per_group));
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(wanted);
    std::partial_sort(sorted.begin(), middle, sorted.end(), [&](std::int32_t a, std::int32_t b) {
      const double da = all.last_distance(a);
      const double db = all.last_distance(b);
      return da > db || (da == db && a < b);
    });
    rows.insert(rows.end(), sorted.begin(), middle);
  }
  return rows;
}

std::string ordinal(int n) {
  const char* const ending = n % 10 == 1 && n != 11   ? "st"
                             : n % 10 == 2 && n != 12 ? "nd"
                             : n % 10 == 3 && n != 13 ? "rd"
                                                      : "th";
  return std::to_string(n) + ending;
}

std::string as_table(const places& all, const std::vector<std::int32_t>& rows,
                     const nearest_options& options) {
  int columns = 0;
  for (const std::int32_t row : rows) columns = std::max(columns, all.num_neighbours(row));
  text_table table;
  table.column(options.group, text_table::align::left);
  table.column(options.name, text_table::align::left);
  for (int j = 0; j < columns; ++j) {
    table.column(j == 0 ? "nearest" : ordinal(j + 1), text_table::align::left);
    table.column(options.unit, text_table::align::right);
  }
  for (const std::int32_t row : rows) {
    std::vector<std::string> cells = {std::string(all.group(row)), std::string(all.names[row])};
    for (int j = 0; j < all.num_neighbours(row); ++j) {
      cells.emplace_back(all.names[all.neighbours(row)[j]]);
      cells.push_back(fmt::format("{:.2f}", all.distances(row)[j]));
    }
    table.row(std::move(cells));
  }
  return table.text();
}

std::string as_csv(const places& all, std::span<const std::int32_t> rows) {
  csv_writer csv;
  csv.field("group");
  csv.field("name");
  for (int j = 1; j <= all.k; ++j) {
    csv.field(fmt::format("n{}", j));
    csv.field(fmt::format("d{}", j));
  }
  csv.end_record();
  for (const std::int32_t row : rows) {
    csv.field(all.group(row));
    csv.field(all.names[row]);
    const int found = all.num_neighbours(row);
    for (int j = 0; j < all.k; ++j) {
      csv.field(j < found ? all.names[all.neighbours(row)[j]] : std::string_view());
      csv.field(j < found ? text_of(all.distances(row)[j]) : std::string());
    }
    csv.end_record();
  }
  return csv.text();
}

std::string as_json(const places& all, const std::vector<std::int32_t>& rows) {
  json list = json::array();
  for (const std::int32_t row : rows) {
    json object = {{"group", all.group(row)}, {"name", all.names[row]}};
    for (int j = 0; j < all.num_neighbours(row); ++j) {
      object.set(fmt::format("n{}", j + 1), all.names[all.neighbours(row)[j]]);
      object.set(fmt::format("d{}", j + 1), all.distances(row)[j]);
    }
    list.push_back(std::move(object));
  }
  return list.text();
}

std::string as_map(const places& all, const std::vector<std::int32_t>& rows,
                   const nearest_options& options) {
  map_content content;
  content.latitudes = all.latitudes;
  content.longitudes = all.longitudes;
  content.groups = all.groups.ids;
  content.group_names = all.groups.values;
  content.title = fmt::format("The most remote place of each {}", options.group);
  content.subtitle = fmt::format(
      "{} places in {} {}; lines lead to the {} nearest of the same group, labels give the "
      "distance to the farthest of them in {}",
      all.names.size(), all.groups.values.size(),
      all.groups.values.size() == 1 ? "group" : "groups", options.k,
      options.unit == "mi" ? "miles" : "kilometres");
  for (const std::int32_t row : rows) {
    map_star star;
    star.row = row;
    star.label = fmt::format("{} {:.0f} {}", all.names[row], all.last_distance(row), options.unit);
    star.weight = all.last_distance(row);
    for (int j = 0; j < all.num_neighbours(row); ++j) {
      star.neighbours.push_back(all.neighbours(row)[j]);
      star.neighbour_labels.emplace_back(all.names[all.neighbours(row)[j]]);
    }
    if (star.neighbours.empty()) star.label = std::string(all.names[row]);
    content.stars.push_back(std::move(star));
  }
  return draw_map(content);
}

void run(const nearest_options& options) {
  expect_separate_files({{"FILE", options.file}},
                        {{"--output", options.output}, {"--plot", options.plot}});
  phases work;
  work.begin("read");
  command_engine device(options.common, {options.file});
  cpu_context ctx(device.host_threads());
  places all = read_places(ctx, options);
  all.answer = run_query(all, options, device.open(work), work);

  work.begin("report");
  const std::vector<std::int32_t> rows = most_remote(all, options.per_group);
  const std::string report = options.common.format == output_format::table
                                 ? as_table(all, rows, options)
                             : options.common.format == output_format::csv ? as_csv(all, rows)
                                                                           : as_json(all, rows);

  work.begin("write");
  output_set files;
  if (is_first_process()) {
    if (!options.output.empty()) files.add(options.output).write(as_csv(all, all.answer.order));
    if (!options.plot.empty()) write_plot(files.add(options.plot), as_map(all, rows, options));
  }
  finish(work, report, options.common, files);
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<nearest_options>();
  command_spec* const command = program.add_subcommand(
      "nearest", "Nearest neighbours on the globe, and the most remote place of each group");
  command->footer(
      "For each place, the command finds the K nearest places of the same group, by\n"
      "great-circle distance. It reports the place of each group whose K-th neighbour is\n"
      "farthest. For example:\n"
      "  evenfold nearest data/capitals.csv --group continent --name name \\\n"
      "    --lat latitude --lon longitude --plot map.svg");
  command->add_option("FILE", options->file, "Places, one per row: CSV, also as .gz")
      ->required()
      ->type_name("");
  command->add_option("--group", options->group, "Column with the group of the place")
      ->required()
      ->type_name("COL");
  command->add_option("--name", options->name, "Column with the name of the place")
      ->required()
      ->type_name("COL");
  command
      ->add_option("--lat", options->latitude,
                   "Column with the latitude in degrees, north positive")
      ->required()
      ->type_name("COL");
  command
      ->add_option("--lon", options->longitude,
                   "Column with the longitude in degrees, east positive")
      ->required()
      ->type_name("COL");
  add_csv_options(*command, options->csv, null_rule::leave_out);
  command
      ->add_option("--k", options->k, fmt::format("Number of neighbours, from 1 to {}", largest_k))
      ->type_name("K")
      ->check(within(1, largest_k))
      ->capture_default_str();
  command->add_option("--unit", options->unit, "Unit of distances: mi or km")
      ->type_name("UNIT")
      ->check(one_of({"mi", "km"}))
      ->capture_default_str();
  command->add_option("--per-group", options->per_group, "Number of places to report per group")
      ->type_name("N")
      ->check(within(1, std::numeric_limits<int>::max()))
      ->capture_default_str();
  command
      ->add_option(
          "--output", options->output,
          "Write every place and its neighbours to this file (CSV), each group in ascending\n"
          "order of the distance to the K-th neighbour")
      ->type_name("FILE");
  add_plot_option(*command, options->plot, "Draw a map to this file");
  add_common_options(*command, options->common, ranks_of_command::several);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::nearest
