// A library for LD_PRELOAD that lets one call of the C library fail, or kills the process there.
//
// EVENFOLD_FAULT=KIND:N:WAY says which: the N-th call of a kind since main began, counted from 1.
//   KIND  malloc, mmap, open, read, write, fsync, rename (which links, too), pthread_create,
//         or disk: whatever changes files
//   WAY   once: that call fails; forever: so do all later ones; SIGKILL, SIGTERM, ...: that signal
//         comes before it
// EVENFOLD_FAULT_NAMED=1: the file system has no files without a name.
// EVENFOLD_FAULT_COUNTS=FILE gets a line `KIND CALLS` per kind when the process exits.
// EVENFOLD_FAULT_SERVER=SOCKET: instead of running once, the process forks for each message on this
// socket, just before main. To load a program takes longer than most commands do. A message has the
// files for output and errors, and texts that each end with a zero: the folder, EVENFOLD_FAULT,
// EVENFOLD_FAULT_NAMED, and the arguments of main. The answer is the status of wait(). SIGALRM ends
// a run after a minute.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum kind { memory, mapping, opening, reading, writing, syncing, renaming, threading, disk, kinds };
constexpr std::array<const char*, kinds> names = {
    "malloc", "mmap", "open", "read", "write", "fsync", "rename", "pthread_create", "disk"};

/// How calls fail. The other ways are numbers of signals.
enum way { once = -2, forever = -1 };
struct named_way {
  const char* name;
  int way;
};
constexpr std::array ways = {named_way{":once", once},       named_way{":forever", forever},
                             named_way{":SIGKILL", SIGKILL}, named_way{":SIGTERM", SIGTERM},
                             named_way{":SIGINT", SIGINT},   named_way{":SIGHUP", SIGHUP},
                             named_way{":SIGQUIT", SIGQUIT}, named_way{":SIGXCPU", SIGXCPU}};

std::atomic<bool> armed{false};
std::array<std::atomic<long>, kinds> calls{};
int wanted = kinds;
long wanted_call = 0;
int wanted_way = once;
bool only_named = false;

/// Counts the call. Returns whether it is to fail.
bool fails(kind k) {
  if (!armed) return false;
  const long call = ++calls[k];
  if (k != wanted || call < wanted_call) return false;
  if (wanted_way == forever) return true;
  if (call > wanted_call) return false;
  if (wanted_way == once) return true;
  kill(getpid(), wanted_way);
  return false;
}

/// The same for a call that changes files.
bool fails_on_disk(kind k) {
  fails(disk);
  return fails(k);
}

void read_plan() {
  only_named = std::getenv("EVENFOLD_FAULT_NAMED") != nullptr;
  const char* const plan = std::getenv("EVENFOLD_FAULT");
  if (plan == nullptr) return;
  for (int k = 0; k < kinds; ++k) {
    const std::size_t length = std::strlen(names[k]);
    if (std::strncmp(plan, names[k], length) != 0 || plan[length] != ':') continue;
    char* rest = nullptr;
    wanted = k;
    wanted_call = std::strtol(plan + length + 1, &rest, 10);
    for (const named_way& each : ways) {
      if (std::strcmp(rest, each.name) == 0) wanted_way = each.way;
    }
  }
}

void write_counts() {
  armed = false;
  const char* const path = std::getenv("EVENFOLD_FAULT_COUNTS");
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) return;
  for (int k = 0; k < kinds; ++k) std::fprintf(file, "%s %ld\n", names[k], calls[k].load());
  std::fclose(file);
}

int (*program)(int, char**, char**);

/// A message of a server, and the arguments in it.
struct request {
  std::array<char, 1 << 14> text;
  std::array<char*, 64> arguments;
  int count = 0;
  std::array<int, 2> outputs;

  /// Waits for the next message. Returns false where there is none.
  bool receive(int socket) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(outputs))> control;
    iovec bytes{text.data(), text.size() - 1};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = recvmsg(socket, &message, 0);
    const cmsghdr* const files = CMSG_FIRSTHDR(&message);
    if (size <= 0 || files == nullptr) return false;
    std::memcpy(outputs.data(), CMSG_DATA(files), sizeof(outputs));
    count = 0;
    for (char* at = text.data(); at < text.data() + size; at += std::strlen(at) + 1)
      arguments[static_cast<std::size_t>(count++)] = at;
    arguments[static_cast<std::size_t>(count)] = nullptr;
    return true;
  }
};

