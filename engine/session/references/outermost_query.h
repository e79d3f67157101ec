// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// The objects of a type that no other object holds alone: only roots do, or several objects together.
struct OutermostType {
  TypeId type;
  std::uint64_t objects = 0;
  std::uint64_t retainedBytes = 0;  // of all these, aligned
};

/// What each retains adds up to all that can be reached, each byte once. The largest first. Needs the stage Retained;
/// before it there is nothing.
Outcome<std::vector<OutermostType>> outermostTypes(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
