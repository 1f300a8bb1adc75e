#pragma once
// Expressions as function objects for the algorithms: f(i) and op(a, b).

#include <array>
#include <cstdint>
#include <cstring>

#include "evenfold/core/functional.hpp"
#include "runtime/host/evaluator.hpp"

namespace evenfold::runtime {

/// The largest number of components of a user-defined value.
inline constexpr std::size_t most_components = 4;

/// The registers in which a thread computes an expression. An algorithm uses at most two
/// expressions, alternately.
enum class register_use { items, operators };
register_file& registers_of(const evaluator& f, register_use use);

/// The tile that a thread computed last. Plain data, which a thread reaches by one instruction.
struct computed_tile {
  std::uint64_t evaluator = 0;
  std::int64_t begin = 0;
  std::uint64_t count = 0;
  std::array<const void*, most_components> results{};
};
[[gnu::tls_model("initial-exec")]] extern constinit thread_local computed_tile last_tile;

/// The items [0, count) of an expression. A thread computes them tile by tile, since it mostly asks
/// for neighbours.
class tiled_items {
 public:
  tiled_items(const evaluator& f, std::int64_t count)
      : f_(&f), identity_(f.identity()), count_(count) {}

  /// The tile of item i.
  const computed_tile& tile_of(std::int64_t i) const {
    const computed_tile& tile = last_tile;
    const bool is_here =
        tile.evaluator == identity_ && static_cast<std::uint64_t>(i - tile.begin) < tile.count;
    if (!is_here) [[unlikely]] {
      compute(i);
    }
    return tile;
  }

  /// `count` items from `begin` on, at most as many as a tile has, as the tile of this thread.
  const computed_tile& computed(std::int64_t begin, std::int64_t count) const;

  const evaluator& f() const { return *f_; }
  std::int64_t count() const { return count_; }

 private:
  void compute(std::int64_t i) const;

  const evaluator* f_;
  std::uint64_t identity_;
  std::int64_t count_;
};

/// i -> the result of an expression, whose type is T.
template <class T>
struct item_of {
  tiled_items items;

  T operator()(std::int64_t i) const {
    const computed_tile& tile = items.tile_of(i);
    return static_cast<const T*>(tile.results[0])[i - tile.begin];
  }
};

/// A value of several components, each in the first bytes of a word; or none, which is the identity
/// of every operator.
struct user_value {
  std::array<number_bits, most_components> words;
  bool exists;
};

/// i -> the results of an expression as one value.
struct value_of_item {
  tiled_items items;

  user_value operator()(std::int64_t i) const {
    const computed_tile& tile = items.tile_of(i);
    const evaluator& f = items.f();
    user_value value{{}, true};
    for (std::size_t k = 0; k < f.num_results(); ++k) {
      const std::size_t width = size_of(f.result_type(k));
      const auto at = static_cast<std::size_t>(i - tile.begin);
      std::memcpy(&value.words[k], static_cast<const std::byte*>(tile.results[k]) + at * width,
                  width);
    }
    return value;
  }
};

/// An operator of the user.
struct combine_values {
  const evaluator* op;

  user_value operator()(const user_value& a, const user_value& b) const {
    if (!a.exists) return b;
    if (!b.exists) return a;
    register_file& file = registers_of(*op, register_use::operators);
    std::array<const void*, 2 * most_components> operands;
    const std::size_t components = op->num_results();
    for (std::size_t k = 0; k < components; ++k) {
      operands[k] = &a.words[k];
      operands[components + k] = &b.words[k];
    }
    op->evaluate(file, operands.data(), 1);
    user_value value{{}, true};
    for (std::size_t k = 0; k < components; ++k) {
      std::memcpy(&value.words[k], op->result(file, k), size_of(op->result_type(k)));
    }
    return value;
  }
};

/// Whether element a of a sequence comes before element b.
struct comes_before {
  const evaluator* less;
  const std::byte* elements;
  std::size_t width;

  bool operator()(std::int64_t a, std::int64_t b) const {
    register_file& file = registers_of(*less, register_use::operators);
    const void* const operands[] = {elements + static_cast<std::size_t>(a) * width,
                                    elements + static_cast<std::size_t>(b) * width};
    less->evaluate(file, operands, 1);
    return *static_cast<const std::uint8_t*>(less->result(file, 0)) != 0;
  }
};

/// An output of user-defined values: one array per component.
struct component_output {
  using value_type = user_value;

  std::array<std::byte*, most_components> to{};
  std::array<std::size_t, most_components> widths{};
  std::size_t components = 0;

  struct slot {
    const component_output& out;
    std::size_t at;
    void operator=(const user_value& value) const {
      for (std::size_t k = 0; k < out.components; ++k) {
        std::memcpy(out.to[k] + at * out.widths[k], &value.words[k], out.widths[k]);
      }
    }
  };
  template <std::integral Size>
  slot operator[](Size i) const {
    return {*this, static_cast<std::size_t>(i)};
  }
};

}  // namespace evenfold::runtime
