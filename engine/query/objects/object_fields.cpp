// SPDX-License-Identifier: MIT
#include "query/objects/object_fields.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <unordered_map>

#include "heap/object_types.h"
#include "session/references/path_edges.h"
#include "session/roots/handles_query.h"
#include "session/snapshot/recorded_heap.h"
#include "session/types/type_query.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kOwnersAtOnce = 1 << 20;
constexpr std::uint32_t kAsAbove = 1u << 31;  // the owner is that of another number, of which there are fewer

}  // namespace

bool needsRetained(ObjectField field) {
  switch (field) {
    case ObjectField::Retained:
    case ObjectField::RetainedObjects:
    case ObjectField::Reachable:
    case ObjectField::Garbage:
    case ObjectField::References:
    case ObjectField::Referrers:
    case ObjectField::HeldBy:
    case ObjectField::Owner:
      return true;
    default:
      return false;
  }
}

ObjectFieldForm formOf(const QueryFieldReference& reference) {
  if (reference.field == QueryFieldReference::kObjectField) return ObjectFieldForm::Memory;
  switch (static_cast<ObjectField>(reference.field)) {
    case ObjectField::Type:
    case ObjectField::Assembly:
    case ObjectField::LoadContext:
    case ObjectField::Namespace:
    case ObjectField::Gen:
    case ObjectField::HeldBy:
    case ObjectField::Owner:
      return ObjectFieldForm::Symbol;
    case ObjectField::Pinned:
    case ObjectField::Reachable:
    case ObjectField::Garbage:
    case ObjectField::Free:
      return ObjectFieldForm::Flag;
    case ObjectField::Count:
    case ObjectField::Capacity:
    case ObjectField::Text:
    case ObjectField::Value:
    case ObjectField::Set:
      return ObjectFieldForm::Memory;
    default:
      return ObjectFieldForm::Number;
  }
}

bool isRecordedField(ObjectField field) {
  switch (field) {
    case ObjectField::LoadContext:
    case ObjectField::Gen:
    case ObjectField::Heap:
    case ObjectField::Segment:
    case ObjectField::Pinned:
    case ObjectField::Free:
    case ObjectField::Length:
    case ObjectField::Count:
    case ObjectField::Capacity:
    case ObjectField::Text:
    case ObjectField::Value:
      return false;
    default:
      return true;
  }
}

ObjectFields::ObjectFields(const Snapshot& snapshot)
    : m_snapshot(snapshot),
      m_segments(
          objectsOfAll(*contents().memory, contents().heap->index, contents().heap->types, *contents().segments)),
      m_symbols(objectSchema().fields.size()),
      m_typeSymbols(objectSchema().fields.size()) {}

bool ObjectFields::isAsked(std::span<const QueryFieldReference> fields, ObjectField field) const {
  return std::ranges::find(fields, referenceTo(field)) != fields.end();
}

