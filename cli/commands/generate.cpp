// evenfold generate: reproducible inputs. The same command writes the same file on every device.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/input/generate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/report.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/element_type.hpp"
#include "runtime/arrays.hpp"
#include "runtime/graphs.hpp"

namespace evenfold::cli::commands::generate {

namespace {

/// More numbers or edges than this are refused.
constexpr std::int64_t largest = std::int64_t{1} << 40;

struct generate_options {
  common_options common;
  std::string output;
  std::uint64_t seed = 1;

  // Numbers.
  std::int64_t count = 0;
  std::int64_t rows = 0, columns = 0;
  std::string type = "float64";
  double mean = 0, deviation = 1;
  double low = 0, high = 1;

  // Graphs.
  int scale = 0;
  double edge_factor = 16;
  std::vector<double> quarters{0.57, 0.19, 0.19};
  std::int64_t vertices = 0, edges = 0;
};

[[noreturn]] void refuse_ending(const std::string& path, std::string_view expected) {
  throw option_error("OUT", fmt::format("'{}' does not say what kind of file to write, "
                                        "expected a name that ends with {}",
                                        path, expected));
}

/// Refuses sizes that this machine cannot hold, before the work begins.
void expect_memory(std::int64_t count, std::size_t bytes_each) {
  const double needed = static_cast<double>(count) * static_cast<double>(bytes_each);
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > there) {
    throw allocation_error(
        fmt::format("generate: {} numbers or edges of {} bytes need {:.1f} GiB, expected at most "
                    "the {:.1f} GiB of this machine",
                    count, bytes_each, needed / 0x1p30, there / 0x1p30));
  }
}

// Numbers ---------------------------------------------------------------------------------------

element_type type_named(const std::string& name) {
  if (name == "float32") return element_type::float32;
  return name == "int64" ? element_type::int64 : element_type::float64;
}

/// make(operations, type, count) gives the numbers.
template <class Make>
void run_numbers(const generate_options& options, const Make& make) {
  if (!has_number_ending(options.output)) refuse_ending(options.output, number_endings);
  if ((options.rows > 0) != (options.columns > 0) || (options.count > 0) == (options.rows > 0)) {
    throw option_error(
        "--count",
        "the number of values is not clear, expected --count N, or --rows M --columns N");
  }
  const std::int64_t rows = options.count > 0 ? options.count : options.rows;
  const std::int64_t columns = options.count > 0 ? 1 : options.columns;
  if (rows > largest / columns) {
    throw option_error(
        "--rows",
        fmt::format("{} rows of {} are more than 2^40 numbers, expected fewer", rows, columns));
  }
  const element_type type = type_named(options.type);
  expect_memory(rows * columns, size_of(type));
  const auto count = static_cast<std::size_t>(rows * columns);
  phases work;
  work.begin("prepare");
  command_engine device(options.common, count * size_of(type));
  runtime::engine& engine = device.open(work);
  work.begin("generate");
  const runtime::array there = make(engine.arrays(), type, count);
  engine.synchronize();
  work.begin("copy out");
  const numbers made = downloaded(engine, there);
  work.begin("write");
  output_set files;
  write_numbers(files.add(options.output), made, rows, columns, options.count > 0);

  record facts;
  facts.add("rows", rows);
  facts.add("columns", columns);
  facts.add("type", options.type);
  facts.add("seed", options.seed);
  facts.add("output", options.output);
  finish(work, facts.text(options.common.format), options.common, files);
}

void run_normal(const generate_options& options) {
  if (!(options.deviation >= 0) || !std::isfinite(options.deviation) ||
      !std::isfinite(options.mean)) {
    throw option_error(
        "--deviation",
        fmt::format("{} with a mean of {} is not valid, expected finite numbers, and a "
                    "deviation of at least 0",
                    options.deviation, options.mean));
  }
  run_numbers(options, [&](runtime::array_operations& make, element_type type, std::size_t count) {
    return make.normal(type, count, options.seed, options.mean, options.deviation);
  });
}

void run_uniform(const generate_options& options) {
  if (!std::isfinite(options.high - options.low)) {
    throw option_error("--low",
                       fmt::format("{} to {} is not an interval, expected finite numbers whose "
                                   "difference is a float64",
                                   options.low, options.high));
  }
  if (!(options.low < options.high)) {
    throw option_error("--low",
                       fmt::format("{} is too large, expected a number below --high, which is {}",
                                   options.low, options.high));
  }
  if (options.type == "int64" &&
      (options.low != std::floor(options.low) || options.high != std::floor(options.high) ||
       std::fabs(options.low) > 0x1p53 || std::fabs(options.high) > 0x1p53)) {
    throw option_error(
        "--type", fmt::format("int64 cannot go from {} to {}, expected whole numbers within 2^53",
                              options.low, options.high));
  }
  run_numbers(options, [&](runtime::array_operations& make, element_type type, std::size_t count) {
    return make.uniform(type, count, options.seed, options.low, options.high);
  });
}

// Graphs ----------------------------------------------------------------------------------------

/// `symmetric`: see write_graph.
void run_graph(const generate_options& options, const runtime::edge_recipe& recipe,
               std::int64_t vertices, std::int64_t count, bool symmetric) {
  if (!has_graph_ending(options.output)) refuse_ending(options.output, graph_endings);
  expect_memory(count, sizeof(edge));
  phases work;
  work.begin("prepare");
  std::vector<edge> edges(static_cast<std::size_t>(count));
  command_engine device(options.common, edges.size() * sizeof(edge));
  runtime::engine& engine = device.open(work);
  work.begin("generate");
  const runtime::array there = engine.graphs().generate(recipe, edges.size());
  engine.synchronize();
  work.begin("copy out");
  engine.download(there, edges.data());
  work.begin("write");
  cpu_context ctx(device.host_threads());
  output_set files;
  write_graph(ctx, files.add(options.output), edges, vertices, symmetric);

  record facts;
  facts.add("vertices", vertices);
  facts.add("edges", count);
  facts.add("output", options.output);
  finish(work, facts.text(options.common.format), options.common, files);
}

/// R-MAT and Kronecker graphs are as large as `scale` and `edge_factor` say.
void run_scaled(const generate_options& options, const runtime::edge_recipe& recipe) {
  const std::int64_t vertices = std::int64_t{1} << options.scale;
  const double edges =
      std::min(std::floor(options.edge_factor * static_cast<double>(vertices)), 0x1p60);
  run_graph(options, recipe, vertices, static_cast<std::int64_t>(edges), false);
}

void run_rmat(const generate_options& options) {
  const std::vector<double>& of = options.quarters;
  const auto is_probability = [](double p) { return p >= 0; };
  if (of.size() != 3 || !std::all_of(of.begin(), of.end(), is_probability) ||
      of[0] + of[1] + of[2] > 1) {
    throw option_error(
        "--quarters",
        fmt::format("{} is not valid, expected three probabilities whose sum is at most 1",
                    fmt::join(of, ",")));
  }
  run_scaled(options, rmat_edges(options.scale, options.seed, of[0], of[1], of[2]));
}

void run_kronecker(const generate_options& options) {
  run_scaled(options, kronecker_edges(options.scale, options.seed));
}

void run_uniform_graph(const generate_options& options) {
  run_graph(
      options,
      uniform_edges{random_stream(options.seed), static_cast<std::uint64_t>(options.vertices)},
      options.vertices, options.edges, false);
}

void run_grid(const generate_options& options) {
  const grid_edges grid{options.rows, options.columns};
  run_graph(options, grid, options.rows * options.columns, grid.size(), true);
}

// Options ---------------------------------------------------------------------------------------

void add_output(command_spec& command, generate_options& options, bool seeded) {
  command.add_option("OUT", options.output, "The file to write")->required()->type_name("");
  if (seeded) {
    command.add_option("--seed", options.seed, "Seed of the random numbers")
        ->type_name("N")
        ->capture_default_str();
  }
  add_common_options(command, options.common);
}

void add_numbers(command_spec& command, generate_options& options, const std::string& types) {
  command.add_option("--count", options.count, "Number of values, in one column")
      ->type_name("N")
      ->check(within(std::int64_t{1}, largest));
  command.add_option("--rows", options.rows, "Number of rows of a matrix")
      ->type_name("N")
      ->check(within(std::int64_t{1}, largest));
  command.add_option("--columns,--cols", options.columns, "Number of columns of a matrix")
      ->type_name("N")
      ->check(within(std::int64_t{1}, largest));
  std::vector<std::string> known = {"float64", "float32"};
  if (types.find("int64") != std::string::npos) known.emplace_back("int64");
  command.add_option("--type", options.type, "The type of the numbers: " + types)
      ->check(one_of(known))
      ->type_name("TYPE")
      ->capture_default_str();
}

void add_scale(command_spec& command, generate_options& options) {
  command.add_option("--scale", options.scale, "The graph has 2^SCALE vertices")
      ->required()
      ->type_name("SCALE")
      ->check(within(0, 40));
  command.add_option("--edge-factor", options.edge_factor, "Edges per vertex")
      ->type_name("X")
      ->check(within(0., 0x1p20))
      ->capture_default_str();
}

template <class Run>
command_spec* add_kind(command_spec& generate, const char* name, const char* about, bool seeded,
                       const std::shared_ptr<generate_options>& options, Run run) {
  command_spec* const kind = generate.add_subcommand(name, about);
  add_output(*kind, *options, seeded);
  kind->callback([options, run] { run(*options); });
  return kind;
}

}  // namespace

