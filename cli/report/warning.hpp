#pragma once
// Warnings of commands that succeed.

#include <string>

namespace evenfold::cli {

/// Writes a line to standard error that begins with "evenfold: warning: ".
void warn(const std::string& text);

}  // namespace evenfold::cli
