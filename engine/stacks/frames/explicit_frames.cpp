// SPDX-License-Identifier: MIT
#include "stacks/frames/explicit_frames.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/address.h"

namespace heapscape::engine {
namespace {

constexpr int kMostNativeSteps = 24;
constexpr std::uint32_t kMostReferences = 65'536;
constexpr std::uint64_t kMostCallsInBucket = 10'000;
constexpr std::uint64_t kCallBuckets = 127;

// In the order of MachState (src/coreclr/vm/amd64/cgencpu.h, arm64/cgencpu.h).
std::span<const Register> capturedRegisters(Architecture architecture) {
  static constexpr std::array kOfX64{x64::kR12, x64::kR13, x64::kR14, x64::kR15, x64::kRbx, x64::kRbp};
  return architecture == Architecture::X64 ? kOfX64 : registerFile(architecture).calleeSaved;
}

/// The state of the machine where a helper was entered (MachState and LazyMachState).
class CapturedState {
 public:
  CapturedState(const ClrRuntime& runtime, Address frame)
      : m_runtime(runtime),
        m_architecture(runtime.contract().architecture()),
        m_registers(capturedRegisters(m_architecture)),
        m_state(runtime.member(frame, "HelperMethodFrame", "MachState")) {}

  bool isUnwound() const {
    if (isX64()) return pointer("RetAddrPtr").value != 0;
    return m_runtime.valueAt<std::uint32_t>(m_state, "MachState", "IsValid").value_or(0) != 0;
  }

  /// As some walk of the runtime's own has found them.
  bool readUnwound(Registers& registers) const {
    const AddressSpace& memory = m_runtime.memory();
    const Address returned = isX64() ? pointer("RetAddrPtr") : m_runtime.member(m_state, "MachState", "ReturnAddress");
    if (!memory.tryRead(returned, registers.instruction)) return false;
    registers.setStackPointer(pointer(isX64() ? "Rsp" : "StackPointer"));
    for (std::size_t i = 0; i < m_registers.size(); ++i) {
      Address place;
      if (!memory.tryRead(at("Pointers", i), place)) return false;
      if (!place) place = at(isX64() ? "Unwound" : "Capture", i);
      if (!readFrom(place, m_registers[i], registers)) return false;
    }
    return true;
  }

  /// In the function of the runtime that captured them.
  bool readCaptured(Registers& registers) const {
    registers = {};
    registers.architecture = m_architecture;
    registers.instruction = pointer(isX64() ? "CaptureRip" : "CaptureIp");
    // On x64 the call that captured them pushed its return address there.
    registers.setStackPointer(isX64() ? pointer("CaptureRsp") + kPointerBytes : pointer("CaptureSp"));
    for (std::size_t i = 0; i < m_registers.size(); ++i)
      if (!readFrom(at("Capture", i), m_registers[i], registers)) return false;
    return registers.instruction.value != 0;
  }

 private:
  bool isX64() const { return m_architecture == Architecture::X64; }
  bool readFrom(Address place, Register reg, Registers& registers) const {
    if (!m_runtime.memory().tryRead(place, registers[reg])) return false;
    registers.setKnown(reg, true);
    registers.setSavedPlace(reg, place);
    return true;
  }
  Address pointer(std::string_view member) const {
    return m_runtime.pointerAt(m_state, "MachState", member).value_or(Address{});
  }
  Address at(std::string_view member, std::size_t index) const {
    return m_runtime.member(m_state, "MachState", member) + index * kPointerBytes;
  }

