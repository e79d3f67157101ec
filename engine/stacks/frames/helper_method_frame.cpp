// SPDX-License-Identifier: MIT
#include "stacks/frames/helper_method_frame.h"

#include <algorithm>
#include <array>

#include "base/address.h"

namespace heapscape::engine {
namespace {

constexpr int kMostNativeSteps = 24;
constexpr std::uint32_t kMostReferences = 65'536;
constexpr std::uint64_t kMostCallsInBucket = 10'000;
constexpr std::uint64_t kCallBuckets = 127;
// CalleeSavedRegisters of Unix x64, in the order of MachState (src/coreclr/vm/amd64/cgencpu.h).
constexpr std::array kOrder{Register::R12, Register::R13, Register::R14, Register::R15, Register::Rbx, Register::Rbp};

/// The state of the machine where a helper was entered (MachState and LazyMachState).
class CapturedState {
 public:
  CapturedState(const ClrRuntime& runtime, Address frame)
      : m_runtime(runtime), m_state(runtime.member(frame, "HelperMethodFrame", "MachState")) {}

  Address returnAddressPlace() const { return pointer("RetAddrPtr"); }

  /// As some walk of the runtime's own has found them.
  bool readUnwound(Registers& registers) const {
    const AddressSpace& memory = m_runtime.memory();
    if (!memory.tryRead(returnAddressPlace(), registers.instruction)) return false;
    registers.setStackPointer(pointer("Rsp"));
    for (std::size_t i = 0; i < kOrder.size(); ++i) {
      Address place;
      if (!memory.tryRead(at("Pointers", i), place)) return false;
      if (!place) place = at("Unwound", i);
      if (!memory.tryRead(place, registers[kOrder[i]])) return false;
      registers.setKnown(kOrder[i], true);
      registers.setSavedPlace(kOrder[i], place);
    }
    return true;
  }

  /// In the function of the runtime that captured them.
  bool readCaptured(Registers& registers) const {
    registers = {};
    registers.instruction = pointer("CaptureRip");
    registers.setStackPointer(pointer("CaptureRsp") + kPointerBytes);
    for (std::size_t i = 0; i < kOrder.size(); ++i) {
      const Address place = at("Capture", i);
      if (!m_runtime.memory().tryRead(place, registers[kOrder[i]])) return false;
      registers.setKnown(kOrder[i], true);
      registers.setSavedPlace(kOrder[i], place);
    }
    return registers.instruction.value != 0;
  }

 private:
  Address pointer(std::string_view member) const {
    return m_runtime.pointerAt(m_state, "MachState", member).value_or(Address{});
  }
  Address at(std::string_view member, std::size_t index) const {
    return m_runtime.member(m_state, "MachState", member) + index * kPointerBytes;
  }

