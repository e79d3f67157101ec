// SPDX-License-Identifier: MIT
#include "session/stacks/stacks_query.h"

#include <fmt/format.h>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stack_rows.h"

namespace heapscape::engine {

const char* toString(FrameKind kind) {
  switch (kind) {
    case FrameKind::Managed:
      return "managed";
    case FrameKind::Runtime:
      return "runtime";
    case FrameKind::Native:
      return "native";
  }
  return "unknown";
}

std::string nameOf(const FrameRow& frame) {
  if (frame.kind == FrameKind::Native) {
    const std::string module = frame.origin.empty() ? "?" : frame.origin;
    // An offset in the library stands for a symbol that is not known.
    return frame.method.starts_with('+') ? module + frame.method
                                         : fmt::format("{}!{}", module, frame.method.empty() ? "?" : frame.method);
  }
  const std::string method = methodOf(frame) + frame.parameters;
  if (frame.kind == FrameKind::Managed) return method;
  return method.empty() ? fmt::format("[{}]", frame.origin) : fmt::format("[{}: {}]", frame.origin, method);
}

std::string methodOf(const FrameRow& frame) {
  return frame.method.empty() || frame.type.empty() ? frame.method : fmt::format("{}.{}", frame.type, frame.method);
}

namespace {

void noteUnreadStack(const ThreadStackRow& row, FindingList& findings) {
  if (row.isComplete) return;
  findings.add(FindingKind::RuntimeDataDamaged, row.thread,
               row.gap ? fmt::format("The stack of thread {} lacks frames: {}", row.managedId, row.problem)
                       : fmt::format("The stack of thread {} was not read to its end: {}", row.managedId, row.problem));
}

}  // namespace

Outcome<StackList> readStacks(const Snapshot& snapshot, const StackOptions& options, std::stop_token stop) {
  StackList list;
  StackRows rows(snapshot, options);
  FindingList known;  // opening has told of them
  for (const RuntimeThread& thread : readThreads(snapshot.contents().readers->runtime, known)) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (options.thread && *options.thread != thread.address) continue;
    auto row = rows.of(thread);
    if (!row) continue;
    noteUnreadStack(*row, list.findings);
    list.threads.push_back(std::move(*row));
  }
  return list;
}

Outcome<std::shared_ptr<const StackList>> keptStacks(const Snapshot& snapshot, std::stop_token stop) {
  return snapshot.contents().stacks->get([&] { return readStacks(snapshot, {}, stop); });
}

}  // namespace heapscape::engine
