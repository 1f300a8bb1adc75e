#pragma once
// `sharded<T>`: a sequence whose elements are distributed over ranks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/context.hpp"

namespace evenfold {

/// The distribution of a global sequence: a rank holds the elements with the global indices
/// [begin(rank), end(rank)). Every rank knows the shards of all; a shard may be empty.
class shard_map {
 public:
  shard_map() = default;

  /// `offsets[r]` is the first element of rank r; the last number is that of all elements.
  explicit shard_map(std::vector<std::uint64_t> offsets) : offsets_(std::move(offsets)) {}

  /// Equal shares.
  static shard_map equal(std::uint64_t count, int ranks) {
    std::vector<std::uint64_t> offsets;
    for (int r = 0; r <= ranks; ++r) offsets.push_back(detail::share_begin(count, ranks, r));
    return shard_map(std::move(offsets));
  }

  /// Shards of these sizes, by rank.
  static shard_map of_sizes(const std::vector<std::uint64_t>& sizes) {
    std::vector<std::uint64_t> offsets{0};
    for (const std::uint64_t size : sizes) offsets.push_back(offsets.back() + size);
    return shard_map(std::move(offsets));
  }

  int num_shards() const { return static_cast<int>(offsets_.size()) - 1; }
  std::uint64_t size() const { return offsets_.back(); }
  std::uint64_t begin(int rank) const { return offsets_[static_cast<std::size_t>(rank)]; }
  std::uint64_t end(int rank) const { return offsets_[static_cast<std::size_t>(rank) + 1]; }
  std::uint64_t size(int rank) const { return end(rank) - begin(rank); }

  friend bool operator==(const shard_map&, const shard_map&) = default;

 private:
  std::vector<std::uint64_t> offsets_{0};
};

/// The shard of one rank: its elements, in the memory of its local context, and the map of all
/// shards. Move-only.
template <class T>
class sharded {
 public:
  sharded() = default;

  /// Uninitialized elements. All ranks pass the same map, which has a shard for each rank.
  template <class Context>
  sharded(Context& ctx, shard_map map)
      : map_(std::move(map)), rank_(ctx.rank()), local_(ctx.local(), map_.size(rank_)) {}

  /// Elements that are already where the map says.
  template <class Context>
  sharded(const Context& ctx, shard_map map, array<T> local)
      : map_(std::move(map)), rank_(ctx.rank()), local_(std::move(local)) {}

  /// `count` uninitialized elements in equal shares.
  template <class Context>
  sharded(Context& ctx, std::uint64_t count) : sharded(ctx, shard_map::equal(count, ctx.size())) {}

  /// The elements of all ranks, one rank after the other. Called by all ranks, each with its own
  /// elements.
  template <class Context>
  sharded(Context& ctx, array<T> local)
      : map_(shard_map::of_sizes(detail::gather_value(ctx, std::uint64_t{local.size()}))),
        rank_(ctx.rank()),
        local_(std::move(local)) {}

  /// The number of elements of all ranks.
  std::uint64_t size() const { return map_.size(); }
  const shard_map& map() const { return map_; }

  /// The elements of this rank, the first of which has the global index local_begin().
  std::uint64_t local_begin() const { return map_.begin(rank_); }
  std::uint64_t local_end() const { return map_.end(rank_); }
  std::uint64_t local_size() const { return local_.size(); }
  T* data() { return local_.data(); }
  const T* data() const { return local_.data(); }
  array<T>& local() { return local_; }
  const array<T>& local() const { return local_; }

 private:
  shard_map map_;
  int rank_ = 0;
  array<T> local_;
};

namespace detail {

/// The offsets of shards in bytes.
inline std::vector<std::size_t> bytes_of(const shard_map& map, std::size_t element) {
  std::vector<std::size_t> offsets(static_cast<std::size_t>(map.num_shards()) + 1);
  for (int r = 0; r < map.num_shards(); ++r) {
    offsets[static_cast<std::size_t>(r)] = map.begin(r) * element;
  }
  offsets.back() = map.size() * element;
  return offsets;
}

/// All elements on every rank, in the memory of `local`, where the shard is, too.
template <class Context, class Local, class T>
array<T> gather_shards(Context& ctx, Local& local, const T* shard, const shard_map& map) {
  array<T> all(local, map.size());
  ctx.communicator().all_gather_v(local, reinterpret_cast<const std::byte*>(shard),
                                  reinterpret_cast<std::byte*>(all.data()),
                                  bytes_of(map, sizeof(T)));
  return all;
}

}  // namespace detail

/// All elements on every rank, in the memory of the local context. Each rank sends its shard to all
/// others. Errors: as for any call of the communicator; allocation_error.
template <class Context, class T>
array<T> gather(Context& ctx, const sharded<T>& input) {
  return detail::run_on_all_ranks(ctx, "gather", {{"size", input.size()}}, [&] {
    return detail::gather_shards(ctx, ctx.local(), input.data(), input.map());
  });
}

/// The same elements in other shards: each rank sends what it does not keep to the ranks that hold
/// it afterwards, in one all_to_all_v. All ranks pass the same map. Elements that are already where
/// the map says are copied.
template <class Context, class T>
sharded<T> redistribute(Context& ctx, const sharded<T>& input, const shard_map& map) {
  if (map.size() != input.size() || map.num_shards() != ctx.size()) {
    detail::refuse_argument("redistribute", "map", map.size(),
                            "it is a map of other elements, or of other ranks",
                            "pass a map of as many elements, with one shard per rank");
  }
  return detail::run_on_all_ranks(ctx, "redistribute", {{"size", input.size()}}, [&] {
    sharded<T> result(ctx, map);
    if (map == input.map()) {
      copy(ctx.local(), input.data(), input.local_size(), result.data());
      return result;
    }
    // The parts of [begin, end) in the shards of a map, as offsets in bytes from `begin`.
    const auto parts = [&](std::uint64_t begin, std::uint64_t end, const shard_map& of) {
      std::vector<std::size_t> offsets(static_cast<std::size_t>(ctx.size()) + 1);
      for (int r = 0; r < ctx.size(); ++r) {
        offsets[static_cast<std::size_t>(r)] =
            (std::clamp(of.begin(r), begin, end) - begin) * sizeof(T);
      }
      offsets.back() = (end - begin) * sizeof(T);
      return offsets;
    };
    const auto sent = parts(input.local_begin(), input.local_end(), map);
    const auto received = parts(result.local_begin(), result.local_end(), input.map());
    ctx.communicator().all_to_all_v(ctx.local(), reinterpret_cast<const std::byte*>(input.data()),
                                    sent, reinterpret_cast<std::byte*>(result.data()), received);
    return result;
  });
}

/// The same for elements that are not needed afterwards: nothing is copied if they are already
/// where the map says.
template <class Context, class T>
sharded<T> redistribute(Context& ctx, sharded<T>&& input, const shard_map& map) {
  if (map == input.map()) return std::move(input);
  return redistribute(ctx, std::as_const(input), map);
}

namespace detail {

/// The elements of a sequence in the shards of a map: the sequence itself, which must then outlive
/// the object, if these are its shards.
template <class T>
class in_shards {
 public:
  template <class Context>
  in_shards(Context& ctx, const sharded<T>& input, const shard_map& map) : input_(input) {
    if (map != input.map()) moved_ = redistribute(ctx, input, map);
  }

  const sharded<T>& operator*() const { return moved_ ? *moved_ : input_; }
  const sharded<T>* operator->() const { return &**this; }

 private:
  const sharded<T>& input_;
  std::optional<sharded<T>> moved_;
};

}  // namespace detail

}  // namespace evenfold
