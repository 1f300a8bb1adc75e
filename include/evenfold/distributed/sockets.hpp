#pragma once
// Connections between the processes of distributed/tcp.hpp: sockets whose operations end at a given
// time at the latest.

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "evenfold/core/error.hpp"
#include "evenfold/distributed/communicator.hpp"

namespace evenfold::detail {

using time_point = std::chrono::steady_clock::time_point;

/// Owns a file descriptor.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

inline std::string text_of_errno(const std::string& what) {
  return what + ": " + std::strerror(errno);
}

/// Milliseconds for poll(), at least 0.
inline int milliseconds_until(time_point end) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<long long>(left.count(), 0, 1 << 30));
}

/// Waits for POLLIN or POLLOUT. Returns false after `end`.
inline bool wait_for_socket(int socket, short event, time_point end) {
  for (;;) {
    pollfd one{socket, event, 0};
    const int ready = poll(&one, 1, milliseconds_until(end));
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) return true;  // the next call tells the error
  }
}

/// The end of a transfer: all bytes were moved, the other side has closed the connection, or the
/// time was over.
enum class transfer { done, closed, late };

/// Calls step(bytes done) until all bytes are transferred.
template <class Step>
transfer transfer_all(int socket, short event, std::size_t bytes, time_point end, Step step) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t count = step(done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
      continue;
    }
    if (count == 0) return transfer::closed;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return transfer::closed;
    if (!wait_for_socket(socket, event, end)) return transfer::late;
  }
  return transfer::done;
}
inline transfer send_all(int socket, const void* data, std::size_t bytes, time_point end) {
  return transfer_all(socket, POLLOUT, bytes, end, [&](std::size_t done) {
    return send(socket, static_cast<const std::byte*>(data) + done, bytes - done,
                MSG_NOSIGNAL | MSG_DONTWAIT);
  });
}
inline transfer receive_all(int socket, void* data, std::size_t bytes, time_point end) {
  return transfer_all(socket, POLLIN, bytes, end, [&](std::size_t done) {
    return recv(socket, static_cast<std::byte*>(data) + done, bytes - done, MSG_DONTWAIT);
  });
}

/// `HOST:PORT`, where an IPv6 address is in brackets: [::1]:29500.
struct tcp_address {
  std::string host;
  std::string port;
};

inline tcp_address parse_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  tcp_address result;
  if (colon != std::string::npos) {
    result = {text.substr(0, colon), text.substr(colon + 1)};
    if (result.host.size() > 2 && result.host.front() == '[' && result.host.back() == ']') {
      result.host = result.host.substr(1, result.host.size() - 2);
    }
  }
  const bool is_port = !result.port.empty() && result.port.size() <= 5 &&
                       result.port.find_first_not_of("0123456789") == std::string::npos &&
                       std::stoi(result.port) <= 65535;
  if (result.host.empty() || !is_port) {
    refuse_argument("tcp_communicator", "place", text, "it is no address and no file",
                    "pass HOST:PORT, such as 10.0.0.1:29500, or file:PATH");
  }
  return result;
}

struct free_addresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using address_list = std::unique_ptr<addrinfo, free_addresses>;

/// The addresses of a name. If it has none at present, the list is empty and `why` gets the reason.
inline address_list find_addresses(const tcp_address& address, int flags, std::string& why) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(address.host.empty() ? nullptr : address.host.c_str(),
                               address.port.c_str(), &hints, &found);
  if (code != 0) why = address.host + ": " + gai_strerror(code);
  return address_list(code == 0 ? found : nullptr);
}

inline void send_small_messages_at_once(int socket) {
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

constexpr std::string_view socket_prefix = "socket:";
/// Whether a place is `socket:NUMBER`, a socket of the caller.
inline bool is_socket(const std::string& place) { return place.starts_with(socket_prefix); }

/// A copy of this socket, which listens. Throws communication_error.
inline descriptor copied_socket(const std::string& place) {
  const int number = std::atoi(place.c_str() + socket_prefix.size());
  descriptor copy(fcntl(number, F_DUPFD_CLOEXEC, 0));
  if (!copy) throw communication_error("rank 0 cannot listen at " + text_of_errno(place));
  return copy;
}

/// A socket that listens at an address; an empty host stands for all interfaces, and port 0 for any
/// free port. Throws communication_error.
inline descriptor listen_at(const tcp_address& address) {
  std::string why;
  const address_list list = find_addresses(address, AI_PASSIVE, why);
  for (const addrinfo* a = list.get(); a != nullptr; a = a->ai_next) {
    descriptor socket(::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
    const int yes = 1;
    if (socket) setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (socket && bind(socket.get(), a->ai_addr, a->ai_addrlen) == 0 &&
        listen(socket.get(), SOMAXCONN) == 0) {
      return socket;
    }
    why = text_of_errno(address.host + ":" + address.port);
  }
  throw communication_error("rank 0 cannot listen at " + why);
}

/// A connection, or none; `why` then gets the reason.
inline descriptor connect_to(const tcp_address& address, time_point end, std::string& why) {
  const address_list list = find_addresses(address, 0, why);
  for (const addrinfo* a = list.get(); a != nullptr; a = a->ai_next) {
    descriptor socket(
        ::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol));
    if (socket && connect(socket.get(), a->ai_addr, a->ai_addrlen) != 0) {
      int error = errno;
      if (error == EINPROGRESS) {
        socklen_t length = sizeof(error);
        error = ETIMEDOUT;
        if (wait_for_socket(socket.get(), POLLOUT, end)) {
          getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
        }
      }
      errno = error;
      if (error != 0) socket = descriptor();
    }
    if (socket) {
      send_small_messages_at_once(socket.get());
      return socket;
    }
    why = text_of_errno(address.host + ":" + address.port);
  }
  return {};
}

}  // namespace evenfold::detail
