// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// A frame that refers to an object.
struct StackHolder {
  Address thread;  // of the runtime's Thread
  std::uint32_t managedId = 0;
  std::string threadName;  // that the program gave it; empty for none
  std::string type;        // as FrameRow has it
  std::string method;
  std::string frame;     // its full name
  std::string variable;  // empty where only the register or slot is known
  std::string place;     // "rbx", "0x7ffe12345678"
  bool isExact = true;
};

/// The frames of all threads that refer to an object or into it: by thread, innermost first.
Outcome<std::vector<StackHolder>> stackHolders(const Snapshot& snapshot, Address object, std::stop_token stop);
/// The same of stacks that are known already.
std::vector<StackHolder> holdersOnStacks(const StackList& stacks, Address object);

}  // namespace heapscape::engine
