// The operations on segments. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/segments.hpp"

#include <limits>
#include <string>
#include <type_traits>

#include "evenfold/algorithm/compact.hpp"
#include "evenfold/algorithm/detail/indexed.hpp"
#include "evenfold/algorithm/fill.hpp"
#include "evenfold/algorithm/interval_move.hpp"
#include "evenfold/algorithm/reduce.hpp"
#include "evenfold/algorithm/scan.hpp"
#include "evenfold/algorithm/segmented_scan.hpp"
#include "evenfold/algorithm/segmented_sort.hpp"
#include "evenfold/algorithm/segmented_top_k.hpp"
#include "evenfold/algorithm/segreduce.hpp"
#include "runtime/elements.hpp"
#include "runtime/offsets.hpp"
#include "runtime/operators.hpp"
#include "runtime/ranks.hpp"

namespace evenfold::runtime {

namespace {

using index_array = evenfold::array<std::int64_t>;
using code_array = evenfold::array<std::uint64_t>;

/// Element i as a double.
template <class Input>
struct as_double {
  Input input;
  EF_HD double operator()(std::int64_t i) const {
    if constexpr (std::is_same_v<Input, any_integers>) {
      if (input.type == element_type::uint64) {
        return static_cast<double>(static_cast<std::uint64_t>(input[i]));
      }
    }
    return static_cast<double>(input[i]);
  }
};

struct divide_by_length {
  const std::int64_t* offsets;
  double* sums;
  double of_none;
  EF_HD void operator()(std::int64_t s) const {
    const std::int64_t length = offsets[s + 1] - offsets[s];
    sums[s] = length == 0 ? of_none : sums[s] / static_cast<double>(length);
  }
};

/// An index after those of all keys.
constexpr std::int64_t no_index = std::numeric_limits<std::int64_t>::max();

template <class Keys>
struct locate {
  Keys keys;
  EF_HD detail::indexed<typename Keys::value_type> operator()(std::int64_t i) const {
    return {keys[i], i};
  }
};
/// The smaller key, where NaN come last; of equal ones the one with the lower index.
struct first_smallest : detail::first_of<less, detail::nan_order::last> {
  /// The fold of items whose indices ascend, in a loop of its own.
  template <class F, class Key>
  detail::indexed<Key> fold_range(std::int64_t begin, std::int64_t end, const F& f,
                                  detail::indexed<Key> first) const {
    if (begin < end && first.index == no_index) first = f(begin++);
    while (begin < end && is_nan(first.value)) first = (*this)(first, f(begin++));
    for (; begin < end; ++begin) {
      const Key key = f(begin).value;
      if (key < first.value) first = {key, begin};
    }
    return first;
  }
};
/// The index in its segment of the key that was found.
template <class Key>
struct index_in_segment {
  const detail::indexed<Key>* found;
  const std::int64_t* offsets;
  EF_HD std::int64_t operator()(std::int64_t s) const {
    return offsets[s] == offsets[s + 1] ? -1 : found[s].index - offsets[s];
  }
};

/// sums[s] += offsets[s].
struct add_offset {
  const std::int64_t* offsets;
  std::int64_t* sums;
  EF_HD void operator()(std::int64_t s) const { sums[s] += offsets[s]; }
};

/// Where segment s of a part is written: after segment s of the earlier parts, which end at
/// lengths[s].
struct advance_begin {
  const std::int64_t* offsets;
  std::int64_t* begins;
  EF_HD void operator()(std::int64_t s) const { begins[s] += offsets[s + 1] - offsets[s]; }
};

struct is_marked {
  const unsigned char* mask;
  EF_HD bool operator()(std::int64_t i) const { return mask[i] != 0; }
};
/// to[k] = from[i].
template <class Bits>
struct keep_element {
  const Bits* from;
  Bits* to;
  EF_HD void operator()(std::int64_t k, std::int64_t i) const { to[k] = from[i]; }
};
struct count_marked {
  const unsigned char* mask;
  EF_HD std::int64_t operator()(std::int64_t i) const { return mask[i] != 0 ? 1 : 0; }
};

}  // namespace

}  // namespace evenfold::runtime

namespace evenfold {

template <class Key>
inline constexpr bool is_commutative<runtime::first_smallest, detail::indexed<Key>> = true;
template <class Key>
inline constexpr bool detail::is_exact_fold<runtime::first_smallest, detail::indexed<Key>> = true;

}  // namespace evenfold

namespace evenfold::runtime {

namespace {

class segments_here final : public segment_operations, private family<backend_context> {
 public:
  using family::family;

