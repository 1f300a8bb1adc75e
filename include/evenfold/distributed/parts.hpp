#pragma once
// The parts of the sorted runs of all ranks that one rank gets: where they are, or exchanged.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/distributed/communicator.hpp"
#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/sharded.hpp"
#include "evenfold/distributed/splitters.hpp"

namespace evenfold::detail {

/// The parts of a run of each rank that one rank gets, by rank. Those of other ranks are in
/// `received`, if they have been sent.
template <class T>
struct parts_of_ranks {
  array<T> received;
  std::vector<const T*> parts;
  std::vector<std::uint64_t> sizes;

  void append(const T* part, std::uint64_t size) {
    parts.push_back(part);
    sizes.push_back(size);
  }
};

/// Exchanges the parts of run 0, of which `own` are the elements of this rank, whose own part stays
/// where it is.
template <class Context, class T>
parts_of_ranks<T> exchange_parts(Context& ctx, const T* own, const run_cuts& cuts) {
  const auto ranks = static_cast<std::size_t>(ctx.size());
  const auto me = static_cast<std::size_t>(ctx.rank());
  parts_of_ranks<T> result;
  std::uint64_t others = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    result.sizes.push_back(cuts[me + 1][r] - cuts[me][r]);
    if (r != me) others += result.sizes[r];
  }
  result.received = array<T>(ctx.local(), others);
  T* next = result.received.data();
  std::vector<outgoing_message> sends;
  std::vector<incoming_message> receives;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == me) {
      result.parts.push_back(own + cuts[me][me]);
      continue;
    }
    const std::uint64_t begin = cuts[r][me];
    const std::uint64_t end = cuts[r + 1][me];
    const auto rank = static_cast<int>(r);
    if (begin < end) {
      sends.push_back(
          {rank, reinterpret_cast<const std::byte*>(own + begin), (end - begin) * sizeof(T)});
    }
    result.parts.push_back(next);
    if (result.sizes[r] > 0) {
      receives.push_back({rank, reinterpret_cast<std::byte*>(next), result.sizes[r] * sizeof(T)});
    }
    next += result.sizes[r];
  }
  ctx.communicator().exchange(ctx.local(), sends, receives);
  return result;
}

/// Calls use(parts of the keys, parts of the values) with the parts that this rank gets: where they
/// are if the ranks can read the arrays of each other, so that the work of use() is the exchange,
/// too; else after an exchange. The values are none if Value is no_value.
template <class Context, class Key, class Value, class Use>
void use_parts(Context& ctx, const sharded<Key>& keys, const sharded<Value>& values,
               const run_cuts& cuts, Use use) {
  auto& local = ctx.local();
  auto& communicator = ctx.communicator();
  constexpr bool has_values = !std::is_same_v<Value, no_value>;
  if constexpr (lending_communicator<std::remove_reference_t<decltype(communicator)>,
                                     std::remove_reference_t<decltype(local)>>) {
    const auto me = static_cast<std::size_t>(ctx.rank());
    const bool own = keys.local().is_in(local) && values.local().is_in(local);
    if (communicator.can_lend(local, own)) {
      struct shard {
        const Key* keys;
        const Value* values;
      };
      communicator.lend(local, shard{keys.data(), values.data()},
                        [&](std::span<const shard* const> all) {
                          parts_of_ranks<Key> parts;
                          parts_of_ranks<Value> with;
                          for (std::size_t r = 0; r < all.size(); ++r) {
                            const std::uint64_t begin = cuts[me][r];
                            const std::uint64_t size = cuts[me + 1][r] - begin;
                            parts.append(all[r]->keys + begin, size);
                            if constexpr (has_values) with.append(all[r]->values + begin, size);
                          }
                          use(parts, with);
                        });
      return;
    }
  }
  const parts_of_ranks<Key> parts = exchange_parts(ctx, keys.data(), cuts);
  parts_of_ranks<Value> with;
  if constexpr (has_values) with = exchange_parts(ctx, values.data(), cuts);
  use(parts, with);
}

}  // namespace evenfold::detail
