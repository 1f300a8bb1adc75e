#include "cli/report/warning.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <unordered_set>

#include "cli/process.hpp"
#include "cli/report/printable.hpp"

namespace evenfold::cli {

namespace {

/// Several steps of a command may warn of the same column.
std::unordered_set<std::string>& said() {
  static std::unordered_set<std::string> texts;
  return texts;
}

}  // namespace

void forget_warnings() { said().clear(); }

void warn(const std::string& text) {
  if (!is_first_process()) return;
  if (!said().insert(text).second) return;
  const std::string line = fmt::format("evenfold: warning: {}\n", printable(text));
  // A closed standard error is not a failure.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace evenfold::cli
