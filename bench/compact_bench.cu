// compact, partition, unique, reduce_by_key and scan_by_key compared with CUB.

#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

#include "bench/cuda_platform.cuh"
#include "bench/shapes.hpp"
#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/load_balance_search.hpp"
#include "evenfold/algorithm/reduce_by_key.hpp"
#include "evenfold/algorithm/segmented_scan.hpp"
#include "evenfold/algorithm/unique.hpp"

namespace bench {
namespace {

using evenfold::array;

/// True for one of four any_numbers.
struct in_first_quarter {
  EF_HD bool operator()(int x) const { return static_cast<unsigned>(x) < 1u << 30; }
  EF_HD bool operator()(double x) const { return x < 0.25; }
};

/// The arrays that a compaction reads and writes, for ours and for the peer.
template <class T>
struct compacted {
  int count;
  array<T> in = filled<any_numbers, T>(count, 1);
  array<T> ours = device_array<T>(count);
  array<T> theirs = device_array<T>(count);
  array<int> our_count = device_array<int>(1);
  array<int> their_count = device_array<int>(1);

  explicit compacted(int n) : count(n) {}
  int kept() { return evenfold::to_host(device_context(), their_count)[0]; }
  std::string differences() {
    const std::string counts = difference(our_count.data(), their_count.data(), 1, "count: ");
    return !counts.empty() ? counts : difference(ours.data(), theirs.data(), kept());
  }
};

/// The check of a case whose first contestant keeps some items in d->ours, and whose second one
/// keeps the same ones in d->theirs.
template <class Data, class Ours, class Theirs>
auto same_kept(Data d, Ours ours, Theirs theirs) {
  return [=] {
    spoil(d->ours);
    ours();
    theirs();
    return d->differences();
  };
}

template <class T>
prepared_case compact_quarter(int count) {
  auto d = std::make_shared<compacted<T>>(count);
  const auto ours = [=] {
    evenfold::compact(device_context(), d->in.data(), d->count, in_first_quarter{}, d->ours.data(),
                      d->our_count.data());
  };
  const auto cub_if = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::If(scratch, bytes, d->in.data(), d->theirs.data(),
                                 d->their_count.data(), d->count, in_first_quarter{},
                                 device_context().stream());
  });
  return {.bytes = 1.25 * sizeof(T) * d->count,
          .contestants = {{"evenfold compact", ours}, {"cub select if", cub_if}},
          .check = same_kept(d, ours, cub_if),
          .marks = {at_least_best_peer(1.0)},
          .repeats_factor = repeats_factor_of(count)};
}

/// CUB writes the second part in reverse, so that only the first part is compared.
template <class T>
prepared_case partition_quarter(int count) {
  auto d = std::make_shared<compacted<T>>(count);
  const auto ours = [=] {
    evenfold::partition(device_context(), d->in.data(), d->count, in_first_quarter{},
                        d->ours.data(), d->our_count.data());
  };
  const auto cub_if = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DevicePartition::If(scratch, bytes, d->in.data(), d->theirs.data(),
                                    d->their_count.data(), d->count, in_first_quarter{},
                                    device_context().stream());
  });
  return {.bytes = 2.0 * sizeof(T) * d->count,
          .contestants = {{"evenfold partition", ours}, {"cub partition if", cub_if}},
          .check = same_kept(d, ours, cub_if),
          .repeats_factor = repeats_factor_of(count)};
}

/// Keys whose runs are the segments of a shape, and values.
template <class T>
struct keyed : compacted<T> {
  int num_segments;
  array<int> keys = device_array<int>(this->count);
  array<int> our_keys = device_array<int>(this->count);
  array<int> their_keys = device_array<int>(this->count);
  array<T> values = filled<small_numbers, T>(this->count, 2);

  explicit keyed(const std::vector<int>& shape)
      : compacted<T>(shape.back()), num_segments(static_cast<int>(shape.size()) - 1) {
    const array<int> offsets = evenfold::to_context(device_context(), shape);
    evenfold::load_balance_search(device_context(), this->count, offsets.data(), num_segments,
                                  keys.data());
    device_context().synchronize();
  }
};

int runs_of(const std::vector<int>& shape) {
  int runs = 0;
  for (std::size_t s = 1; s < shape.size(); ++s) runs += shape[s - 1] < shape[s];
  return runs;
}

template <class T>
prepared_case reduce_by_key(const std::vector<int>& shape) {
  auto d = std::make_shared<keyed<T>>(shape);
  const auto ours = [=] {
    evenfold::reduce_by_key(device_context(), d->keys.data(), d->values.data(), d->count,
                            evenfold::equal_to{}, d->our_keys.data(), d->ours.data(),
                            evenfold::plus{}, T{}, d->our_count.data());
  };
  const auto cub_sum = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(
        scratch, bytes, d->keys.data(), d->their_keys.data(), d->values.data(), d->theirs.data(),
        d->their_count.data(), ::cuda::std::plus<>{}, d->count, device_context().stream());
  });
  return {.bytes = (4.0 + sizeof(T)) * (d->count + runs_of(shape)),
          .contestants = {{"evenfold reduce_by_key", ours}, {"cub reduce by key", cub_sum}},
          .check =
              [=] {
                spoil(d->ours);
                spoil(d->our_keys);
                ours();
                cub_sum();
                const std::string keys =
                    difference(d->our_keys.data(), d->their_keys.data(), d->kept(), "keys: ");
                return !keys.empty() ? keys : d->differences();
              },
          .marks = {at_least_best_peer(1.0)}};
}

