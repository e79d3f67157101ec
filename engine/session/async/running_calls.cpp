// SPDX-License-Identifier: MIT
#include "session/async/running_calls.h"

#include "session/async/continuations.h"

namespace heapscape::engine {
namespace {

bool isContinuationName(std::string_view typeName) {
  return typeName.starts_with("Continuation_") || typeName == "System.Runtime.CompilerServices.Continuation";
}

RunningCall callAbove(const ThreadStackRow& thread, std::uint32_t dispatcher) {
  RunningCall call{.thread = thread.managedId};
  // A stub that the runtime writes stands in between.
  for (std::uint32_t i = dispatcher; i-- > 0 && !call.methodDesc;) {
    const FrameRow& frame = thread.frames[i];
    if (frame.kind != FrameKind::Managed || !frame.methodTable) continue;
    call.methodDesc = frame.methodDesc;
    call.ilOffset = frame.ilOffset;
    call.file = frame.file;
    call.line = frame.line;
  }
  return call;
}

}  // namespace

// AsyncHelpers.RuntimeAsyncTask<T>.DispatchContinuations, and a variant for profilers (.NET 11).
bool dispatchesContinuations(const FrameRow& frame) {
  return isRuntimeAsyncTaskName(frame.type) && frame.method.find("DispatchContinuations") != std::string::npos;
}

std::unordered_map<Address, RunningCall> runningCalls(const StackList& stacks) {
  std::unordered_map<Address, RunningCall> calls;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (std::uint32_t i = 0; i < thread.frames.size(); ++i) {
      const FrameRow& frame = thread.frames[i];
      if (!dispatchesContinuations(frame)) continue;
      RunningCall call = callAbove(thread, i);
      Address task;
      for (std::uint32_t r = frame.firstRoot; r < frame.firstRoot + frame.rootCount && r < thread.roots.size(); ++r) {
        const StackRootRow& root = thread.roots[r];
        if (root.isInterior || !root.isExact) continue;
        if (isRuntimeAsyncTaskName(root.typeName)) task = root.object;
        // The dispatcher keeps the one that comes after the method that runs.
        if (isContinuationName(root.typeName)) call.next = root.object;
      }
      if (task) calls.emplace(task, call);
    }
  }
  return calls;
}

}  // namespace heapscape::engine
