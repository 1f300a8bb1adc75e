// backends: host
#include "evenfold/distributed/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/staged.hpp"
#include "evenfold/distributed/transform.hpp"
#include "support/contexts.hpp"
#include "support/moves.hpp"
#include "support/ranks.hpp"

namespace evenfold::testing {
namespace {

using std::chrono::milliseconds;
static_assert(communicator<thread_communicator>);
static_assert(lending_communicator<thread_communicator>);
static_assert(!lending_communicator<staged_communicator<thread_communicator>>);

/// Host memory that is reached as if it were that of a device.
struct far_context : reference_context {
  static constexpr memory_side side = memory_side::device;
  void copy_bytes(void* to, const void* from, std::size_t size) { std::memcpy(to, from, size); }
};

TEST(communicator, moves_bytes_between_all_ranks) {
  for (const int ranks : rank_counts) {
    run_ranks(ranks, [&](thread_communicator& all) {
      reference_context local;
      expect_moves(local, all);
      far_context far;
      staged_communicator staged(all);
      expect_moves(far, staged);
      expect_moves(local, staged);
    });
  }
}

TEST(communicator, ranks_read_the_data_of_others_where_they_are) {
  for (const int ranks : rank_counts) {
    run_ranks(ranks, [&](thread_communicator& all) {
      reference_context local;
      far_context far;
      EXPECT_TRUE(all.can_lend(local, true));
      EXPECT_EQ(all.can_lend(local, all.rank() > 0), false) << "rank 0 has nothing to lend";
      EXPECT_FALSE(all.can_lend(far, true)) << "a device does not say that others can read it";
      const std::vector<int> mine{all.rank(), 10 * all.rank()};
      int read = 0;
      all.lend(local, mine, [&](std::span<const std::vector<int>* const> lent) {
        for (const std::vector<int>* of : lent) {
          EXPECT_EQ(of->at(1), 10 * read);
          ++read;
        }
      });
      EXPECT_EQ(read, ranks);
    });
  }
}

/// Runs three ranks of which some fail; returns the error of run_ranks and counts the ranks whose
/// call threw.
struct failure {
  std::string text;
  int ranks;
};
template <class Error, class F>
failure run_failing(F f, milliseconds limit = std::chrono::seconds(60)) {
  std::atomic<int> thrown = 0;
  try {
    run_ranks(
        3,
        [&](thread_communicator& all) {
          try {
            f(all);
          } catch (...) {
            ++thrown;
            throw;
          }
        },
        limit);
  } catch (const Error& e) {
    return {e.what(), thrown};
  }
  return {"no error", thrown};
}

TEST(communicator, a_rank_that_throws_ends_all) {
  const failure got = run_failing<std::out_of_range>([](thread_communicator& all) {
    if (all.rank() == 1) throw std::out_of_range("bad row");
    for (;;) all.barrier();
  });
  EXPECT_EQ(got.text, "bad row");
  EXPECT_EQ(got.ranks, 3);
}

TEST(communicator, a_lambda_that_throws_ends_all) {
  std::atomic<int> told = 0;
  const failure got = run_failing<std::domain_error>([&](thread_communicator& all) {
    cpu_context local(2);
    distributed_context ctx(local, all);
    sharded<int> numbers(ctx, 9);
    try {
      transform(ctx, numbers, [](std::uint64_t i) {
        if (i == 7) throw std::domain_error("seven");
        return static_cast<int>(i);
      });
      reduce(ctx, numbers, plus{}, 0);
    } catch (const communication_error& e) {
      EXPECT_EQ(std::string(e.what()), "rank 2 has failed: transform: seven");
      ++told;
      throw;
    }
  });
  EXPECT_EQ(got.text, "seven");
  EXPECT_EQ(got.ranks, 3);
  EXPECT_EQ(told, 2);
}

/// Memory that cannot be copied to.
struct broken_context : reference_context {
  static constexpr memory_side side = memory_side::device;
  void copy_bytes(void*, const void*, std::size_t) { throw std::length_error("broken"); }
};

TEST(communicator, a_copy_that_throws_ends_all_with_its_exception) {
  std::atomic<int> told = 0;
  const failure got = run_failing<std::length_error>([&](thread_communicator& all) {
    std::vector<char> number{7};
    try {
      if (all.rank() == 1) {
        broken_context local;
        all.broadcast(local, bytes_of_chars(number), 1, 0);
      } else {
        reference_context local;
        all.broadcast(local, bytes_of_chars(number), 1, 0);
      }
    } catch (const communication_error& e) {
      EXPECT_EQ(std::string(e.what()), "rank 1: broken");
      ++told;
      throw;
    }
  });
  EXPECT_EQ(got.text, "broken");
  EXPECT_EQ(got.ranks, 3);
  EXPECT_EQ(told, 2);
}

TEST(communicator, a_use_of_lent_data_that_throws_ends_all) {
  std::atomic<int> told = 0;
  std::atomic<bool> thrown = false;
  try {
    run_ranks(3, [&](thread_communicator& all) {
      reference_context local;
      try {
        all.lend(local, 0, [&](auto) {
          if (all.rank() == 1) throw 7;
        });
      } catch (const communication_error& e) {
        EXPECT_EQ(std::string(e.what()), "rank 1: an exception of an unknown type");
        ++told;
        throw;
      }
    });
  } catch (int number) {
    thrown = number == 7;
  }
  EXPECT_TRUE(thrown);
  EXPECT_EQ(told, 2);
}

TEST(communicator, a_rank_without_memory_ends_all) {
  std::atomic<int> told = 0;
  const failure got = run_failing<allocation_error>([&](thread_communicator& all) {
    const auto local = all.rank() == 1 ? make_poor_context<reference_context>()
                                       : std::make_unique<reference_context>();
    distributed_context ctx(*local, all);
    try {
      const sharded<double> numbers(ctx, std::uint64_t{1234});
      all.barrier();
    } catch (const communication_error& e) {
      EXPECT_EQ(std::string(e.what()).substr(0, 37), "rank 1 has failed: array: no memory f");
      ++told;
      throw;
    }
  });
  EXPECT_EQ(got.text.substr(0, 16), "array: no memory");
  EXPECT_EQ(got.ranks, 3);
  EXPECT_EQ(told, 2);
}

TEST(communicator, other_arguments_on_a_rank_are_refused_on_all) {
  const failure got = run_failing<argument_error>([](thread_communicator& all) {
    reference_context local;
    distributed_context ctx(local, all);
    const sharded<int> numbers(ctx, std::uint64_t{0});
    EXPECT_EQ(reduce(ctx, numbers, plus{}, 5), 5);
    reduce(ctx, numbers, plus{}, all.rank() == 1 ? 4 : 5);
  });
  EXPECT_EQ(got.text.substr(0, 48), "reduce: init is different on rank 0 and rank 1, ");
  EXPECT_EQ(got.ranks, 3);
}

TEST(communicator, other_operations_and_sizes_on_a_rank_end_all) {
  failure got = run_failing<communication_error>([](thread_communicator& all) {
    reference_context local;
    char byte[3] = {};
    if (all.rank() == 2) {
      all.barrier();
    } else {
      all.broadcast(local, reinterpret_cast<std::byte*>(byte), 1, 0);
    }
  });
  EXPECT_EQ(got.text,
            "rank 0 calls broadcast and rank 2 calls barrier; all ranks make the same calls");
  EXPECT_EQ(got.ranks, 3);
  got = run_failing<communication_error>([](thread_communicator& all) {
    reference_context local;
    char byte[3] = {};
    all.broadcast(local, reinterpret_cast<std::byte*>(byte), all.rank() == 1 ? 2 : 1, 0);
  });
  EXPECT_EQ(got.text, "broadcast: rank 0 sends 1 bytes to rank 1, which expects 2");
  EXPECT_EQ(got.ranks, 3);
}

TEST(communicator, a_rank_that_returns_or_does_not_come_ends_all) {
  failure got = run_failing<communication_error>([](thread_communicator& all) {
    if (all.rank() != 1) all.barrier();
  });
  EXPECT_EQ(got.text, "barrier: rank 1 has returned, and another rank waits for it");
  EXPECT_EQ(got.ranks, 2);
  std::atomic<bool> over = false;
  got = run_failing<communication_error>(
      [&](thread_communicator& all) {
        while (all.rank() == 0 && !over) std::this_thread::sleep_for(milliseconds(1));
        try {
          all.barrier();
        } catch (...) {
          over = true;
          throw;
        }
      },
      milliseconds(20));
  EXPECT_NE(got.text.find("has waited 20 ms, and only 2 of 3 ranks have come"), std::string::npos)
      << got.text;
  EXPECT_EQ(got.ranks, 3);
}

}  // namespace
}  // namespace evenfold::testing
