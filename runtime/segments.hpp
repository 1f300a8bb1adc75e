#pragma once
// Operations on the segments of a sequence: `engine::segments()`.

#include <cstdint>
#include <vector>

#include "runtime/array.hpp"
#include "runtime/arrays.hpp"

namespace evenfold::runtime {

/// A sequence that is cut into segments.
struct segmented_array {
  array values;
  /// int64, one more than there are segments: the index of the first element of each segment, and
  /// the number of all elements.
  array offsets;

  std::int64_t num_segments() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

/// Values are of any type unless a function says otherwise; NaN come last in any order. Arrays are
/// where the engine can reach them. Errors of all: type_error, closed_engine_error, argument_error
/// for an array that the engine cannot reach, sizes that differ, or offsets that do not begin at 0,
/// end at the number of values, or decrease, allocation_error. All wait.
class segment_operations {
 public:
  virtual ~segment_operations() = default;

  /// The fold of each segment; the identity of the operator for an empty one. Integers are folded
  /// as int64, or uint64 for elements of uint64, and wrap around.
  virtual array reduce(const segmented_array& of, fold_operator op) = 0;
  /// The mean of each segment, float64; NaN for an empty one.
  virtual array mean(const segmented_array& of) = 0;
  /// The index in the segment of its first smallest or largest element, int64; -1 for an empty
  /// segment.
  virtual array argmin(const segmented_array& of) = 0;
  virtual array argmax(const segmented_array& of) = 0;

  /// The fold of the elements of a segment up to each element, without the element itself if
  /// `exclusive`. Types as for reduce.
  virtual array scan(const segmented_array& of, fold_operator op, bool exclusive) = 0;

  /// The indices in the whole sequence, int64, that sort each segment in ascending or descending
  /// order, stably.
  virtual array sort_indices(const segmented_array& of, bool descending) = 0;

  /// The first k results of sort_indices for each segment, or all of a shorter one. argument_error
  /// for a negative k.
  virtual segmented_array top_k_indices(const segmented_array& of, std::int64_t k,
                                        bool descending) = 0;
  /// Segment s of the result has segment s of each part, one after the other. The parts have as
  /// many segments and values of one type; there is at least one.
  virtual segmented_array concat(const std::vector<const segmented_array*>& parts) = 0;
  /// The elements whose mask, a bool per element, is true.
  virtual segmented_array filter(const segmented_array& of, const array& mask) = 0;
};

}  // namespace evenfold::runtime
