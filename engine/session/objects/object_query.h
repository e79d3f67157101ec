// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct ObjectRow {
  ObjectId id;
  Address address;
  std::uint64_t sizeBytes = 0;     // exact, at least 24
  std::uint64_t alignedBytes = 0;  // what it takes up, a multiple of 8
  TypeId type;
  SegmentId segment;
  std::optional<Generation> generation = {};  // nothing in a recorded heap
};

struct ObjectFilter {
  std::string typeText;  // part of the type's name, case kept; empty for all
  std::optional<TypeId> type;
  std::optional<Generation> generation;
  std::optional<std::uint32_t> heap;
  std::uint64_t minimumBytes = 0;         // of the exact size
  std::optional<AddressRange> addresses;  // objects that start in it
};

/// Calls `visit` for every matching object in address order until it returns false. False if it was stopped.
bool forEachObject(const Snapshot& snapshot, const ObjectFilter& filter,
                   const std::function<bool(const ObjectRow&)>& visit, std::stop_token stop = {});

/// The object that holds this address (its start, header or inside); nothing for gaps and everything outside the heap.
std::optional<ObjectRow> objectAt(const Snapshot& snapshot, Address address);

/// Pages through the objects of a selection without holding all: at most `limit` objects from the `skip`th match on.
std::vector<ObjectRow> listObjects(const Snapshot& snapshot, const ObjectFilter& filter, std::uint64_t skip,
                                   std::size_t limit, std::stop_token stop = {});

/// The type of an object; none if the dump does not hold its head. From the Objects stage on.
TypeId typeOfObject(const Contents& contents, std::uint32_t object);

struct TypedObject {
  ObjectId id;
  TypeId type;
};

/// All objects of some types, in address order, found on all cores in one pass over the index; what cannot be reached
/// is among them. `isWanted`: by TypeId. Nothing if it was stopped. From the Objects stage on.
std::optional<std::vector<TypedObject>> objectsOfTypes(const Contents& contents,
                                                       const std::vector<std::uint8_t>& isWanted,
                                                       const std::stop_token& stop);

// All of these but one do without the stage Retained, and tell of what cannot be reached as well. What is listed twice,
// or is of a type of the set, too, counts once; addresses at which no object begins are passed over.

/// By ObjectId, whether an object belongs to a set.
Outcome<std::vector<bool>> membersOf(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop);
/// Returns what retainedOfSet() does, for objects by ObjectId. Needs the stage Retained.
Outcome<RetainedSet> retainedOfMembers(const Snapshot& snapshot, const std::vector<bool>& isMember,
                                       ProgressSink* progress, std::stop_token stop);
/// ObjectIds of its objects, ascending.
Outcome<std::vector<std::uint32_t>> idsOfSet(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop);
/// Its objects and what they take up.
Outcome<Retained> sizeOfSet(const Snapshot& snapshot, const ObjectSet& set, std::stop_token stop);

/// Target of a reference from outside the heap.
struct ReferredObject {
  bool isObject = false;  // an object begins there, and is not free
  std::string typeName;   // empty if it is none
  Address methodTable;
};

/// Returns nullopt where no object begins, or a free one. The address is held against the object index; before the
/// Objects stage against method tables alone.
std::optional<Address> methodTableOfReferred(const Snapshot& snapshot, Address object);
/// Returns the method table of a referred object with the type's name.
ReferredObject referredObject(const Snapshot& snapshot, Address object);

}  // namespace heapscape::engine
