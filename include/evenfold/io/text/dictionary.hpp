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
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/io/text/text_hash.hpp"

namespace evenfold {

/// A column of texts as numbers: row i has the text values[ids[i]].
struct dictionary {
  std::vector<std::string_view> values;
  array<std::int32_t> ids;
};

namespace detail {

/// Numbers distinct texts in the order in which they are first asked for. A hash table with open
/// addressing, at most half full, which looks at a text only where the hash is the same.
class text_numbers {
 public:
  std::size_t size() const { return values_.size(); }
  std::vector<std::string_view> take_values() { return std::move(values_); }

  std::int32_t number(std::string_view text) { return number(text, text_hash()(text), text); }
  /// The number of the k-th text of another dictionary.
  std::int32_t number(const text_numbers& other, std::size_t k) {
    return number(other.copy(k), other.hashes_[k], other.values_[k]);
  }

 private:
  struct slot {
    std::uint32_t hash = 0;  ///< the high bits
    std::int32_t number = -1;
  };

  /// `value` has the bytes of `text`, and becomes the value of a text that is new.
  std::int32_t number(std::string_view text, std::size_t hash, std::string_view value) {
    const auto high = static_cast<std::uint32_t>(hash >> 32);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].number >= 0; at = (at + 1) & mask) {
      const slot found = slots_[at];
      if (found.hash == high && copy(index(found)) == text) return found.number;
    }
    if (values_.size() == std::numeric_limits<std::int32_t>::max()) {
      refuse_argument("encode", "texts", "a column of more than 2^31 - 1 distinct texts",
                      "texts are numbered in 31 bits", "encode a part of the rows");
    }
    slots_[at] = {high, static_cast<std::int32_t>(values_.size())};
    values_.push_back(value);
    hashes_.push_back(hash);
    copies_ += text;
    copy_ends_.push_back(copies_.size());
    if (2 * values_.size() > slots_.size()) grow();
    return static_cast<std::int32_t>(values_.size()) - 1;
  }

  static std::size_t index(slot of) { return static_cast<std::size_t>(of.number); }

  std::string_view copy(std::size_t k) const {
    return {copies_.data() + copy_ends_[k], copy_ends_[k + 1] - copy_ends_[k]};
  }

  void grow() {
    std::vector<slot> larger(4 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (const slot& each : slots_) {
      if (each.number < 0) continue;
      std::size_t at = hashes_[index(each)] & mask;
      while (larger[at].number >= 0) at = (at + 1) & mask;
      larger[at] = each;
    }
    slots_ = std::move(larger);
  }

  std::vector<slot> slots_ = std::vector<slot>(64);
  std::vector<std::string_view> values_;
  std::vector<std::size_t> hashes_;
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
  // One block per thread, since the texts of all blocks are merged one after the other.
  constexpr std::size_t least_rows = 1 << 14;
  struct block {
    detail::text_numbers numbers;
    std::vector<std::int32_t> translation;
  };

  const std::size_t count = texts.size();
  const auto threads = static_cast<std::size_t>(ctx.threads());
  const std::size_t block_rows = std::max(least_rows, detail::ceil_div(count, threads));
  std::vector<block> blocks(detail::ceil_div(count, block_rows));
  dictionary result{{}, array<std::int32_t>(ctx, count)};

  transform(ctx, blocks.size(), [&](std::size_t b) {
    const std::size_t end = std::min(count, (b + 1) * block_rows);
    for (std::size_t row = b * block_rows; row < end; ++row) {
      result.ids[row] = blocks[b].numbers.number(texts[row]);
    }
  });

  if (blocks.empty()) return result;
  detail::text_numbers& all = blocks.front().numbers;
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    blocks[b].translation.reserve(blocks[b].numbers.size());
    for (std::size_t k = 0; k < blocks[b].numbers.size(); ++k) {
      blocks[b].translation.push_back(all.number(blocks[b].numbers, k));
    }
  }
  result.values = all.take_values();

  transform(ctx, count - std::min(count, block_rows), [&](std::size_t i) {
    const std::size_t row = block_rows + i;
    std::int32_t& id = result.ids[row];
    id = blocks[row / block_rows].translation[static_cast<std::size_t>(id)];
  });
  return result;
}

/// ranks[i] = how many distinct texts are before texts[i] in the order of their bytes.
///
/// Work O(n log n) for n texts, span as `sort_indices`.
template <context Context>
std::vector<std::uint64_t> ranks_of(Context& ctx, const std::vector<std::string_view>& texts) {
  std::vector<std::int32_t> order(texts.size());
  sort_indices(ctx, texts.data(), order.data(), order.size(), less{});
  std::vector<std::uint64_t> ranks(order.size());
  std::uint64_t rank = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto at = static_cast<std::size_t>(order[k]);
    if (k > 0 && texts[at] != texts[static_cast<std::size_t>(order[k - 1])]) ++rank;
    ranks[at] = rank;
  }
  return ranks;
}

}  // namespace evenfold
