#pragma once
// The operations of a communicator, with bytes that tell where they come from.

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "evenfold/distributed/communicator.hpp"

namespace evenfold::testing {

inline const std::byte* bytes_of_chars(const std::vector<char>& data) {
  return reinterpret_cast<const std::byte*>(data.data());
}
inline std::byte* bytes_of_chars(std::vector<char>& data) {
  return reinterpret_cast<std::byte*>(data.data());
}

template <class Context, class Communicator>
void expect_moves(Context& local, Communicator& all) {
  // Rank r sends r + 1 bytes to each rank, and those for rank q have the value 10 r + q.
  const int ranks = all.size();
  std::vector<std::size_t> from_offsets{0};
  std::vector<std::size_t> to_offsets{0};
  std::vector<char> from;
  std::vector<char> expected;
  for (int q = 0; q < ranks; ++q) {
    from.insert(from.end(), static_cast<std::size_t>(all.rank()) + 1,
                static_cast<char>(10 * all.rank() + q));
    expected.insert(expected.end(), static_cast<std::size_t>(q) + 1,
                    static_cast<char>(10 * q + all.rank()));
    from_offsets.push_back(from.size());
    to_offsets.push_back(expected.size());
  }
  std::vector<char> to(expected.size());
  all.all_to_all_v(local, bytes_of_chars(from), from_offsets, bytes_of_chars(to), to_offsets);
  EXPECT_EQ(to, expected);

  std::vector<char> gathered(expected.size());
  all.all_gather_v(local, bytes_of_chars(from), bytes_of_chars(gathered), to_offsets);
  for (int q = 0; q < ranks; ++q) EXPECT_EQ(gathered[to_offsets[q]], 10 * q);

  std::vector<char> number{static_cast<char>(all.rank())};
  all.broadcast(local, bytes_of_chars(number), 1, ranks - 1);
  EXPECT_EQ(number[0], ranks - 1);

  // To the next rank, from the one before.
  const std::vector<char> mine{static_cast<char>(all.rank())};
  const outgoing_message send{(all.rank() + 1) % ranks, bytes_of_chars(mine), 1};
  const int before = (all.rank() + ranks - 1) % ranks;
  const incoming_message receive{before, bytes_of_chars(number), 1};
  all.exchange(local, {&send, 1}, {&receive, 1});
  EXPECT_EQ(number[0], before);
  all.barrier();
}

}  // namespace evenfold::testing
