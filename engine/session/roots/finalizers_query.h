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
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

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
