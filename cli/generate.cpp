// evenfold generate: reproducible inputs. The same command writes the same file on every device.

#include <fmt/compile.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "cli/commands.hpp"
#include "cli/device.hpp"
#include "cli/generate_query.hpp"
#include "cli/output.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/csv_writer.hpp"
#include "evenfold/io/matrix_market_array.hpp"
#include "evenfold/io/npy.hpp"
#include "evenfold/io/output_file.hpp"

namespace evenfold::cli {

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
  std::array<double, 3> quarters{0.57, 0.19, 0.19};
  std::int64_t vertices = 0, edges = 0;
};

/// One thing worth saying about what was made.
struct fact {
  std::string name;
  nlohmann::json value;
};

void report(const generate_options& options, std::vector<fact> facts) {
  facts.push_back({"output", options.output});
  if (options.common.format == output_format::json) {
    nlohmann::ordered_json object;
    for (const fact& f : facts) object[f.name] = f.value;
    print(object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    return;
  }
  const auto text = [](const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  if (options.common.format == output_format::csv) {
    csv_writer csv;
    for (const fact& f : facts) csv.field(f.name);
    csv.end_record();
    for (const fact& f : facts) csv.field(text(f.value));
    csv.end_record();
    print(csv.text());
    return;
  }
  text_table table;
  std::vector<std::string> row;
  for (const fact& f : facts) {
    table.column(f.name, f.value.is_number() ? text_table::align::right : text_table::align::left);
    row.push_back(text(f.value));
  }
  table.row(row);
  print(table.text());
}

bool ends_with(const std::string& path, std::string_view suffix) { return path.ends_with(suffix); }

[[noreturn]] void refuse_suffix(const std::string& path, std::string_view expected) {
  throw CLI::ValidationError("OUT", fmt::format("'{}' does not say what kind of file to write, "
                                                "expected a name that ends with {}",
                                                path, expected));
}

/// Refuses what this machine could never hold, before it tries.
void expect_memory(std::int64_t count, std::size_t bytes_each) {
  const double needed = static_cast<double>(count) * static_cast<double>(bytes_each);
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > there) {
    throw allocation_error(fmt::format(
        "generate: {} of {} bytes need {:.1f} GiB, expected at most the {:.1f} GiB of this machine",
        count, bytes_each, needed / 0x1p30, there / 0x1p30));
  }
}

template <class Recipe, class Values>
void make(const Recipe& recipe, Values& into, const generate_options& options, phases& work) {
  const device where = chosen(options.common.where);
  const on_phase begin = [&work](std::string name) { work.begin(std::move(name)); };
#if defined(EVENFOLD_WITH_CUDA)
  if (where.on == device::kind::gpu) {
    return gpu_backend::generate(recipe, into, where, options.common.threads, begin);
  }
#endif
  host_backend::generate(recipe, into, where, options.common.threads, begin);
}

// Numbers ---------------------------------------------------------------------------------------

/// Rows of comma-separated numbers, under the names x1, x2, ... (or x).
template <class T>
void write_csv(const std::string& path, matrix_view<const T> values) {
  output_file file(path);
  std::string text = "x";
  if (values.columns() != 1) {
    text.clear();
    for (std::int64_t j = 0; j < values.columns(); ++j) {
      fmt::format_to(std::back_inserter(text), "{}x{}", j > 0 ? "," : "", j + 1);
    }
  }
  text += '\n';
  for (std::int64_t i = 0; i < values.rows(); ++i) {
    for (std::int64_t j = 0; j < values.columns(); ++j) {
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), values(i, j));
      text += j + 1 < values.columns() ? ',' : '\n';
    }
    if (text.size() > std::size_t{1} << 20) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
}

void write_numbers(const generate_options& options, const numbers& made, std::int64_t rows,
                   std::int64_t columns) {
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        const auto view = matrix_view<const T>::row_major(values.data(), rows, columns);
        const std::string& path = options.output;
        if (ends_with(path, ".csv")) return write_csv(path, view);
        if (ends_with(path, ".mtx")) return write_matrix_market_array(path, view);
        if (options.columns == 0) return write_npy(path, std::span<const T>(values));
        write_npy(path, view);
      },
      made);
}

numbers room_for(const std::string& type, std::size_t count) {
  if (type == "float32") return std::vector<float>(count);
  if (type == "int64") return std::vector<std::int64_t>(count);
  return std::vector<double>(count);
}

