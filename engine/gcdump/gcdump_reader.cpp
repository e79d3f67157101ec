// SPDX-License-Identifier: MIT
#include "gcdump/gcdump_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "gcdump/serialized_stream.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kVersionWithFacts = 5;     // of GCHeapDump: when, where and of which process
constexpr std::uint32_t kVersionWithSampling = 9;  // and those before it in another order
constexpr std::uint32_t kOldestVersion = 4;
constexpr std::uint32_t kGraphWithUnnamedTypes = 1;  // oldest reader of a graph with types that PDBs name

// The shortest that a type and a node can be: bounds how many there are by the bytes that are left.
constexpr std::uint64_t kLeastTypeBytes = 12;
constexpr std::uint64_t kLeastNodeBytes = 4;

tl::unexpected<Unfinished> damaged(std::string what) {
  return tl::unexpected(Unfinished(Error{ErrorCode::Damaged, "This .gcdump file is damaged or cut: " + std::move(what),
                                         "Copy it again, or collect a new one."}));
}

/// A node as the file has it: numbers of 7 bits each, the highest first, with a sign (Node.ReadCompressedInt).
class NodeBytes {
 public:
  NodeBytes(Bytes blob, std::uint64_t position) : m_blob(blob), m_position(position) {}

  std::int32_t number() {
    std::uint32_t byte = next();
    std::uint32_t value = byte & 0x7fu;
    if (value & 0x40u) value |= ~0x7fu;
    for (int more = 0; byte & 0x80u && more < 4; ++more) {
      byte = next();
      value = (value << 7) + (byte & 0x7fu);
    }
    m_failed = m_failed || byte & 0x80u;
    return static_cast<std::int32_t>(value);
  }
  bool failed() const { return m_failed; }
  std::uint64_t left() const { return m_blob.size() - std::min<std::uint64_t>(m_position, m_blob.size()); }

 private:
  std::uint32_t next() {
    if (m_position >= m_blob.size()) {
      m_failed = true;
      return 0;
    }
    return std::to_integer<std::uint32_t>(m_blob[m_position++]);
  }

  Bytes m_blob;
  std::uint64_t m_position;
  bool m_failed = false;
};

class GcDumpFileReader {
 public:
  GcDumpFileReader(Bytes file, StageProgress& progress, const std::stop_token& stop)
      : m_stream(file), m_progress(progress), m_stop(stop) {}

  Outcome<GcDump> read() {
    const SerializedStream::Type* type = m_stream.readSignature() ? m_stream.beginObject() : nullptr;
    if (m_stream.failed()) return damaged("it ends in its first object.");
    if (!type || type->name != "GCHeapDump") return notAGcDump(type ? type->name : "nothing");
    const std::uint32_t version = type->version;
    if (version < kOldestVersion || (version >= 8 && version < kVersionWithSampling)) {
      return tl::unexpected(Unfinished(Error{
          ErrorCode::Damaged, fmt::format("This .gcdump file is of version {}, which is not supported.", version)}));
    }
    HEAPSCAPE_CHECK(readGraph());
    version >= kVersionWithSampling ? readFacts() : readOldFacts(version);
    if (m_stream.failed()) return damaged("it ends behind its objects.");
    return std::move(m_dump);
  }

 private:
  static tl::unexpected<Unfinished> notAGcDump(const std::string& type) {
    return tl::unexpected(Unfinished(
        Error{ErrorCode::NotACoreDump, fmt::format("This file holds {}, and no heap as .gcdump files do.", type)}));
  }

  Outcome<void> readGraph() {
    const SerializedStream::Type* type = m_stream.beginObject();
    if (m_stream.failed() || !type) return damaged("it has no graph.");
    if (type->name != "Graphs.MemoryGraph") return notAGcDump(type->name);
    const bool hasUnnamedTypes = type->oldestReader >= kGraphWithUnnamedTypes;
    m_stream.read<std::uint64_t>();  // bytes of all nodes
    m_dump.graph.root = m_stream.read<std::uint32_t>();
    HEAPSCAPE_CHECK(readTypes());
    HEAPSCAPE_CHECK(readNodes());
    if (hasUnnamedTypes) HEAPSCAPE_CHECK(checkUnnamedTypes());
    HEAPSCAPE_CHECK(readAddresses());
    m_dump.graph.is64Bit = m_stream.takeTag(StreamTag::Byte) && m_stream.read<std::uint8_t>() != 0;
    m_stream.endObject();
    if (m_stream.failed()) return damaged("its graph does not end where it has to.");
    return {};
  }

