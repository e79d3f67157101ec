// SPDX-License-Identifier: MIT
#include "capture/heap_counter.h"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <variant>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kBufferMegabytes = 1;
constexpr std::uint32_t kNettraceFormat = 1;
constexpr std::uint32_t kInformationalLevel = 4;
constexpr std::size_t kMostStreamedBytes = 8 << 20;
constexpr std::chrono::milliseconds kTimeToStop{500};

DiagnosticPayload counterRequest() {
  DiagnosticPayload request;
  request.number(kBufferMegabytes).number(kNettraceFormat);
  request.number(std::uint8_t{0});   // nothing about methods at the end
  request.number(std::uint32_t{1});  // one provider
  request.number(std::uint64_t{0}).number(kInformationalLevel);
  request.text("System.Runtime").text("EventCounterIntervalSec=1");
  return request;
}

/// Reads events until one tells, the stream ends or the time is up.
Outcome<std::uint64_t> readHeapBytes(DiagnosticSocket& socket, const Patience& patience) {
  std::optional<std::uint64_t> bytes;
  NettraceReader reader([&bytes](const NettraceEvent& event) {
    if (!bytes) bytes = heapBytesOf(event);
  });
  std::array<std::byte, 16 * 1024> piece{};
  for (std::size_t streamed = 0; streamed < kMostStreamedBytes;) {
    HEAPSCAPE_TRY(const std::size_t got, socket.readSome(piece, patience));
    HEAPSCAPE_CHECK(reader.take(std::span(piece).first(got)));
    if (bytes) return *bytes;
    if (got == 0 || reader.isAtEnd()) break;
    streamed += got;
  }
  return tl::unexpected(
      Unfinished(Error{ErrorCode::FileUnreadable, "The runtime does not tell the size of its heap."}));
}

}  // namespace

std::optional<std::uint64_t> heapBytesOf(const NettraceEvent& event) {
  if (event.provider != "System.Runtime" || event.name != "EventCounters") return std::nullopt;
  const std::string* name = nullptr;
  const std::string* units = nullptr;
  const double* mean = nullptr;
  for (const NettraceEvent::Field& field : event.fields) {
    if (field.name == "Name") name = std::get_if<std::string>(&field.value);
    if (field.name == "DisplayUnits") units = std::get_if<std::string>(&field.value);
    if (field.name == "Mean") mean = std::get_if<double>(&field.value);
  }
  if (!name || *name != "gc-heap-size" || !units || *units != "MB" || !mean) return std::nullopt;
  constexpr double kMost = 1e9;  // a petabyte
  constexpr double kMegabyte = 1e6;
  if (!std::isfinite(*mean) || *mean < 0 || *mean > kMost) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*mean * kMegabyte));
}

Outcome<std::uint64_t> askHeapBytes(const std::filesystem::path& socket, std::uint32_t pid, const Patience& patience) {
  HEAPSCAPE_TRY(DiagnosticSocket stream, DiagnosticSocket::connect(socket, pid, patience));
  HEAPSCAPE_CHECK(stream.send(DiagnosticCommand::CollectTracing2, counterRequest().bytes(), patience));
  HEAPSCAPE_TRY(const DiagnosticAnswer answer, stream.receive(patience));
  std::uint64_t session = 0;
  if (answer.isError || !tryReadAt(Bytes(answer.payload), 0, session)) {
    return tl::unexpected(
        Unfinished(Error{ErrorCode::FileUnreadable, "The runtime does not let its counters be read."}));
  }
  auto bytes = readHeapBytes(stream, patience);
  DiagnosticPayload stop;
  stop.number(session);
  // Also after Ctrl+C. A runtime that does not hear it stops when it finds the stream closed.
  const auto stopped =
      askDiagnostics(socket, pid, DiagnosticCommand::StopTracing, stop.bytes(), Patience::of(kTimeToStop, {}));
  static_cast<void>(stopped);
  return bytes;
}

}  // namespace heapscape::engine
