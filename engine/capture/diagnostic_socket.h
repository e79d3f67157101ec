// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "capture/diagnostic_message.h"
#include "memory/files/regular_file.h"

namespace heapscape::engine {

/// How long one waits for another process: until then, or until a stop is asked for.
struct Patience {
  std::chrono::steady_clock::time_point until;
  std::stop_token stop;

  static Patience of(std::chrono::milliseconds time, std::stop_token stop) {
    return {std::chrono::steady_clock::now() + time, std::move(stop)};
  }
};

/// An answer of a runtime: what it was asked for, or why not.
struct DiagnosticAnswer {
  bool isError = false;
  std::vector<std::byte> payload;
};

/// A connection to the diagnostic socket of one runtime. It is made for one request; what a runtime streams follows the
/// answer. Whoever listens is not trusted: sizes are bounded by the protocol, and every wait ends. A wait polls the
/// stop token every 50 ms.
class DiagnosticSocket {
 public:
  /// `pid`: the process, as our own PID namespace counts, that has to be the one that listens; nothing is said to any
  /// other. Fails with NotFound if nobody listens, with FileUnreadable if it may not be connected to, another process
  /// listens, or nobody takes the connection in time.
  static Outcome<DiagnosticSocket> connect(const std::filesystem::path& path, std::uint32_t pid,
                                           const Patience& patience);

  /// Fails with FileUnreadable, as the other functions do: the process is silent for too long, or hangs up.
  Outcome<void> send(DiagnosticCommand command, Bytes payload, const Patience& patience);
  Outcome<DiagnosticAnswer> receive(const Patience& patience);
  /// Whether something can be received, or the other end has hung up, within this time.
  Outcome<bool> isReadable(const Patience& patience);
  /// Up to as many bytes as there is room for; 0 once the other end has hung up.
  Outcome<std::size_t> readSome(std::span<std::byte> target, const Patience& patience);

 private:
  explicit DiagnosticSocket(FileDescriptor socket) : m_socket(std::move(socket)) {}
  Outcome<void> readAll(std::span<std::byte> target, const Patience& patience);

  FileDescriptor m_socket;
};

/// Connects, asks and takes the answer.
Outcome<DiagnosticAnswer> askDiagnostics(const std::filesystem::path& path, std::uint32_t pid,
                                         DiagnosticCommand command, Bytes payload, const Patience& patience);

/// What the runtime says of its process, by the newest of the three requests that it knows. Fails with Damaged if that
/// cannot be read.
Outcome<DiagnosticProcessInfo> askProcessInfo(const std::filesystem::path& path, std::uint32_t pid,
                                              const Patience& patience);

}  // namespace heapscape::engine
