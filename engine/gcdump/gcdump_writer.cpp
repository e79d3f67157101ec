// SPDX-License-Identifier: MIT
#include "gcdump/gcdump_writer.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/unicode.h"
#include "gcdump/serialized_stream.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kBytesAtOnce = 1 << 20;  // that are handed on at once

/// Bytes in the form of a FastSerialization stream, handed on as they become many.
class StreamBytes {
 public:
  explicit StreamBytes(const std::function<Result<void>(Bytes)>& write) : m_write(write) {}

  template <class T>
  void number(T value) {
    const Bytes bytes = std::as_bytes(std::span(&value, 1));
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    if (m_bytes.size() >= kBytesAtOnce) flush();
  }
  void tag(StreamTag tag) { number(static_cast<std::uint8_t>(tag)); }
  void text(std::string_view utf8) {
    const std::u16string units = toUtf16(utf8).value_or(std::u16string(utf8.begin(), utf8.end()));
    number(static_cast<std::uint32_t>(units.size()));
    for (const char16_t unit : units) {
      if (unit >= 0x800) {
        number(static_cast<std::uint8_t>(0xe0u | unit >> 12));
        number(static_cast<std::uint8_t>(0x80u | (unit >> 6 & 0x3fu)));
      } else if (unit >= 0x80) {
        number(static_cast<std::uint8_t>(0xc0u | unit >> 6));
      }
      number(static_cast<std::uint8_t>(unit >= 0x80 ? 0x80u | (unit & 0x3fu) : unit));
    }
  }
  void textOrNone(std::string_view utf8) { utf8.empty() ? number(std::int32_t{-1}) : text(utf8); }
  /// An object of a type that the stream has not had yet.
  void beginObject(std::string_view type, std::uint32_t version, std::uint32_t oldestReader) {
    tag(StreamTag::BeginObject);
    tag(StreamTag::BeginObject);
    tag(StreamTag::NullReference);
    number(version);
    number(oldestReader);
    text(type);
    tag(StreamTag::EndObject);
  }
  void bytes(Bytes all) {
    flush();
    if (m_result) m_result = m_write(all);
    m_passed += all.size();
  }
  void flush() {
    if (m_result) m_result = m_write(m_bytes);
    m_passed += m_bytes.size();
    m_bytes.clear();
  }

  std::uint64_t position() const { return m_passed + m_bytes.size(); }
  const Result<void>& result() const { return m_result; }

 private:
  const std::function<Result<void>(Bytes)>& m_write;
  std::vector<std::byte> m_bytes;
  std::uint64_t m_passed = 0;  // bytes that were handed on
  Result<void> m_result;
};

// Seven bits a byte, the highest first, as few bytes as keep the sign (Node.WriteCompressedInt).
void appendNodeNumber(std::vector<std::byte>& bytes, std::int32_t value) {
  constexpr int kBits = 7;
  for (int groups = 4; groups > 0; --groups) {
    const int rest = value >> (kBits * groups - 1);
    if (rest == 0 || rest == -1) continue;  // what follows has the sign, too
    bytes.push_back(static_cast<std::byte>(value >> kBits * groups) | std::byte{0x80});
  }
  bytes.push_back(static_cast<std::byte>(value) & std::byte{0x7f});
}

/// The nodes as the file has them, and where each begins.
struct NodeBlob {
  std::vector<std::byte> bytes;
  std::vector<std::uint32_t> places;
  std::vector<std::int32_t> sizes;  // by type: of a node that says no other
};

