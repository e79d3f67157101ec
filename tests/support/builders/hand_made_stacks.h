// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>

#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// A frame of managed code; of .NET where its type belongs to System.
inline FrameRow managedFrame(const std::string& type, const std::string& method, const std::string& parameters = "()") {
  FrameRow frame;
  frame.type = type;
  frame.method = method;
  frame.parameters = parameters;
  frame.owner = type.starts_with("System.") ? CodeOwner::Framework : CodeOwner::Own;
  frame.origin = frame.owner == CodeOwner::Framework ? "System.Private.CoreLib" : "Shop";
  return frame;
}

inline FrameRow runtimeFrame(const std::string& name) {
  FrameRow frame;
  frame.kind = FrameKind::Runtime;
  frame.origin = name;
  return frame;
}

inline FrameRow nativeFrame(const std::string& module, const std::string& symbol) {
  FrameRow frame;
  frame.kind = FrameKind::Native;
  frame.origin = module;
  frame.method = symbol;
  return frame;
}

/// Frames innermost first.
inline ThreadStackRow stackOf(std::uint32_t managedId, std::initializer_list<FrameRow> frames) {
  ThreadStackRow stack;
  stack.thread = {0x7f0000000000 + managedId * 0x1000ull};
  stack.managedId = managedId;
  stack.osId = 1000 + managedId;
  stack.frames = frames;
  return stack;
}

}  // namespace heapscape::engine
