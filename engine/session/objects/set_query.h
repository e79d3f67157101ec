// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/objects/retained_query.h"

namespace heapscape::engine {

// All of these but one do without the stage Retained, and tell of what cannot be reached as well. What is listed twice,
// or is of a type of the set, too, counts once; addresses at which no object begins are passed over.

/// By ObjectId, whether an object belongs to a set.
Outcome<std::vector<bool>> membersOf(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop);
/// As retainedOfSet(), of objects by ObjectId. Needs the stage Retained.
Outcome<RetainedSet> retainedOfMembers(const Snapshot& snapshot, const std::vector<bool>& isMember,
                                       ProgressSink* progress, std::stop_token stop);
/// ObjectIds of its objects, ascending.
Outcome<std::vector<std::uint32_t>> idsOfSet(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop);
/// Its objects and what they take up.
Outcome<Retained> sizeOfSet(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop);

}  // namespace heapscape::engine