void run_numbers(const generate_options& options, const number_recipe& recipe) {
  const std::string& path = options.output;
  if (!ends_with(path, ".npy") && !ends_with(path, ".csv") && !ends_with(path, ".mtx")) {
    refuse_suffix(path, ".npy, .csv or .mtx");
  }
  if ((options.rows > 0) != (options.columns > 0) || (options.count > 0) == (options.rows > 0)) {
    throw CLI::ValidationError(
        "--count", "how many numbers is not clear, expected --count N, or --rows M --columns N");
  }
  const std::int64_t rows = options.count > 0 ? options.count : options.rows;
  const std::int64_t columns = options.count > 0 ? 1 : options.columns;
  if (rows > largest / columns) {
    throw CLI::ValidationError(
        "--rows",
        fmt::format("{} rows of {} are more than 2^40 numbers, expected fewer", rows, columns));
  }
  expect_memory(rows * columns, options.type == "float32" ? 4 : 8);
  phases work;
  work.begin("prepare");
  numbers made = room_for(options.type, static_cast<std::size_t>(rows * columns));
  make(recipe, made, options, work);
  work.begin("write");
  write_numbers(options, made, rows, columns);
  const std::string times = work.finish();
  report(options,
         {{"rows", rows}, {"columns", columns}, {"type", options.type}, {"seed", options.seed}});
  if (options.common.time) fmt::print(stderr, "{}", times);
}

void run_normal(const generate_options& options) {
  if (!(options.deviation >= 0) || !std::isfinite(options.deviation) ||
      !std::isfinite(options.mean)) {
    throw CLI::ValidationError(
        "--deviation",
        fmt::format("{} with a mean of {}, expected finite numbers, the deviation not "
                    "negative",
                    options.deviation, options.mean));
  }
  run_numbers(options, {normal_numbers{options.mean, options.deviation}, options.seed});
}

void run_uniform(const generate_options& options) {
  if (!(options.low < options.high) || !std::isfinite(options.high - options.low)) {
    throw CLI::ValidationError(
        "--low",
        fmt::format("{}, expected a number below --high, which is {}", options.low, options.high));
  }
  if (options.type == "int64" &&
      (options.low != std::floor(options.low) || options.high != std::floor(options.high) ||
       std::fabs(options.low) > 0x1p53 || std::fabs(options.high) > 0x1p53)) {
    throw CLI::ValidationError(
        "--type", fmt::format("int64 from {} to {}, expected whole numbers within 2^53",
                              options.low, options.high));
  }
  run_numbers(options, {uniform_numbers{options.low, options.high}, options.seed});
}

// Graphs ----------------------------------------------------------------------------------------

/// How the lines of a graph file look.
struct edge_lines {
  char separator;
  /// What the file calls the first vertex.
  std::int64_t first;
  /// Matrix Market keeps the lower triangle of a symmetric matrix: the larger end comes first.
  bool larger_first;
};

/// Writes one line an edge, made in parallel by runs of edges, in the order of the edges.
void write_lines(output_file& file, std::span<const edge> edges, const edge_lines& style,
                 cpu_context& ctx) {
  constexpr std::size_t run = std::size_t{1} << 16;
  std::vector<std::string> texts(static_cast<std::size_t>(4 * ctx.threads()));
  for (std::size_t wave = 0; wave < edges.size(); wave += run * texts.size()) {
    ctx.parallel(texts.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        texts[t].clear();
        const std::size_t begin = std::min(wave + t * run, edges.size());
        for (const edge& e : edges.subspan(begin, std::min(run, edges.size() - begin))) {
          const auto [from, to] = style.larger_first ? edge{e.to, e.from} : e;
          fmt::format_to(std::back_inserter(texts[t]), FMT_COMPILE("{}{}{}\n"), from + style.first,
                         style.separator, to + style.first);
        }
      }
    });
    for (const std::string& text : texts) file.write(text);
  }
}

/// `symmetric`: every edge is written once and means both directions.
void run_graph(const generate_options& options, const edge_recipe& recipe, std::int64_t vertices,
               std::int64_t count, bool symmetric) {
  const std::string& path = options.output;
  const bool matrix_market = ends_with(path, ".mtx");
  const bool csv = ends_with(path, ".csv");
  if (!matrix_market && !csv && !ends_with(path, ".txt")) {
    refuse_suffix(path, ".mtx, .csv or .txt");
  }
  expect_memory(count, sizeof(edge));
  phases work;
  work.begin("prepare");
  std::vector<edge> edges(static_cast<std::size_t>(count));
  make(recipe, edges, options, work);
  work.begin("write");
  output_file file(path);
  const char* const kind = symmetric ? "symmetric" : "general";
  if (matrix_market) {
    file.write(fmt::format("%%MatrixMarket matrix coordinate pattern {}\n{} {} {}\n", kind,
                           vertices, vertices, count));
  } else if (csv) {
    file.write("from,to\n");
  } else {
    file.write(fmt::format("# {} graph: {} vertices, {} edges\n",
                           symmetric ? "undirected" : "directed", vertices, count));
  }
  cpu_context ctx(options.common.threads);
  write_lines(
      file, edges,
      {matrix_market ? ' ' : (csv ? ',' : '\t'), matrix_market ? 1 : 0, matrix_market && symmetric},
      ctx);
  file.commit();
  const std::string times = work.finish();
  report(options, {{"vertices", vertices}, {"edges", count}});
  if (options.common.time) fmt::print(stderr, "{}", times);
}

