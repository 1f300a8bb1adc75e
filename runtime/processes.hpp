#pragma once
// `process_group`: the processes that work together, each with an engine of its own.

#include <chrono>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/array.hpp"
#include "evenfold/distributed/communicator.hpp"

namespace evenfold::runtime {

/// A communicator of host memory (distributed/communicator.hpp), whose model is known at run time.
/// An engine joins it by engine::join().
class process_group {
 public:
  process_group() = default;
  virtual ~process_group() = default;
  process_group(const process_group&) = delete;
  process_group& operator=(const process_group&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  virtual void exchange(reference_context& memory, std::span<const outgoing_message> sends,
                        std::span<const incoming_message> receives) = 0;
  virtual void all_gather_v(reference_context& memory, const std::byte* from, std::byte* to,
                            byte_offsets offsets) = 0;
  virtual void all_to_all_v(reference_context& memory, const std::byte* from,
                            byte_offsets from_offsets, std::byte* to, byte_offsets to_offsets) = 0;
  virtual void broadcast(reference_context& memory, std::byte* data, std::size_t bytes,
                         int root) = 0;
  virtual void barrier() = 0;
  virtual void fail(std::string reason) noexcept = 0;

  /// Throws communication_error if it is known that another process has failed.
  virtual void check() {}
};

/// The ranks of a communicator of host memory, which must outlive it, as a process_group or as a
/// class derived from it.
template <class Model, class Base = process_group>
class process_group_of : public Base {
 public:
  explicit process_group_of(Model& model) : model_(&model) {}

  int rank() const override { return model_->rank(); }
  int size() const override { return model_->size(); }

  void exchange(reference_context& memory, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) override {
    model_->exchange(memory, sends, receives);
  }
  void all_gather_v(reference_context& memory, const std::byte* from, std::byte* to,
                    byte_offsets offsets) override {
    model_->all_gather_v(memory, from, to, offsets);
  }
  void all_to_all_v(reference_context& memory, const std::byte* from, byte_offsets from_offsets,
                    std::byte* to, byte_offsets to_offsets) override {
    model_->all_to_all_v(memory, from, from_offsets, to, to_offsets);
  }
  void broadcast(reference_context& memory, std::byte* data, std::size_t bytes, int root) override {
    model_->broadcast(memory, data, bytes, root);
  }
  void barrier() override { model_->barrier(); }
  void fail(std::string reason) noexcept override { model_->fail(std::move(reason)); }
  void check() override { model_->check(); }

 private:
  Model* model_;
};

/// The elements of all processes, one process after another. Called by all processes.
template <class T>
evenfold::array<T> gather(process_group& all, std::span<const T> own) {
  reference_context memory;
  const auto size = static_cast<std::size_t>(all.size());
  std::vector<std::size_t> bytes(size), offsets(size + 1);
  for (std::size_t p = 0; p <= size; ++p) offsets[p] = p * sizeof(std::size_t);
  const std::size_t own_bytes = own.size_bytes();
  all.all_gather_v(memory, reinterpret_cast<const std::byte*>(&own_bytes),
                   reinterpret_cast<std::byte*>(bytes.data()), offsets);
  std::inclusive_scan(bytes.begin(), bytes.end(), offsets.begin() + 1);
  offsets[0] = 0;
  evenfold::array<T> result(memory, offsets.back() / sizeof(T));
  all.all_gather_v(memory, reinterpret_cast<const std::byte*>(own.data()),
                   reinterpret_cast<std::byte*>(result.data()), offsets);
  return result;
}
/// The value of each process.
template <class T>
std::vector<T> gather(process_group& all, const T& own) {
  const evenfold::array<T> values = gather(all, std::span<const T>(&own, 1));
  return std::vector<T>(values.data(), values.data() + values.size());
}

/// The processes that one call of mpirun or srun has started, or that meet at the place that the
/// environment names.
class launched_processes : public process_group {
 public:
  /// The number of this process among the processes of its machine, and the number of these.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  /// Called after a failure. Returns whether all processes have called it before the time is over;
  /// then all know of the failure, and no process has to wait for another one.
  virtual bool all_have_ended(std::chrono::milliseconds time) = 0;
};

/// Waits until `size` processes have met at a place, as tcp_communicator takes it
/// (distributed/tcp.hpp); this one is number `rank`. When the last pointer to them is destroyed,
/// the process waits until all others do the same. Errors: as of tcp_communicator.
std::shared_ptr<launched_processes> meet(const std::string& place, int rank, int size,
                                         std::chrono::milliseconds limit);

/// Joins the processes of the same launch; to be called once, before the arguments are read. When
/// the last pointer to them is destroyed, the process waits until all others do the same.
///
/// - Where EVENFOLD_MEET names a place, the processes meet() there. EVENFOLD_RANK is the number of
/// this one, EVENFOLD_RANKS that of all, and
///   EVENFOLD_MEET_SECONDS how long a process waits for the others to come, 60 by default.
/// - Else the launcher of an MPI, if it has started this process.
///
/// Returns nothing if this process was started alone, or by mpirun if the library was built without
/// MPI. Errors: error for a variable that is missing or no number; communication_error.
std::shared_ptr<launched_processes> join_launch(int& argc, char**& argv);

/// Joins the processes that the launcher of an MPI has started, or returns nothing. Defined by
/// mpi/join_mpi.cpp, or by host/no_mpi.cpp where the library is built without MPI.
std::shared_ptr<launched_processes> join_mpi(int& argc, char**& argv);

}  // namespace evenfold::runtime
