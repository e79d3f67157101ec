// SPDX-License-Identifier: MIT
#include "stacks/frames/protected_references.h"

#include <fmt/format.h>

#include "stacks/exception_handling.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostFrames = 100'000;
constexpr std::uint64_t kMostProtected = 1'000'000;
// .NET 8 and 9 end the list with null, later versions with FRAME_TOP.
constexpr Address kEndOfList{~std::uint64_t{0}};

Result<ProtectedGroup> readGroup(const ClrRuntime& runtime, Address frame) {
  ProtectedGroup group;
  group.frame = frame;
  HEAPSCAPE_TRY(group.next, runtime.pointerAt(frame, "GCFrame", "Next"));
  HEAPSCAPE_TRY(group.owner, runtime.pointerAt(frame, "GCFrame", "Thread"));
  HEAPSCAPE_TRY(group.references, runtime.pointerAt(frame, "GCFrame", "ObjectRefs"));
  HEAPSCAPE_TRY(group.count, runtime.valueAt<std::uint32_t>(frame, "GCFrame", "Count"));
  HEAPSCAPE_TRY(group.mayBeInterior, runtime.valueAt<std::uint32_t>(frame, "GCFrame", "MaybeInterior"));
  return group;
}

void setProblem(FrameRoots& found, std::string problem, bool isMissing) {
  found.problem = std::move(problem);
  found.isMissing = isMissing;
}

bool addReferences(const AddressSpace& memory, const ProtectedGroup& group, FrameRoots& found) {
  for (std::uint64_t i = 0; i < group.count; ++i) {
    const Address slot = group.references + i * sizeof(std::uint64_t);
    Address object;
    if (!memory.tryRead(slot, object)) {
      setProblem(found, fmt::format("The dump lacks references of the runtime at {}.", toString(slot)), true);
      return false;
    }
    if (object)
      found.roots.push_back({.slot = slot, .reg = {}, .object = object, .isInterior = group.mayBeInterior != 0});
  }
  return true;
}

/// Calls `visit(group)` for each, innermost first, until it returns false. What cannot be read is the problem of
/// `found`.
template <class Visit>
void forEachGroup(const ClrRuntime& runtime, Address thread, AddressRange own, FrameRoots& found, Visit visit) {
  const auto first = runtime.pointerAt(thread, "Thread", "GCFrame");
  if (!first) {
    setProblem(found, "The dump lacks the thread's list of the runtime's references.", true);
    return;
  }
  std::uint64_t references = 0;
  Address frame = *first;
  for (std::size_t frames = 0; frame && frame != kEndOfList; ++frames) {
    const auto group = readGroup(runtime, frame);
    if (!group) {
      setProblem(found, fmt::format("The dump lacks the runtime's references behind {}.", toString(frame)), true);
      return;
    }
    // They lie on the thread's stack, those that came later further down.
    references += group->count;
    const bool isEnd = !group->next || group->next == kEndOfList;
    if (group->owner != thread || (!isEnd && !mayLieFurtherOut(own, frame, group->next)) || frames >= kMostFrames ||
        references > kMostProtected) {
      setProblem(found, fmt::format("The thread's list of the runtime's references is damaged at {}.", toString(frame)),
                 false);
      return;
    }
    if (!visit(*group)) return;
    frame = group->next;
  }
}

// A program compiled ahead of time has no list of that form. What its runtime holds for a thread are the exceptions
// that are on their way (Thread::GcScanRootsWorker, src/coreclr/nativeaot/Runtime/thread.cpp).
FrameRoots exceptionReferences(const ClrRuntime& runtime, Address thread) {
  FrameRoots found;
  for (const ExceptionOnItsWay& exception : exceptionsOf(runtime, thread)) {
    if (exception.object)
      found.roots.push_back({.slot = runtime.member(exception.tracker, "ExceptionInfo", "ThrownObject"),
                             .reg = {},
                             .object = exception.object});
  }
  return found;
}

}  // namespace

FrameRoots protectedReferences(const ClrRuntime& runtime, Address thread, AddressRange own) {
  if (runtime.aot()) return exceptionReferences(runtime, thread);
  FrameRoots found;
  forEachGroup(runtime, thread, own, found,
               [&](const ProtectedGroup& group) { return addReferences(runtime.memory(), group, found); });
  return found;
}

std::vector<ProtectedGroup> protectedGroups(const ClrRuntime& runtime, Address thread, AddressRange own) {
  std::vector<ProtectedGroup> groups;
  FrameRoots unread;
  forEachGroup(runtime, thread, own, unread, [&](const ProtectedGroup& group) {
    groups.push_back(group);
    return true;
  });
  return groups;
}

}  // namespace heapscape::engine
