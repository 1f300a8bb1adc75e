#include "runtime/host/evaluator.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace evenfold::runtime {

namespace {

/// Copies elements of a width that are chosen by indices. Returns the first index that does not
/// exist, or 0.
template <class Bits>
bool take_elements(const void* table, std::int64_t size, const std::int64_t* indices, void* to,
                   int count, std::int64_t& wrong) {
  const Bits* const from = static_cast<const Bits*>(table);
  Bits* const out = static_cast<Bits*>(to);
  for (int i = 0; i < count; ++i) {
    const std::int64_t at = indices[i] < 0 ? indices[i] + size : indices[i];
    if (static_cast<std::uint64_t>(at) >= static_cast<std::uint64_t>(size)) {
      wrong = indices[i];
      return false;
    }
    out[i] = from[at];
  }
  return true;
}

/// Writes of_segment[k] for each item of a segment k, from item `begin` of `segment` on.
template <class Bits>
void write_by_segment(const std::int64_t* offsets, std::int64_t segment, std::int64_t begin,
                      int count, const void* of_segment, void* to) {
  const Bits* const from = static_cast<const Bits*>(of_segment);
  Bits* const out = static_cast<Bits*>(to);
  for (std::int64_t done = 0; done < count; ++segment) {
    // Whole blocks, without a branch that depends on a short length; the next segment replaces what
    // is beyond this one.
    const std::int64_t stop = std::min<std::int64_t>(offsets[segment + 1] - begin, count);
    const Bits value = from[segment];
    do {
      std::fill_n(out + done, register_file::block, value);
      done += register_file::block;
    } while (done < stop);
    done = stop;
  }
}

template <class Bits>
void fill_with(number_bits bits, void* to) {
  Bits value;
  std::memcpy(&value, &bits, sizeof(value));
  std::fill_n(static_cast<Bits*>(to), expression_tile, value);
}

/// Calls visitor(std::type_identity<Bits>()) with the unsigned integer as wide as an element.
template <class Visitor>
auto visit_bits(element_type type, Visitor&& visitor) {
  switch (size_of(type)) {
    case 1:
      return visitor(std::type_identity<std::uint8_t>());
    case 2:
      return visitor(std::type_identity<std::uint16_t>());
    case 4:
      return visitor(std::type_identity<std::uint32_t>());
    default:
      return visitor(std::type_identity<std::uint64_t>());
  }
}

bool computes(expression_op op) { return op >= expression_op::cast; }

}  // namespace

evaluator::evaluator(const expression& steps, memory arguments)
    : steps_(steps), memory_(std::move(arguments)) {
  static std::atomic<std::uint64_t> evaluators = 0;
  identity_ = ++evaluators;
  if (steps_.native != nullptr) {
    for (const table& each : memory_.tables) {
      tables_.push_back(each.elements);
      sizes_.push_back(each.size);
    }
    num_buffers_ = steps_.results.size();
    return;
  }

  plan_segments();
  // The buffer of a register is free after the last step that reads it. Those of numbers, which are
  // set once, and of results are not.
  const std::size_t count = steps_.steps.size();
  std::vector<std::size_t> last_use(count, 0);
  for (std::size_t s = 0; s < count; ++s) {
    const expression_step& step = steps_.steps[s];
    if (step.op < expression_op::take) continue;
    for (const std::int32_t operand :
         {step.op == expression_op::take ? -1 : step.a, step.b, step.c}) {
      if (operand >= 0) last_use.at(static_cast<std::size_t>(operand)) = s;
    }
  }
  for (const std::int32_t result : steps_.results) {
    last_use.at(static_cast<std::size_t>(result)) = count;
  }
  std::vector<std::size_t> free;
  for (std::size_t s = 0; s < count; ++s) {
    const expression_step& step = steps_.steps[s];
    loops_.push_back(computes(step.op) ? loop_of(step.op, type_of(step.a), step.type) : nullptr);
    if (step.op == expression_op::input) {
      buffers_.push_back(0);
      continue;
    }
    if (step.op == expression_op::scalar) {
      buffers_.push_back(num_buffers_++);
      continue;
    }
    if (free.empty()) free.push_back(num_buffers_++);
    buffers_.push_back(free.back());
    free.pop_back();
    for (std::size_t before = 0; before <= s; ++before) {
      const expression_op op = steps_.steps[before].op;
      if (last_use[before] == s && op != expression_op::input && op != expression_op::scalar) {
        free.push_back(buffers_[before]);
        last_use[before] = count;
      }
    }
  }
}