void add(command_spec& program) {
  command_spec* const generate = program.add_subcommand(
      "generate", "Generate reproducible inputs: random numbers, matrices and graphs");
  generate->require_subcommand(1, 1);
  generate->footer(
      "The same command writes the same bytes on every device. For example:\n"
      "  evenfold generate normal --rows 1000 --columns 50 --seed 7 x.npy\n"
      "  evenfold generate uniform --count 1000000 --low 0 --high 6 --type int64 dice.csv\n"
      "  evenfold generate rmat --scale 20 --edge-factor 16 web.mtx\n"
      "  evenfold generate kronecker --scale 20 hops.mtx\n"
      "  evenfold generate uniform-graph --vertices 1000 --edges 8000 even.txt\n"
      "  evenfold generate grid --rows 300 --columns 400 streets.mtx");

  // Each kind has its own options, which may have the same names.
  auto options = std::make_shared<generate_options>();
  command_spec* kind =
      add_kind(*generate, "normal", "Normally distributed numbers (.npy .csv .mtx)", true, options,
               run_normal);
  add_numbers(*kind, *options, "float64 or float32");
  kind->add_option("--mean", options->mean, "Mean of the distribution")
      ->type_name("X")
      ->capture_default_str();
  kind->add_option("--deviation", options->deviation, "Standard deviation of the distribution")
      ->type_name("X")
      ->capture_default_str();

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "uniform", "Uniformly distributed numbers (.npy .csv .mtx)", true,
                  options, run_uniform);
  add_numbers(*kind, *options, "float64, float32 or int64");
  kind->add_option("--low", options->low, "Lower end of the interval, included")
      ->type_name("X")
      ->capture_default_str();
  kind->add_option("--high", options->high, "Upper end of the interval, excluded")
      ->type_name("X")
      ->capture_default_str();

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "rmat",
                  "R-MAT graph, with a skewed distribution of degrees (.mtx .csv .txt)", true,
                  options, run_rmat);
  add_scale(*kind, *options);
  kind->add_list_option("--quarters", options->quarters,
                        "Probabilities a, b and c of three quarters of the adjacency matrix")
      ->type_name("A,B,C")
      ->default_str(fmt::format("{}", fmt::join(options->quarters, ",")));

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "kronecker",
                  "Kronecker graph of Graph500: R-MAT with renumbered vertices (.mtx .csv .txt)",
                  true, options, run_kronecker);
  add_scale(*kind, *options);

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "uniform-graph", "Graph with uniformly random edges (.mtx .csv .txt)",
                  true, options, run_uniform_graph);
  kind->add_option("--vertices", options->vertices, "Number of vertices")
      ->required()
      ->type_name("N")
      ->check(within(std::int64_t{1}, largest));
  kind->add_option("--edges", options->edges, "Number of edges")
      ->required()
      ->type_name("N")
      ->check(within(std::int64_t{0}, largest));

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "grid",
                  "Grid graph, with edges to the four neighbours of a vertex (.mtx .csv .txt)",
                  false, options, run_grid);
  const std::int64_t side = std::int64_t{1} << 20;
  kind->add_option("--rows", options->rows, "Number of rows of the grid")
      ->required()
      ->type_name("N")
      ->check(within(std::int64_t{1}, side));
  kind->add_option("--columns,--cols", options->columns, "Number of columns of the grid")
      ->required()
      ->type_name("N")
      ->check(within(std::int64_t{1}, side));
}

}  // namespace evenfold::cli::commands::generate
