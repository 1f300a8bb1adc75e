#pragma once
// Runs of the program through the shell.
//
// $EVENFOLD_PROGRAM is the program, by default the one that was built with the tests.
// $EVENFOLD_TEST_DEVICE is the device of every command that has no --device.

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

inline std::string program_path() {
  const char* const other = std::getenv("EVENFOLD_PROGRAM");
  return other != nullptr ? other : EVENFOLD_PROGRAM;
}

/// " --device D " for a command line without --device, if $EVENFOLD_TEST_DEVICE is set. The name of
/// a command alone, such as "devices", runs nothing on a device.
inline std::string test_device(const std::string& arguments) {
  const char* const device = std::getenv("EVENFOLD_TEST_DEVICE");
  const bool is_command = arguments.find(' ') != std::string::npos && arguments.front() != '-';
  const auto names = [&](const char* option) {
    return arguments.find(option) != std::string::npos;
  };
  if (device == nullptr || !is_command || names("--device") || names("--help")) return "";
  return std::string(" --device ") + device + " ";
}

/// Runs the program through the shell. Standard input is empty, or a pipe with the bytes of a file.
inline outcome evenfold_run(const std::string& arguments, const std::string& input = "") {
  const scratch_directory scratch;
  const std::string before = input.empty() ? "exec < /dev/null; exec " : "cat '" + input + "' | ";
  const std::string command = before + "'" + program_path() + "' " + arguments +
                              test_device(arguments) + " > '" + (scratch / "out") + "' 2> '" +
                              (scratch / "err") + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_back(scratch / "out"),
          read_back(scratch / "err")};
}

/// Expects one line on standard error that contains `part`, no other output, and the exit status.
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
