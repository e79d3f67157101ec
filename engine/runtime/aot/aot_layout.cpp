// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_layout.h"

#include <algorithm>
#include <vector>

#include "runtime/contract/contract.h"

namespace heapscape::engine {
namespace {

AotLayout layoutOf(const Contract& contract) {
  const auto number = [&](ContractName name) { return static_cast<std::uint32_t>(contract.constant(name)); };
  return {.release = static_cast<std::uint32_t>(std::stoul(contract.runtimeVersion())),
          .containsPointersFlag = number("MTFlags.ContainsGCPointers"),
          .optionalFieldsFlag = number("MTFlags.HasOptionalFields"),
          .arityOffset = number("GenericDefinition.ArityOffset"),
          .typeManagersOffset = number("RuntimeInstance.TypeManagersOffset"),
          .handleKindShift = static_cast<std::uint8_t>(number("MetadataHandle.KindShift")),
          .packedKindBits = static_cast<std::uint8_t>(number("MetadataHandle.PackedKindBits"))};
}

}  // namespace

const AotLayout* findAotLayout(std::uint32_t release) {
  static const std::vector<AotLayout> layouts = [] {
    std::vector<AotLayout> all;
    for (const Contract& contract : Contract::shippedForNativeAot()) all.push_back(layoutOf(contract));
    return all;
  }();
  const auto found = std::ranges::find(layouts, release, &AotLayout::release);
  return found == layouts.end() ? nullptr : &*found;
}

}  // namespace heapscape::engine
