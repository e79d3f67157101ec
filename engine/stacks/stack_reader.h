// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "runtime/methods/method_descs.h"
#include "stacks/exception_handling.h"
#include "stacks/frames/argument_roots.h"
#include "stacks/gc_info/frame_roots.h"
#include "stacks/stack_walk.h"

namespace heapscape::engine {

/// Objects that keep the code of running methods, and the types that it runs for, loaded: a collection takes them for
/// roots of the frame (GcStackCrawlCallBack, src/coreclr/vm/gcenv.ee.common.cpp). Safe from any thread.
class CodeKeepers {
 public:
  /// `methods` has to outlive this.
  explicit CodeKeepers(const MethodDescs& methods) : m_methods(methods) {}

  /// Those of a frame's method, 0 for none, and of what shared code runs for. What cannot be read is left out.
  std::vector<Address> of(Address methodDesc, const std::optional<GenericContext>& context) const;

 private:
  void addKeepersOfMethod(Address methodDesc, std::vector<Address>& keepers) const;
  void addKeeperOfType(TypeHandle type, std::vector<Address>& keepers) const;

  const MethodDescs& m_methods;
};

/// The System.Reflection.Emit.DynamicResolver that a running DynamicMethod or compiled expression keeps alive
/// (LCGMethodResolver, src/coreclr/vm/dynamicmethod.h); 0 for other methods, and if it cannot be read.
Address resolverOf(const ClrRuntime& runtime, Address methodDesc);

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
