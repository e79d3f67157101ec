// SPDX-License-Identifier: MIT
#include "base/finding.h"

#include "base/limits.h"

namespace heapscape::engine {

const char* toString(FindingKind kind) {
  switch (kind) {
    case FindingKind::DumpTruncated:
      return "dumpTruncated";
    case FindingKind::FileChanged:
      return "fileChanged";
    case FindingKind::NamesCut:
      return "namesCut";
    case FindingKind::MemoryMissing:
      return "memoryMissing";
    case FindingKind::HeapDamaged:
      return "heapDamaged";
    case FindingKind::GcInProgress:
      return "gcInProgress";
    case FindingKind::ContractNotVerified:
      return "contractNotVerified";
    case FindingKind::MetadataMissing:
      return "metadataMissing";
    case FindingKind::RuntimeDataDamaged:
      return "runtimeDataDamaged";
    case FindingKind::LayoutMismatch:
      return "layoutMismatch";
    case FindingKind::LayoutDiffers:
      return "layoutDiffers";
    case FindingKind::ReferenceDamaged:
      return "referenceDamaged";
    case FindingKind::SyncBlockMismatch:
      return "syncBlockMismatch";
  }
  return "unknown";
}

void FindingList::add(FindingKind kind, Address address, std::string message) {
  if (m_items.size() < kLimits.findings) {
    m_items.push_back({kind, address, std::move(message)});
  } else {
    ++m_leftOut;
  }
}

void FindingList::append(const FindingList& other) {
  for (const Finding& finding : other.m_items) add(finding.kind, finding.address, finding.message);
  m_leftOut += other.m_leftOut;
}

}  // namespace heapscape::engine
