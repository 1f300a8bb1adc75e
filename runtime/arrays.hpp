#pragma once
// Operations on sequences of numbers: `engine::arrays()`.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "evenfold/algorithm/bins.hpp"
#include "evenfold/balance/fold_rounds.hpp"
#include "runtime/array.hpp"
#include "runtime/number.hpp"

namespace evenfold::runtime {

enum class fold_operator { sum, product, max, min };

/// Called with the cells, in the memory of the engine: before the first round of a fold (as round
/// 0), and after each round.
using fold_observer = std::function<void(int round, const array& cells)>;

/// Edges of bins in ascending order.
struct bin_edges {
  std::vector<double> edges;
  /// Whether the last bin includes its upper edge.
  bool closed;
};
using binning = std::variant<regular_bins, bin_edges>;

/// Arrays are where the engine can reach them. The element types of each operation are in
/// runtime/operation_types.hpp. Errors of all: type_error, closed_engine_error, argument_error for
/// an array that the engine cannot reach or sizes that differ, allocation_error.
class array_operations {
 public:
  virtual ~array_operations() = default;

  /// `count` normally distributed random numbers. They depend only on the seed and their index, and
  /// are the same on every device. Does not wait.
  virtual array normal(element_type type, std::size_t count, std::uint64_t seed, double mean,
                       double deviation) = 0;
  /// `count` random numbers, uniformly distributed in [low, high), also for integers. Otherwise as
  /// normal().
  virtual array uniform(element_type type, std::size_t count, std::uint64_t seed, double low,
                        double high) = 0;

  /// The fold of all elements, as evenfold::fold; the identity of the operator if there are none.
  /// Integers wrap around. The observer may be empty. Waits.
  virtual number fold(const array& values, fold_operator op, fold_strategy strategy,
                      const fold_observer& observer) = 0;

  /// The sum of x[i] * y[i]. Integers wrap around. Waits.
  virtual number dot(const array& x, const array& y) = 0;

  /// y = a x + y. Does not wait.
  virtual void saxpy(double a, const array& x, array& y) = 0;

  /// The number of values in each bin (uint64), or, unless `weights` is empty, the sums of their
  /// weights (float64). outlier_kinds elements for the outliers follow those of the bins. Values
  /// and weights are float64. Does not wait.
  virtual array histogram(const array& values, const array& weights, const binning& bins) = 0;
};

/// A cell of a fold that violates the loop invariant.
struct broken_fold_cell {
  std::size_t cell;
  number found, expected;
};

/// The first cell that breaks the loop invariant of the strategy after a round, if any; both arrays
/// are on the host. Work O(count).
std::optional<broken_fold_cell> first_broken_fold_cell(fold_operator op, fold_strategy strategy,
                                                       int round, const array& values,
                                                       const array& cells);

}  // namespace evenfold::runtime
