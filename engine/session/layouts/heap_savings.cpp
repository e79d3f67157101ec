// SPDX-License-Identifier: MIT
#include "session/layouts/heap_savings.h"

#include <algorithm>
#include <utility>

#include "base/progress.h"
#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

std::map<ClosedTypeId, DeclarationChange> byType(const HeapSavings::Changes& changes, const HeapSavings& savings) {
  std::map<ClosedTypeId, DeclarationChange> result;
  for (const auto& [part, change] : changes) result.emplace(savings.closed(part), change);
  return result;
}

std::optional<std::uint32_t> instanceBytesBy(LayoutRules& rules, ClosedTypeId type) {
  const auto declaration = rules.types().declarationOf(type);
  const auto placement = rules.placementOf(type);
  const auto baseSize = rules.baseSizeOf(type);
  if (!declaration || !placement || !baseSize) return std::nullopt;
  const bool isValue = (*declaration)->kind == TypeKind::Struct || (*declaration)->kind == TypeKind::Enum;
  return isValue ? (*placement)->fieldBytes : *baseSize;
}

}  // namespace

HeapSavings::Changed::Changed(HeapSavings& savings, const Changes& changes)
    : types(savings.m_rules.types(), byType(changes, savings)), rules(types, savings.m_rules, types.changed()) {}

HeapSavings::HeapSavings(const WalkedHeap& heap, const HeapParts& parts, std::vector<ClosedTypeId> closed,
                         const std::vector<ArrayLengths>& lengths, LayoutRules& rules)
    : m_heap(heap), m_parts(parts), m_closed(std::move(closed)), m_rules(rules) {
  auto next = lengths.begin();
  for (const HoldingType& type : parts.types) m_lengths.push_back(type.isArray ? &*next++ : nullptr);
}

Outcome<void> HeapSavings::measure(std::stop_token stop) {
  m_bytes.resize(m_parts.types.size());
  for (std::uint32_t i = 0; i < m_bytes.size(); ++i) {
    if (i % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (isAsTheRuntimeHasIt(i)) m_bytes[i] = bytesOf(i, m_rules);
    if (!m_bytes[i]) ++m_notComputed;
  }
  return {};
}

bool HeapSavings::isAsTheRuntimeHasIt(std::uint32_t type) {
  const HoldingType& held = m_parts.types[type];
  const ClosedTypeId closed = m_closed[held.part];
  if (closed.isNone()) return false;
  const ObjectShape& shape = m_heap.types.shape(held.type);
  if (!held.isArray) return m_rules.baseSizeOf(closed) == shape.baseSize;
  const auto placement = m_rules.placementOf(closed);
  return placement && (*placement)->fieldBytes == shape.componentSize;
}

std::optional<std::uint64_t> HeapSavings::bytesOf(std::uint32_t type, LayoutRules& rules) const {
  const HoldingType& held = m_parts.types[type];
  if (held.isArray) {
    const auto placement = rules.placementOf(m_closed[held.part]);
    if (!placement) return std::nullopt;
    return m_lengths[type]->alignedBytes(m_heap.types.shape(held.type).baseSize, (*placement)->fieldBytes);
  }
  const auto baseSize = rules.baseSizeOf(m_closed[held.part]);
  if (!baseSize) return std::nullopt;
  return m_heap.counts.count[held.type.value] * std::max<std::uint64_t>(alignUp(*baseSize, 8), kMinimumObjectBytes);
}

std::optional<std::int64_t> HeapSavings::savedBy(const Changes& changes) {
  std::vector<std::uint32_t> affected;
  for (const auto& [part, change] : changes) {
    const std::vector<std::uint32_t>& holders = m_parts.parts[part].holders;
    affected.insert(affected.end(), holders.begin(), holders.end());
  }
  std::ranges::sort(affected);
  const auto repeated = std::ranges::unique(affected);
  affected.erase(repeated.begin(), repeated.end());

  Changed changed(*this, changes);
  std::uint64_t saved = 0;  // wraps around below zero
  for (const std::uint32_t type : affected) {
    if (!m_bytes[type]) continue;
    const auto bytes = bytesOf(type, changed.rules);
    if (!bytes) return std::nullopt;
    saved += *m_bytes[type] - *bytes;
  }
  return static_cast<std::int64_t>(saved);
}

std::optional<std::uint32_t> HeapSavings::instanceBytes(std::uint32_t part, const Changes& changes) {
  Changed changed(*this, changes);
  return instanceBytesBy(changed.rules, m_closed[part]);
}

}  // namespace heapscape::engine
