// interval_move, interval_gather, bulk_insert and bulk_remove. CUB copies batches of intervals. The
// published figures of moderngpu 2.13 are those of an H100 80GB HBM3.

#include <algorithm>
#include <cub/device/device_memcpy.cuh>
#include <numeric>
#include <vector>

#include "bench/cuda_platform.cuh"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/bulk_insert.hpp"
#include "evenfold/algorithm/bulk_remove.hpp"
#include "evenfold/algorithm/interval_move.hpp"
#include "evenfold/algorithm/transform.hpp"

namespace bench {
namespace {

using evenfold::array;

/// The positions of intervals of these lengths in random order, without gaps. Seed 0 keeps their
/// order.
std::vector<int> shuffled_begins(const std::vector<int>& offsets, std::uint64_t seed) {
  const std::size_t segments = offsets.size() - 1;
  std::vector<int> order(segments);
  std::iota(order.begin(), order.end(), 0);
  const evenfold::random_stream random(seed);
  for (std::size_t i = seed == 0 ? 0 : segments; i-- > 1;) {
    std::swap(order[i], order[random.below(i, i + 1)]);
  }
  std::vector<int> begins(segments);
  int at = 0;
  for (const int s : order) {
    begins[s] = at;
    at += offsets[s + 1] - offsets[s];
  }
  return begins;
}

struct make_pointers {
  const int* from;
  int* to;
  const int *gather, *scatter, *offsets;
  const void** sources;
  void** targets;
  unsigned* bytes;
  __device__ void operator()(int s) const {
    sources[s] = from + gather[s];
    targets[s] = to + scatter[s];
    bytes[s] = 4u * static_cast<unsigned>(offsets[s + 1] - offsets[s]);
  }
};

struct intervals {
  int count, num_segments;
  array<int> offsets, gather, scatter;
  array<int> in = filled<any_numbers, int>(count, 1);
  array<int> ours = device_array<int>(count), theirs = device_array<int>(count);
  array<const void*> sources = device_array<const void*>(num_segments);
  array<void*> targets = device_array<void*>(num_segments);
  array<unsigned> bytes = device_array<unsigned>(num_segments);

  /// `scatter_seed` = 0: the targets are in order.
  intervals(const std::vector<int>& shape, std::uint64_t scatter_seed)
      : count(shape.back()),
        num_segments(static_cast<int>(shape.size()) - 1),
        offsets(evenfold::to_context(device_context(), shape)),
        gather(evenfold::to_context(device_context(), shuffled_begins(shape, 1))),
        scatter(evenfold::to_context(device_context(), shuffled_begins(shape, scatter_seed))) {
    evenfold::device::check_cuda(
        cub::DeviceFor::Bulk(
            num_segments,
            make_pointers{in.data(), theirs.data(), gather.data(), scatter.data(), offsets.data(),
                          sources.data(), targets.data(), bytes.data()},
            device_context().stream()),
        "cub::DeviceFor::Bulk");
    device_context().synchronize();
  }
};

prepared_case interval_move(const std::vector<int>& shape, std::uint64_t scatter_seed,
                            std::vector<mark> marks) {
  auto d = std::make_shared<intervals>(shape, scatter_seed);
  const auto ours = [=] {
    evenfold::interval_move(device_context(), d->in.data(), d->gather.data(), d->count,
                            d->offsets.data(), d->num_segments, d->scatter.data(), d->ours.data());
  };
  const auto batched = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceMemcpy::Batched(scratch, bytes, d->sources.data(), d->targets.data(),
                                      d->bytes.data(), d->num_segments, device_context().stream());
  });
  return {.bytes = 8.0 * d->count + 12.0 * d->num_segments,
          .contestants = {{"evenfold interval_move", ours}, {"cub batched copy", batched}},
          .check = same_results(d, ours, batched, d->count),
          .marks = std::move(marks)};
}

