#pragma once
// The program, run as a user runs it.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/scratch.hpp"

namespace evenfold::testing {

struct outcome {
  int status;
  std::string out, err;
};

/// Runs the program through the shell with standard input closed.
inline outcome evenfold_run(const std::string& arguments) {
  const scratch_directory scratch;
  const std::string command = "exec '" EVENFOLD_PROGRAM "' " + arguments + " > '" +
                              (scratch / "out") + "' 2> '" + (scratch / "err") + "' < /dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_back(scratch / "out"),
          read_back(scratch / "err")};
}

/// Expects one line on standard error that contains `part`, nothing else, and the exit status.
inline void expect_failure(const std::string& arguments, int status, const std::string& part) {
  SCOPED_TRACE(arguments);
  const outcome got = evenfold_run(arguments);
  EXPECT_EQ(got.status, status);
  EXPECT_EQ(got.out, "");
  EXPECT_EQ(got.err.find("evenfold: error: "), 0u) << got.err;
  EXPECT_NE(got.err.find(part), std::string::npos) << got.err;
  EXPECT_EQ(std::count(got.err.begin(), got.err.end(), '\n'), 1) << got.err;
}

inline void expect_bad_option(const std::string& arguments, const std::string& part) {
  expect_failure(arguments, 2, part);
}

}  // namespace evenfold::testing
