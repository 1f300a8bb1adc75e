#pragma once
// Dictionary encoding: each distinct text gets a number, in the order of first appearance.
//
// Idea: a small dictionary is made for every block of rows, all at the same time. The dictionaries
// are merged in the order of the blocks, which is quick because they hold distinct texts only; then
// the numbers of each block are translated. The result depends neither on the blocks nor on the
// number of workers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/io/text/text_hash.hpp"

namespace evenfold {

/// A column of texts as numbers: row i has the text values[ids[i]].
struct dictionary {
  std::vector<std::string_view> values;
  std::vector<std::int32_t> ids;
};

namespace detail {

/// Numbers distinct texts in the order in which they are first asked for. A hash table with open
/// addressing, at most half full, which looks at a text only where the hash is the same.
class text_numbers {
 public:
  const std::vector<std::string_view>& values() const { return values_; }
  std::vector<std::string_view> take_values() { return std::move(values_); }

  std::int32_t number(std::string_view text) {
    const std::size_t hash = text_hash()(text);
    const auto high = static_cast<std::uint32_t>(hash >> 32);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].number >= 0; at = (at + 1) & mask) {
      if (slots_[at].hash == high && copy(slots_[at]) == text) return slots_[at].number;
    }
    slots_[at] = {high, static_cast<std::int32_t>(values_.size())};
    values_.push_back(text);
    copies_ += text;
    copy_ends_.push_back(copies_.size());
    if (2 * values_.size() > slots_.size()) grow();
    return static_cast<std::int32_t>(values_.size()) - 1;
  }

 private:
  struct slot {
    std::uint32_t hash = 0;  ///< the high bits
    std::int32_t number = -1;
  };

  static std::size_t index(slot of) { return static_cast<std::size_t>(of.number); }

  std::string_view copy(slot of) const {
    const std::size_t begin = copy_ends_[index(of)];
    return {copies_.data() + begin, copy_ends_[index(of) + 1] - begin};
  }

  void grow() {
    std::vector<slot> larger(4 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (const slot& each : slots_) {
      if (each.number < 0) continue;
      std::size_t at = text_hash()(values_[index(each)]) & mask;
      while (larger[at].number >= 0) at = (at + 1) & mask;
      larger[at] = each;
    }
    slots_ = std::move(larger);
  }

  std::vector<slot> slots_ = std::vector<slot>(64);
  std::vector<std::string_view> values_;
  /// The values once more, next to each other, so that looking at them causes few cache misses.
  std::string copies_;
  std::vector<std::size_t> copy_ends_ = {0};
};

}  // namespace detail

/// Encodes `texts`, an object with size() and with [] that returns string views; `values` are views
/// of the same bytes. Two texts are equal if their bytes are.
///
/// Work O(bytes) expected, whatever the texts (text_hash.hpp), span O(bytes / workers + distinct
/// texts of all blocks). Errors: argument_error for more than 2^31 - 1 distinct texts.
template <context Context, class Texts>
dictionary encode(Context& ctx, const Texts& texts) {
  static_assert(Context::side == memory_side::host, "texts lie on the host");
  // Large blocks have fewer texts in common, which are merged one after the other.
  constexpr std::size_t least_rows = 1 << 14, most_blocks = 16;
  struct block {
    detail::text_numbers numbers;
    std::vector<std::int32_t> translation;
  };

  const std::size_t count = texts.size();
  const std::size_t block_rows = std::max(least_rows, (count + most_blocks - 1) / most_blocks);
  std::vector<block> blocks((count + block_rows - 1) / block_rows);
  dictionary result;
  result.ids.resize(count);

  transform(ctx, blocks.size(), [&](std::size_t b) {
    const std::size_t end = std::min(count, (b + 1) * block_rows);
    for (std::size_t row = b * block_rows; row < end; ++row) {
      result.ids[row] = blocks[b].numbers.number(texts[row]);
    }
  });

  detail::text_numbers all;
  for (block& part : blocks) {
    for (const std::string_view text : part.numbers.values()) {
      if (all.values().size() == std::numeric_limits<std::int32_t>::max()) {
        detail::refuse_argument("encode", "texts", "a column of more than 2^31 - 1 distinct texts",
                                "texts are numbered in 31 bits", "encode a part of the rows");
      }
      part.translation.push_back(all.number(text));
    }
  }
  result.values = all.take_values();

  transform(ctx, blocks.size(), [&](std::size_t b) {
    const std::size_t end = std::min(count, (b + 1) * block_rows);
    for (std::size_t row = b * block_rows; row < end; ++row) {
      std::int32_t& id = result.ids[row];
      id = blocks[b].translation[static_cast<std::size_t>(id)];
    }
  });
  return result;
}

/// ranks[id] = how many of the distinct texts are before number `id` in the order of their bytes.
///
/// Work O(distinct texts * log), span as `sort_indices`.
template <context Context>
std::vector<std::uint64_t> ranks_of(Context& ctx, const dictionary& texts) {
  std::vector<std::int32_t> order(texts.values.size());
  sort_indices(ctx, texts.values.data(), order.data(), order.size(), less{});
  std::vector<std::uint64_t> ranks(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    ranks[static_cast<std::size_t>(order[rank])] = rank;
  }
  return ranks;
}

}  // namespace evenfold
