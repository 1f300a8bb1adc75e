#pragma once
// The rendezvous of processes that know nothing of each other but an address, or a file that all of
// them can read. Rank 0 listens; the others connect to it and send their ranks.
//
// The file has the addresses of rank 0 and a random number. A process that reads the file of an
// earlier launch finds no listener, or one with another number, and reads the file again. Rank 0
// removes the file when all ranks have connected.

#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "evenfold/distributed/communicator.hpp"
#include "evenfold/distributed/sockets.hpp"

namespace evenfold::detail {

/// A rank of a rendezvous, and its place: `HOST:PORT`, an address of rank 0, `file:PATH`, or, for
/// rank 0, `socket:NUMBER`.
struct meeting {
  std::string place;
  int rank, size;
  std::chrono::milliseconds time_limit;

  bool has_file() const { return place.starts_with("file:"); }
  std::string file() const { return place.substr(std::string_view("file:").size()); }
};

/// The message of a process that has connected to rank 0.
struct greeting {
  char name[8] = {'e', 'v', 'e', 'n', 'f', 'o', 'l', 'd'};
  std::uint32_t version = 1;
  std::int32_t rank = 0, size = 0;
  std::uint32_t unused = 0;
  std::uint64_t number = 0;  ///< that of the file, or 0
};

/// The head of the answer of rank 0: all ranks have connected; the number is that of another
/// meeting, so that the file must be read again; or a failure, whose text follows.
struct answer {
  enum kind_of : std::uint32_t { all_have_come, other_meeting, failure } kind;
  std::uint32_t length;
};
inline transfer send_answer(int socket, answer::kind_of kind, const std::string& text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  const answer head{kind, static_cast<std::uint32_t>(text.size())};
  const transfer sent = send_all(socket, &head, sizeof(head), end);
  return sent == transfer::done ? send_all(socket, text.data(), text.size(), end) : sent;
}

/// The file of a meeting: the number, the port and the addresses.
struct meeting_file {
  std::uint64_t number = 0;
  std::vector<tcp_address> addresses;

  static meeting_file read(const std::string& path) {
    meeting_file result;
    std::ifstream in(path);
    std::string word;
    std::string number;
    std::string host;
    std::string port;
    if (!(in >> word >> number >> port) || word != "evenfold") return {};
    const char* const end = number.data() + number.size();
    const auto [read, error] = std::from_chars(number.data(), end, result.number);
    if (error != std::errc() || read != end) return {};
    while (in >> host) result.addresses.push_back({host, port});
    return result;
  }
};

/// The text of the file: the number, the port of a socket and the addresses of this machine, the
/// loopback address last. All are numeric, since a machine without a network may know no names.
inline std::string describe_listener(int socket, std::uint64_t number) {
  sockaddr_storage own{};
  socklen_t length = sizeof(own);
  getsockname(socket, reinterpret_cast<sockaddr*>(&own), &length);
  const in_port_t port = own.ss_family == AF_INET6
                             ? reinterpret_cast<const sockaddr_in6&>(own).sin6_port
                             : reinterpret_cast<const sockaddr_in&>(own).sin_port;
  std::string text = "evenfold " + std::to_string(number) + ' ' + std::to_string(ntohs(port));
  const std::string_view loopback = own.ss_family == AF_INET6 ? "::1" : "127.0.0.1";
  ifaddrs* found = nullptr;
  if (getifaddrs(&found) != 0) found = nullptr;
  for (const ifaddrs* at = found; at != nullptr; at = at->ifa_next) {
    char host[NI_MAXHOST];
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != own.ss_family) continue;
    const socklen_t bytes = own.ss_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    if (getnameinfo(at->ifa_addr, bytes, host, sizeof(host), nullptr, 0, NI_NUMERICHOST) == 0 &&
        host != loopback) {
      text += ' ' + std::string(host);
    }
  }
  if (found != nullptr) freeifaddrs(found);
  return text + ' ' + std::string(loopback) + '\n';
}

/// Writes the file under another name and renames it, so that no process reads a part of it. The
/// destructor removes it.
class published_file {
 public:
  published_file(const meeting& of, const std::string& text) : path_(of.file()) {
    const std::string part = path_ + "." + std::to_string(getpid()) + ".part";
    std::ofstream out(part);
    out << text;
    out.close();
    if (!out || std::rename(part.c_str(), path_.c_str()) != 0) {
      const std::string why = text_of_errno("rank 0 cannot write " + path_);
      std::remove(part.c_str());
      throw communication_error(why);
    }
  }
  published_file(const published_file&) = delete;
  published_file& operator=(const published_file&) = delete;
  ~published_file() { std::remove(path_.c_str()); }

 private:
  std::string path_;
};

/// The reason why a process cannot take part, or an empty text.
inline std::string why_refused(const meeting& of, const greeting& from,
                               const std::vector<descriptor>& come) {
  const std::string who = "rank " + std::to_string(from.rank);
  if (from.version != greeting{}.version) return who + " is of another version of Evenfold";
  if (from.size != of.size) {
    return who + " expects " + std::to_string(from.size) + " ranks, and rank 0 expects " +
           std::to_string(of.size);
  }
  if (from.rank < 1 || from.rank >= of.size) return "there is no " + who;
  if (come[static_cast<std::size_t>(from.rank)]) return who + " has come twice";
  return "";
}

