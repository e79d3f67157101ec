// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heap/segment.h"
#include "heap/type_index.h"
#include "runtime/method_tables.h"

namespace heapscape::engine {

/// How many objects of one type one worker has met in one generation.
struct TypeCell {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;       // aligned
  std::uint64_t components = 0;  // meaningful only for types with components
};

/// The method tables that one worker has met, each checked once, with what it counted of them.
class WalkTypes {
 public:
  WalkTypes(const MethodTables& methodTables, Address freeMethodTable)
      : m_methodTables(methodTables),
        m_string(methodTables.runtime().globalPointer("StringMethodTable").value_or(Address{})) {
    if (const auto free = readShape(freeMethodTable)) {
      insert(freeMethodTable, {free->baseSize, free->componentSize, true, false});
    }
  }

  /// Null if the word is no method table.
  const TypeIndex::Slot* find(std::uint64_t word) {
    const TypeIndex::Slot* slot = m_index.find(word);
    return slot ? slot : admit(word);
  }

  /// Whether a word is worth asking about, quickly: it points near to the method tables that were met, and to eight
  /// bytes.
  bool isNearMethodTables(std::uint64_t word) const { return word - m_lowest < m_spanBytes && word % 8 == 0; }

  TypeCell& cell(std::uint32_t type, Generation generation) {
    return m_cells[type * kGenerationCount + static_cast<std::size_t>(generation)];
  }
  const TypeIndex& index() const { return m_index; }

 private:
  const TypeIndex::Slot* admit(std::uint64_t word);
  // The free object's type has no EEClass, so that only its sizes can be read.
  std::optional<ObjectShape> readShape(Address methodTable) const;
  void insert(Address methodTable, const ObjectShape& shape) {
    m_index.insert(methodTable, shape);
    m_cells.resize(m_cells.size() + kGenerationCount);
    const std::uint64_t near = std::min(methodTable.value, kNearBytes);
    const std::uint64_t end = std::max(m_lowest + m_spanBytes, methodTable.value + kNearBytes);
    m_lowest = m_spanBytes ? std::min(m_lowest, methodTable.value - near) : methodTable.value - near;
    m_spanBytes = end - m_lowest;
  }

  // Loader heaps grow by less than this between types that are met early and those that are met late.
  static constexpr std::uint64_t kNearBytes = 256 << 20;

  const MethodTables& m_methodTables;
  Address m_string;
  TypeIndex m_index;
  std::vector<TypeCell> m_cells;  // by type, then generation
  std::uint64_t m_lowest = 0;     // around the method tables
  std::uint64_t m_spanBytes = 0;
};

}  // namespace heapscape::engine
