// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// An async method that was suspended by the runtime itself and goes on at the moment.
struct RunningCall {
  Address methodDesc = {};                     // 0 where the stack does not tell it
  Address next = {};                           // the continuation of its caller; 0 if nobody awaits it
  std::uint32_t thread = 0;                    // managed id
  std::optional<std::uint32_t> ilOffset = {};  // at which its frame is
  std::string file = {};                       // of the source; empty if not known
  std::uint32_t line = 0;
};

/// By the task that ends with it, or with who awaits it.
std::unordered_map<Address, RunningCall> runningCalls(const StackList& stacks);

/// Whether a frame goes through continuations, one after the other: the method that runs is the next one inwards.
bool dispatchesContinuations(const FrameRow& frame);

}  // namespace heapscape::engine
