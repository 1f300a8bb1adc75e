// The operations that keep or find an order. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/sequences.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/top_k.hpp"
#include "evenfold/table/row_groups.hpp"
#include "runtime/code_counts.hpp"
#include "runtime/elements.hpp"
#include "runtime/key_runs.hpp"
#include "runtime/operators.hpp"
#include "runtime/ranks.hpp"
#include "runtime/sorted_runs.hpp"

namespace evenfold::runtime {

namespace {

using index_array = evenfold::array<std::int64_t>;
using code_array = evenfold::array<std::uint64_t>;

/// Whether the context is that of CPU threads.
constexpr bool has_threads =
    backend_context::side == memory_side::host && !std::same_as<backend_context, reference_context>;

class sequences_here final : public sequence_operations, private family<backend_context> {
 public:
  using family::family;

  array scan(const array& values, fold_operator op, bool exclusive) override {
    return visit_folded(
        values.type(), address("scan", "values", values), op,
        [&]<class Input, class T>(Input input, std::type_identity<T>) {
          evenfold::array<T> out(ctx, values.size());
          if constexpr (can_have_ranks<backend_context> && is_folded_on_ranks<T>) {
            if (has_ranks()) {
              transform(ctx, values.size(), write_result{element_of<T, Input>{input}, out.data()});
              scan_on_ranks(state(), out.data(), values.size(), op, exclusive);
              return owning_folds(*this, std::move(out), values.type(), op);
            }
          }
          visit_sum_or_other<T>(op, [&](auto known, T identity) {
            if (exclusive) {
              exclusive_scan(ctx, input, values.size(), out.data(), known, identity);
            } else {
              inclusive_scan(ctx, input, values.size(), out.data(), known, identity);
            }
          });
          return owning_folds(*this, std::move(out), values.type(), op);
        });
  }

  void sort(array& values) override {
    if (has_ranks() && ordered_types.has(values.type())) {
      const index_array order = order_of(coded("sort", "values", values));
      const array sorted = taken(values, order.data(), order.size());
      return copy(ctx, static_cast<const unsigned char*>(sorted.address()), sorted.bytes(),
                  static_cast<unsigned char*>(values.mutable_address()));
    }
    visit_type<operation::sort>(values.type(), "values", [&]<class T>(std::type_identity<T>) {
      evenfold::sort(ctx, write<T>("sort", "values", values), values.size(), less{});
    });
  }

  array sort_indices(const array& values) override {
    return owning(order_of(coded("sort_indices", "values", values)));
  }

  array merge(const array& a, const array& b) override {
    return visit_type<operation::merge>(a.type(), "a", [&]<class T>(std::type_identity<T>) {
      evenfold::array<T> out(ctx, a.size() + b.size());
      evenfold::merge(ctx, read<T>("merge", "a", a), a.size(), read<T>("merge", "b", b), b.size(),
                      out.data(), detail::total_order<less>{});
      return owning(std::move(out));
    });
  }

  array search(const array& haystack, const array& needles, search_side side) override {
    if (needles.type() != haystack.type()) {
      refuse_type("search", "needles", needles.type(), {haystack.type()});
    }
    const code_array sought = coded("search", "needles", needles);
    index_array found(ctx, sought.size());
    const auto search_in = [&](auto hay) {
      if (side == search_side::left) {
        evenfold::search<bounds::lower>(ctx, sought.data(), sought.size(), hay, haystack.size(),
                                        found.data(), less{});
      } else {
        evenfold::search<bounds::upper>(ctx, sought.data(), sought.size(), hay, haystack.size(),
                                        found.data(), less{});
      }
    };
    if constexpr (backend_context::side == memory_side::host) {
      // The codes of all elements would take longer than those that few searches look at.
      if (sought.size() < haystack.size() / 16) {
        const void* const elements = address("search", "haystack", haystack);
        search_in(codes_of_keys{haystack.type(), elements, false});
        return owning(std::move(found));
      }
    }
    const code_array hay = coded("search", "haystack", haystack);
    search_in(hay.data());
    return owning(std::move(found));
  }

