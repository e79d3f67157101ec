// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"
#include "session/objects/array_lengths.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// A class or value type that objects are made of: their own type, a base class, a value type of elements or fields.
struct HeapPart {
  Address methodTable;
  std::uint64_t objects = 0;                // of exactly this type; boxes of a value type
  std::uint64_t derived = 0;                // objects of classes below
  std::uint64_t elements = 0;               // of arrays
  std::uint64_t nested = 0;                 // fields inside objects and elements, at any depth
  std::uint64_t paddingBytes = 0;           // own and nested; base classes have no share in that of derived objects
  std::uint64_t ownPaddingBytes = 0;        // not inside a nested value type
  std::vector<std::uint32_t> holders = {};  // indices of the held types whose size may follow from this part
};

/// A type with objects on the heap whose size follows from how parts are laid out. Arrays of references or primitives
/// and strings are none.
struct HoldingType {
  TypeId type;
  bool isArray = false;
  std::uint32_t part = 0;  // the type itself, or the type of the array's elements
  /// Whether its objects could be smaller by any order of fields: with their padding they take more than without.
  bool canShrink = false;
};

/// Parts of the heap's objects, as the runtime laid them out.
struct HeapParts {
  std::vector<HeapPart> parts;
  std::vector<HoldingType> types;
  std::uint64_t boxRoundingBytes = 0;  // behind boxed values
  std::uint64_t arrayEndBytes = 0;     // behind the last element of arrays and the last character of strings
  std::vector<Address> unread;         // method tables whose layout could not be read
};

/// From the layouts of all types with objects, which are read for the first who asks.
Outcome<std::shared_ptr<const HeapParts>> heapPartsOf(const Contents& contents, StageProgress& progress,
                                                      std::stop_token stop);

/// Bytes of the heap if types were declared otherwise, to the byte: every object and array that holds one is laid out
/// anew by the runtime's rules.
class HeapSavings {
 public:
  /// Changed declarations by index of the part.
  using Changes = std::map<std::uint32_t, DeclarationChange>;

  /// `closed`: the type of each part, none for those that metadata does not tell. `lengths`: of the types that are
  /// arrays, in their order.
  HeapSavings(const WalkedHeap& heap, const HeapParts& parts, std::vector<ClosedTypeId> closed,
              const std::vector<ArrayLengths>& lengths, LayoutRules& rules);

  /// Lays out all that is on the heap as it is declared, which is else done where it is asked for.
  Outcome<void> measure(std::stop_token stop);

  ClosedTypeId closed(std::uint32_t part) const { return m_closed[part]; }
  LayoutRules& rules() { return m_rules; }
  /// Measured types whose size by the rules is not the runtime's, or not known. They are left out of all savings.
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
  /// Bytes of a held type as it is; nothing where the rules do not tell them.
  std::optional<std::uint64_t> bytesNow(std::uint32_t type);

  const WalkedHeap& m_heap;
  const HeapParts& m_parts;
  std::vector<ClosedTypeId> m_closed;
  std::vector<const ArrayLengths*> m_lengths;         // of each held type; null for those that are no arrays
  std::vector<std::optional<std::uint64_t>> m_bytes;  // of each held type as it is, where that was measured
  std::vector<std::uint8_t> m_isMeasured;
  LayoutRules& m_rules;
  std::uint64_t m_notComputed = 0;
};

}  // namespace heapscape::engine
