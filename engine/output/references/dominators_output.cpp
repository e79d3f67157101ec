// SPDX-License-Identifier: MIT
#include "output/references/dominators_output.h"

#include <fmt/format.h>

#include "output/text.h"
#include "session/objects/retained_query.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

constexpr std::uint32_t kDeepestDominator = 60;  // levels; deeper ones stand below each other

std::string shareOf(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "";
}

}  // namespace

DominatorJsonWriter::DominatorJsonWriter(JsonWriter& json, const Snapshot& snapshot, bool isRedacted)
    : m_json(json), m_snapshot(snapshot), m_isRedacted(isRedacted) {
  m_json.key("dominators");
  m_json.beginRows();
}

void DominatorJsonWriter::closeDownTo(std::size_t depth) {
  for (; m_open > depth; --m_open) {
    m_json.endArray();
    m_json.endObject();
  }
}

void DominatorJsonWriter::write(const DominatorOutlineRow& row) {
  const DominatorNode& node = row.node;
  closeDownTo(row.depth);
  m_json.beginObject();
  m_json.member("kind", toString(node.kind));
  m_json.member("name", dominatorName(node, m_isRedacted));
  m_json.member("object", node.object);
  m_json.member("type", m_snapshot.typeName(node.type));
  m_json.member("objects", node.objects);
  if (node.kind == DominatorKind::Root) m_json.member("roots", node.roots);
  m_json.member("bytes", node.bytes);
  m_json.member("retainedBytes", node.retainedBytes);
  m_json.member("retainedCount", node.retainedCount);
  if (node.kind == DominatorKind::Object) {
    const auto retained = retainedOf(m_snapshot, node.object);
    m_json.member("dominator", retained ? retained->dominator : Address{});
  }
  m_json.member("leaf", node.children == 0);
  if (row.childNodes) {
    m_json.member("childNodes", row.childNodes);
    m_json.member("hiddenBytes", row.hiddenBytes);
  }
  m_json.key("children");
  m_json.beginRows();
  m_open = row.depth + 1;
}

void DominatorJsonWriter::finish() {
  closeDownTo(0);
  m_json.endArray();
}

std::string dominatorName(const DominatorNode& node, bool isRedacted) {
  const bool isOfRoots = node.kind == DominatorKind::RootGroup || node.kind == DominatorKind::Root;
  const std::size_t first = node.name.find(" \"");
  const std::size_t last = node.name.rfind('"');
  if (!isRedacted || !isOfRoots || first == std::string::npos) return node.name;
  return node.name.substr(0, first) + node.name.substr(last + 1);
}

DominatorTextWriter::DominatorTextWriter(Output& output, bool isRedacted)
    : m_output(output),
      m_isRedacted(isRedacted),
      m_table({{"Retained", Align::Right},
               {"Share", Align::Right},
               {"Objects", Align::Right},
               {"Bytes", Align::Right},
               {"Name"}}) {}

void DominatorTextWriter::addRow(std::uint64_t retained, const std::string& objects, const std::string& size,
                                 std::uint32_t depth, const std::string& name) {
  m_table.addRow({readableBytes(retained), shareOf(retained, m_wholeBytes), objects, size,
                  std::string(2 * std::min(depth, kDeepestDominator), ' ') + name});
}

void DominatorTextWriter::closeDownTo(std::uint32_t depth) {
  for (; !m_hidden.empty() && m_hidden.back().depth >= depth; m_hidden.pop_back()) {
    const Hidden& hidden = m_hidden.back();
    if (hidden.nodes)
      addRow(hidden.bytes, "", "", hidden.depth + 1, fmt::format("… {} more", readableCount(hidden.nodes)));
  }
}

void DominatorTextWriter::write(const DominatorOutlineRow& row) {
  const DominatorNode& node = row.node;
  if (row.depth == 0) m_wholeBytes = node.retainedBytes;
  closeDownTo(row.depth);
  std::string name = dominatorName(node, m_isRedacted);
  if (name.empty()) name = "(unknown)";
  if (node.kind == DominatorKind::Object) name += " " + toString(node.object);
  if (node.kind == DominatorKind::Type && node.objects > 1) name = readableCount(node.objects) + " × " + name;
  if (node.kind == DominatorKind::Root && node.roots > 1) name = readableCount(node.roots) + " × " + name;
  if (node.kind == DominatorKind::Namespace) name += ".*";
  addRow(node.retainedBytes, readableCount(node.retainedCount), node.bytes ? readableBytes(node.bytes) : "", row.depth,
         name);
  m_hidden.push_back({row.depth, row.childNodes - row.shownNodes, row.hiddenBytes});
}

void DominatorTextWriter::finish() {
  closeDownTo(0);
  m_table.write(m_output);
}

}  // namespace heapscape::engine
