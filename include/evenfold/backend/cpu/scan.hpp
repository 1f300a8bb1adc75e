#pragma once
// transform_scan on CPU threads: each thread folds an equal share of the values, the partial folds
// of the shares before each are joined, then every thread scans its share. One thread needs the
// last step only.
//
// A block of 64 values is scanned in four runs of 16. The folds of the runs give what precedes each
// run, so that the chains of dependent operations are short, and those of several runs overlap.

#include <concepts>
#include <memory>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/balance/shares.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/tuning.hpp"

namespace evenfold::cpu {

/// Storage for `Count` values that are constructed later.
template <class T, int Count>
union values_for {
  T value[Count];
  values_for() {}
};

/// Scans values [begin, end), where `before` is the partial fold of everything before them.
template <scan_kind Kind, class T, class Size, class F, class Output, class Op, class Init>
class range_scan {
 public:
  range_scan(const partial_fold<T>& before, F f, Output out, Op op, Init init)
      : before_(before), f_(f), out_(out), op_(op), init_(init) {}

  /// Returns the fold of everything up to `end`, which is not 0 where there is no initial value.
  T operator()(Size i, Size end) {
    if constexpr (std::is_same_v<Init, no_init>) {
      // Without an initial value nothing precedes the first value, and hence the first run.
      if (before_.empty()) write_first(i++);
      while (i < detail::fold_run && i < end) write_first(i++);
    }
    T base = prefix();
    if constexpr (std::integral<T>) {
      for (; i < end; ++i) {
        const T next = op_(base, static_cast<T>(f_(i)));
        out_[i] = Kind == scan_kind::inclusive ? next : base;
        base = next;
      }
      return base;
    }
    const auto at = [](Size index) { return static_cast<std::uint64_t>(index); };
    while (i < end) {
      if (at(i) % (4 * run) == 0 && at(end) - at(i) >= 4 * run) {
        base = scan_four_runs(i, base);
        i = static_cast<Size>(i + 4 * run);
      } else if (at(i) % run == 0 && at(end) - at(i) >= run) {
        base = scan_run(i, base);
        i = static_cast<Size>(i + run);
      } else {
        const T x = static_cast<T>(f_(i));
        const T next = append(0, x, base);
        out_[i] = Kind == scan_kind::inclusive ? next : base;
        base = next;
        ++i;
      }
    }
    return base;
  }

 private:
  /// The fold of everything so far.
  T prefix() const {
    if constexpr (std::is_same_v<Init, no_init>) {
      return before_.fold(op_);
    } else {
      return before_.fold(op_, init_);
    }
  }

  void write_first(Size i) {
    before_.append(static_cast<T>(f_(i)), op_);
    out_[i] = before_.fold(op_);
  }

  /// Appends a block; returns the fold of everything so far, which was `base` before.
  T append(int level, const T& fold, const T& base) {
    const int blocks = before_.num_blocks();
    before_.append_block(level, fold, op_);
    return before_.num_blocks() == blocks + 1 ? op_(base, fold) : prefix();
  }

  /// Reads values; returns their fold.
  T read_run(Size begin, T* x) const {
    for (int k = 0; k < run; ++k) {
      std::construct_at(x + k, static_cast<T>(f_(static_cast<Size>(begin + Size(k)))));
    }
    return detail::fold_by_halves(x, op_);
  }

  T scan_run(Size begin, const T& base) {
    values_for<T, run> values;
    T* const x = values.value;
    const T next = append(1, read_run(begin, x), base);
    write_run(begin, x, base, next);
    return next;
  }

  /// Scans a block of four runs. What precedes its third run is `base` (+) the fold of the first
  /// two.
  T scan_four_runs(Size begin, const T& base) {
    values_for<T, 4 * run> values;
    T* const x = values.value;
    const auto at = [=](int k) { return static_cast<Size>(begin + Size(k * run)); };
    const T a = read_run(at(0), x);
    const T b = read_run(at(1), x + run);
    const T c = read_run(at(2), x + 2 * run);
    const T d = read_run(at(3), x + 3 * run);
    const T left = op_(a, b);
    const T before_b = op_(base, a);
    const T before_c = op_(base, left);
    const T before_d = op_(before_c, c);
    const T next = append(3, op_(left, op_(c, d)), base);
    write_run(at(0), x, base, before_b);
    write_run(at(1), x + run, before_b, before_c);
    write_run(at(2), x + 2 * run, before_c, before_d);
    write_run(at(3), x + 3 * run, before_d, next);
    return next;
  }

  /// Writes the prefixes of a run of values x, where `fold` is what precedes it, `next` the fold up
  /// to its end.
  void write_run(Size begin, const T* x, T fold, const T& next) {
    if constexpr (Kind == scan_kind::exclusive) out_[begin] = fold;
    for (int k = 0; k < run - 1; ++k) {
      fold = op_(fold, x[k]);
      out_[static_cast<Size>(begin + Size(Kind == scan_kind::inclusive ? k : k + 1))] = fold;
    }
    if constexpr (Kind == scan_kind::inclusive) {
      out_[static_cast<Size>(begin + Size(run - 1))] = next;
    }
  }

  static constexpr int run = detail::fold_run;

  partial_fold<T> before_;
  F f_;
  Output out_;
  Op op_;
  Init init_;
};

}  // namespace evenfold::cpu

namespace evenfold::backend {

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(cpu_context& ctx, Size count, F f, Output out, Op op, Init init, T* total) {
  constexpr std::size_t tile = detail::tuning_or<Tuning, cpu_tuning<1 << 14>>::tile;
  const auto scan = [=](const partial_fold<T>& before, std::size_t begin, std::size_t end) {
    cpu::range_scan<Kind, T, Size, F, Output, Op, Init> range(before, f, out, op, init);
    return range(static_cast<Size>(begin), static_cast<Size>(end));
  };
  if (count == 0) {
    if constexpr (!std::is_same_v<Init, no_init>) {
      if (total != nullptr) *total = init;
    }
    return;
  }
  const std::size_t items = static_cast<std::size_t>(count);
  const std::size_t shares = ctx.shares(items, tile);
  if (shares == 1) {
    const T all = scan(partial_fold<T>(), 0, items);
    if (total != nullptr) *total = all;
    return;
  }
  array<partial_fold<T>> before(ctx, shares);
  ctx.parallel(shares - 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const Size begin = static_cast<Size>(detail::share_begin(items, shares, s));
      const Size end = static_cast<Size>(detail::share_begin(items, shares, s + 1));
      cpu::append_range(*std::construct_at(&before[s + 1], begin), begin, end, f, op);
    }
  });
  std::construct_at(&before[0]);
  for (std::size_t s = 1; s < shares; ++s) {
    partial_fold<T> joined = before[s - 1];
    joined.join(before[s], op);
    before[s] = joined;
  }
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const T fold = scan(before[s], detail::share_begin(items, shares, s),
                          detail::share_begin(items, shares, s + 1));
      if (s + 1 == shares && total != nullptr) *total = fold;
    }
  });
}

}  // namespace evenfold::backend
