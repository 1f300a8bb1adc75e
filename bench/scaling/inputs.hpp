#pragma once
// The inputs of the cases: functions of the global index, so that one context and all ranks make
// the same data.

#include <cstdint>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/random.hpp"
#include "evenfold/distributed/transform.hpp"

namespace bench {

namespace ef = evenfold;
using local_context = ef::default_context;

struct fractions {
  using type = float;
  EF_HD float operator()(std::uint64_t i) const { return ef::random_stream(1).uniform<float>(i); }
};
struct small_integers {
  using type = float;
  EF_HD float operator()(std::uint64_t i) const {
    return static_cast<float>(ef::random_stream(2).bits32(i) % 17u) - 8.f;
  }
};
struct keys {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const { return ef::random_stream(3).bits32(i); }
};
struct wide_keys {
  using type = std::uint64_t;
  EF_HD std::uint64_t operator()(std::uint64_t i) const { return ef::random_stream(3).bits64(i); }
};
/// Random columns of a matrix.
struct columns_below {
  using type = int;
  std::uint64_t bound;
  EF_HD int operator()(std::uint64_t i) const {
    return static_cast<int>(ef::random_stream(4).below(i, bound));
  }
};
/// Columns that are at most 2^16 rows away from the row of an entry, as those of a mesh.
struct columns_nearby {
  using type = int;
  std::uint64_t bound;
  EF_HD int operator()(std::uint64_t i) const {
    const std::uint64_t behind = i / 16 + ef::random_stream(4).bits32(i) % (1u << 17);
    const std::uint64_t column = behind < (1u << 16) ? 0 : behind - (1u << 16);
    return static_cast<int>(column < bound ? column : bound - 1);
  }
};
/// Segments of 1 to 31 items, 16 on average, and the end of the last one.
inline constexpr std::uint64_t items_per_segment = 16;
struct segment_begins {
  using type = std::int64_t;
  std::uint64_t num_segments;
  EF_HD std::int64_t operator()(std::uint64_t s) const {
    const bool is_inner = s > 0 && s < num_segments;
    const std::uint64_t more =
        is_inner ? ef::random_stream(5).bits32(s) % items_per_segment : std::uint64_t{0};
    return static_cast<std::int64_t>(s * items_per_segment + more);
  }
};
struct upper_byte {
  EF_HD int operator()(std::uint32_t key) const { return static_cast<int>(key >> 24); }
};

struct numbers {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const { return static_cast<std::uint32_t>(i); }
};
/// Ascending numbers at random distances, of which every second one is in a table, on average.
template <int Stream>
struct ascending {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(2 * i + ef::random_stream(Stream).bits32(i) % 2);
  }
};
struct halves {
  using type = std::uint32_t;
  EF_HD std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(i / 2);
  }
};
/// 16 neighbours of each vertex, at 8 random distances in both directions around a circle.
struct neighbours {
  using type = int;
  std::uint64_t vertices;
  EF_HD int operator()(std::uint64_t edge) const {
    const std::uint64_t distance = ef::random_stream(6).below(edge % 16 / 2, vertices);
    const std::uint64_t v = edge / 16 + (edge % 2 == 0 ? distance : vertices - distance);
    return static_cast<int>(v % vertices);
  }
};
struct sixteen_each {
  using type = std::int64_t;
  std::uint64_t vertices;
  EF_HD std::int64_t operator()(std::uint64_t v) const { return static_cast<std::int64_t>(16 * v); }
};

/// The numbers f(0), f(1), ... on one context, and on all ranks.
template <class F>
ef::array<typename F::type> make(local_context& ctx, std::uint64_t count, F f) {
  ef::array<typename F::type> result(ctx, count);
  ef::transform(ctx, count, ef::write_result{f, result.data()});
  return result;
}
template <class Context, class F>
ef::sharded<typename F::type> make_sharded(Context& ctx, std::uint64_t count, F f) {
  ef::sharded<typename F::type> result(ctx, count);
  transform(ctx, result, f);
  return result;
}

}  // namespace bench