prepared_case interval_gather(const std::vector<int>& shape) {
  auto d = std::make_shared<intervals>(shape, 0);
  const auto ours = [=] {
    evenfold::interval_gather(device_context(), d->in.data(), d->gather.data(), d->count,
                              d->offsets.data(), d->num_segments, d->ours.data());
  };
  return {.bytes = 8.0 * d->count + 8.0 * d->num_segments,
          .contestants = {{"evenfold interval_gather", ours}},
          .check = [=] {
            // Scattering to the original positions is the identity.
            spoil(d->theirs);
            ours();
            evenfold::interval_scatter(device_context(), d->ours.data(), d->count,
                                       d->offsets.data(), d->num_segments, d->gather.data(),
                                       d->theirs.data());
            return difference(d->theirs.data(), d->in.data(), d->count);
          }};
}

/// Every eighth element is removed or inserted.
struct bulk {
  int count, some = count / 8;
  array<int> in = filled<any_numbers, int>(count, 1);
  array<int> left = device_array<int>(count - some);
  array<int> inserted = device_array<int>(some);
  array<int> removals = device_array<int>(some), insertions = device_array<int>(some);
  array<int> back = device_array<int>(count);

  explicit bulk(int n) : count(n) {
    std::vector<int> at(some), before(some);
    for (int k = 0; k < some; ++k) {
      at[k] = 8 * k + k % 7;
      before[k] = at[k] - k;
    }
    removals = evenfold::to_context(device_context(), at);
    insertions = evenfold::to_context(device_context(), before);
    device_context().synchronize();
  }
  void remove() {
    evenfold::bulk_remove(device_context(), in.data(), count, removals.data(), some, left.data());
  }
  void insert() {
    evenfold::bulk_insert(device_context(), left.data(), count - some, inserted.data(),
                          insertions.data(), some, back.data());
  }
  /// Removing elements and inserting them again is the identity.
  std::string check() {
    spoil(left);
    spoil(back);
    evenfold::transform(
        device_context(), some,
        evenfold::write_result<take_at, int*>{{in.data(), removals.data()}, inserted.data()});
    remove();
    insert();
    return difference(back.data(), in.data(), count);
  }

  struct take_at {
    const int *in, *at;
    __device__ int operator()(int i) const { return in[at[i]]; }
  };
};

prepared_case bulk_remove(const options& chosen) {
  auto d = std::make_shared<bulk>(chosen.size(27));
  return {.bytes = 8.0 * (d->count - d->some) + 4.0 * d->some,
          .contestants = {{"evenfold bulk_remove", [=] { d->remove(); }}},
          .check = [=] { return d->check(); }};
}

prepared_case bulk_insert(const options& chosen) {
  auto d = std::make_shared<bulk>(chosen.size(27));
  return {.bytes = 8.0 * d->count + 4.0 * d->some,
          .contestants = {{"evenfold bulk_insert", [=] { d->insert(); }}},
          .check = [=] { return d->check(); }};
}

const add_case cases[] = {
    {"interval_move_mean_8",
     [](const options& o) {
       return interval_move(uniform_shape(o.size(27), 8), 2, {at_least_best_peer(1.25)});
     }},
    {"interval_move_mean_256",
     [](const options& o) {
       return interval_move(uniform_shape(o.size(27), 256), 2,
                            {at_least_published(1.25, 1565, "moderngpu on an H100")});
     }},
    {"interval_move_in_order_mean_8",
     [](const options& o) {
       return interval_move(uniform_shape(o.size(27), 8), 0, {at_least_best_peer(1.25)});
     }},
    {"interval_gather_mean_8",
     [](const options& o) { return interval_gather(uniform_shape(o.size(27), 8)); }},
    {"interval_gather_mean_256",
     [](const options& o) { return interval_gather(uniform_shape(o.size(27), 256)); }},
    {"bulk_remove", bulk_remove},
    {"bulk_insert", bulk_insert},
};

const add_shapes moves{"interval_move", 24, [](const std::vector<int>& shape) {
                         return interval_move(shape, 2, {at_least_best_peer(1.0)});
                       }};
const add_shapes gathers{"interval_gather", 24, interval_gather};

}  // namespace
}  // namespace bench
