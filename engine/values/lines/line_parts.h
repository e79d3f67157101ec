// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "values/array_shape.h"
#include "values/lines/nearby_memory.h"
#include "values/type_shapes.h"
#include "values/value_reader.h"

namespace heapscape::engine {

class SlotReader;

/// Puts what fields, elements and items hold on a line, in short: one after the other for millions of objects, so what
/// most of them hold (strings, numbers, references to plain objects) is written without a Value for each. For one
/// thread: what it learns of types it keeps.
class LineParts {
 public:
  static constexpr const char* kUnreadable = "?";

  /// A value in short: of a plain object its type without namespaces.
  static std::string textOf(const Value& value);

  /// The reader outlives this. `mostUnits`: UTF-16 units of a string that are written.
  LineParts(const ValueReader& values, std::size_t mostUnits);

  /// Objects of one type, as a reference to them is told.
  struct Referred {
    std::string name;           // all that is told of one in a field; empty if there is more
    bool isNameOfItem = false;  // and as an item
    bool isString = false;
    bool isVector = false;  // an array of one dimension from 0: what stands around its length
    ArrayBrackets brackets = {};
  };
  const Referred& referred(Address methodTable) {
    const Recent& recent = m_recent[methodTable.value / kAlignment % m_recent.size()];
    return recent.methodTable == methodTable && recent.type ? *recent.type : learn(methodTable);
  }

  /// The slot of a field, an element or an item as it is told: a primitive that is declared by its type (System.Int32)
  /// is one.
  Slot plain(Slot slot) const;
  /// What a field or an element holds: of what it refers to only strings, lengths of arrays and types.
  void addField(std::string& line, const Slot& slot, Address at, SlotReader& reader);
  /// What an item of a collection holds, with what it refers to.
  void addItem(std::string& line, const Slot& slot, Address at);
  /// The characters of a String between quotation marks. False, and nothing added, if they cannot be read.
  bool addString(std::string& line, Address string);

 private:
  /// Each is false, and adds nothing, where only a Value tells all there is to tell.
  bool addReference(std::string& line, const Slot& slot, Address at, bool isItem);
  bool addPrimitive(std::string& line, ElementType element, Address at);
  const Referred& learn(Address methodTable);

  static constexpr std::uint64_t kAlignment = 8;  // of method tables
  struct Recent {
    Address methodTable;
    const Referred* type = nullptr;
  };

  const ValueReader& m_values;
  NearbyMemory m_memory;
  const std::size_t m_mostUnits;
  Address m_stringType, m_freeType;
  std::uint64_t m_lengthOffset = 0, m_charactersOffset = 0;  // in a string
  std::unordered_map<std::uint64_t, Referred> m_referred;    // by method table
  std::array<Recent, 64> m_recent = {};                      // of these, to be found without a search
};

}  // namespace heapscape::engine
