// Folds of a matrix: of all of it, of its rows and columns, of a block, and where its extremes are.

#include <evenfold/evenfold.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

int main() {
  ef::default_context ctx;
  const ef::array<double> data = ef::to_context(ctx, std::vector<double>{3, 1, 4, 1, 5, 9});
  const auto a = ef::matrix_view<const double>::row_major(data.data(), 2, 3);  // 3 1 4 / 1 5 9

  const double sum = ef::aggregate(ctx, a, ef::plus{});
  const double largest = ef::aggregate(ctx, a.block(0, 0, 2, 2), ef::maximum{});
  const double mean = ef::mean(ctx, a.transposed());
  const ef::located<double> most = ef::argmax(ctx, a);
  const double apart = ef::max_abs_difference(ctx, a.row(0), a.row(1));

  ef::array<double> of_rows(ctx, a.rows());
  ef::array<double> of_columns(ctx, a.columns());
  ef::aggregate_rows(ctx, a, of_rows.data(), ef::plus{});
  ef::aggregate_columns(ctx, a, of_columns.data(), ef::minimum{});
  ef::array<double> peaks(ctx, a.rows());
  ef::array<std::int64_t> places(ctx, a.rows());
  ef::argmax_rows(ctx, a, peaks.data(), places.data());
  const std::vector<std::int64_t> peak_columns = ef::to_host(ctx, places);
  const std::vector<double> row_sums = ef::to_host(ctx, of_rows);
  const std::vector<double> column_minima = ef::to_host(ctx, of_columns);

  std::printf("sum %g, mean %g, largest on the left %g\n", sum, mean, largest);
  std::printf("largest %g in row %d, column %d\n", most.value, static_cast<int>(most.row),
              static_cast<int>(most.column));
  std::printf("the rows are up to %g apart; they sum up to %g and %g\n", apart, row_sums[0],
              row_sums[1]);
  const bool right = sum == 23 && mean == 23 / 6. && largest == 5 && most.value == 9 &&
                     most.row == 1 && most.column == 2 && apart == 5 &&
                     row_sums == std::vector<double>{8, 15} &&
                     column_minima == std::vector<double>{1, 1, 4} &&
                     peak_columns == std::vector<std::int64_t>{2, 2};
  return right ? 0 : 1;
}
