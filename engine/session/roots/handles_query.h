// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "heap/segment.h"
#include "runtime/gc/finalizer_queue.h"
#include "runtime/gc/handles.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A GC handle and what it refers to.
struct HandleRow {
  Address address;
  HandleKind kind = HandleKind::Strong;
  std::uint32_t heap = 0;
  Address object;        // 0 only with includeNull
  std::string typeName;  // empty if the object is none
  Address methodTable;
  Address dependent;  // Dependent: the secondary, which lives as long as the object
  std::string dependentType;
  std::optional<std::uint32_t> referenceCount = {};  // RefCounted, as GcHandle has them
  bool isHolding = true;
  std::optional<std::uint64_t> retainedBytes = {};  // by the object; known from the Retained stage on
};

struct HandleList {
  std::vector<HandleRow> handles;  // by kind, then address
  FindingList findings;            // handles to what is no object
};

/// Lists the handles in the same order without what is told of their objects; `findings` gets those of the list.
Outcome<std::vector<GcHandle>> checkHandles(const Snapshot& snapshot, bool includeNull, FindingList& findings,
                                            std::stop_token stop);
Outcome<HandleList> listHandles(const Snapshot& snapshot, bool includeNull, std::stop_token stop);

/// An object with a finalizer that has not run.
struct FinalizerRow {
  Address object;
  std::string typeName;
  Address methodTable;
  FinalizerQueueKind queue = FinalizerQueueKind::Registered;
  std::uint32_t heap = 0;
  Generation generation = Generation::Gen0;  // where the object lies
  bool isSuppressed = false;                 // GC.SuppressFinalize, or the finalizer has run (bit 30 of the header)
  std::optional<std::uint64_t> retainedBytes = {};  // by the object; known from the Retained stage on
};

struct FinalizerList {
  std::vector<FinalizerRow> objects;  // ready ones first, in the queue's order
  FindingList findings;
};

Outcome<FinalizerList> listFinalizers(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
