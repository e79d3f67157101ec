// SPDX-License-Identifier: MIT
#include "session/snapshot/snapshot.h"

#include <algorithm>

#include "session/snapshot/contents.h"

namespace heapscape::engine {

Stage Snapshot::stage() const {
  return m_contents->stage;
}
bool Snapshot::hasFields() const {
  return !isRecorded() && (!m_contents->readers || m_contents->readers->fields.areTold());
}

bool Snapshot::hasAssemblies() const {
  return !isRecorded() && (!m_contents->readers || m_contents->readers->modules.areAssemblies());
}

bool Snapshot::isRecorded() const {
  return m_contents->recorded != nullptr;
}
const Summary& Snapshot::summary() const {
  return m_contents->summary;
}
const std::string& Snapshot::nameInArchive() const {
  return m_contents->file->nameInArchive();
}

std::size_t Snapshot::coresInArchive() const {
  return m_contents->file->coresInArchive();
}

const std::vector<Finding>& Snapshot::findings() const {
  return m_contents->findings.items();
}
std::size_t Snapshot::findingsLeftOut() const {
  return m_contents->findings.leftOut();
}

bool Snapshot::isComplete() const {
  return std::all_of(findings().begin(), findings().end(),
                     [](const Finding& finding) { return finding.kind == FindingKind::ContractNotVerified; });
}

const std::vector<StageTiming>& Snapshot::timings() const {
  return m_contents->timings;
}
const std::vector<Segment>& Snapshot::segments() const {
  return *m_contents->segments;
}
const std::vector<ModuleRow>& Snapshot::modules() const {
  return *m_contents->modules;
}

const std::vector<SegmentContents>& Snapshot::segmentContents() const {
  static const std::vector<SegmentContents> kNone;
  return m_contents->heap ? m_contents->heap->segments : kNone;
}

const std::vector<GenerationRow>& Snapshot::generations() const {
  static const std::vector<GenerationRow> kNone;
  return m_contents->heap ? m_contents->heap->generations : kNone;
}

const std::vector<TypeRow>& Snapshot::types() const {
  return *m_contents->types;
}

TypeId Snapshot::typeOf(Address methodTable) const {
  const TypeIndex::Slot* slot = m_contents->heap ? m_contents->heap->types.find(methodTable.value) : nullptr;
  return slot ? TypeId{slot->type} : TypeId{};
}

const std::string& Snapshot::typeName(TypeId type) const {
  static const std::string none;
  return type.isNone() ? none : types()[type.value].name;
}

const TypeCounts& Snapshot::typeCounts() const {
  static const TypeCounts kNone;
  return m_contents->heap ? m_contents->heap->counts : kNone;
}

ObjectTotals Snapshot::totals() const {
  ObjectTotals totals;
  for (const GenerationRow& row : generations()) totals += row.totals;
  return totals;
}

double Snapshot::coverage() const {
  std::uint64_t whole = 0;
  for (const Segment& segment : segments()) whole += segment.objects.sizeBytes();
  std::uint64_t unread = 0;
  for (const SegmentContents& contents : segmentContents()) unread += contents.unreadBytes;
  return coverageOf(whole, unread);
}

std::uint64_t Snapshot::indexBytes() const {
  return m_contents->heap ? m_contents->heap->index.memoryBytes() : 0;
}

const std::vector<std::uint64_t>& Snapshot::typePaddingBytes() const {
  return *m_contents->typePaddingBytes;
}

std::uint64_t Snapshot::referenceCount() const {
  return m_contents->graph ? m_contents->graph->edgeCount() : 0;
}

RetainedTotals Snapshot::retainedTotals() const {
  return m_contents->retention ? m_contents->retention->totals : RetainedTotals{};
}

const std::vector<RetainedTotals>& Snapshot::generationReach() const {
  static const std::vector<RetainedTotals> kNone;
  return m_contents->retention ? m_contents->retention->generations : kNone;
}

const std::vector<RetainedTotals>& Snapshot::segmentReach() const {
  static const std::vector<RetainedTotals> kNone;
  return m_contents->retention ? m_contents->retention->segments : kNone;
}

std::optional<RetainedTotals> Snapshot::typeReach(TypeId type) const {
  if (typeRetained().empty() || types()[type.value].isFree) return std::nullopt;
  const RetainedOfType& reached = typeRetained()[type.value];
  RetainedTotals totals{reached.instances, reached.bytes, typeCounts().count[type.value] - reached.instances,
                        typeCounts().bytes[type.value] - reached.bytes};
  const auto& frozen = m_contents->retention->unreachableFrozen;
  if (const auto found = frozen.find(type.value); found != frozen.end()) {
    totals.frozenObjects = found->second.objects;
    totals.frozenBytes = found->second.bytes;
  }
  return totals;
}

const RootList& Snapshot::roots() const {
  static const RootList kNone;
  return m_contents->retention ? m_contents->retention->roots : kNone;
}

const RootOptions& Snapshot::rootOptions() const {
  static const RootOptions kDefault;
  return m_contents->retention ? m_contents->retention->options : kDefault;
}

const std::vector<RetainedOfType>& Snapshot::typeRetained() const {
  static const std::vector<RetainedOfType> kNone;
  return m_contents->retention ? m_contents->retention->types : kNone;
}

}  // namespace heapscape::engine
