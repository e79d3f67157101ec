// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "capture/diagnostic_message.h"
#include "memory/files/regular_file.h"
#include "support/builders/core_builder.h"

namespace heapscape::test {

/// What a runtime is asked.
struct SeemingRequest {
  engine::DiagnosticCommand command{};
  FileBytes payload;

  /// Of a request for a dump: the file, with %% as %, and the number of its kind.
  std::filesystem::path dumpPath() const;
  std::string rawDumpPath() const;
  std::uint32_t dumpKind() const;
};

/// The other end of a connection.
class SeemingConnection {
 public:
  explicit SeemingConnection(int socket) : m_socket(socket) {}
  void send(engine::Bytes bytes) const;
  void answer(engine::Bytes payload = {}) const { send(message(0x00, payload)); }
  void refuse(std::uint32_t result, std::string_view text = {}) const;
  /// Until the other end hangs up.
  void stayOpen() const;

  static FileBytes message(std::uint8_t id, engine::Bytes payload);

 private:
  int m_socket;
};

/// Listens at a socket as a runtime does. It tells about its process by itself; all else is the test's.
class SeemingRuntime {
 public:
  using Answer = std::function<void(const SeemingRequest&, const SeemingConnection&)>;
  SeemingRuntime(const std::filesystem::path& socket, Answer answer);
  ~SeemingRuntime();

  /// Commands so far.
  std::vector<engine::DiagnosticCommand> commands() const;
  /// The payload of an answer to ProcessInfo3.
  static FileBytes processInfo();

 private:
  void listen();
  void serve(int socket);

  engine::FileDescriptor m_socket;
  Answer m_answer;
  mutable std::mutex m_mutex;
  std::vector<engine::DiagnosticCommand> m_commands;
  std::vector<std::jthread> m_connections;
  std::jthread m_listener;
};

/// Text of the protocol: its length, UTF-16, a zero.
void appendProtocolText(FileBytes& to, std::string_view ascii);

}  // namespace heapscape::test
