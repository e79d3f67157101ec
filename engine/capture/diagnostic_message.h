// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// What can be asked of a runtime through its diagnostic socket (dotnet/diagnostics, ipc-protocol): the set of commands
/// in the high byte, the command of it in the low one.
enum class DiagnosticCommand : std::uint16_t {
  GenerateCoreDump = 0x0101,
  GenerateCoreDump2 = 0x0102,
  GenerateCoreDump3 = 0x0103,  // tells in words why it failed
  StopTracing = 0x0201,
  CollectTracing2 = 0x0203,
  CollectTracing4 = 0x0205,  // with what is told at the end (.NET 9)
  CollectTracing6 = 0x0207,  // can wait for whoever listens instead of dropping events (.NET 11)
  ProcessInfo = 0x0400,
  ProcessInfo2 = 0x0404,  // with the runtime's version
  ProcessInfo3 = 0x0408,  // with what it was built for
};

/// Of every message, in either direction: magic, size, command.
inline constexpr std::size_t kDiagnosticHeaderBytes = 20;
/// A message says its size in 16 bits.
inline constexpr std::size_t kMostDiagnosticPayload = 0xffff - kDiagnosticHeaderBytes;

/// The bytes of a request. `payload` has at most kMostDiagnosticPayload bytes.
std::vector<std::byte> diagnosticMessage(DiagnosticCommand command, Bytes payload);

/// Writes what requests consist of: little-endian numbers, and texts in UTF-16 with a zero at their end.
class DiagnosticPayload {
 public:
  DiagnosticPayload& number(std::uint8_t value) { return append(&value, sizeof value); }
  DiagnosticPayload& number(std::uint32_t value) { return append(&value, sizeof value); }
  DiagnosticPayload& number(std::uint64_t value) { return append(&value, sizeof value); }
  /// What is no UTF-8 becomes an empty text.
  DiagnosticPayload& text(std::string_view utf8);
  Bytes bytes() const { return m_bytes; }

 private:
  DiagnosticPayload& append(const void* from, std::size_t size);

  std::vector<std::byte> m_bytes;
};

/// What the header of an answer says.
struct DiagnosticHeader {
  bool isError = false;
  std::size_t payloadBytes = 0;
};
/// Returns nullopt for what is no header of an answer.
std::optional<DiagnosticHeader> parseDiagnosticHeader(Bytes header);

/// Why a runtime did not do what it was asked.
struct DiagnosticRefusal {
  std::uint32_t result = 0;  // an HRESULT
  std::string text = {};     // in the runtime's own words, cut at 4,096 characters; empty if it has none
};
/// Of the payload of an error; one that has none is a general failure.
DiagnosticRefusal parseDiagnosticRefusal(Bytes payload);

/// The request is unknown to this runtime, which may know an older one.
inline constexpr std::uint32_t kUnknownDiagnosticCommand = 0x80131385;
/// An HRESULT of the diagnostic protocol in words: "the runtime does not know this request". Empty for others.
std::string_view meaningOfDiagnosticResult(std::uint32_t result);

/// What a runtime says of its process.
struct DiagnosticProcessInfo {
  std::uint64_t pid = 0;        // in the process's own PID namespace
  std::string command;          // with arguments
  std::string operatingSystem;  // "Linux"
  std::string architecture;     // "x64", "arm64"
  std::string entryAssembly;    // name of the program's assembly; empty for a runtime before .NET 6
  std::string runtimeVersion;   // "10.0.12"; empty for a runtime before .NET 6
  std::string runtimeId;        // "linux-musl-x64"; empty where the runtime does not say
};
/// Of the payload of an answer to one of the three; nullopt if it is cut, or holds texts that are none.
std::optional<DiagnosticProcessInfo> parseDiagnosticProcessInfo(DiagnosticCommand command, Bytes payload);

}  // namespace heapscape::engine