inline std::string who_has_come(const std::vector<descriptor>& come) {
  std::string ranks = "0";
  std::size_t count = 1;
  for (std::size_t r = 1; r < come.size(); ++r) {
    if (!come[r]) continue;
    ranks += ", " + std::to_string(r);
    ++count;
  }
  return (count == 1 ? "rank " : "ranks ") + ranks + " of " + std::to_string(come.size());
}

/// Called by rank 0. Returns its connections with all other ranks, by rank.
inline std::vector<descriptor> wait_for_ranks(const meeting& of) {
  const time_point end = std::chrono::steady_clock::now() + of.time_limit;
  const bool has_file = of.has_file();
  const descriptor listener = is_socket(of.place) ? copied_socket(of.place)
                              : has_file          ? listen_at({"", "0"})
                                                  : listen_at(parse_address(of.place));
  std::uint64_t number = 0;
  std::unique_ptr<published_file> file;
  if (has_file) {
    std::random_device random;
    number = (std::uint64_t{random()} << 32 | random()) | 1;
    file = std::make_unique<published_file>(of, describe_listener(listener.get(), number));
  }
  std::vector<descriptor> come(static_cast<std::size_t>(of.size));
  for (int left = of.size - 1; left > 0;) {
    if (!wait_for_socket(listener.get(), POLLIN, end)) {
      const std::string why = "rank 0 has waited " + std::to_string(of.time_limit.count()) +
                              " ms at " + of.place + ", and only " + who_has_come(come) +
                              " have come";
      for (const descriptor& one : come) {
        if (one) send_answer(one.get(), answer::failure, why);
      }
      throw communication_error(why);
    }
    descriptor socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) continue;
    greeting from;
    const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    const bool greets =
        receive_all(socket.get(), &from, sizeof(from), std::min(soon, end)) == transfer::done &&
        std::memcmp(from.name, greeting{}.name, sizeof(from.name)) == 0;
    if (!greets) continue;  // some other program
    if (from.number != number) {
      send_answer(socket.get(), answer::other_meeting, "");
    } else if (const std::string why = why_refused(of, from, come); !why.empty()) {
      send_answer(socket.get(), answer::failure, why);
    } else {
      send_small_messages_at_once(socket.get());
      come[static_cast<std::size_t>(from.rank)] = std::move(socket);
      --left;
    }
  }
  for (const descriptor& one : come) {
    if (one) send_answer(one.get(), answer::all_have_come, "");
  }
  return come;
}

/// Waits until an answer can be read, and returns true; or returns false if the number in the file
/// changes, since `number` was that of an earlier launch, or after `end`.
inline bool wait_for_answer(const meeting& of, int socket, std::uint64_t number, time_point end) {
  while (std::chrono::steady_clock::now() < end) {
    const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    if (wait_for_socket(socket, POLLIN, std::min(soon, end))) return true;
    if (!of.has_file()) continue;
    const std::uint64_t now = meeting_file::read(of.file()).number;
    if (now != 0 && now != number) return false;
  }
  return false;
}

/// Called by every other rank. Returns its connection with rank 0.
inline descriptor connect_to_rank_0(const meeting& of) {
  const time_point end = std::chrono::steady_clock::now() + of.time_limit;
  // Rank 0 may have started later, and sends the reason if its time is over.
  const time_point last = end + of.time_limit + std::chrono::seconds(2);
  std::string why;
  while (std::chrono::steady_clock::now() < end) {
    meeting_file where;
    if (of.has_file()) {
      where = meeting_file::read(of.file());
      if (where.addresses.empty()) why = "the file is not there";
    } else {
      where.addresses = {parse_address(of.place)};
    }
    for (const tcp_address& address : where.addresses) {
      const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(2);
      descriptor socket = connect_to(address, std::min(soon, end), why);
      if (!socket) continue;
      greeting own;
      own.rank = of.rank;
      own.size = of.size;
      own.number = where.number;
      answer head{};
      std::string text;
      if (send_all(socket.get(), &own, sizeof(own), end) == transfer::done &&
          wait_for_answer(of, socket.get(), where.number, last) &&
          receive_all(socket.get(), &head, sizeof(head), last) == transfer::done) {
        if (head.kind == answer::all_have_come) return socket;
        text.resize(std::min<std::uint32_t>(head.length, 1000));
        receive_all(socket.get(), text.data(), text.size(), last);
        if (head.kind == answer::failure) throw communication_error(text);
        why = "another meeting takes place at " + address.host + ":" + address.port;
      } else {
        why = address.host + ":" + address.port + ": rank 0 does not answer";
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw communication_error("rank " + std::to_string(of.rank) + " has looked for rank 0 at " +
                            of.place + " for " + std::to_string(of.time_limit.count()) +
                            " ms: " + why);
}

/// The connections of this process: those of rank 0 with all others, by rank, or the one of another
/// rank with rank 0.
inline std::vector<descriptor> meet(const meeting& of) {
  if (of.rank == 0) return of.size == 1 ? std::vector<descriptor>(1) : wait_for_ranks(of);
  std::vector<descriptor> result;
  result.push_back(connect_to_rank_0(of));
  return result;
}

}  // namespace evenfold::detail
