#pragma once
// Files of tables, and what commands answer about them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {

/// A folder with files of these names. In the arguments, @NAME stands for the path of one of them.
class table_commands : public ::testing::Test {
 protected:
  std::string placed(const std::string& arguments) const {
    std::string text;
    for (const char c : arguments) text += c == '@' ? scratch / "" : std::string(1, c);
    return text;
  }
  std::string rows(const std::string& arguments) const {
    const outcome got = evenfold_run(placed(arguments));
    EXPECT_EQ(got.status, 0) << arguments << ": " << got.err;
    return got.out;
  }
  /// Expects a one-line error, no other output, and no file that was created or removed.
  void expect_fault(const std::string& arguments, const std::string& what) const {
    SCOPED_TRACE(arguments);
    const std::vector<std::string> before = scratch.names();
    const outcome got = evenfold_run(placed(arguments));
    EXPECT_EQ(got.status, 1);
    EXPECT_EQ(got.out, "");
    EXPECT_EQ(got.err, "evenfold: error: " + placed(what) + "\n");
    EXPECT_EQ(scratch.names(), before);
  }

  scratch_directory scratch;
};

}  // namespace evenfold::testing
