// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/runtime_readers.h"
#include "stacks/frames/argument_locations.h"
#include "stacks/gc_info/frame_roots.h"
#include "stacks/stack_frame.h"

namespace heapscape::engine {

/// The references among the arguments of a call that is on its way (TransitionFrame::PromoteCallerStack,
/// src/coreclr/vm/frames.cpp), and in the return value of a method that was stopped on its way back. Safe from any
/// thread.
class ArgumentRoots {
 public:
  explicit ArgumentRoots(const RuntimeReaders& readers) : m_readers(readers), m_locator(readers) {}

  /// The arguments of a frame with a transition block: PInvokeCalli, Prestub, StubDispatch, CallCounting, External,
  /// DynamicHelper, Multicast. Other kinds have none. If some arguments cannot be told, those before them are given
  /// with the problem.
  FrameRoots ofTransition(const ExplicitFrame& frame) const;
  /// The value of a HijackFrame (.NET 8 and 9) that the hijacked method has just returned.
  FrameRoots ofHijackedReturn(const ExplicitFrame& frame) const;

  /// The method that a transition frame is about to call; 0 if it cannot be told.
  Address methodOf(const ExplicitFrame& frame) const;

 private:
  Address transitionBlockOf(const ExplicitFrame& frame) const;
  Address methodInSlotOf(const ExplicitFrame& frame) const;
  FrameRoots bySignature(const ExplicitFrame& frame, Address block) const;
  Result<FrameRoots> byReferenceMap(const ExplicitFrame& frame, Address block) const;
  FrameRoots ofDynamicHelper(const ExplicitFrame& frame, Address block) const;
  void add(Address slot, bool isInterior, FrameRoots& roots) const;

  const RuntimeReaders& m_readers;
  ArgumentLocator m_locator;
};

}  // namespace heapscape::engine
