// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/large_array.h"

namespace heapscape::engine {

/// A type of the nodes of a graph, as who made the graph spells it.
struct NodeType {
  std::string name;    // "System.Byte[] (Bytes > 10K)", "[static vars]"
  std::string module;  // path or name of its assembly; empty if it has none
};

/// The graph of a .gcdump file: nodes by number, each with a type, a size, an address and the nodes it refers to.
/// Objects have their address in the process, all that stands for roots has address 0.
struct NodeGraph {
  /// Name of the type of a node that others refer to, and of which nothing is known.
  static constexpr const char* kUndefined = "UNDEFINED";
  /// The largest size that a node can have; larger ones are cut to it.
  static constexpr std::uint32_t kMostBytes = 0x7fffffff;

  std::vector<NodeType> types;
  LargeArray<std::uint32_t> typeOf;      // by node: index of the type
  LargeArray<std::uint32_t> sizeOf;      // by node: exact bytes
  LargeArray<std::uint64_t> addressOf;   // by node
  LargeArray<std::uint32_t> firstChild;  // by node, and one more: where its children begin
  LargeArray<std::uint32_t> children;    // nodes
  std::uint32_t root = 0;                // the node that leads to all roots
  bool is64Bit = true;

  std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(typeOf.size()); }
  std::span<const std::uint32_t> childrenOf(std::uint32_t node) const {
    return children.elements().subspan(firstChild[node], firstChild[node + 1] - firstChild[node]);
  }
};

/// What a .gcdump file says beside its graph.
struct GcDumpFacts {
  std::string process;      // name; empty if the file does not say
  std::string machine;      // name; empty if the file does not say
  std::string tool;         // that made the file: "dotnet-gcdump"; empty if the file does not say
  std::uint32_t pid = 0;    // 0 if the file does not say
  std::uint64_t ticks = 0;  // local time when it was made, in units of 100 ns from the year 1 on; 0 if it is not said
  double countMultiplier = 1;  // a sample: so many objects of the heap for each node, on average
  double sizeMultiplier = 1;   // the same for bytes
};

/// A .gcdump file as a whole.
struct GcDump {
  NodeGraph graph;
  GcDumpFacts facts;
};

}  // namespace heapscape::engine
