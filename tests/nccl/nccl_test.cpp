// NCCL between the GPUs of this machine: the operations, and the ways in which a rank fails.

#include "evenfold/distributed/nccl.cuh"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/contexts.hpp"
#include "support/ranks.hpp"

namespace evenfold::testing {
namespace {

static_assert(communicator<rank_communicator, cuda_context>);
static_assert(lending_communicator<rank_communicator, cuda_context>);
using rank_context = ranked<cuda_context>;

std::byte* bytes(array<char>& data) { return reinterpret_cast<std::byte*>(data.data()); }

TEST(nccl, has_several_gpus) {
  ASSERT_GE(count_gpus(), 2) << "with one GPU, the other tests of this program show nothing";
}

/// Rank r sends r + 1 bytes of value 10 r + q to rank q.
void check_operations(rank_context& ctx) {
  auto& all = ctx.communicator();
  auto& gpu = ctx.local();
  const int ranks = ctx.size();
  std::vector<std::size_t> from_offsets{0};
  std::vector<std::size_t> to_offsets{0};
  std::vector<char> sent;
  std::vector<char> expected;
  for (int q = 0; q < ranks; ++q) {
    const auto mine = static_cast<std::size_t>(ctx.rank()) + 1;
    sent.insert(sent.end(), mine, static_cast<char>(10 * ctx.rank() + q));
    expected.insert(expected.end(), static_cast<std::size_t>(q) + 1,
                    static_cast<char>(10 * q + ctx.rank()));
    from_offsets.push_back(sent.size());
    to_offsets.push_back(expected.size());
  }
  array<char> from = to_context(gpu, sent);
  array<char> to(gpu, expected.size());
  all.all_to_all_v(gpu, bytes(from), from_offsets, bytes(to), to_offsets);
  EXPECT_EQ(to_host(gpu, to), expected);

  all.all_gather_v(gpu, bytes(from), bytes(to), to_offsets);
  const std::vector<char> gathered = to_host(gpu, to);
  for (int q = 0; q < ranks; ++q) {
    EXPECT_EQ(gathered[to_offsets[static_cast<std::size_t>(q)]], 10 * q);
  }

  array<char> number = to_context(gpu, std::vector<char>{static_cast<char>(ctx.rank())});
  all.broadcast(gpu, bytes(number), 1, ranks - 1);
  EXPECT_EQ(to_host(gpu, number)[0], ranks - 1);

  // To the next rank, from the one before; and then nothing to anyone.
  array<char> own = to_context(gpu, std::vector<char>{static_cast<char>(ctx.rank())});
  const outgoing_message send{(ctx.rank() + 1) % ranks, bytes(own), 1};
  const int before = (ctx.rank() + ranks - 1) % ranks;
  const incoming_message receive{before, bytes(number), 1};
  all.exchange(gpu, {&send, 1}, {&receive, 1});
  EXPECT_EQ(to_host(gpu, number)[0], before);
  all.exchange(gpu, {}, {});
  all.barrier();
}

TEST(nccl, moves_bytes_between_all_gpus) {
  for (int ranks = 1; ranks <= count_gpus(); ++ranks) {
    on_ranks<cuda_context>(ranks, check_operations);
  }
}

TEST(nccl, a_rank_that_throws_ends_all) {
  std::atomic<int> told = 0;
  const auto run = [&](rank_context& ctx) {
    array<char> byte(ctx.local(), 1);
    if (ctx.rank() == 1) throw std::out_of_range("bad row");
    try {
      for (;;) ctx.communicator().broadcast(ctx.local(), bytes(byte), 1, 0);
    } catch (const communication_error&) {
      ++told;
      throw;
    }
  };
  EXPECT_THROW(on_ranks<cuda_context>(2, run), std::out_of_range);
  EXPECT_EQ(told, 1);
}

TEST(nccl, other_sizes_on_a_rank_end_all) {
  std::atomic<int> told = 0;
  const auto run = [&](rank_context& ctx) {
    array<char> data(ctx.local(), 3);
    try {
      ctx.communicator().broadcast(ctx.local(), bytes(data), ctx.rank() == 0 ? 1 : 2, 0);
    } catch (const communication_error&) {
      ++told;
      throw;
    }
  };
  EXPECT_THROW(on_ranks<cuda_context>(2, run), communication_error);
  EXPECT_EQ(told, 2);
  on_ranks<cuda_context>(2, check_operations);  // other communicators are as before
}

}  // namespace
}  // namespace evenfold::testing
