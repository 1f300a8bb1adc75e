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
#include <string_view>
#include <unordered_map>
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

/// Encodes `texts`, an object with size() and with [] that returns string views; `values` are views
/// of the same bytes. Two texts are equal if their bytes are.
///
/// Work O(bytes) expected, whatever the texts (text_hash.hpp), span O(bytes / workers + distinct
/// texts of all blocks). Errors: argument_error for more than 2^31 - 1 distinct texts.
template <context Context, class Texts>
dictionary encode(Context& ctx, const Texts& texts) {
  static_assert(Context::side == memory_side::host, "texts lie on the host");
  constexpr std::size_t block_rows = 1 << 14;
  struct block {
    std::unordered_map<std::string_view, std::int32_t, text_hash> numbers;
    std::vector<std::string_view> values;
    std::vector<std::int32_t> translation;

    std::int32_t number(std::string_view text) {
      const auto [entry, is_new] =
          numbers.try_emplace(text, static_cast<std::int32_t>(values.size()));
      if (is_new) values.push_back(text);
      return entry->second;
    }
  };

  const std::size_t count = texts.size();
  std::vector<block> blocks((count + block_rows - 1) / block_rows);
  dictionary result;
  result.ids.resize(count);

  transform(ctx, blocks.size(), [&](std::size_t b) {
    const std::size_t end = std::min(count, (b + 1) * block_rows);
    for (std::size_t row = b * block_rows; row < end; ++row) {
      result.ids[row] = blocks[b].number(texts[row]);
    }
  });

  block all;
  for (block& part : blocks) {
    for (const std::string_view text : part.values) {
      if (all.values.size() == std::numeric_limits<std::int32_t>::max()) {
        detail::refuse_argument("encode", "texts", "a column of more than 2^31 - 1 distinct texts",
                                "texts are numbered in 31 bits", "encode a part of the rows");
      }
      part.translation.push_back(all.number(text));
    }
  }
  result.values = std::move(all.values);

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
