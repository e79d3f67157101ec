// SPDX-License-Identifier: MIT
#include "session/layouts/heap_savings.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/progress.h"
#include "heap/object_head.h"
#include "layout/object_size.h"

namespace heapscape::engine {
namespace {

class PartsReader {
 public:
  explicit PartsReader(const Contents& contents) : m_sources(contents.layoutSources()), m_heap(*contents.heap) {}

  void add(TypeId type) {
    const ObjectShape& shape = m_heap.types.shape(type);
    const std::uint64_t objects = m_heap.counts.count[type.value];
    const std::uint64_t components = m_heap.counts.components[type.value];
    if (shape.isFree || !objects) return;
    if (shape.componentSize) {
      const std::uint64_t used = objects * shape.baseSize + components * shape.componentSize;
      const std::uint64_t bytes = m_heap.counts.bytes[type.value];
      m_found.arrayEndBytes += bytes - std::min(bytes, used);
    }
    const Address methodTable = m_heap.types.methodTable(type);
    const auto layout = readActualLayout(m_sources, methodTable);
    if (!layout) {
      m_found.unread.push_back(methodTable);
      return;
    }
    if (layout->kind == TypeKind::Array) {
      if (!layout->elementLayout.empty()) addArray(type, layout->elementLayout.front(), components);
    } else if (layout->kind != TypeKind::String) {
      addObjects(type, *layout, objects);
    }
  }

  HeapParts take() && { return std::move(m_found); }

 private:
  void addArray(TypeId type, const TypeLayout& element, std::uint64_t elements) {
    const std::uint32_t part = partOf(element.methodTable);
    beginType({type, true, part});
    hold(part);
    m_found.parts[part].elements += elements;
    addContents(part, element, elements);
  }

  void addObjects(TypeId type, const TypeLayout& layout, std::uint64_t objects) {
    const std::uint32_t part = partOf(layout.methodTable);
    beginType({type, false, part});
    hold(part);
    m_found.parts[part].objects += objects;
    for (const InheritanceLevel& level : layout.levels) {
      if (level.methodTable == layout.methodTable) continue;
      const std::uint32_t base = partOf(level.methodTable);
      hold(base);
      m_found.parts[base].derived += objects;
    }
    if (layout.valueSize) {
      const std::uint32_t boxBytes = layout.baseSize - std::min(layout.baseSize, kObjectOverheadBytes);
      m_found.boxRoundingBytes += objects * (boxBytes - std::min(boxBytes, *layout.valueSize));
    }
    addContents(part, layout, objects);
  }

  void beginType(const HoldingType& type) { m_found.types.push_back(type); }

  void hold(std::uint32_t part) {
    const auto holder = static_cast<std::uint32_t>(m_found.types.size() - 1);
    std::vector<std::uint32_t>& holders = m_found.parts[part].holders;
    if (holders.empty() || holders.back() != holder) holders.push_back(holder);
  }

  void addContents(std::uint32_t part, const TypeLayout& layout, std::uint64_t occurrences) {
    addNested(layout.fields, occurrences);
    for (const Padding& padding : layout.paddings) addPadding(part, layout.fields, padding, occurrences);
  }

  // As deep as value types nest, which the layout's reader bounds.
  void addNested(const std::vector<LayoutField>& fields, std::uint64_t occurrences) {
    for (const LayoutField& field : fields) {
      if (field.kind != FieldKind::ValueType || !field.methodTable) continue;
      const std::uint64_t times = occurrences * field.repeat;
      const std::uint32_t part = partOf(field.methodTable);
      hold(part);
      m_found.parts[part].nested += times;
      addNested(field.nested, times);
    }
  }

  // Counts for every type around it, and as its own for the innermost.
  void addPadding(std::uint32_t part, const std::vector<LayoutField>& outermost, const Padding& padding,
                  std::uint64_t occurrences) {
    const std::uint64_t bytes = occurrences * padding.sizeBytes;
    std::uint64_t offset = padding.offset;
    m_found.parts[part].paddingBytes += bytes;
    const std::vector<LayoutField>* fields = &outermost;
    while (const LayoutField* around = valueAround(*fields, offset)) {
      part = partOf(around->methodTable);
      m_found.parts[part].paddingBytes += bytes;
      offset -= (offset - around->offset) / around->sizeBytes * around->sizeBytes;  // offsets are the first element's
      fields = &around->nested;
    }
    m_found.parts[part].ownPaddingBytes += bytes;
  }

  // The field that findPaddings takes to be around a padding.
  static const LayoutField* valueAround(const std::vector<LayoutField>& fields, std::uint64_t offset) {
    const auto found = std::ranges::find_if(fields, [offset](const LayoutField& field) {
      return !field.nested.empty() && field.offset <= offset &&
             offset < field.offset + std::uint64_t{field.sizeBytes} * field.repeat;
    });
    return found == fields.end() ? nullptr : &*found;
  }

  std::uint32_t partOf(Address methodTable) {
    const auto next = static_cast<std::uint32_t>(m_found.parts.size());
    const auto [known, isNew] = m_numbers.emplace(methodTable.value, next);
    if (isNew) m_found.parts.push_back({.methodTable = methodTable});
    return known->second;
  }

  const LayoutSources m_sources;
  const WalkedHeap& m_heap;
  HeapParts m_found;
  std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;  // of parts, by method table
};

}  // namespace

Outcome<HeapParts> readHeapParts(const Contents& contents, StageProgress& progress, std::stop_token stop) {
  if (!contents.heap) return HeapParts{};
  PartsReader reader(contents);
  const std::size_t types = contents.heap->types.size();
  for (std::uint32_t i = 0; i < types; ++i) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    reader.add({i});
    progress.report(static_cast<double>(i + 1) / static_cast<double>(types));
  }
  return std::move(reader).take();
}

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
