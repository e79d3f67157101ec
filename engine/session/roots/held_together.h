// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Adds a line to each group for what several of its roots hold together and none of its other lines has, so that the
/// lines of a group come to all of it.
void addHeldTogether(HeldRoots& held);

/// The same of roots by owner, as listHeldRoots() gives them, in which such a line opens into the combinations of
/// owners: types with statics, threads, kinds of handles. Each object is in the one combination of all owners that lead
/// to it. The largest `limit` of a line are told, and one line for the others; combinations of more than kMostOwners
/// are one line, too. Their names, "thread 1 + statics of Shop.Cache", begin with the owners that tell one apart from
/// the others of its line. Each opens into the objects that it is made of, the largest kMostParts and one line for the
/// others, unless it is a single one. Takes a few passes over what is held so.
inline constexpr std::size_t kMostOwners = 6;
inline constexpr std::size_t kMostParts = 20;
Outcome<void> addCombinations(const Snapshot& snapshot, HeldRoots& held, std::size_t limit, ProgressSink* progress,
                              std::stop_token stop);

}  // namespace heapscape::engine
