// Output files appear whole or not at all, alone and together. Their owners, and the files that
// remain if the process ends.
// backends: host

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "evenfold/io/text/output_file.hpp"
#include "evenfold/io/text/temporary_name.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

std::atomic<int> umask_calls{0};

}  // namespace
}  // namespace evenfold::testing

/// Replaces the function of the C library in this program.
extern "C" mode_t umask(mode_t mask) {
  ++evenfold::testing::umask_calls;
  return static_cast<mode_t>(syscall(SYS_umask, mask));
}

namespace evenfold::testing {
namespace {

/// Runs `body` in a process of its own. Returns the status of that process from waitpid.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

struct stat status_of(const std::string& name) {
  struct stat status {};
  EXPECT_EQ(stat(name.c_str(), &status), 0) << name;
  return status;
}

TEST(output_file, appears_whole_or_not_at_all) {
  const scratch_directory scratch;
  const std::string name = scratch / "out.csv";
  {
    output_file file(name);
    file.write("half");
  }
  EXPECT_TRUE(scratch.names().empty());
  {
    output_file file(name);
    file.write("first ");
    file.write("text\n");
    EXPECT_FALSE(std::filesystem::exists(name));
    file.commit();
  }
  EXPECT_EQ(read_back(name), "first text\n");
  {
    output_file file(name);
    file.write("other");
  }
  EXPECT_EQ(read_back(name), "first text\n");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.csv"});
}

TEST(output_file, keeps_modes_and_links) {
  const scratch_directory scratch;
  const std::string name = scratch.write("out.csv", "old");
  std::filesystem::permissions(name, std::filesystem::perms{0640});
  std::filesystem::create_symlink(name, scratch / "link.csv");
  output_file file(scratch / "link.csv");
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link.csv"));
  EXPECT_EQ(read_back(name), "new");
  EXPECT_EQ(std::filesystem::status(name).permissions(), std::filesystem::perms{0640});
}

TEST(output_file, refuses_what_cannot_be_written) {
  const scratch_directory scratch;
  EXPECT_THROW(output_file(scratch / "no/such/directory.csv"), output_error);
  EXPECT_THROW(output_file(scratch / "."), output_error);
  std::filesystem::create_symlink(scratch / "missing.csv", scratch / "link.csv");
  EXPECT_THROW(output_file(scratch / "link.csv"), output_error);
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link.csv"));
  output_file full("/dev/full");
  EXPECT_THROW(full.write("x"), output_error);
  output_file null("/dev/null");
  null.write("x");
  null.commit();
}

TEST(output_file, new_files_get_what_the_umask_leaves) {
  const scratch_directory scratch;
  const mode_t before = umask(027);
  umask_calls = 0;
  output_file file(scratch / "out.csv");
  file.commit();
  EXPECT_EQ(umask_calls, 0) << "the mask belongs to the whole process";
  umask(before);
  EXPECT_EQ(status_of(scratch / "out.csv").st_mode & 07777, 0640u);
}

TEST(output_file, replaced_files_keep_their_owner_but_no_set_user_id) {
  const scratch_directory scratch;
  const std::string name = scratch.write("out.csv", "old");
  const bool root = geteuid() == 0;
  if (root) {
    ASSERT_EQ(chown(name.c_str(), 12345, 23456), 0);
  }
  ASSERT_EQ(chmod(name.c_str(), 07755), 0);
  output_file file(name);
  file.write("new");
  file.commit();
  const struct stat status = status_of(name);
  EXPECT_EQ(read_back(name), "new");
  EXPECT_EQ(status.st_mode & 07777, 0755u);
  if (root) {
    EXPECT_EQ(status.st_uid, 12345u);
    EXPECT_EQ(status.st_gid, 23456u);
  }
}

TEST(output_file, is_refused_where_the_owner_cannot_be_kept) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files to others";
  const scratch_directory scratch;
  const std::string name = scratch.write("out.csv", "old");
  ASSERT_EQ(chmod(name.c_str(), 0666), 0);
  ASSERT_EQ(chmod((scratch / ".").c_str(), 0777), 0);
  const int status = in_child([&] {
    if (setgid(12345) != 0 || setuid(12345) != 0) _exit(2);
    try {
      const output_file file(name);
    } catch (const output_error& failure) {
      _exit(std::string(failure.what()).find("owner") != std::string::npos ? 1 : 3);
    }
  });
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(read_back(name), "old");
  EXPECT_EQ(status_of(name).st_uid, 0u);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.csv"});
}

TEST(output_file, refuses_names_of_no_file_before_any_work) {
  const scratch_directory scratch;
  EXPECT_THROW(output_file(""), output_error);
  EXPECT_THROW(output_file(scratch / "none/"), output_error);
  EXPECT_THROW(output_file(scratch / std::string(256, 'x')), output_error);
  output_file longest(scratch / std::string(255, 'x'));
  longest.commit();
  EXPECT_EQ(scratch.names(), std::vector<std::string>{std::string(255, 'x')});
}

TEST(output_file, a_killed_process_leaves_nothing) {
  const scratch_directory scratch;
  const int unnamed = open((scratch / ".").c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (unnamed < 0) GTEST_SKIP() << "this file system has no files without a name";
  close(unnamed);
  const int status = in_child([&] {
    output_file file(scratch / "out.csv");
    file.write("half");
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(scratch.names().empty());
}

TEST(output_set, appears_together) {
  const scratch_directory scratch;
  const std::string old = scratch.write("a.csv", "old a");
  {
    output_set files;
    files.add(old).write("new a");
    files.add(scratch / "b.csv").write("new b");
  }
  EXPECT_EQ(read_back(old), "old a");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"a.csv"});
  output_set files;
  files.add(old).write("new a");
  files.add(scratch / "b.csv").write("new b");
  files.add("/dev/null").write("x");
  EXPECT_EQ(read_back(old), "old a");
  files.commit();
  EXPECT_EQ(read_back(old), "new a");
  EXPECT_EQ(read_back(scratch / "b.csv"), "new b");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"a.csv", "b.csv"}));
  output_set().commit();
}

