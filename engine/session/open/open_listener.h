// SPDX-License-Identifier: MIT
#pragma once

#include "base/progress.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Told what opening has reached, on the thread that opens.
class OpenListener : public ProgressSink {
 public:
  virtual void stageReady(const Snapshot& snapshot) = 0;
};

}  // namespace heapscape::engine
