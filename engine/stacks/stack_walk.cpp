// SPDX-License-Identifier: MIT
#include "stacks/stack_walk.h"

#include <algorithm>

#include "base/address.h"
#include "runtime/methods/code_lookup.h"
#include "stacks/aot_stack_walk.h"
#include "stacks/frames/explicit_frames.h"
#include "stacks/unwinding/unwind_info.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostWalkedFrames = 500'000;   // an endless recursion fills the usual 8 MB with fewer
constexpr std::size_t kMostFramesInAll = 2'000'000;  // of all threads
constexpr const char* kUndescribed =
    "It goes on in compiled code that neither the dump nor a file on this disk describes well enough.";
constexpr int kMostHelpers = 24;      // frames of native code between a thread that runs and its managed caller
constexpr int kWordsOfLeafFrame = 6;  // of stubs and copied barriers, which save next to nothing

}  // namespace

struct StackWalker::State {
  StackWalk walk;
  Registers registers;
  std::optional<CodeLocation> code;  // that registers.instruction lies in
  AddressRange own;                  // the thread's own stack
  Address next;                      // explicit frame
  Address lastExplicit;
  FrameEffect effect;
  bool isResumed = false;  // the next managed frame is first, even when frames within it come before
  bool isBehindHelper = false;

  bool fail(std::string why) {
    walk.problem = std::move(why);
    return false;
  }
  /// Frames of the runtime further out lead on behind those that are missing.
  void noteGap(const char* why) {
    if (walk.problem.empty()) walk.gap = walk.entries.size() - 1;
    walk.problem = why;
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
  return entry.managed && codeAt(entry.managed->callerInstruction).has_value();
}

StackWalk StackWalker::walk(const RuntimeThread& thread, const Registers& registers, AddressRange own) {
  if (m_readers.runtime.aot()) {
    const std::size_t most = std::min(kMostWalkedFrames, kMostFramesInAll - std::min(kMostFramesInAll, m_frameCount));
    StackWalk compiled = walkCompiledStack(m_readers, m_native, thread, registers, own, most);
    m_frameCount += compiled.entries.size();
    return compiled;
  }
  State state;
  state.own = own;
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
  (void)goOnBehindHelper(state, registers);
}

bool StackWalker::goOnBehindHelper(State& state, const Registers& registers) {
  const auto caller = managedCallerOfHelper(registers, state.next, state.own);
  if (!caller) return false;
  state.registers = caller->registers;
  state.code = codeAt(caller->registers.instruction);
  state.effect.isFirst = caller->isInterrupted;
  state.isBehindHelper = !caller->isInterrupted;
  return true;
}

std::optional<StackWalker::CallerOfHelper> StackWalker::managedCallerOfHelper(const Registers& registers,
                                                                              Address firstFrame, AddressRange own) {
  Registers found = registers;
  bool isReturnAddress = false;
  for (int steps = 0; steps < kMostHelpers; ++steps) {
    if (const auto step = m_native.callerOf(found, isReturnAddress)) {
      found = step->caller;
      isReturnAddress = !step->isSignalFrame;
    } else {
      const auto caller = callerByWords(found);
      if (!caller) return std::nullopt;
      found = *caller;
      isReturnAddress = true;
    }
    if (!ExplicitFrames::isEnd(firstFrame) && mayLieFurtherOut(own, firstFrame, found.stackPointer()))
      return std::nullopt;
    if (codeAt(found.instruction)) {
      if (isReturnAddress && isLeftThrough(firstFrame, found)) return std::nullopt;
      // What a signal interrupted has all its registers.
      if (isReturnAddress) found.forgetScratch();
      return CallerOfHelper{found, !isReturnAddress};
    }
  }
  return std::nullopt;
}

// Code that the runtime has set aside for managed methods, of which neither the dump nor a file tells enough.
bool StackWalker::isUndescribed(Address instruction) {
  return !codeAt(instruction) && isManagedCode(m_readers.runtime, instruction);
}

// A method that has left a frame for its call to native code is found by that frame, with the registers it keeps.
bool StackWalker::isLeftThrough(Address firstFrame, const Registers& managed) {
  const auto caller =
      callerOfManaged(m_readers.runtime.memory(), *codeAt(managed.instruction), managed, /*isInCall=*/true);
  if (!caller) return true;
  const auto frame = ExplicitFrames::isEnd(firstFrame) ? std::nullopt : m_frames.read(firstFrame);
  return frame && m_frames.isActiveCall(*frame) && frame->address < caller->stackPointer();
}

// Stubs and copies of write barriers have no unwind information; they push nothing, or a few words. On arm64 they may
// still have their return address in its register.
std::optional<Registers> StackWalker::callerByWords(const Registers& registers) {
  if (registers.architecture == Architecture::Arm64 && registers.isKnown(arm64::kLr)) {
    const Address word{registers[arm64::kLr]};
    if (codeAt(word) || m_native.isBehindCall(word)) {
      Registers caller = registers;
      caller.instruction = word;
      caller.setKnown(arm64::kLr, false);
      return caller;
    }
  }
  for (int i = 0; i < kWordsOfLeafFrame; ++i) {
    const Address place = registers.stackPointer() + i * kPointerBytes;
    Address word;
    if (!m_readers.runtime.memory().tryRead(place, word)) return std::nullopt;
    if (!word || (!codeAt(word) && !m_native.isBehindCall(word))) continue;
    Registers caller = registers;
    caller.instruction = word;
    caller.setStackPointer(place + kPointerBytes);
    // Words in front of the return address may be registers of the caller's, with others in their place by now. The
    // frame pointer is kept: a method that is walked by it has set it itself.
    if (i > 0) caller.forgetCalleeSaved(/*andFramePointer=*/false);
    // Where arm64's frame pointer leads to the pair of the caller's and the return address, that has been put away.
    if (caller.architecture == Architecture::Arm64 && Address{caller.framePointer()} + kPointerBytes == place) {
      if (!m_readers.runtime.memory().tryRead(place - kPointerBytes, caller[arm64::kFp])) return std::nullopt;
      caller.setSavedPlace(arm64::kFp, place - kPointerBytes);
    }
    return caller;
  }
  return std::nullopt;
}

bool StackWalker::addManaged(State& state) {
  const bool isInCall = !state.effect.isFirst && !state.isResumed && !state.effect.isInterrupted;
  const auto caller = callerOfManaged(m_readers.runtime.memory(), *state.code, state.registers, isInCall);
  if (!caller) return state.fail("The unwind information of a method is not in the dump, or makes no sense.");
  const Address end = caller->stackPointer();
  // On arm64 a call pushes nothing, so that a frame that is still to be set up, or is no more, has its caller's stack.
  const bool mayStay = !isInCall && state.registers.architecture == Architecture::Arm64;
  if (end < state.registers.stackPointer() || (end == state.registers.stackPointer() && !mayStay))
    return state.fail("The stack's frames do not lead up the stack.");
  // Explicit frames within the method's own frame were put there by calls that it makes.
  while (!ExplicitFrames::isEnd(state.next) && state.next < end &&
         areOnOneStack(state.own, state.next, state.registers.stackPointer())) {
    const auto frame = m_frames.read(state.next);
    if (!frame) return state.fail("A frame of the runtime is of no known kind.");
    if (frame->address != state.lastExplicit)
      state.walk.entries.push_back({.explicitFrame = *frame,
                                    .isWithinNext = true,
                                    .instruction = state.registers.instruction,
                                    .stackPointer = frame->address});
    const auto next = m_frames.next(*frame, state.own);
    if (!next) return state.fail("The chain of the runtime's frames does not lead up the stack.");
    state.next = *next;
  }
  ManagedFrame frame{.code = *state.code,
                     .registers = state.registers,
                     .callerStackPointer = end,
                     .callerInstruction = caller->instruction,
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
  if (isUndescribed(caller->instruction)) {
    state.noteGap(kUndescribed);
    return true;
  }
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
  const bool isFault = frame->kind == ExplicitFrameKind::FaultingExceptionFrame;
  // A thread whose stack has overflowed stays where it is: no exception leaves its frames.
  if (isFault && !state.own.isEmpty() && !state.own.contains(frame->address)) state.effect = {.isFirst = true};
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
    } else if (isUndescribed(target)) {
      state.noteGap(kUndescribed);
    }
  }
  // The frame of a call to native code lies within the managed frame, and is left with that.
  if (m_frames.isActiveCall(*frame) && state.code) return true;
  const auto next = m_frames.next(*frame, state.own);
  if (!next) return state.fail("The chain of the runtime's frames does not lead up the stack.");
  state.next = *next;
  // The fault was in a helper of the runtime, then, or in native code that was called.
  if (isFault && target && !state.code) {
    const auto context = m_frames.callerOf(*frame, state.registers);
    if (context) (void)goOnBehindHelper(state, *context);
  }
  return true;
}

}  // namespace heapscape::engine
