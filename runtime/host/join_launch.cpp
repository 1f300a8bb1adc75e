// Launches of several processes: those that meet where the environment says, and those of an MPI.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "evenfold/distributed/tcp.hpp"
#include "runtime/processes.hpp"

namespace evenfold::runtime {

namespace {

/// A text that identifies this machine as long as it runs.
using machine_name = std::array<char, 64>;
machine_name own_machine() {
  machine_name name{};
  std::ifstream("/proc/sys/kernel/random/boot_id").read(name.data(), name.size() - 1);
  return name;
}

class met_processes final : public process_group_of<tcp_communicator, launched_processes> {
 public:
  met_processes(const std::string& place, int rank, int size, std::chrono::milliseconds limit)
      : process_group_of(all_), all_(place, rank, size, limit) {
    const std::vector<machine_name> machines = gather(*this, own_machine());
    const auto own = machines.begin() + rank;
    local_rank_ = static_cast<int>(std::count(machines.begin(), own, *own));
    local_size_ = static_cast<int>(std::count(machines.begin(), machines.end(), *own));
  }

  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  bool all_have_ended(std::chrono::milliseconds time) override { return all_.all_have_ended(time); }

 private:
  tcp_communicator all_;
  int local_rank_ = 0, local_size_ = 1;
};

/// A number in the environment.
int number_in(const char* variable, const char* value) {
  const std::string_view text = value == nullptr ? "" : value;
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number < 0) {
    throw error("EVENFOLD_MEET: " + std::string(variable) + " is '" + std::string(text) +
                "', expected a number; each process has EVENFOLD_RANK, from 0 on, and the same "
                "EVENFOLD_RANKS");
  }
  return number;
}

}  // namespace

std::shared_ptr<launched_processes> meet(const std::string& place, int rank, int size,
                                         std::chrono::milliseconds limit) {
  return std::make_shared<met_processes>(place, rank, size, limit);
}

std::shared_ptr<launched_processes> join_launch(int& argc, char**& argv) {
  const char* const place = std::getenv("EVENFOLD_MEET");
  if (place == nullptr) return join_mpi(argc, argv);
  const int rank = number_in("EVENFOLD_RANK", std::getenv("EVENFOLD_RANK"));
  const int size = number_in("EVENFOLD_RANKS", std::getenv("EVENFOLD_RANKS"));
  const char* const seconds = std::getenv("EVENFOLD_MEET_SECONDS");
  const int limit = seconds == nullptr ? 60 : number_in("EVENFOLD_MEET_SECONDS", seconds);
  return meet(place, rank, size, std::chrono::seconds(limit));
}

}  // namespace evenfold::runtime
