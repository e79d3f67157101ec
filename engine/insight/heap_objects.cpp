// SPDX-License-Identifier: MIT
#include "insight/heap_objects.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kAlwaysPassed = 20'000'000;  // objects, whatever the heap's size: a fraction of a second

}  // namespace

HeapObjects::HeapObjects(const InsightInput& input)
    : m_input(input), m_contents(input.contents), m_shapes(*input.contents.readers) {}

const TypeRow& HeapObjects::typeRowOf(std::uint32_t object) const {
  static const TypeRow kUnknown{};
  const TypeId type = typeOf(object);
  return type.value < m_contents.types->size() ? (*m_contents.types)[type.value] : kUnknown;
}

bool HeapObjects::dominates(std::uint32_t above, std::uint32_t object) const {
  const std::uint32_t top = tree().numberOf(above);
  const std::uint32_t number = tree().numberOf(object);
  return top && number >= top && number - top < sizes().objects[top];
}

std::vector<TypeId> HeapObjects::typesNamed(std::string_view name) const {
  std::vector<TypeId> types;
  for (std::uint32_t i = 0; i < m_contents.types->size(); ++i) {
    const std::string& type = (*m_contents.types)[i].name;
    if (name.ends_with('<') ? type.starts_with(name) && !type.ends_with(']') : type == name) types.push_back({i});
  }
  return types;
}

std::optional<std::uint64_t> HeapObjects::offsetOf(TypeId type, std::string_view field) {
  if (type.isNone()) return std::nullopt;
  const auto [entry, isNew] = m_offsets.try_emplace({type.value, field});
  if (!isNew) return entry->second;
  const TypeShape* shape = m_shapes.find((*m_contents.types)[type.value].methodTable);
  if (!shape) return std::nullopt;
  const InstanceSources all = sources();
  const auto offset = Instance(all, *shape, {}).offsetOf(field);
  if (offset) entry->second = *offset + Instance::kFieldsOffset;
  return entry->second;
}

std::uint32_t HeapObjects::reference(std::uint32_t object, std::string_view field) {
  if (object == kNone) return kNone;
  const auto offset = offsetOf(typeOf(object), field);
  return offset ? referenceAt(object, *offset) : kNone;
}

std::uint32_t HeapObjects::referenceAt(std::uint32_t object, std::uint64_t offset) const {
  Address target;
  return memory().tryRead(addressOf(object) + offset, target) && target ? objectAt(target) : kNone;
}

std::uint32_t HeapObjects::innerReference(std::uint32_t object, std::string_view field, std::string_view inner) {
  const InstanceSources all = sources();
  const auto instance = Instance::at(all, addressOf(object));
  const auto value = instance ? instance->inner(field) : failure(ErrorCode::NotFound, {});
  const auto target = value ? value->reference(inner) : failure(ErrorCode::NotFound, {});
  return target && *target ? objectAt(*target) : kNone;
}

std::vector<std::uint32_t> HeapObjects::rootObjects() const {
  std::vector<std::uint32_t> objects;
  for (const RootRow& root : m_contents.retention->roots.roots) {
    if (const std::uint32_t object = objectAt(root.object); object != kNone) objects.push_back(object);
  }
  return objects;
}

RetainedPartsFinder HeapObjects::partsFinder(std::span<const std::uint32_t> roots, std::uint64_t passes) const {
  return {graph(), tree(), sizes(), roots, std::max(passes * tree().reachedCount(), kAlwaysPassed)};
}

void addParts(const HeapObjects& heap, const RetainedParts& parts, FoundInsight& found) {
  found.insight.bytes += parts.bytes;
  found.dominating.insert(found.dominating.end(), parts.tops.begin(), parts.tops.end());
  for (const std::uint32_t object : parts.alone) found.claims.push_back({object, heap.graph().units[object]});
  if (!parts.isExact) found.insight.facts.push_back({"Bytes", "at least: the rest would have taken too long to find"});
}

void keepCostliest(std::vector<InsightItem>& items) {
  const auto costs = [](const InsightItem& a, const InsightItem& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.object < b.object;
  };
  const std::size_t kept = std::min(items.size(), Insight::kMaximumItems);
  std::ranges::partial_sort(items, items.begin() + static_cast<std::ptrdiff_t>(kept), costs);
  items.resize(kept);
}

}  // namespace heapscape::engine
