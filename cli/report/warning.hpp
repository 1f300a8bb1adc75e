#pragma once
// Warnings of commands that succeed.

#include <string>

namespace evenfold::cli {

/// Writes a line to standard error that begins with "evenfold: warning: ", once for each text of a
/// command. Only for the first thread.
void warn(const std::string& text);

/// Lets the next command of this process warn of everything.
void forget_warnings();

}  // namespace evenfold::cli
