#pragma once
// What the models of a communicator share: how they find that ranks do not make the same calls, and
// what they say of it.

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace evenfold::detail {

/// Whether an exception that has begun since the object was made destroys it.
class exception_watch {
 public:
  bool is_unwinding() const { return std::uncaught_exceptions() > before_; }

 private:
  int before_ = std::uncaught_exceptions();
};

/// The text of an error if the calls of ranks, which have an operation and a number that is the
/// same on all ranks, differ; else an empty one. call(r) is that of rank r.
template <class Call>
std::string first_other_call(int ranks, Call call) {
  const auto& first = call(0);
  for (int r = 1; r < ranks; ++r) {
    const auto& other = call(r);
    if (std::string_view(first.operation) != other.operation) {
      return "rank 0 calls " + std::string(first.operation) + " and rank " + std::to_string(r) +
             " calls " + other.operation + "; all ranks make the same calls";
    }
    if (first.number != other.number) {
      return std::string(first.operation) + ": an argument is " + std::to_string(first.number) +
             " on rank 0 and " + std::to_string(other.number) + " on rank " + std::to_string(r) +
             "; all ranks pass the same";
    }
  }
  return "";
}

/// The text of an error if a rank expects other bytes than it is sent; else an empty one.
inline std::string check_bytes(std::string_view operation, int from, std::uint64_t sent, int to,
                               std::uint64_t expected) {
  if (sent == expected) return "";
  return std::string(operation) + ": rank " + std::to_string(from) + " sends " +
         std::to_string(sent) + " bytes to rank " + std::to_string(to) + ", which expects " +
         std::to_string(expected);
}

/// The text of an error after the time limit of an operation.
inline std::string waited_in_vain(std::string_view operation, int rank,
                                  std::chrono::milliseconds time_limit) {
  return std::string(operation) + ": rank " + std::to_string(rank) + " has waited " +
         std::to_string(time_limit.count()) + " ms for the other ranks";
}

}  // namespace evenfold::detail
