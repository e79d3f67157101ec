// SPDX-License-Identifier: MIT
#include "stacks/aot_stack_walk.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/aot/aot_program.h"
#include "stacks/exception_handling.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostNativeBetween = 10'000;  // frames between two managed ones
constexpr std::uint64_t kMostBytesOfCall = 15;
constexpr std::uint64_t kMostBytesBehindWalk = 256 << 10;  // of the stack that are looked at for further frames

CodeLocation locationOf(const AotFunction& function) {
  return {.methodDesc = function.methodStart,
          .start = function.methodStart,
          .state = MethodState::ReadyToRun,
          .isFunclet = function.isFunclet,
          .gcInfo = function.gcInfo};
}

/// Whether managed code has left a return address further up the stack than the walk has come.
bool goesOn(const AotCode& code, const AddressSpace& memory, const NativeUnwinder& native, Address from,
            AddressRange own) {
  if (!own.contains(from)) return false;
  const Address end = std::min(own.end, from + kMostBytesBehindWalk);
  for (Address at{alignUp(from.value, kPointerBytes)}; at + kPointerBytes <= end; at += kPointerBytes) {
    Address word;
    if (!memory.tryRead(at, word)) return false;
    if (word && native.isBehindCall(word) && code.find(word - 1)) return true;
  }
  return false;
}

/// Where exceptions on their way were thrown: beside each the runtime keeps the registers of the code that has thrown
/// it (ExInfo and PAL_LIMITED_CONTEXT, src/coreclr/nativeaot/Runtime/amd64).
class ThrowPlaces {
 public:
  ThrowPlaces(const ClrRuntime& runtime, Address thread) : m_runtime(runtime) {
    const Contract& contract = runtime.contract();
    for (const ExceptionOnItsWay& exception : exceptionsOf(runtime, thread)) {
      const auto kind = runtime.valueAt<std::uint8_t>(exception.tracker, "ExceptionInfo", "Kind");
      if (!kind) continue;
      const auto masked = *kind & contract.constant("ExceptionInfo.KindMask");
      m_exceptions.push_back({exception.tracker, masked == contract.constant("ExceptionInfo.HardwareFault")});
    }
  }

  struct Place {
    Registers registers;
    bool isFaulted = false;  // the processor itself has interrupted it there, as by a null reference
  };
  /// Of the exception that was thrown last.
  std::optional<Place> newest() const { return m_exceptions.empty() ? std::nullopt : placeOf(m_exceptions.front()); }
  /// What the processor has interrupted, if a frame is of the helper that the runtime enters then: it looks as if it
  /// were called, by nobody (RhpThrowHwEx). The frame begins with the exception.
  std::optional<Registers> interruptedBy(const Registers& helper) const {
    const auto found = std::ranges::find(m_exceptions, helper.stackPointer(), &Thrown::tracker);
    if (found == m_exceptions.end() || !found->isFaulted) return std::nullopt;
    const auto place = placeOf(*found);
    return place ? std::optional(place->registers) : std::nullopt;
  }

 private:
  struct Thrown {
    Address tracker;
    bool isFaulted = false;
  };
  std::optional<Place> placeOf(const Thrown& thrown) const;

  const ClrRuntime& m_runtime;
  std::vector<Thrown> m_exceptions;  // newest first
};

std::optional<ThrowPlaces::Place> ThrowPlaces::placeOf(const Thrown& thrown) const {
  const auto context = m_runtime.pointerAt(thrown.tracker, "ExceptionInfo", "ExceptionContext");
  if (!context || *context < thrown.tracker) return std::nullopt;
  const auto instruction = m_runtime.pointerAt(*context, "LimitedContext", "Rip");
  if (!instruction) return std::nullopt;
  Place place{.registers = {}, .isFaulted = thrown.isFaulted};
  place.registers.instruction = *instruction;
  const std::array<std::pair<const char*, Register>, 7> kept{{{"Rsp", x64::kRsp},
                                                              {"Rbp", x64::kRbp},
                                                              {"Rbx", x64::kRbx},
                                                              {"R12", x64::kR12},
                                                              {"R13", x64::kR13},
                                                              {"R14", x64::kR14},
                                                              {"R15", x64::kR15}}};
  for (const auto& [name, reg] : kept) {
    const auto value = m_runtime.valueAt<std::uint64_t>(*context, "LimitedContext", name);
    if (!value) return std::nullopt;
    place.registers[reg] = *value;
    place.registers.setKnown(reg, true);
    if (reg != x64::kRsp) place.registers.setSavedPlace(reg, m_runtime.member(*context, "LimitedContext", name));
  }
  if (place.registers.stackPointer() <= thrown.tracker) return std::nullopt;
  return place;
}

