// SPDX-License-Identifier: MIT
#include "session/objects/byte_runs.h"

#include <algorithm>

namespace heapscape::engine {

const char* toString(ByteOwner owner) {
  switch (owner) {
    case ByteOwner::Alignment:
      return "alignment";
    case ByteOwner::Header:
      return "header";
    case ByteOwner::MethodTable:
      return "methodTable";
    case ByteOwner::Length:
      return "length";
    case ByteOwner::Bounds:
      return "bounds";
    case ByteOwner::Field:
      return "field";
    case ByteOwner::Element:
      return "element";
    case ByteOwner::Terminator:
      return "terminator";
    case ByteOwner::Padding:
      return "padding";
    case ByteOwner::Missing:
      return "missing";
  }
  return "unknown";
}

void ByteRuns::add(ByteOwner owner, std::int64_t offset, std::uint64_t sizeBytes, std::string name,
                   std::string typeName) {
  const std::int64_t start = std::max(offset, m_next);
  const std::int64_t end = std::min(offset + static_cast<std::int64_t>(sizeBytes), m_end);
  if (start >= end) return;
  if (start > m_next)
    m_runs.push_back({ByteOwner::Padding, m_next, static_cast<std::uint32_t>(start - m_next), "padding", {}});
  m_runs.push_back({owner, start, static_cast<std::uint32_t>(end - start), std::move(name), std::move(typeName)});
  m_next = end;
}

std::vector<ByteRun> ByteRuns::finish() {
  if (m_next < m_end) add(ByteOwner::Padding, m_next, static_cast<std::uint64_t>(m_end - m_next), "padding");
  return std::move(m_runs);
}

std::vector<ByteRun> withMissing(std::vector<ByteRun> runs, Address object, const std::vector<AddressRange>& present) {
  std::vector<ByteRun> split;
  auto range = present.begin();
  for (ByteRun& run : runs) {
    Address at = object + static_cast<std::uint64_t>(run.offset);
    const Address end = at + run.sizeBytes;
    while (at < end) {
      while (range != present.end() && range->end <= at) ++range;
      const bool isThere = range != present.end() && range->contains(at);
      Address until = end;
      if (isThere) until = std::min(end, range->end);
      if (!isThere && range != present.end()) until = std::min(end, range->start);
      ByteRun part = run;
      part.offset = static_cast<std::int64_t>(at - object);
      part.sizeBytes = static_cast<std::uint32_t>(until - at);
      if (!isThere) part.owner = ByteOwner::Missing;
      split.push_back(std::move(part));
      at = until;
    }
  }
  return split;
}

}  // namespace heapscape::engine
