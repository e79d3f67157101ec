// SPDX-License-Identifier: MIT
#include "runtime/methods/method_code.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "runtime/aot/aot_program.h"
#include "runtime/clr_runtime.h"
#include "runtime/methods/code_lookup.h"
#include "runtime/methods/method_names.h"
#include "runtime/types/ee_class.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kSlotsPerChunk = 8;

}  // namespace

Result<MethodSlots::Counts> MethodSlots::countsOf(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const std::uint16_t virtuals,
                runtime.valueAt<std::uint16_t>(type.address, "MethodTable", "NumVirtuals"));
  HEAPSCAPE_TRY(const EEClassCounts counts, readEEClassCounts(runtime, type));
  return Counts{virtuals, virtuals + counts.nonVirtualSlots};
}

Result<std::vector<Address>> MethodSlots::vtableChunks(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const std::uint64_t first = runtime.contract().sizeOf("MethodTable");
  HEAPSCAPE_TRY(const std::uint64_t end, m_methodTables.sizeWithVtableChunks(type.address));
  std::vector<Address> chunks;
  for (std::uint64_t offset = first; offset < end; offset += kPointerBytes) {
    HEAPSCAPE_TRY(const Address chunk, runtime.memory().readPointer(type.address + offset));
    chunks.push_back(chunk);
  }
  return chunks;
}

Result<std::vector<Address>> MethodSlots::compiledSlots(Address methodTable) const {
  const AotProgram* aot = m_methodTables.runtime().aot();
  if (!aot) return failure(ErrorCode::NotFound, "The program was not compiled ahead of time.");
  HEAPSCAPE_TRY(const AotMethodTable type, aot->methodTables.read(methodTable));
  return aot->methodTables.virtualSlots(type);
}

Result<Address> MethodSlots::entryInSlot(Address methodTable, std::uint32_t slot) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const std::uint16_t virtuals,
                runtime.valueAt<std::uint16_t>(methodTable, "MethodTable", "NumVirtuals"));
  Address place;
  if (slot < virtuals) {
    const std::uint64_t chunkOffset =
        runtime.contract().sizeOf("MethodTable") + kPointerBytes * (slot / kSlotsPerChunk);
    HEAPSCAPE_TRY(const Address chunk, runtime.memory().readPointer(methodTable + chunkOffset));
    place = chunk + kPointerBytes * (slot % kSlotsPerChunk);
  } else {
    HEAPSCAPE_TRY(place, nonVirtualSlot(methodTable, slot - virtuals));
  }
  return runtime.memory().readPointer(place);
}

// Slots behind the virtual ones: since .NET 9 they lie before the auxiliary data, the first one last; .NET 8 has a
// pointer to them, or the only one itself, among the optional members.
Result<Address> MethodSlots::nonVirtualSlot(Address methodTable, std::uint32_t number) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const MethodTable type, m_methodTables.read(methodTable));
  HEAPSCAPE_TRY(const EEClassCounts counts, readEEClassCounts(runtime, type));
  if (number >= counts.nonVirtualSlots) return failure(ErrorCode::NotFound, "The method table has no such slot.");
  if (contract.has("MethodTableAuxiliaryData", "OffsetToNonVirtualSlots")) {
    HEAPSCAPE_TRY(const Address auxiliary, runtime.pointerAt(methodTable, "MethodTable", "AuxiliaryData"));
    HEAPSCAPE_TRY(const std::int16_t offset,
                  runtime.valueAt<std::int16_t>(auxiliary, "MethodTableAuxiliaryData", "OffsetToNonVirtualSlots"));
    return auxiliary + static_cast<std::uint64_t>(std::int64_t{offset}) - kPointerBytes * (number + 1u);
  }
  HEAPSCAPE_TRY(const std::uint16_t flags2, runtime.valueAt<std::uint16_t>(methodTable, "MethodTable", "Flags2"));
  const std::uint64_t flag = contract.constant("WFlags2.HasNonVirtualSlots");
  if ((flags2 & flag) == 0) return failure(ErrorCode::NotFound, "The method table has no slots that are not virtual.");
  HEAPSCAPE_TRY(const Address slot, m_methodTables.multipurposeSlot(methodTable, flag));
  if (flags2 & contract.constant("WFlags2.HasSingleNonVirtualSlot")) return slot;
  HEAPSCAPE_TRY(const Address slots, runtime.memory().readPointer(slot));
  return slots + kPointerBytes * number;
}

Result<Address> MethodSlots::entryPoint(const MethodDesc& method) const {
  if (method.entryPointSlot) return m_methodTables.runtime().memory().readPointer(method.entryPointSlot);
  return entryInSlot(method.methodTable, method.slot);
}

// MethodDesc::GetNativeCode (src/coreclr/vm/method.cpp).
Result<Address> MethodSlots::nativeCode(const MethodDesc& method) const {
  if (method.nativeCodeSlot) return m_methodTables.runtime().memory().readPointer(method.nativeCodeSlot);
  return method.hasFixedCode ? entryPoint(method) : Result<Address>(Address{});
}

namespace {

constexpr std::uint64_t kDeletedEntry = UINT64_MAX;  // of an SHash of pointers

// NativeCodeVersion::OptimizationTier (src/coreclr/vm/codeversion.h).
constexpr std::array kTiers{
    "tier-0", "tier-1", "tier-1 OSR", "optimized", "tier-0 instrumented", "tier-1 instrumented"};

// MethodImplAttributes.
constexpr std::uint16_t kNoOptimization = 0x0040;
constexpr std::uint16_t kAggressiveOptimization = 0x0200;

}  // namespace

