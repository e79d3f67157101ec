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

constexpr std::size_t kMostNativeBetween = 10'000;         // frames between two managed ones
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

/// Where the processor itself has interrupted code of a thread, as by a null reference. The helper that the runtime
/// enters then looks as if it were called, by nobody: it keeps the interrupted code's registers beside the exception
/// (RhpThrowHwEx and PAL_LIMITED_CONTEXT, src/coreclr/nativeaot/Runtime/amd64).
class HardwareFaults {
 public:
  HardwareFaults(const ClrRuntime& runtime, Address thread) : m_runtime(runtime) {
    const Contract& contract = runtime.contract();
    for (const ExceptionOnItsWay& exception : exceptionsOf(runtime, thread)) {
      const auto kind = runtime.valueAt<std::uint8_t>(exception.tracker, "ExceptionInfo", "Kind");
      if (kind &&
          (*kind & contract.constant("ExceptionInfo.KindMask")) == contract.constant("ExceptionInfo.HardwareFault"))
        m_exceptions.push_back(exception.tracker);
    }
  }

  /// What was interrupted, if a frame is of such a helper; the frame begins with the exception.
  std::optional<Registers> interruptedBy(const Registers& helper) const {
    if (std::ranges::find(m_exceptions, helper.stackPointer()) == m_exceptions.end()) return std::nullopt;
    const auto context = m_runtime.pointerAt(helper.stackPointer(), "ExceptionInfo", "ExceptionContext");
    if (!context || *context < helper.stackPointer()) return std::nullopt;
    Registers interrupted;
    const auto instruction = m_runtime.pointerAt(*context, "LimitedContext", "Rip");
    if (!instruction) return std::nullopt;
    interrupted.instruction = *instruction;
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
      interrupted[reg] = *value;
      interrupted.setKnown(reg, true);
      if (reg != x64::kRsp) interrupted.setSavedPlace(reg, m_runtime.member(*context, "LimitedContext", name));
    }
    if (interrupted.stackPointer() <= helper.stackPointer()) return std::nullopt;
    return interrupted;
  }

 private:
  const ClrRuntime& m_runtime;
  std::vector<Address> m_exceptions;  // the runtime's structures of them
};

}  // namespace

StackWalk walkCompiledStack(const RuntimeReaders& readers, const NativeUnwinder& native, const RuntimeThread& thread,
                            const Registers& registers, AddressRange own, std::size_t mostFrames) {
  const AddressSpace& memory = readers.runtime.memory();
  const AotCode& code = readers.runtime.aot()->code;
  const HardwareFaults faults(readers.runtime, thread.address);
  StackWalk walk;
  walk.top = registers;
  Registers at = registers;
  bool isReturnAddress = false, isFaulted = false;
  std::size_t between = 0;
  while (between < kMostNativeBetween) {
    if (walk.entries.size() >= mostFrames) {
      walk.problem = "There are more frames than are read; the stack goes on.";
      return walk;
    }
    const auto function = code.find(at.instruction - (isReturnAddress ? 1 : 0));
    if (function && isReturnAddress) at.forgetScratch();
    const auto interrupted = function ? std::nullopt : faults.interruptedBy(at);
    const std::optional<NativeUnwinder::Step> step =
        interrupted ? NativeUnwinder::Step{*interrupted, true} : native.callerOf(at, isReturnAddress);
    if (function) {
      if (!step) {
        walk.problem = "The unwind information of a method is not in the dump, or makes no sense.";
        return walk;
      }
      ManagedFrame frame{.code = locationOf(*function),
                         .registers = at,
                         .callerStackPointer = step->caller.stackPointer(),
                         .callerInstruction = step->caller.instruction,
                         .isFirst = !isReturnAddress,
                         .isInterrupted = isFaulted,
                         .isFaulted = isFaulted,
                         .isFilter = function->isFilter};
      walk.entries.push_back(
          {.managed = std::move(frame), .instruction = at.instruction, .stackPointer = at.stackPointer()});
      walk.bottom = step->caller;
      between = 0;
    } else {
      ++between;
    }
    if (!step) break;
    isFaulted = interrupted.has_value();
    at = step->caller;
    isReturnAddress = !step->isSignalFrame;
  }
  if (goesOn(code, memory, native, at.stackPointer(), own))
    walk.problem = "It goes on behind native code of which neither the dump nor a file on this disk tells enough.";
  return walk;
}

}  // namespace heapscape::engine
