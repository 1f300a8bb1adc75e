#pragma once
// Graphs for tests and measurements. Each generator is a function object for `transform`: edge i is
// a pure function of the generator and i, so every backend, thread count and launch shape makes the
// same graph. No generator needs scratch.
//
// Example: examples/generators.cpp.

#include <cstdint>

#include "evenfold/core/config.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/core/random.hpp"

namespace evenfold {

/// An edge between vertices numbered from 0.
struct edge {
  std::int64_t from, to;
  friend bool operator==(const edge&, const edge&) = default;
};

/// R-MAT: 2^scale vertices. Each edge falls into one of the four quarters of the adjacency matrix
/// with probability a (both ends in the first half), b (only `from`), c (only `to`) or 1 - a - b -
/// c, then into one of the quarters of that quarter, `scale` times. Few vertices get most of the
/// edges. Self-loops and repeated edges occur.
///
/// Work O(scale) per edge. Errors of the constructor: argument_error for a scale outside [0, 62],
/// negative probabilities, or probabilities with a sum above 1.
///
/// Names elsewhere: cugraph.generators.rmat.
/// Source: Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004. The
/// defaults are those of Graph500.
class rmat_edges {
 public:
  rmat_edges(int scale, std::uint64_t seed, double a = 0.57, double b = 0.19, double c = 0.19)
      : random_(seed), scale_(scale) {
    if (scale < 0 || scale > 62) {
      detail::refuse_argument("rmat_edges", "scale", scale, "vertices are numbered in 62 bits",
                              "pass 0 to 62");
    }
    if (!(a >= 0 && b >= 0 && c >= 0 && a + b + c <= 1)) {
      detail::refuse_argument("rmat_edges", "a + b + c", a + b + c,
                              "probabilities are not negative and their sum is at most 1",
                              "pass the probabilities of three of the four quarters");
    }
    first_ = part(a);
    first_two_ = part(a + b);
    first_three_ = part(a + b + c);
  }

  EF_HD edge operator()(std::uint64_t i) const {
    edge e{0, 0};
    const auto blocks = static_cast<std::uint64_t>((scale_ + 3) / 4);
    philox_block draws{};
    for (int level = 0; level < scale_; ++level) {
      if (level % 4 == 0) draws = random_.block(i * blocks + static_cast<std::uint64_t>(level / 4));
      const std::uint64_t draw = draws.word[level % 4];
      e.from = 2 * e.from + (draw >= first_two_);
      e.to = 2 * e.to + ((draw >= first_ && draw < first_two_) || draw >= first_three_);
    }
    return e;
  }

 private:
  /// The part of the 2^32 possible draws that a probability stands for.
  static std::uint64_t part(double probability) {
    return static_cast<std::uint64_t>(probability * 0x1p32);
  }

  random_stream random_;
  int scale_;
  std::uint64_t first_ = 0, first_two_ = 0, first_three_ = 0;
};

/// Kronecker graphs as specified by Graph500: R-MAT with renumbered vertices, so that the number of
/// a vertex says nothing about its degree. The permutation depends only on the seed: three rounds
/// of a multiplication by an odd number and a shift, each of which is invertible.
///
/// Work O(scale) per edge. Errors of the constructor: argument_error for a scale outside [0, 62].
///
/// Source: Murphy, Wheeler, Barrett, Ang, "Introducing the Graph 500", CUG 2010.
class kronecker_edges {
 public:
  kronecker_edges(int scale, std::uint64_t seed)
      : rmat_(scale, seed), mask_((std::uint64_t{1} << scale) - 1), shift_((scale + 1) / 2) {
    const random_stream random(~seed);
    for (std::uint64_t r = 0; r < rounds; ++r) {
      factor_[r] = random.bits64(2 * r) | 1;
      addend_[r] = random.bits64(2 * r + 1);
    }
  }

  /// The new number of vertex v of the R-MAT graph.
  EF_HD std::int64_t renumbered(std::int64_t v) const {
    auto x = static_cast<std::uint64_t>(v);
    for (int r = 0; r < rounds; ++r) {
      x = (x * factor_[r] + addend_[r]) & mask_;
      x ^= x >> shift_;
    }
    return static_cast<std::int64_t>(x);
  }

  EF_HD edge operator()(std::uint64_t i) const {
    const edge e = rmat_(i);
    return {renumbered(e.from), renumbered(e.to)};
  }

 private:
  static constexpr int rounds = 3;

  rmat_edges rmat_;
  std::uint64_t mask_;
  int shift_;
  std::uint64_t factor_[rounds] = {}, addend_[rounds] = {};
};

/// Edges whose two ends are uniformly distributed over `vertices` vertices (at least 1). Self-loops
/// and repeated edges occur.
struct uniform_edges {
  random_stream random;
  std::uint64_t vertices;

  EF_HD edge operator()(std::uint64_t i) const {
    return {static_cast<std::int64_t>(random.below(2 * i, vertices)),
            static_cast<std::int64_t>(random.below(2 * i + 1, vertices))};
  }
};

/// The edges of a grid of `rows` by `columns` vertices, numbered row by row: first the edges along
/// the rows, then those along the columns, each from the lower number to the higher.
struct grid_edges {
  std::int64_t rows, columns;

  EF_HD std::int64_t along_rows() const { return columns > 0 ? rows * (columns - 1) : 0; }
  EF_HD std::int64_t along_columns() const { return rows > 0 ? (rows - 1) * columns : 0; }
  EF_HD std::int64_t size() const { return along_rows() + along_columns(); }

  EF_HD edge operator()(std::uint64_t i) const {
    const auto at = static_cast<std::int64_t>(i);
    if (at >= along_rows()) return {at - along_rows(), at - along_rows() + columns};
    const std::int64_t from = at / (columns - 1) * columns + at % (columns - 1);
    return {from, from + 1};
  }
};

}  // namespace evenfold
