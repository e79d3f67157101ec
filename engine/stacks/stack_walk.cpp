// SPDX-License-Identifier: MIT
#include "stacks/stack_walk.h"

#include "base/address.h"
#include "stacks/frames/helper_method_frame.h"
#include "stacks/unwinding/unwind_info.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostWalkedFrames = 500'000;   // an endless recursion fills the usual 8 MB with fewer
constexpr std::size_t kMostFramesInAll = 2'000'000;  // of all threads
constexpr int kMostHelpers = 24;      // frames of native code between a thread that runs and its managed caller
constexpr int kWordsOfLeafFrame = 6;  // of stubs and copied barriers, which save next to nothing

}  // namespace

struct StackWalker::State {
  StackWalk walk;
  Registers registers;
  std::optional<CodeLocation> code;  // that registers.instruction lies in
  Address next;                      // explicit frame
  Address lastExplicit;
  FrameEffect effect;
  bool isResumed = false;  // the next managed frame is first, even when frames within it come before
  bool isBehindHelper = false;

  bool fail(std::string why) {
    walk.problem = std::move(why);
    return false;
  }
  bool isAtEnd() const { return !code && ExplicitFrames::isEnd(next); }
};

StackWalker::StackWalker(const RuntimeReaders& readers, const NativeUnwinder& native)
    : m_readers(readers),
      m_native(native),
      m_frames(readers.runtime, readers.code, native),
      m_clauses(readers.runtime) {}

const std::optional<CodeLocation>& StackWalker::codeAt(Address instruction) {
  const auto [known, isNew] = m_code.try_emplace(instruction);
  if (isNew) known->second = m_readers.code.find(instruction);
  return known->second;
}

bool StackWalker::isCalledByManaged(const StackEntry& entry) {
  Address target;
  return entry.managed &&
         m_readers.runtime.memory().tryRead(entry.managed->callerStackPointer - kPointerBytes, target) &&
         codeAt(target).has_value();
}

StackWalk StackWalker::walk(const RuntimeThread& thread, const Registers& registers) {
  State state;
  begin(state, thread, registers);
  while (!state.isAtEnd()) {
    if (state.walk.entries.size() >= kMostWalkedFrames ||
        m_frameCount + state.walk.entries.size() >= kMostFramesInAll) {
      state.fail("There are more frames than are read; the stack goes on.");
      break;
    }
    if (!(state.code ? addManaged(state) : addExplicit(state))) break;
  }
  m_frameCount += state.walk.entries.size();
  return std::move(state.walk);
}

void StackWalker::begin(State& state, const RuntimeThread& thread, const Registers& registers) {
  const ClrRuntime& runtime = m_readers.runtime;
  state.walk.top = registers;
  state.registers = registers;
  const auto first = runtime.pointerAt(thread.address, "Thread", "Frame");
  const auto cooperative = runtime.valueAt<std::uint32_t>(thread.address, "Thread", "PreemptiveGCDisabled");
  if (!first || !cooperative) {
    state.fail("The runtime's description of the thread is not in the dump.");
    return;
  }
  state.next = *first;
  state.code = codeAt(registers.instruction);
  state.effect.isFirst = state.code.has_value();
  // A thread that the runtime may not collect under, in native code without a frame: some helper that is short.
  if (state.code || *cooperative == 0) return;
  if (const auto caller = managedCallerOfHelper(registers, *first)) {
    state.registers = *caller;
    state.code = codeAt(caller->instruction);
    state.isBehindHelper = true;
  }
}

std::optional<Registers> StackWalker::managedCallerOfHelper(const Registers& registers, Address firstFrame) {
  Registers found = registers;
  bool isReturnAddress = false;
  for (int steps = 0; steps < kMostHelpers; ++steps) {
    const Address before = found.stackPointer();
    if (const auto step = m_native.callerOf(found, isReturnAddress)) {
      found = step->caller;
      isReturnAddress = !step->isSignalFrame;
    } else {
      const auto caller = callerByWords(found);
      if (!caller) return std::nullopt;
      found = *caller;
      isReturnAddress = true;
    }
    if (found.stackPointer() <= before) return std::nullopt;
    if (!ExplicitFrames::isEnd(firstFrame) && found.stackPointer() > firstFrame) return std::nullopt;
    if (codeAt(found.instruction)) {
      if (isLeftThrough(firstFrame, found)) return std::nullopt;
      found.forgetScratch();
      return found;
    }
  }
  return std::nullopt;
}

