// SPDX-License-Identifier: MIT
#include "capture/diagnostic_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

namespace heapscape::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{50};

tl::unexpected<Unfinished> unfinished(ErrorCode code, std::string what, std::string help = {}) {
  return tl::unexpected(Unfinished(Error{code, std::move(what), std::move(help)}));
}

tl::unexpected<Unfinished> silent() {
  return unfinished(ErrorCode::FileUnreadable, "The runtime does not answer in time.",
                    "A process that is stopped, or that a debugger or another dump holds, answers when it goes on.");
}

tl::unexpected<Unfinished> notConnected(const std::filesystem::path& path, int error) {
  const std::string name = path.string();
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ECONNREFUSED:
      return unfinished(ErrorCode::NotFound, fmt::format("Nobody listens at {}.", name),
                        "The process has ended, or its runtime has not started yet.");
    case EACCES:
    case EPERM:
      return unfinished(ErrorCode::FileUnreadable, fmt::format("{} may not be used by this user.", name),
                        "Run this as the user of the process, or as root.");
    default:
      return unfinished(ErrorCode::FileUnreadable,
                        fmt::format("{} cannot be connected to: {}.", name, systemMessage(error)));
  }
}

/// An address has room for 107 bytes; a longer path is reached through its folder.
struct SocketAddress {
  sockaddr_un address{};
  FileDescriptor folder;  // has to stay open while the address is used
};

Result<SocketAddress> addressOf(const std::filesystem::path& path) {
  SocketAddress made;
  made.address.sun_family = AF_UNIX;
  std::string name = path.string();
  if (name.size() >= sizeof made.address.sun_path) {
    made.folder = FileDescriptor(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    name = fmt::format("/proc/self/fd/{}/{}", made.folder.get(), path.filename().string());
    if (!made.folder.isOpen() || name.size() >= sizeof made.address.sun_path) {
      return failure(ErrorCode::FileUnreadable,
                     fmt::format("{} cannot be connected to: its name is too long.", path.string()));
    }
  }
  std::ranges::copy(name, made.address.sun_path);
  return made;
}

/// The process that called listen(); 0 if our PID namespace does not have it.
std::uint32_t listenerOf(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid < 0) return 0;
  return static_cast<std::uint32_t>(peer.pid);
}

/// Waits until the socket can be read or written. False when the time is up.
Outcome<bool> waitFor(int socket, short event, const Patience& patience) {
  for (;;) {
    if (patience.stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(patience.until - Clock::now());
    pollfd waiting{socket, event, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::clamp(left, left.zero(), kLookEvery).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR)
      return unfinished(ErrorCode::FileUnreadable, fmt::format("Waiting failed: {}.", systemMessage(errno)));
    if (ready == 0 && left <= left.zero()) return false;
  }
}

}  // namespace

Outcome<DiagnosticSocket> DiagnosticSocket::connect(const std::filesystem::path& path, std::uint32_t pid,
                                                    const Patience& patience) {
  HEAPSCAPE_TRY(const SocketAddress place, addressOf(path));
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.isOpen()) return notConnected(path, errno);
  // A process that takes no connection has a full queue in the end, and then there is nothing to wait on.
  while (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&place.address), sizeof place.address) != 0) {
    if (errno != EAGAIN && errno != EINTR) return notConnected(path, errno);
    if (patience.stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (Clock::now() >= patience.until) return silent();
    std::this_thread::sleep_for(kLookEvery);
  }
  if (const std::uint32_t listener = listenerOf(socket.get()); listener != pid) {
    return unfinished(ErrorCode::FileUnreadable, fmt::format("At {} another process listens{}.", path.string(),
                                                             listener ? fmt::format(" ({})", listener) : ""));
  }
  return DiagnosticSocket(std::move(socket));
}

