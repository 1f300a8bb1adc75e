// aggregate: the minimum and maximum of matrices of 36 shapes in both storage orders, checked on
// the host. The printed time, from the call to the number on the host, should depend only on the
// number of elements.

#include <evenfold/evenfold.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace ef = evenfold;

/// The median time of a call in microseconds.
template <class Call>
double microseconds(Call call) {
  std::vector<double> times;
  for (int i = 0; i < 12; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    if (i > 0) times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + 5, times.end());
  return times[5];
}

int main() {
  constexpr std::int64_t sizes[] = {1, 2, 7, 42, 666, 2048};
  ef::default_context ctx;
  ctx.check_arguments = false;  // saves one query of the driver per call

  std::vector<double> numbers(2048 * 2048);
  const ef::random_stream random(1);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = random.uniform<double>(i) - 0.5;
  const ef::array<double> data = ef::to_context(ctx, numbers);

  std::printf("%4s   %4s  %12s %12s  %12s %12s\n", "", "", "row-major", "", "column-major", "");
  std::printf("%4s   %4s  %9s us %9s us  %9s us %9s us\n", "rows", "cols", "min", "max", "min",
              "max");
  int wrong = 0;
  for (const std::int64_t rows : sizes) {
    for (const std::int64_t columns : sizes) {
      const auto [least, most] =
          std::minmax_element(numbers.begin(), numbers.begin() + rows * columns);
      std::printf("%4d x %4d ", static_cast<int>(rows), static_cast<int>(columns));
      bool right = true;
      for (const auto& a :
           {ef::matrix_view<const double>::row_major(data.data(), rows, columns),
            ef::matrix_view<const double>::column_major(data.data(), rows, columns)}) {
        double low = 0;
        double high = 0;
        const double low_us = microseconds([&] { low = ef::aggregate(ctx, a, ef::minimum{}); });
        const double high_us = microseconds([&] { high = ef::aggregate(ctx, a, ef::maximum{}); });
        std::printf(" %12.1f %12.1f ", low_us, high_us);
        right = right && low == *least && high == *most;
      }
      std::printf("%s\n", right ? "" : " WRONG");
      wrong += right ? 0 : 1;
    }
  }
  return wrong == 0 ? 0 : 1;
}
