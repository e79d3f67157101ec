// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/field_path.h"
#include "query/objects/object_fields.h"
#include "query/query.h"
#include "query/query_value.h"
#include "values/collections/collection_kinds.h"
#include "values/instance.h"
#include "values/object_line.h"

namespace heapscape::engine {

/// What fields of objects hold, those of their memory, too. For one thread: what it learns of types it keeps.
class ObjectValues {
 public:
  /// `shared` reads shapes of types once for all threads.
  ObjectValues(const ObjectFields& fields, const ValueReader& shared);

  QueryValue value(const QueryFieldReference& reference, const ObjectView& object);
  /// The first characters of a string, if these are ASCII and can be read: quicker than its value. Good until the next
  /// ones are asked for.
  std::optional<std::string_view> beginOfText(const ObjectView& object, std::size_t most);
  /// What a comparison of a field of form Memory says of an object; counts values that cannot be read.
  bool holds(const QueryComparison& comparison, const ObjectView& object, std::uint64_t& unreadable);
  /// Whether objects of a type can have a field of form Memory at all.
  bool isPossible(const QueryFieldReference& reference, TypeId type);

 private:
  const CollectionType& collectionType(TypeId type);
  FieldPathReader& pathReader(const std::string& path);
  Address methodTableOf(TypeId type) const { return m_fields.contents().heap->types.methodTable(type); }

  const ObjectFields& m_fields;
  const ValueReader& m_values;
  const InstanceSources m_sources;
  Bytes charactersOf(const ObjectView& string) const;

  TypeId m_stringType;
  std::uint64_t m_charactersOffset = 0;                          // in a string
  std::vector<std::optional<CollectionType>> m_collectionTypes;  // by TypeId, once it was asked
  ObjectLines m_lines;
  std::map<std::string, FieldPathReader> m_paths;
  Address m_sizedObject;  // whose sizes these are: count and capacity are mostly asked together
  CollectionSizes m_sizes;
  std::string m_utf8;  // room for one string after the other
};

}  // namespace heapscape::engine
