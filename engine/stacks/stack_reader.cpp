// SPDX-License-Identifier: MIT
#include "stacks/stack_reader.h"

#include "runtime/threads/thread_details.h"
#include "stacks/frames/helper_method_frame.h"
#include "stacks/frames/protected_references.h"
#include "stacks/gc_info/funclet_parents.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostRoots = 1'000'000;  // of one thread

}  // namespace

StackReader::StackReader(const RuntimeReaders& readers, const NativeUnwinder& native)
    : m_readers(readers),
      m_walker(readers, native),
      m_managedRoots(readers.runtime),
      m_arguments(readers),
      m_keepers(readers.methods) {}

StackWithRoots StackReader::read(const RuntimeThread& thread, const Registers& registers) {
  const ClrRuntime& runtime = m_readers.runtime;
  const AddressRange own = stackLimitsOf(runtime, thread);
  StackWithRoots stack{m_walker.walk(thread, registers, own),
                       {},
                       protectedReferences(runtime, thread.address, own),
                       exceptionsOf(runtime, thread.address)};
  FuncletParents parents(runtime, stack.exceptions);
  stack.roots.reserve(stack.walk.entries.size());
  std::size_t count = 0;
  for (const StackEntry& entry : stack.walk.entries) {
    const auto part = parents.next(entry, m_walker.isCalledByManaged(entry));
    FrameRoots found;
    if (count > kMostRoots) {
      found.problem = "The thread's frames have more references than any real ones.";
    } else if (part != FuncletParents::Part::IsLeft) {
      found = rootsOf(entry, part == FuncletParents::Part::IsParent);
    }
    count += found.roots.size();
    stack.roots.push_back(std::move(found));
  }
  return stack;
}

FrameRoots StackReader::rootsOf(const StackEntry& entry, bool isParentOfFunclet) const {
  FrameRoots found =
      entry.managed ? m_managedRoots.of(*entry.managed, isParentOfFunclet) : rootsOfExplicit(entry.explicitFrame);
  const Address method = entry.managed ? entry.managed->code.methodDesc : methodOf(entry.explicitFrame);
  for (const Address keeper : m_keepers.of(method, found.context)) found.roots.push_back({.object = keeper});
  if (entry.isBehindHelper && found.problem.empty())
    found.problem = "It was in a helper of the runtime that no collection begins in, so its references are not told.";
  return found;
}

Address StackReader::methodOf(const ExplicitFrame& frame) const {
  return isHelperMethodFrame(frame.kind) ? methodOfHelperMethodFrame(m_readers.runtime, frame.address)
                                         : m_arguments.methodOf(frame);
}

FrameRoots StackReader::rootsOfExplicit(const ExplicitFrame& frame) const {
  if (isHelperMethodFrame(frame.kind)) return rootsOfHelperMethodFrame(m_readers.runtime, frame.address, frame.kind);
  // From .NET 10 on the method that is returned to counts as running, and lists the value itself.
  if (frame.kind == ExplicitFrameKind::HijackFrame)
    return m_readers.runtime.contract().constant("StackWalk.HijackIsResumable") != 0
               ? FrameRoots{}
               : m_arguments.ofHijackedReturn(frame);
  return m_arguments.ofTransition(frame);
}

}  // namespace heapscape::engine
