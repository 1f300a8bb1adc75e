// evenfold jacobi: Jacobi iteration on a grid with fixed borders, and its picture.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/choice.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/engine.hpp"
#include "cli/commands/options.hpp"
#include "cli/draw/heat_map.hpp"
#include "cli/draw/png_in_svg.hpp"
#include "cli/input/csv_form.hpp"
#include "cli/input/finite.hpp"
#include "cli/input/read_numbers.hpp"
#include "cli/input/separate_files.hpp"
#include "cli/report/output.hpp"
#include "cli/report/plot.hpp"
#include "cli/report/report.hpp"
#include "evenfold/core/matrix_view.hpp"
#include "evenfold/io/npy/writer.hpp"
#include "evenfold/io/text/output_file.hpp"
#include "runtime/matrices.hpp"

namespace evenfold::cli::commands::jacobi {

namespace {

struct jacobi_options {
  common_options common;
  std::optional<std::int64_t> rows, columns;
  double tolerance = 0;
  std::int64_t max_sweeps = 100000;
  std::optional<double> top, left, bottom, right, initial;
  std::string input, output, plot;
  csv_form csv;
};

/// Refuses options that contradict each other, before anything is read.
void check_options(const jacobi_options& options) {
  if (options.input.empty()) {
    for (const auto& [name, extent] :
         {std::pair("--rows", options.rows), std::pair("--cols", options.columns)}) {
      if (!extent)
        throw option_error(name,
                           "the size of the grid is missing, expected a number, or --input FILE");
    }
    if (*options.rows > std::numeric_limits<std::int64_t>::max() / 16 / *options.columns) {
      throw option_error(
          "--rows", fmt::format("a grid of {} x {} fits into no memory, expected fewer elements",
                                *options.rows, *options.columns));
    }
  } else if (options.initial) {
    throw option_error("--initial",
                       "--input already gives the elements, expected only one of the two");
  }
}

/// The grid of the file, or one that is the same everywhere inside.
number_matrix read_grid(const jacobi_options& options, int threads) {
  if (options.input.empty()) {
    const auto size = static_cast<std::size_t>(*options.rows * *options.columns);
    return {std::vector<double>(size, options.initial.value_or(0)), *options.rows,
            *options.columns};
  }
  number_matrix grid = read_numbers({.path = options.input,
                                     .column = "",
                                     .threads = threads,
                                     .csv = options.csv,
                                     .all_rows = true});
  if (options.rows.value_or(grid.rows) != grid.rows ||
      options.columns.value_or(grid.columns) != grid.columns) {
    throw error(fmt::format("{}: the grid is {} x {}, expected {} x {}, as --rows and --cols say",
                            input_name(options.input), grid.rows, grid.columns,
                            options.rows.value_or(grid.rows),
                            options.columns.value_or(grid.columns)));
  }
  if (!std::holds_alternative<std::vector<float>>(grid.values)) {
    grid.values = as_doubles(grid.values);
  }
  return grid;
}

/// Sets the sides that have a value; the corners belong to the top and the bottom. Without a file
/// the top is 1 and all other sides are 0.
template <class T>
void set_sides(matrix_view<T> grid, const jacobi_options& options) {
  if (grid.empty()) return;
  const bool from_file = !options.input.empty();
  const auto set = [&](std::optional<double> value, double usual, matrix_view<T> side) {
    if (!value && from_file) return;
    for (std::int64_t i = 0; i < side.rows(); ++i) {
      for (std::int64_t j = 0; j < side.columns(); ++j) {
        side(i, j) = static_cast<T>(value.value_or(usual));
      }
    }
  };
  const matrix_view<T> inner = grid.rows() > 2 ? grid.block(1, 0, grid.rows() - 2, grid.columns())
                                               : grid.block(0, 0, 0, grid.columns());
  set(options.right, 0, inner.column(grid.columns() - 1));
  set(options.left, 0, inner.column(0));
  set(options.bottom, 0, grid.row(grid.rows() - 1));
  set(options.top, 1, grid.row(0));
}

/// Sweeps the grid until it converges.
template <class T>
runtime::jacobi_summary sweep(matrix_view<T> grid, const jacobi_options& options,
                              runtime::engine& engine, phases& work) {
  const auto watch = [&](std::int64_t sweeps, double residual) {
    work.progress(fmt::format("sweep {}, residual {:.3g}", sweeps, residual));
  };
  work.begin("copy in");
  const auto host =
      runtime::array::borrowed(std::span(grid.data(), static_cast<std::size_t>(grid.size())));
  runtime::array there = engine.upload(host);
  engine.synchronize();
  work.begin("sweep");
  const runtime::jacobi_summary answer = engine.matrices().jacobi(
      there, grid.rows(), grid.columns(), options.tolerance, options.max_sweeps, watch);
  work.begin("copy out");
  engine.download(there, grid.data());
  return answer;
}

template <class T>
void run_on(std::vector<T>& values, const number_matrix& grid, const jacobi_options& options,
            command_engine& device, phases& work) {
  const auto view = matrix_view<T>::row_major(values.data(), grid.rows, grid.columns);
  set_sides(view, options);
  const runtime::jacobi_summary answer = sweep(view, options, device.open(work), work);
  if (std::isnan(answer.residual)) {
    throw error(fmt::format("{}: an element is NaN in sweep {}, expected finite elements",
                            options.input.empty() ? "the grid" : input_name(options.input),
                            answer.sweeps));
  }

  work.begin("report");
  const heat_cells cells = shrunk<T>(view);
  record facts;
  facts.add("rows", grid.rows);
  facts.add("columns", grid.columns);
  facts.add("type", type_name(grid.values));
  facts.add("sweeps", answer.sweeps);
  facts.add("converged", answer.converged);
  // With the digits of the type of the grid.
  facts.add("residual", static_cast<T>(answer.residual));
  facts.add("lowest", static_cast<T>(cells.lowest));
  facts.add("highest", static_cast<T>(cells.highest));

  work.begin("write");
  output_set files;
  if (!options.output.empty()) {
    write_npy(files.add(options.output),
              matrix_view<const T>::row_major(values.data(), grid.rows, grid.columns));
  }
  if (!options.plot.empty()) {
    const std::string picture = draw_heat_map(cells);
    const bool is_png = is_written_as(options.plot, ".png");
    files.add(options.plot).write(is_png ? picture : png_in_svg(picture));
  }
  finish(work, facts.text(options.common.format), options.common, files);
}

void run(const jacobi_options& options) {
  check_options(options);
  expect_separate_files({{"--input", options.input}},
                        {{"--output", options.output}, {"--plot", options.plot}});
  phases work;
  work.begin("read");
  command_engine device =
      options.input.empty()
          ? command_engine(
                options.common,
                static_cast<std::uint64_t>(*options.rows * *options.columns) * sizeof(double))
          : command_engine(options.common, {options.input});
  number_matrix grid = read_grid(options, device.host_threads());
  if (auto* const values = std::get_if<std::vector<float>>(&grid.values)) {
    run_on(*values, grid, options, device, work);
  } else {
    run_on(std::get<std::vector<double>>(grid.values), grid, options, device, work);
  }
}

}  // namespace

void add(command_spec& program) {
  const auto options = std::make_shared<jacobi_options>();
  command_spec* const command = program.add_subcommand(
      "jacobi", "Jacobi iteration on a grid with fixed borders, such as the heat of a plate");
  command->footer(
      "A sweep replaces each inner element by the average of its four neighbours, all at the same\n"
      "time. The sweeps end when no element changes by more than the tolerance. For example, the\n"
      "temperature of a plate whose top edge is hot:\n"
      "  evenfold jacobi --rows 150 --cols 200 --tolerance 1e-4 --top 100 --plot plate.png");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  command->add_option("--rows", options->rows, "Number of rows of the grid, border included")
      ->type_name("N")
      ->check(within(std::int64_t{1}, most));
  command
      ->add_option("--cols,--columns", options->columns,
                   "Number of columns of the grid, border included")
      ->type_name("N")
      ->check(within(std::int64_t{1}, most));
  command
      ->add_option("--tolerance", options->tolerance,
                   "Stop when no element changes by more than T in a sweep")
      ->required()
      ->type_name("T")
      ->check(finite(0));
  command->add_option("--max-sweeps", options->max_sweeps, "Maximum number of sweeps")
      ->type_name("N")
      ->check(within(std::int64_t{0}, most))
      ->capture_default_str();
  const auto add_value = [&](const char* name, std::optional<double>& value, const char* help) {
    command->add_option(name, value, help)->type_name("V")->check(finite());
  };
  add_value("--top", options->top, "Value of the first row; without --input, 1 by default");
  add_value("--left", options->left, "Value of the first column; without --input, 0 by default");
  add_value("--bottom", options->bottom, "Value of the last row; without --input, 0 by default");
  add_value("--right", options->right, "Value of the last column; without --input, 0 by default");
  add_value("--initial", options->initial, "Value of all inner elements; 0 by default");
  command
      ->add_option("--input", options->input,
                   "Start from this grid: .npy, .csv or Matrix Market array. float32 stays\n"
                   "float32, any other type becomes float64")
      ->type_name("FILE");
  add_csv_options(*command, options->csv, null_rule::refuse);
  add_output_option(*command, options->output, "Write the grid to this file (.npy)", {".npy"});
  add_plot_option(*command, options->plot, "Draw the grid to this file as a heat map");
  add_common_options(*command, options->common);
  command->callback([options] { run(*options); });
}

}  // namespace evenfold::cli::commands::jacobi
