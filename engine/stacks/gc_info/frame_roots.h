// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/clr_runtime.h"
#include "stacks/gc_info/gc_info.h"
#include "stacks/stack_frame.h"

namespace heapscape::engine {

/// What shared generic code was called for.
struct GenericContext {
  Address handle;         // of the exact MethodTable, or MethodDesc
  bool isMethod = false;  // the latter
};

/// What could be told of the roots of one frame.
struct FrameRoots {
  std::vector<StackRoot> roots;                // without those that hold null
  std::string problem;                         // why the roots are not known exactly; empty if they are
  bool isMissing = false;                      // the problem is memory that the dump lacks
  std::optional<GenericContext> context = {};  // of code that keeps it in its frame
};

/// The references of a frame of managed code, from the GC info of its method
/// (EECodeManager::EnumGcRefs, src/coreclr/vm/eetwain.cpp). Safe from any thread.
class ManagedFrameRoots {
 public:
  explicit ManagedFrameRoots(const ClrRuntime& runtime)
      : m_runtime(runtime), m_rules(GcInfoRules::of(runtime.contract())) {}

  /// `isParentOfFunclet`: a funclet of the same method further in has reported the method's references.
  FrameRoots of(const ManagedFrame& frame, bool isParentOfFunclet) const;

 private:
  const ClrRuntime& m_runtime;
  GcInfoRules m_rules;
};

}  // namespace heapscape::engine
