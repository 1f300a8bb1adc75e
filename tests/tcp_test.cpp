// backends: host
// Each rank is a thread here, or a child process where it is killed; they share nothing but the
// place where they meet.

#include "evenfold/distributed/tcp.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "evenfold/distributed/context.hpp"
#include "evenfold/distributed/reduce.hpp"
#include "evenfold/distributed/staged.hpp"
#include "support/moves.hpp"
#include "support/shards.hpp"
#include "support/values.hpp"

namespace evenfold::testing {
namespace {

using std::chrono::milliseconds;
static_assert(communicator<tcp_communicator>);
static_assert(communicator<staged_communicator<tcp_communicator>>);

std::string address_of(const detail::descriptor& listener) {
  const std::string text = detail::describe_listener(listener.get(), 0);
  return "127.0.0.1:" + text.substr(11, text.find(' ', 11) - 11);
}

/// An address without a listener.
std::string free_address() { return address_of(detail::listen_at({"127.0.0.1", "0"})); }

/// The path of a file that does not exist, and is removed.
struct file_of_meeting {
  std::string path = ::testing::TempDir() + "evenfold_meeting_" + std::to_string(getpid());
  file_of_meeting() { std::filesystem::remove(path); }
  file_of_meeting(const file_of_meeting&) = delete;
  file_of_meeting& operator=(const file_of_meeting&) = delete;
  ~file_of_meeting() { std::filesystem::remove(path); }
  std::string place() const { return "file:" + path; }
};

/// Calls f(rank) on a thread for each; returns the texts of their errors.
std::vector<std::string> errors_of(const std::vector<int>& ranks, std::function<void(int)> f) {
  std::vector<std::string> errors(ranks.size());
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    threads.emplace_back([&, k] {
      try {
        f(ranks[k]);
      } catch (const std::exception& e) {
        errors[k] = e.what();
      }
    });
  }
  threads.clear();
  return errors;
}

TEST(tcp, ranks_meet_at_an_address_and_by_a_file) {
  const file_of_meeting file;
  for (const int ranks : {1, 2, 3, 5}) {
    for (const std::string& place : {free_address(), file.place()}) {
      std::vector<int> all(static_cast<std::size_t>(ranks));
      for (int r = 0; r < ranks; ++r) all[static_cast<std::size_t>(r)] = r;
      const auto errors = errors_of(all, [&](int rank) {
        tcp_communicator communicator(place, rank, ranks);
        reference_context local;
        expect_moves(local, communicator);
        // What NCCL is bootstrapped with.
        std::vector<char> id(128);
        if (rank == 0) std::iota(id.begin(), id.end(), char{1});
        communicator.broadcast(local, bytes_of_chars(id), id.size(), 0);
        EXPECT_EQ(id[127], static_cast<char>(128));
        communicator.check();
      });
      EXPECT_EQ(errors, std::vector<std::string>(all.size())) << ranks << " ranks at " << place;
    }
    EXPECT_FALSE(std::filesystem::exists(file.path));
  }
}

TEST(tcp, ranks_meet_at_a_socket_that_listens) {
  const detail::descriptor listener = detail::listen_at({"127.0.0.1", "0"});
  const std::string address = address_of(listener);
  const auto errors = errors_of({0, 1, 2}, [&](int rank) {
    const std::string own = "socket:" + std::to_string(listener.get());
    tcp_communicator(rank == 0 ? own : address, rank, 3).barrier();
  });
  EXPECT_EQ(errors, std::vector<std::string>(3));
  EXPECT_THROW(tcp_communicator("socket:-1", 0, 2), communication_error);
  EXPECT_THROW(tcp_communicator("socket:3", 1, 2), argument_error);
}

TEST(tcp, folds_have_the_bits_of_one_context) {
  const std::vector<float> host = random_fractions<float>(3000);
  reference_context one;
  const float expected = reduce(one, host.data(), host.size(), plus{}, 0.1f);
  const std::string place = free_address();
  const auto errors = errors_of({0, 1, 2}, [&](int rank) {
    tcp_communicator communicator(place, rank, 3);
    reference_context local;
    distributed_context ctx(local, communicator);
    const auto shard = shard_of(ctx, host, make_shards(cut::uneven, host.size(), 3));
    EXPECT_EQ(reduce(ctx, shard, plus{}, 0.1f), expected);
  });
  EXPECT_EQ(errors, std::vector<std::string>(3));
}

TEST(tcp, the_file_of_an_earlier_launch_does_no_harm) {
  const file_of_meeting file;
  const detail::descriptor other = detail::listen_at({"127.0.0.1", "0"});
  const std::string place_of_other = detail::describe_listener(other.get(), 77);
  for (const std::string& text : {std::string("evenfold 77 1 localhost\n"), std::string("junk"),
                                  std::string("evenfold 7x 1 127.0.0.1\n"), place_of_other}) {
    std::ofstream(file.path) << text;
    const auto errors = errors_of({0, 1}, [&](int rank) {
      // Rank 1 comes first, and finds the old file.
      if (rank == 0) std::this_thread::sleep_for(milliseconds(100));
      tcp_communicator(file.place(), rank, 2).barrier();
    });
    EXPECT_EQ(errors, std::vector<std::string>(2)) << text;
  }
}

TEST(tcp, another_meeting_at_the_same_port_is_not_joined) {
  const file_of_meeting file;
  const std::string place = free_address();
  const std::string port = place.substr(place.find(':') + 1);
  std::ofstream(file.path) << "evenfold 77 " << port << " 127.0.0.1\n";
  const auto errors = errors_of({0, 1, 2}, [&](int which) {
    if (which == 2) tcp_communicator(file.place(), 1, 2, milliseconds(300));
    if (which == 2) return;
    if (which == 1) std::this_thread::sleep_for(milliseconds(500));
    tcp_communicator(place, which, 2).barrier();
  });
  EXPECT_EQ(errors[0] + errors[1], "");
  EXPECT_NE(errors[2].find("another meeting takes place at 127.0.0.1:" + port), std::string::npos)
      << errors[2];
}

TEST(tcp, a_rank_that_does_not_come_ends_the_others) {
  const std::string place = free_address();
  const auto errors = errors_of(
      {0, 2}, [&](int rank) { tcp_communicator(place, rank, 4, milliseconds(300)).barrier(); });
  const std::string expected =
      "rank 0 has waited 300 ms at " + place + ", and only ranks 0, 2 of 4 have come";
  EXPECT_EQ(errors, (std::vector<std::string>{expected, expected}));

  const auto alone =
      errors_of({1}, [&](int rank) { tcp_communicator(place, rank, 2, milliseconds(200)); });
  EXPECT_EQ(alone[0], "rank 1 has looked for rank 0 at " + place + " for 200 ms: " + place +
                          ": Connection refused");
  const file_of_meeting file;
  const auto no_file =
      errors_of({1}, [&](int rank) { tcp_communicator(file.place(), rank, 2, milliseconds(100)); });
  EXPECT_EQ(no_file[0], "rank 1 has looked for rank 0 at " + file.place() +
                            " for 100 ms: the file is not there");
}

TEST(tcp, ranks_that_do_not_belong_there_are_refused) {
  const std::string place = free_address();
  // Ranks 10 and 11 are those with a wrong size, and a rank that has come already.
  const auto errors = errors_of({0, 1, 2, 10, 11}, [&](int who) {
    if (who == 10) tcp_communicator(place, 1, 7, milliseconds(5000));
    if (who == 11) std::this_thread::sleep_for(milliseconds(150));
    if (who == 11) tcp_communicator(place, 1, 3, milliseconds(5000));
    if (who == 2) std::this_thread::sleep_for(milliseconds(400));
    if (who < 3) tcp_communicator(place, who, 3).barrier();
  });
  EXPECT_EQ(errors,
            (std::vector<std::string>{"", "", "", "rank 1 expects 7 ranks, and rank 0 expects 3",
                                      "rank 1 has come twice"}));
  EXPECT_THROW(tcp_communicator("nowhere", 0, 2), argument_error);
  EXPECT_THROW(tcp_communicator("host:99999", 0, 2), argument_error);
  EXPECT_THROW(tcp_communicator(place, 2, 2), argument_error);
}

TEST(tcp, a_rank_that_throws_ends_all) {
  const std::string place = free_address();
  for (const int bad : {0, 1}) {
    const auto errors = errors_of({0, 1, 2}, [&](int rank) {
      tcp_communicator communicator(place, rank, 3);
      communicator.barrier();
      if (rank == bad) throw std::out_of_range("bad row");
      for (;;) communicator.barrier();
    });
    for (int rank = 0; rank < 3; ++rank) {
      const std::string why =
          "rank " + std::to_string(bad) + " has failed: an exception has left its last call";
      EXPECT_EQ(errors[static_cast<std::size_t>(rank)], rank == bad ? "bad row" : why);
    }
  }
}

TEST(tcp, other_calls_and_sizes_end_all) {
  const std::string place = free_address();
  const auto calls = errors_of({0, 1}, [&](int rank) {
    tcp_communicator communicator(place, rank, 2);
    if (rank == 0) communicator.barrier();
  });
  EXPECT_EQ(calls[0],
            "rank 0 calls barrier and rank 1 calls return; all ranks make the same calls");
  const auto sizes = errors_of({0, 1}, [&](int rank) {
    tcp_communicator communicator(place, rank, 2);
    reference_context local;
    std::vector<char> data(3);
    communicator.broadcast(local, bytes_of_chars(data), rank == 0 ? 1 : 2, 0);
  });
  EXPECT_EQ(sizes, std::vector<std::string>(
                       2, "broadcast: rank 0 sends 1 bytes to rank 1, which expects 2"));
  const auto late = errors_of({0, 1}, [&](int rank) {
    tcp_communicator communicator(place, rank, 2, std::chrono::minutes(1), milliseconds(200));
    if (rank == 0) communicator.barrier();
    if (rank == 1) std::this_thread::sleep_for(milliseconds(600));
    if (rank == 1) communicator.check();
  });
  EXPECT_EQ(late,
            std::vector<std::string>(2, "barrier: rank 0 has waited 200 ms for the other ranks"));
}

TEST(tcp, a_process_that_is_killed_ends_all) {
  const std::string place = free_address();
  for (const int killed : {0, 1}) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        tcp_communicator communicator(place, killed, 3);
        communicator.barrier();
        kill(getpid(), SIGKILL);
      } catch (const std::exception&) {
        // The ranks below miss this one.
      }
      _exit(1);
    }
    std::vector<int> others{0, 1, 2};
    std::erase(others, killed);
    const auto errors = errors_of(others, [&](int rank) {
      tcp_communicator communicator(place, rank, 3);
      communicator.barrier();
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(9);
      // One waits in an operation, the other for something else.
      if (rank == 2) communicator.barrier();
      while (std::chrono::steady_clock::now() < end) communicator.check();
    });
    EXPECT_EQ(errors, std::vector<std::string>(2, "rank " + std::to_string(killed) +
                                                      " has failed: its process has ended"));
    int status = 0;
    waitpid(child, &status, 0);
  }
}

}  // namespace
}  // namespace evenfold::testing
