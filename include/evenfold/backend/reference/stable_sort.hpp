#pragma once
// A stable sort of one sequence, serially, by merging runs of 1, 2, 4, ... elements. Unlike
// std::stable_sort it stays inside the sequence whatever `less` returns: std::merge compares two
// elements only while both of its runs have some.

#include <algorithm>
#include <cstddef>
#include <functional>

namespace evenfold::reference {

/// Sorts data[0, count); `scratch` has `count` elements, too.
template <class T, class Less>
void stable_sort(T* data, T* scratch, std::size_t count, const Less& less) {
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * width) {
      T* const middle = data + std::min(count, begin + width);
      T* const end = data + std::min(count, begin + 2 * width);
      std::merge(data + begin, middle, middle, end, scratch + begin, std::ref(less));
    }
    std::copy(scratch, scratch + count, data);
  }
}

}  // namespace evenfold::reference
