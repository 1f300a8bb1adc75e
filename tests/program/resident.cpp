// Runs the program for many calls in one process, because each process that opens a GPU takes
// longer to start than most commands to run.
//
//   evenfold_resident --serve SOCKET    runs the calls that come through SOCKET, one after another,
//                                       until a signal ends it
//   EVENFOLD_RESIDENT=SOCKET evenfold_resident ARGUMENT...
//                                       as `evenfold ARGUMENT...`, but run by the process that
//                                       serves SOCKET: in this directory and this environment, and
//                                       with these standard descriptors
//
// Signals, limits and threads of OpenMP are those of the serving process.

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cli/process.hpp"
#include "cli/program.hpp"

namespace {

using descriptors = std::array<int, 3>;

[[noreturn]] void fail(const char* what) {
  std::perror((std::string("evenfold_resident: ") + what).c_str());
  std::_Exit(125);
}

sockaddr_un address_of(const char* name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(name) >= sizeof(address.sun_path)) fail("the name of the socket is too long");
  std::strcpy(address.sun_path, name);
  return address;
}

/// Sends or receives all bytes; false if the other side has closed the connection.
template <class Call>
bool all_of(void* bytes, std::size_t size, Call call) {
  auto* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t moved = call(at, size);
    if (moved <= 0) return false;
    at += moved;
    size -= static_cast<std::size_t>(moved);
  }
  return true;
}

bool send_all(int to, const void* bytes, std::size_t size) {
  return all_of(const_cast<void*>(bytes), size,
                [&](char* at, std::size_t left) { return send(to, at, left, MSG_NOSIGNAL); });
}

bool receive_all(int from, void* bytes, std::size_t size) {
  return all_of(bytes, size, [&](char* at, std::size_t left) { return recv(from, at, left, 0); });
}

/// A message of one number, which three descriptors travel with.
struct call_header {
  std::uint64_t size = 0;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(descriptors))> control{};
  iovec bytes{&size, sizeof(size)};
  msghdr message{};

  call_header() {
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
};

void send_header(int to, std::uint64_t size) {
  call_header header;
  header.size = size;
  cmsghdr* const rights = CMSG_FIRSTHDR(&header.message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(descriptors));
  const descriptors standard = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  std::memcpy(CMSG_DATA(rights), standard.data(), sizeof(standard));
  if (sendmsg(to, &header.message, MSG_NOSIGNAL) != sizeof(header.size)) fail("sending a call");
}

/// Texts with a null byte after each.
struct texts {
  std::vector<char> bytes;

  void add(const char* text) { bytes.insert(bytes.end(), text, text + std::strlen(text) + 1); }

  /// The beginning of each.
  std::vector<char*> pointers() {
    std::vector<char*> result;
    for (std::size_t at = 0; at < bytes.size(); at += std::strlen(&bytes[at]) + 1) {
      result.push_back(&bytes[at]);
    }
    return result;
  }
};

/// Lets the serving process run the call, and returns its exit status.
int call(const char* socket_name, int argc, char** argv) {
  const int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = address_of(socket_name);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    fail("connecting to the process that serves");
  }
  texts request;
  std::vector<char> directory(4096);
  if (getcwd(directory.data(), directory.size()) == nullptr) fail("asking for the directory");
  request.add(directory.data());
  request.add(std::to_string(argc).c_str());
  for (int i = 0; i < argc; ++i) request.add(argv[i]);
  for (char** variable = environ; *variable != nullptr; ++variable) request.add(*variable);
  send_header(connection, request.bytes.size());
  int status = 0;
  if (!send_all(connection, request.bytes.data(), request.bytes.size()) ||
      !receive_all(connection, &status, sizeof(status))) {
    std::fputs("evenfold_resident: the process that serves has ended\n", stderr);
    return 134;
  }
  return status;
}

/// Receives a call, runs it and sends its exit status back.
void run_call(int connection, const descriptors& own) {
  call_header header;
  if (recvmsg(connection, &header.message, 0) != sizeof(header.size)) return;
  const cmsghdr* const rights = CMSG_FIRSTHDR(&header.message);
  if (rights == nullptr) return;
  descriptors theirs;
  std::memcpy(theirs.data(), CMSG_DATA(rights), sizeof(theirs));
  texts request{std::vector<char>(header.size)};
  if (!receive_all(connection, request.bytes.data(), request.bytes.size())) return;

  std::vector<char*> parts = request.pointers();
  const int argc = std::atoi(parts[1]);
  std::vector<char*> arguments(parts.begin() + 2, parts.begin() + 2 + argc);
  arguments.push_back(nullptr);
  std::vector<char*> variables(parts.begin() + 2 + argc, parts.end());
  variables.push_back(nullptr);

  for (int i = 0; i < 3; ++i) dup2(theirs[i], i);
  for (const int descriptor : theirs) close(descriptor);
  char** const own_environment = std::exchange(environ, variables.data());
  int status = 1;
  if (chdir(parts[0]) == 0) {
    status = evenfold::cli::run_program(argc, arguments.data());
    std::fflush(stdout);
  }
  environ = own_environment;
  for (int i = 0; i < 3; ++i) dup2(own[i], i);
  send_all(connection, &status, sizeof(status));
}

[[noreturn]] void serve(const char* socket_name) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = address_of(socket_name);
  unlink(socket_name);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(listener, 64) != 0) {
    fail("opening the socket");
  }
  const descriptors own = {dup(STDIN_FILENO), dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  for (;;) {
    const int connection = accept(listener, nullptr, nullptr);
    if (connection < 0) fail("accepting a call");
    run_call(connection, own);
    close(connection);
  }
}

}  // namespace

int main(int argc, char** argv) {
  evenfold::cli::set_up_process();
  if (argc == 3 && std::strcmp(argv[1], "--serve") == 0) serve(argv[2]);
  const char* const socket_name = std::getenv("EVENFOLD_RESIDENT");
  if (socket_name == nullptr) {
    std::fputs("evenfold_resident: EVENFOLD_RESIDENT does not name the socket that is served\n",
               stderr);
    return 125;
  }
  return call(socket_name, argc, argv);
}
