// The operations on sequences of numbers. Compiled once per backend: see runtime/backend.hpp.

#include "runtime/arrays.hpp"

#include <cmath>
#include <string>

#include "evenfold/algorithm/dot.hpp"
#include "evenfold/algorithm/fold.hpp"
#include "evenfold/algorithm/histogram.hpp"
#include "evenfold/algorithm/saxpy.hpp"
#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/functional.hpp"
#include "evenfold/core/random.hpp"
#include "runtime/backend.hpp"
#include "runtime/operators.hpp"
#include "runtime/ranks.hpp"

namespace evenfold::runtime {

namespace {

/// Number i. The multiplication and the addition are one operation, rounded once, on every device.
template <class T>
struct normal_at {
  random_stream random;
  T mean, deviation;
  EF_HD T operator()(std::uint64_t i) const {
    return std::fma(random.normal<T>(i), deviation, mean);
  }
};
template <class T>
struct uniform_at {
  random_stream random;
  T low, range;
  EF_HD T operator()(std::uint64_t i) const { return std::fma(random.uniform<T>(i), range, low); }
};
struct integer_at {
  random_stream random;
  std::int64_t low;
  std::uint64_t range;
  EF_HD std::int64_t operator()(std::uint64_t i) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + random.below(i, range));
  }
};

void check_same_size(const char* operation, const array& x, const array& y, const char* name) {
  if (x.size() == y.size()) return;
  detail::refuse_argument(operation, std::string(name) + ".size()", y.size(),
                          "the other array has " + std::to_string(x.size()) + " elements",
                          "pass arrays of one size");
}

class arrays_here final : public array_operations, private family<backend_context> {
 private:
  // These stand before their users, because clang 16 otherwise leaves out most instances of member
  // templates that only generic lambdas call.
  /// make(i) for each i < count.
  template <class T, class Make>
  array filled(std::size_t count, const Make& make) {
    evenfold::array<T> made(ctx, count);
    transform(ctx, std::uint64_t{count}, write_result<Make, T*>{make, made.data()});
    return owning(std::move(made));
  }

  template <class T>
  T watched_fold(const T* input, std::size_t count, fold_operator op, T identity,
                 fold_strategy strategy, const fold_observer& observer) {
    const auto observe = [&](int round, const evenfold::array<T>& cells) {
      if (!observer) return;
      observer(round, array::borrowed(element_type_of<T>(), static_cast<const void*>(cells.data()),
                                      cells.size(), cells.side()));
    };
    return evenfold::fold(ctx, input, count, chosen_operator{op}, identity, strategy, observe);
  }

  template <class Binning>
  array counts_of(const array& values, const array& weights, const Binning& bins) {
    const std::int32_t places = bins.bins + outlier_kinds;
    const elementwise bin(bins, read<double>("histogram", "values", values));
    if (weights.empty()) {
      evenfold::array<std::uint64_t> counts(ctx, places);
      evenfold::histogram(ctx, values.size(), places, bin, counts.data());
      return owning(std::move(counts));
    }
    check_same_size("histogram", values, weights, "weights");
    const element_of<double, const double*> weight{read<double>("histogram", "weights", weights)};
    evenfold::array<double> sums(ctx, places);
    evenfold::histogram(ctx, values.size(), places, bin, weight, sums.data());
    return owning(std::move(sums));
  }

 public:
  using family::family;

  array normal(element_type type, std::size_t count, std::uint64_t seed, double mean,
               double deviation) override {
    return visit_type<operation::normal>(type, "the result", [&]<class T>(std::type_identity<T>) {
      return filled<T>(count, normal_at<T>{random_stream(seed), static_cast<T>(mean),
                                           static_cast<T>(deviation)});
    });
  }

  array uniform(element_type type, std::size_t count, std::uint64_t seed, double low,
                double high) override {
    const random_stream random(seed);
    return visit_type<operation::uniform>(type, "the result", [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_floating_point_v<T>) {
        return filled<T>(count,
                         uniform_at<T>{random, static_cast<T>(low), static_cast<T>(high - low)});
      } else {
        return filled<T>(count, integer_at{random, static_cast<std::int64_t>(low),
                                           static_cast<std::uint64_t>(high - low)});
      }
    });
  }

  number fold(const array& values, fold_operator op, fold_strategy strategy,
              const fold_observer& observer) override {
    return visit_type<operation::fold>(
        values.type(), "values", [&]<class T>(std::type_identity<T>) -> number {
          const T* const input = read<T>("fold", "values", values);
          if constexpr (can_have_ranks<backend_context> && is_folded_on_ranks<T>) {
            if (has_ranks() && strategy == fold_strategy::tiled) {
              return fold_on_ranks(state(), input, values.size(), op);
            }
          }
          return visit_operator<T>(op, [&](auto known, T identity) {
            if (strategy == fold_strategy::tiled) {
              return reduce(ctx, input, values.size(), known, identity);
            }
            return watched_fold(input, values.size(), op, identity, strategy, observer);
          });
        });
  }

  number dot(const array& x, const array& y) override {
    check_same_size("dot", x, y, "y");
    return visit_type<operation::dot>(x.type(), "x", [&]<class T>(std::type_identity<T>) -> number {
      return evenfold::dot(ctx, read<T>("dot", "x", x), read<T>("dot", "y", y), x.size(), T{0});
    });
  }

  void saxpy(double a, const array& x, array& y) override {
    check_same_size("saxpy", x, y, "y");
    visit_type<operation::saxpy>(x.type(), "x", [&]<class T>(std::type_identity<T>) {
      evenfold::saxpy(ctx, x.size(), static_cast<T>(a), read<T>("saxpy", "x", x),
                      write<T>("saxpy", "y", y));
    });
  }

  array histogram(const array& values, const array& weights, const binning& bins) override {
    if (const auto* regular = std::get_if<regular_bins>(&bins)) {
      return counts_of(values, weights, *regular);
    }
    const auto& list = std::get<bin_edges>(bins);
    if (list.edges.size() < 2) {
      detail::refuse_argument("histogram", "the number of edges", list.edges.size(),
                              "a bin has two edges", "pass at least two edges");
    }
    const evenfold::array<double> edges = to_context(ctx, list.edges);
    const auto count = static_cast<std::int32_t>(list.edges.size()) - 1;
    return counts_of(values, weights, custom_edges<double>{edges.data(), count, list.closed});
  }
};

}  // namespace

std::unique_ptr<array_operations> make_arrays(const backend_state& state) {
  return std::make_unique<arrays_here>(state);
}

}  // namespace evenfold::runtime
