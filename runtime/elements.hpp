#pragma once
// Elements of arrays for operations that one instance serves for many types: as integers of any
// width, as bits of one width, or as keys.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "evenfold/algorithm/transform.hpp"
#include "evenfold/core/element_type.hpp"
#include "evenfold/core/radix_key.hpp"
#include "runtime/arrays.hpp"
#include "runtime/backend.hpp"

namespace evenfold::runtime {

/// Integers and bool of one of the types up to 64 bits, read as int64. One instance of an algorithm
/// serves all of these types.
struct any_integers {
  using value_type = std::int64_t;

  const void* data;
  element_type type;
  /// The bits of uint64 that are reversed: see visit_folded.
  std::uint64_t reversed = 0;

  template <std::integral Size>
  EF_HD constexpr std::int64_t operator[](Size i) const {
    switch (type) {
      case element_type::int8:
        return static_cast<const std::int8_t*>(data)[i];
      case element_type::int16:
        return static_cast<const std::int16_t*>(data)[i];
      case element_type::int32:
        return static_cast<const std::int32_t*>(data)[i];
      case element_type::uint16:
        return static_cast<const std::uint16_t*>(data)[i];
      case element_type::uint32:
        return static_cast<const std::uint32_t*>(data)[i];
      case element_type::uint8:
      case element_type::boolean:
        return static_cast<const std::uint8_t*>(data)[i];
      case element_type::uint64:
        return static_cast<std::int64_t>(static_cast<const std::uint64_t*>(data)[i] ^ reversed);
      default:
        return static_cast<const std::int64_t*>(data)[i];
    }
  }
};

/// The bits in which uint64 differs from the int64 that is folded in its place. Sums and products
/// that wrap around have the same bits; for the other operators, the sign keeps the order.
constexpr std::uint64_t reversed_bits(element_type type, fold_operator op) {
  const bool by_order = op == fold_operator::min || op == fold_operator::max;
  return type == element_type::uint64 && by_order ? std::uint64_t{1} << 63 : 0;
}

struct reverse_bits {
  std::int64_t* values;
  std::uint64_t bits;
  EF_HD void operator()(std::size_t i) const {
    values[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) ^ bits);
  }
};

/// Calls visitor(input, std::type_identity<T>()) with the elements at an address, which are folded
/// as T: int64 for all integers. `owning_folds` takes the results.
template <class Visitor>
auto visit_folded(element_type type, const void* data, fold_operator op, Visitor&& visitor) {
  switch (type) {
    case element_type::float32:
      return visitor(static_cast<const float*>(data), std::type_identity<float>());
    case element_type::float64:
      return visitor(static_cast<const double*>(data), std::type_identity<double>());
    case element_type::int64:
      return visitor(static_cast<const std::int64_t*>(data), std::type_identity<std::int64_t>());
    default:
      return visitor(any_integers{data, type, reversed_bits(type, op)},
                     std::type_identity<std::int64_t>());
  }
}

/// An array of folds of elements of a type: those of uint64 are uint64.
template <class Context, class T>
array owning_folds(const family<Context>& here, evenfold::array<T> folds, element_type type,
                   fold_operator op) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (type == element_type::uint64) {
      const std::uint64_t bits = reversed_bits(type, op);
      if (bits != 0) transform(here.ctx, folds.size(), reverse_bits{folds.data(), bits});
      return here.template owning<std::int64_t, std::uint64_t>(std::move(folds));
    }
  }
  return here.owning(std::move(folds));
}

/// Calls visitor(std::type_identity<Bits>()) with the unsigned integer as wide as an element.
template <class Visitor>
auto visit_width(element_type type, Visitor&& visitor) {
  switch (size_of(type)) {
    case 1:
      return visitor(std::type_identity<std::uint8_t>());
    case 2:
      return visitor(std::type_identity<std::uint16_t>());
    case 4:
      return visitor(std::type_identity<std::uint32_t>());
    default:
      return visitor(std::type_identity<std::uint64_t>());
  }
}

/// The last key in ascending order.
template <class Key>
inline constexpr Key last_key =
    std::is_floating_point_v<Key> ? std::numeric_limits<Key>::quiet_NaN()
                                  : std::numeric_limits<Key>::max();

/// The code of a key: it ascends as the keys do, or descends. NaN are one key, which comes last.
template <class Key>
struct code_of_key {
  bool descending;

