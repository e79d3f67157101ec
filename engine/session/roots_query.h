// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot.h"

namespace heapscape::engine {

/// What keeps an object alive from outside the heap.
enum class RootKind : std::uint8_t {
  StrongHandle,
  PinnedHandle,
  RefCountedHandle,
  AsyncPinnedHandle,
  SizedRefHandle,
  Static,
  ThreadStatic,
  FinalizerReady,
  Stack,
};
/// "strongHandle", "pinnedHandle", "refCountedHandle", "asyncPinnedHandle", "sizedRefHandle", "static",
/// "threadStatic", "finalizerReady", "stack".
const char* toString(RootKind kind);

struct RootRow {
  RootKind kind = RootKind::StrongHandle;
  Address address;      // of the slot; 0 for a register
  Address object;       // that the slot refers to, or into
  std::string name;     // "static Zoo.P.orders", "thread 5 \"worker\", rsp+0x18", "strong handle"
  bool isExact = true;  // false for a word of a stack that may be no reference at all
};

struct RootList {
  std::vector<RootRow> roots;  // by kind, then as their lists are; each object may be there several times
  FindingList findings;
};

struct RootOptions {
  bool includeStacks = true;  // every word of a stack, and register, that leads to or into an object
};

/// Weak handles and registered finalizers hold nothing and are not among them.
Outcome<RootList> listRoots(const Snapshot& snapshot, const RootOptions& options, std::stop_token stop);

}  // namespace heapscape::engine
