// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/result.h"
#include "session/objects/folded_collections.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Where the bytes are that an object retains: the three parts are all of them, exactly.
struct RetainedAccount {
  std::uint64_t ownBytes = 0;    // the object's own, aligned; of a collection seen as data with its arrays and nodes
  std::uint64_t fieldBytes = 0;  // retained by what it dominates and refers to itself; of a collection by items
  std::uint64_t restBytes = 0;   // retained by what it dominates further on, where several of its references meet again

  std::uint64_t retainedBytes() const { return ownBytes + fieldBytes + restBytes; }
};

/// Fails with NotFound for no object and before the stage Retained. All zero for one that cannot be reached.
Outcome<RetainedAccount> retainedAccountOf(const Snapshot& snapshot, Address object, bool foldCollections,
                                           std::stop_token stop);

/// How retained bytes flow from one object to the next: the dominator tree between objects, in which a collection may
/// stand for the arrays and nodes that it keeps its items in. For one question, on one thread. Objects by ObjectId.
class RetainedFlow {
 public:
  static constexpr std::uint32_t kNone = ObjectId::kNone;
  /// One child that retains at least so much of what its parent does is a step of a chain.
  static constexpr std::uint64_t kChainPercent = 95;
  static constexpr std::size_t kLongestChain = 200;  // longer ones go on as another one

  /// `folding` may be null; it outlives this.
  RetainedFlow(const Contents& contents, FoldedCollections* folding) : m_contents(contents), m_folding(folding) {}

  /// The object that immediately dominates another one, whatever is folded; kNone if only roots do.
  std::uint32_t immediateDominatorOf(std::uint32_t object) const;
  /// The same, of the objects that are shown: the collection for its storage.
  std::uint32_t ownerOf(std::uint32_t object) const;
  /// Whether what `to` retains is retained through `from`, right in front of it.
  bool flows(std::uint32_t from, std::uint32_t to) const;
  /// Whether one object dominates another, directly or not.
  bool dominates(std::uint32_t above, std::uint32_t below) const;
  /// The objects that one dominates immediately, ascending by their number in the tree. Nothing if it was stopped.
  std::optional<std::vector<std::uint32_t>> childrenOf(std::uint32_t object, const std::stop_token& stop) const;
  std::optional<RetainedAccount> accountOf(std::uint32_t object, const std::stop_token& stop) const;
  /// The account of an object and the chain below it as one: `fieldBytes` are those of the last one.
  std::optional<RetainedAccount> accountOfChain(std::uint32_t object, const std::vector<std::uint32_t>& chain,
                                                const std::stop_token& stop) const;
  /// The objects that follow each other below one, each with nearly all that the one before retains; ends where that is
  /// divided. Short if it was stopped.
  std::vector<std::uint32_t> chainBelow(std::uint32_t object, const std::stop_token& stop) const;

  /// The objects on a shortest way from an object to each of some that it dominates, both ends included. Those that
  /// were not met among the first objects on the way are not told.
  std::map<std::uint32_t, std::vector<std::uint32_t>> waysTo(std::uint32_t from,
                                                             const std::vector<std::uint32_t>& targets,
                                                             const std::stop_token& stop) const;

 private:
  const Retention& retention() const { return *m_contents.retention; }
  /// Calls visit(ObjectId) for the children in the tree as it is, until it returns false.
  template <class Visit>
  bool forEachChild(std::uint32_t object, const Visit& visit) const;
  bool isStorageOf(std::uint32_t object, std::uint32_t collection) const;
  /// A collection and the parts that it keeps its items in; any other object alone.
  std::optional<std::vector<std::uint32_t>> partsOf(std::uint32_t object, const std::stop_token& stop) const;

  const Contents& m_contents;
  FoldedCollections* m_folding;
};

}  // namespace heapscape::engine
