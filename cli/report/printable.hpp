#pragma once
// Text from elsewhere that is shown on a terminal.

#include <string>
#include <string_view>

namespace evenfold::cli {

/// The text with the characters that control a terminal (C0 and C1 controls, among them ESC and
/// line ends, and DEL) written as \n, \t, \r or \xHH, so that a name cannot move the cursor or
/// break a line. All other bytes stay as they are.
std::string printable(std::string_view text);

}  // namespace evenfold::cli
