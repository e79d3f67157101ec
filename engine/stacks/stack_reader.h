// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "stacks/exception_passes.h"
#include "stacks/frames/argument_roots.h"
#include "stacks/gc_info/code_keepers.h"
#include "stacks/gc_info/frame_roots.h"
#include "stacks/stack_walk.h"

namespace heapscape::engine {

/// The stack of one thread with what each frame refers to.
struct StackWithRoots {
  StackWalk walk;
  std::vector<FrameRoots> roots;  // one for each entry of the walk; empty ones where the runtime asks for none
  FrameRoots protectedRoots;      // that code of the runtime itself holds, by their slots
  std::vector<ExceptionOnItsWay> exceptions;  // newest first
};

/// Reads stacks with their roots as a collection would find them (ScanStackRoots, src/coreclr/vm/gcenv.ee.cpp).
/// Not safe from several threads; have one for each.
class StackReader {
 public:
  StackReader(const RuntimeReaders& readers, const NativeUnwinder& native);

  StackWithRoots read(const RuntimeThread& thread, const Registers& registers);
  /// The method that a frame of the runtime is about; 0 where none is known.
  Address methodOf(const ExplicitFrame& frame) const;

 private:
  FrameRoots rootsOf(const StackEntry& entry, bool isParentOfFunclet) const;
  FrameRoots rootsOfExplicit(const ExplicitFrame& frame) const;

  const RuntimeReaders& m_readers;
  StackWalker m_walker;
  ManagedFrameRoots m_managedRoots;
  ArgumentRoots m_arguments;
  CodeKeepers m_keepers;
};

}  // namespace heapscape::engine