Result<NodeBlob> blobOf(const NodeGraph& graph) {
  NodeBlob blob;
  blob.sizes.assign(graph.types.size(), -1);
  blob.places.reserve(graph.nodeCount());
  for (std::uint32_t node = 0; node < graph.nodeCount(); ++node) {
    if (blob.bytes.size() > NodeGraph::kMostBytes)
      return failure(ErrorCode::Damaged, "The heap has more objects than a .gcdump file can hold.");
    blob.places.push_back(static_cast<std::uint32_t>(blob.bytes.size()));
    const std::uint32_t type = graph.typeOf[node];
    const auto size = static_cast<std::int32_t>(graph.sizeOf[node]);
    if (blob.sizes[type] < 0) blob.sizes[type] = size;
    const bool hasSize = size != blob.sizes[type];
    appendNodeNumber(blob.bytes, static_cast<std::int32_t>(type << 1 | (hasSize ? 1u : 0u)));
    if (hasSize) appendNodeNumber(blob.bytes, size);
    const auto children = graph.childrenOf(node);
    appendNodeNumber(blob.bytes, static_cast<std::int32_t>(children.size()));
    for (const std::uint32_t child : children) appendNodeNumber(blob.bytes, static_cast<std::int32_t>(child - node));
  }
  return blob;
}

void writeNodeGraph(StreamBytes& out, const NodeGraph& graph, const NodeBlob& blob) {
  std::uint64_t sum = 0;
  for (const std::uint32_t size : graph.sizeOf.elements()) sum += size;
  out.beginObject("Graphs.MemoryGraph", 1, 0);
  out.number(sum);
  out.number(graph.root);
  out.number(static_cast<std::uint32_t>(graph.types.size()));
  for (std::size_t i = 0; i < graph.types.size(); ++i) {
    out.text(graph.types[i].name);
    out.number(blob.sizes[i]);
    out.textOrNone(graph.types[i].module);
  }
  out.number(graph.nodeCount());
  out.bytes(std::as_bytes(std::span(blob.places)));
  out.number(static_cast<std::uint32_t>(blob.bytes.size()));
  out.bytes(blob.bytes);
  out.number(graph.nodeCount());
  out.bytes(std::as_bytes(graph.addressOf.elements()));
  out.tag(StreamTag::Byte);
  out.number(static_cast<std::uint8_t>(graph.is64Bit ? 1 : 0));
  out.tag(StreamTag::EndObject);
}

}  // namespace

Result<void> writeGcDump(const GcDump& dump, const std::function<Result<void>(Bytes)>& write) {
  constexpr std::uint32_t kVersion = 10;
  constexpr std::uint32_t kOldestReader = 8;
  HEAPSCAPE_TRY(const NodeBlob blob, blobOf(dump.graph));
  const GcDumpFacts& facts = dump.facts;
  StreamBytes out(write);
  out.text(kStreamSignature);
  out.beginObject("GCHeapDump", kVersion, kOldestReader);
  writeNodeGraph(out, dump.graph, blob);
  out.number(static_cast<std::uint8_t>(dump.graph.is64Bit ? 1 : 0));
  out.number(static_cast<float>(facts.countMultiplier));
  out.number(static_cast<float>(facts.sizeMultiplier));
  out.tag(StreamTag::NullReference);  // nothing of JavaScript
  out.tag(StreamTag::NullReference);  // no segments
  out.textOrNone({});                 // no log
  out.number(facts.ticks);
  out.textOrNone(facts.machine);
  out.textOrNone(facts.process);
  out.number(facts.pid);
  out.number(std::uint64_t{0});  // committed bytes
  out.number(std::uint64_t{0});  // bytes in memory
  out.number(std::uint32_t{0});  // no multipliers by type
  out.tag(StreamTag::SkipRegion);
  out.number(std::uint32_t{0});       // the first forward reference
  out.tag(StreamTag::NullReference);  // no COM objects
  const auto regionEnd = static_cast<std::uint32_t>(out.position());
  out.tag(StreamTag::String);
  out.textOrNone(facts.tool);
  out.tag(StreamTag::EndObject);
  out.tag(StreamTag::EndObject);  // of all objects
  const auto references = static_cast<std::uint32_t>(out.position());
  out.number(std::uint32_t{1});
  out.number(regionEnd);
  const auto trailer = static_cast<std::uint32_t>(out.position());
  out.number(references);
  out.number(trailer);
  out.flush();
  return out.result();
}

}  // namespace heapscape::engine
