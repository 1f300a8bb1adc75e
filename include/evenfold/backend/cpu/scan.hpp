#pragma once
// transform_scan on CPU threads: each thread folds an equal share of the values, the partial folds
// of the shares before each are joined, then every thread scans its share. One thread needs the
// last step only.
//
// A block is scanned in as many runs of 16 values as a vector has lanes, or in four. The folds of
// the runs give what precedes each run. Each lane scans one run; without vectors, the chains of
// dependent operations of the runs overlap.

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "evenfold/backend/cpu/context.hpp"
#include "evenfold/backend/cpu/fold_range.hpp"
#include "evenfold/backend/cpu/vector_fold.hpp"
#include "evenfold/backend/cpu/vector_scan.hpp"
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

// g++ cannot see that a prefix is written before it is read, and warns where calls are inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// Scans values [begin, end), where `before` is the partial fold of everything before them.
template <scan_kind Kind, class T, class Size, class F, class Output, class Op, class Init>
class range_scan {
 public:
  range_scan(const partial_fold<T>& before, F f, Output out, Op op, Init init)
      : before_(before.begin()), f_(f), out_(out), op_(op) {
    if constexpr (!std::is_same_v<Init, no_init>) std::construct_at(prefixes_.value, init);
    // One block after the other, for the folds of everything up to each.
    std::uint64_t at = before.begin();
    for (int k = 0; k < before.num_blocks(); ++k) {
      const int level = detail::first_fold_level(at, before.end());
      append(level, before.blocks()[k]);
      at += detail::fold_block_length(level);
    }
  }

  /// Returns the fold of everything up to `end`, which is not 0 where there is no initial value.
  T operator()(Size i, Size end) {
    if constexpr (std::is_same_v<Init, no_init>) {
      // Without an initial value nothing precedes the first value.
      if (before_.empty()) {
        out_[i] = append(0, static_cast<T>(f_(i)));
        ++i;
      }
    }
    T base = prefixes_.value[before_.num_blocks()];
    if constexpr (std::integral<T>) {
      if constexpr (scans_integers_in_vectors<T, F, Output, Op>) {
        i = scan_integers<Kind>(i, end, f_.input, out_, base);
      }
      for (; i < end; ++i) {
        const T next = op_(base, static_cast<T>(f_(i)));
        out_[i] = Kind == scan_kind::inclusive ? next : base;
        base = next;
      }
      return base;
    }
    const auto has_block = [&](int items) {
      const std::uint64_t at = static_cast<std::uint64_t>(i);
      const auto length = static_cast<std::uint64_t>(items);
      return at % length == 0 && static_cast<std::uint64_t>(end) - at >= length;
    };
    while (i < end) {
      if (has_block(block_runs * run)) {
        if constexpr (in_vectors) {
          base = scan_vectors(i, base);
        } else {
          base = scan_four_runs(i, base);
        }
        i = static_cast<Size>(i + block_runs * run);
      } else if (has_block(run)) {
        base = scan_run(i, base);
        i = static_cast<Size>(i + run);
      } else {
        const T next = append(0, static_cast<T>(f_(i)));
        out_[i] = Kind == scan_kind::inclusive ? next : base;
        base = next;
        ++i;
      }
    }
    return base;
  }

 private:
  /// Appends a block; returns the fold of everything so far.
  T append(int level, const T& fold) {
    before_.append_block(level, fold, op_);
    const int blocks = before_.num_blocks();
    const T& last = before_.blocks()[blocks - 1];
    T* const prefix = prefixes_.value + blocks;
    const bool is_first = std::is_same_v<Init, no_init> && blocks == 1;
    std::construct_at(prefix, is_first ? last : op_(prefix[-1], last));
    return *prefix;
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
    const T next = append(1, read_run(begin, x));
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
    const T next = append(3, op_(left, op_(c, d)));
    write_run(at(0), x, base, before_b);
    write_run(at(1), x + run, before_b, before_c);
    write_run(at(2), x + 2 * run, before_c, before_d);
    write_run(at(3), x + 3 * run, before_d, next);
    return next;
  }

  /// Scans a block of runs in the lanes of vectors.
  T scan_vectors(Size begin, const T& base) {
    using vector = vector_of<T>;
    constexpr int lanes = vector_lanes<T>;
    // x[k] has the k-th value of each run.
    vector x[run];
    for (int k = 0; k < run; k += lanes) {
      for (int r = 0; r < lanes; ++r) {
        const Size at = static_cast<Size>(begin + Size(r * run + k));
        x[k + r] = item_vectors<T, Size, F>{at, f_}[0];
      }
      transpose<T>(x + k);
    }
    const vector fold = fold_vectors<run, T>(x, op_);
    vector before, next;
    if constexpr (lanes == 2) {
      const T middle = op_(base, fold[0]);
      before = vector{base, middle};
      next = vector{middle, append(2, op_(fold[0], fold[1]))};
    } else {
      const T left = op_(fold[0], fold[1]);
      const T middle = op_(base, left);
      before = vector{base, op_(base, fold[0]), middle, op_(middle, fold[2])};
      next = vector{before[1], before[2], before[3], append(3, op_(left, op_(fold[2], fold[3])))};
    }
    for (int k = 0; k < run; ++k) {
      const vector after = k < run - 1 ? op_(before, x[k]) : next;
      x[k] = Kind == scan_kind::inclusive ? after : before;
      before = after;
    }
    for (int k = 0; k < run; k += lanes) {
      transpose<T>(x + k);
      for (int r = 0; r < lanes; ++r) {
        std::memcpy(out_ + static_cast<Size>(begin + Size(r * run + k)), x + k + r, sizeof(vector));
      }
    }
    return next[lanes - 1];
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
  static constexpr bool in_vectors = folds_in_vectors<Op, T> && std::same_as<Output, T*>;
  static constexpr int block_runs = in_vectors ? 16 / sizeof(T) : 4;

  partial_fold<T> before_;
  /// The folds of everything up to each block of `before_`.
  values_for<T, partial_fold<T>::capacity + 1> prefixes_;
  F f_;
  Output out_;
  Op op_;
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

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
  // A thread that folds and scans the first range moves four words per value, where the others
  // move one and fold only: it gets a quarter of their values.
  const auto begin_of = [=](std::size_t range) {
    return detail::share_begin(items, 4 * shares + 1, range == 0 ? 0 : 4 * range - 3);
  };
  const auto scan_range = [&](std::size_t range, const partial_fold<T>& before) {
    const T fold = scan(before, begin_of(range), begin_of(range + 1));
    if (range == shares && total != nullptr) *total = fold;
  };
  array<partial_fold<T>> folds(ctx, shares);
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const Size begin = static_cast<Size>(begin_of(s));
      const Size end = static_cast<Size>(begin_of(s + 1));
      cpu::append_range(*std::construct_at(&folds[s], begin), begin, end, f, op);
      if (s == 0) scan_range(0, partial_fold<T>());
    }
  });
  // The folds of everything up to the end of each range.
  for (std::size_t s = 1; s < shares; ++s) {
    partial_fold<T> joined = folds[s - 1];
    joined.join(folds[s], op);
    folds[s] = joined;
  }
  ctx.parallel(shares, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) scan_range(s + 1, folds[s]);
  });
}

}  // namespace evenfold::backend