  Outcome<void> readTypes() {
    const auto count = m_stream.read<std::uint32_t>();
    if (m_stream.failed() || count > m_stream.left() / kLeastTypeBytes) return damaged("it ends within its types.");
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      NodeType& type = m_dump.graph.types.emplace_back();
      type.name = m_stream.readString();
      m_sizes.push_back(m_stream.read<std::uint32_t>());
      type.module = m_stream.readString();
    }
    if (m_stream.failed()) return damaged("it ends within its types.");
    return {};
  }

  /// Where each node stands in the bytes of all, and then these.
  Outcome<void> readNodes() {
    const auto count = m_stream.read<std::uint32_t>();
    if (m_stream.failed() || count > m_stream.left() / kLeastNodeBytes) return damaged("it ends within its nodes.");
    const Bytes places = m_stream.readBytes(std::uint64_t{count} * kLeastNodeBytes);
    const auto size = m_stream.read<std::uint32_t>();
    const Bytes blob = m_stream.readBytes(size);
    if (m_stream.failed()) return damaged("it ends within its nodes.");
    NodeGraph& graph = m_dump.graph;
    if (graph.root >= count) return damaged("it has no root.");
    graph.typeOf = LargeArray<std::uint32_t>(count);
    graph.sizeOf = LargeArray<std::uint32_t>(count);
    graph.firstChild = LargeArray<std::uint32_t>(std::size_t{count} + 1);
    // Each child takes a byte or more.
    std::uint64_t children = 0;
    HEAPSCAPE_CHECK(forEachNode(blob, places, [&](std::uint32_t node, NodeBytes&, std::uint32_t childCount) {
      graph.firstChild[node] = static_cast<std::uint32_t>(children);
      children += childCount;
      return children < UINT32_MAX;
    }));
    graph.firstChild[count] = static_cast<std::uint32_t>(children);
    graph.children = LargeArray<std::uint32_t>(children);
    std::uint32_t filled = 0;
    return forEachNode(blob, places, [&](std::uint32_t node, NodeBytes& bytes, std::uint32_t childCount) {
      for (std::uint32_t i = 0; i < childCount; ++i) {
        const std::int64_t child = std::int64_t{node} + bytes.number();  // numbers count from the node's own
        if (bytes.failed() || child < 0 || child >= count) return false;
        graph.children[filled++] = static_cast<std::uint32_t>(child);
      }
      return true;
    });
  }

  template <class Visit>
  Outcome<void> forEachNode(Bytes blob, Bytes places, const Visit& visit) {
    NodeGraph& graph = m_dump.graph;
    const std::uint32_t count = graph.nodeCount();
    for (std::uint32_t node = 0; node < count; ++node) {
      if (node % kStopInterval == 0) {
        if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
        m_progress.report(static_cast<double>(m_passed + node) / (2.0 * count));
      }
      std::uint32_t place = 0;
      tryReadAt(places, std::uint64_t{node} * sizeof place, place);
      NodeBytes bytes(blob, place);
      const auto typeAndSize = static_cast<std::uint32_t>(bytes.number());
      const std::uint32_t type = typeAndSize >> 1;
      if (type >= graph.types.size()) return damagedNode(node);
      const bool hasSize = typeAndSize & 1u;
      const auto size = hasSize ? static_cast<std::uint32_t>(bytes.number()) : m_sizes[type];
      const std::int32_t children = bytes.number();
      if (bytes.failed() || children < 0 || static_cast<std::uint64_t>(children) > bytes.left())
        return damagedNode(node);
      graph.typeOf[node] = type;
      // A type that no node has set the size of has the size -1.
      graph.sizeOf[node] = size > NodeGraph::kMostBytes ? 0 : size;
      if (!visit(node, bytes, static_cast<std::uint32_t>(children))) return damagedNode(node);
    }
    m_passed += count;
    return {};
  }

  static tl::unexpected<Unfinished> damagedNode(std::uint32_t node) {
    return damaged(fmt::format("its node {} contradicts itself.", node));
  }

  Outcome<void> checkUnnamedTypes() {
    m_stream.read<std::uint32_t>();  // forward reference to the end
    if (m_stream.read<std::uint32_t>() > 0) {
      return tl::unexpected(Unfinished(Error{
          ErrorCode::UnsupportedRuntime,
          "This .gcdump file is of a program of .NET Native, whose types only its PDBs name. It is not supported."}));
    }
    m_stream.endObject();
    return {};
  }

  Outcome<void> readAddresses() {
    NodeGraph& graph = m_dump.graph;
    const auto count = m_stream.read<std::uint32_t>();
    const Bytes addresses = m_stream.readBytes(std::uint64_t{graph.nodeCount()} * sizeof(std::uint64_t));
    if (m_stream.failed() || count != graph.nodeCount()) return damaged("it ends within its addresses.");
    graph.addressOf = LargeArray<std::uint64_t>(count);
    if (count > 0) std::memcpy(graph.addressOf.data(), addresses.data(), addresses.size());
    return {};
  }

  void readFacts() {
    GcDumpFacts& facts = m_dump.facts;
    m_stream.read<std::uint8_t>();  // whether 64 bit, again
    facts.countMultiplier = multiplier(m_stream.read<float>());
    facts.sizeMultiplier = multiplier(m_stream.read<float>());
    if (!skipObject("JSHeapInfo", 0) || !skipHeapInfo()) return m_stream.fail();
    readProcess();
    const auto multipliers = m_stream.read<std::uint32_t>();
    m_stream.readBytes(std::uint64_t{multipliers} * sizeof(float));
    // What came later is there or not.
    if (m_stream.failed()) return;
    if (m_stream.takeTag(StreamTag::SkipRegion)) {
      m_stream.read<std::uint32_t>();
      if (m_stream.beginObject()) return;  // COM objects; behind them stands only the tool
    }
    if (m_stream.takeTag(StreamTag::String)) facts.tool = m_stream.readString();
  }

  static double multiplier(float value) { return std::isfinite(value) && value > 0 ? static_cast<double>(value) : 1; }

  /// False for an object of another type.
  bool skipObject(std::string_view name, std::uint64_t bytes) {
    const SerializedStream::Type* type = m_stream.beginObject();
    if (!type) return !m_stream.failed();
    if (type->name != name) return false;
    m_stream.readBytes(bytes);
    m_stream.endObject();
    return !m_stream.failed();
  }

  /// Segments of the heap, which dotnet-gcdump does not write.
  bool skipHeapInfo() {
    const SerializedStream::Type* type = m_stream.beginObject();
    if (!type) return !m_stream.failed();
    if (type->name != "DotNetHeapInfo") return false;
    m_stream.read<std::uint64_t>();  // bytes of all segments
    const auto segments = m_stream.read<std::uint32_t>();
    for (std::uint32_t i = 0; i < segments && !m_stream.failed(); ++i)
      if (!skipSegment()) return false;
    m_stream.endObject();
    return !m_stream.failed();
  }

  bool skipSegment() {
    const SerializedStream::Type* type = m_stream.beginObject();
    if (!type || type->name != "GCHeapDumpSegment") return !type && !m_stream.failed();
    const std::uint64_t numbers = type->version >= 1 ? 7 : 6;
    m_stream.readBytes(numbers * sizeof(std::uint64_t));
    m_stream.endObject();
    return !m_stream.failed();
  }

  void readProcess() {
    GcDumpFacts& facts = m_dump.facts;
    m_stream.readString();  // log of the collection
    facts.ticks = m_stream.read<std::uint64_t>();
    facts.machine = m_stream.readString();
    facts.process = m_stream.readString();
    facts.pid = m_stream.read<std::uint32_t>();
    m_stream.read<std::uint64_t>();  // committed bytes
    m_stream.read<std::uint64_t>();  // bytes in memory
  }

  void readOldFacts(std::uint32_t version) {
    m_stream.readBytes(3 * sizeof(std::uint64_t) + 1);  // bytes of segments and objects, number of these, whether all
    if (version >= kVersionWithFacts) readProcess();
  }

  SerializedStream m_stream;
  StageProgress& m_progress;
  const std::stop_token& m_stop;
  std::vector<std::uint32_t> m_sizes;  // of a node of each type that says no other
  std::uint64_t m_passed = 0;          // nodes of passes that are over
  GcDump m_dump;
};

}  // namespace

bool isGcDump(Bytes file) {
  return SerializedStream(file).readSignature();
}

Outcome<GcDump> readGcDump(Bytes file, StageProgress& progress, const std::stop_token& stop) {
  return GcDumpFileReader(file, progress, stop).read();
}

}  // namespace heapscape::engine
