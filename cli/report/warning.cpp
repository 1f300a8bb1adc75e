#include "cli/report/warning.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/process.hpp"
#include "cli/report/printable.hpp"

namespace evenfold::cli {

void warn(const std::string& text) {
  if (!is_first_process()) return;
  const std::string line = fmt::format("evenfold: warning: {}\n", printable(text));
  // A closed standard error is not a failure.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace evenfold::cli
