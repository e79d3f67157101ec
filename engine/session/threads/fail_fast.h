// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/snapshot/snapshot.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// What a thread called Environment.FailFast with.
struct FailFastCall {
  std::uint32_t caller = 0;                 // the frame that called it; the number of frames if there is none
  std::optional<std::string> message = {};  // nothing for null, or where the dump does not hold it
  Address exception = {};                   // 0 for none
};

/// Nothing if no frame of the stack is that of FailFast. Needs a stack with roots: the runtime keeps the arguments
/// nowhere else.
std::optional<FailFastCall> failFastCallOf(const Snapshot& snapshot, const ThreadStackRow& stack);

}  // namespace heapscape::engine
