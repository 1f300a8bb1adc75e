#include "cli/report/warning.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <unordered_set>

#include "cli/process.hpp"
#include "cli/report/printable.hpp"

namespace evenfold::cli {

void warn(const std::string& text) {
  if (!is_first_process()) return;
  // Several steps of a command may warn of the same column.
  static std::unordered_set<std::string> said;
  if (!said.insert(text).second) return;
  const std::string line = fmt::format("evenfold: warning: {}\n", printable(text));
  // A closed standard error is not a failure.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace evenfold::cli
