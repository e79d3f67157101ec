// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct ObjectRow {
  ObjectId id;
  Address address;
  std::uint64_t sizeBytes = 0;     // exact, at least 24
  std::uint64_t alignedBytes = 0;  // what it takes up, a multiple of 8
  TypeId type;
  SegmentId segment;
  Generation generation = Generation::Gen0;
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

/// Pages through the objects of a selection without holding them all: at most `limit` objects from the `skip`th match
/// on.
std::vector<ObjectRow> listObjects(const Snapshot& snapshot, const ObjectFilter& filter, std::uint64_t skip,
                                   std::size_t limit, std::stop_token stop = {});

}  // namespace heapscape::engine
