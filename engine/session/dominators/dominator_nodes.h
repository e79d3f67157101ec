// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/dominators/dominator_tree.h"
#include "session/dominators/dominators_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

struct Contents;
struct DominatorGroupStore;

/// Index for looking at the dominator tree from above. 12 bytes an object.
struct DominatorIndex {
  DominatorChildren children;         // those that retain most first
  LargeArray<std::uint32_t> typesOf;  // TypeId by number; none for what is no object

  TypeId typeOf(std::uint32_t number) const { return {typesOf[number]}; }
};

Outcome<DominatorIndex> makeDominatorIndex(const Contents& contents, std::stop_token stop);

/// Objects freed with some together, as parts of the dominator tree.
struct DominatedSet {
  std::vector<std::uint32_t> numbers = {};  // of the parts' tops in the tree: those that retain most first
  std::uint64_t objects = 0;                // of the set, those that can be reached
  std::uint64_t bytes = 0;                  // of these
  std::uint64_t retainedObjects = 0;
  std::uint64_t retainedBytes = 0;
  bool operator==(const DominatedSet&) const = default;
};

/// One pass over the part of the heap that they have in common. `objects`: ObjectIds. Contents: those with the tree.
Outcome<DominatedSet> dominatedSet(const Contents& contents, std::span<const std::uint32_t> objects,
                                   ProgressSink* progress, std::stop_token stop);

/// Children of a node in their order: those listed, or `count` in a row from `first` on.
struct DominatorFamily {
  std::span<const std::uint32_t> listed = {};
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  std::uint32_t operator[](std::uint32_t i) const { return listed.empty() ? first + i : listed[i]; }
};

/// The dominator tree in one grouping. All but has() are about nodes that are there.
class DominatorNodes {
 public:
  virtual ~DominatorNodes() = default;

  virtual bool has(std::uint32_t node) const = 0;
  /// Those that retain most first.
  virtual Outcome<DominatorFamily> childrenOf(std::uint32_t node, std::stop_token stop) = 0;
  virtual std::uint64_t retainedBytes(std::uint32_t node) const = 0;
  virtual DominatorNode describe(std::uint32_t node) const = 0;
  /// The node for one vertex alone, by its number in the tree, which is not 0.
  virtual Outcome<std::uint32_t> nodeOf(std::uint32_t number) = 0;
  /// The node for a set; the same for the same one.
  virtual std::uint32_t nodeOfSet(DominatedSet set) = 0;
  /// The vertices that a node stands for, by number; of a set those right below it.
  virtual std::vector<std::uint32_t> membersOf(std::uint32_t node) const = 0;
  /// The nodes that a way leads through. `numbers`: from below the whole down.
  virtual Outcome<std::vector<std::uint32_t>> along(const std::vector<std::uint32_t>& numbers,
                                                    std::stop_token stop) = 0;
};

/// Each vertex of the tree for itself; a node is its number, and behind them a set by its place among those asked for.
class DominatorObjects : public DominatorNodes {
 public:
  DominatorObjects(const Contents& contents, const DominatorIndex& index, std::vector<DominatedSet>& sets)
      : m_contents(contents), m_index(index), m_sets(sets) {}

  bool has(std::uint32_t node) const override;
  Outcome<DominatorFamily> childrenOf(std::uint32_t node, std::stop_token stop) override;
  std::uint64_t retainedBytes(std::uint32_t node) const override;
  DominatorNode describe(std::uint32_t node) const override;
  Outcome<std::uint32_t> nodeOf(std::uint32_t number) override { return number; }
  std::uint32_t nodeOfSet(DominatedSet set) override;
  std::vector<std::uint32_t> membersOf(std::uint32_t node) const override;
  Outcome<std::vector<std::uint32_t>> along(const std::vector<std::uint32_t>& numbers, std::stop_token stop) override;

 private:
  std::uint32_t firstSet() const;
  /// Null for what is a vertex.
  const DominatedSet* setOf(std::uint32_t node) const;

  const Contents& m_contents;
  const DominatorIndex& m_index;
  std::vector<DominatedSet>& m_sets;
};

/// Data made for browsing a dominator tree, kept as long as it.
class DominatorBrowsing {
 public:
  DominatorBrowsing();
  ~DominatorBrowsing();

  /// Contents: those with the tree.
  Outcome<std::shared_ptr<const DominatorIndex>> index(const Contents& contents, std::stop_token stop) {
    return m_index.get([&] { return makeDominatorIndex(contents, stop); });
  }
  /// Calls `use(DominatorNodes&)`, which gives an Outcome; one question at a time.
  template <class Use>
  auto with(const Contents& contents, DominatorGrouping grouping, std::stop_token stop, const Use& use)
      -> decltype(use(std::declval<DominatorNodes&>())) {
    HEAPSCAPE_TRY(const auto index, this->index(contents, stop));
    const std::lock_guard lock(m_mutex);
    const std::unique_ptr<DominatorNodes> nodes = nodesOf(contents, *index, grouping);
    return use(*nodes);
  }

 private:
  std::unique_ptr<DominatorNodes> nodesOf(const Contents& contents, const DominatorIndex& index,
                                          DominatorGrouping grouping);

  OnDemand<DominatorIndex> m_index;
  std::mutex m_mutex;
  std::unique_ptr<DominatorGroupStore> m_byType, m_byNamespace;
  std::vector<DominatedSet> m_sets;  // that were asked for by object
};

/// Description of a set, but for its node.
DominatorNode describeSet(const DominatedSet& set);

Outcome<void> checkDominatorNode(const DominatorNodes& nodes, std::uint32_t node);

/// Calls `use(DominatorNodes&)` with a snapshot's tree in one grouping. Fails with NotFound before the stage Retained.
template <class Use>
auto withDominatorNodes(const Snapshot& snapshot, DominatorGrouping grouping, std::stop_token stop, const Use& use)
    -> decltype(use(std::declval<DominatorNodes&>())) {
  if (!snapshot.has(Stage::Retained)) {
    return tl::unexpected(Unfinished(Error{ErrorCode::NotFound, "It is not known yet who holds what."}));
  }
  const Contents& contents = snapshot.contents();
  return contents.retention->browsing->with(contents, grouping, stop, use);
}

}  // namespace heapscape::engine
