#include "cli/input/separate_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <system_error>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::cli {

namespace {

/// Without links and dots, as far as the path exists.
std::filesystem::path resolved(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  const std::filesystem::path result = std::filesystem::weakly_canonical(absolute, ignored);
  return result.empty() ? absolute : result;
}

bool are_same(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  if (a == standard_stream || b == standard_stream) return a == b;
  struct stat of_a {};
  struct stat of_b {};
  const bool has_a = stat(a.c_str(), &of_a) == 0;
  const bool has_b = stat(b.c_str(), &of_b) == 0;
  if (has_a != has_b) return false;
  if (!has_a) return resolved(a) == resolved(b);
  return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

}  // namespace

void expect_separate_files(const std::vector<named_file>& inputs,
                           const std::vector<named_file>& outputs) {
  const named_file* standard_input = nullptr;
  for (const named_file& input : inputs) {
    if (input.path != standard_stream) continue;
    if (standard_input != nullptr) {
      throw option_error(input.option,
                         fmt::format("'-' is standard input, which is also the input {}, expected "
                                     "another file",
                                     standard_input->option));
    }
    standard_input = &input;
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const named_file& output = outputs[k];
    for (const named_file& input : inputs) {
      if (output.path == standard_stream || !are_same(output.path, input.path)) continue;
      throw option_error(output.option, fmt::format("{} is the input {}, expected another file",
                                                    shown(output.path), input.option));
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (!are_same(output.path, outputs[other].path)) continue;
      throw option_error(output.option,
                         fmt::format("{} is also the output of {}, expected another file",
                                     shown(output.path), outputs[other].option));
    }
  }
}

}  // namespace evenfold::cli
