// SPDX-License-Identifier: MIT
#include "session/layouts/heap_savings.h"

#include <tbb/parallel_for.h>

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

  /// Nothing for what has no objects; from any thread.
  std::optional<Result<TypeLayout>> layoutOf(TypeId type) const {
    if (m_heap.types.shape(type).isFree || !m_heap.counts.count[type.value]) return std::nullopt;
    return readActualLayout(m_sources, m_heap.types.methodTable(type), LayoutNames::None);
  }

  void add(TypeId type, const Result<TypeLayout>& layout) {
    const ObjectShape& shape = m_heap.types.shape(type);
    const std::uint64_t objects = m_heap.counts.count[type.value];
    const std::uint64_t components = m_heap.counts.components[type.value];
    if (shape.componentSize) {
      const std::uint64_t used = objects * shape.baseSize + components * shape.componentSize;
      const std::uint64_t bytes = m_heap.counts.bytes[type.value];
      m_found.arrayEndBytes += bytes - std::min(bytes, used);
    }
    if (!layout) {
      m_found.unread.push_back(m_heap.types.methodTable(type));
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
    beginType({type, true, part, element.paddingBytes() > 0 || hasUnknown(element.fields)});
    hold(part);
    m_found.parts[part].elements += elements;
    addContents(part, element, elements);
  }

  void addObjects(TypeId type, const TypeLayout& layout, std::uint64_t objects) {
    const std::uint32_t part = partOf(layout.methodTable);
    const std::uint64_t without = layout.fieldsBytes - std::min(layout.fieldsBytes, layout.paddingBytes());
    const bool canShrink = objectBytes(without) < objectBytes(layout.fieldsBytes) || hasUnknown(layout.fields);
    beginType({type, false, part, canShrink});
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

  /// Whether a field is taken to reach up to the next one, for want of its type.
  static bool hasUnknown(const std::vector<LayoutField>& fields) {
    return std::ranges::any_of(fields, [](const LayoutField& field) {
      return (field.kind == FieldKind::ValueType && !field.methodTable) || hasUnknown(field.nested);
    });
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

constexpr std::uint32_t kLayoutsAtOnce = 1024;

Outcome<HeapParts> readHeapParts(const Contents& contents, StageProgress& progress, std::stop_token stop) {
  PartsReader reader(contents);
  const auto types = static_cast<std::uint32_t>(contents.heap->types.size());
  std::vector<std::optional<Result<TypeLayout>>> layouts(std::min(types, kLayoutsAtOnce));
  for (std::uint32_t first = 0; first < types; first += kLayoutsAtOnce) {
    const std::uint32_t last = std::min(types, first + kLayoutsAtOnce);
    tbb::parallel_for(first, last, [&](std::uint32_t type) {
      if (!stop.stop_requested()) layouts[type - first] = reader.layoutOf({type});
    });
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    for (std::uint32_t type = first; type < last; ++type)
      if (const auto& layout = layouts[type - first]) reader.add({type}, *layout);
    progress.report(static_cast<double>(last) / static_cast<double>(types));
  }
  return std::move(reader).take();
}

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

Outcome<std::shared_ptr<const HeapParts>> heapPartsOf(const Contents& contents, StageProgress& progress,
                                                      std::stop_token stop) {
  if (!contents.heap) return std::make_shared<const HeapParts>();
  return contents.heapParts->get([&] { return readHeapParts(contents, progress, stop); });
}

HeapSavings::Changed::Changed(HeapSavings& savings, const Changes& changes)
    : types(savings.m_rules.types(), byType(changes, savings)), rules(types, savings.m_rules, types.changed()) {}

HeapSavings::HeapSavings(const WalkedHeap& heap, const HeapParts& parts, std::vector<ClosedTypeId> closed,
                         const std::vector<ArrayLengths>& lengths, LayoutRules& rules)
    : m_heap(heap),
      m_parts(parts),
      m_closed(std::move(closed)),
      m_bytes(parts.types.size()),
      m_isMeasured(parts.types.size()),
      m_rules(rules) {
  auto next = lengths.begin();
  for (const HoldingType& type : parts.types) m_lengths.push_back(type.isArray ? &*next++ : nullptr);
}

Outcome<void> HeapSavings::measure(std::stop_token stop) {
  for (std::uint32_t i = 0; i < m_bytes.size(); ++i) {
    if (i % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!bytesNow(i)) ++m_notComputed;
  }
  return {};
}

std::optional<std::uint64_t> HeapSavings::bytesNow(std::uint32_t type) {
  if (!m_isMeasured[type] && isAsTheRuntimeHasIt(type)) m_bytes[type] = bytesOf(type, m_rules);
  m_isMeasured[type] = 1;
  return m_bytes[type];
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

  for (const std::uint32_t type : affected) bytesNow(type);
  Changed changed(*this, changes);
  std::uint64_t saved = 0;  // wraps around below zero
  for (const std::uint32_t type : affected) {
    const auto now = bytesNow(type);
    if (!now) continue;
    const auto bytes = bytesOf(type, changed.rules);
    if (!bytes) return std::nullopt;
    saved += *now - *bytes;
  }
  return static_cast<std::int64_t>(saved);
}

std::optional<std::uint32_t> HeapSavings::instanceBytes(std::uint32_t part, const Changes& changes) {
  Changed changed(*this, changes);
  return instanceBytesBy(changed.rules, m_closed[part]);
}

}  // namespace heapscape::engine
