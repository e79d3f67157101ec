// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"
#include "session/objects/array_lengths.h"
#include "session/objects/heap_parts.h"

namespace heapscape::engine {

/// What the heap would take up if types were declared otherwise, to the byte: every object and array that holds one is
/// laid out anew by the runtime's rules.
class HeapSavings {
 public:
  /// Changed declarations by index of the part.
  using Changes = std::map<std::uint32_t, DeclarationChange>;

  /// `closed`: the type of each part, none for those that metadata does not tell. `lengths`: of the types that are
  /// arrays, in their order.
  HeapSavings(const WalkedHeap& heap, const HeapParts& parts, std::vector<ClosedTypeId> closed,
              const std::vector<ArrayLengths>& lengths, LayoutRules& rules);

  /// Lays out what is on the heap as it is declared; before all else.
  Outcome<void> measure(std::stop_token stop);

  ClosedTypeId closed(std::uint32_t part) const { return m_closed[part]; }
  LayoutRules& rules() { return m_rules; }
  /// Types whose size by the rules is not the runtime's, or not known. They are left out of all savings.
  std::uint64_t notComputed() const { return m_notComputed; }

  /// Bytes that the heap would shrink by, negative if it would grow; nothing if the runtime would refuse to load one of
  /// the types that are on it.
  std::optional<std::int64_t> savedBy(const Changes& changes);
  /// Base size of a class, unboxed size of a value type; nothing if the runtime would refuse it.
  std::optional<std::uint32_t> instanceBytes(std::uint32_t part, const Changes& changes);

 private:
  /// The rules over changed declarations.
  struct Changed {
    Changed(HeapSavings& savings, const Changes& changes);
    ChangedTypes types;
    LayoutRules rules;
  };

  std::optional<std::uint64_t> bytesOf(std::uint32_t type, LayoutRules& rules) const;
  bool isAsTheRuntimeHasIt(std::uint32_t type);

  const WalkedHeap& m_heap;
  const HeapParts& m_parts;
  std::vector<ClosedTypeId> m_closed;
  std::vector<const ArrayLengths*> m_lengths;         // of each held type; null for those that are no arrays
  std::vector<std::optional<std::uint64_t>> m_bytes;  // of each held type as it is
  LayoutRules& m_rules;
  std::uint64_t m_notComputed = 0;
};

}  // namespace heapscape::engine
