// SPDX-License-Identifier: MIT
#include "session/references/weak_tables.h"

#include <fmt/format.h>

#include <string_view>

#include "base/short_type_name.h"
#include "heap/object_head.h"
#include "session/objects/object_query.h"
#include "session/references/paths_query.h"
#include "session/snapshot/contents.h"
#include "values/reading/collection_reader.h"

namespace heapscape::engine {
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
