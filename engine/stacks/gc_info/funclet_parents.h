// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "runtime/clr_runtime.h"
#include "stacks/exception_passes.h"
#include "stacks/stack_walk.h"

namespace heapscape::engine {

/// Which frames of a stack report their references. A handler or finally block runs as a funclet: a function of its own
/// that uses the frame of the method it belongs to, its parent, further up. The funclet reports for both; what lies
/// between them has been left and reports nothing (StackFrameIterator::Filter, src/coreclr/vm/stackwalk.cpp).
class FuncletParents {
 public:
  FuncletParents(const ClrRuntime& runtime, std::vector<ExceptionOnItsWay> exceptions);

  enum class Part : std::uint8_t {
    Reports,
    IsParent,  // reports what its funclet has not
    IsLeft,    // no collection looks at it any more
  };
  /// To be asked of each entry in its order. `isCalledByManaged`: managed code has called it directly.
  Part next(const StackEntry& entry, bool isCalledByManaged);

 private:
  bool isParent(const ManagedFrame& frame) const;
  bool isUnwound(const ManagedFrame& frame) const;
  Part nextManaged(const ManagedFrame& frame, bool isCalledByManaged);

  struct Wanted {
    Address methodStart;
    std::uint64_t framePointer = 0;
  };
  // Managed code of the runtime itself that dispatches an exception, below a funclet that it called.
  enum class Dispatch : std::uint8_t { None, Left, Within };

  std::vector<ExceptionOnItsWay> m_exceptions;  // that may have left frames on the stack
  std::optional<Wanted> m_wanted;
  bool m_isDispatchManaged = false;  // since .NET 9
  Dispatch m_dispatch = Dispatch::None;
};

}  // namespace heapscape::engine
