// SPDX-License-Identifier: MIT
#include "output/references/dominators_json.h"

#include "output/references/dominators_text.h"
#include "session/references/retained_query.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