void evaluator::plan_segments() {
  const std::size_t count = steps_.steps.size();
  plans_.assign(count, plan::by_item);
  std::vector<char> is_read(count + 1, 0);  // the last one is that of operands that are missing
  const auto read = [&](std::int32_t operand) {
    is_read[operand < 0 ? count : static_cast<std::size_t>(operand)] = 1;
  };
  for (std::size_t s = 0; s < count; ++s) {
    const expression_step& step = steps_.steps[s];
    if (step.op < expression_op::take) continue;
    if (step.op != expression_op::take) {
      read(step.a);
      read(step.b);
      read(step.c);
    } else if (steps_.steps[static_cast<std::size_t>(step.b)].op == expression_op::segment &&
               memory_.tables.at(static_cast<std::size_t>(step.a)).size >= memory_.num_segments) {
      plans_[s] = plan::by_segment;
    } else {
      read(step.b);
    }
  }
  for (const std::int32_t result : steps_.results) read(result);
  for (std::size_t s = 0; s < count; ++s) {
    if (steps_.steps[s].op == expression_op::segment && is_read[s] == 0) {
      plans_[s] = plan::not_needed;
    }
  }
}

register_file evaluator::registers() const {
  register_file file;
  file.bytes_ = std::make_unique_for_overwrite<std::byte[]>(
      register_file::ahead + num_buffers_ * register_file::buffer_size);
  std::fill_n(file.bytes_.get(), register_file::ahead, std::byte{0});
  if (steps_.native != nullptr) {
    for (std::size_t k = 0; k < num_results(); ++k) file.registers_.push_back(file.at(k));
    for (const expression_step& step : steps_.steps) {
      if (step.op != expression_op::input) continue;
      const auto inputs = static_cast<std::size_t>(step.a) + 1;
      file.inputs_.resize(std::max(file.inputs_.size(), inputs));
    }
    return file;
  }
  file.registers_.resize(steps_.steps.size());
  for (std::size_t s = 0; s < steps_.steps.size(); ++s) {
    const expression_step& step = steps_.steps[s];
    if (step.op != expression_op::input) file.registers_[s] = file.at(buffers_[s]);
    if (step.op == expression_op::scalar) {
      visit_bits(step.type, [&]<class Bits>(std::type_identity<Bits>) {
        fill_with<Bits>(memory_.numbers.at(static_cast<std::size_t>(step.a)), file.registers_[s]);
      });
    }
  }
  const auto at = [&](std::int32_t operand) {
    return operand < 0 ? nullptr : file.registers_[static_cast<std::size_t>(operand)];
  };
  for (std::size_t s = 0; s < steps_.steps.size(); ++s) {
    const expression_step& step = steps_.steps[s];
    const bool has_operands = step.op >= expression_op::take;
    file.operands_.push_back({has_operands && step.op != expression_op::take ? at(step.a) : nullptr,
                              has_operands ? at(step.b) : nullptr,
                              has_operands ? at(step.c) : nullptr, file.registers_[s]});
  }
  return file;
}

void evaluator::evaluate(register_file& file, std::int64_t begin, int count) const {
  for (std::size_t s = 0; s < steps_.steps.size(); ++s) {
    const expression_step& step = steps_.steps[s];
    if (step.op != expression_op::input) continue;
    const auto input = static_cast<std::size_t>(step.a);
    const auto* const elements = static_cast<const std::byte*>(memory_.inputs.at(input)) +
                                 begin * static_cast<std::int64_t>(size_of(step.type));
    if (steps_.native != nullptr) {
      file.inputs_[input] = elements;
    } else {
      // Registers of inputs are only read.
      file.registers_[s] = const_cast<std::byte*>(elements);
    }
  }
  run(file, begin, count);
}

void evaluator::evaluate(register_file& file, const void* const* inputs, int count) const {
  if (steps_.native != nullptr) {
    std::copy_n(inputs, file.inputs_.size(), file.inputs_.begin());
    return run(file, 0, count);
  }
  for (std::size_t s = 0; s < steps_.steps.size(); ++s) {
    const expression_step& step = steps_.steps[s];
    if (step.op == expression_op::input) file.registers_[s] = const_cast<void*>(inputs[step.a]);
  }
  run(file, 0, count);
}

void evaluator::run_native(register_file& file, std::int64_t begin, int count) const {
  const auto* const offsets = reinterpret_cast<const long long*>(memory_.offsets);
  check_indices(steps_.native(begin, count, file.inputs_.data(), file.registers_.data(),
                              tables_.data(), sizes_.data(), numbers(), offsets,
                              memory_.num_segments));
}

void evaluator::check_indices(long long wrong) {
  if (wrong != 0) {
    throw index_error(
        "an index of a captured array does not exist; clip indices, such as with "
        "numpy.minimum, also where their element is not used");
  }
}

