// SPDX-License-Identifier: MIT
#include "gcdump_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <stdexcept>

#include "gcdump/gcdump_reader.h"
#include "gcdump/gcdump_writer.h"
#include "support/zstandard.h"

namespace heapscape::test {

using namespace engine;

namespace {

std::string unpackedText(const std::string& name) {
  return unpackedFile(std::string(HEAPSCAPE_TEST_DATA) + "/gcdump/" + name + ".zst");
}

}  // namespace

FileBytes gcDumpFile(const std::string& name) {
  return bytesOfText(unpackedText(name));
}

std::vector<std::string> expectedNodes(const std::string& name) {
  std::istringstream text(unpackedText(name + ".nodes.tsv"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

GcDump readFile(Bytes file) {
  StageProgress progress(nullptr, "", 0, 1);
  auto dump = readGcDump(file, progress, {});
  if (!dump) throw std::runtime_error(dump.error().error().what);
  return std::move(*dump);
}

FileBytes writtenFile(const GcDump& dump) {
  FileBytes bytes;
  const auto written = writeGcDump(dump, [&bytes](Bytes piece) -> Result<void> {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return {};
  });
  if (!written) throw std::runtime_error(written.error().what);
  return bytes;
}

std::vector<std::string> nodesOf(const NodeGraph& graph) {
  std::vector<std::string> lines;
  for (std::uint32_t node = 0; node < graph.nodeCount(); ++node) {
    const NodeType& type = graph.types[graph.typeOf[node]];
    lines.push_back(fmt::format("{}\t{}\t{}\t{:x}\t{}", type.name, type.module, graph.sizeOf[node],
                                graph.addressOf[node], fmt::join(graph.childrenOf(node), " ")));
  }
  return lines;
}

NodeGraph graphOfNodes(std::vector<NodeType> types, const std::vector<WrittenNode>& nodes) {
  NodeGraph graph;
  graph.types = std::move(types);
  graph.typeOf = LargeArray<std::uint32_t>(nodes.size());
  graph.sizeOf = LargeArray<std::uint32_t>(nodes.size());
  graph.addressOf = LargeArray<std::uint64_t>(nodes.size());
  graph.firstChild = LargeArray<std::uint32_t>(nodes.size() + 1);
  std::vector<std::uint32_t> children;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    graph.typeOf[i] = nodes[i].type;
    graph.sizeOf[i] = nodes[i].size;
    graph.addressOf[i] = nodes[i].address;
    graph.firstChild[i] = static_cast<std::uint32_t>(children.size());
    children.insert(children.end(), nodes[i].children.begin(), nodes[i].children.end());
  }
  graph.firstChild[nodes.size()] = static_cast<std::uint32_t>(children.size());
  graph.children = LargeArray<std::uint32_t>(children.size());
  std::ranges::copy(children, graph.children.data());
  return graph;
}

}  // namespace heapscape::test
