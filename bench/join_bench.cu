// Joins. No library of the toolkit has joins. The peer is the composition that Thrust's algorithms
// allow, with one binary search per row and bound. The figure of moderngpu 2.13 was measured on an
// H100 80GB HBM3.

#include <thrust/binary_search.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include "bench/cuda_platform.cuh"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/table/join.hpp"

namespace bench {
namespace {

using evenfold::array;

const std::string moderngpu = "moderngpu on an H100";

/// `heavy` of the keys are 0, and the others are any of `distinct` keys. If there are heavy keys,
/// the other keys of the two sides never match.
struct fill_keys {
  int* out;
  int heavy;
  int distinct;
  int side;
  evenfold::random_stream random;
  __device__ void operator()(int i) {
    const int draw = static_cast<int>(
        random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(distinct)));
    out[i] = i < heavy ? 0 : heavy == 0 ? draw : 2 * draw + side;
  }
};

array<int> sorted_keys(int count, int heavy, int distinct, int side) {
  evenfold::cuda_context& ctx = device_context();
  auto keys = device_array<int>(count);
  evenfold::device::check_cuda(
      cub::DeviceFor::Bulk(count,
                           fill_keys{keys.data(), heavy, distinct, side + 1,
                                     evenfold::random_stream(static_cast<std::uint64_t>(side))},
                           ctx.stream()),
      "cub::DeviceFor::Bulk");
  const auto whole = evenfold::to_context(ctx, std::vector<int>{0});
  evenfold::segmented_sort(ctx, keys.data(), count, whole.data(), 1, evenfold::less{});
  return keys;
}

struct run_length {
  const int* lower;
  const int* upper;
  __device__ int operator()(int i) const { return upper[i] - lower[i]; }
};

struct tables {
  int count;
  array<int> left, right;
  array<int> lower = device_array<int>(count);
  array<int> upper = device_array<int>(count);
  array<int> offsets = device_array<int>(count);
  evenfold::joined_rows<int> rows{};
};

/// The error of a result: rows with different keys, or rows out of order.
struct count_wrong {
  const int* left_keys;
  const int* right_keys;
  const int* left;
  const int* right;
  unsigned long long* wrong;
  __device__ void operator()(std::int64_t i) {
    const bool ascends =
        i == 0 || left[i - 1] < left[i] || (left[i - 1] == left[i] && right[i - 1] < right[i]);
    if (!ascends || left_keys[left[i]] != right_keys[right[i]]) atomicAdd(wrong, 1ull);
  }
};

prepared_case join_pairs(int count, int heavy, int distinct, std::vector<mark> marks) {
  auto d = std::make_shared<tables>(count, sorted_keys(count, heavy, distinct, 0),
                                    sorted_keys(count, 2 * heavy, distinct, 1));
  const auto ours = [=] {
    d->rows = evenfold::inner_join(device_context(), d->left.data(), d->count, d->right.data(),
                                   d->count, evenfold::less{});
  };
  // Both bounds, and the positions where the results of each row begin. This is only a part of a
  // join, which Thrust cannot complete.
  const auto thrust_bounds = [=] {
    const auto stream = thrust::cuda::par_nosync.on(device_context().stream());
    const int* const right = d->right.data();
    const int* const left = d->left.data();
    thrust::lower_bound(stream, right, right + count, left, left + count, d->lower.data());
    thrust::upper_bound(stream, right, right + count, left, left + count, d->upper.data());
    const auto lengths = thrust::make_transform_iterator(
        thrust::counting_iterator<int>(0), run_length{d->lower.data(), d->upper.data()});
    thrust::exclusive_scan(stream, lengths, lengths + count, d->offsets.data());
  };
  const std::int64_t results =
      evenfold::join_count(device_context(), evenfold::join_kind::inner, d->left.data(), count,
                           d->right.data(), count, evenfold::less{});
  return {
      .bytes = 8.0 * count + 8.0 * static_cast<double>(results),
      .contestants = {{"evenfold inner_join", ours}, {"thrust bounds and scan", thrust_bounds}},
      .check = [=]() -> std::string {
        evenfold::cuda_context& ctx = device_context();
        ours();
        thrust_bounds();
        const int last = evenfold::to_host(ctx, d->offsets.data() + count - 1, 1)[0] +
                         evenfold::to_host(ctx, d->upper.data() + count - 1, 1)[0] -
                         evenfold::to_host(ctx, d->lower.data() + count - 1, 1)[0];
        if (static_cast<std::int64_t>(d->rows.size()) != last) {
          return std::to_string(d->rows.size()) + " rows, not " + std::to_string(last);
        }
        auto wrong = evenfold::to_context(ctx, std::vector<unsigned long long>{0});
        evenfold::device::check_cuda(
            cub::DeviceFor::Bulk(static_cast<std::int64_t>(last),
                                 count_wrong{d->left.data(), d->right.data(), d->rows.left.data(),
                                             d->rows.right.data(), wrong.data()},
                                 ctx.stream()),
            "cub::DeviceFor::Bulk");
        const auto found = evenfold::to_host(ctx, wrong)[0];
        return found == 0 ? "" : std::to_string(found) + " rows are wrong or out of order";
      },
      .marks = std::move(marks)};
}

const add_case cases[] = {
    {"inner_join",
     [](const options& o) {
       return join_pairs(o.size(24), 0, o.size(24) / 2, {at_most_published(0.7, 0.56, moderngpu)});
     }},
    {"inner_join_one_heavy_key",
     [](const options& o) {
       return join_pairs(o.size(24), 1 << (o.quick ? 11 : 12), o.size(24),
                         {at_most_case(1.5, "inner_join")});
     }},
};

}  // namespace
}  // namespace bench
