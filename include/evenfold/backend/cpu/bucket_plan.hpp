#pragma once
// The plan by which CPU threads distribute items to parts, in one pass and stably. Items have
// bucket numbers, and a part is a range of buckets with about as many items as fit a cache.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cpu {

/// The items of a chunk are counted in at most 2^14 bins, or in more if a bin would otherwise have
/// more buckets than two bytes can number.
inline constexpr int most_bin_bits = 14;
inline constexpr int part_bits = 16;

/// The first bucket of a part, and the index of its first item.
struct bucket_part {
  std::size_t first_bucket, first_item;
};

/// The part of each bin, and where each part takes the items of each chunk.
struct bucket_plan {
  int bin_bits;  ///< a bin has 2^bin_bits buckets
  std::size_t chunks;
  std::vector<std::uint32_t> part_of;  ///< of each bin
  std::vector<bucket_part> parts;      ///< and one more, where the last one ends
  std::vector<std::size_t> slots;      ///< the next slot for each chunk and part
  array<std::size_t> counts;           ///< of the items of each chunk in each bin
  std::size_t longest = 0;             ///< the items of the fullest bin

  /// Parts of at most `part_size` items, unless one bin has more.
  template <class Items>
  bucket_plan(cpu_context& ctx, std::size_t count, const Items& items, std::size_t num_buckets,
              std::size_t part_size)
      : bucket_plan(ctx, count, num_buckets, part_size) {
    const std::size_t bins = part_of.size();
    for_each_chunk(ctx, count, [&](std::size_t c, std::size_t begin, std::size_t end) {
      std::size_t* const own = counts.data() + c * bins;
      std::fill_n(own, bins, std::size_t{0});
      for (std::size_t i = begin; i < end; ++i) ++own[items.bucket(i) >> bin_bits];
    });
    cut(count, num_buckets, part_size);
  }

  /// Bins without counts. Neither this nor `cut` is a template, so that they are compiled once for
  /// all types of items.
  bucket_plan(cpu_context& ctx, std::size_t count, std::size_t num_buckets, std::size_t part_size)
      : bin_bits(std::clamp(static_cast<int>(std::bit_width(num_buckets - 1)) - most_bin_bits, 0,
                            part_bits)),
        chunks(
            std::clamp<std::size_t>(count / part_size, 1, static_cast<std::size_t>(ctx.threads()))),
        part_of(((num_buckets - 1) >> bin_bits) + 1),
        counts(ctx, chunks * part_of.size()) {}

  /// Cuts the bins into parts, by how many items of each chunk they have.
  void cut(std::size_t count, std::size_t num_buckets, std::size_t part_size) {
    const std::size_t bins = part_of.size();
    std::size_t before = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const std::size_t bucket = bin << bin_bits;
      std::size_t here = 0;
      for (std::size_t c = 0; c < chunks; ++c) here += counts[c * bins + bin];
      longest = std::max(longest, here);
      if (parts.empty() || before + here - parts.back().first_item > part_size ||
          (bucket - parts.back().first_bucket) >> part_bits != 0) {
        parts.push_back({bucket, before});
      }
      part_of[bin] = static_cast<std::uint32_t>(parts.size() - 1);
      before += here;
    }
    parts.push_back({num_buckets, count});

    slots.assign(chunks * num_parts(), 0);
    for (std::size_t c = 0; c < chunks; ++c) {
      for (std::size_t bin = 0; bin < bins; ++bin) {
        slots[c * num_parts() + part_of[bin]] += counts[c * bins + bin];
      }
    }
    for (std::size_t p = 0; p < num_parts(); ++p) {
      std::size_t slot = parts[p].first_item;
      for (std::size_t c = 0; c < chunks; ++c) {
        slot += std::exchange(slots[c * num_parts() + p], slot);
      }
    }
  }

  std::size_t num_parts() const { return parts.size() - 1; }
  std::size_t buckets(std::size_t p) const {
    return parts[p + 1].first_bucket - parts[p].first_bucket;
  }
  std::size_t items(std::size_t p) const { return parts[p + 1].first_item - parts[p].first_item; }

  /// Calls f(chunk, begin, end) for each chunk of items, concurrently.
  template <class F>
  void for_each_chunk(cpu_context& ctx, std::size_t count, F f) const {
    ctx.parallel(chunks, [&](std::size_t from, std::size_t to) {
      for (std::size_t c = from; c < to; ++c) {
        f(c, detail::share_begin(count, chunks, c), detail::share_begin(count, chunks, c + 1));
      }
    });
  }

  /// Calls put(to, i, bucket) for every item i of a bucket: `to` is its position in the order of
  /// the parts.
  template <class Items, class Put>
  void distribute(cpu_context& ctx, std::size_t count, const Items& items, const Put& put) {
    for_each_chunk(ctx, count, [&](std::size_t c, std::size_t begin, std::size_t end) {
      std::size_t* const slot = slots.data() + c * num_parts();
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t bucket = items.bucket(i);
        put(slot[part_of[bucket >> bin_bits]]++, i, bucket);
      }
    });
  }
};

}  // namespace evenfold::cpu
