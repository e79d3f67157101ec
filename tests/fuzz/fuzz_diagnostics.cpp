// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "capture/diagnostic_message.h"
#include "capture/heap_counter.h"
#include "capture/heap_events.h"
#include "capture/nettrace_reader.h"
#include "fuzz_target.h"
#include "support/builders/nettrace_builder.h"

using namespace heapscape;

namespace {

void require(bool isTrue) {
  if (!isTrue) std::abort();
}

void readAnswers(engine::Bytes bytes) {
  if (const auto header = engine::parseDiagnosticHeader(bytes))
    require(header->payloadBytes <= engine::kMostDiagnosticPayload);
  require(engine::parseDiagnosticRefusal(bytes).text.size() <= 4096);
  for (const auto command : {engine::DiagnosticCommand::ProcessInfo, engine::DiagnosticCommand::ProcessInfo2,
                             engine::DiagnosticCommand::ProcessInfo3})
    engine::parseDiagnosticProcessInfo(command, bytes);
}

/// As each event about a heap, while one is told.
void readHeapEvents(engine::Bytes bytes) {
  constexpr std::array<std::uint32_t, 4> kInducedCollection{1, 2, 1, 0};
  for (const bool isEnded : {false, true}) {
    engine::HeapEvents events;
    const auto take = [&](std::uint32_t id, engine::Bytes payload) {
      events.take({"Microsoft-Windows-DotNETRuntime", id, payload});
    };
    take(1, std::as_bytes(std::span(kInducedCollection)));
    for (const std::uint32_t id : {15u, 16u, 17u, 18u, 19u, 38u, 152u}) take(id, bytes);
    if (isEnded) take(2, std::as_bytes(std::span(kInducedCollection)));
    const auto graph = events.finish();
    if (!graph) continue;
    for (const std::uint32_t child : graph->children.elements()) require(child < graph->nodeCount());
  }
}

std::size_t eventsIn(engine::Bytes stream, std::size_t piece) {
  std::size_t events = 0;
  engine::NettraceReader reader([&events](const engine::NettraceEvent& event) {
    ++events;
    if (const auto heap = engine::heapBytesOf(event)) require(*heap <= 1'000'000'000'000'000);
  });
  while (!stream.empty()) {
    const engine::Bytes next = stream.first(std::min(piece, stream.size()));
    if (!reader.take(next)) break;
    stream = stream.subspan(next.size());
  }
  return events;
}

}  // namespace

// The input is what a runtime answers, and what it streams.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const engine::Bytes bytes = fuzz::bytesOf(data, size);
  readAnswers(bytes);
  readHeapEvents(bytes);
  // It does not matter where a stream is cut.
  require(eventsIn(bytes, SIZE_MAX) == eventsIn(bytes, 1000));
  return 0;
}

namespace heapscape::fuzz {

using namespace heapscape::test;

namespace {

void appendUtf16(FileBytes& to, std::string_view ascii) {
  NettraceBuilder::append(to, static_cast<std::uint32_t>(ascii.size() + 1));
  NettraceBuilder::appendText(to, ascii);
}

}  // namespace

std::vector<FileBytes> seeds() {
  FileBytes info(28);
  info[0] = std::byte{1};
  for (const char* text : {"dotnet shop.dll", "Linux", "x64", "shop", "10.0.12", "linux-x64"}) appendUtf16(info, text);
  FileBytes refusal(4, std::byte{0x80});
  appendUtf16(refusal, "[createdump] no room (28)");
  FileBytes header = engine::diagnosticMessage(engine::DiagnosticCommand::ProcessInfo, refusal);
  header[16] = header[17] = std::byte{0xff};
  const NettraceBuilder stream =
      NettraceBuilder().counter("cpu-usage", 1, "%").counter("gc-heap-size", 12.5, "MB").end();
  // Numbers of an event, of its entries and of the runtime, and one entry of an object or less.
  FileBytes entries(10);
  entries[4] = std::byte{1};
  entries.resize(entries.size() + 32, std::byte{8});
  return {info, refusal, header, entries, stream.bytes(), NettraceBuilder().block("StackBlock", FileBytes(30)).bytes()};
}

}  // namespace heapscape::fuzz