void evaluator::run(register_file& file, std::int64_t begin, int count) const {
  if (steps_.native != nullptr) return run_native(file, begin, count);
  for (std::size_t s = 0; s < steps_.steps.size(); ++s) {
    const expression_step& step = steps_.steps[s];
    step_operands& at = file.operands_[s];
    switch (step.op) {
      case expression_op::input:
      case expression_op::scalar:
        continue;
      case expression_op::index: {
        auto* const to = static_cast<std::int64_t*>(at.result);
        for (int i = 0; i < count; ++i) to[i] = begin + i;
        continue;
      }
      case expression_op::segment:
        if (plans_[s] == plan::not_needed) continue;
        [[fallthrough]];
      case expression_op::rank:
        write_segments(file, begin, count, static_cast<std::int64_t*>(at.result),
                       step.op == expression_op::rank);
        continue;
      default:
        break;
    }
    if (plans_[s] == plan::by_segment) {
      take_by_segment(step, file, begin, count, at.result);
      continue;
    }
    // The registers of inputs move from tile to tile.
    if (step.op == expression_op::take) {
      at.b = file.registers_[static_cast<std::size_t>(step.b)];
      take(step, at, count);
      continue;
    }
    at.a = file.registers_[static_cast<std::size_t>(step.a)];
    if (step.b >= 0) at.b = file.registers_[static_cast<std::size_t>(step.b)];
    if (step.c >= 0) at.c = file.registers_[static_cast<std::size_t>(step.c)];
    loops_[s](at, count);
  }
}

std::int64_t evaluator::segment_of(register_file& file, std::int64_t begin) const {
  const std::int64_t* const offsets = memory_.offsets;
  // A thread mostly asks for the items after those before.
  std::int64_t segment = file.segment_;
  if (offsets[segment] > begin || begin - file.item_ > expression_tile) {
    segment = std::upper_bound(offsets, offsets + memory_.num_segments + 1, begin) - offsets - 1;
  }
  while (offsets[segment + 1] <= begin) ++segment;
  file.item_ = begin;
  file.segment_ = segment;
  return segment;
}

void evaluator::write_segments(register_file& file, std::int64_t begin, int count, std::int64_t* to,
                               bool ranks) const {
  const std::int64_t* const offsets = memory_.offsets;
  std::int64_t segment = segment_of(file, begin);
  const std::int64_t end = begin + count;
  constexpr std::int64_t many = 32;
  if (segment + many < memory_.num_segments && offsets[segment + many] < end) {
    return write_many_segments(offsets + segment, segment, begin, count, to, ranks);
  }
  for (std::int64_t item = begin; item < end; ++segment) {
    const std::int64_t first = offsets[segment], stop = std::min(offsets[segment + 1], end);
    if (ranks) {
      for (; item < stop; ++item) to[item - begin] = item - first;
    } else {
      for (; item < stop; ++item) to[item - begin] = segment;
    }
  }
}

void evaluator::write_many_segments(const std::int64_t* offsets, std::int64_t segment,
                                    std::int64_t begin, int count, std::int64_t* to, bool ranks) {
  // Without a branch that depends on a length: each segment is written at its first item, and is
  // then that of all items up to the next one. Of segments at one item, the last has items.
  std::int64_t last = ranks ? offsets[0] : segment;
  std::fill_n(to, count, last);
  for (std::int64_t k = 1; offsets[k] < begin + count; ++k) {
    to[offsets[k] - begin] = ranks ? offsets[k] : segment + k;
  }
  for (int i = 0; i < count; ++i) {
    last = std::max(last, to[i]);
    to[i] = ranks ? begin + i - last : last;
  }
}

void evaluator::take_by_segment(const expression_step& step, register_file& file,
                                std::int64_t begin, int count, void* to) const {
  const void* const of_segments = memory_.tables[static_cast<std::size_t>(step.a)].elements;
  const std::int64_t segment = segment_of(file, begin);
  visit_bits(step.type, [&]<class Bits>(std::type_identity<Bits>) {
    write_by_segment<Bits>(memory_.offsets, segment, begin, count, of_segments, to);
  });
}

void evaluator::take(const expression_step& step, const step_operands& at, int count) const {
  const table& from = memory_.tables.at(static_cast<std::size_t>(step.a));
  const auto* const indices = static_cast<const std::int64_t*>(at.b);
  std::int64_t wrong = 0;
  const bool found = visit_bits(step.type, [&]<class Bits>(std::type_identity<Bits>) {
    return take_elements<Bits>(from.elements, from.size, indices, at.result, count, wrong);
  });
  if (!found) {
    throw index_error("index " + std::to_string(wrong) + " of a captured array that has " +
                      std::to_string(from.size) +
                      " elements; clip indices, such as with numpy.minimum, also where their "
                      "element is not used");
  }
}

}  // namespace evenfold::runtime
