// SPDX-License-Identifier: MIT
#include "session/references/edge_names.h"

#include <fmt/format.h>

#include <string_view>

#include "base/short_type_name.h"
#include "heap/object_head.h"
#include "session/objects/object_query.h"
#include "session/references/paths_query.h"
#include "session/snapshot/contents.h"
#include "values/array_shape.h"
#include "values/instance.h"
#include "values/reading/collection_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kKeyUnits = 60;  // UTF-16 units of a string that is the key of an item

}  // namespace

EdgeNames::EdgeNames(const Contents& contents)
    : m_contents(contents),
      m_values({*contents.readers, contents.heap.get(), kKeyUnits}),
      m_methods(contents),
      m_locals(contents, m_methods) {}

EdgePlace EdgeNames::placeOf(const Edge& edge, Address methodTable) {
  EdgePlace place;
  const TypeShape* type = m_values.shapes().find(methodTable);
  if (!type || (edge.kind != EdgeKind::Field && edge.kind != EdgeKind::Element)) return place;
  if (type->type.isArray) {
    findElement(edge.from, type->type, edge.offset, place);
  } else if (edge.offset >= Instance::kFieldsOffset) {
    place.fields = fieldsAt(*type, edge.offset - Instance::kFieldsOffset);
  }
  return place;
}

void EdgeNames::findElement(Address array, const MethodTable& type, std::uint64_t offset, EdgePlace& place) {
  const auto shape = readArrayShape(*m_contents.readers, type, array);
  if (!shape || !shape->elementSize || offset < shape->elementOffset) return;
  const std::uint64_t within = offset - shape->elementOffset;
  place.element = elementLabel(*shape, within / shape->elementSize);
  const TypeShape* element = m_values.shapes().find(shape->elementType);
  if (element && element->type.isValueType) place.fields = fieldsAt(*element, within % shape->elementSize);
}

const std::vector<FieldPathPart>& EdgeNames::fieldsAt(const TypeShape& type, std::uint64_t offset) {
  auto& fields = m_fields[&type];
  const auto known = fields.find(offset);
  if (known != fields.end()) return known->second;
  return fields.emplace(offset, fieldPathAt(m_values.shapes(), type, offset)).first->second;
}

std::string EdgeNames::nameOfSaved(const Edge& edge) {
  const SuspendedMethod* method = m_locals.methodOf(edge.from);
  if (!method) return {};
  const std::string where = m_locals.placeText(edge.from);
  if (const std::string name = m_locals.nameAt(edge.from, edge.offset); !name.empty())
    return fmt::format("{} of {}", name, where);
  return fmt::format("+{} of {}", edge.offset, where);
}

std::string EdgeNames::nameOf(const Edge& edge, Address methodTable) {
  if (edge.kind == EdgeKind::Dependent) return "(dependent handle)";
  if (edge.kind == EdgeKind::Loader) return "(loader allocator)";
  if (edge.kind == EdgeKind::Recorded) return {};
  const EdgePlace place = placeOf(edge, methodTable);
  const std::string fields = toString(place.fields);
  if (fields.empty() && edge.kind == EdgeKind::Field) {
    if (std::string saved = nameOfSaved(edge); !saved.empty()) return saved;
  }
  if (place.element.empty()) return fields.empty() ? fmt::format("+{}", edge.offset) : fields;
  return fields.empty() || fields.starts_with('[') ? place.element + fields : place.element + "." + fields;
}

namespace {

constexpr std::string_view kWeakTable = "System.Runtime.CompilerServices.ConditionalWeakTable<";
constexpr std::size_t kMostEntries = 100'000;  // of one table that are looked through
constexpr std::size_t kMostTables = 1'000;
constexpr std::size_t kReferrersAsked = 20;

}  // namespace

std::string WeakTables::nameOf(Address key, Address value) {
  if (!m_hasTables) findTables();
  for (const Address table : m_tables) {
    if (!holds(table, key, value)) continue;
    Address keyType;
    m_snapshot.contents().memory->tryRead(key, keyType);
    const std::string keyName = m_snapshot.contents().readers->names.nameOf({keyType.value & kMethodTableMask});
    return fmt::format("(dependent handle: ConditionalWeakTable {}[{}])", placeOf(table), shortTypeName(keyName));
  }
  return "(dependent handle)";
}

void WeakTables::findTables() {
  m_hasTables = true;
  for (std::uint32_t type = 0; type < m_snapshot.types().size(); ++type) {
    const std::string& name = m_snapshot.types()[type].name;
    if (!name.starts_with(kWeakTable) || !name.ends_with('>')) continue;
    ObjectFilter filter;
    filter.type = TypeId{type};
    forEachObject(m_snapshot, filter, [&](const ObjectRow& row) {
      m_tables.push_back(row.address);
      return m_tables.size() < kMostTables;
    });
  }
}

bool WeakTables::holds(Address table, Address key, Address value) {
  auto known = m_entries.find(table);
  if (known == m_entries.end()) {
    known = m_entries.try_emplace(table).first;
    if (const auto read = CollectionReader(m_values).read(table, kMostEntries)) {
      for (const CollectionItem& item : read->items) known->second.emplace(item.key.object, item.value.object);
    }
  }
  return known->second.contains({key, value});
}

/// The static that holds the table, else the field of an object; its address where neither is known.
std::string WeakTables::placeOf(Address table) {
  auto known = m_places.find(table);
  if (known == m_places.end()) known = m_places.emplace(table, findPlace(table)).first;
  return known->second;
}

std::string WeakTables::findPlace(Address table) const {
  constexpr std::string_view kBeforeField = "static ";
  for (const RootRow& root : m_snapshot.roots().roots) {
    if (root.object != table || (root.kind != RootKind::Static && root.kind != RootKind::ThreadStatic)) continue;
    const std::size_t from = root.name.find(kBeforeField);
    return from == std::string::npos ? root.name : root.name.substr(from + kBeforeField.size());
  }
  const auto referrers = referrersOf(m_snapshot, table, 0, kReferrersAsked, nullptr, {});
  if (referrers) {
    for (const Referrer& referrer : referrers->referrers) {
      const std::string& type = m_snapshot.typeName(referrer.type);
      // Its own container refers back to it.
      if (referrer.isReachable && !type.starts_with(kWeakTable)) return fmt::format("{}.{}", type, referrer.via);
    }
  }
  return toString(table);
}

}  // namespace heapscape::engine
