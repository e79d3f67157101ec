// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// What an owner is named by.
enum class OwnerKind : std::uint8_t {
  Statics,  // a class, by its static fields together
  Field,    // one static field, also of a thread
  Stack,    // a place on a thread's stack
  Other,    // a thread, a kind of handles, a handle, or whatever else
};

/// Whoever holds a part of what is live: by roots of its own the statics of a type, a thread, the handles of a kind; or
/// an object that roots of several of these lead to.
struct RootOwner {
  /// "static Shop.Program.orders" where nearly all of it is one root's, else "statics of Shop.Program"; of an object
  /// that is shared a root that refers to it, a field rather than another; empty if none does. Where nothing tells what
  /// statics are called, what the largest of them refers to: "static List<Order>", "statics: List<Order>".
  std::string name;
  OwnerKind kind = OwnerKind::Other;
  Retained alone;             // what no root of another owner leads to, or what the object retains
  Address object = {};        // that the one root refers to, or that is shared; 0 for several
  bool isShared = false;      // an object whose immediate dominator is no owner
  std::string typeName = {};  // of an object that is shared
  std::string place = {};     // of statics without a name: "<statics shop+0x1a2b30>"; else empty
  /// Index in the list of roots, of all but objects that are shared.
  std::uint32_t group = RootGroup::kNone;
  Retained byOneRoot = {};  // of `alone`, what single roots of it free
};

/// The largest owners. With the others and what several hold together they add up to all that is live.
struct RootOwners {
  std::vector<RootOwner> owners;  // those that hold most first
  std::uint64_t others = 0;       // how many more there are that hold anything alone
  Retained ofOthers;
  Retained together;  // less what the shared objects among `owners` retain
};

/// At most so many owners, shared objects among them. Needs the stage Retained; before it there are none.
Outcome<RootOwners> largestOwners(const Snapshot& snapshot, std::size_t most, std::stop_token stop);

}  // namespace heapscape::engine