prepared_case unique(const std::vector<int>& shape) {
  auto d = std::make_shared<keyed<int>>(shape);
  const auto ours = [=] {
    evenfold::unique(device_context(), d->keys.data(), d->count, evenfold::equal_to{},
                     d->ours.data(), d->our_count.data());
  };
  const auto cub_unique = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(scratch, bytes, d->keys.data(), d->theirs.data(),
                                     d->their_count.data(), d->count, device_context().stream());
  });
  return {.bytes = 4.0 * d->count + 4.0 * runs_of(shape),
          .contestants = {{"evenfold unique", ours}, {"cub select unique", cub_unique}},
          .check = same_kept(d, ours, cub_unique),
          .marks = {at_least_best_peer(1.0)},
          .repeats_factor = repeats_factor_of(d->count)};
}

template <class T>
prepared_case scan_by_key(const std::vector<int>& shape) {
  auto d = std::make_shared<keyed<T>>(shape);
  const auto ours = [=] {
    evenfold::scan_by_key<evenfold::scan_kind::inclusive>(
        device_context(), d->keys.data(), d->values.data(), d->count, d->ours.data(),
        evenfold::equal_to{}, evenfold::plus{}, evenfold::no_init{});
  };
  const auto cub_sum = with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSumByKey(scratch, bytes, d->keys.data(), d->values.data(),
                                              d->theirs.data(), d->count, ::cuda::std::equal_to<>{},
                                              device_context().stream());
  });
  return {.bytes = (4.0 + 2 * sizeof(T)) * d->count,
          .contestants = {{"evenfold scan_by_key", ours}, {"cub inclusive sum by key", cub_sum}},
          .check = same_results(d, ours, cub_sum, d->count),
          .marks = {at_least_best_peer(1.0)}};
}

const add_case cases[] = {
    {"compact_quarter", [](const options& o) { return compact_quarter<int>(o.size(26)); }},
    {"compact_quarter_double",
     [](const options& o) { return compact_quarter<double>(o.size(26)); }},
    {"partition_quarter", [](const options& o) { return partition_quarter<int>(o.size(26)); }},
    {"partition_quarter_double",
     [](const options& o) { return partition_quarter<double>(o.size(26)); }},
    {"few_1000_compact", [](const options&) { return compact_quarter<int>(1000); }},
    {"few_30000_compact", [](const options&) { return compact_quarter<int>(30'000); }},
    {"few_300000_compact", [](const options&) { return compact_quarter<int>(300'000); }},
    {"few_30000_partition", [](const options&) { return partition_quarter<int>(30'000); }},
    {"few_3000000_partition", [](const options&) { return partition_quarter<int>(3'000'000); }},
    {"few_30000_unique", [](const options&) { return unique(uniform_shape(30'000, 8)); }},
    {"unique_mean_8", [](const options& o) { return unique(uniform_shape(o.size(26), 8)); }},
    {"reduce_by_key_mean_8",
     [](const options& o) { return reduce_by_key<int>(uniform_shape(o.size(26), 8)); }},
    {"reduce_by_key_mean_64",
     [](const options& o) { return reduce_by_key<int>(uniform_shape(o.size(26), 64)); }},
    {"reduce_by_key_mean_1024",
     [](const options& o) { return reduce_by_key<int>(uniform_shape(o.size(26), 1024)); }},
    {"reduce_by_key_skewed",
     [](const options& o) { return reduce_by_key<int>(skewed_shape(o.size(26))); }},
    {"reduce_by_key_float_mean_8",
     [](const options& o) { return reduce_by_key<float>(uniform_shape(o.size(26), 8)); }},
    {"reduce_by_key_double_mean_8",
     [](const options& o) { return reduce_by_key<double>(uniform_shape(o.size(26), 8)); }},
    {"reduce_by_key_double_mean_64",
     [](const options& o) { return reduce_by_key<double>(uniform_shape(o.size(26), 64)); }},
    {"reduce_by_key_int64_mean_8",
     [](const options& o) { return reduce_by_key<std::int64_t>(uniform_shape(o.size(26), 8)); }},
    {"scan_by_key_mean_64",
     [](const options& o) { return scan_by_key<float>(uniform_shape(o.size(26), 64)); }},
    {"scan_by_key_double_mean_64",
     [](const options& o) { return scan_by_key<double>(uniform_shape(o.size(26), 64)); }},
    {"few_30000_scan_by_key",
     [](const options&) { return scan_by_key<float>(uniform_shape(30'000, 64)); }},
    {"few_300000_scan_by_key",
     [](const options&) { return scan_by_key<float>(uniform_shape(300'000, 64)); }},
    {"few_1000000_scan_by_key",
     [](const options&) { return scan_by_key<float>(uniform_shape(1'000'000, 64)); }},
};

}  // namespace
}  // namespace bench