// A method that has left a frame for its call to native code is found by that frame, with the registers it keeps.
bool StackWalker::isLeftThrough(Address firstFrame, const Registers& managed) {
  const auto caller =
      callerOfManaged(m_readers.runtime.memory(), *codeAt(managed.instruction), managed, /*isInCall=*/true);
  if (!caller) return true;
  const auto frame = ExplicitFrames::isEnd(firstFrame) ? std::nullopt : m_frames.read(firstFrame);
  return frame && m_frames.isActiveCall(*frame) && frame->address < caller->stackPointer();
}

// Stubs and copies of write barriers have no unwind information; they push nothing, or a few words.
std::optional<Registers> StackWalker::callerByWords(const Registers& registers) {
  for (int i = 0; i < kWordsOfLeafFrame; ++i) {
    const Address place = registers.stackPointer() + i * kPointerBytes;
    Address word;
    if (!m_readers.runtime.memory().tryRead(place, word)) return std::nullopt;
    if (!word || (!codeAt(word) && !m_native.isBehindCall(word))) continue;
    Registers caller = registers;
    caller.instruction = word;
    caller.setStackPointer(place + kPointerBytes);
    return caller;
  }
  return std::nullopt;
}

bool StackWalker::addManaged(State& state) {
  const bool isInCall = !state.effect.isFirst && !state.isResumed && !state.effect.isInterrupted;
  const auto caller = callerOfManaged(m_readers.runtime.memory(), *state.code, state.registers, isInCall);
  if (!caller) return state.fail("The unwind information of a method is not in the dump, or makes no sense.");
  const Address end = caller->stackPointer();
  if (end <= state.registers.stackPointer()) return state.fail("The stack's frames do not lead up the stack.");
  // Explicit frames within the method's own frame were put there by calls that it makes.
  while (!ExplicitFrames::isEnd(state.next) && state.next < end) {
    const auto frame = m_frames.read(state.next);
    if (!frame) return state.fail("A frame of the runtime is of no known kind.");
    if (frame->address != state.lastExplicit)
      state.walk.entries.push_back({.explicitFrame = *frame,
                                    .isWithinNext = true,
                                    .instruction = state.registers.instruction,
                                    .stackPointer = frame->address});
    const auto next = m_frames.next(*frame);
    if (!next) return state.fail("The chain of the runtime's frames does not lead up the stack.");
    state.next = *next;
  }
  ManagedFrame frame{.code = *state.code,
                     .registers = state.registers,
                     .callerStackPointer = end,
                     .isFirst = state.effect.isFirst || state.isResumed,
                     .isInterrupted = state.effect.isInterrupted,
                     .isFaulted = state.effect.isFaulted,
                     .isFilter = m_clauses.isFilter(*state.code)};
  state.walk.entries.push_back({.managed = std::move(frame),
                                .isBehindHelper = state.isBehindHelper,
                                .instruction = state.registers.instruction,
                                .stackPointer = state.registers.stackPointer()});
  state.registers = *caller;
  state.effect = {};
  state.isResumed = false;
  state.isBehindHelper = false;
  state.code = codeAt(caller->instruction);
  state.walk.bottom = *caller;
  // Native code called it, then, which may be anywhere but nowhere.
  if (!state.code && !m_native.mayBeCode(caller->instruction))
    return state.fail("A method returns to an address where the dump knows of no code.");
  return true;
}

bool StackWalker::addExplicit(State& state) {
  const auto frame = m_frames.read(state.next);
  if (!frame) return state.fail("A frame of the runtime is of no known kind, or not in the dump.");
  state.walk.entries.push_back(
      {.explicitFrame = *frame, .instruction = state.registers.instruction, .stackPointer = frame->address});
  state.lastExplicit = frame->address;
  state.effect = m_frames.effectOf(*frame);
  const Address target = m_frames.returnAddress(*frame);
  if (!target && isHelperMethodFrame(frame->kind)) {
    return state.fail(
        "What called a helper of the runtime cannot be found without the unwind information of the "
        "runtime's library, which is neither in the dump nor on this disk.");
  }
  if (target) {
    state.code = codeAt(target);
    if (state.code) {
      const auto caller = m_frames.callerOf(*frame, state.registers);
      if (!caller) return state.fail("What a frame of the runtime kept of the registers is not in the dump.");
      state.registers = *caller;
      state.isResumed = state.effect.isFirst;
    }
  }
  // The frame of a call to native code lies within the managed frame, and is left with that.
  if (m_frames.isActiveCall(*frame) && state.code) return true;
  const auto next = m_frames.next(*frame);
  if (!next) return state.fail("The chain of the runtime's frames does not lead up the stack.");
  state.next = *next;
  return true;
}

}  // namespace heapscape::engine
