#pragma once
// `evaluator`: computes an expression on the host, tile by tile, without a compiler.
//
// A tile is 1024 items. Every step computes its register for a whole tile in one compiled loop, and
// the registers of a tile stay in the first caches.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/functions.hpp"

namespace evenfold::runtime {

/// The number of items of a tile; tiles begin at its multiples.
inline constexpr std::int64_t expression_tile = 1024;

/// The addresses of the operands and of the result of a step.
struct step_operands {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  void* result = nullptr;
};

/// Computes a step for `count` items.
using step_loop = void (*)(const step_operands& at, int count);

/// The loop of a step whose first operand has a type.
///
/// Errors: type_error for a type that the operation does not exist for.
step_loop loop_of(expression_op op, element_type operand, element_type result);

/// The registers of one thread.
class register_file {
 public:
  std::byte* at(std::size_t buffer) { return bytes_.get() + ahead + buffer * buffer_size; }
  /// Folds of segments read the run before their first item, too, in vectors.
  static constexpr std::size_t ahead = 16 * sizeof(double);
  /// Elements that are the same for a segment are written in blocks, of which the last one may end
  /// behind the tile.
  static constexpr int block = 16;
  static constexpr std::size_t buffer_size = sizeof(double) * (expression_tile + block);

 private:
  friend class evaluator;
  std::unique_ptr<std::byte[]> bytes_;
  std::vector<step_operands> operands_;
  std::vector<void*> registers_;
  /// The elements of each input, where the expression is native.
  std::vector<const void*> inputs_;
  /// The first item of the tile whose segments were written last, and its segment.
  std::int64_t item_ = 0, segment_ = 0;
};

/// An expression with its arguments. Used by several threads at once, each with registers of its
/// own.
class evaluator {
 public:
  /// The addresses of the elements of the arguments, whose lengths are checked. Tables are looked
  /// up where the host can reach them.
  struct table {
    const void* elements;
    element_type type;
    std::int64_t size;
  };
  struct memory {
    std::vector<const void*> inputs;
    std::vector<table> tables;
    std::vector<number_bits> numbers;
    const std::int64_t* offsets = nullptr;
    std::int64_t num_segments = 0;
  };

  evaluator(const expression& steps, memory arguments);

  /// Fresh registers, in which the numbers are set.
  register_file registers() const;

  /// Computes the items from `begin` on, at most a tile of them. Where `results` is not null, the
  /// results are written to results[k]; else their registers are returned by result().
  ///
  /// Errors: index_error.
  void evaluate(register_file& file, std::int64_t begin, int count) const;

  /// The elements of result k in the tile that was computed last.
  const void* result(const register_file& file, std::size_t k) const {
    return file.registers_[register_of(k)];
  }

  /// The same for other inputs than those of the arguments: elements at these addresses.
  void evaluate(register_file& file, const void* const* inputs, int count) const;

  /// Whether the result is folded natively.
  bool folds() const { return steps_.fold != nullptr; }
  /// As native_fold, for `count` items in the segments of the arguments.
  ///
  /// Errors: index_error.
  std::int64_t fold(std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t count,
                    void* folds, const void* init) const {
    long long wrong = 0;
    const auto* const offsets = reinterpret_cast<const long long*>(memory_.offsets);
    const long long next =
        steps_.fold(first, last, begin, offsets, count, folds, init, &wrong, memory_.inputs.data(),
                    tables_.data(), sizes_.data(), numbers());
    check_indices(wrong);
    return next;
  }

  std::size_t num_results() const { return steps_.results.size(); }
  element_type result_type(std::size_t k) const { return steps_.result_type(k); }
  /// A number that no other evaluator has.
  std::uint64_t identity() const { return identity_; }

 private:
  void run(register_file& file, std::int64_t begin, int count) const;
  void run_native(register_file& file, std::int64_t begin, int count) const;
  const unsigned long long* numbers() const {
    return reinterpret_cast<const unsigned long long*>(memory_.numbers.data());
  }
  /// Refuses a wrong index that a native function has met.
  static void check_indices(long long wrong);
  /// The segment of item `begin`.
  std::int64_t segment_of(register_file& file, std::int64_t begin) const;
  void write_segments(register_file& file, std::int64_t begin, int count, std::int64_t* to,
                      bool ranks) const;
  /// The same where several begin in the tile: `offsets` are those from `segment` on.
  static void write_many_segments(const std::int64_t* offsets, std::int64_t segment,
                                  std::int64_t begin, int count, std::int64_t* to, bool ranks);
  void take(const expression_step& step, const step_operands& at, int count) const;
  /// The same where the index is the segment, which exists.
  void take_by_segment(const expression_step& step, register_file& file, std::int64_t begin,
                       int count, void* to) const;
  void plan_segments();
  /// The register of result k. Native tiles have one for each result.
  std::size_t register_of(std::size_t k) const {
    return steps_.native != nullptr ? k : static_cast<std::size_t>(steps_.results[k]);
  }
  element_type type_of(std::int32_t step) const {
    return steps_.steps[static_cast<std::size_t>(step)].type;
  }

  expression steps_;
  memory memory_;
  /// The addresses and sizes of the tables, for native tiles.
  std::vector<const void*> tables_;
  std::vector<long long> sizes_;
  std::vector<step_loop> loops_;
  /// Elements of tables whose index is the segment are written segment by segment. Then nothing
  /// else may need the numbers of the segments.
  enum class plan : char { by_item, by_segment, not_needed };
  std::vector<plan> plans_;
  /// The buffer of each step, or none for inputs.
  std::vector<std::size_t> buffers_;
  std::size_t num_buffers_ = 0;
  std::uint64_t identity_;
};

}  // namespace evenfold::runtime
