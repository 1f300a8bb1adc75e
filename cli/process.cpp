#include "cli/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "cli/commands/device.hpp"
#include "cli/report/printable.hpp"
#include "evenfold/io/text/temporary_name.hpp"

namespace evenfold::cli {

namespace {

/// OpenMP's threads wait for each other by spinning unless the environment says otherwise. On cores
/// that are shared a spinning thread keeps the one that it waits for from running: the query on
/// 29,510 places took 0.27 s beside a compiler, and 0.09 s with threads that sleep. The runtime
/// reads the environment in its constructor; it is linked statically, so that this one runs before.
[[gnu::constructor(101)]] void let_waiting_threads_sleep() {
  if (std::getenv("GOMP_SPINCOUNT") == nullptr) setenv("OMP_WAIT_POLICY", "passive", 0);
}

void write_to_standard_error(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void keep_standard_descriptors_taken() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Opened the wrong way round, so that using it fails as before. The lowest free number is
    // taken.
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (fcntl(descriptor, F_GETFD) < 0) static_cast<void>(open("/dev/null", mode));
  }
}

void write_error_line(std::string_view what) noexcept {
  std::array<char, 4096> line;
  std::size_t used = 0;
  const auto append = [&](std::string_view text) {
    if (text.size() > line.size() - used) {
      write_to_standard_error({line.data(), used});
      used = 0;
    }
    used += text.copy(line.data() + used, text.size());
  };
  while (what.ends_with('\n')) what.remove_suffix(1);
  append("evenfold: error: ");
  for (std::size_t i = 0; i < what.size();) {
    const text_unit unit = unit_at(what, i);
    if (unit.control == '\n' || unit.control == '\r') {
      append(" ");
    } else if (unit.control >= 0) {
      constexpr char digits[] = "0123456789abcdef";
      const std::array<char, 4> escaped = {'\\', 'x', digits[unit.control >> 4],
                                           digits[unit.control & 15]};
      append({escaped.data(), escaped.size()});
    } else {
      append(what.substr(i, unit.length));
    }
    i += unit.length;
  }
  append("\n");
  write_to_standard_error({line.data(), used});
}

/// libgomp announces its fatal errors by this text, and then exits with status 1.
ssize_t write_for_libraries(void*, const char* text, std::size_t size) {
  const std::string_view piece(text, size);
  write_to_standard_error(piece == "\nlibgomp: " ? "evenfold: error: libgomp: " : piece);
  return static_cast<ssize_t>(size);
}

/// Passes text that is written to `stderr` to write_for_libraries, which cannot fail.
void divert_stderr() {
  std::FILE* const diverted =
      fopencookie(nullptr, "w", {nullptr, write_for_libraries, nullptr, nullptr});
  if (diverted == nullptr) throw std::bad_alloc();
  std::setvbuf(diverted, nullptr, _IONBF, 0);
  stderr = diverted;
}

std::shared_ptr<runtime::launched_processes> all_processes;

/// Tells all processes of a failure of this one. Returns whether all know of it.
bool end_all(std::string_view why) noexcept {
  try {
    all_processes->fail(std::string(why));
    return all_processes->all_have_ended(std::chrono::seconds(4));
  } catch (...) {
    return false;
  }
}

void end_by_signal(int signal) {
  remove_temporary_files();
  // The default action is in place again, and ends the process.
  raise(signal);
}

void handle_signals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action.sa_handler = end_by_signal;
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigaction(number, &action, nullptr);
  }
}

[[noreturn]] void end_by_terminate() {
  if (std::current_exception() != nullptr) {
    report_failure();
  } else {
    write_error("internal error; please report this");
  }
  remove_temporary_files();
  _exit(1);
}

}  // namespace

void set_up_process() {
  // Kernels are loaded when the GPU is opened, not one by one in the middle of the first query.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  keep_standard_descriptors_taken();
  handle_signals();
  std::set_terminate(end_by_terminate);
  std::atexit(remove_temporary_files);
  divert_stderr();
}

void join_processes(int& argc, char**& argv) {
  auto launched = runtime::join_launch(argc, argv);
  if (launched != nullptr && launched->size() > 1) all_processes = std::move(launched);
}

const std::shared_ptr<runtime::launched_processes>& processes() { return all_processes; }

bool is_first_process() { return all_processes == nullptr || all_processes->rank() == 0; }

void leave_processes() { all_processes.reset(); }

void write_error(std::string_view what) noexcept {
  if (!is_first_process() && end_all(what)) return;
  write_error_line(what);
  if (all_processes != nullptr && is_first_process()) end_all(what);
}

int report_failure() noexcept {
  try {
    throw;
  } catch (const device_error& failure) {
    write_error(failure.what());
    return 2;
  } catch (const std::bad_alloc&) {
    write_error("out of memory; free some, or work on a smaller input");
  } catch (const std::exception& failure) {
    write_error(failure.what());
  } catch (...) {
    write_error("an error without a description; please report this");
  }
  return 1;
}

}  // namespace evenfold::cli