  array reduce(const segmented_array& of, fold_operator op) override {
    const segments at = checked("segmented reduce", of);
    return visit_folded(of.values.type(), at.values, op,
                        [&]<class Input, class T>(Input input, std::type_identity<T>) {
                          evenfold::array<T> out(ctx, at.num_segments);
                          // Only for inputs of type T, not for other types that are folded as T.
                          if constexpr (can_have_ranks<backend_context> && is_folded_on_ranks<T> &&
                                        std::same_as<Input, const T*>) {
                            if (has_ranks()) {
                              segreduce_on_ranks(
                                  state(), input, static_cast<std::size_t>(at.count), at.offsets,
                                  static_cast<std::size_t>(at.num_segments), out.data(), op);
                              return owning(std::move(out));
                            }
                          }
                          visit_sum_or_other<T>(op, [&](auto known, T identity) {
                            segreduce(ctx, input, at.count, at.offsets, at.num_segments, out.data(),
                                      known, identity);
                          });
                          return owning_folds(*this, std::move(out), of.values.type(), op);
                        });
  }

  array mean(const segmented_array& of) override {
    const segments at = checked("segmented mean", of);
    evenfold::array<double> means(ctx, at.num_segments);
    visit_folded(of.values.type(), at.values, fold_operator::sum,
                 [&]<class Input, class T>(Input input, std::type_identity<T>) {
                   transform_segreduce(ctx, at.count, as_double<Input>{input}, at.offsets,
                                       at.num_segments, means.data(), plus{}, 0.0);
                 });
    transform(ctx, at.num_segments,
              divide_by_length{at.offsets, means.data(), std::numeric_limits<double>::quiet_NaN()});
    return owning(std::move(means));
  }

  array argmin(const segmented_array& of) override {
    return extreme("segmented argmin", of, false);
  }
  array argmax(const segmented_array& of) override { return extreme("segmented argmax", of, true); }

  array scan(const segmented_array& of, fold_operator op, bool exclusive) override {
    const segments at = checked("segmented scan", of);
    return visit_folded(
        of.values.type(), at.values, op,
        [&]<class Input, class T>(Input input, std::type_identity<T>) {
          evenfold::array<T> out(ctx, at.count);
          const auto scan_as = [&]<scan_kind Kind>(auto known, T identity) {
            segmented_scan<Kind>(ctx, input, at.count, at.offsets, at.num_segments, out.data(),
                                 known, identity);
          };
          const T identity = identity_of_chosen<T>(op);
          if (exclusive) {
            scan_as.template operator()<scan_kind::exclusive>(chosen_operator{op}, identity);
          } else {
            scan_as.template operator()<scan_kind::inclusive>(chosen_operator{op}, identity);
          }
          return owning_folds(*this, std::move(out), of.values.type(), op);
        });
  }

  array sort_indices(const segmented_array& of, bool descending) override {
    const segments at = checked("segmented sort_indices", of);
    code_array codes = coded(of, at, descending);
    index_array order(ctx, at.count);
    segmented_sort_indices(ctx, codes.data(), order.data(), at.count, at.offsets, at.num_segments,
                           less{});
    return owning(std::move(order));
  }

  segmented_array top_k_indices(const segmented_array& of, std::int64_t k,
                                bool descending) override {
    const segments at = checked("segmented top_k_indices", of);
    detail::check_count("segmented top_k_indices", "k", k);
    const code_array codes = coded(of, at, descending);
    index_array offsets(ctx, at.num_segments + 1);
    index_array indices(ctx, 0);
    const std::int64_t results = detail::segmented_top_k<true>(
        ctx, "segmented top_k_indices", codes.data(), at.count, at.offsets, at.num_segments, k,
        offsets.data(), less{}, [&](std::int64_t length) {
          indices = index_array(ctx, length);
          return detail::write_first_index<std::int64_t>{indices.data()};
        });
    fill(ctx, offsets.data() + at.num_segments, 1, results);
    return {owning(std::move(indices)), owning(std::move(offsets))};
  }

  segmented_array concat(const std::vector<const segmented_array*>& parts) override {
    const segmented_array& one = *parts.at(0);
    const std::int64_t num_segments = one.num_segments();
    index_array offsets(ctx, num_segments + 1);
    fill(ctx, offsets.data(), num_segments + 1, 0);
    std::size_t total = 0;
    for (const segmented_array* const part : parts) {
      check_like(*part, one);
      const segments at = checked("segmented concat", *part);
      transform(ctx, num_segments + 1, add_offset{at.offsets, offsets.data()});
      total += part->values.size();
    }
    index_array begins(ctx, num_segments);
    copy(ctx, offsets.data(), num_segments, begins.data());
    array values = allocated(one.values.type(), total);
    for (const segmented_array* const part : parts) {
      const segments at = checked("segmented concat", *part);
      visit_width(one.values.type(), [&]<class Bits>(std::type_identity<Bits>) {
        interval_scatter(ctx, static_cast<const Bits*>(at.values), at.count, at.offsets,
                         at.num_segments, begins.data(),
                         static_cast<Bits*>(values.mutable_address()));
      });
      transform(ctx, num_segments, advance_begin{at.offsets, begins.data()});
    }
    return {std::move(values), owning(std::move(offsets))};
  }

