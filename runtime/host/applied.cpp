#include "runtime/host/applied.hpp"

#include <algorithm>

namespace evenfold::runtime {

constinit thread_local computed_tile last_tile;

namespace {

struct used_registers {
  std::uint64_t evaluator = 0;
  register_file file;
};

}  // namespace

register_file& registers_of(const evaluator& f, register_use use) {
  static thread_local std::array<used_registers, 2> files;
  used_registers& used = files[static_cast<std::size_t>(use)];
  if (used.evaluator != f.identity()) used = {f.identity(), f.registers()};
  return used.file;
}

void tiled_items::compute(std::int64_t i) const {
  const std::int64_t begin = i - i % expression_tile;
  computed(begin, std::min(expression_tile, count_ - begin));
}

const computed_tile& tiled_items::computed(std::int64_t begin, std::int64_t count) const {
  last_tile.evaluator = 0;
  register_file& file = registers_of(*f_, register_use::items);
  f_->evaluate(file, begin, static_cast<int>(count));
  for (std::size_t k = 0; k < f_->num_results() && k < most_components; ++k) {
    last_tile.results[k] = f_->result(file, k);
  }
  last_tile.begin = begin;
  last_tile.count = static_cast<std::uint64_t>(count);
  last_tile.evaluator = identity_;
  return last_tile;
}

}  // namespace evenfold::runtime
