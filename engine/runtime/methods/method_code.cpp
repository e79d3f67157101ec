// SPDX-License-Identifier: MIT
#include "runtime/methods/method_code.h"

#include <algorithm>
#include <array>

#include "base/address.h"
#include "base/limits.h"
#include "runtime/clr_runtime.h"
#include "runtime/methods/code_lookup.h"
#include "runtime/methods/method_names.h"
#include "runtime/methods/method_slots.h"

namespace heapscape::engine {
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
