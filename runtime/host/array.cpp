#include "runtime/array.hpp"

#include <utility>

#include "runtime/backend.hpp"
#include "runtime/operation_types.hpp"

namespace evenfold::runtime {

array array::borrowed(element_type type, void* data, std::size_t count, memory_side side,
                      std::shared_ptr<const void> keeper) {
  array result;
  result.type_ = type;
  result.side_ = side;
  result.data_ = data;
  result.size_ = count;
  result.keeper_ = std::move(keeper);
  return result;
}

array array::borrowed(element_type type, const void* data, std::size_t count, memory_side side,
                      std::shared_ptr<const void> keeper) {
  // The memory is not written: mutable_address() refuses read-only arrays.
  array result = borrowed(type, const_cast<void*>(data), count, side, std::move(keeper));
  result.read_only_ = true;
  return result;
}

array array::owning(element_type type, void* data, std::size_t count,
                    std::shared_ptr<const engine_identity> engine,
                    std::shared_ptr<const void> keeper) {
  array result = borrowed(type, data, count, engine->side, std::move(keeper));
  result.engine_ = std::move(engine);
  return result;
}

void array::swap(array& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(side_, other.side_);
  std::swap(read_only_, other.read_only_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  engine_.swap(other.engine_);
  keeper_.swap(other.keeper_);
}

const void* array::address() const {
  if (engine_ != nullptr && !engine_->open) {
    throw closed_engine_error("array: its engine, " + engine_->name +
                              ", is closed; download the elements before that, or keep the engine");
  }
  return data_;
}

void* array::mutable_address() {
  if (read_only_) {
    detail::refuse_argument("array", "memory", "read-only", "the operation writes to it",
                            "pass memory that may be written, or a copy");
  }
  address();
  return data_;
}

const void* array::host_address(element_type type) const {
  if (type_ != type && size_ > 0) refuse_type("array::host", "the array", type_, {type});
  if (side_ == memory_side::device) {
    detail::refuse_argument("array::host", "the array", "in device memory",
                            "the host cannot reach it", "download() the elements");
  }
  return address();
}

array array::share() const {
  array result = borrowed(type_, address(), size_, side_, keeper_);
  result.engine_ = engine_;
  return result;
}

void refuse_type(const char* operation, const char* argument, element_type type, type_set types) {
  std::string expected;
  for (int i = 0; i < num_element_types; ++i) {
    const auto known = static_cast<element_type>(i);
    if (!types.has(known)) continue;
    if (!expected.empty()) expected += ", ";
    expected += name_of(known);
  }
  throw type_error(detail::refusal(operation, "the element type of " + std::string(argument),
                                   name_of(type), "the operation exists for " + expected,
                                   "convert the elements"));
}

void check_reach(const char* operation, const char* argument, const array& values,
                 const engine_identity& engine) {
  const engine_identity* const owner = values.engine();
  const bool here = values.side() == memory_side::either || values.side() == engine.side;
  if (here && (owner == nullptr || owner == &engine || engine.side == memory_side::host)) return;
  const char* const side = values.side() == memory_side::host ? "host memory" : "device memory";
  detail::refuse_argument(
      operation, argument, owner != nullptr ? "an array of " + owner->name : side,
      "the engine " + engine.name + " cannot reach it", "upload() the elements to this engine");
}

}  // namespace evenfold::runtime
