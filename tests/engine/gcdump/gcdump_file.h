// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "gcdump/node_graph.h"
#include "support/builders/core_builder.h"

namespace heapscape::test {

/// A file of tests/data/gcdump, unpacked: "growth-10.gcdump".
FileBytes gcDumpFile(const std::string& name);
/// The nodes of such a file as dotnet-gcdump reads them, a line each, see nodesOf().
std::vector<std::string> expectedNodes(const std::string& name);

/// What readGcDump() makes of it; throws the message if it cannot be read.
engine::GcDump readFile(engine::Bytes file);
/// What writeGcDump() makes of it.
FileBytes writtenFile(const engine::GcDump& dump);

/// A line for each node: type, module, size, address and the nodes it refers to, with tabs between.
std::vector<std::string> nodesOf(const engine::NodeGraph& graph);

/// A graph by hand: nodes with the number of their type, size, address, and children. Node 0 is the root.
struct WrittenNode {
  std::uint32_t type = 0;
  std::uint32_t size = 0;
  std::uint64_t address = 0;
  std::vector<std::uint32_t> children = {};
};
engine::NodeGraph graphOfNodes(std::vector<engine::NodeType> types, const std::vector<WrittenNode>& nodes);

}  // namespace heapscape::test