  const ClrRuntime& m_runtime;
  Address m_state;
};

std::uint32_t attributesOf(const ClrRuntime& runtime, Address frame) {
  return runtime.valueAt<std::uint32_t>(frame, "HelperMethodFrame", "Attributes").value_or(0);
}

}  // namespace

bool isHelperMethodFrame(ExplicitFrameKind kind) {
  return kind == ExplicitFrameKind::HelperMethodFrame || kind == ExplicitFrameKind::HelperMethodFrame_1OBJ ||
         kind == ExplicitFrameKind::HelperMethodFrame_2OBJ || kind == ExplicitFrameKind::HelperMethodFrame_3OBJ ||
         kind == ExplicitFrameKind::HelperMethodFrame_PROTECTOBJ;
}

bool throwsException(const ClrRuntime& runtime, Address frame) {
  return (attributesOf(runtime, frame) & runtime.contract().constant("HelperMethodFrame.AttributeException")) != 0;
}

bool readHelperMethodFrame(const ClrRuntime& runtime, const CodeLookup& code, const NativeUnwinder& native,
                           Address frame, Registers& registers) {
  const CapturedState state(runtime, frame);
  if (state.returnAddressPlace()) return state.readUnwound(registers);
  Registers found;
  if (!state.readCaptured(found)) return false;
  const std::uint32_t attributes = attributesOf(runtime, frame);
  const Contract& contract = runtime.contract();
  const bool isDepthExact = (attributes & contract.constant("HelperMethodFrame.AttributeExactDepth")) != 0;
  const int depth = (attributes & contract.constant("HelperMethodFrame.AttributeDepth2")) != 0 ? 2 : 1;
  for (int steps = 0; steps < kMostNativeSteps;) {
    const auto step = native.callerOf(found, true);
    if (!step) return false;
    found = step->caller;
    ++steps;
    if (!isDepthExact ? code.find(found.instruction).has_value() : steps == depth) {
      for (const Register reg : kOrder) {
        registers[reg] = found[reg];
        registers.setKnown(reg, found.isKnown(reg));
        registers.setSavedPlace(reg, found.savedPlace(reg));
      }
      registers.setStackPointer(found.stackPointer());
      registers.instruction = found.instruction;
      return true;
    }
  }
  return false;
}

FrameRoots rootsOfHelperMethodFrame(const ClrRuntime& runtime, Address frame, ExplicitFrameKind kind) {
  FrameRoots found;
  const AddressSpace& memory = runtime.memory();
  const auto add = [&](Address place) {
    Address object;
    if (!memory.tryRead(place, object)) {
      found.problem = "A reference of the frame is not in the dump.";
    } else if (object) {
      found.roots.push_back({.slot = place, .object = object});
    }
  };
  if (kind == ExplicitFrameKind::HelperMethodFrame_PROTECTOBJ) {
    const auto references = runtime.pointerAt(frame, "HelperMethodFrame_PROTECTOBJ", "ObjectRefs");
    const auto count = runtime.valueAt<std::uint32_t>(frame, "HelperMethodFrame_PROTECTOBJ", "Count");
    if (!references || !count || *count > kMostReferences) {
      found.problem = "The frame's list of references makes no sense.";
      return found;
    }
    for (std::uint32_t i = 0; i < *count; ++i) add(*references + i * kPointerBytes);
    return found;
  }
  const int count = kind == ExplicitFrameKind::HelperMethodFrame_1OBJ   ? 1
                    : kind == ExplicitFrameKind::HelperMethodFrame_2OBJ ? 2
                    : kind == ExplicitFrameKind::HelperMethodFrame_3OBJ ? 3
                                                                        : 0;
  for (int i = 0; i < count; ++i) {
    Address place;
    const Address pointers = runtime.member(frame, "HelperMethodFrame_1OBJ", "ObjectPointers");
    if (memory.tryRead(pointers + i * kPointerBytes, place)) add(place);
  }
  return found;
}

Address methodOfHelperMethodFrame(const ClrRuntime& runtime, Address frame) {
  // Before the runtime has walked over the frame, nothing was written there.
  const bool isWalked = CapturedState(runtime, frame).returnAddressPlace().value != 0;
  const Address known =
      isWalked ? runtime.pointerAt(frame, "HelperMethodFrame", "MethodDesc").value_or(Address{}) : Address{};
  const Address entry = runtime.pointerAt(frame, "HelperMethodFrame", "FCallEntry").value_or(Address{});
  const auto buckets = runtime.globalVariable("FCallMethods");
  if (known || !entry || !buckets) return known;
  // ECall's table of functions of the runtime by their entry points (src/coreclr/vm/ecall.cpp).
  Address call =
      runtime.memory().readPointer(*buckets + entry.value % kCallBuckets * kPointerBytes).value_or(Address{});
  for (std::uint64_t i = 0; call && i < kMostCallsInBucket; ++i) {
    if (runtime.pointerAt(call, "FCallHashEntry", "Target").value_or(Address{}) == entry)
      return runtime.pointerAt(call, "FCallHashEntry", "MethodDesc").value_or(Address{});
    call = runtime.pointerAt(call, "FCallHashEntry", "Next").value_or(Address{});
  }
  return {};
}

}  // namespace heapscape::engine