/// The managed frame that a thread has left for native code, as the runtime has noted it (PInvokeTransitionFrame,
/// src/coreclr/nativeaot/Runtime/inc/rhbinder.h): what leads on where the native code itself is not described.
std::optional<Registers> leftForNativeCode(const ClrRuntime& runtime, const RuntimeThread& thread, Address stackPointer,
                                           AddressRange own) {
  const Address frame = runtime.pointerAt(thread.address, "Thread", "TransitionFrame").value_or(Address{});
  if (frame < stackPointer || !(own.isEmpty() || own.contains(frame))) return std::nullopt;
  const auto instruction = runtime.pointerAt(frame, "TransitionFrame", "Rip");
  const auto framePointer = runtime.valueAt<std::uint64_t>(frame, "TransitionFrame", "FramePointer");
  const auto flags = runtime.valueAt<std::uint32_t>(frame, "TransitionFrame", "Flags");
  const auto top = runtime.pointerAt(frame, "TransitionFrame", "PreservedRegisters");
  // Frames of other forms are those of threads that a collection has stopped.
  if (!instruction || !framePointer || !flags || !top ||
      *flags != runtime.contract().constant("TransitionFrame.SavesStackPointer") || *top <= stackPointer)
    return std::nullopt;
  Registers registers;
  registers.instruction = *instruction;
  // What is noted lies in front of the call, or behind it; the call has put away where it returns to.
  Address returned;
  if (runtime.memory().tryRead(*top - kPointerBytes, returned) && returned >= *instruction &&
      returned - *instruction <= kMostBytesOfCall)
    registers.instruction = returned;
  registers.setStackPointer(*top);
  registers[x64::kRbp] = *framePointer;
  registers.setKnown(x64::kRbp, true);
  return registers;
}

/// Walks from one frame to the next.
class CompiledWalker {
 public:
  CompiledWalker(const RuntimeReaders& readers, const NativeUnwinder& native, const RuntimeThread& thread,
                 std::size_t mostFrames)
      : m_code(readers.runtime.aot()->code),
        m_native(native),
        m_thrown(readers.runtime, thread.address),
        m_mostFrames(mostFrames) {}

  /// Adds the managed frames from these registers on, and returns where the stack pointer is at the end.
  Address walk(Registers at, bool isReturnAddress, bool isFaulted = false);
  const ThrowPlaces& thrown() const { return m_thrown; }
  StackWalk& result() { return m_walk; }

 private:
  void add(const AotFunction& function, const Registers& at, const Registers& caller, bool isInCall, bool isFaulted);

  const AotCode& m_code;
  const NativeUnwinder& m_native;
  const ThrowPlaces m_thrown;
  const std::size_t m_mostFrames;
  StackWalk m_walk;
};

Address CompiledWalker::walk(Registers at, bool isReturnAddress, bool isFaulted) {
  for (std::size_t between = 0; between < kMostNativeBetween; ++between) {
    const auto function = m_code.find(at.instruction - (isReturnAddress ? 1 : 0));
    if (function && isReturnAddress) at.forgetScratch();
    const auto interrupted = function ? std::nullopt : m_thrown.interruptedBy(at);
    const std::optional<NativeUnwinder::Step> step =
        interrupted ? NativeUnwinder::Step{*interrupted, true} : m_native.callerOf(at, isReturnAddress);
    if (function && !step) m_walk.problem = "The unwind information of a method is not in the dump, or makes no sense.";
    if (!step) break;
    if (function) {
      if (m_walk.entries.size() >= m_mostFrames) {
        m_walk.problem = "There are more frames than are read; the stack goes on.";
        break;
      }
      add(*function, at, step->caller, isReturnAddress, isFaulted);
      between = 0;
    }
    isFaulted = interrupted.has_value();
    at = step->caller;
    isReturnAddress = !step->isSignalFrame;
  }
  return at.stackPointer();
}

void CompiledWalker::add(const AotFunction& function, const Registers& at, const Registers& caller, bool isInCall,
                         bool isFaulted) {
  ManagedFrame frame{.code = locationOf(function),
                     .registers = at,
                     .callerStackPointer = caller.stackPointer(),
                     .callerInstruction = caller.instruction,
                     .isFirst = !isInCall,
                     .isInterrupted = isFaulted,
                     .isFaulted = isFaulted,
                     .isFilter = function.isFilter};
  m_walk.entries.push_back(
      {.managed = std::move(frame), .instruction = at.instruction, .stackPointer = at.stackPointer()});
  m_walk.bottom = caller;
}

}  // namespace

StackWalk walkCompiledStack(const RuntimeReaders& readers, const NativeUnwinder& native, const RuntimeThread& thread,
                            const Registers& registers, AddressRange own, std::size_t mostFrames) {
  const ClrRuntime& runtime = readers.runtime;
  CompiledWalker walker(readers, native, thread, mostFrames);
  StackWalk& walk = walker.result();
  walk.top = registers;
  Address end = walker.walk(registers, false);
  if (walk.entries.empty() && walk.problem.empty()) {
    if (const auto left = leftForNativeCode(runtime, thread, registers.stackPointer(), own))
      end = walker.walk(*left, true);
  }
  if (walk.entries.empty() && walk.problem.empty()) {
    const auto place = walker.thrown().newest();
    if (place && place->registers.stackPointer() > registers.stackPointer()) {
      end = walker.walk(place->registers, !place->isFaulted, place->isFaulted);
      walk.problem =
          "What the runtime does with the exception is missing: it begins in native code of which neither "
          "the dump nor a file on this disk tells enough.";
    }
  }
  if (walk.problem.empty() && goesOn(runtime.aot()->code, runtime.memory(), native, end, own))
    walk.problem = "It goes on behind native code of which neither the dump nor a file on this disk tells enough.";
  return std::move(walk);
}

}  // namespace heapscape::engine
