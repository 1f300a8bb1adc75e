// Engines that are ranks of several processes, over a communicator of Python.

#include "runtime/processes.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/families.hpp"

namespace evenfold::python {

namespace {

/// Bytes as Python sees them while a call lasts.
nb::object view(std::byte* data, std::size_t bytes) {
  constexpr int writable = 0x200;  // PyBUF_WRITE, which the limited API does not name before 3.11
  static char nothing;
  char* const begin = bytes == 0 ? &nothing : reinterpret_cast<char*>(data);
  return nb::steal(PyMemoryView_FromMemory(begin, static_cast<Py_ssize_t>(bytes), writable));
}
nb::object view(const std::byte* data, std::size_t bytes) {
  return view(const_cast<std::byte*>(data), bytes);
}

std::vector<std::size_t> list(byte_offsets offsets) { return {offsets.begin(), offsets.end()}; }

/// A class of evenfold/distributed.py, which is called by the thread of the engine. Each operation
/// returns why it has failed, or an empty text.
class python_processes final : public runtime::process_group {
 public:
  explicit python_processes(nb::object all)
      : all_(std::move(all)),
        rank_(nb::cast<int>(all_.attr("rank"))),
        size_(nb::cast<int>(all_.attr("size"))) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  /// The messages as parts of one buffer per direction.
  void exchange(reference_context& memory, std::span<const outgoing_message> sends,
                std::span<const incoming_message> receives) override {
    const auto offsets_of = [&](auto messages) {
      std::vector<std::size_t> offsets(static_cast<std::size_t>(size_) + 1);
      for (const auto& one : messages) offsets[static_cast<std::size_t>(one.rank) + 1] = one.bytes;
      for (std::size_t r = 1; r < offsets.size(); ++r) offsets[r] += offsets[r - 1];
      return offsets;
    };
    const auto from_offsets = offsets_of(sends), to_offsets = offsets_of(receives);
    std::vector<std::byte> from(from_offsets.back()), to(to_offsets.back());
    for (const outgoing_message& one : sends) {
      std::copy_n(one.data, one.bytes,
                  from.data() + from_offsets[static_cast<std::size_t>(one.rank)]);
    }
    all_to_all_v(memory, from.data(), from_offsets, to.data(), to_offsets);
    for (const incoming_message& one : receives) {
      std::copy_n(to.data() + to_offsets[static_cast<std::size_t>(one.rank)], one.bytes, one.data);
    }
  }

  void all_gather_v(reference_context&, const std::byte* from, std::byte* to,
                    byte_offsets offsets) override {
    const auto mine = static_cast<std::size_t>(rank_);
    call("all_gather_v", [&](const nb::object& f) {
      return f(view(from, offsets[mine + 1] - offsets[mine]), view(to, offsets.back()),
               list(offsets));
    });
  }
  void all_to_all_v(reference_context&, const std::byte* from, byte_offsets from_offsets,
                    std::byte* to, byte_offsets to_offsets) override {
    call("all_to_all_v", [&](const nb::object& f) {
      return f(view(from, from_offsets.back()), list(from_offsets), view(to, to_offsets.back()),
               list(to_offsets));
    });
  }
  void broadcast(reference_context&, std::byte* data, std::size_t bytes, int root) override {
    call("broadcast", [&](const nb::object& f) { return f(view(data, bytes), root); });
  }
  void barrier() override {
    call("barrier", [](const nb::object& f) { return f(); });
  }
  void fail(std::string reason) noexcept override {
    const nb::gil_scoped_acquire locked;
    try {
      const auto size = static_cast<Py_ssize_t>(reason.size());
      all_.attr("fail")(nb::steal(PyUnicode_DecodeUTF8(reason.data(), size, "replace")));
    } catch (nb::python_error& e) {
      e.discard_as_unraisable("telling the other processes of a failure");
    }
  }

 private:
  template <class Call>
  void call(const char* operation, Call start) {
    const nb::gil_scoped_acquire locked;
    std::string failure;
    try {
      failure = nb::cast<std::string>(start(nb::object(all_.attr(operation))));
    } catch (const nb::python_error& e) {
      failure = e.what();
    }
    if (!failure.empty()) throw communication_error(failure);
  }

  nb::object all_;
  int rank_, size_;
};

}  // namespace

std::unique_ptr<runtime::engine> open_rank(nb::object processes, int threads) {
  auto engine = runtime::open_cpu(threads);
  engine->join(std::make_shared<python_processes>(std::move(processes)));
  return engine;
}

std::unique_ptr<runtime::engine> open_meeting(const std::string& place, int rank, int size,
                                              double seconds, int threads) {
  auto engine = runtime::open_cpu(threads);
  const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  engine->join(runtime::meet(place, rank, size, limit));
  return engine;
}

}  // namespace evenfold::python
