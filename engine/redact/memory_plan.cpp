// SPDX-License-Identifier: MIT
#include "redact/memory_plan.h"

#include <algorithm>

namespace heapscape::engine {

const char* meaningOf(KeptKind kind) {
  switch (kind) {
    case KeptKind::Objects:
      return "objects: types, lengths, references, and fields of the runtime's own that hold addresses or states";
    case KeptKind::GcTables:
      return "the GC's own structures: segments, regions and their tables";
    case KeptKind::HandleTables:
      return "handle tables";
    case KeptKind::LoaderHeaps:
      return "method tables, classes, methods and what else the loader makes";
    case KeptKind::CodeMaps:
      return "where methods have their code, and how frames unwind; no instructions";
    case KeptKind::RuntimeData:
      return "the runtime's variables";
    case KeptKind::NativeStructures:
      return "structures that the runtime's variables lead to: addresses, and numbers that are no text";
    case KeptKind::Stacks:
      return "addresses on stacks: return addresses, frames, roots";
    case KeptKind::Metadata:
      return "names and signatures of types, fields and methods";
    case KeptKind::Libraries:
      return "headers, symbols and unwind tables of libraries";
    case KeptKind::Kernel:
      return "code that the kernel maps into each process";
  }
  return "";
}

void MemoryPlan::keep(AddressRange range, KeepRule rule, KeptKind kind) {
  auto next = m_byAddress.upper_bound(range.start);
  if (next != m_byAddress.begin()) range.start = std::max(range.start, std::prev(next)->second.range.end);
  while (!range.isEmpty()) {
    const Address end = next == m_byAddress.end() ? range.end : std::min(range.end, next->first);
    if (range.start < end) m_byAddress.emplace_hint(next, range.start, KeptRange{{range.start, end}, rule, kind});
    if (next == m_byAddress.end()) return;
    range.start = std::max(range.start, next->second.range.end);
    ++next;
  }
}

void MemoryPlan::blank(AddressRange range) {
  if (!range.isEmpty()) m_blanks.push_back(range);
}

void MemoryPlan::replace(Address address, std::vector<std::byte> bytes) {
  if (!bytes.empty()) m_replaced.push_back({address, std::move(bytes)});
}

void MemoryPlan::finish() {
  m_kept.clear();
  for (const auto& [address, kept] : m_byAddress) {
    KeptRange* last = m_kept.empty() ? nullptr : &m_kept.back();
    if (last && last->range.end == address && last->rule == kept.rule && last->kind == kept.kind)
      last->range.end = kept.range.end;
    else
      m_kept.push_back(kept);
  }
  std::ranges::sort(m_blanks, {}, [](const AddressRange& range) { return range.start; });
  std::vector<AddressRange> joined;
  for (const AddressRange& range : m_blanks) {
    if (!joined.empty() && range.start <= joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  }
  m_blanks = std::move(joined);
  std::ranges::stable_sort(m_replaced, {}, &ReplacedBytes::address);
}

namespace {

/// Those of a list by address, no two of which overlap, that overlap `range`.
template <class T, class RangeOf>
std::span<const T> overlapping(const std::vector<T>& all, AddressRange range, const RangeOf& rangeOf) {
  const auto first = std::ranges::partition_point(all, [&](const T& one) { return rangeOf(one).end <= range.start; });
  const auto last =
      std::ranges::partition_point(first, all.end(), [&](const T& one) { return rangeOf(one).start < range.end; });
  return {first, last};
}

}  // namespace

std::span<const KeptRange> MemoryPlan::keptIn(AddressRange range) const {
  return overlapping(m_kept, range, [](const KeptRange& kept) { return kept.range; });
}

std::span<const AddressRange> MemoryPlan::blanksIn(AddressRange range) const {
  return overlapping(m_blanks, range, [](const AddressRange& blank) { return blank; });
}

std::span<const ReplacedBytes> MemoryPlan::replacedIn(AddressRange range) const {
  return overlapping(m_replaced, range, [](const ReplacedBytes& one) {
    return AddressRange{one.address, one.address + one.bytes.size()};
  });
}

}  // namespace heapscape::engine
