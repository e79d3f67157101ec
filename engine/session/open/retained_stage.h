// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Told what opening has reached, on the thread that opens.
class OpenListener : public ProgressSink {
 public:
  virtual void stageReady(const Snapshot& snapshot) = 0;
};

class AnswerCache;

struct RetainedOptions {
  RootOptions roots = {};
  bool byType = true;  // whether to add up types, too
  /// Where to look first for what was found before; null for nowhere. What was found anew is written by keepAnswers().
  std::shared_ptr<const AnswerCache> cache = {};
  /// Bytes of memory that they, and later insights, may take at the peak; nothing for what is free.
  std::optional<std::uint64_t> memoryBytes = {};
};

/// About what the references and retained sizes of so many objects, gaps among them, take at the peak.
std::uint64_t retainedNeedBytes(std::uint64_t objects);

/// Adds the stages References and Retained to a snapshot of stage Layouts. One that has them already gets them anew
/// for other roots; what does not depend on these is kept. `listener` may be null; its progress runs from
/// `progressFrom` to 1. Fails with NoHeap if the snapshot has no objects, and with NotEnoughMemory
/// before anything is computed that was not kept.
Outcome<Snapshot> addRetained(const Snapshot& snapshot, const RetainedOptions& options, OpenListener* listener,
                              std::stop_token stop, double progressFrom = 0);

/// Whether anything that was found of a dump waits to be written to the cache.
bool hasAnswersToKeep(const Snapshot& snapshot);
/// Writes it, which takes about as long as copying it. Why it could not be written, if so: nothing else suffers.
Outcome<void> keepAnswers(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
