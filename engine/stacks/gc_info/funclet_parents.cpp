// SPDX-License-Identifier: MIT
#include "stacks/gc_info/funclet_parents.h"

#include <algorithm>

namespace heapscape::engine {
FuncletParents::FuncletParents(const ClrRuntime& runtime, std::vector<ExceptionOnItsWay> exceptions)
    : m_exceptions(std::move(exceptions)), m_isDispatchManaged(runtime.contract().has("ExceptionInfo", "PassNumber")) {
  // Until .NET 8 frames alone tell a method from another call of it that an exception has left.
  if (!m_isDispatchManaged) m_exceptions.clear();
}

bool FuncletParents::isParent(const ManagedFrame& frame) const {
  return frame.code.start == m_wanted->methodStart && frame.registers[Register::Rbp] == m_wanted->framePointer &&
         !isUnwound(frame);
}

bool FuncletParents::isUnwound(const ManagedFrame& frame) const {
  return std::ranges::any_of(
      m_exceptions, [&](const ExceptionOnItsWay& exception) { return exception.hasUnwound(frame.callerStackPointer); });
}

FuncletParents::Part FuncletParents::next(const StackEntry& entry, bool isCalledByManaged) {
  if (entry.managed) return nextManaged(*entry.managed, isCalledByManaged);
  if (!m_wanted) return Part::Reports;
  if (m_dispatch == Dispatch::Left && !entry.isWithinNext)
    m_dispatch = entry.explicitFrame.kind == ExplicitFrameKind::InlinedCallFrame ? Dispatch::Within : Dispatch::None;
  return Part::IsLeft;
}

FuncletParents::Part FuncletParents::nextManaged(const ManagedFrame& frame, bool isCalledByManaged) {
  Part part = Part::Reports;
  if (m_wanted) {
    if (isParent(frame)) {
      part = Part::IsParent;
      m_wanted.reset();
      m_dispatch = Dispatch::None;
    } else if (m_dispatch == Dispatch::Within && !isUnwound(frame)) {
      if (!isCalledByManaged) m_dispatch = Dispatch::None;
      return Part::Reports;
    } else {
      // Native code that has thrown out of a call of managed code looks like the call of a dispatcher.
      if (m_dispatch == Dispatch::Within) m_dispatch = Dispatch::None;
      return Part::IsLeft;
    }
  }
  if (frame.code.isFunclet && !frame.isFilter) {
    m_wanted = Wanted{frame.code.start, frame.registers[Register::Rbp]};
    m_dispatch = m_isDispatchManaged ? Dispatch::Left : Dispatch::None;
  }
  return part;
}

}  // namespace heapscape::engine