TEST(output_set, where_one_cannot_appear_none_does) {
  const scratch_directory scratch;
  const std::string old = scratch.write("a.csv", "old a");
  output_set files;
  files.add(old).write("new a");
  files.add(scratch / "b.csv").write("new b");
  files.add(scratch / "c.csv").write("new c");
  // In the meantime, another process creates a directory with the name of the last file.
  std::filesystem::create_directory(scratch / "c.csv");
  EXPECT_THROW(files.commit(), output_error);
  EXPECT_EQ(read_back(old), "old a");
  EXPECT_FALSE(std::filesystem::exists(scratch / "b.csv"));
  EXPECT_TRUE(std::filesystem::is_directory(scratch / "c.csv"));
}

TEST(output_set, refuses_two_outputs_in_one_file) {
  const scratch_directory scratch;
  scratch.write("old.csv", "old");
  std::filesystem::create_symlink(scratch / "old.csv", scratch / "link.csv");
  output_set files;
  files.add(scratch / "new.csv");
  files.add(scratch / "old.csv");
  EXPECT_THROW(files.add(scratch / "./new.csv"), output_error);
  EXPECT_THROW(files.add(scratch / "link.csv"), output_error);
  output_set devices;
  devices.add("/dev/null");
  devices.add("/dev/null");
}

TEST(temporary_name, is_removed_when_the_process_ends) {
  const scratch_directory scratch;
  const int status = in_child([&] {
    detail::temporary_name name;
    name.choose(scratch / "");
    std::ofstream(name.c_str()) << "half";
    if (scratch.names().size() != 1) _exit(1);
    remove_temporary_files();
    _exit(0);
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(scratch.names().empty());
}

TEST(temporary_name, is_forgotten_or_removed_by_its_owner) {
  const scratch_directory scratch;
  detail::temporary_name name;
  name.choose(scratch / "");
  std::ofstream(name.c_str()) << "whole";
  name.forget();
  EXPECT_TRUE(name.empty());
  remove_temporary_files();
  EXPECT_EQ(scratch.names().size(), 1u);
  {
    detail::temporary_name other;
    other.choose(scratch / "");
    std::ofstream(other.c_str()) << "half";
    EXPECT_EQ(scratch.names().size(), 2u);
  }
  EXPECT_EQ(scratch.names().size(), 1u);
}

}  // namespace
}  // namespace evenfold::testing