  const ClrRuntime& m_runtime;
  Architecture m_architecture;
  std::span<const Register> m_registers;
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
  if (state.isUnwound()) return state.readUnwound(registers);
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
      for (const Register reg : registerFile(contract.architecture()).calleeSaved) {
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
  const bool isWalked = CapturedState(runtime, frame).isUnwound();
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

namespace {

bool isResumable(ExplicitFrameKind kind) {
  return kind == ExplicitFrameKind::ResumableFrame || kind == ExplicitFrameKind::RedirectedThreadFrame;
}

bool restore(const AddressSpace& memory, Address place, Register reg, Registers& registers) {
  if (!memory.tryRead(place, registers[reg])) return false;
  registers.setKnown(reg, true);
  if (reg != registerFile(reg.architecture).stackPointer) registers.setSavedPlace(reg, place);
  return true;
}

const char* contractNameOf(Register reg) {
  return registerFile(reg.architecture).contractNames[reg.number];
}

}  // namespace

ExplicitFrames::ExplicitFrames(const ClrRuntime& runtime, const CodeLookup& code, const NativeUnwinder& native)
    : m_runtime(runtime), m_code(code), m_native(native), m_kinds(runtime) {}

std::optional<ExplicitFrame> ExplicitFrames::read(Address address) const {
  const auto kind = m_kinds.kindOf(address);
  return kind ? std::optional(ExplicitFrame{address, *kind}) : std::nullopt;
}

std::optional<Address> ExplicitFrames::next(const ExplicitFrame& frame, AddressRange own) const {
  const auto next = m_runtime.pointerAt(frame.address, "Frame", "Next");
  if (!next || (!isEnd(*next) && !mayLieFurtherOut(own, frame.address, *next))) return std::nullopt;
  return *next;
}

Address ExplicitFrames::pointer(const ExplicitFrame& frame, std::string_view type, std::string_view field) const {
  return m_runtime.pointerAt(frame.address, type, field).value_or(Address{});
}

Address ExplicitFrames::transitionBlock(const ExplicitFrame& frame) const {
  if (frame.kind == ExplicitFrameKind::MulticastFrame)
    return m_runtime.member(frame.address, "MulticastFrame", "TransitionBlock");
  return pointer(frame, "FramedMethodFrame", "TransitionBlockPtr");
}

Address ExplicitFrames::returnAddress(const ExplicitFrame& frame) const {
  if (frame.kind == ExplicitFrameKind::InlinedCallFrame)
    return pointer(frame, "InlinedCallFrame", "CallerReturnAddress");
  if (frame.kind == ExplicitFrameKind::HijackFrame) return pointer(frame, "HijackFrame", "ReturnAddress");
  if (frame.kind == ExplicitFrameKind::FuncEvalFrame) return pointer(frame, "FuncEvalFrame", "ReturnAddress");
  if (frame.kind == ExplicitFrameKind::SoftwareExceptionFrame)
    return pointer(frame, "SoftwareExceptionFrame", "ReturnAddress");
  if (hasTransitionBlock(frame.kind))
    return m_runtime.pointerAt(transitionBlock(frame), "TransitionBlock", "ReturnAddress").value_or(Address{});
  if (isResumable(frame.kind) || frame.kind == ExplicitFrameKind::FaultingExceptionFrame ||
      isHelperMethodFrame(frame.kind)) {
    Registers none;
    none.architecture = m_runtime.contract().architecture();
    const auto caller = callerOf(frame, none);
    return caller ? caller->instruction : Address{};
  }
  return {};
}

std::optional<Registers> ExplicitFrames::callerOf(const ExplicitFrame& frame, const Registers& registers) const {
  Registers caller = registers;
  bool isRead = false;
  if (frame.kind == ExplicitFrameKind::InlinedCallFrame) {
    isRead = readInlinedCall(frame, caller);
  } else if (hasTransitionBlock(frame.kind)) {
    isRead = readTransition(frame, caller);
  } else if (isHelperMethodFrame(frame.kind)) {
    isRead = readHelperMethodFrame(m_runtime, m_code, m_native, frame.address, caller);
  } else if (isResumable(frame.kind)) {
    return readContext(pointer(frame, "ResumableFrame", "TargetContextPtr"), caller) ? std::optional(caller)
                                                                                     : std::nullopt;
  } else if (frame.kind == ExplicitFrameKind::FaultingExceptionFrame) {
    const Address context = m_runtime.member(frame.address, "FaultingExceptionFrame", "TargetContext");
    return readContext(context, caller) ? std::optional(caller) : std::nullopt;
  } else if (frame.kind == ExplicitFrameKind::HijackFrame) {
    return readHijacked(frame, caller) ? std::optional(caller) : std::nullopt;
  } else if (frame.kind == ExplicitFrameKind::SoftwareExceptionFrame) {
    isRead = readPreservedOfContext(m_runtime.member(frame.address, "SoftwareExceptionFrame", "TargetContext"), caller);
    caller.instruction = returnAddress(frame);
  }
  if (!isRead) return std::nullopt;
  caller.forgetScratch();
  return caller;
}

// A call without a frame of its own keeps what it needs to return; no reference lives in other registers across it,
// and what they held is for the native code to keep.
bool ExplicitFrames::readInlinedCall(const ExplicitFrame& frame, Registers& registers) const {
  const auto stack = m_runtime.pointerAt(frame.address, "InlinedCallFrame", "CallSiteSP");
  const Address savedFrame = m_runtime.member(frame.address, "InlinedCallFrame", "CalleeSavedFP");
  registers.instruction = returnAddress(frame);
  if (!stack || !registers.instruction) return false;
  registers.known = 0;
  registers.setStackPointer(*stack);
  registers.savedAt = {};
  return restore(m_runtime.memory(), savedFrame, registerFile(registers.architecture).framePointer, registers);
}

bool ExplicitFrames::readTransition(const ExplicitFrame& frame, Registers& registers) const {
  const Address block = transitionBlock(frame);
  registers.instruction = returnAddress(frame);
  registers.setStackPointer(block + m_runtime.contract().sizeOf("TransitionBlock"));
  return block && registers.instruction &&
         readCalleeSaved(m_runtime.member(block, "TransitionBlock", "CalleeSavedRegisters"), registers);
}

bool ExplicitFrames::readCalleeSaved(Address area, Registers& registers) const {
  for (const Register reg : registerFile(registers.architecture).calleeSaved) {
    const Address place = m_runtime.member(area, "CalleeSavedRegisters", contractNameOf(reg));
    if (!restore(m_runtime.memory(), place, reg, registers)) return false;
  }
  return true;
}

bool ExplicitFrames::readContext(Address context, Registers& registers) const {
  const RegisterFile& file = registerFile(registers.architecture);
  for (std::size_t i = 0; i < file.count(); ++i) {
    const Register reg{static_cast<std::uint8_t>(i), registers.architecture};
    if (!restore(m_runtime.memory(), m_runtime.member(context, "Context", contractNameOf(reg)), reg, registers))
      return false;
  }
  const Address place = m_runtime.member(context, "Context", file.contractInstruction);
  return context && m_runtime.memory().tryRead(place, registers.instruction);
}

bool ExplicitFrames::readPreservedOfContext(Address context, Registers& registers) const {
  const RegisterFile& file = registerFile(registers.architecture);
  const auto read = [&](Register reg) {
    return restore(m_runtime.memory(), m_runtime.member(context, "Context", contractNameOf(reg)), reg, registers);
  };
  return std::ranges::all_of(file.calleeSaved, read) && read(file.stackPointer);
}

bool ExplicitFrames::readHijacked(const ExplicitFrame& frame, Registers& registers) const {
  const Address saved = pointer(frame, "HijackFrame", "HijackArgsPtr");
  registers.instruction = returnAddress(frame);
  registers.setStackPointer(saved + m_runtime.contract().sizeOf("HijackArgs"));
  const auto read = [&](Register reg) {
    return restore(m_runtime.memory(), m_runtime.member(saved, "HijackArgs", contractNameOf(reg)), reg, registers);
  };
  return saved && registers.instruction &&
         readCalleeSaved(m_runtime.member(saved, "HijackArgs", "CalleeSavedRegisters"), registers) &&
         std::ranges::all_of(registerFile(registers.architecture).results, read);
}

AddressRange registersOfFault(const ClrRuntime& runtime, Address frame) {
  const Address context = runtime.member(frame, "FaultingExceptionFrame", "TargetContext");
  const char* instruction = registerFile(runtime.contract().architecture()).contractInstruction;
  return {context, runtime.member(context, "Context", instruction)};
}

FrameEffect ExplicitFrames::effectOf(const ExplicitFrame& frame) const {
  if (frame.kind == ExplicitFrameKind::FaultingExceptionFrame) return {false, true, true};
  if (frame.kind == ExplicitFrameKind::SoftwareExceptionFrame) return {false, true, false};
  if (isResumable(frame.kind)) return {true, false, false};
  if (frame.kind == ExplicitFrameKind::HijackFrame)
    return {m_runtime.contract().constant("StackWalk.HijackIsResumable") != 0, false, false};
  if (isHelperMethodFrame(frame.kind)) return {false, throwsException(m_runtime, frame.address), false};
  return {};
}

bool ExplicitFrames::isActiveCall(const ExplicitFrame& frame) const {
  return frame.kind == ExplicitFrameKind::InlinedCallFrame && returnAddress(frame);
}

}  // namespace heapscape::engine