const MethodCode* activeOf(const std::vector<MethodCode>& versions) {
  if (versions.empty()) return nullptr;
  const auto active = std::ranges::find_if(versions, &MethodCode::isActive);
  return active != versions.end() ? &*active : &versions.front();
}

MethodCode MethodCodes::describe(Address start) const {
  MethodCode code{.start = start};
  const auto location = m_lookup.find(start);
  if (!location || location->start != start) return code;
  code.state = location->state;
  code.sizeBytes = m_lookup.codeBytes(*location);
  return code;
}

// TieredCompilationManager::GetInitialOptimizationTier and MethodDesc::IsJitOptimizationDisabled (src/coreclr/vm). Up
// to .NET 8 a method that asks for aggressive optimisation takes part in tiering, and starts and stays at tier 1.
std::string MethodCodes::initialTier(const MethodDesc& method) const {
  const Module* module = m_names.moduleOf(method);
  const auto row = module && module->metadata ? module->metadata->methodDef(method.row) : std::nullopt;
  const std::uint16_t asked = row ? row->implFlags : std::uint16_t{0};
  if (method.isEligibleForTieredCompilation) return asked & kAggressiveOptimization ? "tier-1" : "tier-0";
  if (asked & kNoOptimization) return "unoptimized";
  const auto flags =
      module ? m_runtime.valueAt<std::uint32_t>(module->address, "Module", "Flags") : failure(ErrorCode::NotFound, {});
  const bool isDebugBuild =
      flags && (*flags & m_runtime.contract().constant("Module.Flags.AllowJitOptimizations")) == 0;
  return isDebugBuild ? "unoptimized" : "optimized";
}

std::vector<MethodCode> MethodCodes::of(const MethodDesc& method) const {
  std::vector<MethodCode> codes;
  const Address state = versioningState(method);
  const auto flags = state ? m_runtime.valueAt<std::uint8_t>(state, "MethodDescVersioningState", "Flags")
                           : failure(ErrorCode::NotFound, {});
  if (const auto start = m_slots.nativeCode(method); start && *start) {
    MethodCode& first = codes.emplace_back(describe(*start));
    if (first.state == MethodState::Jitted) first.tier = initialTier(method);
    // Without later versions nobody has noted which one is active.
    const std::uint64_t activeFlag =
        m_runtime.contract().constant("MethodDescVersioningState.IsDefaultVersionActiveChild");
    first.isActive = !flags || (*flags & activeFlag) != 0;
  }
  const auto firstNode = state ? m_runtime.pointerAt(state, "MethodDescVersioningState", "NativeCodeVersionNode")
                               : Result<Address>(Address{});
  Address node = firstNode.value_or(Address{});
  for (std::size_t seen = 0; node && seen < kLimits.codeVersionsOfMethod; ++seen) {
    const auto start = m_runtime.pointerAt(node, "NativeCodeVersionNode", "NativeCode");
    const auto owner = m_runtime.pointerAt(node, "NativeCodeVersionNode", "MethodDesc");
    const auto next = m_runtime.pointerAt(node, "NativeCodeVersionNode", "Next");
    const auto tier = m_runtime.valueAt<std::uint32_t>(node, "NativeCodeVersionNode", "OptimizationTier");
    const auto nodeFlags = m_runtime.valueAt<std::uint32_t>(node, "NativeCodeVersionNode", "Flags");
    if (!start || !owner || *owner != method.address || !next || !tier || !nodeFlags) break;
    if (*start) {  // else it is still to be compiled
      MethodCode& code = codes.emplace_back(describe(*start));
      code.node = node;
      if (*tier < kTiers.size()) code.tier = kTiers[*tier];
      code.isActive = (*nodeFlags & m_runtime.contract().constant("NativeCodeVersionNode.IsActiveChild")) != 0;
    }
    node = *next;
  }
  return codes;
}

// Since .NET 9 a method leads to its versions, before there is one table for all.
Address MethodCodes::versioningState(const MethodDesc& method) const {
  if (m_runtime.contract().has("MethodDesc", "CodeData")) {
    const auto data = m_runtime.pointerAt(method.address, "MethodDesc", "CodeData");
    if (!data || !*data) return {};
    return m_runtime.pointerAt(*data, "MethodDescCodeData", "VersioningState").value_or(Address{});
  }
  std::call_once(m_isRead, [this] { readVersioningStates(); });
  const auto found = m_versioningStates.find(method.address);
  return found == m_versioningStates.end() ? Address{} : found->second;
}

void MethodCodes::readVersioningStates() const {
  const auto domain = m_runtime.globalPointer("AppDomain");
  if (!domain) return;
  const Address hash = m_runtime.member(*domain, "AppDomain", "MethodDescVersioningStates");
  const auto table = m_runtime.pointerAt(hash, "SHash", "Table");
  const auto size = m_runtime.valueAt<std::uint32_t>(hash, "SHash", "TableSize");
  if (!table || !*table || !size) return;
  for (std::uint64_t i = 0; i < *size && i < kLimits.codeEntriesOfModule; ++i) {
    Address state;
    if (!m_runtime.memory().tryRead(*table + kPointerBytes * i, state)) return;
    if (!state || state.value == kDeletedEntry) continue;
    const auto method = m_runtime.pointerAt(state, "MethodDescVersioningState", "MethodDesc");
    if (method) m_versioningStates.emplace(*method, state);
  }
}

}  // namespace heapscape::engine
