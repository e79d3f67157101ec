// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "heap/segment.h"
#include "heap/type_index.h"
#include "runtime/types/method_tables.h"

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

  /// Whether a word is worth asking about, quickly: it points near to known method tables, and to eight bytes.
  bool isNearMethodTables(std::uint64_t word) const {
    const std::uint64_t piece = word / kPieceBytes;
    return (m_nearby[piece / 64 % m_nearby.size()] >> piece % 64 & 1) && word % 8 == 0;
  }

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
    const std::uint64_t own = methodTable.value / kPieceBytes;
    for (std::uint64_t piece = own - kNearPieces; piece != own + kNearPieces + 1; ++piece)
      m_nearby[piece / 64 % m_nearby.size()] |= 1ull << piece % 64;
  }

  // Types that are met late lie within 16 MB of others, whose loader heap they share. The objects' own addresses are to
  // be told apart from these at once, though arrays are full of them: a table of 16 GB, which all else wraps around.
  static constexpr std::uint64_t kPieceBytes = 4 << 20;
  static constexpr std::uint64_t kNearPieces = 4;

  const MethodTables& m_methodTables;
  Address m_string;
  TypeIndex m_index;
  std::vector<TypeCell> m_cells;             // by type, then generation
  std::array<std::uint64_t, 64> m_nearby{};  // a bit for each piece of the address space
};

}  // namespace heapscape::engine