/// Returns in a process of its own for each message.
void serve(int socket, request& next) {
  while (next.receive(socket)) {
    const pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k < 2; ++k) {
        dup2(next.outputs[static_cast<std::size_t>(k)], k + 1);
        close(next.outputs[static_cast<std::size_t>(k)]);
      }
      close(socket);
      if (chdir(next.arguments[0]) != 0) _exit(1);
      setenv("EVENFOLD_FAULT", next.arguments[1], 1);
      if (*next.arguments[2] != 0) setenv("EVENFOLD_FAULT_NAMED", "1", 1);
      unsetenv("EVENFOLD_FAULT_SERVER");
      alarm(60);
      return;
    }
    for (const int output : next.outputs) close(output);
    int status = 0;
    waitpid(child, &status, 0);
    if (send(socket, &status, sizeof(status), 0) < 0) break;
  }
  _exit(0);
}

int counted_main(int argc, char** argv, char** environment) {
  static request next;
  if (const char* const socket = std::getenv("EVENFOLD_FAULT_SERVER")) {
    serve(std::atoi(socket), next);
    argc = next.count - 3;
    argv = next.arguments.data() + 3;
    environment = environ;
  }
  read_plan();
  std::atexit(write_counts);
  armed = true;
  return program(argc, argv, environment);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void* fail_with(int error, void* result) {
  errno = error;
  return result;
}

long fail_with(int error) {
  errno = error;
  return -1;
}

int open_file(int folder, const char* path, int flags, mode_t mode) {
  // Reading changes no file.
  if (flags & (O_WRONLY | O_RDWR)) fails(disk);
  if (fails(opening)) return static_cast<int>(fail_with(EMFILE));
  if (only_named && (flags & O_TMPFILE) == O_TMPFILE)
    return static_cast<int>(fail_with(EOPNOTSUPP));
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

mode_t mode_of(int flags, va_list arguments) {
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return creates ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

// The C library's own names, for those that it replaces.
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*loader_fini)(), void* stack_end) {
  program = main;
  return next<decltype(&__libc_start_main)>("__libc_start_main")(counted_main, argc, argv, init,
                                                                 fini, loader_fini, stack_end);
}

void* malloc(std::size_t size) {
  return fails(memory) ? fail_with(ENOMEM, nullptr) : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return fails(memory) ? fail_with(ENOMEM, nullptr) : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return fails(memory) ? fail_with(ENOMEM, nullptr) : __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(memory) ? fail_with(ENOMEM, nullptr) : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (fails(memory)) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}

void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor,
           off_t offset) {
  if (fails(mapping)) return fail_with(ENOMEM, MAP_FAILED);
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, size, protection, flags, descriptor, offset));
}
void* mmap64(void* address, std::size_t size, int protection, int flags, int descriptor,
             off64_t offset) {
  return mmap(address, size, protection, flags, descriptor, offset);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(folder, path, flags, mode);
}
// What _FORTIFY_SOURCE makes of open where no mode is given.
int __open_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }

std::FILE* fopen(const char* path, const char* mode) {
  if (fails_on_disk(opening)) return static_cast<std::FILE*>(fail_with(EMFILE, nullptr));
  return next<decltype(&fopen)>("fopen")(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  if (fails(reading)) return fail_with(EIO);
  return syscall(SYS_read, descriptor, bytes, size);
}
ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  if (fails(reading)) return fail_with(EIO);
  return syscall(SYS_pread64, descriptor, bytes, size, offset);
}
ssize_t pread64(int descriptor, void* bytes, std::size_t size, off64_t offset) {
  return pread(descriptor, bytes, size, offset);
}
ssize_t __read_chk(int descriptor, void* bytes, std::size_t size, std::size_t) {
  return read(descriptor, bytes, size);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  // Else nothing could be said about the failure.
  if (descriptor != STDERR_FILENO && fails_on_disk(writing)) return fail_with(ENOSPC);
  return syscall(SYS_write, descriptor, bytes, size);
}

int fsync(int descriptor) {
  if (fails_on_disk(syncing)) return static_cast<int>(fail_with(EIO));
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (fails_on_disk(renaming)) return static_cast<int>(fail_with(EIO));
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) noexcept {
  if (fails_on_disk(renaming)) return static_cast<int>(fail_with(EIO));
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
int rename(const char* from, const char* to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlink(const char* path) {
  fails(disk);
  return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int fchmod(int descriptor, mode_t mode) {
  fails(disk);
  return static_cast<int>(syscall(SYS_fchmod, descriptor, mode));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (fails(threading)) return EAGAIN;
  return next<decltype(&pthread_create)>("pthread_create")(thread, attributes, start, argument);
}

}  // extern "C"
