// backends: host
// How the program starts and ends: closed and full standard files, signals, limits, and how its
// threads wait. tests/faults/ tests failing calls of the C library.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

const std::string program = "'" + program_path() + "'";

/// Runs a shell command. Returns its exit status, or 128 plus the number of the signal.
int shell(const std::string& line) {
  const int status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Expects one line on standard error that contains `part`, and the exit status.
void expect_end(const std::string& line, int status, const std::string& part) {
  SCOPED_TRACE(line);
  const scratch_directory scratch;
  EXPECT_EQ(shell("{ " + line + "; } 2> '" + (scratch / "err") + "'"), status);
  const std::string err = read_back(scratch / "err");
  EXPECT_EQ(err.find("evenfold: error: "), 0u) << err;
  EXPECT_NE(err.find(part), std::string::npos) << err;
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
}

TEST(cli_process, standard_error_that_is_closed_or_full_changes_no_status) {
  for (const std::string error : {"2>&-", "2> /dev/full"}) {
    EXPECT_EQ(shell(program + " nonsense " + error), 2);
    EXPECT_EQ(shell(program + " fold /none " + error), 1);
    EXPECT_EQ(shell(program + " devices --time > /dev/null " + error), 0);
  }
}

TEST(cli_process, standard_output_that_is_closed_or_full_is_an_error) {
  for (const std::string arguments : {"--help", "nearest --help", "--version", "devices"}) {
    expect_end(program + " " + arguments + " > /dev/full", 1, "standard output");
    expect_end(program + " " + arguments + " >&-", 1, "standard output");
  }
}

TEST(cli_process, no_output_changes_if_the_report_cannot_be_printed) {
  const std::string capitals = "'" EVENFOLD_SOURCE_DIR "/data/capitals.csv'";
  for (const std::string output : {" > /dev/full", " >&-"}) {
    const scratch_directory scratch;
    const std::string old = scratch.write("old.svg", "old"), fresh = scratch / "new.csv";
    for (const std::string& arguments :
         {"generate uniform --count 100 '" + fresh + "'",
          "histogram " + capitals + " --column latitude --plot '" + old + "'",
          "nearest " + capitals + " --group continent --name name --lat latitude" +
              " --lon longitude --output '" + fresh + "' --plot '" + old + "'"}) {
      expect_end(program + " " + arguments + output, 1, "standard output");
      EXPECT_EQ(read_back(old), "old") << arguments;
      EXPECT_EQ(scratch.names(), std::vector<std::string>{"old.svg"}) << arguments;
    }
  }
}

TEST(cli_process, no_output_file_takes_the_place_of_a_closed_standard_file) {
  const scratch_directory scratch;
  const std::string out = scratch / "out.csv";
  const std::string command = program +
                              " nearest '" EVENFOLD_SOURCE_DIR
                              "/data/capitals.csv' --group continent --name name " +
                              "--lat latitude --lon longitude --output '" + out + "'";
  ASSERT_EQ(shell(command + " > /dev/null"), 0);
  const std::string whole = read_back(out);
  EXPECT_EQ(shell(command + " <&- >&- 2>&-"), 1);
  EXPECT_EQ(read_back(out), whole);
}

TEST(cli_process, a_reader_that_goes_away_is_an_error) {
  const scratch_directory scratch;
  const std::string numbers = scratch / "numbers.csv";
  ASSERT_EQ(shell(program + " generate uniform --count 100000 '" + numbers + "'"), 0);
  // The exit status of a pipe is that of its last command.
  expect_end("{ " + program + " sort '" + numbers + "' --by x; echo $? > '" + (scratch / "status") +
                 "'; } | true",
             0, "Broken pipe");
  EXPECT_EQ(read_back(scratch / "status"), "1\n");
}

TEST(cli_process, a_limit_on_the_size_of_files_is_an_error) {
  const scratch_directory scratch;
  const std::string out = scratch.write("out.csv", "old");
  expect_end("ulimit -f 8; exec " + program + " generate uniform --count 100000 '" + out + "'", 1,
             "File too large");
  EXPECT_EQ(read_back(out), "old");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.csv"});
}

TEST(cli_process, control_characters_in_errors_are_shown) {
  expect_end(program + " fold \"$(printf '/no\\033[31mred\\302\\233line')\"", 1,
             "/no\\x1b[31mred\\x9bline");
  expect_end(program + " fold \"$(printf '/no\\23331mred \\303\\251t\\303')\"", 1,
             "/no\\x9b31mred \u00e9t\\xc3");
}

/// The environment that libgomp reports, which contains how often a thread spins before it sleeps.
std::string spins(const std::string& environment, const std::string& loader = "") {
  const scratch_directory scratch;
  const std::string err = scratch / "err";
  EXPECT_EQ(shell("OMP_DISPLAY_ENV=verbose " + environment + " " + loader + " " + program +
                  " --version > '" + (scratch / "out") + "' 2> '" + err + "'"),
            0);
  EXPECT_EQ(read_back(scratch / "out").find("evenfold "), 0u);
  const std::string text = read_back(err);
  const std::string name = "GOMP_SPINCOUNT = '";
  const std::size_t at = text.find(name);
  if (at == text.npos) return "unknown";
  return text.substr(at + name.size(), text.find('\'', at + name.size()) - at - name.size());
}

TEST(cli_process, waiting_threads_sleep_unless_the_environment_says_otherwise) {
  const std::string asleep = spins("env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT");
  if (asleep == "unknown") GTEST_SKIP() << "another OpenMP runtime than libgomp";
  EXPECT_EQ(asleep, "0");
  EXPECT_NE(spins("env -u GOMP_SPINCOUNT OMP_WAIT_POLICY=active"), "0");
  EXPECT_EQ(spins("env -u OMP_WAIT_POLICY GOMP_SPINCOUNT=77"), "77");
}

TEST(cli_process, the_loader_may_start_the_program) {
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  if (!std::filesystem::exists(loader)) GTEST_SKIP() << "no " << loader;
  const std::string plain = "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT";
  EXPECT_EQ(spins(plain, loader), spins(plain));
}

}  // namespace
}  // namespace evenfold::testing
