#pragma once
// `tuple`, `make_tuple`, `get`: std:: under a host compiler, cuda::std:: under nvcc, whose lambdas
// run on the device. Nothing with a tuple in its interface may be shared between the two kinds of
// object file.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "evenfold/core/config.hpp"

#if defined(__CUDACC__)
#include <cuda/std/tuple>
#else
#include <tuple>
#endif

namespace evenfold {

#if defined(__CUDACC__)
using ::cuda::std::get;
using ::cuda::std::make_tuple;
using ::cuda::std::tuple;
using ::cuda::std::tuple_element_t;
using ::cuda::std::tuple_size_v;
#else
using std::get;
using std::make_tuple;
using std::tuple;
using std::tuple_element_t;
using std::tuple_size_v;
#endif

/// The tuple of values that a tuple of iterators reads at `index`.
template <class... Iterators, class Index>
EF_HD constexpr auto load_at(const tuple<Iterators...>& iterators, Index index) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return tuple<std::remove_cvref_t<decltype(get<I>(iterators)[index])>...>(
        get<I>(iterators)[index]...);
  }(std::index_sequence_for<Iterators...>{});
}

}  // namespace evenfold