  segmented_array filter(const segmented_array& of, const array& mask) override {
    const segments at = checked("segmented filter", of);
    if (mask.size() != of.values.size()) {
      detail::refuse_argument("segmented filter", "mask.size()", mask.size(),
                              "there are " + std::to_string(of.values.size()) + " values",
                              "pass one bool per value");
    }
    const auto* const marks =
        reinterpret_cast<const unsigned char*>(read<bool>("segmented filter", "mask", mask));
    index_array lengths(ctx, at.num_segments);
    transform_segreduce(ctx, at.count, count_marked{marks}, at.offsets, at.num_segments,
                        lengths.data(), plus{}, std::int64_t{0});
    index_array offsets = offsets_of_lengths(
        at.num_segments, element_of<std::int64_t, const std::int64_t*>{lengths.data()});
    array values = allocated(of.values.type(), static_cast<std::size_t>(last_of(offsets)));
    const compact_plan plan(ctx, at.count, is_marked{marks});
    visit_width(of.values.type(), [&]<class Bits>(std::type_identity<Bits>) {
      plan.write(keep_element<Bits>{static_cast<const Bits*>(at.values),
                                    static_cast<Bits*>(values.mutable_address())});
    });
    return {std::move(values), owning(std::move(offsets))};
  }

 private:
  struct segments {
    const void* values;
    std::int64_t count;
    const std::int64_t* offsets;
    std::int64_t num_segments;
  };

  /// The addresses and sizes of segments whose offsets are right.
  segments checked(const char* operation, const segmented_array& of) {
    const auto count = static_cast<std::int64_t>(of.values.size());
    const segments at{address(operation, "values", of.values), count,
                      read<std::int64_t>(operation, "offsets", of.offsets), of.num_segments()};
    check_offsets(ctx, operation, at.offsets, at.num_segments, count);
    return at;
  }

  static void check_like(const segmented_array& part, const segmented_array& one) {
    if (part.num_segments() != one.num_segments()) {
      detail::refuse_argument("segmented concat", "the number of segments of a part",
                              part.num_segments(),
                              "the first part has " + std::to_string(one.num_segments()),
                              "pass parts with as many segments");
    }
    if (part.values.type() != one.values.type()) {
      refuse_type("segmented concat", "a part", part.values.type(), {one.values.type()});
    }
  }

  code_array coded(const segmented_array& of, const segments& at, bool descending) {
    code_array codes(ctx, at.count);
    write_codes(ctx, of.values.type(), at.values, of.values.size(), codes.data(), descending);
    return codes;
  }

  array extreme(const char* operation, const segmented_array& of, bool largest) {
    const segments at = checked(operation, of);
    index_array indices(ctx, at.num_segments);
    visit_keys(of.values.type(), at.values, largest, [&]<class Keys>(const Keys& keys) {
      using Key = typename Keys::value_type;
      evenfold::array<detail::indexed<Key>> found(ctx, at.num_segments);
      constexpr detail::indexed<Key> none{last_key<Key>, no_index};
      transform_segreduce(ctx, at.count, locate<Keys>{keys}, at.offsets, at.num_segments,
                          found.data(), first_smallest{}, none);
      transform(ctx, at.num_segments,
                write_result{index_in_segment<Key>{found.data(), at.offsets}, indices.data()});
    });
    return owning(std::move(indices));
  }

  /// 0, length(0), length(0) + length(1), ...
  template <class Length>
  index_array offsets_of_lengths(std::int64_t num_segments, Length length) {
    index_array offsets(ctx, num_segments + 1);
    fill(ctx, offsets.data(), 1, 0);
    transform_scan<scan_kind::inclusive>(ctx, num_segments, length, offsets.data() + 1, plus{},
                                         std::int64_t{0});
    return offsets;
  }

  std::int64_t last_of(const index_array& offsets) {
    index_array last(ctx, 1);
    copy(ctx, offsets.data() + (offsets.size() - 1), 1, last.data());
    return to_host(ctx, last)[0];
  }
};

}  // namespace

std::unique_ptr<segment_operations> make_segments(const backend_state& state) {
  return std::make_unique<segments_here>(state);
}

}  // namespace evenfold::runtime
