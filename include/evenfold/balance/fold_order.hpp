#pragma once
// The canonical order of folds: the definition that every backend implements.
//
// A fold of floating-point numbers depends on where the brackets stand. Here the brackets are fixed
// by the range of items and nothing else: not by threads, tiles, vectors or the device.
//
// - A run is 16 consecutive items, the first of which is a multiple of 16. Where the operator is
//   commutative, a run is the fold of its even positions (+) the fold of its odd ones; even
//   positions are 0, 4, ... (+) 2, 6, ..., and so on: these are whole vectors. Otherwise a run is
//   folded from left to right.
// - A group is 512 consecutive items, the first of which is a multiple of 512. A range is cut into
//   parts at multiples of 512 and before the items after its last multiple of 16. Groups that lie
//   wholly in the range form the largest blocks of 1, 2, 4, ... groups that begin at a multiple of
//   their length.
// - The runs of a part fold as a binary tree: a node is its left half (+) its right half, or only
//   the half that has items of the range. The items before the first multiple of 16 are a run, too,
//   which is folded from left to right; so are the items after the last multiple of 16.
// - The fold of the range is the fold of its parts from left to right. An initial value is the
//   first operand: ((init (+) part) (+) part) (+) ...
//
//     items  460 ... 511 | 512 ... 1023 | 1024 ... 2047 | 2048 ... 2143 | 2144       [460, 2145)
//            4 items and |   a group    |   2 groups    |    6 runs     | an item
//            3 runs      |              |               |               |
//
//     part 460 ... 511:    (items 460 to 463 (+) run 29) (+) (run 30 (+) run 31)
//     part 2048 ... 2143:  ((128 (+) 129) (+) (130 (+) 131)) (+) (132 (+) 133), the numbers of runs
//
// A node of a tree is the fold of the lanes of a warp in a prefix sum by doubling, one run per
// lane. So prefix i of a scan, the fold of [0, i + 1), is ((blocks of groups) (+) runs) (+) items.
// An operand passes through O(log(end - begin)) operations; see docs/folds.md for what that means
// for rounding.

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

/// The number of items of a run.
inline constexpr int fold_run = 16;

/// Blocks of level k are aligned blocks of 2^(k - 1) runs, down to level 0, items, and up to level
/// 59, 2^62 items.
inline constexpr int fold_levels = 60;

/// A group is a block of this level.
inline constexpr int fold_group_level = 6;

/// The number of items of a block of a level.
EF_HD constexpr std::uint64_t fold_block_length(int level) {
  return level == 0 ? 1 : std::uint64_t{fold_run / 2} << level;
}

/// The number of items of a group.
inline constexpr int fold_group = static_cast<int>(fold_block_length(fold_group_level));

/// Whether a block of a level may begin, and end, at an index.
EF_HD constexpr bool is_fold_border(std::uint64_t index, int level) {
  return (index & (fold_block_length(level) - 1)) == 0;
}

/// The level of the first of the largest blocks that the range [begin, end) is cut into. The range
/// is not empty.
EF_HD constexpr int first_fold_level(std::uint64_t begin, std::uint64_t end) {
  int level = 0;
  while (level + 1 < fold_levels && is_fold_border(begin, level + 1) &&
         end - begin >= fold_block_length(level + 1)) {
    ++level;
  }
  return level;
}

/// The number of blocks that [begin, end) is cut into.
EF_HD constexpr int num_fold_blocks(std::uint64_t begin, std::uint64_t end) {
  int blocks = 0;
  for (; begin < end; ++blocks) begin += fold_block_length(first_fold_level(begin, end));
  return blocks;
}

/// The end of the first part of the range [begin, end). The range is not empty.
EF_HD constexpr std::uint64_t fold_part_end(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t runs_end = end - end % fold_run;
  if (begin >= runs_end) return end;
  if (begin % fold_group == 0 && runs_end - begin >= fold_group) {
    return begin + fold_block_length(first_fold_level(begin, end));
  }
  const std::uint64_t group_end = begin - begin % fold_group + fold_group;
  return group_end < runs_end ? group_end : runs_end;
}

