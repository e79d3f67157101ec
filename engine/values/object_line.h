// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "values/collections/collection_kinds.h"
#include "values/instance.h"
#include "values/line_parts.h"
#include "values/value_reader.h"

namespace heapscape::engine {

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
    const Slot* slot = nullptr;
    std::uint32_t offset = 0;
  };
  struct Type {
    Form form = Form::Nothing;
    const TypeShape* shape = nullptr;
    const CollectionKind* collection = nullptr;  // of a Collection, with the type or its base that is of that kind
    const TypeShape* collectionShape = nullptr;
    Slot element = {};                              // of a Vector or a List
    std::uint32_t itemsOffset = 0, sizeOffset = 0;  // in a List
    std::vector<Field> fields = {};                 // the first that are told, the base type's before its own
    bool hasMoreFields = false;
  };

  const Type& ofType(Address methodTable);
  Type describe(Address methodTable) const;
  Type describeCollection(Type type, const Instance& instance) const;
  void findFields(Type& type) const;
  bool derivesFrom(const TypeShape& shape, Address base) const;
  // Each adds to m_line. False if what there is cannot be read.
  bool tell(const Type& type, Address object);
  bool vector(const Type& type, Address object);
  bool array(const Type& type, Address object);
  bool boxed(const Type& type, Address object);
  /// False as well for one that only Collection tells of.
  bool list(const Type& type, Address object);
  bool collection(const Type& type, Address object);
  bool exception(Address object);
  bool delegate(const Type& type, Address object);
  bool fields(const Type& type, Address object);
  /// "3 items: ", then what `add` puts behind for each of the first.
  template <class Add>
  void counted(std::uint64_t count, std::size_t shown, const Add& add);

  const ValueReader& m_values;
  const InstanceSources m_sources;
  LineParts m_parts;
  Address m_stringType, m_exceptionType, m_freeType, m_multicastType, m_delegateType;
  std::unordered_map<std::uint64_t, Type> m_types;  // by method table
  const Type* m_last = nullptr;                     // objects of a type often lie together
  Address m_lastType;
  std::string m_line;
};

}  // namespace heapscape::engine
