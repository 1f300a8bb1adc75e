// The operations that keep or find an order. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/sequences.hpp"

#include <algorithm>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/gather.hpp"
#include "evenfold/algorithm/merge.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/search.hpp"
#include "evenfold/algorithm/sort.hpp"
#include "evenfold/algorithm/top_k.hpp"
#include "evenfold/algorithm/unique.hpp"
#include "runtime/elements.hpp"
#include "runtime/operators.hpp"

namespace evenfold::runtime {

namespace {

using index_array = evenfold::array<std::int64_t>;
using code_array = evenfold::array<std::uint64_t>;

/// keys[order[k]].
struct codes_in_order {
  using value_type = std::uint64_t;
  const std::uint64_t* codes;
  const std::int64_t* order;
  template <std::integral Size>
  EF_HD constexpr std::uint64_t operator[](Size k) const {
    return codes[order[k]];
  }
};

/// The first index of run r, and its length.
struct describe_run {
  const std::int64_t* begins;
  const std::int64_t* order;
  std::int64_t num_runs, count;
  std::int64_t* firsts;
  std::int64_t* counts;
  EF_HD void operator()(std::int64_t run) const {
    firsts[run] = order[begins[run]];
    counts[run] = (run + 1 < num_runs ? begins[run + 1] : count) - begins[run];
  }
};

/// The run of the element that is at position k of the order.
struct write_run_of {
  const std::int64_t* begins;
  const std::int64_t* order;
  std::int64_t num_runs;
  std::int64_t* inverse;
  EF_HD void operator()(std::int64_t k) const {
    inverse[order[k]] = detail::find_bound<bounds::upper>(begins, num_runs, k, less{}) - 1;
  }
};

class sequences_here final : public sequence_operations, private family<backend_context> {
 public:
  using family::family;

  array scan(const array& values, fold_operator op, bool exclusive) override {
    refuse_unsigned("scan", values);
    return visit_folded(
        values.type(), address("scan", "values", values),
        [&]<class Input, class T>(Input input, std::type_identity<T>) {
          evenfold::array<T> out(ctx, values.size());
          visit_sum_or_other<T>(op, [&](auto known, T identity) {
            if (exclusive) {
              exclusive_scan(ctx, input, values.size(), out.data(), known, identity);
            } else {
              inclusive_scan(ctx, input, values.size(), out.data(), known, identity);
            }
          });
          return owning(std::move(out));
        });
  }

  void sort(array& values) override {
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
    const code_array hay = coded("search", "haystack", haystack);
    const code_array sought = coded("search", "needles", needles);
    index_array found(ctx, sought.size());
    if (side == search_side::left) {
      evenfold::search<bounds::lower>(ctx, sought.data(), sought.size(), hay.data(), hay.size(),
                                      found.data(), less{});
    } else {
      evenfold::search<bounds::upper>(ctx, sought.data(), sought.size(), hay.data(), hay.size(),
                                      found.data(), less{});
    }
    return owning(std::move(found));
  }

  unique_found unique(const array& keys, bool inverse) override {
    const code_array all = coded("unique", "keys", keys);
    const auto count = static_cast<std::int64_t>(all.size());
    index_array order = order_of(all);
    const codes_in_order sorted{all.data(), order.data()};
    index_array begins(ctx, count);
    const std::int64_t num_runs = compact_indices(
        ctx, count, detail::begins_run<codes_in_order, equal_to>{sorted, {}}, begins.data());
    index_array firsts(ctx, num_runs);
    index_array counts(ctx, num_runs);
    transform(
        ctx, num_runs,
        describe_run{begins.data(), order.data(), num_runs, count, firsts.data(), counts.data()});
    unique_found result;
    if (inverse) {
      index_array runs(ctx, count);
      transform(ctx, count, write_run_of{begins.data(), order.data(), num_runs, runs.data()});
      result.inverse = owning(std::move(runs));
    }
    result.keys = taken(keys, firsts.data(), firsts.size());
    result.firsts = owning(std::move(firsts));
    result.counts = owning(std::move(counts));
    result.order = owning(std::move(order));
    return result;
  }

  top_found top_k(const array& values, std::int64_t k, bool largest) override {
    const codes_of_keys all{values.type(), address("top_k", "values", values), largest};
    const auto count = static_cast<std::int64_t>(values.size());
    index_array indices(ctx, std::clamp(k, std::int64_t{0}, count));
    top_k_indices(ctx, all, count, k, indices.data(), less{});
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
    write_codes(ctx, left.type(), address("codes", "right", right), right.size(),
                all.data() + left.size());
    return owning(std::move(all));
  }

 private:
  code_array coded(const char* operation, const char* argument, const array& values,
                   bool descending = false) {
    code_array codes(ctx, values.size());
    write_codes(ctx, values.type(), address(operation, argument, values), values.size(),
                codes.data(), descending);
    return codes;
  }

  index_array order_of(const code_array& codes) {
    index_array order(ctx, codes.size());
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
