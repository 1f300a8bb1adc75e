#pragma once
// Warnings of commands that succeed.

#include <string>

namespace evenfold::cli {

/// Writes a line to standard error that begins with "evenfold: warning: ", once for each text. Only
/// for the first thread.
void warn(const std::string& text);

}  // namespace evenfold::cli
