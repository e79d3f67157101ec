// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "session/snapshot/snapshot.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// A root that a stack or the registers of a thread hold.
struct StackRootEntry {
  Address slot;       // 0 for one in a register of the processor
  Address object;     // that it refers to, or into
  std::string place;  // "Zoo.P.Work, order", "Zoo.P.Work, rbx", "Zoo.P.Work, rsp+0x18"; of a word "rsp+0x18"
  bool isExact = true;
};

/// Everything of a thread's stack that holds objects. Where a frame's references are not known, each word of its part
/// of the stack that leads to or into an object stands in for them, and is not exact; so do the registers if no frame
/// further in is known. False if it was stopped.
bool forEachStackRoot(const Snapshot& snapshot, const ThreadStackRow& stack, bool includeInexact,
                      const std::function<void(StackRootEntry)>& visit, std::stop_token stop);

}  // namespace heapscape::engine
