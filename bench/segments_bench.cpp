// Sums, scans and runs of segments of every shape on CPU threads, compared with plain loops: over
// the segments, an equal number of them per thread, or by one thread.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/harness.hpp"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/segmented_scan.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/random.hpp"

namespace bench {
namespace {

using evenfold::array;

/// Segments of items, and room for two results with an element for each item, or for each segment
/// if these are more.
template <class T>
struct segments {
  evenfold::cpu_context ctx;
  std::vector<int> offsets;
  int count = offsets.back(), num_segments = static_cast<int>(offsets.size()) - 1;
  array<T> in{ctx, count};
  array<T> ours{ctx, std::max(count, num_segments)}, theirs{ctx, std::max(count, num_segments)};

  explicit segments(std::vector<int> shape) : offsets(std::move(shape)) {
    std::fill(ours.begin(), ours.end(), T{});
    std::fill(theirs.begin(), theirs.end(), T{});
  }

  /// Calls f(s, begin, end) for each segment.
  template <class F>
  void for_each(const F& f) const {
    const int* const begins = offsets.data();
#pragma omp parallel for schedule(static)
    for (int s = 0; s < num_segments; ++s) f(s, begins[s], begins[s + 1]);
  }

  /// The first of `results` elements that differ, as text.
  std::string difference(std::int64_t results) const {
    for (std::int64_t i = 0; i < results; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!(ours[at] == theirs[at])) return "element " + std::to_string(i) + " is wrong";
    }
    return "";
  }
};

/// Integers in [-8, 8], whose sums are exact in any order.
std::shared_ptr<segments<float>> small_numbers_in(const std::vector<int>& shape) {
  const auto d = std::make_shared<segments<float>>(shape);
  const evenfold::random_stream random(3);
  for (std::size_t i = 0; i < d->in.size(); ++i) {
    d->in[i] = static_cast<float>(static_cast<int>(random.below(i, 17)) - 8);
  }
  return d;
}

/// Ours beside a loop that makes `results` elements.
template <class T>
prepared_case beside_loop(std::shared_ptr<segments<T>> d, double bytes, std::int64_t results,
                          const std::string& name, std::function<void()> ours,
                          const std::string& peer, std::function<void()> theirs) {
  return {.bytes = bytes,
          .contestants = {{name, ours}, {peer, theirs}},
          .check =
              [=] {
                ours();
                theirs();
                return d->difference(results);
              },
          .marks = {at_most_best_peer(1.0)},
          .repeats_factor = repeats_factor_of(d->count)};
}

prepared_case segreduce(const std::vector<int>& shape) {
  const auto d = small_numbers_in(shape);
  const auto ours = [=] {
    evenfold::segreduce(d->ctx, d->in.data(), d->count, d->offsets.data(), d->num_segments,
                        d->ours.data(), evenfold::plus{}, 0.f);
  };
  const auto theirs = [=] {
    d->for_each([in = d->in.data(), out = d->theirs.data()](int s, int begin, int end) {
      float sum = 0;
      for (int i = begin; i < end; ++i) sum += in[i];
      out[s] = sum;
    });
  };
  return beside_loop(d, 4.0 * d->count + 8.0 * d->num_segments, d->num_segments,
                     "evenfold segreduce", ours, "OpenMP static loop", theirs);
}

prepared_case segmented_scan(const std::vector<int>& shape) {
  const auto d = small_numbers_in(shape);
  const auto ours = [=] {
    evenfold::segmented_scan<evenfold::scan_kind::inclusive>(
        d->ctx, d->in.data(), d->count, d->offsets.data(), d->num_segments, d->ours.data(),
        evenfold::plus{}, evenfold::no_init{});
  };
  const auto theirs = [=] {
    d->for_each([in = d->in.data(), out = d->theirs.data()](int, int begin, int end) {
      float sum = 0;
      for (int i = begin; i < end; ++i) out[i] = sum += in[i];
    });
  };
  return beside_loop(d, 8.0 * d->count + 4.0 * d->num_segments, d->count, "evenfold segmented_scan",
                     ours, "OpenMP static loop", theirs);
}

/// The segments are runs of equal keys.
prepared_case unique(const std::vector<int>& shape) {
  const auto d = std::make_shared<segments<int>>(shape);
  d->for_each(
      [keys = d->in.data()](int s, int begin, int end) { std::fill(keys + begin, keys + end, s); });
  const auto ours = [=] {
    evenfold::unique(d->ctx, d->in.data(), d->count, evenfold::equal_to{}, d->ours.data());
  };
  const auto theirs = [=] { std::unique_copy(d->in.begin(), d->in.end(), d->theirs.begin()); };
  return beside_loop(d, 4.0 * d->count + 4.0 * d->num_segments, d->count, "evenfold unique", ours,
                     "std::unique_copy, one thread", theirs);
}

const add_shapes sums{"segreduce", 24, segreduce};
const add_shapes scans{"segmented_scan", 24, segmented_scan};
const add_shapes runs{"unique", 24, unique};

}  // namespace
}  // namespace bench