  EF_HD constexpr std::uint64_t operator()(Key key) const {
    if constexpr (std::is_floating_point_v<Key>) {
      if (key != key) return ~std::uint64_t{0};
    }
    const auto bits = std::uint64_t{detail::ascending_bits(key)};
    constexpr std::uint64_t largest =
        sizeof(Key) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * sizeof(Key) % 64)) - 1;
    return descending ? largest - bits : bits;
  }
};

/// The codes of keys of any type, computed as they are read. One instance of an algorithm serves
/// all types.
struct codes_of_keys {
  using value_type = std::uint64_t;

  element_type type;
  const void* keys;
  bool descending;

  template <std::integral Size>
  EF_HD constexpr std::uint64_t operator[](Size i) const {
    switch (type) {
      case element_type::int8:
        return code<std::int8_t>(i);
      case element_type::int16:
        return code<std::int16_t>(i);
      case element_type::int32:
        return code<std::int32_t>(i);
      case element_type::int64:
        return code<std::int64_t>(i);
      case element_type::uint16:
        return code<std::uint16_t>(i);
      case element_type::uint32:
        return code<std::uint32_t>(i);
      case element_type::uint64:
        return code<std::uint64_t>(i);
      case element_type::float32:
        return code<float>(i);
      case element_type::float64:
        return code<double>(i);
      default:
        return code<std::uint8_t>(i);
    }
  }

 private:
  template <class Key, std::integral Size>
  EF_HD constexpr std::uint64_t code(Size i) const {
    return code_of_key<Key>{descending}(static_cast<const Key*>(keys)[i]);
  }
};

/// Numbers that ascend as keys do, or descend. NaN stay NaN.
template <class Input>
struct directed_keys {
  using value_type = std::remove_cvref_t<decltype(std::declval<const Input&>()[0])>;

  Input input;
  /// The bits to flip, which reverse the order and map uint64 to int64.
  detail::radix_bits_t<value_type> flipped;

  template <std::integral Size>
  EF_HD constexpr value_type operator[](Size i) const {
    using bits = detail::radix_bits_t<value_type>;
    const auto key = detail::bit_cast<bits>(static_cast<value_type>(input[i]));
    return detail::bit_cast<value_type>(bits(key ^ flipped));
  }
};

/// Calls visitor(directed_keys) with keys of any type. Integers are read as int64.
template <class Visitor>
void visit_keys(element_type type, const void* data, bool descending, Visitor&& visitor) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  constexpr std::uint64_t all = ~std::uint64_t{0};
  switch (type) {
    case element_type::float32:
      return visitor(directed_keys<const float*>{static_cast<const float*>(data),
                                                 descending ? std::uint32_t{1} << 31 : 0});
    case element_type::float64:
      return visitor(
          directed_keys<const double*>{static_cast<const double*>(data), descending ? sign : 0});
    case element_type::int64:
    case element_type::uint64: {
      const std::uint64_t as_signed = type == element_type::uint64 ? sign : 0;
      return visitor(directed_keys<const std::int64_t*>{static_cast<const std::int64_t*>(data),
                                                        as_signed ^ (descending ? all : 0)});
    }
    default:
      return visitor(directed_keys<any_integers>{{data, type}, descending ? all : 0});
  }
}

/// codes[i] = the code of key i.
template <context Context>
void write_codes(Context& ctx, element_type type, const void* keys, std::size_t count,
                 std::uint64_t* codes, bool descending = false) {
  const element_type known = type == element_type::boolean ? element_type::uint8 : type;
  visit_element_type(known, [&]<class Key>(std::type_identity<Key>) {
    transform(ctx, static_cast<const Key*>(keys), count, codes, code_of_key<Key>{descending});
  });
}

/// The key of a code that ascends.
template <class Key>
struct key_of_code {
  EF_HD constexpr Key operator()(std::uint64_t code) const {
    return detail::key_of_ascending_bits<Key>(static_cast<detail::radix_bits_t<Key>>(code));
  }
};

/// keys[i] = the key of code i, which ascends.
template <context Context>
void write_keys(Context& ctx, element_type type, const std::uint64_t* codes, std::size_t count,
                void* keys) {
  const element_type known = type == element_type::boolean ? element_type::uint8 : type;
  visit_element_type(known, [&]<class Key>(std::type_identity<Key>) {
    transform(ctx, codes, count, static_cast<Key*>(keys), key_of_code<Key>{});
  });
}

}  // namespace evenfold::runtime
