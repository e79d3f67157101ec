// SPDX-License-Identifier: MIT
#include "stacks/frames/argument_roots.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "base/limits.h"
#include "runtime/methods/code_range.h"
#include "stacks/gc_info/gc_reference_map.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kFirstArgumentIsReference = 1;  // DynamicHelperFrameFlags, src/coreclr/vm/frames.h
constexpr std::uint32_t kSecondArgumentIsReference = 2;

/// Through which a ReadyToRun image calls; 0 for other kinds of frames, and for calls of jitted code.
Address callCellOf(const ClrRuntime& runtime, const ExplicitFrame& frame) {
  if (frame.kind == ExplicitFrameKind::ExternalMethodFrame)
    return runtime.pointerAt(frame.address, "ExternalMethodFrame", "Indirection").value_or(Address{});
  if (frame.kind == ExplicitFrameKind::StubDispatchFrame)
    return runtime.pointerAt(frame.address, "StubDispatchFrame", "Indirection").value_or(Address{});
  return {};
}

FrameRoots unknown(std::string why) {
  return {.roots = {}, .problem = std::move(why)};
}

}  // namespace

FrameRoots ArgumentRoots::ofTransition(const ExplicitFrame& frame) const {
  if (!hasTransitionBlock(frame.kind)) return {};
  const Address block = transitionBlockOf(frame);
  if (!block) return unknown("The dump does not hold where the arguments of the call were saved.");
  if (frame.kind == ExplicitFrameKind::DynamicHelperFrame) return ofDynamicHelper(frame, block);
  auto mapped = byReferenceMap(frame, block);
  if (mapped) return std::move(*mapped);
  if (mapped.error().code == ErrorCode::Damaged) return unknown(mapped.error().what);
  // Maps are made from signatures, so a signature tells as much where the dump lacks the map.
  return bySignature(frame, block);
}

// StubDispatchFrame::GetGCRefMap, ExternalMethodFrame::GetGCRefMap (src/coreclr/vm/frames.cpp).
Result<FrameRoots> ArgumentRoots::byReferenceMap(const ExplicitFrame& frame, Address block) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address cell = callCellOf(runtime, frame);
  const auto image = cell ? findCodeRange(runtime, cell) : std::nullopt;
  if (!image || !image->module) return failure(ErrorCode::NotFound, "The call does not go through a ReadyToRun image.");
  HEAPSCAPE_TRY(const auto entries, readReferenceMap(runtime, image->module, cell));
  const Address first = runtime.member(block, "TransitionBlock", "FirstGCRefMapSlot");
  FrameRoots roots;
  for (const ReferenceMapEntry& entry : entries) {
    const Address slot = first + kPointerBytes * entry.position;
    if (entry.token == ReferenceMapToken::Reference || entry.token == ReferenceMapToken::Interior)
      add(slot, entry.token == ReferenceMapToken::Interior, roots);
    if (entry.token == ReferenceMapToken::VariableArguments && roots.problem.empty())
      roots.problem = "The call passes variable arguments, of which only the first are known.";
  }
  return roots;
}

FrameRoots ArgumentRoots::bySignature(const ExplicitFrame& frame, Address block) const {
  const auto method = m_readers.methods.read(methodOf(frame));
  if (!method) return unknown("Which method is called is not known, and so its arguments are not.");
  const ArgumentLocations locations = m_locator.ofCall(*method, frame.kind != ExplicitFrameKind::StubDispatchFrame);
  FrameRoots roots{.roots = {}, .problem = locations.problem};
  for (const ArgumentReference& reference : locations.references)
    add(block + reference.offset, reference.isInterior, roots);
  return roots;
}

FrameRoots ArgumentRoots::ofDynamicHelper(const ExplicitFrame& frame, Address block) const {
  const auto flags = m_readers.runtime.valueAt<std::uint32_t>(frame.address, "DynamicHelperFrame", "Flags");
  if (!flags) return unknown(flags.error().what);
  FrameRoots roots;
  const Address first = m_readers.runtime.member(block, "TransitionBlock", "ArgumentRegisters");
  if (*flags & kFirstArgumentIsReference) add(first, false, roots);
  if (*flags & kSecondArgumentIsReference) add(first + kPointerBytes, false, roots);
  return roots;
}

