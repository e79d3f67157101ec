// SPDX-License-Identifier: MIT
#include "stacks/aot_stack_walk.h"

#include <algorithm>

#include "runtime/aot/aot_program.h"

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

}  // namespace

StackWalk walkCompiledStack(const RuntimeReaders& readers, const NativeUnwinder& native, const Registers& registers,
                            AddressRange own, std::size_t mostFrames) {
  const AddressSpace& memory = readers.runtime.memory();
  const AotCode& code = readers.runtime.aot()->code;
  StackWalk walk;
  walk.top = registers;
  Registers at = registers;
  bool isReturnAddress = false;
  std::size_t between = 0;
  while (between < kMostNativeBetween) {
    if (walk.entries.size() >= mostFrames) {
      walk.problem = "There are more frames than are read; the stack goes on.";
      return walk;
    }
    const auto function = code.find(at.instruction - (isReturnAddress ? 1 : 0));
    if (function && isReturnAddress) at.forgetScratch();
    const auto step = native.callerOf(at, isReturnAddress);
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
                         .isFilter = function->isFilter};
      walk.entries.push_back(
          {.managed = std::move(frame), .instruction = at.instruction, .stackPointer = at.stackPointer()});
      walk.bottom = step->caller;
      between = 0;
    } else {
      ++between;
    }
    if (!step) break;
    at = step->caller;
    isReturnAddress = !step->isSignalFrame;
  }
  if (goesOn(code, memory, native, at.stackPointer(), own))
    walk.problem = "It goes on behind native code of which neither the dump nor a file on this disk tells enough.";
  return walk;
}

}  // namespace heapscape::engine
