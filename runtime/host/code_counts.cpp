// Counts codes in hash tables: one per thread, which are added to the first one at the end.

#include "runtime/code_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "evenfold/backend/cpu/context.hpp"

namespace evenfold::runtime {

namespace {

/// The most distinct codes of a table: its slots then fill a second-level cache.
constexpr std::size_t most_codes = std::size_t{1} << 17;
/// Counting is faster than sorting from this many items per distinct code on.
constexpr std::int64_t least_repeats = 8;
/// Fewer items are sorted.
constexpr std::int64_t least_count = 1 << 13;

/// Codes and their counts. A hash table with open addressing, at most half full.
class code_table {
 public:
  /// `slots` is a power of two; the table grows when it is half full, up to `most` codes.
  explicit code_table(std::size_t most, std::size_t slots = 1 << 10) : slots_(slots), most_(most) {}

  /// Adds `times` to the count of a code. Returns false if there are too many distinct codes.
  bool add(std::uint64_t code, std::int64_t times) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = first_slot(code);
    while (slots_[at].count != 0 && slots_[at].code != code) {
      at = (at + 1) & mask;
      ++steps_;
    }
    const bool is_new = slots_[at].count == 0;
    slots_[at].code = code;
    slots_[at].count += times;
    return !is_new || take_slot();
  }

  /// Prefetches the slot of a code.
  void prefetch(std::uint64_t code) const { __builtin_prefetch(&slots_[first_slot(code)], 1); }

  /// Whether collisions are so frequent for this number of items that the codes may have been
  /// chosen to collide.
  bool is_slow(std::size_t items) const { return steps_ > 4 * items + most_codes; }

  template <class F>
  void for_each(const F& f) const {
    for (const slot& each : slots_) {
      if (each.count != 0) f(each.code, each.count);
    }
  }
  std::size_t size() const { return size_; }

 private:
  struct slot {
    std::uint64_t code;
    std::int64_t count;  // 0 where the slot is free
  };

  /// By the high bits of a product: D. E. Knuth, The Art of Computer Programming, 6.4.
  std::size_t first_slot(std::uint64_t code) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>((code * golden) >> (64 - std::countr_zero(slots_.size())));
  }

  bool take_slot() {
    if (++size_ > most_) return false;
    if (2 * size_ <= slots_.size()) return true;
    code_table larger(most_, 4 * slots_.size());
    for_each([&](std::uint64_t code, std::int64_t count) { larger.add(code, count); });
    std::swap(slots_, larger.slots_);
    return true;
  }

  std::vector<slot> slots_;
  std::size_t most_;
  std::size_t size_ = 0;
  std::size_t steps_ = 0;
};

/// Adds codes to a table. Returns false if the table gives up.
bool count_codes(const std::uint64_t* codes, std::size_t count, code_table& table) {
  constexpr std::size_t between_checks = 1 << 12, ahead = 24;
  for (std::size_t begin = 0; begin < count; begin += between_checks) {
    const std::size_t end = std::min(count, begin + between_checks);
    for (std::size_t i = begin; i < end; ++i) {
      table.prefetch(codes[std::min(i + ahead, count - 1)]);
      if (!table.add(codes[i], 1)) return false;
    }
    if (table.is_slow(end)) return false;
  }
  return true;
}

}  // namespace

std::optional<code_counts> count_few_codes(cpu_context& ctx, const std::uint64_t* codes,
                                           std::int64_t count) {
  const std::size_t most = std::min(most_codes, static_cast<std::size_t>(count / least_repeats));
  if (count < least_count) return std::nullopt;
  const std::size_t threads = ctx.shares(static_cast<std::size_t>(count), std::size_t{1} << 15);
  const auto items = static_cast<std::size_t>(count);
  std::vector<code_table> tables(threads, code_table(most));
  std::vector<char> is_counted(threads);
  ctx.parallel(threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t begin = detail::share_begin(items, threads, k);
      const std::size_t end = detail::share_begin(items, threads, k + 1);
      is_counted[k] = count_codes(codes + begin, end - begin, tables[k]) ? 1 : 0;
    }
  });
  if (std::ranges::count(is_counted, 0) != 0) return std::nullopt;
  // for_each visits codes in the order of their slots, which would cause collisions in a table that
  // has to grow; so it is allocated in its full size.
  code_table all(most, 2 * std::bit_ceil(most));
  bool fits = true;
  for (const code_table& table : tables) {
    table.for_each(
        [&](std::uint64_t code, std::int64_t times) { fits = fits && all.add(code, times); });
  }
  if (!fits) return std::nullopt;
  code_counts result;
  result.reserve(all.size());
  all.for_each([&](std::uint64_t code, std::int64_t times) { result.emplace_back(code, times); });
  std::ranges::sort(result);
  return result;
}

}  // namespace evenfold::runtime
