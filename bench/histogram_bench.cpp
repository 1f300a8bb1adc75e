// histogram on CPU threads, compared with a plain loop and with a loop that has one table per
// thread.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/harness.hpp"
#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"

namespace bench {
namespace {

using evenfold::array;

struct counting {
  std::int64_t count;
  int bins;
  evenfold::cpu_context ctx;
  array<float> in;
  array<std::uint64_t> ours, theirs;

  counting(std::int64_t n, int num_bins, int threads, bool all_alike)
      : count(n), bins(num_bins), ctx(threads), in(ctx, n), ours(ctx, bins), theirs(ctx, bins) {
    const evenfold::random_stream random(1);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
      in[i] = all_alike ? 0.5f : random.uniform<float>(static_cast<std::uint64_t>(i));
    }
  }
  int bin(std::int64_t i) const { return static_cast<int>(in[i] * static_cast<float>(bins)); }
};

prepared_case counts(const options& chosen, int bins, bool all_alike) {
  const std::int64_t count = chosen.size(26);
  const auto d = std::make_shared<counting>(count, bins, chosen.threads, all_alike);
  const auto ours = [=] {
    const float* const x = d->in.data();
    const auto width = static_cast<float>(d->bins);
    evenfold::histogram(
        d->ctx, d->count, d->bins, [=](std::int64_t i) { return static_cast<int>(x[i] * width); },
        d->ours.data());
  };
  const auto plain = [=] {
    std::fill(d->theirs.begin(), d->theirs.end(), 0);
    for (std::int64_t i = 0; i < d->count; ++i) ++d->theirs[d->bin(i)];
  };
  const auto reduction = [=] {
    std::fill(d->theirs.begin(), d->theirs.end(), 0);
#pragma omp parallel
    {
      std::vector<std::uint64_t> mine(static_cast<std::size_t>(d->bins));
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < d->count; ++i) ++mine[d->bin(i)];
#pragma omp critical
      for (std::size_t b = 0; b < mine.size(); ++b) d->theirs[b] += mine[b];
    }
  };
  return {.bytes = 4.0 * static_cast<double>(count),
          .contestants = {{"evenfold histogram", ours},
                          {"OpenMP, a table a thread", reduction},
                          {"plain loop", plain}},
          .check = [=]() -> std::string {
            ours();
            plain();
            return std::equal(d->ours.begin(), d->ours.end(), d->theirs.begin())
                       ? ""
                       : "the counts differ";
          },
          .marks = {at_least_best_peer(1.0)}};
}

const add_case cases[] = {
    {"histogram_101", [](const options& o) { return counts(o, 101, false); }},
    {"histogram_101_one_bin", [](const options& o) { return counts(o, 101, true); }},
    {"histogram_2^16", [](const options& o) { return counts(o, 1 << 16, false); }},
    {"histogram_2^20", [](const options& o) { return counts(o, 1 << 20, false); }},
};

}  // namespace
}  // namespace bench
