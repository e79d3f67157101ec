// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/retained/retained_parts.h"
#include "session/objects/retained_query.h"
#include "session/references/cuts.h"
#include "session/references/neighbours_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A cut, and what it would free by itself: nothing where something else holds the same.
struct CutShare {
  Cut cut;
  std::string name;  // as nameOfCut() has it
  Retained alone;
};

/// Objects of a type that would be freed.
struct FreedType {
  TypeId type;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
};

/// Objects freed if several things let go at once, exactly: all that no root would lead to any more. It is more than
/// the cuts come to one by one where several of them hold something together. Immutable, cheap to copy, safe to ask
/// from any thread; it keeps the snapshot that it is about.
class WhatIf {
 public:
  /// One pass over the part of the heap that the cuts have in common; over all of it for a cut of roots, and again for
  /// each cut by itself where the dominator tree does not tell. The cuts are of this snapshot.
  static Outcome<WhatIf> ask(const Snapshot& snapshot, std::vector<Cut> cuts, ProgressSink* progress,
                             std::stop_token stop);

  const Snapshot& snapshot() const;
  const std::vector<CutShare>& cuts() const;
  /// Returns what all cuts together would free.
  Retained freed() const;
  /// False for what cannot be reached as it is, and for no object.
  bool frees(Address object) const;
  /// Whether all that refers to an object is to let go of it.
  bool goes(Address object) const;
  /// Whether one object lets go of another: by a cut of these two, or because nothing is to hold the second one.
  bool isCut(Address from, Address to) const;
  /// Returns the objects that nothing else holds alone of all that would be freed: what they retain adds up to freed().
  /// The largest, at most `limit`.
  std::vector<RetainedRow> outermost(std::size_t limit) const;
  std::size_t outermostCount() const;
  /// All that would be freed, by type, most bytes first.
  Outcome<std::vector<FreedType>> types(std::stop_token stop) const;

  /// How many neighbours of each type on one side of an object would be freed; of types without any nothing. Fails with
  /// NotFound.
  struct FreedNeighbours {
    TypeId type;
    std::uint64_t objects = 0;
  };
  Outcome<std::vector<FreedNeighbours>> neighbours(Address object, Direction direction, const Neighbourhood& hood,
                                                   ProgressSink* progress, std::stop_token stop) const;

  // For the engine's own queries, by ObjectId.
  const GraphCuts& graphCuts() const;
  bool freesObject(std::uint32_t object) const;
  /// Whether this root, an index in rootsOf().roots, lets go.
  bool isRootCut(std::uint32_t root) const;

 private:
  struct Answer;
  explicit WhatIf(std::shared_ptr<const Answer> answer) : m_answer(std::move(answer)) {}

  std::shared_ptr<const Answer> m_answer;
};

}  // namespace heapscape::engine
