#pragma once
// `engine`: one device kept open, and the operations on its arrays.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/array.hpp"
#include "runtime/operation_types.hpp"

namespace evenfold {
class stream_memory_resource;  // backend/cuda/memory.cuh
}  // namespace evenfold

namespace evenfold::runtime {

class process_group;  // runtime/processes.hpp

class array_operations;
class matrix_operations;
class sparse_operations;
class graph_operations;
class sequence_operations;
class segment_operations;
class table_operations;
class place_operations;
class function_operations;

/// Called with the name of each phase of long work as it begins.
using phase_observer = std::function<void(std::string)>;

/// The hardware of a device, and its speed.
struct device_facts {
  /// The name of the engine.
  std::string device;
  std::string backend;
  std::string name;
  /// Cores or multiprocessors.
  int workers = 0;
  double memory_bytes = 0;
  /// Bytes read and written, best of a few runs.
  double copy_bytes_per_second = 0;
};

/// One open device. Its arrays stay on the device between operations. Not to be used by two threads
/// at once. The functions open_cpu, open_gpu and open_reference make one; an engine is closed when
/// it is destroyed.
///
/// Operations run in order. One that returns a number or plain structures waits for its result; one
/// that returns arrays need not.
class engine {
 public:
  engine() = default;
  virtual ~engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// "cpu", "reference" or "gpu:N"; with several ranks "cpu:N" or "gpu:N,N,...".
  virtual const std::string& name() const = 0;
  /// On which side its memory is.
  virtual memory_side side() const = 0;
  /// Bytes that arrays could still take.
  virtual std::size_t available_bytes() = 0;
  /// Waits for all work given to it. Errors: those of this work.
  virtual void synchronize() = 0;
  /// order_before: later work of `stream`, a cudaStream_t of the caller, waits for all work given
  /// to this engine so far. order_after: the reverse. Both do nothing on the host, where work is
  /// complete when a call returns.
  virtual void order_before(void* stream) = 0;
  virtual void order_after(void* stream) = 0;

  /// An array of uninitialized elements.
  virtual array allocate(element_type type, std::size_t count) = 0;
  /// A copy of the elements of an array, which lie on either side, in this engine's memory.
  virtual array upload(const array& from) = 0;
  /// Copies the elements of an array that this engine can reach to host memory. Waits.
  virtual void download(const array& from, void* to) = 0;
  /// The elements in memory that this engine can reach: those of `from` themselves, or else a copy.
  array local(const array& from) {
    return from.side() == side() || from.side() == memory_side::either ? from.share()
                                                                       : upload(from);
  }

  /// The operations of each family (runtime/NAME.hpp). Errors: error for a family that the program
  /// was linked without.
  virtual array_operations& arrays() = 0;
  virtual matrix_operations& matrices() = 0;
  virtual sparse_operations& sparse() = 0;
  virtual graph_operations& graphs() = 0;
  virtual sequence_operations& sequences() = 0;
  virtual segment_operations& segments() = 0;
  virtual table_operations& tables() = 0;
  virtual place_operations& places() = 0;
  virtual function_operations& functions() = 0;

  /// Makes this engine a rank of several processes, each of which has one such engine with the same
  /// arrays and makes the same calls. The operations that open_cpu_ranks() names then run on all
  /// ranks, and every engine gets the whole result; all other operations run on each engine alone.
  ///
  /// Called by all processes. If each has a GPU of its own and the library was built with NCCL,
  /// NCCL moves device memory; otherwise it is copied through host memory.
  ///
  /// Errors: argument_error for an engine that has ranks of its own, and for the reference;
  /// communication_error.
  virtual void join(std::shared_ptr<process_group> processes) = 0;

  /// The processes that this engine has joined, or nullptr.
  virtual process_group* processes() const = 0;

  /// Sets the function to which the phases of long work are reported.
  virtual void observe(phase_observer observer) = 0;

  /// Measures the device. Scratch: up to 2 GiB.
  virtual device_facts facts() = 0;
};

/// The threads of the CPU; 0 takes one per core.
std::unique_ptr<engine> open_cpu(int threads = 0);

/// Plain serial loops: the oracle of the tests.
std::unique_ptr<engine> open_reference();

/// A GPU. Work runs on `stream`, a cudaStream_t that outlives the engine and its arrays, or on a
/// stream of its own; arrays come from `memory`, which outlives them, too, or from a pool of its
/// own.
///
/// Errors: device_error where there is no such GPU, or where the library was built without CUDA.
std::unique_ptr<engine> open_gpu(int index = 0, std::optional<void*> stream = std::nullopt,
                                 stream_memory_resource* memory = nullptr);

/// Engines with several ranks, each with a share of the threads of the CPU, or on a GPU. Their
/// arrays lie in the memory of the first device. PageRank without personalization, breadth-first
/// search by the automatic method and without a table of levels, shortest paths without parents,
/// products of a sparse matrix and a vector, the nearest places, sorts, and folds, scans and folds
/// of segments in float64 or int64 run on all ranks, with the same results as on one; all other
/// operations run on the first device. One rank alone computes exact folds of integers
/// (matrix_operations::aggregate), and folds of segments of integers other than int64.
///
/// Errors: argument_error for fewer than one rank; as open_gpu.
std::unique_ptr<engine> open_cpu_ranks(int ranks, int threads = 0);
std::unique_ptr<engine> open_gpu_ranks(const std::vector<int>& indices);

/// The number of GPUs; 0 if there is no driver, or if the library was built without CUDA.
int num_gpus();

/// Whether the library was built with CUDA.
bool knows_gpus();

/// A device cannot be opened.
class device_error : public error {
 public:
  using error::error;
};

/// The elements of an array, whose type is T, on the host. Waits.
///
/// Errors: type_error for elements of another type.
template <class T>
std::vector<T> to_vector(engine& from, const array& values) {
  if (values.type() != element_type_of<T>()) {
    refuse_type("to_vector", "values", values.type(), {element_type_of<T>()});
  }
  std::vector<T> result(values.size());
  from.download(values, result.data());
  return result;
}

}  // namespace evenfold::runtime
