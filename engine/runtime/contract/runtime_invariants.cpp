// SPDX-License-Identifier: MIT
#include "runtime/contract/runtime_invariants.h"

#include <string>

namespace heapscape::engine {
namespace {

struct TableReader {
  const AddressSpace& space;
  const Contract& contract;
  const Contract::GlobalTable& table;
  const DynamicSymbol& globals;

  // The table holds addresses of variables; `value` is the pointer stored in the variable.
  bool tryValue(std::string_view name, Address& value) const {
    const auto index = table.indexOf.find(name);
    Address variable;
    return index != table.indexOf.end() && (index->second + 1) * 8 <= globals.sizeBytes &&
           space.tryRead(globals.address + index->second * 8, variable) && space.tryRead(variable, value);
  }

  bool methodTableIs(std::string_view global, const std::string& constantPrefix) const {
    Address methodTable;
    std::uint32_t flags = 0;
    std::uint32_t baseSize = 0;
    return tryValue(global, methodTable) &&
           space.tryRead(methodTable + contract.offset("MethodTable", "MTFlags"), flags) &&
           space.tryRead(methodTable + contract.offset("MethodTable", "BaseSize"), baseSize) &&
           flags == contract.constant(constantPrefix + ".MTFlags") &&
           baseSize == contract.constant(constantPrefix + ".BaseSize");
  }

  // GcDacVars describes itself by a version; the entry of the table points at the structure.
  bool gcVariablesFit() const {
    Address variables;
    std::uint8_t major = 0;
    return tryValue("GcDacVars", variables) &&
           space.tryRead(variables + contract.offset("GcDacVars", "MajorVersion"), major) &&
           major == contract.constant("GcDacVars.MajorVersion");
  }
};

}  // namespace

bool invariantsHold(const AddressSpace& space, const Contract& contract, const Contract::GlobalTable& table,
                    const DynamicSymbol& globals) {
  const TableReader reader{space, contract, table, globals};
  return reader.methodTableIs("FreeObjectMethodTable", "FreeObject") &&
         reader.methodTableIs("StringMethodTable", "String") && reader.gcVariablesFit();
}

}  // namespace heapscape::engine
