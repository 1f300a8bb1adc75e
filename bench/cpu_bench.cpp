// The CPU backend compared with plain loops, libstdc++ (serial and parallel mode) and Thrust on
// OpenMP.

#include <omp.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <parallel/algorithm>
#include <parallel/numeric>
#include <string>

#include "bench/harness.hpp"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/core/array.hpp"

#if defined(EVENFOLD_BENCH_THRUST)
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>
#endif

namespace bench {
namespace {

using evenfold::array;

evenfold::cpu_context* opened_context = nullptr;
evenfold::cpu_context& host() { return *opened_context; }

/// f(i) for every i. Each thread first touches what it will read, so that pages are near their
/// reader.
template <class T, class F>
array<T> filled(std::int64_t count, F f) {
  array<T> data(host(), count);
  T* to = data.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(f(i));
  return data;
}

/// Integers in [-8, 8], whose sums are exact in any order, in float, too.
auto small_numbers(std::uint64_t seed) {
  return [random = evenfold::random_stream(seed)](std::int64_t i) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(i), 17)) - 8;
  };
}

auto any_numbers(std::uint64_t seed) {
  return [random = evenfold::random_stream(seed)](std::int64_t i) {
    return static_cast<int>(random.bits32(static_cast<std::uint64_t>(i)));
  };
}

template <class T>
std::string difference(const array<T>& ours, const array<T>& theirs) {
  const auto at = std::mismatch(ours.begin(), ours.end(), theirs.begin()).first;
  return at == ours.end() ? "" : "element " + std::to_string(at - ours.begin()) + " differs";
}

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

/// The loop of a thread over its segments, as in a program without a library.
template <bool Dynamic, class F>
void for_segments(const std::vector<int>& offsets, F f) {
  const auto last = static_cast<std::int64_t>(offsets.size()) - 1;
  const int* at = offsets.data();
  if constexpr (Dynamic) {
#pragma omp parallel for schedule(dynamic, 256)
    for (std::int64_t s = 0; s < last; ++s) f(s, at[s], at[s + 1]);
  } else {
#pragma omp parallel for schedule(static)
    for (std::int64_t s = 0; s < last; ++s) f(s, at[s], at[s + 1]);
  }
}

prepared_case segreduce(std::vector<int> shape) {
  struct data {
    std::vector<int> offsets;
    array<int> in, ours, theirs;
  };
  const int count = shape.back();
  const auto num_segments = static_cast<int>(shape.size()) - 1;
  const auto zero = [](std::int64_t) { return 0; };
  auto d = std::make_shared<data>(std::move(shape), filled<int>(count, small_numbers(3)),
                                  filled<int>(num_segments, zero), filled<int>(num_segments, zero));
  const auto ours = [=] {
    evenfold::segreduce(host(), d->in.data(), count, d->offsets.data(), num_segments,
                        d->ours.data(), evenfold::plus{}, 0);
  };
  const auto fold = [in = d->in.data(), out = d->theirs.data()](std::int64_t s, int begin,
                                                                int end) {
    int sum = 0;
    for (int i = begin; i < end; ++i) sum += in[i];
    out[s] = sum;
  };
  return {.bytes = 4.0 * count + 8.0 * num_segments,
          .contestants = {{"evenfold segreduce", ours},
                          {"OpenMP static loop", [=] { for_segments<false>(d->offsets, fold); }},
                          {"OpenMP dynamic loop", [=] { for_segments<true>(d->offsets, fold); }}},
          .check =
              [=] {
                ours();
                for_segments<false>(d->offsets, fold);
                return difference(d->ours, d->theirs);
              },
          .marks = {at_least_best_peer(1.0)}};
}

prepared_case segmented_sort(std::vector<int> shape) {
  struct data {
    std::vector<int> offsets;
    array<int> keys, ours, theirs;
  };
  const int count = shape.back();
  const auto num_segments = static_cast<int>(shape.size()) - 1;
  const auto zero = [](std::int64_t) { return 0; };
  auto d = std::make_shared<data>(std::move(shape), filled<int>(count, any_numbers(4)),
                                  filled<int>(count, zero), filled<int>(count, zero));
  const auto restore = [=] { std::copy(d->keys.begin(), d->keys.end(), d->ours.begin()); };
  const auto restore_theirs = [=] { std::copy(d->keys.begin(), d->keys.end(), d->theirs.begin()); };
  const auto ours = [=] {
    evenfold::segmented_sort(host(), d->ours.data(), count, d->offsets.data(), num_segments,
                             evenfold::less{});
  };
  int* keys = d->theirs.data();
  const auto sort_one = [=](std::int64_t, int begin, int end) {
    std::stable_sort(keys + begin, keys + end);
  };
  std::vector<contestant> contestants{
      {"evenfold segmented_sort", ours, restore},
      {"OpenMP loop of stable_sort", [=] { for_segments<true>(d->offsets, sort_one); },
       restore_theirs}};
  if (num_segments == 1) {
    contestants.push_back({"__gnu_parallel::stable_sort",
                           [=] { __gnu_parallel::stable_sort(keys, keys + count); },
                           restore_theirs});
    contestants.push_back({"__gnu_parallel::sort",
                           [=] { __gnu_parallel::sort(keys, keys + count); }, restore_theirs});
#if defined(EVENFOLD_BENCH_THRUST)
    contestants.push_back({"thrust::stable_sort",
                           [=] { thrust::stable_sort(thrust::omp::par, keys, keys + count); },
                           restore_theirs});
#endif
  }
  for (contestant& c : contestants) c.most_repeats = 5;
  return {.bytes = 8.0 * count + 4.0 * num_segments,
          .contestants = std::move(contestants),
          .check =
              [=] {
                restore();
                ours();
                restore_theirs();
                for_segments<true>(d->offsets, sort_one);
                return difference(d->ours, d->theirs);
              },
          .marks = {at_least_best_peer(1.0)}};
}

const add_case cases[] = {
    {"reduce_sum_float", reduce_sum_float},
    {"scan_int", inclusive_scan_int},
    {"segreduce_mean_8", [](const options& o) { return segreduce(uniform_shape(o.size(25), 8)); }},
    {"segreduce_mean_1024",
     [](const options& o) { return segreduce(uniform_shape(o.size(25), 1024)); }},
    {"segreduce_skewed", [](const options& o) { return segreduce(skewed_shape(o.size(25))); }},
    {"segmented_sort_mean_100",
     [](const options& o) { return segmented_sort(uniform_shape(o.size(23), 100)); }},
    {"segmented_sort_half_in_one",
     [](const options& o) { return segmented_sort(half_uniform_shape(o.size(23), 100)); }},
    {"sort",
     [](const options& o) {
       return segmented_sort({0, o.size(23)});
     }},
};

}  // namespace

std::unique_ptr<platform> open_platform(const options& chosen) {
  return std::make_unique<cpu_platform>(chosen);
}

}  // namespace bench
