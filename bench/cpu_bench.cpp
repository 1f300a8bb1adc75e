// The CPU backend compared with plain loops, libstdc++ (serial and parallel mode) and Thrust on
// OpenMP.

#include <omp.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <parallel/algorithm>
#include <parallel/numeric>
#include <string>

#include "bench/cpu_data.hpp"
#include "bench/harness.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/core/array.hpp"

#if defined(EVENFOLD_BENCH_THRUST)
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system/omp/execution_policy.h>
#endif

namespace bench {
namespace {

using evenfold::array;

evenfold::cpu_context* opened_context = nullptr;

class cpu_platform final : public platform {
 public:
  explicit cpu_platform(const options& chosen) : ctx_(chosen.threads) {
    opened_context = &ctx_;
    // The peers use the same number of threads as ours.
    omp_set_num_threads(ctx_.threads());
  }

  std::string device() override {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
      if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown CPU";
  }

  std::vector<std::pair<std::string, std::string>> facts() override {
    return {{"threads", std::to_string(ctx_.threads())}, {"compiler", __VERSION__}};
  }

  const char* bandwidth_name() override { return "triad"; }

  double bandwidth_gbs() override {
    constexpr std::int64_t count = std::int64_t{1} << 25;
    const auto zero = [](std::int64_t) { return 0.0; };
    const array<double> b = filled<double>(count, zero);
    const array<double> c = filled<double>(count, zero);
    array<double> a = filled<double>(count, zero);
    const double* from = b.data();
    const double* other = c.data();
    double* to = a.data();
    host_timer clock;
    for (int repeat = 0; repeat < 11; ++repeat) {
      clock.begin();
#pragma omp parallel for simd schedule(static)
      for (std::int64_t i = 0; i < count; ++i) to[i] = from[i] + 3.0 * other[i];
      clock.end();
    }
    std::vector<double> times = clock.collect_ms();
    std::nth_element(times.begin(), times.begin() + 5, times.end());
    return 3.0 * sizeof(double) * static_cast<double>(count) / times[5] * 1e-6;
  }

  std::unique_ptr<timer> make_timer() override { return std::make_unique<host_timer>(); }

  /// There are no published figures for CPUs.
  bool published_here() override { return true; }

 private:
  evenfold::cpu_context ctx_;
};

prepared_case reduce_sum_float(const options& chosen) {
  struct data {
    array<float> in;
    float ours = 0, theirs = 0;
  };
  const int count = chosen.size(26);
  auto d = std::make_shared<data>(filled<float>(count, small_numbers(1)));
  const auto ours = [=] {
    d->ours = evenfold::reduce(host(), d->in.data(), count, evenfold::plus{}, 0.0f);
  };
  const auto loop = [=] {
    const float* in = d->in.data();
    float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (int i = 0; i < count; ++i) sum += in[i];
    d->theirs = sum;
  };
  std::vector<contestant> contestants{
      {"evenfold reduce", ours},
      {"OpenMP loop", loop},
      {"std::reduce", [=] { d->theirs = std::reduce(d->in.begin(), d->in.end(), 0.0f); }, {}, 5},
      {"__gnu_parallel::accumulate",
       [=] { d->theirs = __gnu_parallel::accumulate(d->in.begin(), d->in.end(), 0.0f); }}};
#if defined(EVENFOLD_BENCH_THRUST)
  contestants.push_back({"thrust::reduce", [=] {
                           d->theirs =
                               thrust::reduce(thrust::omp::par, d->in.begin(), d->in.end(), 0.0f);
                         }});
#endif
  return {.bytes = 4.0 * count,
          .contestants = std::move(contestants),
          .check = [=]() -> std::string {
            ours();
            const float right = std::accumulate(d->in.begin(), d->in.end(), 0.0f);
            return d->ours == right ? "" : "the sum is not " + std::to_string(right);
          },
          .marks = {at_least_best_peer(1.0), at_least_bandwidth(1.0)}};
}

prepared_case inclusive_scan_int(const options& chosen) {
  struct data {
    array<int> in, ours, theirs;
  };
  const int count = chosen.size(26);
  const auto zero = [](std::int64_t) { return 0; };
  auto d = std::make_shared<data>(filled<int>(count, small_numbers(2)), filled<int>(count, zero),
                                  filled<int>(count, zero));
  const auto ours = [=] {
    evenfold::inclusive_scan(host(), d->in.data(), count, d->ours.data(), evenfold::plus{});
  };
  const auto serial = [=] { std::inclusive_scan(d->in.begin(), d->in.end(), d->theirs.begin()); };
  std::vector<contestant> contestants{
      {"evenfold inclusive_scan", ours},
      {"std::inclusive_scan", serial},
      {"__gnu_parallel::partial_sum",
       [=] { __gnu_parallel::partial_sum(d->in.begin(), d->in.end(), d->theirs.begin()); }}};
#if defined(EVENFOLD_BENCH_THRUST)
  contestants.push_back({"thrust::inclusive_scan", [=] {
                           thrust::inclusive_scan(thrust::omp::par, d->in.begin(), d->in.end(),
                                                  d->theirs.begin());
                         }});
#endif
  return {.bytes = 8.0 * count,
          .contestants = std::move(contestants),
          .check =
              [=] {
                ours();
                serial();
                return difference(d->ours, d->theirs);
              },
          .marks = {at_least_best_peer(1.0)}};
}

const add_case cases[] = {
    {"reduce_sum_float", reduce_sum_float},
    {"scan_int", inclusive_scan_int},
};

}  // namespace

evenfold::cpu_context& host() { return *opened_context; }

std::unique_ptr<platform> open_platform(const options& chosen) {
  return std::make_unique<cpu_platform>(chosen);
}

}  // namespace bench
