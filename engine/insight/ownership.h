// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/large_array.h"
#include "insight/insight.h"
#include "session/door/snapshot.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// Names who holds objects: going up the dominator tree past arrays, collections and other types of the framework to
/// the first object of the program's own, else to the root (a static by its field, a thread, a handle).
class Ownership {
 public:
  /// `objectTypes`: TypeId by ObjectId; outlives this.
  Ownership(const Snapshot& snapshot, const LargeArray<std::uint32_t>& objectTypes);

  struct Share {
    std::uint32_t object = 0;  // ObjectId
    std::uint64_t bytes = 0;
  };
  /// Owners of the same name are added up: objects of one type as that type ("Shop.Order"), one alone as the object;
  /// handles of one kind as "pinned handles".
  /// The largest first, at most Insight::kMaximumOwners.
  std::vector<InsightOwner> ownersOf(std::span<const Share> shares) const;
  /// All owners of all objects of the heap, gaps left out, so that their bytes are those of the heap's objects. Named
  /// so that other dumps have the same: objects by their type, also one alone, handles by their kind, and a thread as
  /// a whole.
  std::vector<InsightOwner> ownersOfAll() const;
  /// Whether the framework itself holds an object: a static or handle of its own leads there past none of the
  /// program's objects. What only the program or stacks hold, or nothing, is not held by it.
  bool isHeldByFramework(std::uint32_t object) const { return m_isFrameworks[object] != 0; }
  /// Whether a type belongs to the program rather than to .NET. Arrays are their elements'.
  bool isOwnType(TypeId type) const { return m_isOwnType[type.value] != 0; }
  /// Whether a static or a handle refers to an object; words of stacks do not count, for they may be none.
  bool isRooted(std::uint32_t object) const { return m_isRooted[object] != 0; }

 private:
  void findOwnTypes();
  void findRooted();
  void findFrameworks();
  void findOwners();
  bool isFrameworkRoot(const RootRow& root, std::uint32_t object) const;
  /// What owners hold, by sumKeyOf().
  struct Sum {
    std::uint64_t objects = 0, bytes = 0;
    std::uint32_t owner = 0;
    bool isOne = true;
  };
  using Sums = std::unordered_map<std::uint64_t, Sum>;

  InsightOwner describe(std::uint32_t number) const;
  std::uint64_t sumKeyOf(std::uint32_t owner) const;
  /// The kind of a handle, the thread of a variable; else the owner itself.
  std::uint32_t wholeOf(std::uint32_t owner) const;
  Sum& sumOf(std::uint32_t owner, Sums& sums) const;
  std::vector<InsightOwner> describeAll(const Sums& sums) const;

  Snapshot m_snapshot;
  const LargeArray<std::uint32_t>& m_types;
  std::vector<std::uint8_t> m_isOwnType;    // by TypeId
  std::vector<std::uint8_t> m_isOwner;      // by TypeId: of the program's own, and no array
  LargeArray<std::uint8_t> m_isRooted;      // by ObjectId
  LargeArray<std::uint8_t> m_isFrameworks;  // by ObjectId
  LargeArray<std::uint32_t> m_owners;       // by number in the dominator tree: the owner's; 0: several
};

}  // namespace heapscape::engine