  unique_found unique(const array& keys, bool inverse) override {
    const code_array all = coded("unique", "keys", keys);
    const auto count = static_cast<std::int64_t>(all.size());
    row_groups<std::int64_t> runs = group_rows(ctx, all.data(), count);
    const index_array& begins = runs.offsets;
    const auto num_runs = static_cast<std::int64_t>(begins.size());
    index_array firsts(ctx, num_runs);
    index_array counts(ctx, num_runs);
    transform(ctx, num_runs,
              describe_run{begins.data(), runs.rows.data(), num_runs, count, firsts.data(),
                           counts.data()});
    unique_found result;
    if (inverse) {
      index_array of_order(ctx, count);
      index_array of_elements(ctx, count);
      transform_scan<scan_kind::inclusive>(ctx, count, is_next_run{runs.begins.data()},
                                           of_order.data(), plus{}, std::int64_t{0});
      scatter(ctx, of_order.data(), runs.rows.data(), count, of_elements.data());
      result.inverse = owning(std::move(of_elements));
    }
    result.keys = taken(keys, firsts.data(), firsts.size());
    result.firsts = owning(std::move(firsts));
    result.counts = owning(std::move(counts));
    result.order = owning(std::move(runs.rows));
    return result;
  }

  unique_counted count_unique(const array& keys) override {
    const element_type type = keys.type();
    const bool is_float = type == element_type::float32 || type == element_type::float64;
    if ((has_threads || !is_float) && may_be_counted(keys)) {
      const code_array codes = coded("unique", "keys", keys);
      const auto count = static_cast<std::int64_t>(codes.size());
      if (!is_float) {
        const auto columns = evenfold::make_tuple(ascending(codes.data()));
        const auto range = detail::find_ranges(ctx, columns, count);
        if (range.bits() <= most_bin_bits && detail::are_few_buckets(range.bits(), count)) {
          return counted_in_bins(type, codes, range.of[0].low, range.bits());
        }
      }
      if (const auto found = count_few_codes(ctx, codes.data(), count)) {
        return with_counts(keys, *found);
      }
    }
    if (ordered_types.has(type)) return counted_by_sort(keys);
    unique_found found = unique(keys, false);
    return {std::move(found.keys), std::move(found.counts)};
  }

  top_found top_k(const array& values, std::int64_t k, bool largest) override {
    const auto count = static_cast<std::int64_t>(values.size());
    index_array indices(ctx, std::clamp(k, std::int64_t{0}, count));
    visit_keys(values.type(), address("top_k", "values", values), largest,
               [&]<class Keys>(const Keys& keys) {
                 top_k_indices(ctx, with_one_nan<Keys>{keys}, count, k, indices.data(), less{});
               });
    array best = taken(values, indices.data(), indices.size());
    return {std::move(best), owning(std::move(indices))};
  }

  array take(const array& values, const array& indices) override {
    return taken(values, read<std::int64_t>("take", "indices", indices), indices.size());
  }

  array codes(const array& left, const array& right) override {
    if (!right.empty() && right.type() != left.type()) {
      refuse_type("codes", "right", right.type(), {left.type()});
    }
    code_array all(ctx, left.size() + right.size());
    write_codes(ctx, left.type(), address("codes", "left", left), left.size(), all.data());
    if (!right.empty()) {
      write_codes(ctx, left.type(), address("codes", "right", right), right.size(),
                  all.data() + left.size());
    }
    return owning(std::move(all));
  }

 private:
  /// Whether keys that are integers are counted faster than sorted, as far as the host can tell.
  bool may_be_counted(const array& keys) {
    if (backend_context::side != memory_side::host || !ordered_types.has(keys.type())) return true;
    bool result = true;
    visit_type<operation::sort>(keys.type(), "keys", [&]<class T>(std::type_identity<T>) {
      result = may_be_few(static_cast<const T*>(address("unique", "keys", keys)),
                          static_cast<std::int64_t>(keys.size()));
    });
    return result;
  }

  code_array coded(const char* operation, const char* argument, const array& values,
                   bool descending = false) {
    code_array codes(ctx, values.size());
    write_codes(ctx, values.type(), address(operation, argument, values), values.size(),
                codes.data(), descending);
    return codes;
  }