void run_rmat(const generate_options& options) {
  const auto [a, b, c] = options.quarters;
  if (!(a >= 0 && b >= 0 && c >= 0 && a + b + c <= 1)) {
    throw CLI::ValidationError(
        "--quarters",
        fmt::format("{},{},{}, expected three probabilities whose sum is at most 1", a, b, c));
  }
  const std::int64_t vertices = std::int64_t{1} << options.scale;
  const double edges =
      std::min(std::floor(options.edge_factor * static_cast<double>(vertices)), 0x1p60);
  run_graph(options, rmat_edges(options.scale, options.seed, a, b, c), vertices,
            static_cast<std::int64_t>(edges), false);
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

void add_output(CLI::App& command, generate_options& options, bool seeded) {
  command.add_option("OUT", options.output, "The file to write")->required()->type_name("");
  if (seeded) {
    command.add_option("--seed", options.seed, "Another number gives another file")
        ->capture_default_str();
  }
  add_common_options(command, options.common);
}

void add_numbers(CLI::App& command, generate_options& options, const std::string& types) {
  command.add_option("--count", options.count, "How many numbers, as one column")
      ->check(CLI::Range(std::int64_t{1}, largest));
  command.add_option("--rows", options.rows, "Rows of a matrix")
      ->check(CLI::Range(std::int64_t{1}, largest));
  command.add_option("--columns", options.columns, "Columns of a matrix")
      ->check(CLI::Range(std::int64_t{1}, largest));
  std::vector<std::string> known = {"float64", "float32"};
  if (types.find("int64") != std::string::npos) known.emplace_back("int64");
  command.add_option("--type", options.type, "The type of the numbers: " + types)
      ->check(CLI::IsMember(known))
      ->type_name("TYPE")
      ->capture_default_str();
}

template <class Run>
CLI::App* add_kind(CLI::App& generate, const char* name, const char* about, bool seeded,
                   const std::shared_ptr<generate_options>& options, Run run) {
  CLI::App* const kind = generate.add_subcommand(name, about);
  add_output(*kind, *options, seeded);
  kind->callback([options, run] { run(*options); });
  return kind;
}

}  // namespace

void add_generate(CLI::App& program) {
  CLI::App* const generate = program.add_subcommand(
      "generate", "Write reproducible inputs: random numbers, matrices, graphs");
  generate->require_subcommand(1);
  generate->footer(
      "The same command writes the same bytes on every device. For example:\n"
      "  evenfold generate normal --rows 1000 --columns 50 --seed 7 x.npy\n"
      "  evenfold generate uniform --count 1000000 --low 0 --high 6 --type int64 dice.csv\n"
      "  evenfold generate rmat --scale 20 --edge-factor 16 web.mtx\n"
      "  evenfold generate uniform-graph --vertices 1000 --edges 8000 even.txt\n"
      "  evenfold generate grid --rows 300 --columns 400 streets.mtx");

  // Each kind has its own options: a name means one thing in each.
  auto options = std::make_shared<generate_options>();
  CLI::App* kind =
      add_kind(*generate, "normal", "Numbers of a normal distribution (.npy .csv .mtx)", true,
               options, run_normal);
  add_numbers(*kind, *options, "float64 or float32");
  kind->add_option("--mean", options->mean, "Their mean")->capture_default_str();
  kind->add_option("--deviation", options->deviation, "Their standard deviation")
      ->capture_default_str();

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "uniform", "Numbers spread evenly over an interval (.npy .csv .mtx)",
                  true, options, run_uniform);
  add_numbers(*kind, *options, "float64, float32 or int64");
  kind->add_option("--low", options->low, "Its lower end, included")->capture_default_str();
  kind->add_option("--high", options->high, "Its upper end, excluded")->capture_default_str();

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "rmat", "A skewed graph: R-MAT, as in Graph500 (.mtx .csv .txt)", true,
                  options, run_rmat);
  kind->add_option("--scale", options->scale, "2^SCALE vertices")
      ->required()
      ->check(CLI::Range(0, 40));
  kind->add_option("--edge-factor", options->edge_factor, "Edges a vertex")
      ->check(CLI::Range(0., 0x1p20))
      ->capture_default_str();
  kind->add_option("--quarters", options->quarters,
                   "The probabilities a, b and c of three quarters of the matrix")
      ->delimiter(',')
      ->type_name("A,B,C")
      ->capture_default_str();

  options = std::make_shared<generate_options>();
  kind = add_kind(*generate, "uniform-graph", "A graph of edges drawn evenly (.mtx .csv .txt)",
                  true, options, run_uniform_graph);
  kind->add_option("--vertices", options->vertices, "How many vertices")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, largest));
  kind->add_option("--edges", options->edges, "How many edges")
      ->required()
      ->check(CLI::Range(std::int64_t{0}, largest));

  options = std::make_shared<generate_options>();
  kind =
      add_kind(*generate, "grid", "Vertices on a grid, each tied to four others (.mtx .csv .txt)",
               false, options, run_grid);
  const std::int64_t side = std::int64_t{1} << 20;
  kind->add_option("--rows", options->rows, "Rows of the grid")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, side));
  kind->add_option("--columns", options->columns, "Columns of the grid")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, side));
}

}  // namespace evenfold::cli
