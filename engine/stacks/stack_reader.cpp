// SPDX-License-Identifier: MIT
#include "stacks/stack_reader.h"

#include <algorithm>

#include "runtime/clr_runtime.h"
#include "runtime/modules/loader_allocators.h"
#include "runtime/threads/threads.h"
#include "stacks/frames/explicit_frames.h"
#include "stacks/frames/protected_references.h"

namespace heapscape::engine {

std::vector<Address> CodeKeepers::of(Address methodDesc, const std::optional<GenericContext>& context) const {
  std::vector<Address> keepers;
  if (const Address resolver = resolverOf(m_methods.methodTables().runtime(), methodDesc)) {
    keepers.push_back(resolver);
    return keepers;
  }
  addKeepersOfMethod(methodDesc, keepers);
  if (context && context->isMethod) addKeepersOfMethod(context->handle, keepers);
  if (context && !context->isMethod) addKeeperOfType(context->handle, keepers);
  return keepers;
}

void CodeKeepers::addKeepersOfMethod(Address methodDesc, std::vector<Address>& keepers) const {
  const auto method = m_methods.read(methodDesc);
  if (!method) return;
  addKeeperOfType(method->methodTable, keepers);
  // An instantiation of a generic method lives with what any of its arguments comes from.
  if (method->classification != MethodClassification::Instantiated) return;
  for (const TypeHandle argument : m_methods.typeArguments(*method)) addKeeperOfType(argument, keepers);
}

void CodeKeepers::addKeeperOfType(TypeHandle type, std::vector<Address>& keepers) const {
  const MethodTables& methodTables = m_methods.methodTables();
  if (methodTables.isTypeDesc(type)) return;
  const auto methodTable = methodTables.read(type);
  if (!methodTable || !methodTable->isCollectible) return;
  const auto object = loaderAllocatorObject(methodTables, *methodTable);
  if (object && *object && std::ranges::find(keepers, *object) == keepers.end()) keepers.push_back(*object);
}

Address resolverOf(const ClrRuntime& runtime, Address methodDesc) {
  const Contract& contract = runtime.contract();
  const auto flags = runtime.valueAt<std::uint16_t>(methodDesc, "MethodDesc", "Flags");
  if (!flags || (*flags & contract.constant("MethodDesc.Flags.ClassificationMask")) !=
                    static_cast<std::uint64_t>(MethodClassification::Dynamic))
    return {};
  const auto extended = runtime.valueAt<std::uint32_t>(methodDesc, "DynamicMethodDesc", "ExtendedFlags");
  if (!extended || (*extended & contract.constant("DynamicMethodDesc.IsLCG")) == 0) return {};
  const auto resolver = runtime.pointerAt(methodDesc, "DynamicMethodDesc", "Resolver");
  if (!resolver || !*resolver) return {};
  const auto handle = runtime.pointerAt(*resolver, "LCGMethodResolver", "ManagedResolver");
  return handle && *handle ? runtime.memory().readPointer(*handle).value_or(Address{}) : Address{};
}

namespace {

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
  Wanted m_wanted;                              // the parent that is still to come; no method for none
  bool m_isDispatchManaged = false;             // since .NET 9
  Dispatch m_dispatch = Dispatch::None;
};

FuncletParents::FuncletParents(const ClrRuntime& runtime, std::vector<ExceptionOnItsWay> exceptions)
    : m_exceptions(std::move(exceptions)), m_isDispatchManaged(runtime.contract().has("ExceptionInfo", "PassNumber")) {
  // Until .NET 8 frames alone tell a method from another call of it that an exception has left.
  if (!m_isDispatchManaged) m_exceptions.clear();
}

bool FuncletParents::isParent(const ManagedFrame& frame) const {
  return frame.code.start == m_wanted.methodStart && frame.registers.framePointer() == m_wanted.framePointer &&
         !isUnwound(frame);
}

bool FuncletParents::isUnwound(const ManagedFrame& frame) const {
  return std::ranges::any_of(
      m_exceptions, [&](const ExceptionOnItsWay& exception) { return exception.hasUnwound(frame.callerStackPointer); });
}

FuncletParents::Part FuncletParents::next(const StackEntry& entry, bool isCalledByManaged) {
  if (entry.managed) return nextManaged(*entry.managed, isCalledByManaged);
  if (!m_wanted.methodStart) return Part::Reports;
  if (m_dispatch == Dispatch::Left && !entry.isWithinNext)
    m_dispatch = entry.explicitFrame.kind == ExplicitFrameKind::InlinedCallFrame ? Dispatch::Within : Dispatch::None;
  return Part::IsLeft;
}

FuncletParents::Part FuncletParents::nextManaged(const ManagedFrame& frame, bool isCalledByManaged) {
  Part part = Part::Reports;
  if (m_wanted.methodStart) {
    if (isParent(frame)) {
      part = Part::IsParent;
      m_wanted = {};
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
    m_wanted = Wanted{frame.code.start, frame.registers.framePointer()};
    m_dispatch = m_isDispatchManaged ? Dispatch::Left : Dispatch::None;
  }
  return part;
}

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
    found.problem = "It was in a helper of the runtime that no collection begins in, so its references are not known.";
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
