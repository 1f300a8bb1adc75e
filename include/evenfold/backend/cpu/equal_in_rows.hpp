#pragma once
// Runs of equal numbers in rows on CPU threads: how many there are, and one result for each.
//
// Threads take equal shares of the items. A run belongs to the share in which it begins, even if it
// ends in another. A first pass counts, without a branch, the items that are equal to the one
// before; where a row begins, a run does, too.

#include <algorithm>
#include <cstddef>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"

namespace evenfold::cpu {

/// The runs of equal items in the rows of `numbers`; the rows end where the next one begins.
template <class Number, class Offset, class Row>
class equal_in_rows {
 public:
  /// Counts the runs in each share.
  equal_in_rows(cpu_context& ctx, const Number* numbers, Offset count, const Offset* offsets,
                Row num_rows)
      : ctx_(ctx),
        numbers_(numbers),
        count_(static_cast<std::size_t>(count)),
        offsets_(offsets),
        num_rows_(static_cast<std::size_t>(num_rows)),
        shares_(ctx.shares(count_ + num_rows_, least_steps)),
        before_(ctx, shares_ + 1) {
    ctx.parallel(shares_, [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) before_[s + 1] = count_runs(s);
    });
    before_[0] = 0;
    for (std::size_t s = 0; s < shares_; ++s) before_[s + 1] += before_[s];
  }

  std::size_t num_runs() const { return before_[shares_]; }

  /// The first item that is equal to the one before it in its row; there is one.
  Offset first_equal() const {
    for (std::size_t r = 0;; ++r) {
      const Number* const end = numbers_ + offsets_[r + 1];
      const Number* const found = std::adjacent_find(numbers_ + offsets_[r], end);
      if (found != end) return static_cast<Offset>(found + 1 - numbers_);
    }
  }

  /// Writes where the runs of each row begin, for all rows and their end, and calls emit(run,
  /// begin, end) for every run of items [begin, end).
  template <class Emit>
  void write(Offset* run_offsets, const Emit& emit) const {
    ctx_.parallel(shares_, [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) write_share(s, run_offsets, emit);
    });
    run_offsets[num_rows_] = static_cast<Offset>(num_runs());
  }

 private:
  static constexpr std::size_t least_steps = 1 << 14;

  std::size_t item(std::size_t share) const { return detail::share_begin(count_, shares_, share); }

  /// The first row that begins at item k or behind it; the last share has those of no items, too.
  std::size_t row_at(std::size_t share) const {
    if (share == shares_) return num_rows_;
    return static_cast<std::size_t>(
        std::lower_bound(offsets_, offsets_ + num_rows_, static_cast<Offset>(item(share))) -
        offsets_);
  }

  std::size_t count_runs(std::size_t share) const {
    const std::size_t begin = std::max<std::size_t>(item(share), 1), end = item(share + 1);
    const Number* const numbers = numbers_;
    Offset equal = 0;
    for (std::size_t k = begin; k < end; ++k) equal += numbers[k] == numbers[k - 1] ? 1 : 0;
    const std::size_t last = row_at(share + 1);
    for (std::size_t r = row_at(share); r < last; ++r) {
      const auto at = static_cast<std::size_t>(offsets_[r]);
      if (at == 0 || at == count_) continue;
      const bool has_items = offsets_[r] < offsets_[r + 1];
      const bool counted = has_items & (numbers[at] == numbers[at - 1]);
      equal -= counted ? 1 : 0;
    }
    return end - item(share) - static_cast<std::size_t>(equal);
  }

  template <class Emit>
  void write_share(std::size_t share, Offset* run_offsets, Emit emit) const {
    const Number* const numbers = numbers_;
    const Offset* const offsets = offsets_;
    const std::size_t share_end = item(share + 1);
    std::size_t k = item(share);
    std::size_t run = before_[share];
    // The runs of a row that begin before `last`. The last of them may end behind it.
    const auto write_row = [&](std::size_t last, std::size_t row_end) {
      while (k < last) {
        const Number number = numbers[k];
        std::size_t next = k + 1;
        while (next < row_end && numbers[next] == number) ++next;
        emit(run++, k, next);
        k = next;
      }
    };
    std::size_t row = row_at(share);
    const std::size_t last_row = row_at(share + 1);
    const auto begin_of = [&](std::size_t r) { return static_cast<std::size_t>(offsets[r]); };
    // The rest of a row that began before.
    const std::size_t row_end = begin_of(row);
    if (k < row_end) {
      if (k > 0) {
        while (k < row_end && numbers[k] == numbers[k - 1]) ++k;
      }
      write_row(std::min(share_end, row_end), row_end);
    }
    for (; row < last_row; ++row) {
      run_offsets[row] = static_cast<Offset>(run);
      const std::size_t end = begin_of(row + 1);
      write_row(std::min(share_end, end), end);
    }
  }

  cpu_context& ctx_;
  const Number* numbers_;
  std::size_t count_;
  const Offset* offsets_;
  std::size_t num_rows_, shares_;
  /// The runs before each share.
  array<std::size_t> before_;
};

}  // namespace evenfold::cpu
