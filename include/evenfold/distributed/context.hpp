#pragma once
// The context of a distributed program: what each rank passes to a distributed algorithm.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "evenfold/contexts.hpp"
#include "evenfold/core/context.hpp"
#include "evenfold/core/error.hpp"
#include "evenfold/distributed/communicator.hpp"

namespace evenfold {

/// One rank: a local context and a communicator, both of which must outlive it. All ranks make the
/// same distributed calls in the same order, with the same arguments except for their data.
///
/// A call that throws on one rank, such as a function of the user in a lambda, makes the
/// communicator fail, so that all other ranks throw a communication_error. A call that all ranks
/// refuse leaves the communicator usable.
template <context Local, communicator<Local> Communicator>
class distributed_context {
 public:
  /// Whether algorithms compare their arguments on all ranks, at the cost of one small all_gather.
  bool check_arguments = true;

  distributed_context(Local& local, Communicator& communicator)
      : local_(&local), communicator_(&communicator) {}

  int rank() const { return communicator_->rank(); }
  int size() const { return communicator_->size(); }
  Local& local() const { return *local_; }
  Communicator& communicator() const { return *communicator_; }

  /// For a few values in host memory, such as counts.
  reference_context& host() const { return host_; }

  /// While it exists, an algorithm runs. The algorithms that it calls get arguments that follow
  /// from its own, which are not compared again.
  class running_call {
   public:
    explicit running_call(distributed_context& ctx) : ctx_(ctx) { ++ctx_.depth_; }
    running_call(const running_call&) = delete;
    running_call& operator=(const running_call&) = delete;
    ~running_call() { --ctx_.depth_; }
    bool is_outermost() const { return ctx_.depth_ == 1; }

   private:
    distributed_context& ctx_;
  };

 private:
  Local* local_;
  Communicator* communicator_;
  int depth_ = 0;
  mutable reference_context host_;
};

namespace detail {

/// The values of all ranks, by rank.
template <class Context, class T>
std::vector<T> gather_values(Context& ctx, const T* values, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto ranks = static_cast<std::size_t>(ctx.size());
  std::vector<std::size_t> offsets(ranks + 1);
  for (std::size_t r = 0; r <= ranks; ++r) offsets[r] = r * count * sizeof(T);
  std::vector<T> all(ranks * count);
  ctx.communicator().all_gather_v(ctx.host(), reinterpret_cast<const std::byte*>(values),
                                  reinterpret_cast<std::byte*>(all.data()), offsets);
  return all;
}
template <class Context, class T>
std::vector<T> gather_value(Context& ctx, const T& value) {
  return gather_values(ctx, &value, 1);
}

/// The name of an argument, and a number that is the same on all ranks if the argument is.
struct common_argument {
  const char* name;
  std::uint64_t value;
};

/// A number for a value, by FNV-1a. Types with padding have none, and are not compared.
template <class T>
std::uint64_t fingerprint(const T& value) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  if constexpr (std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  }
  return hash;
}

/// Throws the same argument_error on all ranks if they do not call the same algorithm with the same
/// arguments, of which there are at most four.
template <class Context>
void check_common_call(Context& ctx, const char* algorithm,
                       std::initializer_list<common_argument> arguments) {
  if (!ctx.check_arguments || ctx.size() == 1) return;
  struct call {
    char algorithm[32] = {};
    std::uint64_t values[4] = {};
  } mine;
  std::strncpy(mine.algorithm, algorithm, sizeof(mine.algorithm) - 1);
  std::size_t k = 0;
  for (const common_argument& argument : arguments) mine.values[k++] = argument.value;
  const std::vector<call> calls = gather_value(ctx, mine);
  for (std::size_t r = 1; r < calls.size(); ++r) {
    const std::string ranks = "on rank 0 and rank " + std::to_string(r);
    if (std::strcmp(calls[r].algorithm, calls[0].algorithm) != 0) {
      throw argument_error("rank 0 calls " + std::string(calls[0].algorithm) + " and rank " +
                           std::to_string(r) + " calls " + calls[r].algorithm +
                           ", but all ranks make the same calls; call the same algorithm on every "
                           "rank");
    }
    k = 0;
    for (const common_argument& argument : arguments) {
      if (calls[r].values[k] != calls[0].values[k]) {
        refuse_argument(algorithm, argument.name, "different " + ranks,
                        "all ranks make the same call", "pass the same value on every rank");
      }
      ++k;
    }
  }
}

/// Runs a distributed algorithm. The communicator fails if an exception leaves it.
template <class Context, class F>
decltype(auto) run_on_all_ranks(Context& ctx, const char* algorithm,
                                std::initializer_list<common_argument> arguments, F f) {
  const typename Context::running_call call(ctx);
  if (call.is_outermost()) check_common_call(ctx, algorithm, arguments);
  try {
    return f();
  } catch (const std::exception& e) {
    ctx.communicator().fail(failure_reason({algorithm, ": ", e.what()}));
    throw;
  } catch (...) {
    ctx.communicator().fail(failure_reason({algorithm, ": an exception of an unknown type"}));
    throw;
  }
}

}  // namespace detail

}  // namespace evenfold
