#pragma once
// Operations on sequences that keep or find an order: `engine::sequences()`.

#include <cstddef>
#include <cstdint>

#include "runtime/array.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::runtime {

enum class search_side { left, right };

/// The distinct keys in ascending order, and for each the index of its first element and the number
/// of its elements, both int64.
struct unique_found {
  array keys, firsts, counts;
  /// The indices that sort the elements stably in ascending order, int64.
  array order;
  /// For each element the index of its key, int64; empty unless asked for.
  array inverse;
};

/// The distinct keys in ascending order, and the number of elements of each, int64.
struct unique_counted {
  array keys, counts;
};

/// Elements and their indices, int64.
struct top_found {
  array values, indices;
};

/// The elements are of any type unless a function says otherwise; NaN come last in any order, and
/// are one key. Arrays are where the engine can reach them. Errors of all: type_error,
/// closed_engine_error, argument_error for an array that the engine cannot reach, allocation_error.
class sequence_operations {
 public:
  virtual ~sequence_operations() = default;

  /// The fold of the elements up to each element, without the element itself if `exclusive`.
  /// Integers wrap around, and are folded as int64, those of uint64 as uint64. Does not wait.
  virtual array scan(const array& values, fold_operator op, bool exclusive) = 0;

  /// Sorts in place: int32, int64, float32 or float64. Does not wait.
  virtual void sort(array& values) = 0;
  /// The indices, int64, that sort the elements stably. Does not wait.
  virtual array sort_indices(const array& values) = 0;

  /// Two sorted sequences of one type, int32, int64, float32 or float64, as one; equal elements of
  /// `a` come first. Does not wait.
  virtual array merge(const array& a, const array& b) = 0;

  /// The index, int64, at which each needle could be inserted into the sorted haystack, before or
  /// after equal elements. Does not wait.
  virtual array search(const array& haystack, const array& needles, search_side side) = 0;

  /// Waits.
  virtual unique_found unique(const array& keys, bool inverse) = 0;
  /// The keys and counts of unique() alone, which take less time: integers of a small range are
  /// counted in bins, and other keys are sorted without their indices. Waits.
  virtual unique_counted count_unique(const array& keys) = 0;

  /// The min(k, count) largest elements in descending order, or the smallest in ascending order;
  /// equal elements keep their order. Waits.
  virtual top_found top_k(const array& values, std::int64_t k, bool largest) = 0;

  /// values[indices[i]]; indices are int64 and inside of the array.
  virtual array take(const array& values, const array& indices) = 0;

  /// The codes of keys, uint64, as in key_column: those of the left keys, followed by those of the
  /// right keys, which are of the same type. `right` may be empty. Does not wait.
  virtual array codes(const array& left, const array& right) = 0;
};

}  // namespace evenfold::runtime
