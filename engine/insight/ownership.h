// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/large_array.h"
#include "heap/object_types.h"
#include "insight/insight.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Names who holds objects: going up the dominator tree past arrays, collections and other types of the framework to
/// the first object of the program's own, else to the root (a static by its field, a thread, a handle).
class Ownership {
 public:
  /// `objectTypes`: TypeId by ObjectId; outlives this.
  Ownership(const Snapshot& snapshot, const ObjectTypes& objectTypes);

  struct Share {
    std::uint32_t object = 0;  // ObjectId
    std::uint64_t bytes = 0;
  };
  /// Whom an object belongs to, for Sums::add().
  struct Owner {
    std::uint64_t key = 0;     // of those that are added up
    std::uint32_t number = 0;  // in the dominator tree
  };
  /// Sums by owner of a set of objects, which are added in any order.
  class Sums;
  /// Objects whose owners are looked for together: memory answers many questions at once as fast as one.
  static constexpr std::size_t kTogether = 64;
  using Owners = std::array<Owner, kTogether>;

  /// The owner of each of at most kTogether ObjectIds.
  void findOwnersOf(std::span<const std::uint32_t> objects, Owners& owners) const;
  /// Owners of the same name are added up: objects of one type as that type ("Shop.Order"), one alone as the object;
  /// handles of one kind as "pinned handles".
  /// The largest first, at most Insight::kMaximumOwners.
  std::vector<InsightOwner> ownersOf(std::span<const Share> shares) const;
  /// Returns the owners of objects that were added up before.
  std::vector<InsightOwner> ownersOf(const Sums& sums) const;
  /// All owners of all objects of the heap, gaps left out, so that their bytes are those of the heap's objects. Named
  /// so that other dumps have the same: objects by their type, also one alone, handles by their kind, and a thread as
  /// a whole.
  std::vector<InsightOwner> ownersOfAll() const;
  /// Whether the framework itself holds an object: a static or handle of its own leads there past none of the
  /// program's objects. What only the program or stacks hold, or nothing, is not held by it.
  bool isHeldByFramework(std::uint32_t object) const { return m_isFrameworks[object]; }
  /// Whether a type belongs to the program rather than to .NET. Arrays are their elements'.
  bool isOwnType(TypeId type) const { return m_isOwnType[type.value] != 0; }
  /// Whether a static or a handle refers to an object; words of stacks do not count, for they may be none.
  bool isRooted(std::uint32_t object) const { return m_isRooted[object]; }

 private:
  void findOwnTypes();
  void findRooted();
  void findFrameworks();
  void findRoots();
  /// Returns the owner of a number in the dominator tree.
  std::uint32_t ownerOf(std::uint32_t number) const;
  /// The owners of all numbers.
  LargeArray<std::uint32_t> findOwners() const;
  const LargeArray<std::uint32_t>& allOwners() const;
  void findOwningNumbers();
  bool isOwningObject(std::uint32_t number) const { return m_isOwning[number / 64] >> number % 64 & 1; }
  bool isOwner(std::uint32_t number) const;
  bool isKnown(std::uint32_t owner) const;
  bool isFrameworkRoot(const RootRow& root, std::uint32_t object) const;
  Sums sumsOf(std::span<const Share> shares) const;
  /// Of an object that no root leads to.
  std::uint32_t ownerOfUnreached(std::uint32_t object) const;
  InsightOwner describe(std::uint32_t number) const;
  std::uint64_t sumKeyOf(std::uint32_t owner) const;
  /// The kind of a handle, the thread of a variable; else the owner itself.
  std::uint32_t wholeOf(std::uint32_t owner) const;
  std::vector<InsightOwner> describeAll(const Sums& sums) const;

  Snapshot m_snapshot;
  const ObjectTypes& m_types;
  std::vector<std::uint8_t> m_isOwnType;                     // by TypeId
  std::vector<bool> m_isRooted;                              // by ObjectId
  std::vector<bool> m_isFrameworks;                          // by ObjectId
  std::unordered_map<std::uint32_t, std::uint32_t> m_roots;  // by ObjectId, without stacks: the one that says most
  std::vector<std::uint64_t> m_isOwning;  // by number in the dominator tree, a bit: of the program's own, and no array
  // By number in the dominator tree: the owner's; 0: several. Made only where the way up to one is long.
  mutable LargeArray<std::uint32_t> m_owners;
  mutable std::once_flag m_ownersMade;
};

class Ownership::Sums {
 public:
  Sums() = default;
  Sums(Sums&&) = default;
  Sums& operator=(Sums&&) = default;

  void add(const Owner& owner, std::uint64_t bytes) { of(owner).add(1, bytes); }
  void append(const Sums& others);

 private:
  friend class Ownership;

  struct Sum {
    std::uint64_t objects = 0, bytes = 0;
    std::uint32_t owner = 0;  // the last one
    bool isOne = true;        // all of them are

    void add(std::uint64_t count, std::uint64_t size) {
      objects += count;
      bytes += size;
    }
  };

  /// Returns the sum of an owner, to be added to.
  Sum& of(const Owner& owner);

  std::unordered_map<std::uint64_t, Sum> m_byKey;
  std::uint64_t m_lastKey = 0;  // most objects have the key of the one before
  Sum* m_last = nullptr;
};

}  // namespace heapscape::engine