Outcome<ObjectFields> ObjectFields::make(const Snapshot& snapshot, std::span<const QueryFieldReference> fields,
                                         ProgressSink* progress, std::stop_token stop,
                                         std::shared_ptr<const ObjectSets> sets) {
  if (!snapshot.has(Stage::Objects))
    return tl::unexpected(Unfinished(Error{ErrorCode::BadQuery, "The objects are not counted yet."}));
  ObjectFields made(snapshot);
  made.m_sets = std::move(sets);
  for (const QueryFieldReference& reference : fields) {
    if (reference.field == QueryFieldReference::kObjectField) {
      if (snapshot.isRecorded()) return tl::unexpected(Unfinished(notRecorded("fields of objects")));
      continue;
    }
    const auto field = static_cast<ObjectField>(reference.field);
    if (snapshot.isRecorded() && !isRecordedField(field))
      return tl::unexpected(
          Unfinished(notRecorded(fmt::format("{} of objects", objectSchema().fields[reference.field].name))));
    if (needsRetained(field) && !snapshot.has(Stage::Retained)) {
      return tl::unexpected(Unfinished(
          Error{ErrorCode::BadQuery, fmt::format("{} is not known yet.", objectSchema().fields[reference.field].name),
                "It takes until retained sizes are computed."}));
    }
    if (formOf(reference) == ObjectFieldForm::Symbol) made.nameTypes(field);
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  const bool needsHolders = made.isAsked(fields, ObjectField::HeldBy) || made.isAsked(fields, ObjectField::Owner);
  if (needsHolders) made.m_types = made.contents().typesOfObjects();
  if (made.isAsked(fields, ObjectField::Owner)) made.findOwners();
  if (made.isAsked(fields, ObjectField::Pinned)) HEAPSCAPE_CHECK(made.findPinned(stop));
  if (made.isAsked(fields, ObjectField::Referrers)) {
    HEAPSCAPE_TRY(made.m_reverse, reverseReferencesOf(snapshot, progress, stop));
  }
  return made;
}

void ObjectFields::nameTypes(ObjectField field) {
  std::vector<std::string>& symbols = m_symbols[static_cast<std::size_t>(field)];
  if (!symbols.empty()) return;
  if (field == ObjectField::Gen) {
    for (const Generation generation : kGenerations) symbols.emplace_back(toString(generation));
    return;
  }
  const std::vector<TypeRow>& types = m_snapshot.types();
  const bool isOfOrigin =
      field == ObjectField::Assembly || field == ObjectField::LoadContext || field == ObjectField::Namespace;
  if (!isOfOrigin) {
    for (const TypeRow& type : types) symbols.push_back(type.name);
    return;
  }
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (const TypeRow& type : types) {
    std::string text = field == ObjectField::Assembly      ? type.assembly
                       : field == ObjectField::LoadContext ? type.loadContext
                                                           : std::string(namespaceOf(type.name));
    const auto [entry, isNew] = numbers.emplace(text, static_cast<std::uint32_t>(symbols.size()));
    if (isNew) symbols.push_back(std::move(text));
    m_typeSymbols[static_cast<std::size_t>(field)].push_back(entry->second);
  }
}

// From the roots down: numbers are in preorder, so that who dominates comes before what it dominates.
void ObjectFields::findOwners() {
  const Retention& retention = *contents().retention;
  const std::vector<TypeRow>& types = m_snapshot.types();
  std::vector<std::string>& symbols = m_symbols[static_cast<std::size_t>(ObjectField::Owner)];
  const auto typeCount = static_cast<std::uint32_t>(types.size());
  for (const RootGroup& group : retention.roots.groups) symbols.push_back(group.name);
  for (const RootRow& root : retention.roots.roots) symbols.push_back(root.name);
  std::vector<bool> isOwn(types.size());
  for (std::uint32_t i = 0; i < typeCount; ++i)
    isOwn[i] = types[i].componentSize == 0 && !types[i].assembly.empty() &&
               contents().ownerOf(types[i]) != CodeOwner::Framework;

  const DominatorTree& tree = retention.tree;
  m_owners = LargeArray<std::uint32_t>(std::size_t{tree.reachedCount()} + 1);
  m_owners[0] = kNoSymbol;
  const auto ownerOf = [&](std::uint32_t number, std::uint32_t first) -> std::uint32_t {
    const std::uint32_t dominator = tree.dominatorOf(number);
    if (dominator == 0) return kNoSymbol;
    const std::uint32_t vertex = tree.vertexOf(dominator);
    // The vertices of the forest are the groups, then the roots.
    if (!tree.isObject(vertex)) return typeCount + (vertex - tree.objectCount());
    const std::uint32_t type = (*m_types)[vertex];
    if (type < typeCount && isOwn[type]) return type;
    return dominator < first ? kAsAbove | dominator : m_owners[dominator];
  };
  // Each part by itself, then what is as in a part before it.
  const std::uint32_t end = tree.reachedCount() + 1;
  const std::uint32_t parts = (end + kOwnersAtOnce - 1) / kOwnersAtOnce;
  tbb::parallel_for(0u, parts, [&](std::uint32_t part) {
    const std::uint32_t first = std::max(1u, part * kOwnersAtOnce);
    for (std::uint32_t number = first; number < std::min(end, (part + 1) * kOwnersAtOnce); ++number)
      m_owners[number] = ownerOf(number, first);
  });
  for (std::uint32_t number = 1; number < end; ++number) {
    std::uint32_t& owner = m_owners[number];
    if (owner != kNoSymbol && (owner & kAsAbove)) owner = m_owners[owner & ~kAsAbove];
  }
}

Outcome<void> ObjectFields::findPinned(std::stop_token stop) {
  m_isPinned.resize(contents().heap->index.objectCount());
  HEAPSCAPE_TRY(const HandleList list, listHandles(m_snapshot, false, std::move(stop)));
  for (const HandleRow& handle : list.handles) {
    if (handle.kind != HandleKind::Pinned && handle.kind != HandleKind::AsyncPinned) continue;
    if (const ObjectId id = contents().heap->index.idOf(handle.object); !id.isNone()) m_isPinned[id.value] = true;
  }
  return {};
}

std::uint32_t ObjectFields::numberOf(const ObjectView& object) const {
  return contents().retention->tree.numberOf(object.id);
}

std::uint32_t ObjectFields::symbolOfType(ObjectField field, TypeId type) const {
  const std::vector<std::uint32_t>& symbols = m_typeSymbols[static_cast<std::size_t>(field)];
  return symbols.empty() ? type.value : symbols[type.value];
}

std::uint32_t ObjectFields::symbol(ObjectField field, const ObjectView& object) const {
  switch (field) {
    case ObjectField::Gen:
      return static_cast<std::uint32_t>(object.generation);
    case ObjectField::Owner:
      return m_owners[numberOf(object)];
    case ObjectField::HeldBy: {
      const DominatorTree& tree = contents().retention->tree;
      const std::uint32_t number = numberOf(object);
      const std::uint32_t dominator = number ? tree.dominatingObjectOf(number) : 0;
      return dominator ? (*m_types)[tree.vertexOf(dominator)] : kNoSymbol;
    }
    default:
      return symbolOfType(field, object.facts.type);
  }
}

std::optional<std::uint64_t> ObjectFields::number(ObjectField field, const ObjectView& object) const {
  switch (field) {
    case ObjectField::Address:
      return object.facts.address.value;
    case ObjectField::Size:
      return object.facts.sizeBytes;
    case ObjectField::Bytes:
      return object.facts.alignedBytes();
    case ObjectField::Retained: {
      const std::uint32_t number = numberOf(object);
      return number ? contents().retention->sizes.bytes[number] : 0;
    }
    case ObjectField::RetainedObjects: {
      const std::uint32_t number = numberOf(object);
      return number ? contents().retention->sizes.objects[number] : 0;
    }
    case ObjectField::Heap:
      return (*contents().segments)[object.segment.value].heap;
    case ObjectField::Segment:
      return (*contents().segments)[object.segment.value].address.value;
    case ObjectField::Length:
      if (m_snapshot.types()[object.facts.type.value].componentSize == 0) return std::nullopt;
      return object.facts.components;
    case ObjectField::References: {
      const ReferenceGraph& graph = *contents().graph;
      return graph.rows.countOf(object.id);
    }
    case ObjectField::Referrers: {
      // Ascending, so that one which refers to it several times stands side by side.
      std::uint64_t referrers = 0;
      std::uint32_t last = object.id;
      for (const std::uint32_t source : m_reverse->of(object.id)) {
        referrers += source != object.id && source != last;
        last = source;
      }
      return referrers;
    }
    default:
      return std::nullopt;
  }
}

bool ObjectFields::flag(ObjectField field, const ObjectView& object) const {
  switch (field) {
    case ObjectField::Pinned:
      return object.generation == Generation::Pinned || m_isPinned[object.id];
    case ObjectField::Reachable:
      return numberOf(object) != 0;
    case ObjectField::Garbage:
      return contents().retention->isGarbage(object.id) && !m_snapshot.types()[object.facts.type.value].isFree;
    default:
      return m_snapshot.types()[object.facts.type.value].isFree;
  }
}

std::vector<std::string_view> ObjectFields::setsOf(const ObjectView& object) const {
  std::vector<std::string_view> names;
  if (!m_sets) return names;
  for (const auto& [name, ids] : *m_sets) {
    if (std::ranges::binary_search(*ids, object.id)) names.push_back(name);
  }
  return names;
}

}  // namespace heapscape::engine
