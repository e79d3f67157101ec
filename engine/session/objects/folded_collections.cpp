// SPDX-License-Identifier: MIT
#include "session/objects/folded_collections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/limits.h"
#include "heap/object_head.h"
#include "values/array_shape.h"

namespace heapscape::engine {
namespace {

constexpr std::array<std::string_view, 11> kNotFolded{
    "ArraySegment", "ConditionalWeakTable", "JProperty",     "JsonDocument", "JsonElement",  "Lazy",
    "Memory",       "ReadOnlyMemory",       "StringBuilder", "Task",         "WeakReference"};
constexpr std::array<std::string_view, 3> kCollectionNames{"System.Collections.", "System.Linq.Grouping",
                                                           "Microsoft.FSharp.Collections."};
constexpr std::string_view kArraySuffix = "[]";

bool isOfCollections(std::string_view name) {
  return std::ranges::any_of(kCollectionNames, [&](std::string_view names) { return name.starts_with(names); });
}

/// Offsets of the references in a value, from its start; one that is a reference itself has one at 0.
void addReferences(const TypeShapes& shapes, const Slot& slot, std::uint32_t offset, std::size_t depth,
                   std::vector<std::uint32_t>& found) {
  if (slot.kind == Slot::Kind::Reference) found.push_back(offset);
  if (slot.kind != Slot::Kind::ValueType || depth > kLimits.nestingDepth) return;
  const TypeShape* shape = shapes.find(slot.type);
  if (!shape || !shape->type.containsPointers) return;
  for (const FieldShape& field : shape->fields) {
    for (std::uint32_t i = 0; i < shape->repeat && found.size() < kLimits.nestedValues; ++i)
      addReferences(shapes, field.slot, offset + field.offset + i * field.slot.sizeBytes, depth + 1, found);
  }
}

/// A type nested in another one: "System.Collections.Generic.HashSet<System.String>+Entry".
bool isNested(std::string_view name) {
  const std::size_t plus = name.rfind('+');
  const std::size_t bracket = name.rfind('>');
  return plus != std::string_view::npos && (bracket == std::string_view::npos || plus > bracket);
}

}  // namespace

FoldedCollections::FoldedCollections(const Contents& contents)
    : m_contents(contents),
      m_values({.readers = *contents.readers, .heap = contents.heap.get()}),
      m_sources(m_values.instances()) {}

Address FoldedCollections::methodTableOf(std::uint32_t object) const {
  Address methodTable;
  if (!m_contents.memory->tryRead(addressOf(object), methodTable)) return {};
  return {methodTable.value & kMethodTableMask};
}

std::optional<RecognisedCollection> FoldedCollections::recognise(std::uint32_t object) const {
  const auto instance = Instance::at(m_sources, addressOf(object));
  if (!instance) return std::nullopt;
  auto recognised = recogniseCollection(*instance);
  if (!recognised || std::ranges::count(kNotFolded, recognised->kind->name)) return std::nullopt;
  return recognised;
}

bool FoldedCollections::isCollection(std::uint32_t object) const {
  const auto recognised = recognise(object);
  const auto opened = recognised ? openCollection(*recognised) : failure(ErrorCode::NotFound, {});
  return opened && (*opened)->facts().damage.empty();
}

const std::vector<std::uint32_t>& FoldedCollections::referencesIn(TypeHandle type) const {
  const auto [known, isNew] = m_references.try_emplace(type);
  if (isNew) addReferences(m_values.shapes(), m_values.shapes().slotOf(type), 0, 0, known->second);
  return known->second;
}

bool FoldedCollections::forEachItem(std::uint32_t collection, const VisitItem& visit, std::stop_token stop) const {
  const auto recognised = recognise(collection);
  if (!recognised) return false;
  const auto opened = openCollection(*recognised);
  if (!opened || !(*opened)->facts().damage.empty()) return false;
  const CollectionFacts& facts = (*opened)->facts();
  std::uint64_t index = 0;
  const auto visitValue = [&](Address place, TypeHandle type, bool isKey) {
    for (const std::uint32_t offset : referencesIn(type)) {
      Address target;
      if (!m_contents.memory->tryRead(place + offset, target) || !target) continue;
      const ObjectId id = m_contents.heap->index.idOf(target);
      if (!id.isNone() && !visit({index, isKey, place, id.value})) return false;
    }
    return true;
  };
  ItemCollector items(
      [&](const ItemPlace& item) {
        const bool goesOn =
            (!facts.hasKeys || visitValue(item.key, facts.keyType, true)) &&
            (item.known || visitValue(item.value, item.valueType ? item.valueType : facts.valueType, false));
        ++index;
        return goesOn;
      },
      std::move(stop));
  return (*opened)->collect(items).empty() && !items.isStopped();
}

bool FoldedCollections::isOwnField(std::uint32_t collection, std::uint64_t offset) const {
  const auto recognised = recognise(collection);
  return recognised && offset >= Instance::kFieldsOffset &&
         offset - Instance::kFieldsOffset < recognised->instance.shape().sizeBytes;
}

std::string FoldedCollections::labelOf(std::uint32_t collection, const Item& item, std::stop_token stop) const {
  const auto recognised = recognise(collection);
  const auto opened = recognised ? openCollection(*recognised) : failure(ErrorCode::NotFound, {});
  if (!opened) return {};
  const CollectionFacts& facts = (*opened)->facts();
  const std::string suffix = item.isKey ? ".Key" : "";
  if (facts.labels == ItemLabels::Index) return fmt::format("[{}]{}", item.index, suffix);
  if (facts.labels == ItemLabels::None) return {};
  ItemCollector one(item.index, 1, std::move(stop));
  (*opened)->collect(one);
  if (one.places().empty()) return {};
  return fmt::format("[{}]{}", m_values.readValue(facts.keyType, one.places().front().key).value.text, suffix);
}

FoldedCollections::Role FoldedCollections::readRole(std::uint32_t object) const {
  const Address methodTable = methodTableOf(object);
  const auto type = m_contents.readers->methodTables.read(methodTable);
  if (!type) return Role::Plain;
  const std::string name = m_contents.readers->names.nameOf(methodTable);
  if (type->isArray) {
    const bool isOfNodes = isOfCollections(name) && name.ends_with(kArraySuffix) &&
                           isNested(std::string_view(name).substr(0, name.size() - kArraySuffix.size()));
    return isOfNodes ? Role::Storage : Role::Array;
  }
  if (recognise(object)) return Role::Collection;
  return isOfCollections(name) ? Role::Storage : Role::Plain;
}

FoldedCollections::Role FoldedCollections::roleOf(std::uint32_t object) {
  const auto [known, isNew] = m_roles.try_emplace(methodTableOf(object), Role::Plain);
  if (isNew) known->second = readRole(object);
  return known->second;
}

std::uint32_t FoldedCollections::ownerOf(std::uint32_t object) const {
  const DominatorTree& tree = m_contents.retention->tree;
  const std::uint32_t number = tree.numberOf(object);
  const std::uint32_t dominator = number ? tree.dominatingObjectOf(number) : 0;
  if (dominator) return tree.vertexOf(dominator);
  const auto holders = m_reverse ? m_reverse->of(object) : std::span<const std::uint32_t>();
  const bool isOne = !holders.empty() && holders.front() == holders.back();
  return isOne && holders.front() != object ? holders.front() : kNone;
}

/// An array of an ordinary type may be an item just as well: it is storage if its elements are what the collection has
/// as keys or values, or hold these.
bool FoldedCollections::isStorageOf(std::uint32_t array, std::uint32_t collection) const {
  const EdgeRows edges = m_contents.graph->edges();
  const auto row = edges.targetsOf(collection);
  if (std::ranges::find(row, array) == row.end()) return false;
  const auto recognised = recognise(collection);
  const auto opened = recognised ? openCollection(*recognised) : failure(ErrorCode::NotFound, {});
  if (!opened) return false;
  const Address type = methodTableOf(array);
  return type != (*opened)->facts().valueType && type != (*opened)->facts().keyType;
}

std::uint32_t FoldedCollections::collectionAround(std::uint32_t object) {
  // A chain of nodes may be a million long; each is walked once.
  std::vector<std::uint32_t> chain;
  std::uint32_t around = kNone;
  for (std::uint32_t part = object;;) {
    if (const auto known = m_arounds.find(part); known != m_arounds.end()) {
      around = known->second;
      break;
    }
    const Role role = roleOf(part);
    if (role != Role::Array && role != Role::Storage) break;
    chain.push_back(part);
    const std::uint32_t owner = ownerOf(part);
    if (owner == kNone) break;
    const Role above = roleOf(owner);
    if (above == Role::Collection) {
      if (role == Role::Storage || isStorageOf(part, owner)) around = owner;
      break;
    }
    if (role == Role::Array || above != Role::Storage) break;
    part = owner;
  }
  for (const std::uint32_t part : chain) m_arounds.emplace(part, around);
  return around;
}

}  // namespace heapscape::engine
