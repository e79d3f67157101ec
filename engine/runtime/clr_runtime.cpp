// SPDX-License-Identifier: MIT
#include "runtime/clr_runtime.h"

#include <fmt/format.h>

namespace heapscape::engine {

Result<Address> ClrRuntime::globalVariable(std::string_view name) const {
  const auto index = m_selected.table.indexOf.find(name);
  if (index == m_selected.table.indexOf.end() || (index->second + 1) * 8 > m_library.globalTable.sizeBytes) {
    return failure(ErrorCode::NotFound, fmt::format("This runtime has no global named {}.", name));
  }
  return memory().readPointer(m_library.globalTable.address + index->second * 8);
}

Result<Address> ClrRuntime::globalPointer(std::string_view name) const {
  if (const auto known = m_selected.pointers.find(name); known != m_selected.pointers.end()) return known->second;
  HEAPSCAPE_TRY(const Address variable, globalVariable(name));
  return memory().readPointer(variable);
}

}  // namespace heapscape::engine
