#pragma once
// The canonical order of folds: the definition that every backend implements.
//
// A fold of floating-point numbers depends on where the brackets stand. Here the brackets are fixed
// by the range of items and nothing else: not by threads, tiles, vectors or the device.
//
// - A block of level 1 is 16 consecutive items, the first of which is a multiple of 16. A block of
//   level k + 1 is two blocks of level k, and begins at a multiple of its length. Level 0 are
//   items.
// - A block of level 1 is folded by halves. Where the operator is commutative the halves are the
//   even and the odd positions, and those of the even ones are positions 0, 4, ... and 2, 6, ...:
//   these are whole vectors. Otherwise they are the left and the right half. A larger block is the
//   fold of its left half (+) the fold of its right half.
// - A range [begin, end) is cut into the largest blocks that fit: from left to right their levels
//   rise, then fall. There are at most 15 items and one block of each level on either slope.
// - The fold of the range is the fold of these blocks from left to right. An initial value is the
//   first operand: ((init (+) block) (+) block) (+) ...
//
//     items  14 15 | 16 ... 31 | 32 ... 63 | 64 ... 79 | 80       [14, 81) is 2 items, a block of
//     16
//             .  . | [   16  ] | [   32  ] | [   16  ] |  .       items, one of 32, one of 16, an
//             item
//
// So prefix i of a scan, the fold of [0, i + 1), has one block for each binary digit of i + 1 above
// the lowest four, and each block that is appended costs one operation. A range of fewer than 16
// items is folded from left to right. An operand passes through O(log(end - begin)) operations; see
// docs/folds.md for what that means for rounding.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "evenfold/core/config.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {
namespace detail {

/// Whether the result has the same bits in any order of operations and operands, so that no order
/// has to be kept. Specialised for other operators that only choose among their operands.
template <class Op, class T>
inline constexpr bool is_exact_fold =
    is_commutative<Op, T> &&
    (std::integral<T> || std::same_as<Op, minimum> || std::same_as<Op, maximum>);

/// How many items a block of level 1 has.
inline constexpr int fold_run = 16;

/// Levels 0, items, to 59: a block of the last one has 2^62 items.
inline constexpr int fold_levels = 60;

/// How many items a block of a level has.
EF_HD constexpr std::uint64_t fold_block_length(int level) {
  return level == 0 ? 1 : std::uint64_t{fold_run / 2} << level;
}

/// Whether a block of a level may begin, and end, at an index.
EF_HD constexpr bool is_fold_border(std::uint64_t index, int level) {
  return (index & (fold_block_length(level) - 1)) == 0;
}

/// The level of the first block of [begin, end), which is not empty.
EF_HD constexpr int first_fold_level(std::uint64_t begin, std::uint64_t end) {
  int level = 0;
  while (level + 1 < fold_levels && is_fold_border(begin, level + 1) &&
         end - begin >= fold_block_length(level + 1)) {
    ++level;
  }
  return level;
}

/// The fold of the `Count` values x[0], x[Stride], ... by halves, where Count is a power of two: by
/// even and odd positions where the operator is commutative.
template <class T, class Op, int Count = fold_run, int Stride = 1>
EF_HD constexpr T fold_by_halves(const T* x, const Op& op) {
  if constexpr (Count == 1) {
    return *x;
  } else {
    constexpr bool by_parity = is_commutative<Op, T>;
    constexpr int stride = by_parity ? 2 * Stride : Stride;
    const T left = fold_by_halves<T, Op, Count / 2, stride>(x, op);
    const T right =
        fold_by_halves<T, Op, Count / 2, stride>(x + (by_parity ? 1 : Count / 2) * Stride, op);
    return op(left, right);
  }
}

}  // namespace detail

// g++ cannot see that a block is written before it is read, and warns where calls are inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// What one worker knows of a fold: the folds of the blocks of [begin(), end()), in order. Items
/// and whole blocks are appended at the end; so is the partial fold of a range that begins there.
/// Law: wherever a range is cut, the joined partial folds of its parts are the partial fold of the
/// range, and fold() of it is the fold of the range, bit for bit.
///
/// The operator is the same in all calls. Which block is where follows from begin() and end(), so
/// these two numbers and the num_blocks() values of blocks() are all that another worker, device or
/// machine needs: `partial_fold(begin, end, blocks)`.
template <class T>
class partial_fold {
  static_assert(std::is_trivially_copyable_v<T>, "elements move between memories byte by byte");

 public:
  using value_type = T;

  /// 15 items and one block of each level above on either slope, and one that completes a block. No
  /// range has two blocks of the last level.
  static constexpr int capacity = 2 * (detail::fold_run - 1 + detail::fold_levels - 2) + 1;

  /// The empty range that begins, and ends, at `begin`.
  EF_HD explicit partial_fold(std::uint64_t begin = 0) : begin_(begin), end_(begin) {}

  /// The range [begin, end) with the folds of its blocks.
  EF_HD partial_fold(std::uint64_t begin, std::uint64_t end, const T* blocks)
      : begin_(begin), end_(end) {
    for (std::uint64_t at = begin; at < end; ++num_blocks_) {
      blocks_[num_blocks_] = blocks[num_blocks_];
      at += detail::fold_block_length(detail::first_fold_level(at, end));
    }
  }

  EF_HD std::uint64_t begin() const { return begin_; }
  EF_HD std::uint64_t end() const { return end_; }
  EF_HD bool empty() const { return begin_ == end_; }
  EF_HD int num_blocks() const { return num_blocks_; }
  EF_HD const T* blocks() const { return blocks_; }

  /// Appends the next item.
  template <class Op>
  EF_HD void append(const T& item, const Op& op) {
    append_block(0, item, op);
  }

  /// Appends the fold of a block; end() is a multiple of the length of the block.
  template <class Op>
  EF_HD void append_block(int level, const T& fold, const Op& op) {
    blocks_[num_blocks_++] = fold;
    end_ += detail::fold_block_length(level);
    for (; completes(level + 1); ++level) {
      num_blocks_ -= level == 0 ? detail::fold_run - 1 : 1;
      T* const last = blocks_ + num_blocks_ - 1;
      *last = level == 0 ? detail::fold_by_halves(last, op) : op(last[0], last[1]);
    }
  }

  /// Appends the range of another partial fold, which begins at end().
  template <class Op>
  EF_HD void join(const partial_fold& next, const Op& op) {
    std::uint64_t at = next.begin_;
    for (int k = 0; k < next.num_blocks_; ++k) {
      const int level = detail::first_fold_level(at, next.end_);
      append_block(level, next.blocks_[k], op);
      at += detail::fold_block_length(level);
    }
  }

  /// init (+) the fold of the range; `init` where the range is empty.
  template <class Op>
  EF_HD T fold(const Op& op, T init) const {
    for (int k = 0; k < num_blocks_; ++k) init = op(init, blocks_[k]);
    return init;
  }

  /// The fold of the range, which is not empty.
  template <class Op>
  EF_HD T fold(const Op& op) const {
    T result = blocks_[0];
    for (int k = 1; k < num_blocks_; ++k) result = op(result, blocks_[k]);
    return result;
  }

 private:
  /// Whether the range ends with a whole block of this level.
  EF_HD bool completes(int level) const {
    return level < detail::fold_levels && detail::is_fold_border(end_, level) &&
           end_ - begin_ >= detail::fold_block_length(level);
  }

  std::uint64_t begin_, end_;
  int num_blocks_ = 0;
  /// A union, since T may have no default constructor.
  union {
    T blocks_[capacity];
  };
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace evenfold
