// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "fuzz_target.h"
#include "gcdump/gcdump_reader.h"
#include "gcdump/gcdump_writer.h"

using namespace heapscape;

namespace {

void require(bool isTrue) {
  if (!isTrue) std::abort();
}

engine::Outcome<engine::GcDump> readDump(engine::Bytes bytes) {
  engine::StageProgress progress(nullptr, "", 0, 1);
  return engine::readGcDump(bytes, progress, {});
}

test::FileBytes written(const engine::GcDump& dump) {
  test::FileBytes bytes;
  const auto done = engine::writeGcDump(dump, [&bytes](engine::Bytes piece) -> engine::Result<void> {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return {};
  });
  require(done.has_value());
  return bytes;
}

bool areSame(const engine::NodeGraph& one, const engine::NodeGraph& other) {
  const auto areEqual = [](const auto& left, const auto& right) {
    return std::ranges::equal(left.elements(), right.elements());
  };
  return one.root == other.root && areEqual(one.typeOf, other.typeOf) && areEqual(one.sizeOf, other.sizeOf) &&
         areEqual(one.addressOf, other.addressOf) && areEqual(one.firstChild, other.firstChild) &&
         areEqual(one.children, other.children);
}

}  // namespace

// The input is a .gcdump file. What can be read can be written, and is the same then.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto dump = readDump(fuzz::bytesOf(data, size));
  if (!dump) return 0;
  const engine::NodeGraph& graph = dump->graph;
  require(graph.root < graph.nodeCount());
  for (std::uint32_t node = 0; node < graph.nodeCount(); ++node) {
    require(graph.typeOf[node] < graph.types.size());
    for (const std::uint32_t child : graph.childrenOf(node)) require(child < graph.nodeCount());
  }
  const auto again = readDump(written(*dump));
  require(again && areSame(graph, again->graph));
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  engine::GcDump dump;
  engine::NodeGraph& graph = dump.graph;
  constexpr std::uint32_t kNodes = 20;
  graph.types = {{"[.NET Roots]", ""}, {"System.String", "/app/System.Private.CoreLib.dll"}};
  graph.typeOf = engine::LargeArray<std::uint32_t>(kNodes);
  graph.sizeOf = engine::LargeArray<std::uint32_t>(kNodes);
  graph.addressOf = engine::LargeArray<std::uint64_t>(kNodes);
  graph.firstChild = engine::LargeArray<std::uint32_t>(kNodes + 1);
  graph.children = engine::LargeArray<std::uint32_t>(2 * (kNodes - 1));
  for (std::uint32_t node = 1; node < kNodes; ++node) {
    graph.typeOf[node] = 1;
    graph.sizeOf[node] = 24 + node * 1000;
    graph.addressOf[node] = 0x7000'0000'0000 + node * 0x1000;
    graph.children[2 * node - 2] = node / 2;
    graph.children[2 * node - 1] = kNodes - 1;
    graph.firstChild[node + 1] = 2 * node;
  }
  dump.facts.tool = "fuzz";
  return {written(dump)};
}

}  // namespace heapscape::fuzz
