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

/// Whoever holds a part of what is live by roots of its own: the statics of a type, a thread, the handles of a kind.
struct RootOwner {
  std::string
      name;        // "static Shop.Program.orders" where nearly all of it is one root's, else "statics of Shop.Program"
  Retained alone;  // what no root of another owner leads to
  Address object = {};  // that the one root refers to; 0 for several
};

/// The largest owners. With the others and what several hold together they add up to all that is live.
struct RootOwners {
  std::vector<RootOwner> owners;  // those that hold most first
  std::uint64_t others = 0;       // how many more there are that hold anything alone
  Retained ofOthers;
  Retained together;
};

/// At most so many owners. Needs the stage Retained; before it there are none.
Outcome<RootOwners> largestOwners(const Snapshot& snapshot, std::size_t most, std::stop_token stop);

/// The roots that would each free most if they let go, the largest first; none that would free nothing. At most so
/// many. Needs the stage Retained.
Outcome<std::vector<HeldRoot>> largestRoots(const Snapshot& snapshot, std::size_t most, std::stop_token stop);

}  // namespace heapscape::engine
