// aggregate, mean, argmax, max_abs_difference: folds of a whole matrix, of a block, of its rows and
// of its columns, and the positions of the largest elements.

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
  ef::array<std::int64_t> peak_columns(ctx, a.rows());
  ef::argmax_rows(ctx, a, peaks.data(), peak_columns.data());
  const std::vector<std::int64_t> found = ef::to_host(ctx, peak_columns);
  const std::vector<double> row_sums = ef::to_host(ctx, of_rows);
  const std::vector<double> column_minima = ef::to_host(ctx, of_columns);

  std::printf("sum %g, mean %g, largest of the left block %g\n", sum, mean, largest);
  std::printf("largest %g in row %d, column %d\n", most.value, static_cast<int>(most.row),
              static_cast<int>(most.column));
  std::printf("sums of the rows %g and %g, largest difference between them %g\n", row_sums[0],
              row_sums[1], apart);
  const bool right =
      sum == 23 && mean == 23 / 6. && largest == 5 && most.value == 9 && most.row == 1 &&
      most.column == 2 && apart == 5 && row_sums == std::vector<double>{8, 15} &&
      column_minima == std::vector<double>{1, 1, 4} && found == std::vector<std::int64_t>{2, 2};
  return right ? 0 : 1;
}