Outcome<void> DiagnosticSocket::send(DiagnosticCommand command, Bytes payload, const Patience& patience) {
  const std::vector<std::byte> message = diagnosticMessage(command, payload);
  for (Bytes left = message; !left.empty();) {
    const ssize_t sent = ::send(m_socket.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      left = left.subspan(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EINTR) {
      HEAPSCAPE_TRY(const bool isReady, waitFor(m_socket.get(), POLLOUT, patience));
      if (!isReady) return silent();
    } else {
      return unfinished(ErrorCode::FileUnreadable, fmt::format("The runtime has hung up: {}.", systemMessage(errno)));
    }
  }
  return {};
}

Outcome<bool> DiagnosticSocket::isReadable(const Patience& patience) {
  return waitFor(m_socket.get(), POLLIN, patience);
}

Outcome<std::size_t> DiagnosticSocket::readSome(std::span<std::byte> target, const Patience& patience) {
  for (;;) {
    const ssize_t got = ::recv(m_socket.get(), target.data(), target.size(), 0);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EAGAIN && errno != EINTR)
      return unfinished(ErrorCode::FileUnreadable, fmt::format("The runtime has hung up: {}.", systemMessage(errno)));
    HEAPSCAPE_TRY(const bool isReady, waitFor(m_socket.get(), POLLIN, patience));
    if (!isReady) return silent();
  }
}

Outcome<void> DiagnosticSocket::readAll(std::span<std::byte> target, const Patience& patience) {
  while (!target.empty()) {
    HEAPSCAPE_TRY(const std::size_t got, readSome(target, patience));
    if (got == 0) return unfinished(ErrorCode::FileUnreadable, "The runtime has hung up amid its answer.");
    target = target.subspan(got);
  }
  return {};
}

Outcome<DiagnosticAnswer> DiagnosticSocket::receive(const Patience& patience) {
  std::array<std::byte, kDiagnosticHeaderBytes> bytes{};
  HEAPSCAPE_CHECK(readAll(bytes, patience));
  const auto header = parseDiagnosticHeader(bytes);
  if (!header) {
    return unfinished(ErrorCode::Damaged,
                      "What answers at the socket does not speak the runtime's diagnostic protocol.");
  }
  DiagnosticAnswer answer{header->isError, std::vector<std::byte>(header->payloadBytes)};
  HEAPSCAPE_CHECK(readAll(answer.payload, patience));
  return answer;
}

Outcome<DiagnosticAnswer> askDiagnostics(const std::filesystem::path& path, std::uint32_t pid,
                                         DiagnosticCommand command, Bytes payload, const Patience& patience) {
  HEAPSCAPE_TRY(DiagnosticSocket socket, DiagnosticSocket::connect(path, pid, patience));
  HEAPSCAPE_CHECK(socket.send(command, payload, patience));
  return socket.receive(patience);
}

Outcome<DiagnosticProcessInfo> askProcessInfo(const std::filesystem::path& path, std::uint32_t pid,
                                              const Patience& patience) {
  DiagnosticRefusal refusal;
  for (const auto command :
       {DiagnosticCommand::ProcessInfo3, DiagnosticCommand::ProcessInfo2, DiagnosticCommand::ProcessInfo}) {
    HEAPSCAPE_TRY(const DiagnosticAnswer answer, askDiagnostics(path, pid, command, {}, patience));
    if (answer.isError) {
      refusal = parseDiagnosticRefusal(answer.payload);
      continue;
    }
    auto info = parseDiagnosticProcessInfo(command, answer.payload);
    if (!info) return unfinished(ErrorCode::Damaged, "What the runtime says of its process cannot be understood.");
    return std::move(*info);
  }
  const std::string_view meaning = meaningOfDiagnosticResult(refusal.result);
  return unfinished(ErrorCode::FileUnreadable, fmt::format("The runtime does not tell about its process: {:#x}{}{}.",
                                                           refusal.result, meaning.empty() ? "" : ", ", meaning));
}

}  // namespace heapscape::engine
