// backends: host
// How much memory the program takes for its inputs.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evenfold/io/npy/writer.hpp"
#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

/// The most memory that a run of the program has had at a time, in bytes.
std::size_t memory_of(const std::string& arguments) {
  // Memory that has been freed counts as free under the address sanitizer, too.
  const std::string line = "ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=1 exec '" +
                           program_path() + "' " + arguments + test_device(arguments) +
                           " --threads 2 > /dev/null";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = -1;
  rusage usage{};
  EXPECT_EQ(wait4(child, &status, 0, &usage), child);
  EXPECT_EQ(status, 0) << arguments;
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

// Such a command computes in numbers of 8 bytes. The memory of a process is measured, so that this
// is a test of processes also where the commands of other tests share one.
TEST(cli_process, small_integers_take_at_most_four_times_the_bytes_of_their_files) {
  const scratch_directory scratch;
  constexpr std::size_t many = std::size_t{1} << 25;
  const auto file_of = [&](const std::string& name, std::size_t count) {
    const std::vector<std::uint8_t> values(count, 3);
    write_npy(scratch / name, std::span<const std::uint8_t>(values));
    return " '" + (scratch / name) + "' ";
  };
  const std::string large = file_of("large.npy", many), one = file_of("one.npy", 1);
  const auto expect_growth_below = [&](std::size_t bytes, const std::string& command, int files,
                                       const std::string& options) {
    std::string of_large, of_one;
    for (int i = 0; i < files; ++i) {
      of_large += large;
      of_one += one;
    }
    EXPECT_LT(memory_of(command + of_large + options),
              memory_of(command + of_one + options) + bytes)
        << command;
  };
  expect_growth_below(4 * many, "histogram", 1, "--range 0:256");
  expect_growth_below(4 * many, "fold", 1, "");
  expect_growth_below(8 * many, "dot", 2, "");
  expect_growth_below(8 * many, "saxpy 2", 2, "--output '" + (scratch / "sum.npy") + "'");
}

}  // namespace
}  // namespace evenfold::testing
