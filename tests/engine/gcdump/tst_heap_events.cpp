// SPDX-License-Identifier: MIT
// What a runtime tells of its heap as events, and the graph that is made of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "capture/heap_events.h"
#include "gcdump_file.h"
#include "support/builders/nettrace_builder.h"
#include "support/zstandard.h"

namespace heapscape::test {
namespace {

using namespace engine;

/// What `growth` on .NET 10 streamed while it was asked to walk its heap.
FileBytes recordedStream() {
  return bytesOfText(unpackedFile(HEAPSCAPE_TEST_DATA "/gcdump/heap-10.nettrace.zst"));
}

/// Hands on what `isWanted` says of each event, in the order of the stream.
template <class IsWanted>
HeapEvents eventsOf(IsWanted isWanted) {
  HeapEvents events;
  NettraceReader reader(NettraceReader::TellNative([&](const NativeTraceEvent& event) {
    if (isWanted(event)) events.take(event);
  }));
  EXPECT_TRUE(reader.take(recordedStream()));
  EXPECT_TRUE(reader.isAtEnd());
  return events;
}

constexpr auto kAll = [](const NativeTraceEvent&) { return true; };

/// Objects and bytes of each type of the program's own, and how many roots of each kind there are.
std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> ownTypes(const NodeGraph& graph) {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> types;
  for (std::uint32_t node = 0; node < graph.nodeCount(); ++node) {
    const NodeType& type = graph.types[graph.typeOf[node]];
    if (!type.module.ends_with("/growth.dll")) continue;
    auto& [objects, bytes] = types[type.name];
    ++objects;
    bytes += graph.sizeOf[node];
  }
  return types;
}

TEST(HeapEvents, MakeTheGraphThatDotnetGcdumpMakes) {
  HeapEvents events = eventsOf(kAll);
  EXPECT_TRUE(events.isAtEnd());
  auto graph = events.finish();
  ASSERT_TRUE(graph) << graph.error().what;
  // Another run of the same program: its own objects are the same.
  const NodeGraph other = readFile(gcDumpFile("growth-10.gcdump")).graph;
  EXPECT_EQ(ownTypes(*graph), ownTypes(other));
  EXPECT_EQ(ownTypes(*graph).at("Growth.Session[] (Bytes > 100K)").first, 1u);
  for (const char* group : {"[.NET Roots]", "[static vars]", "[local vars]", "[other roots]", "[finalizer Handles]",
                            "[strong Handles]", "[pinning Handles]", "[COM/WinRT Objects]",
                            "[static var System.Collections.Generic.List<Growth.Session>.sessions]"}) {
    EXPECT_EQ(std::ranges::count(graph->types, std::string(group), &NodeType::name), 1) << group;
    EXPECT_EQ(std::ranges::count(other.types, std::string(group), &NodeType::name), 1) << group;
  }
  EXPECT_EQ(graph->types[graph->typeOf[graph->root]].name, "[.NET Roots]");
  const std::vector<std::string> nodes = nodesOf(*graph);
  GcDump dump{std::move(*graph), {}};
  EXPECT_EQ(nodesOf(readFile(writtenFile(dump)).graph), nodes);
}

enum : std::uint32_t { kStartEvent = 1, kEndEvent = 2, kRootEvent = 16, kObjectEvent = 18, kReferenceEvent = 19 };

// A runtime drops events that nobody takes in time.
TEST(HeapEvents, AreNotTakenForWholeIfSomeAreMissing) {
  for (const std::uint32_t id : {kRootEvent, kObjectEvent, kReferenceEvent}) {
    bool isFirst = true;
    HeapEvents events =
        eventsOf([&](const NativeTraceEvent& event) { return event.id != id || !std::exchange(isFirst, false); });
    const auto graph = events.finish();
    ASSERT_FALSE(graph) << id;
    EXPECT_EQ(graph.error().code, ErrorCode::Damaged);
    EXPECT_TRUE(graph.error().what.starts_with("The runtime has told of its heap in part only")) << graph.error().what;
  }
}

// The numbers of a thread's events tell, too.
TEST(HeapEvents, AreCountedWhereTheyAreMissing) {
  const FileBytes whole = recordedStream();
  NettraceReader reader(NettraceReader::TellNative([](const NativeTraceEvent&) {}));
  ASSERT_TRUE(reader.take(whole));
  EXPECT_EQ(reader.droppedEvents(), 0u);

  FileBytes events = NettraceBuilder::blockHeader();
  const auto addEvent = [&](std::uint8_t step, std::uint8_t thread) {
    // Description, number, thread, processor, time and size.
    for (const std::uint8_t one :
         {std::uint8_t{0x83}, std::uint8_t{1}, step, thread, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{0}})
      NettraceBuilder::append(events, one);
  };
  addEvent(1, 1);  // its second, as each counts one more than told
  addEvent(0, 1);
  addEvent(2, 1);  // behind two that are missing
  FileBytes point;
  NettraceBuilder::append(point, std::uint64_t{0});
  NettraceBuilder::append(point, std::uint32_t{2});
  for (const auto& [thread, last] : {std::pair(1, 7), std::pair(2, 4)}) {
    NettraceBuilder::append(point, std::uint64_t(thread));
    NettraceBuilder::append(point, std::uint32_t(last));
  }
  NettraceReader gaps(NettraceReader::TellNative([](const NativeTraceEvent&) {}));
  ASSERT_TRUE(gaps.take(NettraceBuilder().block("EventBlock", events).block("SPBlock", point).end().bytes()));
  EXPECT_EQ(gaps.droppedEvents(), 1u + 2u + 1u + 4u);
}

TEST(HeapEvents, HaveABeginningAndAnEnd) {
  HeapEvents unstarted = eventsOf([](const NativeTraceEvent& event) { return event.id != kStartEvent; });
  EXPECT_EQ(unstarted.finish().error().code, ErrorCode::NotFound);
  HeapEvents unended = eventsOf([](const NativeTraceEvent& event) { return event.id != kEndEvent; });
  EXPECT_FALSE(unended.isAtEnd());
  EXPECT_EQ(unended.finish().error().code, ErrorCode::Damaged);
}

TEST(HeapEvents, AreCheckedForBytesThatAreMissing) {
  for (const std::uint32_t id : {kRootEvent, kObjectEvent, kReferenceEvent}) {
    HeapEvents events;
    NettraceReader reader(NettraceReader::TellNative([&](NativeTraceEvent event) {
      if (event.id == id) event.payload = event.payload.first(event.payload.size() - 1);
      events.take(event);
    }));
    EXPECT_TRUE(reader.take(recordedStream()));
    EXPECT_EQ(events.finish().error().code, ErrorCode::Damaged) << id;
  }
}

}  // namespace
}  // namespace heapscape::test
