// SPDX-License-Identifier: MIT
#include "support/builders/runtime_in_memory.h"

#include <memory>
#include <stdexcept>
#include <string>

#include "support/opened_core.h"

namespace heapscape::test {

const engine::Contract& shippedContract(unsigned version, engine::Architecture architecture) {
  for (const engine::Contract& contract : engine::Contract::shipped(architecture)) {
    if (contract.runtimeVersion() == std::to_string(version) + ".0") return contract;
  }
  throw std::runtime_error("There is no contract of this version.");
}

engine::ClrRuntime runtimeInMemory(unsigned version, const CoreBuilder& builder) {
  const auto core = std::make_shared<OpenedCore>(builder);
  return {{core, &core->space()}, {}, {.contract = shippedContract(version), .table = {}}};
}

}  // namespace heapscape::test
