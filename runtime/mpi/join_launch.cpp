// Launches of several processes by MPI.

#include <cstdlib>
#include <thread>
#include <utility>

#include "evenfold/distributed/mpi.hpp"
#include "runtime/processes.hpp"

namespace evenfold::runtime {

namespace {

class mpi_processes final : public launched_processes {
 public:
  mpi_processes(int& argc, char**& argv) : session_(argc, argv) {
    evenfold::detail::check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &ended_), "MPI_Comm_dup");
    MPI_Comm local = MPI_COMM_NULL;
    evenfold::detail::check_mpi(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local),
        "MPI_Comm_split_type");
    MPI_Comm_rank(local, &local_rank_);
    MPI_Comm_size(local, &local_size_);
    MPI_Comm_free(&local);
  }

  int rank() const override { return all_.rank(); }
  int size() const override { return all_.size(); }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  void exchange(reference_context& memory, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) override {
    all_.exchange(memory, sends, receives);
  }
  void all_gather_v(reference_context& memory, const std::byte* from, std::byte* to,
                    byte_offsets offsets) override {
    all_.all_gather_v(memory, from, to, offsets);
  }
  void all_to_all_v(reference_context& memory, const std::byte* from, byte_offsets from_offsets,
                    std::byte* to, byte_offsets to_offsets) override {
    all_.all_to_all_v(memory, from, from_offsets, to, to_offsets);
  }
  void broadcast(reference_context& memory, std::byte* data, std::size_t bytes, int root) override {
    all_.broadcast(memory, data, bytes, root);
  }
  void barrier() override { all_.barrier(); }
  void fail(std::string reason) noexcept override { all_.fail(std::move(reason)); }

  bool all_have_ended(std::chrono::milliseconds time) override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(ended_, &request);
    const auto start = std::chrono::steady_clock::now();
    int done = 0;
    while (done == 0 && std::chrono::steady_clock::now() - start < time) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return done != 0;
  }

 private:
  mpi_session session_;
  mpi_communicator all_;
  MPI_Comm ended_ = MPI_COMM_NULL;
  int local_rank_ = 0, local_size_ = 1;
};

}  // namespace

std::shared_ptr<launched_processes> join_launch(int& argc, char**& argv) {
  // Each of these is set by some launchers: PMIx, PMI of MPICH and Slurm.
  for (const char* const variable : {"PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(variable) != nullptr) return std::make_shared<mpi_processes>(argc, argv);
  }
  return nullptr;
}

}  // namespace evenfold::runtime