/// Where the right half of the tree of a part begins: at the end of a part that is one block, or
/// has no run. The blocks on the left become larger from left to right, those on the right smaller,
/// so that the left half is their fold from left to right, and the right half their fold from right
/// to left.
EF_HD constexpr std::uint64_t fold_part_middle(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t last = end - 1;
  std::uint64_t half = fold_run / 2;
  while (begin / (2 * half) != last / (2 * half)) half *= 2;
  const bool has_one_run = half < fold_run;
  return has_one_run || end - begin == 2 * half ? end : last - last % half;
}

/// The fold of the `Count` values x[0], x[Stride], ..., a power of two, where the operator is
/// commutative: by even and odd positions.
template <class T, class Op, int Count = fold_run, int Stride = 1>
EF_HD constexpr T fold_by_halves(const T* x, const Op& op) {
  if constexpr (Count == 1) {
    return *x;
  } else {
    const T even = fold_by_halves<T, Op, Count / 2, 2 * Stride>(x, op);
    return op(even, fold_by_halves<T, Op, Count / 2, 2 * Stride>(x + Stride, op));
  }
}

/// The fold of the `Count` items of a whole run, or of as many of its positions.
template <class T, class Op, int Count = fold_run>
EF_HD constexpr T fold_whole_run(const T* x, const Op& op) {
  if constexpr (is_commutative<Op, T>) {
    return fold_by_halves<T, Op, Count>(x, op);
  } else {
    T fold = *x;
// g++ unrolls it by itself only at -O3.
#if !defined(__CUDACC__)
#pragma GCC unroll 16
#endif
    for (int k = 1; k < Count; ++k) fold = op(fold, x[k]);
    return fold;
  }
}

}  // namespace detail

// g++ cannot see that a block is written before it is read, and warns where calls are inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// The contribution of one worker to a fold: the folds of the largest blocks that [begin(), end())
/// is cut into, in order. Items and whole blocks are appended at the end; so is the partial fold of
/// a range that begins there. Law: wherever a range is cut, the joined partial folds of its parts
/// are the partial fold of the range, and fold() of it is the fold of the range, bit for bit.
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
    num_blocks_ = detail::num_fold_blocks(begin, end);
    for (int k = 0; k < num_blocks_; ++k) blocks_[k] = blocks[k];
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
      *last = level == 0 ? detail::fold_whole_run(last, op) : op(last[0], last[1]);
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
    return append_parts(init, begin_, blocks_, op);
  }

  /// The fold of the range, which is not empty.
  template <class Op>
  EF_HD T fold(const Op& op) const {
    const std::uint64_t at = detail::fold_part_end(begin_, end_);
    const T* next = blocks_;
    const T first = fold_part(begin_, at, next, op);
    return append_parts(first, at, next, op);
  }

 private:
  /// The fold of a part, whose blocks are those from `next` on. Moves `next` past them.
  template <class Op>
  EF_HD static T fold_part(std::uint64_t begin, std::uint64_t end, const T*& next, const Op& op) {
    const std::uint64_t middle = detail::fold_part_middle(begin, end);
    const int left_blocks = detail::num_fold_blocks(begin, middle);
    T left = next[0];
    for (int k = 1; k < left_blocks; ++k) left = op(left, next[k]);
    next += left_blocks;
    if (middle == end) return left;
    const int right_blocks = detail::num_fold_blocks(middle, end);
    T right = next[right_blocks - 1];
    for (int k = right_blocks - 2; k >= 0; --k) right = op(next[k], right);
    next += right_blocks;
    return op(left, right);
  }

  /// fold (+) the parts of the range from `at` on, whose blocks are those from `next` on.
  template <class Op>
  EF_HD T append_parts(T fold, std::uint64_t at, const T* next, const Op& op) const {
    while (at < end_) {
      const std::uint64_t end = detail::fold_part_end(at, end_);
      fold = op(fold, fold_part(at, end, next, op));
      at = end;
    }
    return fold;
  }

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
