// Launches of several processes by MPI.

#include <cstdlib>
#include <thread>

#include "evenfold/distributed/mpi.hpp"
#include "runtime/processes.hpp"

namespace evenfold::runtime {

namespace {

class mpi_processes final : public process_group_of<mpi_communicator, launched_processes> {
 public:
  mpi_processes(int& argc, char**& argv) : process_group_of(all_), session_(argc, argv) {
    evenfold::detail::check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &ended_), "MPI_Comm_dup");
    MPI_Comm local = MPI_COMM_NULL;
    evenfold::detail::check_mpi(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local),
        "MPI_Comm_split_type");
    MPI_Comm_rank(local, &local_rank_);
    MPI_Comm_size(local, &local_size_);
    MPI_Comm_free(&local);
  }

  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

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

std::shared_ptr<launched_processes> join_mpi(int& argc, char**& argv) {
  // Each of these is set by some launchers: PMIx, PMI of MPICH and Slurm.
  for (const char* const variable : {"PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(variable) != nullptr) return std::make_shared<mpi_processes>(argc, argv);
  }
  return nullptr;
}

}  // namespace evenfold::runtime
