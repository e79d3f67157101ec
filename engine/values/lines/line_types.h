// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "values/collections/collection_kinds.h"
#include "values/instance.h"
#include "values/lines/line_parts.h"
#include "values/value_reader.h"

namespace heapscape::engine {

/// How objects of a type are told on one line.
struct LineType {
  enum class Form : std::uint8_t {
    Nothing,
    String,
    Vector,  // an array of one dimension from 0
    Array,
    Boxed,
    Known,
    List,
    Collection,
    Exception,
    Delegate,
    Fields
  };
  /// A field with what stands before what it holds: "Name = ".
  struct Field {
    std::string label;
    Slot slot = {};
    std::uint32_t offset = 0;
  };

  Form form = Form::Nothing;
  const TypeShape* shape = nullptr;
  const CollectionKind* collection = nullptr;  // of a Collection, with the type or its base that is of that kind
  const TypeShape* collectionShape = nullptr;
  Slot element = {};                              // of a Vector or a List
  std::uint32_t itemsOffset = 0, sizeOffset = 0;  // in a List
  std::vector<Field> fields = {};                 // the first that are told, the base type's before its own
  bool hasMoreFields = false;
};

/// The same of all types, each found out once. For one thread.
class LineTypes {
 public:
  static constexpr std::size_t kItemsOnLine = 3;
  static constexpr std::size_t kFieldsOnLine = 4;

  /// Both outlive this.
  LineTypes(const ValueReader& values, const LineParts& parts);

  const LineType& of(Address methodTable);

 private:
  LineType describe(Address methodTable) const;
  LineType describeCollection(LineType type, const Instance& instance) const;
  void findFields(LineType& type) const;
  bool derivesFrom(const TypeShape& shape, Address base) const;

  const InstanceSources m_sources;
  const LineParts& m_parts;
  Address m_stringType, m_exceptionType, m_freeType, m_multicastType, m_delegateType;
  std::unordered_map<std::uint64_t, LineType> m_types;  // by method table
  const LineType* m_last = nullptr;                     // objects of a type often lie together
  Address m_lastType;
};

}  // namespace heapscape::engine
