// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "values/collections/collection_kinds.h"
#include "values/instance.h"
#include "values/value_reader.h"

namespace heapscape::engine {

class SlotReader;

/// What objects hold, each on one line as people read it: a string's characters, the count and first items of an array
/// or a collection, an exception's message, what a delegate calls, a boxed value (a member of an enum by its name),
/// what is read as one thing, and of anything else its first fields. For one thread: what it learns of types it keeps.
class ObjectLines {
 public:
  static constexpr std::size_t kLongest = 200;  // bytes; what is left out is told by "…"

  /// The reader outlives this.
  explicit ObjectLines(const ValueReader& values);

  /// Whether objects of a type hold anything that can be told.
  bool isPossible(Address methodTable) { return ofType(methodTable).form != Form::Nothing; }
  /// Valid UTF-8 without line breaks. Nothing if it cannot be read; empty for an object without fields. The work is
  /// bounded, whatever the object holds.
  std::optional<std::string> read(Address object, Address methodTable);

 private:
  enum class Form : std::uint8_t { Nothing, String, Array, Boxed, Known, Collection, Exception, Delegate, Fields };
  struct Type {
    Form form = Form::Nothing;
    const TypeShape* shape = nullptr;
    const CollectionKind* collection = nullptr;  // of a Collection, with the type or its base that is of that kind
    const TypeShape* collectionShape = nullptr;
  };

  const Type& ofType(Address methodTable);
  Type describe(Address methodTable) const;
  bool derivesFrom(const TypeShape& shape, Address base) const;
  /// Of an object of a type that has nothing shorter to tell than its name; empty for all others.
  const std::string& plainName(Address methodTable);
  /// What a field or an element holds.
  std::string part(const Slot& slot, Address at, SlotReader& reader);
  std::optional<std::string> array(Address object, const TypeShape& shape);
  std::optional<std::string> items(Address object, const Type& type);
  std::optional<std::string> exception(Address object) const;
  std::optional<std::string> delegate(Address object, const TypeShape& shape) const;
  std::optional<std::string> fields(Address object, const TypeShape& shape);

  const ValueReader& m_values;
  const InstanceSources m_sources;
  Address m_stringType, m_exceptionType, m_freeType, m_multicastType, m_delegateType;
  std::unordered_map<std::uint64_t, Type> m_types;              // by method table
  std::unordered_map<std::uint64_t, std::string> m_plainNames;  // likewise
};

}  // namespace heapscape::engine
