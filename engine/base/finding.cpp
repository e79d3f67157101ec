// SPDX-License-Identifier: MIT
#include "base/finding.h"

#include "base/limits.h"

namespace heapscape::engine {

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