  /// Counts keys whose codes are `low` and the next 2^bits - 1 ones.
  unique_counted counted_in_bins(element_type type, const code_array& codes, std::uint64_t low,
                                 int bits) {
    const auto bins = std::int64_t{1} << bits;
    index_array counts(ctx, bins);
    histogram(ctx, static_cast<std::int64_t>(codes.size()), bins,
              elementwise(bin_of_code{low}, codes.data()), counts.data());
    const compact_plan plan(ctx, bins, is_not_empty{counts.data()});
    code_array kept(ctx, plan.num_kept());
    index_array kept_counts(ctx, plan.num_kept());
    plan.write(write_bin{low, counts.data(), kept.data(), kept_counts.data()});
    array keys = allocated(type, kept.size());
    write_keys(ctx, type, kept.data(), kept.size(), keys.mutable_address());
    return {std::move(keys), owning(std::move(kept_counts))};
  }

  /// The keys of codes that were counted on the host, and their counts.
  unique_counted with_counts(const array& keys, const code_counts& found) {
    code_array codes(ctx, found.size());
    index_array counts(ctx, found.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      codes.data()[k] = found[k].first;
      counts.data()[k] = found[k].second;
    }
    array different = allocated(keys.type(), found.size());
    write_keys(ctx, keys.type(), codes.data(), codes.size(), different.mutable_address());
    if (ordered_types.has(keys.type())) {
      visit_type<operation::sort>(keys.type(), "keys", [&]<class T>(std::type_identity<T>) {
        take_first_bits(static_cast<const T*>(address("unique", "keys", keys)), keys.size(),
                        static_cast<T*>(different.mutable_address()), found.size());
      });
    }
    return {std::move(different), owning(std::move(counts))};
  }

  unique_counted counted_by_sort(const array& keys) {
    const auto count = static_cast<std::int64_t>(keys.size());
    array sorted = allocated(keys.type(), keys.size());
    index_array begins;
    std::int64_t num_runs = 0;
    visit_type<operation::sort>(keys.type(), "keys", [&]<class T>(std::type_identity<T>) {
      T* const to = static_cast<T*>(sorted.mutable_address());
      copy(ctx, static_cast<const T*>(address("unique", "keys", keys)), count, to);
      evenfold::sort(ctx, to, count, less{});
      if constexpr (has_threads) {
        begins = begins_of_repeated(ctx, to, count);
        num_runs = begins.empty() ? count : static_cast<std::int64_t>(begins.size());
      } else {
        begins = index_array(ctx, count);
        const detail::begins_run<const T*, equal_or_nan> begins_run{to, {}};
        num_runs = compact_indices(ctx, count, begins_run, begins.data());
      }
    });
    index_array counts(ctx, num_runs);
    if (begins.empty()) {  // All keys are different.
      fill(ctx, counts.data(), num_runs, std::int64_t{1});
      return {std::move(sorted), owning(std::move(counts))};
    }
    transform(ctx, num_runs,
              write_result{length_of_run{begins.data(), num_runs, count}, counts.data()});
    return {taken(sorted, begins.data(), static_cast<std::size_t>(num_runs)),
            owning(std::move(counts))};
  }

  index_array order_of(const code_array& codes) {
    index_array order(ctx, codes.size());
    if constexpr (can_have_ranks<backend_context>) {
      if (has_ranks()) {
        sort_indices_on_ranks(state(), codes.data(), codes.size(), order.data());
        return order;
      }
    }
    evenfold::sort_indices(ctx, codes.data(), order.data(), codes.size(), less{});
    return order;
  }

  array taken(const array& values, const std::int64_t* indices, std::size_t count) {
    array result = allocated(values.type(), count);
    visit_width(values.type(), [&]<class Bits>(std::type_identity<Bits>) {
      gather(ctx, static_cast<const Bits*>(address("take", "values", values)), indices, count,
             static_cast<Bits*>(result.mutable_address()));
    });
    return result;
  }
};

}  // namespace

std::unique_ptr<sequence_operations> make_sequences(const backend_state& state) {
  return std::make_unique<sequences_here>(state);
}

}  // namespace evenfold::runtime