FrameRoots ArgumentRoots::ofHijackedReturn(const ExplicitFrame& frame) const {
  const ClrRuntime& runtime = m_readers.runtime;
  if (frame.kind != ExplicitFrameKind::HijackFrame) return {};
  const auto thread = runtime.pointerAt(frame.address, "HijackFrame", "Thread");
  const auto saved = runtime.pointerAt(frame.address, "HijackFrame", "HijackArgsPtr");
  const auto address = thread ? runtime.pointerAt(*thread, "Thread", "HijackedFunction") : thread;
  const auto method = address ? m_readers.methods.read(*address) : tl::unexpected<Error>(address.error());
  if (!saved || !method) return unknown("Which method has just returned is not known, and so its result is not.");
  const ResultReferences result = m_locator.ofResult(*method);
  FrameRoots roots{.roots = {}, .problem = result.problem};
  for (const auto& reference : result.references) {
    const RegisterFile& file = registerFile(runtime.contract().architecture());
    const Register reg = file.results[reference.place == ResultReferences::Place::First ? 0 : 1];
    add(runtime.member(*saved, "HijackArgs", file.contractNames[reg.number]), reference.isInterior, roots);
  }
  return roots;
}

void ArgumentRoots::add(Address slot, bool isInterior, FrameRoots& roots) const {
  Address object;
  if (!m_readers.runtime.memory().tryRead(slot, object)) {
    if (roots.problem.empty()) roots.problem = fmt::format("The dump does not hold an argument at {}.", toString(slot));
    return;
  }
  if (object) roots.roots.push_back({.slot = slot, .reg = {}, .object = object, .isInterior = isInterior});
}

Address ArgumentRoots::transitionBlockOf(const ExplicitFrame& frame) const {
  const ClrRuntime& runtime = m_readers.runtime;
  if (frame.kind == ExplicitFrameKind::MulticastFrame)
    return runtime.member(frame.address, "MulticastFrame", "TransitionBlock");
  return runtime.pointerAt(frame.address, "FramedMethodFrame", "TransitionBlockPtr").value_or(Address{});
}

Address ArgumentRoots::methodOf(const ExplicitFrame& frame) const {
  const ClrRuntime& runtime = m_readers.runtime;
  // What lies there in a PInvokeCalliFrame belongs to a call of a bare function pointer.
  if (!hasTransitionBlock(frame.kind) || frame.kind == ExplicitFrameKind::PInvokeCalliFrame) return {};
  const auto method = frame.kind == ExplicitFrameKind::MulticastFrame
                          ? runtime.pointerAt(frame.address, "MulticastFrame", "MethodDesc")
                          : runtime.pointerAt(frame.address, "FramedMethodFrame", "MethodDesc");
  if (method && *method) return *method;
  return frame.kind == ExplicitFrameKind::StubDispatchFrame ? methodInSlotOf(frame) : Address{};
}

// StubDispatchFrame::GetFunction: the method of a type that has the slot, the type's own or a parent's.
Address ArgumentRoots::methodInSlotOf(const ExplicitFrame& frame) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const auto slot = runtime.valueAt<std::uint32_t>(frame.address, "StubDispatchFrame", "RepresentativeSlot");
  Address next = runtime.pointerAt(frame.address, "StubDispatchFrame", "RepresentativeMethodTable").value_or(Address{});
  FindingList findings;
  for (std::size_t depth = 0; slot && next && depth < kLimits.parentDepth; ++depth) {
    const auto type = m_readers.methodTables.read(next);
    if (!type) break;
    for (const MethodDescChunk& chunk : m_readers.methods.chunksOf(*type, findings)) {
      for (const MethodDesc& method : chunk.methods)
        if (method.slot == *slot) return method.address;
    }
    next = type->parent;
  }
  return {};
}

}  // namespace heapscape::engine
