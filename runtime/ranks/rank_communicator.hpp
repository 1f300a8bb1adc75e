#pragma once
// The communicator of the ranks of an engine. Its model is known at run time, so that algorithms
// are compiled once for all models.

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "evenfold/contexts.hpp"
#include "evenfold/distributed/communicator.hpp"
#include "runtime/backend.hpp"
#include "runtime/processes.hpp"

namespace evenfold::runtime {

/// Moves data in the memory of `Context` and in host memory.
template <class Context>
class rank_communicator {
 public:
  virtual ~rank_communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void barrier() = 0;
  virtual void fail(std::string reason) noexcept = 0;

  virtual void exchange(Context& local, std::span<const outgoing_message> sends,
                        std::span<const incoming_message> receives) = 0;
  virtual void exchange(reference_context& host, std::span<const outgoing_message> sends,
                        std::span<const incoming_message> receives) = 0;
  virtual void all_gather_v(Context& local, const std::byte* from, std::byte* to,
                            byte_offsets offsets) = 0;
  virtual void all_gather_v(reference_context& host, const std::byte* from, std::byte* to,
                            byte_offsets offsets) = 0;
  virtual void all_to_all_v(Context& local, const std::byte* from, byte_offsets from_offsets,
                            std::byte* to, byte_offsets to_offsets) = 0;
  virtual void all_to_all_v(reference_context& host, const std::byte* from,
                            byte_offsets from_offsets, std::byte* to, byte_offsets to_offsets) = 0;
  virtual void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) = 0;
  virtual void broadcast(reference_context& host, std::byte* data, std::size_t bytes, int root) = 0;
};

/// The communicator of a model, which must outlive it.
template <class Context, class Model>
class rank_communicator_of final : public rank_communicator<Context> {
 public:
  explicit rank_communicator_of(Model& model) : model_(&model) {}

  int rank() const override { return model_->rank(); }
  int size() const override { return model_->size(); }
  void barrier() override { model_->barrier(); }
  void fail(std::string reason) noexcept override { model_->fail(std::move(reason)); }

  void exchange(Context& local, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) override {
    model_->exchange(local, sends, receives);
  }
  void exchange(reference_context& host, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) override {
    model_->exchange(host, sends, receives);
  }
  void all_gather_v(Context& local, const std::byte* from, std::byte* to,
                    byte_offsets offsets) override {
    model_->all_gather_v(local, from, to, offsets);
  }
  void all_gather_v(reference_context& host, const std::byte* from, std::byte* to,
                    byte_offsets offsets) override {
    model_->all_gather_v(host, from, to, offsets);
  }
  void all_to_all_v(Context& local, const std::byte* from, byte_offsets from_offsets, std::byte* to,
                    byte_offsets to_offsets) override {
    model_->all_to_all_v(local, from, from_offsets, to, to_offsets);
  }
  void all_to_all_v(reference_context& host, const std::byte* from, byte_offsets from_offsets,
                    std::byte* to, byte_offsets to_offsets) override {
    model_->all_to_all_v(host, from, from_offsets, to, to_offsets);
  }
  void broadcast(Context& local, std::byte* data, std::size_t bytes, int root) override {
    model_->broadcast(local, data, bytes, root);
  }
  void broadcast(reference_context& host, std::byte* data, std::size_t bytes, int root) override {
    model_->broadcast(host, data, bytes, root);
  }

 private:
  Model* model_;
};

/// A model, which is constructed from its arguments, and its communicator.
template <class Context, class Model>
struct owned_rank_communicator {
  Model model;
  rank_communicator_of<Context, Model> ranks{model};

  template <class... Arguments>
  explicit owned_rank_communicator(Arguments&... arguments) : model(arguments...) {}
};
template <class Context, class Model, class... Arguments>
std::shared_ptr<rank_communicator<Context>> make_ranks(Arguments&... arguments) {
  const auto owned = std::make_shared<owned_rank_communicator<Context, Model>>(arguments...);
  return std::shared_ptr<rank_communicator<Context>>(owned, &owned->ranks);
}

/// A number that identifies a GPU; 0 for the CPU.
struct device_number {
  std::array<char, 16> bytes{};
  bool operator==(const device_number&) const = default;
};

/// The number of the device of a context. Defined by host/open.cpp and cuda/open_gpu.cu.
device_number number_of(const backend_context& local);

/// The communicator of processes with a GPU each. Defined by nccl/join_gpus.cu, or by
/// cuda/no_nccl.cu where the library is built without NCCL.
template <class Context>
std::shared_ptr<rank_communicator<Context>> join_gpus(process_group& processes, Context& local);

}  // namespace evenfold::runtime
