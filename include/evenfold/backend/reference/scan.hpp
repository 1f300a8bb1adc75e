#pragma once
// transform_scan, serially: prefix i is the canonical fold of all values up to there.

#include <concepts>
#include <optional>
#include <type_traits>

#include "evenfold/backend/reference/context.hpp"
#include "evenfold/balance/fold_order.hpp"
#include "evenfold/core/functional.hpp"

namespace evenfold {
namespace reference {

/// The fold of a range that begins at 0, after `init` if there is one.
template <class T, class Op, class Init>
class running_fold {
 public:
  running_fold(const Op& op, const Init& init) : op_(op), init_(init) {
    if constexpr (has_init) runs_.emplace(static_cast<T>(init));
  }

  void append(const T& item) {
    if constexpr (detail::is_exact_fold<Op, T>) {
      runs_.emplace(runs_ ? op_(*runs_, item) : item);
    } else {
      range_.append(item, op_);
      if (range_.end() % detail::fold_run != 0) {
        items_.emplace(items_ ? op_(*items_, item) : item);
        return;
      }
      items_.reset();
      if constexpr (has_init) {
        runs_.emplace(range_.fold(op_, static_cast<T>(init_)));
      } else {
        runs_.emplace(range_.fold(op_));
      }
    }
  }

  /// Asked for only if there is an item or `init`.
  T value() const {
    if (!items_) return *runs_;
    return runs_ ? op_(*runs_, *items_) : *items_;
  }

 private:
  static constexpr bool has_init = !std::is_same_v<Init, no_init>;

  const Op& op_;
  const Init& init_;
  partial_fold<T> range_;
  std::optional<T> runs_;   ///< the fold up to the last multiple of 16, or of all that is exact
  std::optional<T> items_;  ///< the fold of the items from there on
};

}  // namespace reference

namespace backend {

template <scan_kind Kind, class Tuning, std::integral Size, class F, class Output, class Op,
          class Init, class T>
void transform_scan(reference_context&, Size count, F f, Output out, Op op, Init init, T* total) {
  reference::running_fold<T, Op, Init> prefix(op, init);
  for (Size i = 0; i < count; ++i) {
    const T value = static_cast<T>(f(i));
    if constexpr (Kind == scan_kind::exclusive) out[i] = prefix.value();
    prefix.append(value);
    if constexpr (Kind == scan_kind::inclusive) out[i] = prefix.value();
  }
  if (std::is_same_v<Init, no_init> && count == 0) return;
  if (total != nullptr) *total = prefix.value();
}

}  // namespace backend
}  // namespace evenfold
